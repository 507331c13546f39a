/* SPDX-License-Identifier: Apache-2.0 */
#include "native/native.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

void native_futex_wait(_Atomic uint32_t *word, uint32_t value, bool shared)
{
    syscall(SYS_futex, word, shared ? FUTEX_WAIT : FUTEX_WAIT_PRIVATE, value, NULL, NULL, 0);
}

void native_futex_wake(_Atomic uint32_t *word, bool shared)
{
    syscall(SYS_futex, word, shared ? FUTEX_WAKE : FUTEX_WAKE_PRIVATE, INT32_MAX, NULL, NULL, 0);
}

void native_beat(void)
{
    atomic_fetch_add(&native.shared->beats, 1);
    native_futex_wake(&native.shared->beats, true);
}

void native_enter(enum stress_phase phase)
{
    atomic_store(&native.shared->phase, phase);
    if (phase == STRESS_LISTED || phase == STRESS_REFUSED)
        native_beat();
}

/* Processors are ours only if there is one for each thread: then others arrive soon. */
static uint32_t turns_of(uint32_t threads)
{
    enum { SPINS = 2000 };
    return threads <= native.processors ? SPINS : 0;
}

void native_await_change(_Atomic uint32_t *word, uint32_t value, uint32_t threads)
{
    enum { YIELDS = 4 };
    for (uint32_t i = turns_of(threads); i > 0; i--) {
        if (atomic_load_explicit(word, memory_order_acquire) != value)
            return;
        native_pause();
    }
    for (int i = 0; i < YIELDS; i++) {
        if (atomic_load_explicit(word, memory_order_acquire) != value)
            return;
        sched_yield();
    }
    atomic_fetch_add(&native.sleepers, 1);
    while (atomic_load(word) == value)
        native_futex_wait(word, value, false);
    atomic_fetch_sub(&native.sleepers, 1);
}

int64_t native_microseconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

void native_await_soon(_Atomic uint32_t *word, uint32_t value, bool yields)
{
    enum { SPINS = 300, MICROSECONDS = 5000 };
    int64_t end = 0;
    for (;;) {
        for (int i = 0; i < SPINS; i++) {
            if (atomic_load_explicit(word, memory_order_acquire) >= value)
                return;
            native_pause();
        }
        int64_t now = native_microseconds();
        end = end ? end : now + (yields ? MICROSECONDS : MICROSECONDS / 5);
        if (now >= end)
            return;
        if (yields)
            sched_yield();
    }
}

#pragma GCC visibility push(default)
void __tsan_acquire(void *address) __attribute__((weak));
void __tsan_release(void *address) __attribute__((weak));
#pragma GCC visibility pop

void native_publish(void *address)
{
    if (__tsan_release)
        __tsan_release(address);
}

void native_observe(void *address)
{
    if (__tsan_acquire)
        __tsan_acquire(address);
}
