/* SPDX-License-Identifier: Apache-2.0 */
/* Noise: the functions that compilers call with -fsanitize=thread, done natively, with a delay now and then, so that threads meet
 * where they rarely do. A library of its own, for harnesses that were compiled for it. */
#ifndef NATIVE_NOISE_H
#define NATIVE_NOISE_H

#include <stdatomic.h>
#include <stdint.h>

#define NOISE_EXPORT __attribute__((visibility("default")))

/* Of atomic accesses, how many have a delay; set by the harness before each round (0: none). */
NOISE_EXPORT extern _Atomic uint32_t plumb_noise_percent;

/* How many accesses of this thread may pass before the next delay. */
struct noise {
    uint32_t left;
    uint32_t plain; /* accesses that are not atomic */
    uint64_t state;
};
extern _Thread_local struct noise noise __attribute__((visibility("hidden"), tls_model("initial-exec")));

__attribute__((visibility("hidden"))) void noise_delay(void);

static inline void noise_around_atomic(void)
{
    if (atomic_load_explicit(&plumb_noise_percent, memory_order_relaxed) && noise.left-- == 0)
        noise_delay();
}

/* They are many, and matter less: one of 16 counts. */
static inline void noise_at_plain(void)
{
    if ((noise.plain++ & 15) == 15)
        noise_around_atomic();
}

#endif
