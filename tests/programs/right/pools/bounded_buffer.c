/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: two condition variables, two producers, two consumers, one place */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER, not_empty = PTHREAD_COND_INITIALIZER;
static int buffer[1], in, out, count;

static void put(int item)
{
    pthread_mutex_lock(&lock);
    while (count == 1)
        pthread_cond_wait(&not_full, &lock);
    buffer[in] = item;
    in = (in + 1) % 1;
    count++;
    pthread_cond_signal(&not_empty);
    pthread_mutex_unlock(&lock);
}

static int take(void)
{
    pthread_mutex_lock(&lock);
    while (count == 0)
        pthread_cond_wait(&not_empty, &lock);
    int item = buffer[out];
    out = (out + 1) % 1;
    count--;
    pthread_cond_signal(&not_full);
    pthread_mutex_unlock(&lock);
    return item;
}

static void *produce(void *arg)
{
    put(*(int *)arg);
    return NULL;
}

static void *consume(void *arg)
{
    *(int *)arg = take();
    return NULL;
}

int main(void)
{
    pthread_t t[4];
    int items[2] = {1, 2}, got[2];
    for (int i = 0; i < 2; i++) {
        pthread_create(&t[i], NULL, produce, &items[i]);
        pthread_create(&t[2 + i], NULL, consume, &got[i]);
    }
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], NULL);
    assert(got[0] + got[1] == 3);
    return 0;
}
