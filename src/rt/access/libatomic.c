/* SPDX-License-Identifier: Apache-2.0 */
/* What libatomic provides: atomic objects that no instruction covers, and 16 bytes when the compiler does
 * not emit them itself. The names are the compiler's own, so they are given as assembler names. */
#include "engine/memory/undefined_bits.h"
#include "rt/hook.h"

#include <pthread.h>
#include <string.h>

typedef unsigned __int128 u128;

enum { TRACE_SIZE_MAX = 255 };

/* Without an engine there are real threads: one lock for all. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* The value of an object as explorers of graphs know it. */
static event_word whole_word(const void *bytes, size_t size)
{
    event_word word = 0;
    real.memcpy(&word, bytes, size < sizeof word ? size : sizeof word);
    return word;
}

static void describe(enum operation o, size_t size, int order, int failure, const void *operand,
                     const void *expected)
{
    if (!engine_active || !engine_graph_mode)
        return;
    if (size > sizeof(event_word))
        engine_refuse_graph("an atomic object of more than 16 bytes", NULL);
    engine_describe_memory(o, (unsigned)order, (unsigned)failure, operand ? whole_word(operand, size) : 0,
                           expected ? whole_word(expected, size) : 0);
}

static void begin(enum event_kind kind, void *at, size_t size, const void *pc)
{
    if (!engine_active) {
        NEXT(pthread_mutex_lock)(&lock);
        return;
    }
    engine_step(kind, (uint64_t)at, size < TRACE_SIZE_MAX ? (unsigned)size : TRACE_SIZE_MAX, pc);
    heap_check((uint64_t)at, size, pc);
    if (kind != EVENT_WRITE && engine_is_filling(at, size))
        engine_check_written((uint64_t)at, size, pc);
}

static uint64_t low_word(const void *bytes, size_t size)
{
    uint64_t word = 0;
    real.memcpy(&word, bytes, size < sizeof word ? size : sizeof word);
    return word;
}

/* The engine knows atomics as large as those of the processor: a larger one is several to it, in one step. */
static void end(enum event_kind kind, void *at, size_t size, int order, uint64_t before, const void *pc)
{
    enum { PART = 16 };
    if (!engine_active) {
        NEXT(pthread_mutex_unlock)(&lock);
        return;
    }
    for (size_t done = 0; done < size; done += PART) {
        const char *part = (const char *)at + done;
        size_t left = size - done < PART ? size - done : PART;
        engine_atomic(kind, (uint64_t)part, (unsigned)left, (unsigned)order,
                      done ? low_word(part, left) : before, low_word(part, left), pc);
    }
}

/* The other operands are ordinary objects, unless they are temporaries of the compiler's. What was written is known afterwards. */
static void operand(const void *at, size_t size, bool writes, const void *pc)
{
    if (writes)
        undefined_write((uint64_t)at, size);
    if (!engine_active || engine_is_own_stack((uint64_t)at))
        return;
    if (!writes) {
        engine_plain((uint64_t)at, size, false, pc);
        return;
    }
    hook_check_late_write("a generic atomic operation", (uint64_t)at, size, pc);
    engine_plain_late((uint64_t)at, size, pc);
}

static void load(size_t size, void *at, void *out, int order, const void *pc)
{
    order = (int)hook_order(order, false, pc);
    describe(OPERATION_LOAD, size, order, order, NULL, NULL);
    begin(EVENT_READ, at, size, pc);
    real.memcpy(out, at, size);
    end(EVENT_READ, at, size, order, low_word(at, size), pc);
    operand(out, size, true, pc);
}

static void store(size_t size, void *at, const void *value, int order, const void *pc)
{
    order = (int)hook_order(order, false, pc);
    operand(value, size, false, pc);
    describe(OPERATION_STORE, size, order, order, value, NULL);
    begin(EVENT_WRITE, at, size, pc);
    uint64_t before = low_word(at, size);
    real.memcpy(at, value, size);
    end(EVENT_WRITE, at, size, order, before, pc);
}

static void exchange(size_t size, void *at, const void *value, void *out, int order, const void *pc)
{
    order = (int)hook_order(order, false, pc);
    operand(value, size, false, pc);
    describe(OPERATION_EXCHANGE, size, order, order, value, NULL);
    begin(EVENT_UPDATE, at, size, pc);
    uint64_t before = low_word(at, size);
    real.memcpy(out, at, size);
    real.memcpy(at, value, size);
    end(EVENT_UPDATE, at, size, order, before, pc);
    operand(out, size, true, pc);
}

static bool compare_exchange(size_t size, void *at, void *expected, const void *value, int order, int failure,
                             const void *pc)
{
    order = (int)hook_order(order, false, pc);
    int written = failure;
    failure = (int)hook_order(failure, true, pc);
    operand(expected, size, false, pc);
    operand(value, size, false, pc);
    describe(OPERATION_CAS, size, order, failure, value, expected);
    begin(EVENT_UPDATE, at, size, pc);
    uint64_t before = low_word(at, size);
    bool same = memcmp(at, expected, size) == 0;
    if (same)
        real.memcpy(at, value, size);
    else
        real.memcpy(expected, at, size);
    if (same && engine_active)
        engine_limit(LIMIT_WEAK_LOST);
    if (!same)
        hook_note_failure(written, pc);
    end(same ? EVENT_UPDATE : EVENT_CAS_FAILED, at, size, same ? order : failure, before, pc);
    if (!same)
        operand(expected, size, true, pc);
    return same;
}

/* ------------------------------------------------------------------ any size */

void libatomic_load(size_t size, void *at, void *out, int order) __asm__("__atomic_load");
void libatomic_store(size_t size, void *at, void *value, int order) __asm__("__atomic_store");
void libatomic_exchange(size_t size, void *at, void *value, void *out,
                        int order) __asm__("__atomic_exchange");
bool libatomic_compare_exchange(size_t size, void *at, void *expected, void *value, int order,
                                int failure) __asm__("__atomic_compare_exchange");
bool libatomic_is_lock_free(size_t size, void *at) __asm__("__atomic_is_lock_free");

EXPORT void libatomic_load(size_t size, void *at, void *out, int order)
{
    load(size, at, out, order, CALLER);
}
EXPORT void libatomic_store(size_t size, void *at, void *value, int order)
{
    store(size, at, value, order, CALLER);
}
EXPORT void libatomic_exchange(size_t size, void *at, void *value, void *out, int order)
{
    exchange(size, at, value, out, order, CALLER);
}
EXPORT bool libatomic_compare_exchange(size_t size, void *at, void *expected, void *value, int order,
                                       int failure)
{
    return compare_exchange(size, at, expected, value, order, failure, CALLER);
}
EXPORT bool libatomic_is_lock_free(size_t size, void *at)
{
    return size && size <= sizeof(u128) && !(size & (size - 1)) && (uintptr_t)at % size == 0;
}

/* ------------------------------------------------------------------ known sizes */

#define SIZED(bytes, type)                                                                                 \
    type libatomic_load_##bytes(void *at, int order) __asm__("__atomic_load_" #bytes);                     \
    void libatomic_store_##bytes(void *at, type value, int order) __asm__("__atomic_store_" #bytes);       \
    type libatomic_exchange_##bytes(void *at, type value, int order) __asm__("__atomic_exchange_" #bytes); \
    bool libatomic_compare_exchange_##bytes(void *at, void *expected, type value, int order,               \
                                            int failure) __asm__("__atomic_compare_exchange_" #bytes);     \
    EXPORT type libatomic_load_##bytes(void *at, int order)                                                \
    {                                                                                                      \
        type out;                                                                                          \
        load(sizeof out, at, &out, order, CALLER);                                                         \
        return out;                                                                                        \
    }                                                                                                      \
    EXPORT void libatomic_store_##bytes(void *at, type value, int order)                                   \
    {                                                                                                      \
        store(sizeof value, at, &value, order, CALLER);                                                    \
    }                                                                                                      \
    EXPORT type libatomic_exchange_##bytes(void *at, type value, int order)                                \
    {                                                                                                      \
        type out;                                                                                          \
        exchange(sizeof out, at, &value, &out, order, CALLER);                                             \
        return out;                                                                                        \
    }                                                                                                      \
    EXPORT bool libatomic_compare_exchange_##bytes(void *at, void *expected, type value, int order,        \
                                                   int failure)                                            \
    {                                                                                                      \
        return compare_exchange(sizeof value, at, expected, &value, order, failure, CALLER);               \
    }

#define FETCH(bytes, type, name, expression)                                                                \
    type libatomic_##name##_##bytes(void *at, type value, int order) __asm__("__atomic_" #name "_" #bytes); \
    EXPORT type libatomic_##name##_##bytes(void *at, type value, int order)                                 \
    {                                                                                                       \
        type before, after;                                                                                 \
        order = (int)hook_order(order, false, CALLER);                                                      \
        describe((enum operation)OPERATION_##name, sizeof value, order, order, &value, NULL);               \
        begin(EVENT_UPDATE, at, sizeof before, CALLER);                                                     \
        real.memcpy(&before, at, sizeof before);                                                            \
        after = (type)(expression);                                                                         \
        real.memcpy(at, &after, sizeof after);                                                              \
        end(EVENT_UPDATE, at, sizeof after, order, (uint64_t)before, CALLER);                               \
        return before;                                                                                      \
    }

#define ALL(bytes, type)                          \
    SIZED(bytes, type)                            \
    FETCH(bytes, type, fetch_add, before + value) \
    FETCH(bytes, type, fetch_sub, before - value) \
    FETCH(bytes, type, fetch_and, before &value)  \
    FETCH(bytes, type, fetch_or, before | value)  \
    FETCH(bytes, type, fetch_xor, before ^ value) \
    FETCH(bytes, type, fetch_nand, ~(before & value))

ALL(1, uint8_t)
ALL(2, uint16_t)
ALL(4, uint32_t)
ALL(8, uint64_t)
ALL(16, u128)
