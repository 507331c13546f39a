/* SPDX-License-Identifier: Apache-2.0 */
/* Sets, all keys in one pass over the events: each key changes its state only
 * when a return forces it to, and then through the open operation that has
 * to return first. docs/internals/monitor/set.md. */
#include "base/check.h"
#include "monitor/decider_tools.h"
#include "monitor/deciders.h"
#include "spec/registry.h"

/* What is open on a key: called, not yet in the order. */
struct set_open {
    uint32_t adds, removes; /* heaps */
    uint32_t waiting;       /* list of questions that want the other state */
};

struct set_run {
    const struct part *p;
    uint32_t op_add, op_remove, op_contains;
    struct hash_map keys; /* key -> number of its set_open << 1 | state; number 0: nothing is open */
    VEC(struct set_open) open;
    uint32_t unused; /* list of set_open to use again, linked by `adds` */
    struct op_heaps heaps;
    uint64_t *emitted; /* a bit per operation */
    uint32_t *order;   /* the witness */
    uint32_t order_length;
    uint32_t failed; /* the operation whose return no order survives, or TOOLS_NONE */
    const char *why;
};

enum set_kind { SET_ADD, SET_REMOVE, SET_ASK_PRESENT, SET_ASK_ABSENT, SET_FREE, SET_IGNORED, SET_UNKNOWN };

static enum set_kind set_kind_of(const struct set_run *run, const struct history_op *op)
{
    if (op->op == run->op_contains) {
        if (op->pending)
            return SET_IGNORED;
        if (op->result == PLUMB_ANY)
            return SET_FREE;
        return op->result == PLUMB_TRUE ? SET_ASK_PRESENT : SET_ASK_ABSENT;
    }
    bool adds = op->op == run->op_add;
    if (op->pending || op->result == PLUMB_TRUE)
        return adds ? SET_ADD : SET_REMOVE;
    if (op->result == PLUMB_FALSE)
        return adds ? SET_ASK_PRESENT : SET_ASK_ABSENT;
    return SET_UNKNOWN;
}

static void set_emit(struct set_run *run, uint32_t i)
{
    run->emitted[i / 64] |= (uint64_t)1 << i % 64;
    run->order[run->order_length++] = i;
}

static struct set_open *set_open_of(struct set_run *run, uint32_t *word)
{
    uint32_t number = *word >> 1;
    if (!number && run->unused) {
        number = run->unused;
        run->unused = run->open.data[number].adds;
        run->open.data[number] = (struct set_open){0};
    } else if (!number) {
        number = (uint32_t)run->open.len;
        vec_push(&run->open, (struct set_open){0});
    }
    *word = number << 1 | (*word & 1);
    return &run->open.data[number];
}

static void set_release(struct set_run *run, uint32_t *word)
{
    uint32_t number = *word >> 1;
    struct set_open *o = &run->open.data[number];
    if (o->adds || o->removes || o->waiting)
        return;
    o->adds = run->unused;
    run->unused = number;
    *word &= 1;
}

static void set_call(struct set_run *run, uint32_t i, enum set_kind kind, uint32_t *word)
{
    bool present = *word & 1;
    if (kind == SET_FREE || kind == (present ? SET_ASK_PRESENT : SET_ASK_ABSENT)) {
        set_emit(run, i);
        return;
    }
    struct set_open *o = set_open_of(run, word);
    if (kind == SET_ADD) {
        op_heap_push(&run->heaps, &o->adds, i);
    } else if (kind == SET_REMOVE) {
        op_heap_push(&run->heaps, &o->removes, i);
    } else {
        uint32_t node = op_node_new(&run->heaps, i);
        run->heaps.nodes.data[node].next = o->waiting;
        o->waiting = node;
    }
}

/* Changes the state to `present`. False: no open operation can. */
static bool set_flip(struct set_run *run, uint32_t *word, bool present)
{
    struct set_open *o = &run->open.data[*word >> 1];
    uint32_t *heap = present ? &o->adds : &o->removes;
    if (!*heap)
        return false;
    set_emit(run, op_heap_pop(&run->heaps, heap));
    *word = (*word & ~(uint32_t)1) | present;
    while (o->waiting) {
        uint32_t node = o->waiting;
        o->waiting = run->heaps.nodes.data[node].next;
        set_emit(run, run->heaps.nodes.data[node].op);
        op_node_release(&run->heaps, node);
    }
    return true;
}

/* The return of an operation that is not in the order yet. Whatever has an earlier return is in it, so the
 * operation itself is the first of its heap. */
static bool set_return(struct set_run *run, enum set_kind kind, uint32_t *word)
{
    bool effective = kind == SET_ADD || kind == SET_REMOVE;
    bool wanted = kind == SET_REMOVE || kind == SET_ASK_PRESENT;
    if ((*word & 1) != wanted && !set_flip(run, word, wanted))
        return false;
    if (effective)
        CHECK(set_flip(run, word, kind == SET_ADD));
    set_release(run, word);
    return true;
}

static bool set_step(struct set_run *run, uint32_t event)
{
    uint32_t i = order_event_op(event);
    bool returns = order_event_returns(event);
    if (returns && (run->emitted[i / 64] >> i % 64 & 1))
        return true;
    const struct history_op *op = part_op(run->p, i);
    enum set_kind kind = set_kind_of(run, op);
    if (kind == SET_IGNORED)
        return true;
    if (kind == SET_UNKNOWN) {
        run->why = "an answer is unknown";
        return false;
    }
    uint32_t *word = hash_map_at(&run->keys, op->arg);
    if (*word == HASH_NO_NUMBER)
        *word = 0;
    if (!returns)
        set_call(run, i, kind, word);
    else if (!set_return(run, kind, word))
        run->failed = i;
    return run->failed == TOOLS_NONE;
}

static struct set_run set_start(const struct part *p)
{
    struct set_run run = {
        .p = p,
        .op_add = spec_operation_that(p->spec, PLUMB_ADDS),
        .op_remove = spec_operation_that(p->spec, PLUMB_REMOVES),
        .op_contains = spec_operation_that(p->spec, PLUMB_LOOKS),
        .heaps.ret = p->order.ret,
        .emitted = NEW_ZEROED(uint64_t, p->order.count / 64 + 1),
        .order = NEW_ARRAY(uint32_t, p->order.count),
        .failed = TOOLS_NONE,
    };
    vec_push(&run.open, (struct set_open){0}); /* number 0 means nothing is open */
    return run;
}

static void set_end(struct set_run *run)
{
    hash_map_free(&run->keys);
    vec_free(&run->open);
    op_heaps_free(&run->heaps);
    free(run->emitted);
    free(run->order);
}

/* Runs to the end, or to the first event that cannot be. */
static uint32_t set_pass(struct set_run *run, struct budget *budget)
{
    const struct order *o = &run->p->order;
    uint32_t e = 0;
    while (e < o->event_count && !budget_exhausted(budget) && set_step(run, o->event[e]))
        e++;
    return e;
}

enum verdict set_decide(const struct part *p, struct budget *budget, struct decision *d)
{
    struct set_run run = set_start(p);
    enum verdict verdict;
    uint32_t passed = set_pass(&run, budget);
    if (run.failed != TOOLS_NONE) {
        verdict = decision_violated_at(d, run.failed);
    } else if (run.why) {
        verdict = decision_not_mine(d, run.why);
    } else if (passed < p->order.event_count) {
        verdict = decision_limit(d);
    } else {
        witness_take(d, &run.order, run.order_length);
        verdict = decision_holds(d);
    }
    set_end(&run);
    return verdict;
}
