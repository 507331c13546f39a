/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: dfs */
/* note: the process ends although threads still wait: for a lock, for a value, for another thread */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int never, locked;

static void *leave(void *arg)
{
    pthread_mutex_lock(&lock);
    atomic_store(&locked, 1);
    exit(0);
    return arg;
}

static void *wait_for_lock(void *arg)
{
    while (!atomic_load(&locked))
        ;
    pthread_mutex_lock(&lock);
    return arg;
}

static void *wait_for_value(void *arg)
{
    while (!atomic_load(&never))
        ;
    return arg;
}

int main(void)
{
    pthread_t t[3];
    pthread_create(&t[0], NULL, leave, NULL);
    pthread_create(&t[1], NULL, wait_for_lock, NULL);
    pthread_create(&t[2], NULL, wait_for_value, NULL);
    pthread_join(t[1], NULL);
}
