/* SPDX-License-Identifier: Apache-2.0 */
/* What threads do for each call and return: no system call, no memory that another thread writes. */
#include "record/recorder/record_session.h"

#include <errno.h>
#include <string.h>
#include <time.h>

static inline bool is_current(const struct ring *ring)
{
    return ring && ring->session == atomic_load_explicit(&session.number, memory_order_relaxed);
}

/* ---- names ---- */

static bool is_same(const char *text, const char *known)
{
    while (*text && *text == *known)
        text++, known++;
    return *text == *known;
}

static uint16_t find_name(struct ring_name names[RING_NAMES], const char *text)
{
    uintptr_t bits = (uintptr_t)text;
    struct ring_name *name = &names[(bits ^ bits >> 5 ^ bits >> 10) % RING_NAMES];
    if (name->pointer == text && is_same(text, name->text))
        return name->number;
    uint16_t number = session_name(text);
    size_t length = strlen(text);
    if (number && length < RING_NAME_BYTES) {
        name->pointer = text;
        name->number = number;
        memcpy(name->text, text, length + 1);
    }
    return number;
}

/* ---- halves ---- */

/* The flusher sees that a stamp is being taken before it is: by a fence, or because the flusher makes this thread pass one. */
static inline void begin_half(struct ring *ring)
{
    atomic_store_explicit(&ring->sequence, ring->halves << 1 | 1, memory_order_relaxed);
    atomic_signal_fence(memory_order_seq_cst);
    if (ring->fences)
        atomic_thread_fence(memory_order_seq_cst);
}

static inline void publish(struct ring *ring, uint64_t stamp, uint64_t halves)
{
    ring->halves = halves;
    atomic_store_explicit(&ring->last, stamp, memory_order_relaxed);
    atomic_store_explicit(&ring->sequence, halves << 1, memory_order_release);
}

static inline uint64_t raise(uint64_t stamp, const struct ring *ring)
{
    uint64_t last = atomic_load_explicit(&ring->last, memory_order_relaxed);
    return stamp < last ? last : stamp;
}

/* A long operation needs two slots. */
static bool has_room(struct ring *ring)
{
    if (ring->halves / 2 + 2 <= ring->end)
        return true;
    ring->end = atomic_load_explicit(&ring->slots_taken, memory_order_acquire) + RING_SLOTS;
    return ring->halves / 2 + 2 <= ring->end;
}

/* Between operations. False: the recording has ended meanwhile. */
static bool wait_for_room(struct ring *ring)
{
    struct timespec pause = {.tv_nsec = 50000};
    while (!has_room(ring)) {
        if (!is_current(ring))
            return false;
        session_kick();
        nanosleep(&pause, NULL);
    }
    return true;
}

static void abandon(struct ring *ring)
{
    ring_slot(ring, ring->halves / 2)->duration = RING_ABANDONED;
    publish(ring, atomic_load_explicit(&ring->last, memory_order_relaxed), ring->halves + 1);
}

/* ---- calls ---- */

/* The ring, with room for an operation; null: nothing is recorded. */
static inline struct ring *begin_call(void)
{
    struct ring *ring = session_own;
    if (__builtin_expect(!is_current(ring), 0)) {
        if (atomic_load_explicit(&session.number, memory_order_relaxed) == 0)
            return NULL;
        ring = session_own = session_join(ring);
        if (!ring)
            return NULL;
    }
    if (__builtin_expect(ring->halves % 2, 0))
        abandon(ring);
    return __builtin_expect(has_room(ring), 1) || wait_for_room(ring) ? ring : NULL;
}

static inline void call(struct ring *ring, const char *object, const char *operation, plumb_value argument)
{
    struct ring_slot *slot = ring_slot(ring, ring->halves / 2);
    slot->operation = find_name(ring->operations, operation);
    slot->object = object ? find_name(ring->objects, object) : 0;
    slot->argument = argument;
    if (__builtin_expect(!slot->operation || (object && !slot->object), 0))
        return;
    begin_half(ring);
    uint64_t stamp = raise(stamp_call(ring->stamps), ring);
    slot->call = stamp;
    publish(ring, stamp, ring->halves + 1);
}

/* Results may be unknown; arguments are known or not there. */
static inline struct plumb_item argument_of(struct plumb_item item)
{
    return item.kind == PLUMB_ITEM_SPECIAL && item.is.integer == 4 ? plumb_ok() : item;
}

static inline bool is_there(struct plumb_item item)
{
    return (item.kind & 7) != PLUMB_ITEM_TEXT || item.is.text || item.kind >> 3 == 0;
}

static inline bool are_there(const struct plumb_item *items, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!items || !is_there(items[i]))
            return false;
    return true;
}

void plumb_record_call(const char *object, const char *operation, struct plumb_item argument)
{
    struct ring *ring = begin_call();
    if (!ring)
        return;
    if (!operation || !is_there(argument)) {
        session_fail(EINVAL);
        return;
    }
    plumb_value word = record_ring_value(ring, argument_of(argument));
    if (word == RING_NO_MEMORY)
        session_fail(ENOMEM);
    else
        call(ring, object, operation, word);
}

void plumb_record_call_array(const char *object, const char *operation, const struct plumb_item *arguments,
                             size_t count)
{
    struct ring *ring = begin_call();
    if (!ring)
        return;
    if (!operation || !are_there(arguments, count)) {
        session_fail(EINVAL);
        return;
    }
    plumb_value word = record_ring_array(ring, arguments, count);
    if (word == RING_NO_MEMORY)
        session_fail(ENOMEM);
    else
        call(ring, object, operation, word);
}

/* ---- returns ---- */

/* The stamp comes first: what follows is no part of the operation. 0: nothing is open. */
static inline uint64_t begin_return(struct ring *ring)
{
    if (!is_current(ring) || ring->halves % 2 == 0)
        return 0;
    begin_half(ring);
    return raise(stamp_return(ring->stamps), ring);
}

static inline void finish_return(struct ring *ring, uint64_t stamp, plumb_value result)
{
    struct ring_slot *slot = ring_slot(ring, ring->halves / 2);
    uint64_t duration = stamp - slot->call;
    slot->result = result == RING_NO_MEMORY ? PLUMB_ANY : result;
    if (__builtin_expect(duration < RING_ABANDONED, 1)) {
        slot->duration = (uint32_t)duration;
        publish(ring, stamp, ring->halves + 1);
        return;
    }
    slot->duration = RING_LONG;
    ring_slot(ring, ring->halves / 2 + 1)->call = stamp;
    publish(ring, stamp, ring->halves + 3);
}

void plumb_record_return(struct plumb_item result)
{
    struct ring *ring = session_own;
    uint64_t stamp = begin_return(ring);
    if (stamp && !is_there(result))
        session_fail(EINVAL);
    else if (stamp)
        finish_return(ring, stamp, record_ring_value(ring, result));
}

void plumb_record_return_array(const struct plumb_item *results, size_t count)
{
    struct ring *ring = session_own;
    uint64_t stamp = begin_return(ring);
    if (stamp && !are_there(results, count))
        session_fail(EINVAL);
    else if (stamp)
        finish_return(ring, stamp, record_ring_array(ring, results, count));
}
