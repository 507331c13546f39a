/* SPDX-License-Identifier: Apache-2.0 */
/* A counter: by fetch_add, or with -DCAS by compare-and-exchange, with -DMUTEX under a mutex, with -DTICKET under a ticket lock. */
#include <plumb.h>

#include <pthread.h>
#include <stdatomic.h>

#if defined MUTEX || defined TICKET

static int value;

#ifdef TICKET
static atomic_uint next_ticket, now_serving;

static void lock(void)
{
    unsigned ticket = atomic_fetch_add(&next_ticket, 1);
    while (atomic_load(&now_serving) != ticket)
        ;
}

static void unlock(void)
{
    atomic_store(&now_serving, atomic_load(&now_serving) + 1);
}
#else
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void lock(void)
{
    pthread_mutex_lock(&mutex);
}

static void unlock(void)
{
    pthread_mutex_unlock(&mutex);
}
#endif

static int change(int n)
{
    lock();
    int before = value;
    value += n;
    unlock();
    return before;
}

#else

static atomic_int value;

static int change(int n)
{
#ifdef CAS
    int before = atomic_load(&value);
    while (!atomic_compare_exchange_strong(&value, &before, before + n))
        ;
    return before;
#else
    return atomic_fetch_add(&value, n);
#endif
}

#endif

PLUMB_OBJECT(counter)
PLUMB_TEST("fetch_add(1) get | fetch_add(2)")

PLUMB_OP(fetch_add, int, n)
{
    return PLUMB_INT(change(n));
}

PLUMB_OP(get)
{
    return PLUMB_INT(change(0));
}
