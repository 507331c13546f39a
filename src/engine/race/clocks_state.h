/* SPDX-License-Identifier: Apache-2.0 */
/* The state behind clocks.h, for the files it is written in and for clocks_quick.h. */
#ifndef ENGINE_CLOCKS_STATE_H
#define ENGINE_CLOCKS_STATE_H

#include "base/check.h"
#include "engine/race/clocks_compact.h"

struct thread_clocks {
    union vector hb;      /* what happens before the thread's next event */
    union vector pending; /* messages of relaxed reads, for the next acquire fence */
    union vector fenced;  /* hb at the last release fence; what relaxed writes publish */
};

struct clocks {
    struct thread_clocks threads[CLOCKS_THREADS_MAX];
    uint64_t started; /* threads of this execution, one bit each */
    uint32_t width;   /* lanes in use: a multiple of LANES above every thread's number */
    struct shadow shadow;
    VEC(union vector) vectors; /* of messages and objects */
    VEC(uint64_t) spare;       /* numbers of vectors that are no longer used */
    bool goes_on;              /* an access that races is recorded like all others */
    VEC(struct race) races;    /* of the last access, then */
};

enum {
    CLOCKS_READS = SHADOW_PLAIN_READ | SHADOW_ATOMIC_READ,
    CLOCKS_WRITES = SHADOW_PLAIN_WRITE | SHADOW_ATOMIC_WRITE,
};

/* An unused vector; its number. */
static inline uint64_t vector_take(struct clocks *c)
{
    if (c->spare.len)
        return vec_pop(&c->spare);
    vec_reserve(&c->vectors, c->vectors.len + 1);
    return c->vectors.len++;
}

static inline struct thread_clocks *thread_get(struct clocks *c, uint32_t thread)
{
    CHECK(thread < CLOCKS_THREADS_MAX && c->started >> thread & 1);
    return &c->threads[thread];
}

/* What comes later is not part of what was just published. */
static inline void thread_advance(struct thread_clocks *t, uint32_t thread)
{
    /* Not lane[thread]++: the group is loaded as a whole soon, which has to wait for narrower stores. */
    CHECK(t->hb.lane[thread] < INT32_MAX);
    t->hb.group[thread / LANES] -= lanes_only(thread % LANES);
}

static inline bool order_acquires(unsigned order)
{
    return order == ORDER_CONSUME || order == ORDER_ACQUIRE || order == ORDER_ACQ_REL ||
           order == ORDER_SEQ_CST;
}

static inline bool order_releases(unsigned order)
{
    return order == ORDER_RELEASE || order == ORDER_ACQ_REL || order == ORDER_SEQ_CST;
}

/* Bytes of memory, both ends included. */
struct span {
    uint64_t first, last;
};

static inline struct span span_of(uint64_t address, size_t size)
{
    uint64_t last = address + (size - 1);
    return (struct span){address, last < address ? UINT64_MAX : last};
}

static inline uint64_t span_first_granule(struct span s)
{
    return s.first >> SHADOW_GRANULE_LOG;
}

static inline uint64_t span_last_granule(struct span s)
{
    return s.last >> SHADOW_GRANULE_LOG;
}

static inline uint8_t span_bytes(struct span s, uint64_t granule)
{
    unsigned low = granule == span_first_granule(s) ? s.first & 7 : 0;
    unsigned high = granule == span_last_granule(s) ? s.last & 7 : 7;
    return (uint8_t)(0xffu << low & 0xffu >> (7 - high));
}

/* Takes bytes away from the record at `i`. Returns whether it is gone, with another one in its place. */
static inline bool record_cut(struct clocks *c, struct shadow_cell *cell, struct shadow_record *records,
                              uint32_t i, uint8_t bytes)
{
    uint64_t tag = shadow_without_bytes(records[i].tag, bytes);
    if (shadow_bytes(tag)) {
        records[i].tag = tag;
        return false;
    }
    if (shadow_kind(tag) & (SHADOW_MESSAGE | SHADOW_OBJECT))
        vec_push(&c->spare, records[i].vector);
    if (i != --cell->count)
        records[i] = records[cell->count];
    return true;
}

/* Makes room for a thread's lane. */
void clocks_widen(struct clocks *c, uint32_t thread);

/* Makes a list of a compact cell. */
void clocks_spread_cell(struct clocks *c, struct shadow_cell *cell);

#endif
