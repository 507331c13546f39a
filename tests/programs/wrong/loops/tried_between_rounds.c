/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* mode: all */
/* note: a try fails in one round of the waiting thread, the next one succeeds behind that round */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static atomic_int flag;
static int first, second;

static void *wait_for(void *arg)
{
    int seen;
    do {
        pthread_mutex_lock(&m);
        seen = atomic_load(&flag);
        pthread_mutex_unlock(&m);
    } while (!seen);
    return arg;
}

static void *try_twice(void *arg)
{
    first = pthread_mutex_trylock(&m) == 0;
    second = pthread_mutex_trylock(&m) == 0;
    if (first || second)
        pthread_mutex_unlock(&m);
    atomic_store(&flag, 1);
    return arg;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, wait_for, NULL);
    pthread_create(&t[1], NULL, try_twice, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    assert(!(!first && second));
    return 0;
}
