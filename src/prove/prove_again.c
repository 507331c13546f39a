/* SPDX-License-Identifier: Apache-2.0 */
/* A counterexample as a run in which nothing is renamed: first here, where the choices of the search become those of the run, then in a
 * new process, which knows nothing of the search. */
#include "prove/prove_again.h"

#include "prove/prove_buffers.h"
#include "prove/prove_harness.h"
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
    if (choice > 0)
        block = choose_block(r, e->thread, choice);
    else if (e->reuse >= 0)
        block = block_by_serial(e->reuse);
    if (!block && (choice > 0 || e->reuse >= 0))
        return fail("a block that is used again is not there");
    e->reuse = block ? (int32_t)block->serial : PROVE_NEW_BLOCK;
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
    if (plumb_is_int(last->value))
        e->number = plumb_int_of(prove_values(), last->value);
    else
        e->number = prove_reply_of(e->op, last->value, &item).number;
    return true;
}

/* The thread of the last event goes on alone. Where it comes to a state for the second time it does so for ever. */
static bool goes_round(struct runner *r, const struct prove_event *e)
{
    enum { STEPS_MOST = 10000 };
    static struct prove_form seen, now;
    static struct prove_names names;
    struct prove_result *last = &r->last[e->thread];
    uint32_t distance = 0; /* a state is kept at every power of two: a cycle of any length is noticed */
    for (uint32_t i = 0; i < STEPS_MOST; i++) {
        if (last->outcome == PROVE_BLOCKED)
            return true;
        if (last->has_returned || last->outcome != PROVE_FINE || prove_form_make(&now, &names) != PROVE_FINE)
            return false;
        if (i && prove_form_equals(&seen, &now))
            return true;
        if (i == distance) {
            distance = 2 * i + 1;
            prove_form_make(&seen, &names);
        }
        *last =
            prove_buffer_of(e->thread)->count ? prove_buffer_step(e->thread) : prove_step(e->thread, NULL);
    }
    return false;
}

static bool waits_alone(const struct runner *r, const struct prove_event *e)
{
    bool waits = r->last[e->thread].outcome == PROVE_BLOCKED;
    for (unsigned t = 0; t < prove.threads; t++)
        waits &= t == e->thread || !prove.state.threads[t].is_open;
    return waits;
}

static bool waits_for_ever(void)
{
    static const int64_t numbers[3] = {1, 1, 1};
    for (unsigned t = 0; t < prove.threads; t++) {
        if (prove.state.threads[t].is_open && (!prove_is_blocked(t) || prove_buffer_of(t)->count))
            return false;
        for (unsigned op = 0; !prove.state.threads[t].is_open && op < prove_operation_count; op++) {
            struct prove_result r = prove_begin(t, op, numbers);
            bool waits = r.outcome == PROVE_FINE && !r.has_returned && prove_is_blocked(t);
            prove.state.threads[t] = (struct prove_thread){0};
            if (!waits)
                return false;
        }
    }
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

bool prove_run_events(const int32_t *choices)
{
    static struct runner r;
    struct prove_shared *s = prove.shared;
    memset(&r, 0, sizeof r);
    prove.is_concrete = true;
    bool fine = refresh(&r);
    for (uint32_t i = 0; i < s->event_count && fine; i++) {
        struct prove_event *e = &s->events[i];
        e->thread %= PROVE_THREADS_MAX;
        switch (e->kind) {
        case PROVE_CALL_EVENT: fine = begin(&r, e); break;
        case PROVE_RETURN_EVENT: fine = take_return(&r, e); break;
        case PROVE_FAULT_EVENT:
            if (s->reason == PROVE_ENDLESS) {
                note_place(e);
                if (!goes_round(&r, e))
                    return fail("the operation ends");
                prove_note(PROVE_FAULT, "%s never returns, although no other operation is open",
                           prove_operations[e->op].part->name);
                return true;
            }
            fine = step(&r, e, choices ? choices[i] : 0);
            break;
        default: fine = step(&r, e, choices ? choices[i] : 0); break;
        }
        if (waits_alone(&r, e))
            r.last[e->thread].outcome =
                prove_note(PROVE_FAULT, PROVE_WAITS_ALONE, prove_operations[e->op].part->name);
        bool fails = r.last[e->thread].outcome == PROVE_FAULT;
        if (fine && r.last[e->thread].outcome != PROVE_FINE && !(fails && may_fail(i)))
            fine = fail_about("it ends early");
        if (fine && i + 1 == s->event_count && s->reason == PROVE_A_FAULT && !fails)
            fine = fail("nothing is wrong at its end");
    }
    if (fine && s->reason == PROVE_DEADLOCK && !waits_for_ever())
        fine = fail("a thread can go on");
    return fine;
}
