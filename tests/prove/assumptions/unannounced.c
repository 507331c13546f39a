/* SPDX-License-Identifier: Apache-2.0 */
/* Pairs that a lock protects, and that are read without it, by accesses that compilers do not announce. */
#include <plumb.h>
#include <stdatomic.h>
#include <stdbool.h>

struct pair {
#ifdef LONG
    long double a, b;
#elif defined BITS
    unsigned a : BITS, b : BITS;
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

#ifdef READ_ONLY
static int kept;
#endif

#ifdef UNHOOKED
__attribute__((no_sanitize("thread"), noinline))
#endif
static void
set(int v)
{
#ifdef READ_ONLY
    kept = v & 3;
#elif defined RESULT
    pair.a = 9;
    pair = make(v);
#elif defined FILLED
    __builtin_memset(&pair, 0, sizeof pair);
    pair.a = pair.b = (unsigned)v & 3;
#else
    pair.a = (unsigned)v & 3;
    pair.b = (unsigned)v & 3;
#endif
#ifdef UNHOOKED
    atomic_thread_fence(memory_order_seq_cst);
    atomic_store(&locked, 1);
#endif
}

PLUMB_OBJECT(register)
PLUMB_OP(write, int, v)
{
    lock();
    set(v);
    atomic_store(&locked, 0);
    return PLUMB_OK;
}
PLUMB_OP(read)
{
#ifdef READ_ONLY
    lock();
    int v = kept + (int)pair.a + (int)pair.b;
    atomic_store(&locked, 0);
    return PLUMB_INT(v);
#elif defined RESULT || defined BITS || defined FILLED || defined UNHOOKED
    lock();
    struct pair p = pair;
    atomic_store(&locked, 0);
    return PLUMB_INT(value(p));
#else
    return PLUMB_INT(value(pair));
#endif
}
