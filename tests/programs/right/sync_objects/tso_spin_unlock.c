/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* rc11: violated assert */
/* tso: violated assert */
/* note: what does not drain the store buffer: glibc unlocks a spin lock with a store, and looks first in the others */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

#ifndef BETWEEN
#define BETWEEN(me) (pthread_spin_unlock(&spins[me]))
#endif

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_spinlock_t spins[2];
static sem_t semaphore;
static atomic_int wants[2];
static int saw[2];

static void nothing(void)
{
}

static void *go(void *argument)
{
    int me = argument != 0;
    pthread_spin_lock(&spins[me]);
    atomic_store_explicit(&wants[me], 1, memory_order_relaxed);
    BETWEEN(me);
    saw[me] = atomic_load_explicit(&wants[!me], memory_order_relaxed);
    return 0;
}

int main(void)
{
    pthread_t thread, other;
    pthread_once(&once, nothing);
    pthread_rwlock_wrlock(&lock);
    sem_init(&semaphore, 0, 0);
    pthread_spin_init(&spins[0], 0);
    pthread_spin_init(&spins[1], 0);
    pthread_create(&thread, 0, go, 0);
    pthread_create(&other, 0, go, &thread);
    pthread_join(thread, 0);
    pthread_join(other, 0);
    assert(saw[0] || saw[1]);
    pthread_cond_destroy(&condition);
}
