/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* mode: all */
/* note: tries fail, succeed and fail: they come between rounds and within two of them */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static atomic_int flag;
static int first, second, third;

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

static void *try_thrice(void *arg)
{
    first = pthread_mutex_trylock(&m) == 0;
    if (first)
        pthread_mutex_unlock(&m);
    second = pthread_mutex_trylock(&m) == 0;
    if (second)
        pthread_mutex_unlock(&m);
    third = pthread_mutex_trylock(&m) == 0;
    if (third)
        pthread_mutex_unlock(&m);
    atomic_store(&flag, 1);
    return arg;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, wait_for, NULL);
    pthread_create(&t[1], NULL, try_thrice, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    assert(!(!first && second && !third));
    return 0;
}
