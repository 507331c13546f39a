/* SPDX-License-Identifier: Apache-2.0 */
/* What one of p and q has done and the other not yet: values, the oldest first, with the number of removals that came
 * before. A side lies in an array of words: how many, then pairs (value, since when). */
#ifndef MONITOR_QUASI_DEBTS_H
#define MONITOR_QUASI_DEBTS_H

#include "monitor/quasi/quasi_items.h"

#include <string.h>

/* One more than the factor for a moment, until someone looks whether they are too old. */
static inline uint32_t debts_words(uint32_t factor)
{
    return 1 + 2 * (factor + 1);
}

static inline uint32_t debts_value(const uint32_t *side, uint32_t k)
{
    return side[1 + 2 * k];
}

static inline uint32_t debts_since(const uint32_t *side, uint32_t k)
{
    return side[2 + 2 * k];
}

/* QUASI_NONE: not there. */
static inline uint32_t debts_find(const uint32_t *side, uint32_t value)
{
    for (uint32_t k = 0; k < side[0]; k++)
        if (debts_value(side, k) == value)
            return k;
    return QUASI_NONE;
}

static inline bool debts_has(const uint32_t *side, uint32_t value)
{
    return debts_find(side, value) != QUASI_NONE;
}

static inline void debts_pay(uint32_t *side, uint32_t k)
{
    side[0]--;
    memmove(side + 1 + 2 * k, side + 3 + 2 * k, 2 * (side[0] - k) * sizeof *side);
}

static inline void debts_add(uint32_t *side, uint32_t value, uint32_t now)
{
    side[1 + 2 * side[0]] = value;
    side[2 + 2 * side[0]] = now;
    side[0]++;
}

/* One of the two did `value`: pays what the other did, or owes it to `own`. */
static inline void debts_settle(uint32_t *own, uint32_t *other, uint32_t value, uint32_t now)
{
    uint32_t k = debts_find(other, value);
    if (k != QUASI_NONE)
        debts_pay(other, k);
    else
        debts_add(own, value, now);
}

/* The same values, none of them older? */
static inline bool debts_not_older(const uint32_t *a, const uint32_t *b)
{
    if (a[0] != b[0])
        return false;
    for (uint32_t k = 0; k < a[0]; k++) {
        uint32_t other = debts_find(b, debts_value(a, k));
        if (other == QUASI_NONE || debts_since(a, k) < debts_since(b, other))
            return false;
    }
    return true;
}

#endif
