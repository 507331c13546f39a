/* SPDX-License-Identifier: Apache-2.0 */
/* One key of a map with removals: values are unique, but every removal makes the
 * key absent again, so the blocks of register.c alone do not decide. Rejects what
 * no order of the blocks allows, accepts when a greedy order is found.
 * docs/internals/map.md. */
#include "monitor/deciders.h"
#include "monitor/register_run.h"
#include "spec/registry.h"

#include <string.h>

enum map_state { MAP_ABSENT, MAP_PRESENT };

/* A place in the order between a value and a put that overwrites it: a removal there changes nothing else. */
struct map_slot {
    uint32_t position, event;
    uint32_t remove; /* the removal put there, or NONE */
};

struct map_run {
    struct register_run blocks;
    uint32_t op_remove, op_put_if_absent;
    struct op_heaps heaps;
    uint32_t puts, conditionals; /* heaps: blocks that can be placed from now on, by their first return; begun
                                    by put and by put_if_absent */
    uint32_t removes;            /* heap: open removals */
    uint32_t now;                /* event */
    uint32_t zone;               /* block that owns the key now, or NONE */
    enum map_state state;
    uint32_t until[2]; /* the event at which each state was last left */
    uint32_t urgent;   /* earliest return among the questions that have not met the absent key yet */
    VEC(struct map_slot) slots;
};

/* ---- reading the operations ---- */

static const char *map_enter(struct map_run *m, uint32_t i)
{
    struct register_run *run = &m->blocks;
    const struct history_op *op = part_op(run->p, i);
    bool asks = op->op == run->op_read;
    if (!asks && op->op != run->op_write && !op->pending && op->result == PLUMB_ANY)
        return "an answer is unknown";
    if (asks && op->pending)
        return NULL;
    if (asks && op->result == PLUMB_ANY)
        vec_push(&run->extras, ((struct extra){i, NONE}));
    else if (asks && op->result != PLUMB_NONE)
        register_add_read(run, i, register_number(run, op->result));
    else if (asks || (op->op == m->op_remove && op->result == PLUMB_FALSE))
        vec_push(&run->extras, ((struct extra){i, MAP_PRESENT}));
    else if (op->op == m->op_put_if_absent && op->result == PLUMB_FALSE)
        vec_push(&run->extras, ((struct extra){i, MAP_ABSENT}));
    else if (op->op != m->op_remove) {
        plumb_value v = plumb_array_item(run->p->history->values, op->arg, 1);
        return register_add_writer(run, i, register_number(run, v)) ? NULL : "a value is written twice";
    }
    return NULL;
}

static const char *map_enter_all(struct map_run *m)
{
    const struct order *o = &m->blocks.p->order;
    const char *why = NULL;
    for (uint32_t e = 0; e < o->event_count && !why; e++)
        if (!order_event_returns(o->event[e]))
            why = map_enter(m, order_event_op(o->event[e]));
    return why;
}

static struct map_run map_start(const struct part *p, struct decision *d)
{
    return (struct map_run){
        .blocks = register_start(p, d),
        .op_remove = spec_operation(p->spec, "remove"),
        .op_put_if_absent = spec_operation(p->spec, "put_if_absent"),
        .heaps.ret = p->order.ret,
        .zone = NONE,
        .urgent = ORDER_NEVER,
    };
}

static void map_end(struct map_run *m)
{
    register_end(&m->blocks);
    op_heaps_free(&m->heaps);
    vec_free(&m->slots);
}

/* Operations besides those of the blocks, and what they need. */
enum map_kind { MAP_OTHER, MAP_REMOVES, MAP_NEEDS_ABSENT, MAP_NEEDS_PRESENT };

static enum map_kind map_kind_of(const struct map_run *m, uint32_t i)
{
    const struct history_op *op = part_op(m->blocks.p, i);
    if (op->op == m->op_remove)
        return op->result == PLUMB_FALSE ? MAP_NEEDS_ABSENT : MAP_REMOVES;
    if (op->op == m->op_put_if_absent)
        return op->result == PLUMB_FALSE ? MAP_NEEDS_PRESENT : MAP_OTHER;
    return op->op == m->blocks.op_read && op->result == PLUMB_NONE ? MAP_NEEDS_ABSENT : MAP_OTHER;
}

/* ---- rejecting ---- */

/* Inside a zone the key is present: no removal and nothing that found it absent lies wholly in it. */
static bool map_check_zones(struct map_run *m)
{
    struct register_run *run = &m->blocks;
    const struct order *o = &run->p->order;
    uint32_t zone = NONE, start = 0;
    for (uint32_t e = 0; e < o->event_count; e++) {
        uint32_t i = order_event_op(o->event[e]), block = register_block_at(run, e);
        if (block == NONE) {
            enum map_kind kind = map_kind_of(m, i);
            if (zone == NONE || !order_event_returns(o->event[e]) || o->call[i] < start ||
                (kind != MAP_REMOVES && kind != MAP_NEEDS_ABSENT))
                continue;
            register_core_block(run, zone);
            register_core_add(run, i);
            return false;
        }
        if (order_event_returns(o->event[e]) && run->values.data[block].first_return == i &&
            !register_block_is_loose(run, block)) {
            zone = block;
            start = e;
        } else if (zone == block && o->event[e] == run->values.data[block].last_call << 1) {
            zone = NONE;
        }
    }
    return true;
}

/* Without the removals and what saw the key absent, this is a register. */
static bool map_is_possible(struct map_run *m)
{
    return register_make_blocks(&m->blocks) && register_sweep(&m->blocks) && map_check_zones(m);
}

static bool map_violated(const struct part *p)
{
    struct map_run m = map_start(p, NULL);
    bool violated = !map_enter_all(&m) && !map_is_possible(&m);
    map_end(&m);
    return violated;
}

/* ---- a greedy order ---- */

static void map_set_state(struct map_run *m, enum map_state state)
{
    if (m->state != state)
        m->until[m->state] = m->now;
    if (state == MAP_ABSENT || m->state == MAP_ABSENT)
        m->urgent = ORDER_NEVER;
    m->state = state;
}

static uint32_t map_heap_deadline(const struct map_run *m, uint32_t heap)
{
    return heap ? m->heaps.ret[m->heaps.nodes.data[heap].op] : ORDER_NEVER;
}

/* Was the key in this state at some moment since the call of i? */
static bool map_has_been(const struct map_run *m, enum map_state state, uint32_t i)
{
    return m->state == state || m->until[state] > m->blocks.p->order.call[i];
}

static bool map_make_absent(struct map_run *m)
{
    if (m->state == MAP_ABSENT)
        return true;
    if (!m->removes)
        return false;
    m->blocks.order[m->blocks.order_length++] = op_heap_pop(&m->heaps, &m->removes);
    map_set_state(m, MAP_ABSENT);
    return true;
}

static uint32_t map_pop_block(struct map_run *m, uint32_t *heap)
{
    uint32_t value = m->blocks.value_of[op_heap_pop(&m->heaps, heap)];
    uint32_t root = m->blocks.values.data[value].root;
    return root == NONE ? value : root;
}

static bool map_is_conditional(const struct map_run *m, uint32_t block)
{
    return part_op(m->blocks.p, m->blocks.values.data[block].writer)->op == m->op_put_if_absent;
}

static bool map_place_block(struct map_run *m, uint32_t block)
{
    struct register_run *run = &m->blocks;
    if (map_is_conditional(m, block)) {
        if (!map_make_absent(m))
            return false;
    } else {
        /* A put_if_absent that is overwritten at once costs nothing. */
        if (m->state == MAP_ABSENT && m->conditionals) {
            register_emit_block(run, map_pop_block(m, &m->conditionals));
            map_set_state(m, MAP_PRESENT);
        }
        if (m->state == MAP_PRESENT)
            vec_push(&m->slots, ((struct map_slot){run->order_length, m->now, NONE}));
    }
    register_emit_block(run, block);
    map_set_state(m, MAP_PRESENT);
    return true;
}

static bool map_make_present(struct map_run *m)
{
    if (m->state == MAP_PRESENT)
        return true;
    uint32_t *heap = m->conditionals ? &m->conditionals : &m->puts;
    return *heap && map_place_block(m, map_pop_block(m, heap));
}

/* The last free place after the call of removal i. */
static struct map_slot *map_find_slot(struct map_run *m, uint32_t i)
{
    for (size_t k = m->slots.len; k-- > 0 && m->slots.data[k].event > m->blocks.p->order.call[i];)
        if (m->slots.data[k].remove == NONE)
            return &m->slots.data[k];
    return NULL;
}

/* The open removal that returns first. */
static bool map_place_remove(struct map_run *m)
{
    struct map_slot *slot = NULL;
    if (!map_make_present(m))
        slot = map_find_slot(m, m->heaps.nodes.data[m->removes].op);
    if (slot)
        slot->remove = op_heap_pop(&m->heaps, &m->removes);
    else if (m->state == MAP_ABSENT)
        return false;
    return slot || map_make_absent(m);
}

/* Places all that cannot wait until event `limit`, earliest return first. */
static bool map_place_before(struct map_run *m, uint32_t limit)
{
    for (;;) {
        uint32_t put = map_heap_deadline(m, m->puts), conditional = map_heap_deadline(m, m->conditionals);
        uint32_t remove = map_heap_deadline(m, m->removes), first = put < conditional ? put : conditional;
        first = remove < first ? remove : first;
        first = m->urgent < first ? m->urgent : first;
        if (first >= limit)
            return true;
        bool placed = first == put           ? map_place_block(m, map_pop_block(m, &m->puts))
                      : first == conditional ? map_place_block(m, map_pop_block(m, &m->conditionals))
                      : first == remove      ? map_place_remove(m)
                                             : map_make_absent(m);
        if (!placed)
            return false;
    }
}

static bool map_first_return(struct map_run *m, uint32_t block)
{
    const struct register_value *b = &m->blocks.values.data[block];
    if (b->placed)
        return true;
    if (m->zone != NONE)
        return false;
    if (register_block_is_loose(&m->blocks, block))
        return map_place_block(m, map_pop_block(m, map_is_conditional(m, block) ? &m->conditionals : &m->puts));
    if (!map_place_before(m, m->blocks.p->order.call[b->last_call]) || !map_place_block(m, block))
        return false;
    m->zone = block;
    return true;
}

/* Nothing open makes the key present, but a block with later calls can be placed now. */
static bool map_place_early(struct map_run *m)
{
    uint32_t block = register_find_early_block(&m->blocks, m->now);
    if (block == NONE)
        return false;
    uint32_t end = m->blocks.p->order.call[m->blocks.values.data[block].last_call];
    if (map_heap_deadline(m, m->removes) < end || m->urgent < end)
        return false;
    m->zone = block;
    return map_place_block(m, block);
}

static bool map_return(struct map_run *m, uint32_t i, uint32_t block)
{
    if (block != NONE)
        return m->blocks.values.data[block].first_return != i || map_first_return(m, block);
    switch (map_kind_of(m, i)) {
    case MAP_REMOVES:
        if (!m->removes || m->heaps.nodes.data[m->removes].op != i)
            return true;
        return m->zone == NONE && map_place_remove(m);
    case MAP_NEEDS_ABSENT:
        return map_has_been(m, MAP_ABSENT, i) || (m->zone == NONE && map_make_absent(m));
    case MAP_NEEDS_PRESENT:
        return map_has_been(m, MAP_PRESENT, i) || map_make_present(m) || map_place_early(m);
    default:
        return true;
    }
}

static void map_call(struct map_run *m, uint32_t i, uint32_t block)
{
    struct register_run *run = &m->blocks;
    enum map_kind kind = block == NONE ? map_kind_of(m, i) : MAP_OTHER;
    if (kind == MAP_REMOVES) {
        op_heap_push(&m->heaps, &m->removes, i);
    } else if (kind == MAP_NEEDS_ABSENT) {
        if (m->state == MAP_PRESENT && run->p->order.ret[i] < m->urgent)
            m->urgent = run->p->order.ret[i];
    } else if (block == NONE) {
        /* Nobody saw this pending write: it happens only if that helps. */
        if (run->value_of[i] != NONE)
            op_heap_push(&m->heaps, map_is_conditional(m, run->value_of[i]) ? &m->conditionals : &m->puts, i);
    } else if (run->values.data[block].last_call == i) {
        if (m->zone == block)
            m->zone = NONE;
        else if (register_block_is_loose(run, block))
            op_heap_push(&m->heaps, map_is_conditional(m, block) ? &m->conditionals : &m->puts,
                         run->values.data[block].first_return);
    }
}

/* What never returns but was seen. */
static bool map_place_rest(struct map_run *m, uint32_t *heap)
{
    while (*heap) {
        uint32_t block = map_pop_block(m, heap);
        if (m->blocks.values.data[block].root != NONE && !map_place_block(m, block))
            return false;
    }
    return true;
}

static void map_forget_order(struct map_run *m)
{
    m->blocks.order_length = 0;
    for (size_t v = 0; v < m->blocks.values.len; v++)
        m->blocks.values.data[v].placed = 0;
}

static bool map_sweep(struct map_run *m, struct budget *budget)
{
    const struct order *o = &m->blocks.p->order;
    map_forget_order(m);
    for (m->now = 0; m->now < o->event_count; m->now++) {
        uint32_t i = order_event_op(o->event[m->now]), block = register_block_at(&m->blocks, m->now);
        if (!order_event_returns(o->event[m->now]))
            map_call(m, i, block);
        else if (budget_exhausted(budget) || !map_return(m, i, block))
            return false;
    }
    return map_place_rest(m, &m->conditionals) && map_place_rest(m, &m->puts);
}

/* ---- the witness ---- */

static void map_merge_slots(const struct map_run *m, struct decision *d)
{
    size_t k = 0;
    vec_reserve(&d->witness, m->blocks.p->order.count);
    for (uint32_t j = 0; j < m->blocks.order_length; j++) {
        for (; k < m->slots.len && m->slots.data[k].position == j; k++)
            if (m->slots.data[k].remove != NONE)
                vec_push(&d->witness, m->slots.data[k].remove);
        vec_push(&d->witness, m->blocks.order[j]);
    }
}

static enum answer map_hold(struct map_run *m, struct decision *d)
{
    map_merge_slots(m, d);
    uint32_t *colour = NEW_ARRAY(uint32_t, d->witness.len + 1);
    colour[0] = MAP_ABSENT;
    for (size_t j = 0; j < d->witness.len; j++)
        colour[j + 1] = map_kind_of(m, d->witness.data[j]) == MAP_REMOVES ? MAP_ABSENT : MAP_PRESENT;
    bool fit = witness_insert(m->blocks.p, d, m->blocks.extras.data, m->blocks.extras.len, colour);
    free(colour);
    return fit ? decision_holds(d) : decision_not_mine(d, "an answer does not fit the order that was found");
}

enum answer map_decide(const struct part *p, struct budget *budget, struct decision *d)
{
    enum answer answer = register_decide(p, budget, d);
    if (answer != ANSWER_NOT_MINE)
        return answer;
    struct map_run m = map_start(p, d);
    const char *why = map_enter_all(&m);
    d->why = NULL;
    if (why)
        answer = decision_not_mine(d, why);
    else if (!map_is_possible(&m))
        answer = decision_violated(p, d, map_violated);
    else if (map_sweep(&m, budget))
        answer = map_hold(&m, d);
    else
        answer = decision_not_mine(d, "no order was found at once");
    map_end(&m);
    return answer;
}
