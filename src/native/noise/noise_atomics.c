/* SPDX-License-Identifier: Apache-2.0 */
/* Atomic accesses: the same instruction with the same order, and perhaps a delay on either side. */
#include "native/noise/noise.h"

#include <stdbool.h>

#pragma GCC diagnostic ignored "-Wmissing-prototypes"

typedef unsigned __int128 u128;

/* The builtins want constants. */
#define BY_ORDER(order, relaxed, acquire, release, both, sc) \
    switch ((order)&7) {                                     \
    case __ATOMIC_RELAXED: relaxed; break;                   \
    case __ATOMIC_CONSUME:                                   \
    case __ATOMIC_ACQUIRE: acquire; break;                   \
    case __ATOMIC_RELEASE: release; break;                   \
    case __ATOMIC_ACQ_REL: both; break;                      \
    default: sc;                                             \
    }

#define LOAD(bits, type)                                                            \
    NOISE_EXPORT type __tsan_atomic##bits##_load(const volatile type *a, int order) \
    {                                                                               \
        type v;                                                                     \
        noise_around_atomic();                                                      \
        if ((order & 7) == __ATOMIC_RELAXED)                                        \
            v = __atomic_load_n(a, __ATOMIC_RELAXED);                               \
        else if ((order & 7) <= __ATOMIC_ACQUIRE)                                   \
            v = __atomic_load_n(a, __ATOMIC_ACQUIRE);                               \
        else                                                                        \
            v = __atomic_load_n(a, __ATOMIC_SEQ_CST);                               \
        noise_around_atomic();                                                      \
        return v;                                                                   \
    }

#define STORE(bits, type)                                                              \
    NOISE_EXPORT void __tsan_atomic##bits##_store(volatile type *a, type v, int order) \
    {                                                                                  \
        noise_around_atomic();                                                         \
        if ((order & 7) == __ATOMIC_RELAXED)                                           \
            __atomic_store_n(a, v, __ATOMIC_RELAXED);                                  \
        else if ((order & 7) == __ATOMIC_RELEASE)                                      \
            __atomic_store_n(a, v, __ATOMIC_RELEASE);                                  \
        else                                                                           \
            __atomic_store_n(a, v, __ATOMIC_SEQ_CST);                                  \
        noise_around_atomic();                                                         \
    }

#define UPDATE(bits, type, name, builtin)                                                             \
    NOISE_EXPORT type __tsan_atomic##bits##_##name(volatile type *a, type v, int order)               \
    {                                                                                                 \
        type old;                                                                                     \
        noise_around_atomic();                                                                        \
        BY_ORDER(order, old = builtin(a, v, __ATOMIC_RELAXED), old = builtin(a, v, __ATOMIC_ACQUIRE), \
                 old = builtin(a, v, __ATOMIC_RELEASE), old = builtin(a, v, __ATOMIC_ACQ_REL),        \
                 old = builtin(a, v, __ATOMIC_SEQ_CST))                                               \
        noise_around_atomic();                                                                        \
        return old;                                                                                   \
    }

/* A failure that is stronger than the success makes all of it so. */
static int whole_order(int order, int failure)
{
    bool acquires = failure == __ATOMIC_ACQUIRE || failure == __ATOMIC_CONSUME;
    if (failure == __ATOMIC_SEQ_CST)
        return __ATOMIC_SEQ_CST;
    if (acquires && order == __ATOMIC_RELAXED)
        return __ATOMIC_ACQUIRE;
    return acquires && order == __ATOMIC_RELEASE ? __ATOMIC_ACQ_REL : order;
}

#define EXCHANGE(order, failure) __atomic_compare_exchange_n(a, c, v, false, order, failure)
/* A strong one is among what a weak one may do. */
#define COMPARE(bits, type)                                                                        \
    static bool compare##bits(volatile type *a, type *c, type v, int order, int failure)           \
    {                                                                                              \
        bool done;                                                                                 \
        noise_around_atomic();                                                                     \
        BY_ORDER(whole_order(order, failure), done = EXCHANGE(__ATOMIC_RELAXED, __ATOMIC_RELAXED), \
                 done = EXCHANGE(__ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE),                              \
                 done = EXCHANGE(__ATOMIC_RELEASE, __ATOMIC_RELAXED),                              \
                 done = EXCHANGE(__ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE),                              \
                 done = EXCHANGE(__ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))                              \
        noise_around_atomic();                                                                     \
        return done;                                                                               \
    }

#define COMPARES(bits, type)                                                                          \
    NOISE_EXPORT int __tsan_atomic##bits##_compare_exchange_strong(volatile type *a, type *c, type v, \
                                                                   int order, int failure)            \
    {                                                                                                 \
        return compare##bits(a, c, v, order, failure);                                                \
    }                                                                                                 \
    NOISE_EXPORT int __tsan_atomic##bits##_compare_exchange_weak(volatile type *a, type *c, type v,   \
                                                                 int order, int failure)              \
    {                                                                                                 \
        return compare##bits(a, c, v, order, failure);                                                \
    }                                                                                                 \
    NOISE_EXPORT type __tsan_atomic##bits##_compare_exchange_val(volatile type *a, type c, type v,    \
                                                                 int order, int failure)              \
    {                                                                                                 \
        compare##bits(a, &c, v, order, failure);                                                      \
        return c;                                                                                     \
    }

#define ALL(bits, type)                               \
    LOAD(bits, type)                                  \
    STORE(bits, type)                                 \
    COMPARE(bits, type)                               \
    COMPARES(bits, type)                              \
    UPDATE(bits, type, exchange, __atomic_exchange_n) \
    UPDATE(bits, type, fetch_add, __atomic_fetch_add) \
    UPDATE(bits, type, fetch_sub, __atomic_fetch_sub) \
    UPDATE(bits, type, fetch_and, __atomic_fetch_and) \
    UPDATE(bits, type, fetch_or, __atomic_fetch_or)   \
    UPDATE(bits, type, fetch_xor, __atomic_fetch_xor) \
    UPDATE(bits, type, fetch_nand, __atomic_fetch_nand)

/* The analysis does not see that the exchange writes: NOLINTBEGIN(readability-non-const-parameter) */
ALL(8, uint8_t)
ALL(16, uint16_t)
ALL(32, uint32_t)
ALL(64, uint64_t)
/* NOLINTEND(readability-non-const-parameter) */

/* ------------------------------------------------------------------ 16 bytes */

/* One instruction does all of it, sequentially consistent. */
static bool compare_128(volatile u128 *a, u128 *expected, u128 v)
{
    u128 found = __sync_val_compare_and_swap(a, *expected, v);
    bool done = found == *expected;
    *expected = found;
    return done;
}

static bool compare128(volatile u128 *a, u128 *expected, u128 v, int order, int failure)
{
    (void)order, (void)failure;
    noise_around_atomic();
    bool done = compare_128(a, expected, v);
    noise_around_atomic();
    return done;
}

NOISE_EXPORT u128 __tsan_atomic128_load(const volatile u128 *a, int order)
{
    u128 v = 0;
    compare128((volatile u128 *)a, &v, 0, order, order);
    return v;
}

/* The first guess may be torn: then it is not what is there, and the loop goes on with what is. */
#define UPDATE_128(name, expression)                                               \
    NOISE_EXPORT u128 __tsan_atomic128_##name(volatile u128 *a, u128 v, int order) \
    {                                                                              \
        (void)order;                                                               \
        u128 old = 0;                                                              \
        noise_around_atomic();                                                     \
        while (!compare_128(a, &old, (expression)))                                \
            continue;                                                              \
        noise_around_atomic();                                                     \
        return old;                                                                \
    }

COMPARES(128, u128)
UPDATE_128(exchange, v)
UPDATE_128(fetch_add, old + v)
UPDATE_128(fetch_sub, old - v)
UPDATE_128(fetch_and, old &v)
UPDATE_128(fetch_or, old | v)
UPDATE_128(fetch_xor, old ^ v)
UPDATE_128(fetch_nand, ~(old &v))

NOISE_EXPORT void __tsan_atomic128_store(volatile u128 *a, u128 v, int order)
{
    __tsan_atomic128_exchange(a, v, order);
}

/* ------------------------------------------------------------------ fences */

NOISE_EXPORT void __tsan_atomic_thread_fence(int order)
{
    noise_around_atomic();
    BY_ORDER(order, __atomic_thread_fence(__ATOMIC_RELAXED), __atomic_thread_fence(__ATOMIC_ACQUIRE),
             __atomic_thread_fence(__ATOMIC_RELEASE), __atomic_thread_fence(__ATOMIC_ACQ_REL),
             __atomic_thread_fence(__ATOMIC_SEQ_CST))
    noise_around_atomic();
}

NOISE_EXPORT void __tsan_atomic_signal_fence(int order)
{
    (void)order;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
}
