/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated runaway */
/* known: inconclusive */
/* named: inconclusive (not supported: more than 32 threads */
/* mode: all */
/* note: one execution ends where it has more threads than there may be: what others do is not disturbed by that */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int turns, readers;

static void *step(void *arg)
{
    atomic_store(&turns, 1);
    return arg;
}

static void *look(void *arg)
{
    for (int i = 0; i < 3; i++) {
        atomic_fetch_add(&readers, 1);
        atomic_fetch_sub(&readers, 1);
    }
    return arg;
}

static void *work(void *arg)
{
    atomic_fetch_add(&readers, 1);
    for (;;) {
        pthread_t t;
        pthread_create(&t, NULL, step, NULL);
        pthread_join(t, NULL);
    }
    return arg;
}

int main(void)
{
    pthread_t looker, worker;
    pthread_create(&looker, NULL, look, NULL);
    pthread_create(&worker, NULL, work, NULL);
    pthread_join(worker, NULL);
    return 0;
}
