/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* wrong: assert */
/* note: two consumers, a queue of two; wrong: a waiter that was woken does not look again */
#include <assert.h>
#include <pthread.h>

enum { SIZE = 2 };

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER, not_full = PTHREAD_COND_INITIALIZER;
static int items[SIZE], count, taken;

static void put(int v)
{
    pthread_mutex_lock(&m);
    while (count == SIZE)
        pthread_cond_wait(&not_full, &m);
    items[count++] = v;
    pthread_cond_signal(&not_empty);
    pthread_mutex_unlock(&m);
}

static int take(void)
{
    pthread_mutex_lock(&m);
#ifdef WRONG
    if (count == 0)
#else
    while (count == 0)
#endif
        pthread_cond_wait(&not_empty, &m);
    assert(count > 0);
    int v = items[--count];
    taken += v;
    pthread_cond_signal(&not_full);
    pthread_mutex_unlock(&m);
    return v;
}

static void *consume(void *arg)
{
    take();
    return arg;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, consume, NULL);
    pthread_create(&two, NULL, consume, NULL);
    put(1);
    put(2);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(taken == 3 && count == 0);
    return 0;
}
