/* SPDX-License-Identifier: Apache-2.0 */
/* A counterexample as a run in which nothing is renamed: first here, where the choices of the search become those of the run, then in a
 * new process, which knows nothing of the search. */
#include "prove/prove_again.h"

#include "prove/prove_buffers.h"
#include "prove/prove_harness.h"
#include "prove/hung/prove_hung.h"
#include "prove/prove_system.h"

#include <stdio.h>
#include <string.h>

/* Where each thread is. */
struct runner {
    struct prove_result last[PROVE_THREADS_MAX];
    uint32_t numbers[PROVE_BLOCKS_MAX]; /* of each block, in the one form */
};

static bool fail(const char *why)
{
    prove_note(PROVE_UNSURE, "an error was found, but the run that leads to it could not be repeated: %s",
               why);
    return false;
}

static bool fail_about(const char *what)
{
    char why[PROVE_MESSAGE];
    snprintf(why, sizeof why, "%.200s (%.100s)", what, prove.problem);
    return fail(why);
}

static bool refresh(struct runner *r)
{
    return prove_run_refresh(r->numbers) == PROVE_FINE || fail_about("a state has no form");
}

static bool begin(struct runner *r, const struct prove_event *e)
{
    r->last[e->thread] = prove_begin(e->thread, e->op, e->numbers);
    return r->last[e->thread].outcome == PROVE_FINE ? refresh(r) : true;
}

/* The block that choice number `choice` of the search is about: of those that fit, in the order of the form. */
static struct prove_block *choose_block(struct runner *r, unsigned thread, int32_t choice)
{
    uint32_t list[PROVE_BLOCKS_MAX];
    unsigned count = prove_choices(thread, list);
    for (unsigned i = 0; i < count; i++) {
        int32_t before = 0;
        for (unsigned k = 0; k < count; k++)
            before += r->numbers[list[k]] < r->numbers[list[i]];
        if (before == choice - 1)
            return &prove.state.blocks[list[i]];
    }
    return NULL;
}

static struct prove_block *block_by_serial(int32_t serial)
{
    for (uint32_t i = 0; i < prove.state.block_count; i++)
        if (prove.state.blocks[i].serial == (uint32_t)serial)
            return &prove.state.blocks[i];
    return NULL;
}

static uint64_t from_base(uint64_t address)
{
    return address - (uint64_t)prove.program.globals < prove.program.globals_size
               ? address - prove.program.base
               : address;
}

static void note_place(struct prove_event *e)
{
    const struct prove_registers *g = &prove.state.threads[e->thread].registers;
    e->pc = g->pc > prove.program.base ? g->pc - prove.program.base : 0;
    e->hook = (uint16_t)g->hook;
    e->address = from_base(g->arguments[0]);
}

static bool drain(struct runner *r, struct prove_event *e)
{
    const struct prove_buffer *b = prove_buffer_of(e->thread);
    if (!b->count)
        return fail("a buffer is empty");
    e->hook = (uint16_t)PROVE_ID(PROVE_DRAINED, __builtin_ctz(b->stores[0].size));
    e->address = from_base(b->stores[0].address);
    r->last[e->thread] = prove_buffer_step(e->thread);
    return r->last[e->thread].outcome != PROVE_FINE || refresh(r);
}

/* An operation may have returned before its first step: then the step is nothing. */
static bool step(struct runner *r, struct prove_event *e, int32_t choice)
{
    struct prove_result *last = &r->last[e->thread];
    struct prove_block *block = NULL;
    if (last->has_returned || last->outcome != PROVE_FINE)
        return true;
    if (e->reuse == PROVE_DRAIN)
        return drain(r, e);
    if (prove_is_blocked(e->thread) && !prove_is_waiting(e->thread)) {
        note_place(e); /* it was called, and waits */
        return true;
    }
    prove.wakes = e->reuse == PROVE_WAKES ? e->woken : UINT32_MAX;
    if (choice > 0)
        block = choose_block(r, e->thread, choice);
    else if (e->reuse >= 0)
        block = block_by_serial(e->reuse);
    if (!block && (choice > 0 || e->reuse >= 0))
        return fail("a block that is used again is not there");
    e->reuse = block ? (int32_t)block->serial : e->reuse == PROVE_WAKES ? PROVE_WAKES : PROVE_NEW_BLOCK;
    note_place(e);
    *last = prove_step(e->thread, block);
    return last->outcome != PROVE_FINE || refresh(r);
}

static bool take_return(struct runner *r, struct prove_event *e)
{
    unsigned item;
    struct prove_result *last = &r->last[e->thread];
    if (!last->has_returned)
        return fail("an operation does not return");
    last->has_returned = false;
    e->value = (int64_t)last->value;
    if (prove_is_numbered(e->op)) {
        e->number = prove_reply_of(e->op, last->value, &item).number;
        e->value = (int64_t)plumb_int(NULL, e->number);
    } else if (plumb_is_int(last->value))
        e->number = plumb_int_of(prove_values(), last->value);
    else
        e->number = prove_reply_of(e->op, last->value, &item).number;
    return true;
}

/* At the end, which is a step of the operation that has just been called if it fails before its first one. */
static bool may_fail(uint32_t number)
{
    const struct prove_shared *s = prove.shared;
    const struct prove_event *e = &s->events[number];
    return number + 1 == s->event_count ||
           (number + 2 == s->event_count && e->kind == PROVE_CALL_EVENT && e[1].thread == e->thread);
}

/* What the run is wrong for is at its end. */
static bool is_wrong_there(const struct runner *r, uint32_t number)
{
    const struct prove_shared *s = prove.shared;
    const struct prove_result *last = &r->last[s->events[number].thread];
    bool fails = last->outcome == PROVE_FAULT;
    if (last->outcome != PROVE_FINE && !(fails && may_fail(number)))
        return fail_about("it ends early");
    if (number + 1 == s->event_count && s->reason == PROVE_A_FAULT && !fails)
        return fail("nothing is wrong at its end");
    return true;
}

static bool run_event(struct runner *r, struct prove_event *e, int32_t choice)
{
    e->thread %= PROVE_THREADS_MAX;
    if (e->kind == PROVE_CALL_EVENT)
        return begin(r, e);
    if (e->kind == PROVE_RETURN_EVENT)
        return take_return(r, e);
    if (e->kind != PROVE_FAULT_EVENT || prove.shared->reason != PROVE_STUCK)
        return step(r, e, choice);
    note_place(e);
    return prove_never_returns(e->thread) || fail("an operation returns");
}

bool prove_run_events(const int32_t *choices)
{
    static struct runner r;
    struct prove_shared *s = prove.shared;
    memset(&r, 0, sizeof r);
    prove.is_concrete = true;
    bool fine = refresh(&r);
    for (uint32_t i = 0; i < s->event_count && fine; i++) {
        struct prove_event *e = &s->events[i];
        fine = run_event(&r, e, choices ? choices[i] : 0);
        bool is_stuck = e->kind == PROVE_FAULT_EVENT && s->reason == PROVE_STUCK;
        fine = fine && (is_stuck || is_wrong_there(&r, i));
        prove_debug_event(i + 1);
    }
    if (fine)
        prove_debug_error();
    return fine;
}
