/* SPDX-License-Identifier: Apache-2.0 */
#include "monitor/container/container.h"

#include "base/hash.h"
#include "monitor/decider_tools.h"

#include <string.h>

plumb_value container_added_value(const struct part *p, uint32_t i)
{
    const struct history_op *op = part_op(p, i);
    if (p->spec->operations[op->op].args[0] != 'p' || !plumb_is_array(op->arg))
        return op->arg;
    return plumb_array_item(p->history->values, op->arg, 1); /* [priority, value] */
}

/* ------------------------------------------------------------------ building */

struct builder {
    struct container *c;
    struct hash_map numbers; /* value -> index of its present life */
    VEC(struct container_value) values;
    VEC(uint32_t) until; /* of each value: the last return of its operations so far */
    struct decision *d;
};

/* A value that was added and removed before an operation was called can be added by it once more: whatever is called
 * later is about the new one. */
static bool is_over(const struct builder *b, uint32_t v, uint32_t i)
{
    const struct container_value *value = &b->values.data[v];
    return value->add != NO_OP && value->rem != NO_OP && b->until.data[v] < b->c->part->order.call[i];
}

/* The number of `value`, which operation `i` is about. */
static uint32_t number_value(struct builder *b, plumb_value value, uint32_t i, bool is_add)
{
    uint32_t *number = hash_map_at(&b->numbers, value), ret = b->c->part->order.ret[i];
    if (*number == HASH_NO_NUMBER || (is_add && is_over(b, *number, i))) {
        *number = (uint32_t)b->values.len;
        struct container_value fresh = {
            .add = NO_OP, .rem = NO_OP, .ar = UINT32_MAX, .seen = UINT32_MAX, .first_peek = NO_OP};
        vec_push(&b->values, fresh);
        vec_push(&b->until, 0);
    }
    if (ret > b->until.data[*number])
        b->until.data[*number] = ret;
    return *number;
}

static enum verdict place_add(struct builder *b, uint32_t i)
{
    uint32_t v = number_value(b, container_added_value(b->c->part, i), i, true);
    if (b->values.data[v].add != NO_OP)
        return decision_not_mine(b->d, "a value is added twice");
    b->values.data[v].add = i;
    b->c->value_of[i] = v;
    return VERDICT_HOLDS;
}

static enum verdict place_removal(struct builder *b, uint32_t i, const struct history_op *op)
{
    if (op->pending) {
        vec_push(&b->c->pending_removals, i);
        return VERDICT_HOLDS;
    }
    if (op->result == PLUMB_ANY)
        return decision_not_mine(b->d, "the result of a removal is unknown");
    if (op->result == PLUMB_NONE) {
        vec_push(&b->c->empties, i);
        return VERDICT_HOLDS;
    }
    uint32_t v = number_value(b, op->result, i, false);
    b->c->value_of[i] = v;
    uint32_t earlier = b->values.data[v].rem;
    if (earlier != NO_OP) { /* reported only if the value turns out to be added once */
        vec_push(&b->d->core, earlier);
        vec_push(&b->d->core, i);
        return VERDICT_HOLDS;
    }
    b->values.data[v].rem = i;
    return VERDICT_HOLDS;
}

static void place_peek(struct builder *b, uint32_t i, const struct history_op *op)
{
    struct container *c = b->c;
    if (op->pending)
        return;
    if (op->result == PLUMB_ANY) {
        vec_push(&c->free_reads, i);
        return;
    }
    if (op->result == PLUMB_NONE) {
        vec_push(&c->empties, i);
        return;
    }
    uint32_t v = number_value(b, op->result, i, false);
    c->value_of[i] = v;
    if (!c->next_peek)
        c->next_peek = NEW_ARRAY(uint32_t, c->part->order.count);
    c->next_peek[i] = b->values.data[v].first_peek;
    b->values.data[v].first_peek = i;
}

static enum verdict place_operation(struct builder *b, uint32_t i)
{
    const struct history_op *op = part_op(b->c->part, i);
    switch (b->c->part->spec->operations[op->op].role) {
    case PLUMB_ADDS: return place_add(b, i);
    case PLUMB_REMOVES: return place_removal(b, i, op);
    default: place_peek(b, i, op); return VERDICT_HOLDS;
    }
}

/* A value that nothing but a pending addition mentions did not need to happen. */
static bool is_unseen_pending(const struct container *c, const struct container_value *v)
{
    return v->rem == NO_OP && v->first_peek == NO_OP && c->part->order.ret[v->add] == ORDER_NEVER;
}

static enum verdict check_added(struct container *c, uint32_t v, struct decision *d)
{
    const struct container_value *value = &c->values[v];
    if (value->add != NO_OP)
        return VERDICT_HOLDS;
    vec_clear(&d->core);
    vec_push(&d->core, value->rem != NO_OP ? value->rem : value->first_peek);
    return d->verdict = VERDICT_VIOLATED;
}

/* Two operations on one value that no order can put right. */
static enum verdict conflict(struct container *c, uint32_t v, uint32_t other, struct decision *d)
{
    vec_clear(&d->core);
    vec_push(&d->core, c->values[v].add);
    vec_push(&d->core, other);
    return d->verdict = VERDICT_VIOLATED;
}

static enum verdict check_value_times(struct container *c, uint32_t v, struct decision *d)
{
    const uint32_t *call = c->part->order.call, *ret = c->part->order.ret;
    const struct container_value *value = &c->values[v];
    if (value->rem != NO_OP && ret[value->rem] < call[value->add])
        return conflict(c, v, value->rem, d);
    for (uint32_t x = value->first_peek; x != NO_OP; x = c->next_peek[x]) {
        if (ret[x] < call[value->add])
            return conflict(c, v, x, d);
        if (value->rem != NO_OP && ret[value->rem] < call[x]) {
            conflict(c, v, value->rem, d);
            vec_push(&d->core, x);
            return VERDICT_VIOLATED;
        }
    }
    return VERDICT_HOLDS;
}

static inline uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}
static inline uint32_t greatest(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

void container_assign(struct container *c, uint32_t v, uint32_t rem)
{
    const uint32_t *call = c->part->order.call, *ret = c->part->order.ret;
    struct container_value *value = &c->values[v];
    uint32_t never = c->events + 1;
    value->rem = rem;
    value->ac = call[value->add];
    value->ar = least(ret[value->add], rem == NO_OP ? ORDER_NEVER : ret[rem]);
    value->dc = greatest(value->ac, rem == NO_OP ? c->events : call[rem]);
    value->dr = rem == NO_OP || ret[rem] == ORDER_NEVER ? never : ret[rem];
    value->seen = UINT32_MAX;
    for (uint32_t x = value->first_peek; x != NO_OP; x = c->next_peek[x]) {
        value->seen = least(value->seen, ret[x]);
        value->dc = greatest(value->dc, call[x]);
    }
    value->ar = least(value->ar, value->seen);
}

static void drop_unseen_values(struct container *c)
{
    uint32_t kept = 0;
    for (uint32_t v = 0; v < c->value_count; v++) {
        struct container_value value = c->values[v];
        if (is_unseen_pending(c, &value)) {
            c->value_of[value.add] = NO_VALUE;
            continue;
        }
        if (kept != v) {
            c->value_of[value.add] = kept;
            if (value.rem != NO_OP)
                c->value_of[value.rem] = kept;
            for (uint32_t x = value.first_peek; x != NO_OP; x = c->next_peek[x])
                c->value_of[x] = kept;
        }
        c->values[kept++] = value;
    }
    c->value_count = kept;
}

static enum verdict check_values(struct container *c, struct decision *d)
{
    for (uint32_t v = 0; v < c->value_count; v++)
        if (check_added(c, v, d) == VERDICT_VIOLATED)
            return VERDICT_VIOLATED;
    if (d->core.len) { /* a value removed twice: keep the first such pair */
        d->core.len = 2;
        vec_push(&d->core, c->values[c->value_of[d->core.data[0]]].add);
        return d->verdict = VERDICT_VIOLATED;
    }
    drop_unseen_values(c);
    for (uint32_t v = 0; v < c->value_count; v++) {
        if (check_value_times(c, v, d) == VERDICT_VIOLATED)
            return VERDICT_VIOLATED;
        container_assign(c, v, c->values[v].rem);
    }
    return VERDICT_HOLDS;
}

enum verdict container_build(struct container *c, const struct part *p, struct decision *d)
{
    uint32_t count = p->order.count;
    *c = (struct container){.part = p, .events = p->order.event_count};
    c->value_of = NEW_ARRAY(uint32_t, count);
    memset(c->value_of, 0xff, sizeof(uint32_t) * count);
    struct builder b = {.c = c, .d = d};
    enum verdict verdict = VERDICT_HOLDS;
    for (uint32_t g = 0; g < c->events && verdict == VERDICT_HOLDS; g++) /* by call */
        if (!order_event_returns(p->order.event[g]))
            verdict = place_operation(&b, order_event_op(p->order.event[g]));
    hash_map_free(&b.numbers);
    vec_free(&b.until);
    c->values = b.values.data;
    c->value_count = (uint32_t)b.values.len;
    if (verdict == VERDICT_HOLDS)
        verdict = check_values(c, d);
    return verdict;
}

void container_free(struct container *c)
{
    free(c->values);
    free(c->value_of);
    free(c->next_peek);
    vec_free(&c->empties);
    vec_free(&c->free_reads);
    vec_free(&c->pending_removals);
}

void container_add_to_core(const struct container *c, uint32_t v, struct decision *d)
{
    const struct container_value *value = &c->values[v];
    vec_push(&d->core, value->add);
    if (value->rem != NO_OP)
        vec_push(&d->core, value->rem);
    for (uint32_t x = value->first_peek; x != NO_OP; x = c->next_peek[x])
        vec_push(&d->core, x);
}

/* ------------------------------------------------------------------ empty answers */

/* A least number of inner intervals that together cover all gaps of [from, to): always the one that
 * reaches furthest among those that have begun. */
static void cover_with_fewest(const struct container *c, uint32_t from, uint32_t to, struct decision *d)
{
    uint32_t best = NO_VALUE, reached = from;
    for (uint32_t g = 0; g < to; g++) {
        uint32_t v = c->value_of[order_event_op(c->part->order.event[g])];
        if (v != NO_VALUE && c->values[v].ar == g &&
            (best == NO_VALUE || c->values[v].dc > c->values[best].dc))
            best = v;
        if (g == reached) {
            container_add_to_core(c, best, d);
            reached = c->values[best].dc;
        }
    }
}

/* How the number of inner intervals changes at an event. */
static int cover_change(const struct container *c, uint32_t position)
{
    uint32_t op = order_event_op(c->part->order.event[position]);
    uint32_t v = c->value_of[op];
    if (v == NO_VALUE || c->values[v].ar >= c->values[v].dc)
        return 0;
    return (c->values[v].ar == position) - (c->values[v].dc == position);
}

/* Between a call and a return: the only gaps that matter (gaps.h). */
static bool is_boundary(const struct order *o, uint32_t g)
{
    return !order_event_returns(o->event[g]) &&
           (g + 1 == o->event_count || order_event_returns(o->event[g + 1]));
}

bool container_pick_empties(const struct container *c, uint32_t *picks, struct decision *d)
{
    if (!c->empties.len)
        return true;
    const struct order *o = &c->part->order;
    /* last gap without cover, at each return of an empty answer */
    struct hash_map slots = {0};
    for (uint32_t k = 0; k < c->empties.len; k++)
        *hash_map_at(&slots, c->empties.data[k]) = k;
    uint32_t last_zero = NO_GAP, bad = NO_OP;
    int64_t cover = 0;
    for (uint32_t g = 0; g < c->events && bad == NO_OP; g++) {
        uint32_t op = order_event_op(o->event[g]);
        if (order_event_returns(o->event[g]) && c->value_of[op] == NO_VALUE) {
            uint32_t k = hash_map_get(&slots, op);
            if (k != HASH_NO_NUMBER) {
                if (last_zero == NO_GAP || last_zero < o->call[op])
                    bad = op;
                else
                    picks[k] = last_zero;
            }
        }
        cover += cover_change(c, g);
        if (cover == 0 && is_boundary(o, g))
            last_zero = g;
    }
    hash_map_free(&slots);
    if (bad == NO_OP)
        return true;
    vec_push(&d->core, bad);
    cover_with_fewest(c, o->call[bad], o->ret[bad], d);
    return false;
}

/* ------------------------------------------------------------------ witnesses */

/* A read that fits anywhere goes right behind the last operation that precedes it. */
void container_insert_free_reads(const struct container *c, struct decision *d)
{
    OWNED VEC(struct extra) extras = {0};
    for (size_t k = 0; k < c->free_reads.len; k++)
        vec_push(&extras, ((struct extra){c->free_reads.data[k], TOOLS_NONE}));
    witness_insert(c->part, d, extras.data, extras.len, NULL);
}

/* The one value that all operations are about; PLUMB_OK: there are several, or something else. */
static plumb_value only_value(const struct part *p)
{
    plumb_value only = PLUMB_OK;
    for (uint32_t i = 0; i < p->order.count; i++) {
        const struct history_op *op = part_op(p, i);
        enum plumb_role role = p->spec->operations[op->op].role;
        if (role == PLUMB_LOOKS || (role == PLUMB_REMOVES && p->order.ret[i] == ORDER_NEVER))
            return PLUMB_OK;
        plumb_value value = role == PLUMB_ADDS ? container_added_value(p, i) : op->result;
        if (value == PLUMB_ANY || value == PLUMB_NONE || (i && value != only))
            return PLUMB_OK;
        only = value;
    }
    return only;
}

bool shortage_find(const struct part *p, struct shortage *out)
{
    const struct order *o = &p->order;
    if (!o->count || o->after || only_value(p) == PLUMB_OK)
        return false;
    for (uint32_t e = 0; e < o->event_count && out->removed <= out->added; e++) {
        uint32_t i = order_event_op(o->event[e]);
        bool adds = part_role(p, i) == PLUMB_ADDS;
        if (order_event_returns(o->event[e]) == adds)
            continue;
        *(adds ? &out->added : &out->removed) += 1;
        out->removal = i;
    }
    return out->removed > out->added;
}
