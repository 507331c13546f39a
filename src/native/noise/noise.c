/* SPDX-License-Identifier: Apache-2.0 */
#include "native/noise/noise.h"

#include <sched.h>
#include <time.h>

_Atomic uint32_t plumb_noise_percent;
_Thread_local struct noise noise;

static uint32_t draw(void)
{
    uint64_t x = noise.state ? noise.state : (uint64_t)(uintptr_t)&noise;
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    noise.state = x;
    return (uint32_t)(x >> 32);
}

static void spin(uint32_t turns)
{
    for (; turns > 0; turns--) {
#if defined(__x86_64__)
        __builtin_ia32_pause();
#else
        __asm__ volatile("" ::: "memory");
#endif
    }
}

/* Most delays are about as long as an operation; a few let another thread run, or many of its operations pass. */
void noise_delay(void)
{
    uint32_t percent = atomic_load_explicit(&plumb_noise_percent, memory_order_relaxed), r = draw();
    noise.left = percent ? draw() % (200 / percent + 1) : 0;
    switch (r & 15) {
    case 0: sched_yield(); break;
    case 1: spin(r >> 4 & 4095); break;
    case 2:
        if (r >> 4 & 31)
            sched_yield();
        else
            nanosleep(&(struct timespec){0, 50000}, NULL);
        break;
    default: spin(r >> 4 & 127);
    }
}
