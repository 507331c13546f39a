/* SPDX-License-Identifier: Apache-2.0 */
/* Small objects, right and wrong, for tests/campaigns/exactness.c: OBJECT says which. All atomics are seq_cst, so that every
 * interleaving can be run one by one as well. */
#include <plumb.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifndef OBJECT
#define OBJECT 1
#endif

#if OBJECT <= 3 /* counters: right, losing updates, adding in two steps */
static atomic_int count;
#if OBJECT == 2
PLUMB_OBJECT()
#else
PLUMB_OBJECT(counter)
#endif
PLUMB_OP(add, int, n)
{
#if OBJECT == 1
    count += n;
#elif OBJECT == 2
    int old = count;
    count = old + n;
#else
    count += n - 1;
    count += 1;
#endif
    return PLUMB_OK;
}
PLUMB_OP(get)
{
    return PLUMB_INT(count);
}
PLUMB_OP(fetch_add, int, n)
{
    return PLUMB_INT(atomic_fetch_add(&count, n));
}
PLUMB_TRY(add, 1, 2)
PLUMB_TRY(fetch_add, 2)

#elif OBJECT <= 5 /* registers: cas that is one step, and one that is two */
static atomic_int cell;
PLUMB_OBJECT(register)
PLUMB_OP(write, int, v)
{
    cell = v;
    return PLUMB_OK;
}
PLUMB_OP(read)
{
    return PLUMB_INT(cell);
}
PLUMB_OP(cas, int, from, int, to)
{
#if OBJECT == 4
    return PLUMB_BOOL(atomic_compare_exchange_strong(&cell, &from, to));
#else
    if (cell != from)
        return PLUMB_BOOL(false);
    cell = to;
    return PLUMB_BOOL(true);
#endif
}
PLUMB_TRY(write, 1, 2)
PLUMB_TRY(cas, 0, 1, 1, 2)

#elif OBJECT <= 7 /* stacks: places that are taken and filled in one step, and in two */
static atomic_int places[8], top;
PLUMB_OBJECT(stack)
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
PLUMB_OP(push, int, v)
{
#if OBJECT == 6
    pthread_mutex_lock(&m);
    places[top++] = v;
    pthread_mutex_unlock(&m);
#else
    int place = top++;
    places[place] = v;
#endif
    return PLUMB_OK;
}
PLUMB_OP(pop)
{
    pthread_mutex_lock(&m);
    int at = top, v = 0;
    while (at > 0 && !(v = atomic_exchange(&places[at - 1], 0)))
        at--;
#if OBJECT == 6
    top = at > 0 ? at - 1 : 0;
#endif
    pthread_mutex_unlock(&m);
    return v ? PLUMB_INT(v) : PLUMB_NONE;
}

#elif OBJECT <= 9 /* queues: places that are filled late; right */
static atomic_int places[8], next;
#if OBJECT == 9
static atomic_int first;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
#endif
PLUMB_OBJECT(queue)
PLUMB_OP(enq, int, v)
{
#if OBJECT == 9
    pthread_mutex_lock(&m);
    places[next++] = v;
    pthread_mutex_unlock(&m);
#else
    int place = next++;
    places[place] = v;
#endif
    return PLUMB_OK;
}
PLUMB_OP(deq)
{
#if OBJECT == 9
    pthread_mutex_lock(&m);
    int v = first < next ? places[first++] : 0;
    pthread_mutex_unlock(&m);
    return v ? PLUMB_INT(v) : PLUMB_NONE;
#else
    for (int i = 0; i < next; i++) {
        int v = atomic_exchange(&places[i], 0);
        if (v)
            return PLUMB_INT(v);
    }
    return PLUMB_NONE;
#endif
}

#elif OBJECT <= 11 /* sets of two elements: bits, and bits that get lost */
static atomic_uint bits;
PLUMB_OBJECT(set)
PLUMB_OP(add, int, v)
{
#if OBJECT == 10
    return PLUMB_BOOL(!(atomic_fetch_or(&bits, 1u << v) >> v & 1));
#else
    unsigned old = bits;
    bits = old | 1u << v;
    return PLUMB_BOOL(!(old >> v & 1));
#endif
}
PLUMB_OP(remove, int, v)
{
    return PLUMB_BOOL(atomic_fetch_and(&bits, ~(1u << v)) >> v & 1);
}
PLUMB_OP(contains, int, v)
{
    return PLUMB_BOOL(bits >> v & 1);
}
PLUMB_TRY(add, 1, 2)
PLUMB_TRY(remove, 1)
PLUMB_TRY(contains, 1, 2)

#elif OBJECT <= 14 /* waiting: right; a signal that is forgotten; a wait that looks only once */
static int count;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
PLUMB_OBJECT()
PLUMB_OP(release)
{
    pthread_mutex_lock(&m);
    if (count++ == 0 || OBJECT != 13)
        pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    return PLUMB_OK;
}
PLUMB_OP(acquire)
{
    pthread_mutex_lock(&m);
    if (OBJECT == 14) {
        if (count == 0)
            pthread_cond_wait(&c, &m);
    } else {
        while (count == 0)
            pthread_cond_wait(&c, &m);
    }
    count--;
    pthread_mutex_unlock(&m);
    return PLUMB_OK;
}
PLUMB_OP(try_acquire)
{
    pthread_mutex_lock(&m);
    bool there = count > 0;
    count -= there;
    pthread_mutex_unlock(&m);
    return PLUMB_BOOL(there);
}

#elif OBJECT <= 16 /* two cells read at once, and one after the other */
static atomic_long cells;
static atomic_int left, right;
PLUMB_OBJECT()
PLUMB_OP(set_left, int, v)
{
    left = v;
    atomic_fetch_add(&cells, 1);
    return PLUMB_OK;
}
PLUMB_OP(set_right, int, v)
{
    right = v;
    return PLUMB_OK;
}
PLUMB_OP(scan)
{
#if OBJECT == 15
    return PLUMB_INT(left);
#else
    int a = left, b = right;
    return PLUMB_INT(10 * a + b);
#endif
}
PLUMB_TRY(set_left, 1, 2)
PLUMB_TRY(set_right, 3)

#elif OBJECT <= 18 /* something made once, and sometimes twice */
static _Atomic(int *) made;
static atomic_int makings;
PLUMB_OBJECT()
PLUMB_OP(value)
{
    int *p = made;
    if (!p) {
        p = malloc(sizeof *p);
        *p = ++makings;
#if OBJECT == 17
        int *nobody = NULL;
        if (!atomic_compare_exchange_strong(&made, &nobody, p)) {
            makings--;
            p = nobody;
        }
#else
        made = p;
#endif
    }
    return PLUMB_INT(*p);
}
PLUMB_OP(is_made)
{
    return PLUMB_BOOL(made != NULL);
}

#elif OBJECT <= 20 /* two objects: each for itself, and one that the other one disturbs */
static atomic_int counts[2];
PLUMB_OBJECT_NAMED(a, counter)
PLUMB_OBJECT_NAMED(b, counter)
PLUMB_OP_ON(a, add, int, n)
{
    counts[0] += n;
    return PLUMB_OK;
}
PLUMB_OP_ON(b, add, int, n)
{
    int before = counts[0];
    counts[1] += n;
    if (OBJECT == 20)
        counts[0] = before;
    return PLUMB_OK;
}
PLUMB_OP_ON(a, get)
{
    return PLUMB_INT(counts[0]);
}
PLUMB_OP_ON(b, get)
{
    return PLUMB_INT(counts[1]);
}
PLUMB_TRY_ON(a, add, 1)
PLUMB_TRY_ON(b, add, 1)
#endif
