/* SPDX-License-Identifier: Apache-2.0 */
/* A consumer wakes another consumer instead of the producer, and ends. */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER, emptied = PTHREAD_COND_INITIALIZER;
static int count;

static void *put_twice(void *unused)
{
    for (int k = 0; k < 2; k++) {
        pthread_mutex_lock(&lock);
        while (count == 1)
            pthread_cond_wait(&emptied, &lock);
        count++;
        pthread_cond_signal(&filled);
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

static void *get(void *unused)
{
    pthread_mutex_lock(&lock);
    while (count == 0)
        pthread_cond_wait(&filled, &lock);
    count--;
    pthread_cond_signal(&filled);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t threads[3];
    pthread_create(&threads[0], NULL, put_twice, NULL);
    for (int k = 1; k < 3; k++)
        pthread_create(&threads[k], NULL, get, NULL);
    for (int k = 0; k < 3; k++)
        pthread_join(threads[k], NULL);
    return 0;
}
