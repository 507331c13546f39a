/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: a lock counts its own contention, in plain variables that it protects and in those of the thread */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

struct counted_lock {
    atomic_int word;
    uint64_t acquisitions, contended; /* changed with the lock held */
};

struct worker {
    pthread_t thread;
    uint64_t spins; /* the thread's own, read when it was joined */
};

static struct counted_lock lock;
static int shared;

static void acquire(struct counted_lock *l, struct worker *self)
{
    uint64_t before = self->spins;
    while (atomic_exchange_explicit(&l->word, 1, memory_order_acquire) != 0)
        self->spins++;
    l->acquisitions++;
    if (self->spins != before)
        l->contended++;
}

static void *run(void *arg)
{
    acquire(&lock, arg);
    shared++;
    atomic_store_explicit(&lock.word, 0, memory_order_release);
    return NULL;
}

int main(void)
{
    static struct worker workers[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&workers[i].thread, NULL, run, &workers[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(workers[i].thread, NULL);
    assert(shared == 2 && lock.acquisitions == 2);
    assert(lock.contended <= 1);
    return 0;
}
