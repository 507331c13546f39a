/* SPDX-License-Identifier: Apache-2.0 */
/* The buffer of one thread: it appends calls and returns, the flusher takes them away (docs/internals/native/recording.md).
 *
 * An operation is a slot of 32 bytes, published in two halves: its call, and later its return. The thread never waits inside of an
 * operation, and nothing it writes is written by another thread. */
#ifndef RECORD_RING_H
#define RECORD_RING_H

#include "record/stamps.h"

#include <plumb/record.h>
#include <plumb/value.h>

enum {
    RING_SLOTS = 32768,
    RING_AREA = 256 * 1024, /* bytes for values that are larger than a word */
    RING_NAMES = 32,        /* of the last ones that it used */
    RING_NAME_BYTES = 54,
};

/* Values in slots are words of plumb/value.h as far as they fit: integers, specials and pairs. Of larger ones the word says where
 * they are: their length (8 bytes) and their bytes in the binary format. */
enum { RING_IN_AREA = 6, RING_IN_HEAP = 7 };
#define RING_NO_MEMORY (PLUMB_ANY + 8) /* is no value */

#define RING_LONG UINT32_MAX /* the stamp of the return is `call` of the next slot, which has no operation */
#define RING_ABANDONED (UINT32_MAX - 1) /* called again without having returned: it is pending forever */

struct ring_slot {
    uint64_t call;     /* stamp */
    uint32_t duration; /* until the return; or one of the two above */
    uint16_t operation, object;
    plumb_value argument, result;
};
_Static_assert(sizeof(struct ring_slot) == 32, "an operation is 32 bytes");

struct ring_name {
    const char *pointer; /* null: unused */
    uint16_t number;
    char text[RING_NAME_BYTES];
};

struct ring {
    /* Halves that are published, and in the lowest bit: it takes a stamp that is not published yet. */
    _Alignas(128) _Atomic uint64_t sequence;
    _Atomic uint64_t last; /* its last stamp: smaller ones do not follow */

    /* Of the thread. */
    _Alignas(128) uint64_t halves; /* published; odd: an operation is open */
    uint64_t end;                  /* slots below this number are free */
    uint64_t area_at;
    uint32_t session;
    enum stamps stamps;
    bool fences; /* a fence before stamps of calls is needed */
    struct ring_name objects[RING_NAMES], operations[RING_NAMES];

    /* Of the flusher, but for reading. */
    _Alignas(128) _Atomic uint64_t slots_taken;
    _Atomic uint64_t area_taken;

    /* Of the flusher. */
    _Alignas(128) uint64_t taken; /* halves */
    uint64_t available;           /* halves that it may take now */
    uint64_t next;                /* stamp of half `taken`, if that is below `available` */
    uint32_t number, identity;    /* of the thread: "3", or "3#2" after it has abandoned an operation */
    uint32_t named_in;            /* the block in which its name has the number `name` */
    uint32_t name;
    struct ring *following; /* in the list of the session; under its lock */
    bool has_ended;         /* the thread; under the lock */
    bool is_orphan;         /* the session has ended first: the thread frees it; under the lock */

    struct ring_slot slots[RING_SLOTS];
    char area[RING_AREA];
};

static inline struct ring_slot *ring_slot(struct ring *ring, uint64_t number)
{
    return &ring->slots[number % RING_SLOTS];
}

/* Mapped and touched. Null: there is no memory. */
struct ring *record_ring_create(void);
void record_ring_destroy(struct ring *ring);

/* ---- the thread ---- */

/* The word of a value; what does not fit a word is copied. */
plumb_value record_ring_value(struct ring *ring, struct plumb_item item);
plumb_value record_ring_array(struct ring *ring, const struct plumb_item *items, size_t count);

/* ---- the flusher ---- */

/* Bytes of a value that is not in its word. */
const char *record_ring_value_bytes(const struct ring *ring, plumb_value value, uint64_t *length);
/* It has been read: the thread may use the room again. */
void record_ring_value_done(struct ring *ring, plumb_value value);

/* What is published now becomes available. The smallest stamp that may still come: if a stamp is being taken that of
 * its last event, otherwise `now`, which was taken before, with a barrier for all threads in between. */
uint64_t record_ring_look(struct ring *ring, uint64_t now);
/* Goes on to the half behind; `next` is its stamp. */
void record_ring_advance(struct ring *ring);

#endif
