/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: one place, two condition variables, two producers */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER, not_empty = PTHREAD_COND_INITIALIZER;
static int place, full;

static void *producer(void *arg)
{
    pthread_mutex_lock(&lock);
    while (full)
        pthread_cond_wait(&not_full, &lock);
    place = *(int *)arg;
    full = 1;
    pthread_cond_signal(&not_empty);
    pthread_mutex_unlock(&lock);
    return NULL;
}

static int consume(void)
{
    pthread_mutex_lock(&lock);
    while (!full)
        pthread_cond_wait(&not_empty, &lock);
    int value = place;
    full = 0;
    pthread_cond_signal(&not_full);
    pthread_mutex_unlock(&lock);
    return value;
}

int main(void)
{
    pthread_t a, b;
    int one = 1, two = 2;
    pthread_create(&a, NULL, producer, &one);
    pthread_create(&b, NULL, producer, &two);
    assert(consume() + consume() == 3);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
