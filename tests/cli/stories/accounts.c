/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>

static struct account {
    pthread_mutex_t mutex;
    long balance;
} rent = {PTHREAD_MUTEX_INITIALIZER, 10}, food = {PTHREAD_MUTEX_INITIALIZER, 10},
  fuel = {PTHREAD_MUTEX_INITIALIZER, 10};

static void transfer(struct account *from, struct account *to)
{
    pthread_mutex_lock(&from->mutex);
    pthread_mutex_lock(&to->mutex);
    from->balance--;
    to->balance++;
    pthread_mutex_unlock(&to->mutex);
    pthread_mutex_unlock(&from->mutex);
}

static void *ann(void *arg)
{
    transfer(&rent, &food);
    return arg;
}

static void *bob(void *arg)
{
    transfer(&food, &fuel);
    return arg;
}

static void *cyd(void *arg)
{
    transfer(&fuel, &rent);
    return arg;
}

int main(void)
{
    pthread_t threads[3];
    pthread_create(&threads[0], NULL, ann, NULL);
    pthread_create(&threads[1], NULL, bob, NULL);
    pthread_create(&threads[2], NULL, cyd, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
