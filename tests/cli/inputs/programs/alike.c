/* SPDX-License-Identifier: Apache-2.0 */
/* Threads that do the same; with NAMED they know who they are. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int count;
static _Atomic pthread_t last;

static void *work(void *unused)
{
    atomic_fetch_add(&count, 1);
#ifdef NAMED
    atomic_store(&last, pthread_self());
#endif
    return unused;
}

int main(void)
{
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
}
