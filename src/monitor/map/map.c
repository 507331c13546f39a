/* SPDX-License-Identifier: Apache-2.0 */
/* One key of a map with removals: values are unique, but every removal makes the
 * key absent again, so the blocks of register.c alone do not decide. Rejects what
 * no order of the blocks allows; accepts when the search of map_search.c finds an order.
 * docs/internals/monitor/map.md. */
#include "monitor/deciders.h"
#include "monitor/map/map_run.h"
#include "spec/registry.h"

/* ---- reading the operations ---- */

static void map_add_question(struct map_run *m, uint32_t i, enum map_kind kind, uint32_t unless)
{
    m->kind[i] = (uint8_t)kind;
    vec_push(&m->blocks.extras, ((struct extra){.op = i, .unless = unless}));
}

static void map_enter_get(struct map_run *m, uint32_t i, const struct history_op *op)
{
    if (op->pending)
        return;
    if (op->result == PLUMB_ANY)
        map_add_question(m, i, MAP_OTHER, NONE);
    else if (op->result == PLUMB_NONE)
        map_add_question(m, i, MAP_NEEDS_ABSENT, MAP_PRESENT);
    else
        register_add_read(&m->blocks, i, register_number(&m->blocks, op->result));
}

/* The reason why the part is not ours, or null. */
static const char *map_enter(struct map_run *m, uint32_t i)
{
    struct register_run *run = &m->blocks;
    const struct history_op *op = part_op(run->p, i);
    if (op->op == run->op_read) {
        map_enter_get(m, i, op);
        return NULL;
    }
    if (op->op != run->op_write && !op->pending && op->result == PLUMB_ANY)
        return "an answer is unknown";
    if (op->op == m->op_remove) {
        if (op->result == PLUMB_FALSE)
            map_add_question(m, i, MAP_NEEDS_ABSENT, MAP_PRESENT);
        else
            m->kind[i] = MAP_REMOVES;
        return NULL;
    }
    if (op->op == m->op_put_if_absent && op->result == PLUMB_FALSE) {
        map_add_question(m, i, MAP_NEEDS_PRESENT, MAP_ABSENT);
        return NULL;
    }
    m->kind[i] = op->op == m->op_put_if_absent ? MAP_PUTS_IF_ABSENT : MAP_OTHER;
    plumb_value v = plumb_array_item(run->p->history->values, op->arg, 1);
    return register_add_writer(run, i, register_number(run, v)) ? NULL : "a value is written twice";
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

static struct map_run map_start(const struct part *p)
{
    return (struct map_run){
        .blocks = register_start(p, NULL),
        .op_remove = spec_operation_that(p->spec, PLUMB_REMOVES),
        .op_put_if_absent = spec_operation_that(p->spec, PLUMB_ADDS),
        .kind = NEW_ZEROED(uint8_t, p->order.count),
    };
}

static void map_end(struct map_run *m)
{
    register_end(&m->blocks);
    free(m->kind);
}

uint32_t map_last_call(const struct map_run *m, uint32_t block)
{
    const struct register_value *b = &m->blocks.values.data[block];
    return b->root == NONE ? b->writer
                           : b->last_call; /* a write that no operation saw has not been measured */
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
            enum map_kind kind = m->kind[i];
            if (zone == NONE || !order_event_returns(o->event[e]) || o->call[i] < start ||
                (kind != MAP_REMOVES && kind != MAP_NEEDS_ABSENT))
                continue;
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

/* ---- accepting ---- */

static enum verdict map_accept(struct map_run *m, struct budget *budget, struct decision *d)
{
    const char *why = map_search(m, budget);
    if (why)
        return decision_not_mine(d, why);
    witness_take(d, &m->blocks.order, m->blocks.order_length);
    OWNED uint32_t *colour = NEW_ARRAY(uint32_t, d->witness.len + 1);
    colour[0] = MAP_ABSENT;
    for (size_t j = 0; j < d->witness.len; j++)
        colour[j + 1] = m->kind[d->witness.data[j]] == MAP_REMOVES ? MAP_ABSENT : MAP_PRESENT;
    bool fit = witness_insert(m->blocks.p, d, m->blocks.extras.data, m->blocks.extras.len, colour);
    return fit ? decision_holds(d) : decision_not_mine(d, "an answer does not fit the order that was found");
}

enum verdict map_decide(const struct part *p, struct budget *budget, struct decision *d)
{
    enum verdict verdict = register_decide(p, budget, d);
    if (verdict != VERDICT_NONE)
        return verdict;
    struct map_run m = map_start(p);
    const char *why = map_enter_all(&m);
    d->why = NULL;
    if (why)
        verdict = decision_not_mine(d, why);
    else if (map_is_possible(&m))
        verdict = map_accept(&m, budget, d);
    else
        verdict = decision_violated_at(d, 0);
    map_end(&m);
    return verdict;
}
