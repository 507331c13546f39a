/* SPDX-License-Identifier: Apache-2.0 */
/* A harness for a specification in C (account_spec.c). */
#include <plumb.h>

#include <stdatomic.h>

static atomic_long balance;

PLUMB_OBJECT(account)

PLUMB_OP(deposit, long, n)
{
    atomic_fetch_add(&balance, n);
    return PLUMB_OK;
}

PLUMB_OP(withdraw, long, n)
{
    long old = atomic_load(&balance);
    while (old >= n)
        if (atomic_compare_exchange_weak(&balance, &old, old - n))
            return PLUMB_BOOL(true);
    return PLUMB_BOOL(false);
}
