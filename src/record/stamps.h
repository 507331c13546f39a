/* SPDX-License-Identifier: Apache-2.0 */
/* Stamps of calls and returns, taken inside of the program that is recorded (docs/internals/native/stress.md).
 *
 * A history is judged by real time, so a stamp has to hold for memory, too: nothing of the call happens before the stamp of its
 * call is taken, and all of it is visible to every thread before the stamp of its return is. Without the fences a store still
 * sits in the store buffer when the return is stamped, and a correct register looks broken. */
#ifndef RECORD_STAMPS_H
#define RECORD_STAMPS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum stamps {
    STAMPS_FENCED, /* the processor's counter, with fences */
    STAMPS_RAW,    /* the processor's counter; stores may become visible after their call has returned */
    /* One atomic counter for all threads of the process: a stamp says only what came first */
    STAMPS_COUNTER,
};

/* On a cache line of its own. */
struct stamps_counter {
    _Alignas(128) _Atomic uint64_t next;
};
extern struct stamps_counter stamps_counter;

/* Two threads with this increment between them are ordered like their stamps. */
static inline uint64_t stamp_counted(void)
{
    atomic_thread_fence(memory_order_seq_cst);
    uint64_t stamp = atomic_fetch_add_explicit(&stamps_counter.next, 1, memory_order_seq_cst);
    atomic_thread_fence(memory_order_seq_cst);
    return stamp;
}

#if defined(__x86_64__)

/* An early stamp of a call is harmless; lfence keeps what follows from starting before it was read. */
static inline uint64_t stamp_clock_call(void)
{
    uint32_t low, high;
    __asm__ volatile("rdtsc\n\tlfence" : "=a"(low), "=d"(high) : : "memory");
    return (uint64_t)high << 32 | low;
}

/* mfence: what was stored is visible. rdtscp waits for all instructions before it. */
static inline uint64_t stamp_clock_return(void)
{
    uint32_t low, high;
    __asm__ volatile("mfence\n\trdtscp" : "=a"(low), "=d"(high) : : "rcx", "memory");
    return (uint64_t)high << 32 | low;
}

static inline uint64_t stamp_clock_raw(void)
{
    uint32_t low, high;
    __asm__ volatile("rdtsc" : "=a"(low), "=d"(high) : : "memory");
    return (uint64_t)high << 32 | low;
}

#elif defined(__aarch64__)

static inline uint64_t stamp_clock_call(void)
{
    uint64_t stamp;
    __asm__ volatile("mrs %0, cntvct_el0\n\tisb" : "=r"(stamp) : : "memory");
    return stamp;
}

/* dmb orders accesses among themselves, but does not make the read of a register wait; dsb does. */
static inline uint64_t stamp_clock_return(void)
{
    uint64_t stamp;
    __asm__ volatile("dsb ish\n\tisb\n\tmrs %0, cntvct_el0" : "=r"(stamp) : : "memory");
    return stamp;
}

static inline uint64_t stamp_clock_raw(void)
{
    uint64_t stamp;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(stamp) : : "memory");
    return stamp;
}

#else

static inline uint64_t stamp_clock_call(void)
{
    return stamp_counted();
}

static inline uint64_t stamp_clock_return(void)
{
    return stamp_counted();
}

static inline uint64_t stamp_clock_raw(void)
{
    return stamp_counted();
}

#endif

/* Before a call. Nothing keeps the processor from reading its counter before it has read the one of the return before: a smaller
 * stamp has to be raised to that one, which is still before the call. */
static inline uint64_t stamp_call(enum stamps stamps)
{
    if (stamps == STAMPS_FENCED)
        return stamp_clock_call();
    return stamps == STAMPS_RAW ? stamp_clock_raw() : stamp_counted();
}

/* After it has returned. Without fences it may even be smaller than that of the call, and has to be raised to it. */
static inline uint64_t stamp_return(enum stamps stamps)
{
    if (stamps == STAMPS_FENCED)
        return stamp_clock_return();
    return stamps == STAMPS_RAW ? stamp_clock_raw() : stamp_counted();
}

/* The processor's counter if it can be trusted, otherwise the atomic one; takes up to a third of a second. `why` says in
 * words which one it is and why. `is_raw` asks for no fences. */
enum stamps stamps_choose(bool is_raw, char *why, size_t size);

/* 0 for the atomic counter, which has no pace. The first call may take 20 ms. */
double stamps_per_second(enum stamps stamps);

#endif
