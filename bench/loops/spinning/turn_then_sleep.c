/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* wrong: race|assert */
/* note: threads take turns; who waits long goes to a mutex; wrong: the mutex alone is not what the others take */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef SPINS
#define SPINS 1000
#endif

static atomic_int turn;
static pthread_mutex_t patience = PTHREAD_MUTEX_INITIALIZER;
static int total;

static void *run(void *arg)
{
    int me = (int)(long)arg;
    int left = SPINS;
    while (atomic_load_explicit(&turn, memory_order_acquire) != me && --left)
        ;
    if (!left) {
        pthread_mutex_lock(&patience);
#ifndef WRONG
        while (atomic_load_explicit(&turn, memory_order_acquire) != me)
            ;
#endif
        pthread_mutex_unlock(&patience);
    }
    total++;
    atomic_store_explicit(&turn, me + 1, memory_order_release);
    return arg;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, run, (void *)0);
    pthread_create(&two, NULL, run, (void *)1);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(total == 2);
    return 0;
}
