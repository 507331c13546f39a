/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* wrong: assert|race|deadlock|livelock|endless */
/* note: a sense-reversing barrier, three threads, two phases; wrong: the count is reset after the others were let go */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

enum { THREADS = 3 };

static atomic_int remaining = THREADS;
static atomic_bool sense;
static int marks[THREADS];

static void barrier_wait(bool *mine)
{
    *mine = !*mine;
    if (atomic_fetch_sub_explicit(&remaining, 1, memory_order_acq_rel) == 1) {
#ifdef WRONG
        atomic_store_explicit(&sense, *mine, memory_order_release);
        atomic_store_explicit(&remaining, THREADS, memory_order_relaxed);
#else
        atomic_store_explicit(&remaining, THREADS, memory_order_relaxed);
        atomic_store_explicit(&sense, *mine, memory_order_release);
#endif
    } else {
        while (atomic_load_explicit(&sense, memory_order_acquire) != *mine)
            ;
    }
}

static void *run(void *arg)
{
    int self = (int)(long)arg;
    bool mine = false;
    marks[self] = 1;
    barrier_wait(&mine);
    assert(marks[(self + 1) % THREADS] == 1);
    barrier_wait(&mine);
    marks[self] = 2;
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS];
    for (long i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, run, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
