/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* wrong: race */
/* wrong-sc: holds */
/* wrong-tso: holds */
/* note: test and test-and-set; the pauses double up to a limit */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef WRONG
#define TAKE memory_order_relaxed
#else
#define TAKE memory_order_acquire
#endif

static atomic_int word;
static int counter;

static void relax(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

static int try_lock(void)
{
#ifdef DOUBLING
    int expected = 0;
    return atomic_compare_exchange_strong_explicit(&word, &expected, 1, TAKE, memory_order_relaxed);
#else
    return atomic_load_explicit(&word, memory_order_relaxed) == 0 &&
           atomic_exchange_explicit(&word, 1, TAKE) == 0;
#endif
}

static unsigned longer(unsigned limit)
{
#ifndef DOUBLING
    if (limit >= 1024)
        return limit;
#endif
    return limit * 2;
}

static void lock(void)
{
    for (unsigned limit = 1; !try_lock(); limit = longer(limit))
        for (unsigned i = 0; i < limit; i++)
            relax();
}

static void *run(void *arg)
{
    lock();
    counter++;
    atomic_store_explicit(&word, 0, memory_order_release);
    return arg;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, run, NULL);
    pthread_create(&two, NULL, run, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(counter == 2);
    return 0;
}
