/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated deadlock */
/* note: each waits, yielding, for the other to begin */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int started[2];

static void *work(void *arg)
{
    int me = (int)(intptr_t)arg;
    while (!atomic_load(&started[!me]))
        sched_yield();
    atomic_store(&started[me], 1);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, work, (void *)0);
    pthread_create(&b, NULL, work, (void *)1);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
