/* SPDX-License-Identifier: Apache-2.0 */
/* State of queue, stack and deque: a growable ring of values with a hash that
 * follows every change at either end in constant time.
 *
 * A state is one allocation (header and items) until it outgrows that; then
 * the items move to a block of their own. */
#ifndef SPEC_RING_H
#define SPEC_RING_H

#include <plumb/spec.h>

struct ring {
    struct plumb_values *values;
    plumb_value *items; /* `inside`, or a block of its own */
    uint32_t head, count;
    uint32_t mask;  /* capacity - 1; the capacity is a power of two */
    uint64_t sum;   /* items as the digits of a number in base RING_BASE, modulo 2^64 */
    uint64_t power; /* RING_BASE ^ count */
    plumb_value inside[];
};

enum ring_end { RING_FRONT, RING_BACK };

void *ring_init(const struct plumb_spec_options *options);
void ring_destroy(void *state);
void *ring_clone(const void *state);
uint64_t ring_hash(const void *state);
bool ring_equal(const void *a, const void *b);
size_t ring_footprint(const void *state);

#define RING_STATE                                                                                           \
    .init = ring_init, .destroy = ring_destroy, .clone = ring_clone, .hash = ring_hash, .equal = ring_equal, \
    .footprint = ring_footprint

static inline plumb_value ring_at(const struct ring *r, uint32_t i)
{
    return r->items[(r->head + i) & r->mask];
}

void ring_push(struct ring *r, enum ring_end end, plumb_value v);
void ring_pop(struct ring *r, enum ring_end end); /* must not be empty */

#endif
