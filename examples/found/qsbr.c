// SPDX-License-Identifier: Apache-2.0
// rmind/libqsbr, qsbr.c: a reader, and a writer that frees what no reader can have any more.
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/cdefs.h>

#include <qsbr.h>

static qsbr_t *qs;
static _Atomic(long *) shared;
static pthread_barrier_t phase;

static void *reader(void *unused)
{
    volatile long seen;
    qsbr_register(qs);
    pthread_barrier_wait(&phase); // both are registered
    for (int i = 0; i < 2; i++) {
        seen = *atomic_load(&shared);
        qsbr_checkpoint(qs); // from here on it has no pointer
    }
    pthread_barrier_wait(&phase); // nobody asks any more
    qsbr_unregister(qs);
    return unused;
}

int main(void)
{
    static long newer = 2;
    pthread_t thread;
    qs = qsbr_create();
    pthread_barrier_init(&phase, NULL, 2);
    atomic_store(&shared, calloc(1, sizeof(long)));
    qsbr_register(qs);
    pthread_create(&thread, NULL, reader, NULL);
    pthread_barrier_wait(&phase);
    long *old = atomic_exchange(&shared, &newer);
    if (qsbr_sync(qs, qsbr_barrier(qs))) {
        atomic_thread_fence(memory_order_seq_cst); // more than its users are told to do
        free(old);
    }
    pthread_barrier_wait(&phase);
    pthread_join(thread, NULL);
}
