/* SPDX-License-Identifier: Apache-2.0 */
/* Multisets: exact for adds and successful removes. With questions (a remove
 * that finds nothing, count) an order that changes each count only when a
 * return forces it to is tried. docs/internals/monitor/counter.md. */
#include "monitor/decider_tools.h"
#include "monitor/deciders.h"
#include "spec/registry.h"

struct multiset_key {
    uint32_t adds, removes; /* heaps of open operations */
    uint32_t count;         /* how many there are, after the order so far */
    int64_t spare;          /* adds called minus successful removes returned */
};

struct multiset_run {
    const struct part *p;
    uint32_t op_add, op_remove;
    struct hash_map numbers; /* key -> index into keys */
    VEC(struct multiset_key) keys;
    struct hash_map waiting; /* key index << 32 | wanted count -> list of questions */
    struct op_heaps heaps;
    uint8_t *emitted;
    uint32_t *order;
    uint32_t order_length;
    bool stuck; /* the order tried does not work out */
};

enum multiset_kind { MULTISET_ADD, MULTISET_REMOVE, MULTISET_ASK, MULTISET_FREE, MULTISET_IGNORED };

static enum multiset_kind multiset_kind_of(const struct multiset_run *run, const struct history_op *op)
{
    if (op->op == run->op_add)
        return MULTISET_ADD;
    if (op->op == run->op_remove)
        return !op->pending && op->result == PLUMB_FALSE ? MULTISET_ASK : MULTISET_REMOVE;
    if (op->pending)
        return MULTISET_IGNORED;
    return op->result == PLUMB_ANY ? MULTISET_FREE : MULTISET_ASK;
}

/* The count a question is about; what no count can be becomes UINT32_MAX. */
static uint32_t multiset_wanted(const struct multiset_run *run, const struct history_op *op)
{
    if (op->op == run->op_remove)
        return 0;
    int64_t k = plumb_is_int(op->result) ? plumb_int_of(run->p->history->values, op->result) : -1;
    return k < 0 || k > (int64_t)run->p->order.count ? UINT32_MAX : (uint32_t)k;
}

static uint32_t multiset_key_of(struct multiset_run *run, plumb_value arg)
{
    uint32_t *number = hash_map_at(&run->numbers, arg);
    if (*number == HASH_NO_NUMBER) {
        *number = (uint32_t)run->keys.len;
        vec_push(&run->keys, (struct multiset_key){0});
    }
    return *number;
}

static void multiset_emit(struct multiset_run *run, uint32_t i)
{
    run->emitted[i] = 1;
    run->order[run->order_length++] = i;
}

static void multiset_answer_waiting(struct multiset_run *run, uint32_t key)
{
    uint64_t slot = (uint64_t)key << 32 | run->keys.data[key].count;
    uint32_t node = hash_map_get(&run->waiting, slot);
    if (node == HASH_NO_NUMBER)
        return;
    hash_map_remove(&run->waiting, slot);
    while (node) {
        uint32_t next = run->heaps.nodes.data[node].next;
        multiset_emit(run, run->heaps.nodes.data[node].op);
        op_node_release(&run->heaps, node);
        node = next;
    }
}

/* Lets the open add or remove that returns first happen. False: there is none. */
static bool multiset_change(struct multiset_run *run, uint32_t key, bool add)
{
    struct multiset_key *k = &run->keys.data[key];
    uint32_t *heap = add ? &k->adds : &k->removes;
    if (!*heap)
        return false;
    multiset_emit(run, op_heap_pop(&run->heaps, heap));
    k->count += add ? 1 : UINT32_MAX;
    multiset_answer_waiting(run, key);
    return true;
}

static void multiset_ask(struct multiset_run *run, uint32_t i, uint32_t key, uint32_t wanted)
{
    if (run->keys.data[key].count == wanted) {
        multiset_emit(run, i);
        return;
    }
    uint32_t node = op_node_new(&run->heaps, i);
    uint32_t *list = hash_map_at(&run->waiting, (uint64_t)key << 32 | wanted);
    run->heaps.nodes.data[node].next = *list == HASH_NO_NUMBER ? 0 : *list;
    *list = node;
}

static void multiset_call(struct multiset_run *run, uint32_t i, const struct history_op *op, uint32_t key)
{
    struct multiset_key *k = &run->keys.data[key];
    enum multiset_kind kind = multiset_kind_of(run, op);
    bool unknown_remove = kind == MULTISET_REMOVE && !op->pending && op->result == PLUMB_ANY;
    k->spare += kind == MULTISET_ADD;
    if (kind == MULTISET_ADD)
        op_heap_push(&run->heaps, &k->adds, i);
    else if (kind == MULTISET_FREE || (unknown_remove && k->count == 0))
        multiset_emit(run, i);
    else if (kind == MULTISET_REMOVE)
        op_heap_push(&run->heaps, &k->removes, i);
    else if (kind == MULTISET_ASK)
        multiset_ask(run, i, key, multiset_wanted(run, op));
}

/* Makes the return of operation `i` possible, which is the first of its heap. */
static bool multiset_force(struct multiset_run *run, const struct history_op *op, uint32_t key)
{
    struct multiset_key *k = &run->keys.data[key];
    enum multiset_kind kind = multiset_kind_of(run, op);
    if (kind == MULTISET_ADD)
        return multiset_change(run, key, true);
    if (kind == MULTISET_REMOVE) {
        if (k->count == 0 && op->result == PLUMB_ANY) { /* it found nothing */
            multiset_emit(run, op_heap_pop(&run->heaps, &k->removes));
            return true;
        }
        return (k->count > 0 || multiset_change(run, key, true)) && multiset_change(run, key, false);
    }
    uint32_t wanted = multiset_wanted(run, op);
    if (wanted == UINT32_MAX)
        return false;
    while (k->count != wanted)
        if (!multiset_change(run, key, k->count < wanted))
            return false;
    return true;
}

/* False: more successful removes have returned than adds were called. */
static bool multiset_step(struct multiset_run *run, uint32_t event)
{
    uint32_t i = order_event_op(event);
    const struct history_op *op = part_op(run->p, i);
    uint32_t key = multiset_key_of(run, op->arg);
    if (!order_event_returns(event)) {
        multiset_call(run, i, op, key);
        return true;
    }
    if (op->op == run->op_remove && op->result == PLUMB_TRUE && --run->keys.data[key].spare < 0)
        return false;
    if (!run->stuck && !run->emitted[i])
        run->stuck = !multiset_force(run, op, key);
    return true;
}

static struct multiset_run multiset_start(const struct part *p)
{
    return (struct multiset_run){
        .p = p,
        .op_add = spec_operation_that(p->spec, PLUMB_ADDS),
        .op_remove = spec_operation_that(p->spec, PLUMB_REMOVES),
        .heaps.ret = p->order.ret,
        .emitted = NEW_ZEROED(uint8_t, p->order.count),
        .order = NEW_ARRAY(uint32_t, p->order.count),
    };
}

static void multiset_end(struct multiset_run *run)
{
    hash_map_free(&run->numbers);
    hash_map_free(&run->waiting);
    vec_free(&run->keys);
    op_heaps_free(&run->heaps);
    free(run->emitted);
    free(run->order);
}

enum verdict multiset_decide(const struct part *p, struct budget *budget, struct decision *d)
{
    struct multiset_run run = multiset_start(p);
    const struct order *o = &p->order;
    enum verdict verdict;
    uint32_t e = 0;
    while (e < o->event_count && !budget_exhausted(budget) && multiset_step(&run, o->event[e]))
        e++;
    if (budget->spent) {
        verdict = decision_limit(d);
    } else if (e < o->event_count) {
        verdict = decision_violated_at(d, order_event_op(o->event[e]));
    } else if (run.stuck) {
        verdict =
            decision_not_mine(d, "a count or a remove that found nothing does not fit the simple order");
    } else {
        witness_take(d, &run.order, run.order_length);
        verdict = decision_holds(d);
    }
    multiset_end(&run);
    return verdict;
}
