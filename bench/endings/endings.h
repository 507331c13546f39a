/* SPDX-License-Identifier: Apache-2.0 */
/* One program, ended in several ways: run_all runs work(1), ..., work(N) in threads and ends the process as ENDING says.
 *   0 joined      main joins all threads
 *   1 abandoned   main returns at once, wherever they are
 *   2 leaves      main calls pthread_exit: the end of the last thread is the end of the process
 *   3 nested      each thread creates the next one and joins it
 * Those in which threads count how many of them are left, after their work:
 *   10 counted    main joins all threads
 *   11 unjoined   main waits until none is left, and returns
 *   12 detached   the same, and they are detached
 *   13 exit       the last one calls exit(0), while main waits for them
 *   14 _Exit      the same with _Exit(0) */
#ifndef ENDINGS_H
#define ENDINGS_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#ifndef ENDING
#define ENDING 0
#endif

static void work(long number);

#if ENDING >= 10
static atomic_int endings_left = N;
#endif

/* What the thread does after its work. */
static void leave(void)
{
#if ENDING >= 10
    if (atomic_fetch_sub_explicit(&endings_left, 1, memory_order_acq_rel) > 1)
        return;
#endif
#if ENDING == 13
    exit(0);
#elif ENDING == 14
    _Exit(0);
#endif
}

static void *run(void *number)
{
#if ENDING == 3
    pthread_t next;
    bool creates = (long)number < N;
    if (creates)
        pthread_create(&next, NULL, run, (char *)number + 1);
#endif
    work((long)number);
    leave();
#if ENDING == 3
    if (creates)
        pthread_join(next, NULL);
#endif
    return NULL;
}

static void wait_for_all(pthread_t *threads, int count)
{
#if ENDING == 2
    pthread_exit(NULL);
#elif ENDING == 11 || ENDING == 12
    while (atomic_load_explicit(&endings_left, memory_order_acquire) > 0)
        ;
#elif ENDING != 1
    for (int i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
#endif
}

static void run_all(void)
{
    enum { CREATED = ENDING == 3 ? 1 : N };
    pthread_t threads[N];
    for (long i = 0; i < CREATED; i++) {
        pthread_create(&threads[i], NULL, run, (void *)(i + 1));
#if ENDING == 12
        pthread_detach(threads[i]);
#endif
    }
    wait_for_all(threads, CREATED);
}

#endif
