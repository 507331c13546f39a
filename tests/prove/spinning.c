/* SPDX-License-Identifier: Apache-2.0 */
/* Two spin locks, in two orders: both threads go round forever. ORDERED: in one order. */
#include <plumb.h>
#include <stdatomic.h>

static int value;
static atomic_int first, second;

static void lock(atomic_int *word)
{
    while (atomic_exchange(word, 1))
        continue;
}

PLUMB_OBJECT(register)

PLUMB_OP(write, int, v)
{
    lock(&first);
    lock(&second);
    value = v;
    atomic_store(&second, 0);
    atomic_store(&first, 0);
    return PLUMB_OK;
}

PLUMB_OP(read)
{
#ifdef ORDERED
    lock(&first);
    lock(&second);
#else
    lock(&second);
    lock(&first);
#endif
    int v = value;
    atomic_store(&first, 0);
    atomic_store(&second, 0);
    return PLUMB_INT(v);
}
