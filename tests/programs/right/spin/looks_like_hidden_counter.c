/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: no spin: progress is kept in memory that the loop writes (static, heap, thread-local) */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int never;
static int in_static;
static _Thread_local int in_tls;

__attribute__((noinline)) static int more(int *counter)
{
    return ++*counter < 5;
}

static void *work(void *arg)
{
    (void)arg;
    int *in_heap = calloc(1, sizeof *in_heap);
    while (!atomic_load(&never) && more(&in_static))
        ;
    while (!atomic_load(&never) && more(in_heap))
        ;
    while (!atomic_load(&never) && more(&in_tls))
        ;
    assert(in_static == 5 && *in_heap == 5 && in_tls == 5);
    free(in_heap);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    return 0;
}
