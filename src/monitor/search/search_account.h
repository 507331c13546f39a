/* SPDX-License-Identifier: Apache-2.0 */
/* What one search has charged to the run's budget, so that all of it can be
 * given back when the search ends, however it ends. */
#ifndef MONITOR_SEARCH_ACCOUNT_H
#define MONITOR_SEARCH_ACCOUNT_H

#include "base/budget.h"
#include "base/memory.h"

struct account {
    struct budget *budget;
    size_t bytes;
};

static inline bool account_charge(struct account *a, size_t bytes)
{
    a->bytes += bytes;
    return budget_charge(a->budget, bytes);
}

static inline void account_refund(struct account *a, size_t bytes)
{
    a->bytes -= bytes;
    budget_refund(a->budget, bytes);
}

static inline void account_close(struct account *a)
{
    account_refund(a, a->bytes);
}

/* The capacity to grow an array to, charged; 0 when the budget does not allow it. */
static inline size_t account_grow(struct account *a, size_t cap, size_t item)
{
    size_t grown = cap < 16 ? 16 : cap + cap / 2;
    return account_charge(a, (grown - cap) * item) ? grown : 0;
}

#endif
