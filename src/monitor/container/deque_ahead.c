/* SPDX-License-Identifier: Apache-2.0 */
#include "monitor/container/deque_ahead.h"

#include "base/check.h"
#include "base/hash.h"

#include <string.h>

enum { LOOKS_AT = 8 }; /* values beside the new one; what is refused later is refused as well */

enum leaves { LEAVES_NEVER, LEAVES_FRONT, LEAVES_BACK };

struct departure {
    enum leaves end;
    uint32_t call, ret; /* of the removal */
};

struct deque_ahead {
    struct plumb_spec spec;
    const struct plumb_spec *inner;
    struct departure *departures; /* of each value */
    struct hash_map numbers;      /* of values */
    /* Some value does, and leaves twice: a call does not say which of them it is about */
    bool comes_again;
};

/* Numbers of values, the front first. */
struct ahead_state {
    const struct deque_ahead *ahead;
    uint32_t *items;
    uint32_t head, count, mask; /* a ring; the capacity is a power of two */
};

/* ------------------------------------------------------------------ what can stand beside what */

/* Nothing says that `second` is gone when `first` is taken. */
static bool may_leave_before(const struct departure *first, const struct departure *second)
{
    return first->end != LEAVES_NEVER && (second->end == LEAVES_NEVER || first->call < second->ret);
}

/* With `left` nearer to the front than `right`, both inside. */
static bool can_stand(const struct departure *left, const struct departure *right)
{
    bool right_first = left->end == LEAVES_BACK, left_first = right->end == LEAVES_FRONT;
    if (right_first && left_first)
        return false;
    return (!right_first || may_leave_before(right, left)) && (!left_first || may_leave_before(left, right));
}

static uint32_t item_at(const struct ahead_state *s, uint32_t i)
{
    return s->items[(s->head + i) & s->mask];
}

static bool can_add(const struct ahead_state *s, uint32_t value, bool front)
{
    const struct departure *all = s->ahead->departures, *added = &all[value];
    for (uint32_t k = 0; k < s->count && k < LOOKS_AT; k++) {
        const struct departure *other = &all[item_at(s, front ? k : s->count - 1 - k)];
        if (front ? !can_stand(added, other) : !can_stand(other, added))
            return false;
    }
    return true;
}

/* ------------------------------------------------------------------ the state */

static void *ahead_init(const struct plumb_spec *spec, const struct plumb_spec_options *options)
{
    struct ahead_state *s = NEW(struct ahead_state);
    (void)options;
    s->ahead = (const struct deque_ahead *)spec;
    return s;
}

static void ahead_destroy(void *state)
{
    struct ahead_state *s = state;
    free(s->items);
    free(s);
}

/* The same values in a ring of `capacity`. */
static uint32_t *copy_items(const struct ahead_state *s, uint32_t capacity)
{
    uint32_t *items = NEW_ARRAY(uint32_t, capacity);
    for (uint32_t i = 0; i < s->count; i++)
        items[i] = item_at(s, i);
    return items;
}

static void *ahead_clone(const void *state)
{
    const struct ahead_state *s = state;
    struct ahead_state *copy = NEW(struct ahead_state);
    *copy = *s;
    copy->head = 0;
    copy->items = s->items ? copy_items(s, s->mask + 1) : NULL;
    return copy;
}

static uint64_t ahead_hash(const void *state)
{
    const struct ahead_state *s = state;
    uint64_t h = s->count;
    for (uint32_t i = 0; i < s->count; i++)
        h = hash_combine(h, item_at(s, i));
    return h;
}

static bool ahead_equal(const void *a, const void *b)
{
    const struct ahead_state *x = a, *y = b;
    bool equal = x->count == y->count;
    for (uint32_t i = 0; equal && i < x->count; i++)
        equal = item_at(x, i) == item_at(y, i);
    return equal;
}

static size_t ahead_footprint(const void *state)
{
    const struct ahead_state *s = state;
    return sizeof *s + (s->items ? (s->mask + 1) * sizeof *s->items : 0);
}

static void add(struct ahead_state *s, uint32_t value, bool front)
{
    uint32_t capacity = s->items ? s->mask + 1 : 0;
    if (s->count == capacity) {
        capacity = capacity ? 2 * capacity : 8;
        uint32_t *items = copy_items(s, capacity);
        free(s->items);
        s->items = items;
        s->head = 0;
        s->mask = capacity - 1;
    }
    s->head = front ? (s->head - 1) & s->mask : s->head;
    s->items[(s->head + (front ? 0 : s->count)) & s->mask] = value;
    s->count++;
}

static bool take(struct ahead_state *s, uint32_t value, bool front)
{
    if (!s->count || item_at(s, front ? 0 : s->count - 1) != value)
        return false;
    s->head += front;
    s->count--;
    return true;
}

static bool take_any(struct ahead_state *s, bool front, plumb_value *result)
{
    if (result)
        *result = PLUMB_ANY;
    return s->count && take(s, item_at(s, front ? 0 : s->count - 1), front);
}

static bool ahead_step(void *state, const struct plumb_call *call, unsigned choice, plumb_value *result)
{
    struct ahead_state *s = state;
    const struct plumb_spec *inner = s->ahead->inner;
    bool adds = inner->operations[call->op].role == PLUMB_ADDS, front = inner->at_front >> call->op & 1;
    plumb_value element = adds ? call->arg : call->result;
    if (element == PLUMB_ANY) /* pending: which one it takes is not in the call */
        return !choice && take_any(s, front, result);
    uint32_t value = hash_map_get(&s->ahead->numbers, element);
    CHECK(value != HASH_NO_NUMBER);
    if (choice || (adds ? !can_add(s, value, front) : !take(s, value, front)))
        return false;
    if (adds)
        add(s, value, front);
    if (result)
        *result = adds ? PLUMB_OK : element;
    return true;
}

/* A removal that is pending and was given a value has to take it: others rely on it. */
static bool ahead_accept(const void *state)
{
    const struct ahead_state *s = state;
    bool stays = true;
    for (uint32_t i = 0; stays && i < s->count; i++)
        stays = s->ahead->departures[item_at(s, i)].end == LEAVES_NEVER;
    return stays;
}

/* ------------------------------------------------------------------ of a container */

static struct departure departure_of(const struct container *c, const struct container_value *v)
{
    if (v->rem == NO_OP)
        return (struct departure){LEAVES_NEVER, 0, 0};
    bool front = c->part->spec->at_front >> part_op(c->part, v->rem)->op & 1;
    return (struct departure){front ? LEAVES_FRONT : LEAVES_BACK, c->part->order.call[v->rem],
                              c->part->order.ret[v->rem]};
}

struct deque_ahead *deque_ahead_make(const struct container *c)
{
    const struct plumb_spec *inner = c->part->spec;
    struct deque_ahead *a = NEW(struct deque_ahead);
    a->inner = inner;
    a->spec = (struct plumb_spec){.name = inner->name,
                                  .operations = inner->operations,
                                  .operation_count = inner->operation_count,
                                  .init_of = ahead_init,
                                  .destroy = ahead_destroy,
                                  .clone = ahead_clone,
                                  .hash = ahead_hash,
                                  .equal = ahead_equal,
                                  .step = ahead_step,
                                  .accept = ahead_accept,
                                  .footprint = ahead_footprint,
                                  .deterministic = true};
    a->departures = NEW_ARRAY(struct departure, c->value_count);
    hash_map_reserve(&a->numbers, c->value_count);
    for (uint32_t v = 0; v < c->value_count; v++) {
        uint32_t *number = hash_map_at(&a->numbers, container_added_value(c->part, c->values[v].add));
        a->comes_again |= *number != HASH_NO_NUMBER;
        *number = v;
        a->departures[v] = departure_of(c, &c->values[v]);
    }
    return a;
}

void deque_ahead_free(struct deque_ahead *a)
{
    hash_map_free(&a->numbers);
    free(a->departures);
    free(a);
}

const struct plumb_spec *deque_ahead_spec(const struct deque_ahead *a)
{
    return a->comes_again ? a->inner : &a->spec;
}
