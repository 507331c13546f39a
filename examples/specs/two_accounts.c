/* SPDX-License-Identifier: Apache-2.0 */
/* A harness for account.c and a built-in specification side by side: withdrawals look first and take later. */
#include <plumb.h>
#include <stdatomic.h>

static atomic_long balance;
static atomic_int last;

PLUMB_OBJECT_NAMED(account, account)
PLUMB_OBJECT_NAMED(cell, register)

PLUMB_OP_ON(account, deposit, int, n)
{
    atomic_fetch_add(&balance, n);
    return PLUMB_OK;
}

PLUMB_OP_ON(account, withdraw, int, n)
{
#ifdef FIXED
    long seen = atomic_load(&balance);
    while (seen >= n)
        if (atomic_compare_exchange_weak(&balance, &seen, seen - n))
            return PLUMB_TRUE;
    return PLUMB_FALSE;
#else
    if (atomic_load(&balance) < n)
        return PLUMB_FALSE;
    atomic_fetch_sub(&balance, n); /* another withdrawal may have come first */
    return PLUMB_TRUE;
#endif
}

PLUMB_OP_ON(account, balance)
{
    return PLUMB_INT(atomic_load(&balance));
}

PLUMB_OP_ON(cell, write, int, v)
{
    atomic_store(&last, v);
    return PLUMB_OK;
}

PLUMB_OP_ON(cell, read)
{
    return PLUMB_INT(atomic_load(&last));
}

PLUMB_TEST("account.deposit(10) account.withdraw(7) cell.read | account.withdraw(5) cell.write(1)")
