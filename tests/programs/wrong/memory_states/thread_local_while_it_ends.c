/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated use-after-return */
/* mode: all */
/* note: another thread writes a thread-local variable of a thread that may have ended */
#include <pthread.h>
#include <stdatomic.h>

static _Thread_local int counter;
static _Atomic(int *) published;

static void *worker(void *unused)
{
    (void)unused;
    atomic_store(&published, &counter);
    return NULL;
}

static void *other(void *unused)
{
    int *at = atomic_load(&published);
    if (at)
        *at = 1;
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, other, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
