/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: dfs */
/* note: the function returns after the other thread is done */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static _Atomic(atomic_int *) shared;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int done;

static __attribute__((noinline)) void offer(void)
{
    atomic_int own = 1;
    atomic_store_explicit(&shared, &own, memory_order_release);
    pthread_mutex_lock(&m);
    while (!done)
        pthread_cond_wait(&c, &m);
    pthread_mutex_unlock(&m);
}

static void *work(void *arg)
{
    offer();
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    atomic_int *p = atomic_load_explicit(&shared, memory_order_acquire);
    if (p)
        atomic_fetch_add_explicit(p, 1, memory_order_relaxed);
    pthread_mutex_lock(&m);
    done = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    pthread_join(t, NULL);
    return 0;
}
