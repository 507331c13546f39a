/* SPDX-License-Identifier: Apache-2.0 */
#include "monitor/part.h"

#include <string.h>

struct part ties_forget(const struct part *p)
{
    struct part relaxed = *p;
    relaxed.order.after = NULL;
    return relaxed;
}

static int64_t stamp_of(const struct part *p, uint32_t event)
{
    const struct history_op *op = part_op(p, order_event_op(event));
    return order_event_returns(event) ? op->ret : op->call;
}

struct tightening {
    const struct part *p;
    struct order *out;
    const uint32_t *successor; /* per operation: the one that has to follow it, or ORDER_NO_OP */
    uint8_t *called;           /* per operation */
    uint8_t *returned;
};

static void emit(struct tightening *t, uint32_t op, bool returns)
{
    uint8_t *done = returns ? t->returned : t->called;
    if (done[op])
        return;
    done[op] = 1;
    (returns ? t->out->ret : t->out->call)[op] = t->out->event_count;
    t->out->event[t->out->event_count++] = op << 1 | returns;
}

/* Has the operation to follow one that returns at the stamp of its call? One that returned earlier was handed on by operations on
 * other objects in between, and the ranks express it. */
static bool is_tied(const struct tightening *t, uint32_t op)
{
    uint32_t before = t->p->order.after[op];
    return before != ORDER_NO_OP && part_op(t->p, before)->ret == part_op(t->p, op)->call;
}

/* The ranks of a stamp that has no such pair are right as they are. */
static bool has_tie(const struct tightening *t, const uint32_t *events, uint32_t count)
{
    for (uint32_t k = 0; k < count; k++)
        if (!order_event_returns(events[k]) && is_tied(t, order_event_op(events[k])))
            return true;
    return false;
}

/* One stamp: calls that wait for no return, then every thread with a tie in one go (return, call, return, ...), then the
 * other returns. */
static void tighten_stamp(struct tightening *t, const uint32_t *events, uint32_t count)
{
    bool tie = has_tie(t, events, count);
    for (uint32_t k = 0; tie && k < count; k++)
        if (!order_event_returns(events[k]) && !is_tied(t, order_event_op(events[k])))
            emit(t, order_event_op(events[k]), false);
    for (uint32_t k = 0; tie && k < count; k++) {
        uint32_t op = order_event_op(events[k]);
        if (!order_event_returns(events[k]) || (is_tied(t, op) && !t->called[op]))
            continue;
        int64_t stamp = part_op(t->p, op)->ret;
        for (uint32_t next = t->successor[op]; next != ORDER_NO_OP && part_op(t->p, next)->call == stamp;
             next = t->successor[op]) {
            emit(t, op, true);
            emit(t, next, false);
            op = next;
        }
    }
    for (uint32_t k = 0; k < count; k++)
        emit(t, order_event_op(events[k]), order_event_returns(events[k]));
}

static uint32_t *find_successors(const struct order *o)
{
    uint32_t *successor = NEW_ARRAY(uint32_t, o->count);
    memset(successor, 0xff, sizeof(uint32_t) * o->count);
    for (uint32_t i = 0; i < o->count; i++)
        if (o->after[i] != ORDER_NO_OP)
            successor[o->after[i]] = i;
    return successor;
}

static void tighten_all(struct tightening *t)
{
    const struct order *o = &t->p->order;
    for (uint32_t from = 0, to; from < o->event_count; from = to) {
        int64_t stamp = stamp_of(t->p, o->event[from]);
        for (to = from + 1; to < o->event_count && stamp_of(t->p, o->event[to]) == stamp; to++)
            continue;
        tighten_stamp(t, o->event + from, to - from);
    }
}

struct part ties_tighten(const struct part *p)
{
    uint32_t count = p->order.count;
    struct part tight = *p;
    uint32_t *ops = NEW_ARRAY(uint32_t, count);
    for (uint32_t i = 0; i < count; i++)
        ops[i] = part_history_index(p, i);
    tight.ops = ops;
    tight.order = (struct order){.count = count,
                                 .call = NEW_ARRAY(uint32_t, count),
                                 .ret = NEW_ARRAY(uint32_t, count),
                                 .event = NEW_ARRAY(uint32_t, p->order.event_count)};
    memset(tight.order.ret, 0xff, sizeof(uint32_t) * count);
    uint32_t *successor = find_successors(&p->order);
    struct tightening t = {.p = p,
                           .out = &tight.order,
                           .successor = successor,
                           .called = NEW_ZEROED(uint8_t, count),
                           .returned = NEW_ZEROED(uint8_t, count)};
    tighten_all(&t);
    free(successor);
    free(t.called);
    free(t.returned);
    return tight;
}
