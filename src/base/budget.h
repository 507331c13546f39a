/* SPDX-License-Identifier: Apache-2.0 */
/* What a run may spend. Searches charge the memory they keep and ask now and
 * then whether time is up; a spent budget makes the answer inconclusive and
 * `spent` names the limit. */
#ifndef BASE_BUDGET_H
#define BASE_BUDGET_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum budget_limit { BUDGET_LEFT = 0, BUDGET_TIME, BUDGET_MEMORY, BUDGET_WORK, BUDGET_INTERRUPTED };

struct budget {
    double deadline;                   /* base_now() at which time is up; 0: never */
    const volatile sig_atomic_t *stop; /* nonzero: interrupted; or null */
    size_t bytes_max;                  /* 0: unlimited */
    size_t bytes_used;                 /* charged by searches, given back when they end */
    uint64_t ticks;
    /* a bound that is the same on every machine: calls of budget_exhausted; 0: none */
    uint64_t ticks_max;
    enum budget_limit spent;
};

double base_now(void); /* monotonic seconds */

/* Starts a budget of `seconds` (0: no limit) and `bytes` (0: no limit). */
struct budget budget_start(double seconds, size_t bytes);

/* A part of it, with the same end and `bytes` of its own. */
struct budget budget_within(const struct budget *whole, size_t bytes);

/* What the kernel lets this process have, if it says so; else what the machine has. */
uint64_t base_memory_there_is(void);

bool budget_time_is_up(struct budget *b); /* reads the clock */

/* Cheap; looks at the clock every few hundred calls. True: stop. */
static inline bool budget_exhausted(struct budget *b)
{
    if (b->spent)
        return true;
    if (++b->ticks == b->ticks_max)
        b->spent = BUDGET_WORK;
    return b->spent || (b->ticks % 256 == 0 && budget_time_is_up(b));
}

static inline bool budget_charge(struct budget *b, size_t bytes)
{
    b->bytes_used += bytes;
    if (b->bytes_max && b->bytes_used > b->bytes_max && !b->spent)
        b->spent = BUDGET_MEMORY;
    return !b->spent;
}

static inline void budget_refund(struct budget *b, size_t bytes)
{
    b->bytes_used -= bytes;
}

#endif
