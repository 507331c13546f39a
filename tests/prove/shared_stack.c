/* SPDX-License-Identifier: Apache-2.0 */
/* A thread waits for another one to change a variable on its stack. */
#include <plumb.h>
#include <stdatomic.h>

static _Atomic(atomic_int *) waiting;
static atomic_int value;

PLUMB_OBJECT(register)

PLUMB_OP(write, int, v)
{
    atomic_int *other = atomic_exchange(&waiting, NULL);
    if (other)
        atomic_store(other, 1);
    atomic_store(&value, v);
    return PLUMB_OK;
}

PLUMB_OP(read)
{
    atomic_int flag = 0;
    atomic_store(&waiting, &flag);
    int v = atomic_load(&value);
    return PLUMB_INT(atomic_load(&flag) ? atomic_load(&value) : v);
}
