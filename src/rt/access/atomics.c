/* SPDX-License-Identifier: Apache-2.0 */
/* Atomic accesses of both compilers. The runtime performs them: one fiber runs at a time, so plain
 * instructions do inside an execution; outside of one they must be real, for programs started without
 * plumb. */
#include "rt/access/access.h"

#include <string.h>

typedef unsigned __int128 u128;

/* Memory that was never written holds what it was filled with: the graph is asked only then. */
static __attribute__((noinline)) void check_written(const volatile void *address, unsigned size,
                                                    const void *pc)
{
    if (engine_is_filling((const void *)address, size))
        engine_check_written((uint64_t)address, size, pc);
}

_Static_assert(HEAP_FILLING &STACK_FILLING_GCC &STACK_FILLING_CLANG & 0x80, "as this has it");
#define CHECK_WRITTEN(a, value, type, pc)                                \
    if (__builtin_expect((value) >> (8 * sizeof(type) - 1) != 0, false)) \
    check_written(a, sizeof *(a), pc)

#define LOAD(bits, type)                                                                                     \
    EXPORT type __tsan_atomic##bits##_load(const volatile type *a, int order)                                \
    {                                                                                                        \
        if (!engine_active)                                                                                  \
            return LOAD_REAL_##bits(a);                                                                      \
        struct access what = {OPERATION_LOAD, hook_order(order, false, CALLER), ORDER_RELAXED, 0, 0, false}; \
        access_begin(EVENT_READ, a, sizeof *a, what, CALLER);                                                \
        type value = *a;                                                                                     \
        CHECK_WRITTEN(a, value, type, CALLER);                                                               \
        engine_atomic_inline(EVENT_READ, (uint64_t)a, sizeof *a, what.order, access_low(value),              \
                             access_low(value), CALLER);                                                     \
        return value;                                                                                        \
    }

#define STORE(bits, type)                                                                         \
    EXPORT void __tsan_atomic##bits##_store(volatile type *a, type value, int order)              \
    {                                                                                             \
        if (!engine_active) {                                                                     \
            STORE_REAL_##bits(a, value);                                                          \
            return;                                                                               \
        }                                                                                         \
        struct access what = {                                                                    \
            OPERATION_STORE, hook_order(order, false, CALLER), ORDER_RELAXED, value, 0, false};   \
        access_begin(EVENT_WRITE, a, sizeof *a, what, CALLER);                                    \
        type before = *a;                                                                         \
        *a = value;                                                                               \
        engine_atomic_inline(EVENT_WRITE, (uint64_t)a, sizeof *a, what.order, access_low(before), \
                             access_low(value), CALLER);                                          \
    }

#define UPDATE(bits, type, name, expression, real)                                                 \
    EXPORT type __tsan_atomic##bits##_##name(volatile type *a, type value, int order)              \
    {                                                                                              \
        if (!engine_active)                                                                        \
            return real;                                                                           \
        struct access what = {(enum operation)OPERATION_##name,                                    \
                              hook_order(order, false, CALLER),                                    \
                              ORDER_RELAXED,                                                       \
                              value,                                                               \
                              0,                                                                   \
                              false};                                                              \
        access_begin(EVENT_UPDATE, a, sizeof *a, what, CALLER);                                    \
        type before = *a, after = (type)(expression);                                              \
        CHECK_WRITTEN(a, before, type, CALLER);                                                    \
        *a = after;                                                                                \
        engine_atomic_inline(EVENT_UPDATE, (uint64_t)a, sizeof *a, what.order, access_low(before), \
                             access_low(after), CALLER);                                           \
        return before;                                                                             \
    }

/* Does a weak CAS fail although it found what it expected? */
static bool fails_spuriously(const volatile void *address, const void *pc)
{
    if (!engine_happens(CHOICE_WEAK_CAS, (uint64_t)address, pc))
        return false;
    engine_note(EVENT_SPURIOUS_FAILURE, (uint64_t)address, 0, ORDER_PLAIN, 0, 0, pc);
    return true;
}

/* gcc leaves it to the call to read what is expected, and to write what was found. */
static __attribute__((noinline)) void announce_expected(const void *expected, size_t size, bool writes,
                                                        const void *pc)
{
    engine_plain_inline((uint64_t)expected, size, writes, pc);
}

/* True: exchanged. *expected gets what was found otherwise. */
#define COMPARE(bits, type)                                                                                  \
    static bool compare_exchange##bits(volatile type *a, type *expected, type value, int order, int failure, \
                                       bool weak, const void *pc)                                            \
    {                                                                                                        \
        if (!engine_active)                                                                                  \
            return COMPARE_REAL_##bits(a, expected, value);                                                  \
        if (!fiber_has_on_stack(&engine.running->fiber, (uint64_t)expected)) /* its own are private */       \
            announce_expected(expected, sizeof *expected, false, pc);                                        \
        type wanted = *expected;                                                                             \
        struct access what = {OPERATION_CAS,                                                                 \
                              hook_order(order, false, pc),                                                  \
                              hook_order(failure, true, pc),                                                 \
                              value,                                                                         \
                              wanted,                                                                        \
                              weak};                                                                         \
        access_begin(EVENT_UPDATE, a, sizeof *a, what, pc);                                                  \
        type before = *a;                                                                                    \
        CHECK_WRITTEN(a, before, type, pc);                                                                  \
        if (before != wanted || (weak && fails_spuriously(a, pc))) {                                         \
            if (__builtin_expect(!hook_order_limit, false))                                                  \
                hook_note_failure(failure, pc);                                                              \
            engine_atomic_inline(EVENT_CAS_FAILED, (uint64_t)a, sizeof *a, what.failure_order,               \
                                 access_low(before), access_low(before), pc);                                \
            announce_expected(expected, sizeof *expected, true, pc);                                         \
            *expected = before;                                                                              \
            return false;                                                                                    \
        }                                                                                                    \
        *a = value;                                                                                          \
        engine_atomic_inline(EVENT_UPDATE, (uint64_t)a, sizeof *a, what.order, access_low(before),           \
                             access_low(value), pc);                                                         \
        return true;                                                                                         \
    }                                                                                                        \
    EXPORT int __tsan_atomic##bits##_compare_exchange_strong(volatile type *a, type *c, type v, int mo,      \
                                                             int fo)                                         \
    {                                                                                                        \
        return compare_exchange##bits(a, c, v, mo, fo, false, CALLER);                                       \
    }                                                                                                        \
    EXPORT int __tsan_atomic##bits##_compare_exchange_weak(volatile type *a, type *c, type v, int mo,        \
                                                           int fo)                                           \
    {                                                                                                        \
        return compare_exchange##bits(a, c, v, mo, fo, true, CALLER);                                        \
    }                                                                                                        \
    EXPORT type __tsan_atomic##bits##_compare_exchange_val(volatile type *a, type c, type v, int mo, int fo) \
    {                                                                                                        \
        /* Weak ones come here, too; the caller knows a failure by the value: it cannot be chosen. */        \
        if (compare_exchange##bits(a, &c, v, mo, fo, false, CALLER) && engine_active)                        \
            engine_limit(LIMIT_WEAK_LOST);                                                                   \
        return c;                                                                                            \
    }

#define REAL_LOAD(a) __atomic_load_n(a, __ATOMIC_SEQ_CST)
#define REAL_STORE(a, v) __atomic_store_n(a, v, __ATOMIC_SEQ_CST)
#define REAL_COMPARE(a, e, v) __atomic_compare_exchange_n(a, e, v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)
#define LOAD_REAL_8 REAL_LOAD
#define LOAD_REAL_16 REAL_LOAD
#define LOAD_REAL_32 REAL_LOAD
#define LOAD_REAL_64 REAL_LOAD
#define STORE_REAL_8 REAL_STORE
#define STORE_REAL_16 REAL_STORE
#define STORE_REAL_32 REAL_STORE
#define STORE_REAL_64 REAL_STORE
#define COMPARE_REAL_8 REAL_COMPARE
#define COMPARE_REAL_16 REAL_COMPARE
#define COMPARE_REAL_32 REAL_COMPARE
#define COMPARE_REAL_64 REAL_COMPARE

/* 16 bytes: everything by the one instruction that is atomic at that size. */
static bool compare_real_128(volatile u128 *a, u128 *expected, u128 value)
{
    u128 found = __sync_val_compare_and_swap(a, *expected, value);
    bool done = found == *expected;
    *expected = found;
    return done;
}

static u128 load_real_128(const volatile u128 *a)
{
    return __sync_val_compare_and_swap((volatile u128 *)a, 0, 0);
}

static void store_real_128(volatile u128 *a, u128 value)
{
    u128 found = *a;
    while (!compare_real_128(a, &found, value))
        continue;
}
#define LOAD_REAL_128 load_real_128
#define STORE_REAL_128 store_real_128
#define COMPARE_REAL_128 compare_real_128

#define UPDATES(bits, type)                                                                       \
    UPDATE(bits, type, exchange, value, __atomic_exchange_n(a, value, __ATOMIC_SEQ_CST))          \
    UPDATE(bits, type, fetch_add, before + value, __atomic_fetch_add(a, value, __ATOMIC_SEQ_CST)) \
    UPDATE(bits, type, fetch_sub, before - value, __atomic_fetch_sub(a, value, __ATOMIC_SEQ_CST)) \
    UPDATE(bits, type, fetch_and, before &value, __atomic_fetch_and(a, value, __ATOMIC_SEQ_CST))  \
    UPDATE(bits, type, fetch_or, before | value, __atomic_fetch_or(a, value, __ATOMIC_SEQ_CST))   \
    UPDATE(bits, type, fetch_xor, before ^ value, __atomic_fetch_xor(a, value, __ATOMIC_SEQ_CST)) \
    UPDATE(bits, type, fetch_nand, ~(before & value), __atomic_fetch_nand(a, value, __ATOMIC_SEQ_CST))

#define ALL(bits, type) LOAD(bits, type) STORE(bits, type) COMPARE(bits, type) UPDATES(bits, type)

ALL(8, uint8_t)
ALL(16, uint16_t)
ALL(32, uint32_t)
ALL(64, uint64_t)

/* A loop around the comparison for the 16-byte updates of programs started without plumb. */
#define UPDATE_128(name, expression)                          \
    static u128 name##_real_128(volatile u128 *a, u128 value) \
    {                                                         \
        u128 before = *a;                                     \
        while (!compare_real_128(a, &before, (expression)))   \
            continue;                                         \
        return before;                                        \
    }                                                         \
    UPDATE(128, u128, name, expression, name##_real_128(a, value))

LOAD(128, u128)
STORE(128, u128)
COMPARE(128, u128)
UPDATE_128(exchange, value)
UPDATE_128(fetch_add, before + value)
UPDATE_128(fetch_sub, before - value)
UPDATE_128(fetch_and, before &value)
UPDATE_128(fetch_or, before | value)
UPDATE_128(fetch_xor, before ^ value)
UPDATE_128(fetch_nand, ~(before &value))

EXPORT void __tsan_atomic_thread_fence(int order)
{
    if (!engine_active) {
        __atomic_thread_fence(__ATOMIC_SEQ_CST);
        return;
    }
    unsigned used = hook_order(order, false, CALLER);
    engine_describe_access(OPERATION_NONE, used, ORDER_RELAXED, 0, 0);
    engine_step(EVENT_FENCE, 0, 0, CALLER);
    engine_fence(used, CALLER);
}

EXPORT void __tsan_atomic_signal_fence(int order)
{
}
