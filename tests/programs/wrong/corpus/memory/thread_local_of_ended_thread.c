/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated use-after-free|use-after-return */
/* mode: all */
/* note: a thread publishes the address of its thread-local counter and ends */
#include <pthread.h>
#include <stdatomic.h>

static _Thread_local int counter;
static _Atomic(int *) published;
int seen;

static void *worker(void *unused)
{
    (void)unused;
    counter = 3;
    atomic_store(&published, &counter);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    pthread_join(t, NULL);
    seen = *atomic_load(&published);
    return 0;
}
