/* SPDX-License-Identifier: Apache-2.0 */
#include "spec/builtin/builtin.h"

#include "base/hash.h"
#include "base/memory.h"

#include <string.h>

/* An odd base has an inverse, so that both ends can be taken off again. */
#define RING_BASE UINT64_C(0x9e3779b97f4a7c15)
#define RING_INVERSE UINT64_C(0xf1de83e19937733d)
_Static_assert(RING_BASE *RING_INVERSE == 1, "RING_INVERSE is not the inverse");

#define RING_SMALLEST 4

static struct ring *ring_create(struct plumb_values *values, size_t capacity)
{
    struct ring *r = base_alloc(sizeof *r + capacity * sizeof *r->inside);
    *r = (struct ring){.values = values, .items = r->inside, .mask = (uint32_t)(capacity - 1), .power = 1};
    return r;
}

void *ring_init(const struct plumb_spec_options *options)
{
    return ring_create(options->values, RING_SMALLEST);
}

void ring_destroy(void *state)
{
    struct ring *r = state;
    if (r->items != r->inside)
        free(r->items);
    free(r);
}

static void ring_copy_items(plumb_value *to, const struct ring *r)
{
    size_t capacity = (size_t)r->mask + 1;
    size_t first = r->count < capacity - r->head ? r->count : capacity - r->head;
    memcpy(to, r->items + r->head, first * sizeof *to);
    memcpy(to + first, r->items, (r->count - first) * sizeof *to);
}

void *ring_clone(const void *state)
{
    const struct ring *r = state;
    size_t capacity = RING_SMALLEST;
    while (capacity < r->count)
        capacity *= 2;
    struct ring *copy = ring_create(r->values, capacity);
    ring_copy_items(copy->items, r);
    copy->count = r->count;
    copy->sum = r->sum;
    copy->power = r->power;
    copy->limit = r->limit;
    return copy;
}

uint64_t ring_hash(const void *state)
{
    const struct ring *r = state;
    return hash_combine(hash_word(r->sum), r->count);
}

bool ring_equal(const void *a, const void *b)
{
    const struct ring *x = a, *y = b;
    if (x->count != y->count || x->sum != y->sum)
        return false;
    for (uint32_t i = 0; i < x->count; i++)
        if (ring_at(x, i) != ring_at(y, i))
            return false;
    return true;
}

static void ring_grow(struct ring *r)
{
    size_t capacity = (size_t)r->mask + 1;
    plumb_value *items = NEW_ARRAY(plumb_value, 2 * capacity);
    ring_copy_items(items, r);
    if (r->items != r->inside)
        free(r->items);
    r->items = items;
    r->head = 0;
    r->mask = (uint32_t)(2 * capacity - 1);
}

void ring_push(struct ring *r, enum ring_end end, plumb_value v)
{
    if (r->count > r->mask)
        ring_grow(r);
    uint64_t digit = hash_word(v);
    if (end == RING_BACK) {
        r->items[(r->head + r->count) & r->mask] = v;
        r->sum = r->sum * RING_BASE + digit;
    } else {
        r->head = (r->head - 1) & r->mask;
        r->items[r->head] = v;
        r->sum += digit * r->power;
    }
    r->count++;
    r->power *= RING_BASE;
}

void ring_pop(struct ring *r, enum ring_end end)
{
    r->count--;
    r->power *= RING_INVERSE;
    if (end == RING_BACK) {
        r->sum = (r->sum - hash_word(ring_at(r, r->count))) * RING_INVERSE;
    } else {
        r->sum -= hash_word(ring_at(r, 0)) * r->power;
        r->head = (r->head + 1) & r->mask;
    }
}

void ring_clear(struct ring *r)
{
    r->head = r->count = 0;
    r->sum = 0;
    r->power = 1;
}

size_t ring_footprint(const void *state)
{
    const struct ring *r = state;
    return sizeof *r + ((size_t)r->mask + 1) * sizeof *r->items;
}
