/* SPDX-License-Identifier: Apache-2.0 */
/* Counters whose changes all have the same amount: the changes fill slots
 * 1, 2, 3, ..., each answer opens and closes slots, and each slot takes the
 * open change that has to return first. docs/internals/monitor/counter.md. */
#include "monitor/decider_tools.h"
#include "monitor/deciders.h"
#include "spec/registry.h"

#include <string.h>

struct counter_run {
    const struct part *p;
    uint32_t op_add, op_get;
    int64_t initial, amount;
    uint32_t total;          /* changes, pending ones included */
    uint32_t completed_left; /* completed changes that may have any slot and have none yet */
    uint32_t needed;         /* the last slot that some answer shows to be filled */
    /* By slot; index 0 is the time before the first. */
    uint32_t *first_get, *last_get; /* gets that see exactly this many changes, in order of calls */
    uint32_t *next_get;             /* by operation */
    uint32_t *quick_get;            /* the one that returns first */
    uint32_t *filler;               /* the change in the slot: at first only fetch_add with a known answer */
    uint32_t *closer;               /* answer with the earliest return that needs the slot filled */
    VEC(struct extra) extras;
    struct op_heaps heaps;
    uint32_t available; /* heap of changes that can fill the next slot */
    uint32_t cursor;    /* events up to here are looked at */
};

enum counter_kind {
    COUNTER_CHANGE, /* fills any slot */
    COUNTER_FIXED,  /* fills the slot its answer names */
    COUNTER_GET,
    COUNTER_FREE, /* fits everywhere */
    COUNTER_IGNORED,
    COUNTER_IMPOSSIBLE,
};

static int64_t counter_amount_of(const struct counter_run *run, const struct history_op *op)
{
    return op->op == run->op_get ? 0 : plumb_int_of(run->p->history->values, op->arg);
}

/* How an operation takes part. `seen`: how many changes came before it, by its answer. */
static enum counter_kind counter_kind_of(const struct counter_run *run, const struct history_op *op,
                                         uint32_t *seen)
{
    bool changes = counter_amount_of(run, op) != 0;
    if (op->pending)
        return changes ? COUNTER_CHANGE : COUNTER_IGNORED;
    if (op->op == run->op_add || op->result == PLUMB_ANY)
        return changes ? COUNTER_CHANGE : COUNTER_FREE;
    __int128 distance = (__int128)plumb_int_of(run->p->history->values, op->result) - run->initial;
    __int128 steps = distance / run->amount;
    if (distance % run->amount || steps < 0 || steps > (__int128)run->total - changes)
        return COUNTER_IMPOSSIBLE;
    *seen = (uint32_t)steps;
    return changes ? COUNTER_FIXED : COUNTER_GET;
}

/* Finds the amount and counts the changes. The reason why the part is not ours, or null. */
static const char *counter_measure(struct counter_run *run)
{
    const struct part *p = run->p;
    for (uint32_t i = 0; i < p->order.count; i++) {
        const struct history_op *op = part_op(p, i);
        bool answers = !op->pending && op->op != run->op_add && op->result != PLUMB_ANY;
        if ((op->op != run->op_get && !plumb_is_int(op->arg)) || (answers && !plumb_is_int(op->result)))
            return "an amount or an answer is not an integer";
        int64_t amount = counter_amount_of(run, op);
        if (amount && run->total && amount != run->amount)
            return "the amounts added differ";
        if (amount) {
            run->amount = amount;
            run->total++;
        }
    }
    __int128 last = (__int128)run->amount * run->total + run->initial;
    return last > INT64_MAX || last < INT64_MIN ? "the counter may overflow" : NULL;
}

static uint32_t *counter_slots(uint32_t count)
{
    uint32_t *slots = NEW_ARRAY(uint32_t, count);
    memset(slots, 0xff, count * sizeof *slots);
    return slots;
}

static struct counter_run counter_start(const struct part *p)
{
    plumb_value initial = p->options ? p->options->initial : PLUMB_OK;
    return (struct counter_run){
        .p = p,
        .op_add = spec_operation_that(p->spec, PLUMB_COUNTS),
        .op_get = spec_operation_that(p->spec, PLUMB_READS),
        .initial = plumb_is_int(initial) ? plumb_int_of(p->history->values, initial) : 0,
        .amount = 1,
        .heaps.ret = p->order.ret,
    };
}

static void counter_allocate(struct counter_run *run)
{
    run->first_get = counter_slots(run->total + 2);
    run->last_get = counter_slots(run->total + 2);
    run->quick_get = counter_slots(run->total + 2);
    run->filler = counter_slots(run->total + 2);
    run->closer = counter_slots(run->total + 2);
    run->next_get = counter_slots(run->p->order.count + 1);
}

static void counter_end(struct counter_run *run)
{
    free(run->first_get);
    free(run->last_get);
    free(run->quick_get);
    free(run->filler);
    free(run->closer);
    free(run->next_get);
    vec_free(&run->extras);
    op_heaps_free(&run->heaps);
}

static void counter_add_get(struct counter_run *run, uint32_t i, uint32_t seen)
{
    const uint32_t *ret = run->p->order.ret;
    if (run->first_get[seen] == TOOLS_NONE)
        run->first_get[seen] = run->quick_get[seen] = i;
    else
        run->next_get[run->last_get[seen]] = i;
    run->last_get[seen] = i;
    if (ret[i] < ret[run->quick_get[seen]])
        run->quick_get[seen] = i;
}

static bool counter_enter(struct counter_run *run, uint32_t i)
{
    uint32_t seen = 0;
    const struct history_op *op = part_op(run->p, i);
    switch (counter_kind_of(run, op, &seen)) {
    case COUNTER_CHANGE: run->completed_left += !op->pending; break;
    case COUNTER_FIXED:
        if (run->filler[seen + 1] != TOOLS_NONE)
            return false;
        run->filler[seen + 1] = i;
        break;
    case COUNTER_GET: counter_add_get(run, i, seen); break;
    case COUNTER_FREE: vec_push(&run->extras, ((struct extra){.op = i, .unless = TOOLS_NONE})); break;
    case COUNTER_IGNORED: break;
    case COUNTER_IMPOSSIBLE: return false;
    }
    return true;
}

/* False: an answer is impossible, whatever the order. */
static bool counter_enter_all(struct counter_run *run)
{
    const struct order *o = &run->p->order;
    for (uint32_t e = 0; e < o->event_count; e++)
        if (!order_event_returns(o->event[e]) && !counter_enter(run, order_event_op(o->event[e])))
            return false;
    return true;
}

static uint32_t counter_earlier_return(const struct counter_run *run, uint32_t a, uint32_t b)
{
    if (a == TOOLS_NONE || b == TOOLS_NONE)
        return a == TOOLS_NONE ? b : a;
    return run->p->order.ret[b] < run->p->order.ret[a] ? b : a;
}

static uint32_t counter_later_call(const struct counter_run *run, uint32_t a, uint32_t b)
{
    if (a == TOOLS_NONE || b == TOOLS_NONE)
        return a == TOOLS_NONE ? b : a;
    return run->p->order.call[b] > run->p->order.call[a] ? b : a;
}

static void counter_find_closers(struct counter_run *run)
{
    uint32_t closer = TOOLS_NONE;
    for (uint32_t k = run->total; k > 0; k--) {
        closer = counter_earlier_return(run, closer, run->quick_get[k]);
        closer = counter_earlier_return(run, closer, run->filler[k]);
        run->closer[k] = closer;
        if (closer != TOOLS_NONE && !run->needed)
            run->needed = k;
    }
}

static bool counter_is_free_change(const struct counter_run *run, uint32_t i)
{
    uint32_t seen;
    return counter_kind_of(run, part_op(run->p, i), &seen) == COUNTER_CHANGE;
}

/* Makes available what was called before slot k closes. */
static void counter_open_changes(struct counter_run *run, uint32_t k)
{
    const struct order *o = &run->p->order;
    uint32_t end = run->closer[k] == TOOLS_NONE ? o->event_count : o->ret[run->closer[k]];
    for (; run->cursor < end; run->cursor++) {
        uint32_t i = order_event_op(o->event[run->cursor]);
        if (!order_event_returns(o->event[run->cursor]) && counter_is_free_change(run, i))
            op_heap_push(&run->heaps, &run->available, i);
    }
}

/* Fills slot k. `opener`: the answer with the latest call that came before the slot was filled. */
static bool counter_fill(struct counter_run *run, uint32_t k, uint32_t opener)
{
    const struct order *o = &run->p->order;
    uint32_t closer = run->closer[k];
    if (opener != TOOLS_NONE && closer != TOOLS_NONE && o->call[opener] > o->ret[closer])
        return false;
    counter_open_changes(run, k);
    if (run->filler[k] != TOOLS_NONE)
        return true;
    if (!run->available)
        return false;
    uint32_t x = op_heap_pop(&run->heaps, &run->available);
    if (opener != TOOLS_NONE && o->ret[x] < o->call[opener])
        return false; /* x had to be in a slot before this one */
    run->filler[k] = x;
    run->completed_left -= o->ret[x] != ORDER_NEVER;
    return true;
}

/* Finds out how many slots are filled, and by what. */
static bool counter_fill_all(struct counter_run *run, uint32_t *filled)
{
    uint32_t opener = TOOLS_NONE, k = 1;
    counter_find_closers(run);
    for (; k <= run->needed || run->completed_left; k++) {
        opener = counter_later_call(run, opener, run->last_get[k - 1]);
        opener = counter_later_call(run, opener, run->filler[k]);
        if (!counter_fill(run, k, opener))
            return false;
    }
    *filled = k - 1;
    return true;
}

static void counter_emit(const struct counter_run *run, uint32_t filled, struct decision *d)
{
    vec_reserve(&d->witness, run->p->order.count);
    for (uint32_t k = 0; k <= filled; k++) {
        if (k)
            vec_push(&d->witness, run->filler[k]);
        for (uint32_t i = run->first_get[k]; i != TOOLS_NONE; i = run->next_get[i])
            vec_push(&d->witness, i);
    }
    witness_insert(run->p, d, run->extras.data, run->extras.len, NULL);
}

enum verdict counter_decide(const struct part *p, struct budget *budget, struct decision *d)
{
    struct counter_run run = counter_start(p);
    uint32_t filled = 0;
    enum verdict verdict;
    const char *why = counter_measure(&run);
    if (why)
        return decision_not_mine(d, why);
    if (budget_exhausted(budget))
        return decision_limit(d);
    counter_allocate(&run);
    if (counter_enter_all(&run) && counter_fill_all(&run, &filled)) {
        counter_emit(&run, filled, d);
        verdict = decision_holds(d);
    } else {
        verdict = decision_violated_at(d, 0);
    }
    counter_end(&run);
    return verdict;
}
