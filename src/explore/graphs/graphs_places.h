/* SPDX-License-Identifier: Apache-2.0 */
/* Sets of places, as bits: what the certificates of held threads depend on, and what is known to others. Two places may share a bit;
 * then there is one certificate less. */
#ifndef EXPLORE_GRAPHS_PLACES_H
#define EXPLORE_GRAPHS_PLACES_H

#include "base/hash.h"
#include "explore/graphs.h"
#include "graph/graph.h"

/* Instead of an address, what stands for plain memory, and for the orders that operations of a harness have: without a round there are fewer of them. */
#define PLACE_PLAIN_MEMORY UINT64_MAX
/* What is counted there plainly, by eight bytes; and any effect that is not seen. */
#define PLACE_PLAIN_AT(address) (~((address) / 8) ^ UINT64_C(1) << 62)
#define PLACE_EFFECTS (UINT64_MAX - 3)
#define PLACE_ORDER_OF_OPERATIONS (UINT64_MAX - 1)
/* And for the states of a thread, by which it is held. */
#define PLACE_STATES (UINT64_MAX - 2)

/* Instead of a thread: some thread makes use of what it finds there. These are many, and apart. */
enum { PLACES_READ = GRAPH_THREADS_MAX, PLACES_APART = GRAPHS_PLACES / 3 };

static inline uint32_t places_bit(uint32_t thread, uint64_t address)
{
    uint64_t h = hash_combine(address, thread + 1);
    uint32_t word = thread < PLACES_READ ? (h >> 6) % PLACES_APART
                                         : PLACES_APART + (h >> 6) % (GRAPHS_PLACES - PLACES_APART);
    return 64 * word + (h & 63);
}

static inline void places_note(uint64_t *places, uint32_t thread, uint64_t address)
{
    uint32_t bit = places_bit(thread, address);
    places[bit / 64] |= UINT64_C(1) << bit % 64;
}

static inline bool places_have(const uint64_t *places, uint32_t thread, uint64_t address)
{
    uint32_t bit = places_bit(thread, address);
    return places[bit / 64] >> bit % 64 & 1;
}

/* Uses, by four bytes: who reads some bytes of a location, or more than it, uses it. Objects have no size, but an address. */
enum { PLACES_TOGETHER = 4 };

static inline uint64_t places_end_of_use(uint64_t address, uint64_t size)
{
    return address + size + (size == 0);
}

static inline void places_note_uses(uint64_t *places, uint64_t address, uint64_t size)
{
    for (uint64_t at = address & -(uint64_t)PLACES_TOGETHER; at < places_end_of_use(address, size);
         at += PLACES_TOGETHER)
        places_note(places, PLACES_READ, at);
}

static inline bool places_have_uses(const uint64_t *places, uint64_t address, uint64_t size)
{
    for (uint64_t at = address & -(uint64_t)PLACES_TOGETHER; at < places_end_of_use(address, size);
         at += PLACES_TOGETHER)
        if (places_have(places, PLACES_READ, at))
            return true;
    return false;
}

#endif
