/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* rc11: violated assert */
/* note: on x86 the locks and unlocks of glibc are locked instructions: the store is seen before the load is made */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static pthread_mutex_t mutexes[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static pthread_rwlock_t locks[2] = {PTHREAD_RWLOCK_INITIALIZER, PTHREAD_RWLOCK_INITIALIZER};
static sem_t semaphores[2];
static atomic_int wants[2];
static int saw[2];

static void want(int me)
{
    atomic_store_explicit(&wants[me], 1, memory_order_relaxed);
}

static void unlock_mutex(int me)
{
    pthread_mutex_lock(&mutexes[me]);
    want(me);
    pthread_mutex_unlock(&mutexes[me]);
}

static void unlock_writer(int me)
{
    pthread_rwlock_wrlock(&locks[me]);
    want(me);
    pthread_rwlock_unlock(&locks[me]);
}

static void unlock_reader(int me)
{
    pthread_rwlock_rdlock(&locks[me]);
    want(me);
    pthread_rwlock_unlock(&locks[me]);
}

static void post(int me)
{
    want(me);
    sem_post(&semaphores[me]);
}

static void (*way)(int);

static void *go(void *argument)
{
    int me = argument != 0;
    way(me);
    saw[me] = atomic_load_explicit(&wants[!me], memory_order_relaxed);
    return 0;
}

int main(void)
{
    static void (*const ways[])(int) = {unlock_mutex, unlock_writer, unlock_reader, post};
    for (int k = 0; k < 4; k++) {
        pthread_t thread;
        way = ways[k];
        wants[0] = wants[1] = 0;
        sem_init(&semaphores[0], 0, 0);
        sem_init(&semaphores[1], 0, 0);
        pthread_create(&thread, 0, go, 0);
        go(&thread);
        pthread_join(thread, 0);
        assert(saw[0] || saw[1]);
        sem_destroy(&semaphores[0]);
        sem_destroy(&semaphores[1]);
    }
}
