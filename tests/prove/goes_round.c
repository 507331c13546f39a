/* SPDX-License-Identifier: Apache-2.0 */
/* A write of 2 goes round without looking at anything; or, at FLAG, at what no other thread has. */
#include <plumb.h>
#include <stdatomic.h>

static atomic_int value;
#ifdef FLAG
static _Thread_local volatile int flag;
#define GOES_ON flag == 0
#else
#define GOES_ON true
#endif

PLUMB_OBJECT(register)

PLUMB_OP(write, int, v)
{
    while (v == 2 && GOES_ON)
        __asm__ volatile("");
    atomic_store(&value, v);
    return PLUMB_OK;
}

PLUMB_OP(read)
{
    return PLUMB_INT(atomic_load(&value));
}
