/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
#include <pthread.h>
#include <stdatomic.h>

static _Atomic(atomic_int *) request;

static __attribute__((noinline)) int ask(void)
{
    atomic_int answered = 0;
    atomic_store(&request, &answered);
    while (!atomic_load(&answered))
        ;
    return 1;
}

static void *worker(void *unused)
{
    (void)unused;
    atomic_int *flag = atomic_load(&request);
    if (flag)
        atomic_store(flag, 1);
    else {
        while (!(flag = atomic_load(&request)))
            ;
        atomic_store(flag, 1);
    }
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    ask();
    pthread_join(t, NULL);
    return 0;
}
