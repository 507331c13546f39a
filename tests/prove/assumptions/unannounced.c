/* SPDX-License-Identifier: Apache-2.0 */
/* Pairs that a lock protects, and that are read without it, by accesses that compilers do not announce. */
#include <plumb.h>
#include <stdatomic.h>
#include <stdbool.h>

struct pair {
#ifdef BITS
    unsigned a : 4, b : 4;
#else
    long a, b, more;
#endif
};
static struct pair pair;
static _Atomic int locked;

static void lock(void)
{
    while (atomic_exchange(&locked, 1))
        ;
}

__attribute__((noinline)) static int value(struct pair p)
{
    return (int)(p.a == p.b ? p.a : 9);
}

__attribute__((noinline)) static struct pair make(int v)
{
    return (struct pair){.a = (unsigned)v & 3, .b = (unsigned)v & 3};
}

PLUMB_OBJECT(register)
PLUMB_OP(write, int, v)
{
    lock();
#ifdef RESULT
    pair.a = 9;
    pair = make(v);
#else
    pair.a = (unsigned)v & 3;
    pair.b = (unsigned)v & 3;
#endif
    atomic_store(&locked, 0);
    return PLUMB_OK;
}
PLUMB_OP(read)
{
#if defined RESULT || defined BITS
    lock();
    struct pair p = pair;
    atomic_store(&locked, 0);
    return PLUMB_INT(value(p));
#else
    return PLUMB_INT(value(pair));
#endif
}
