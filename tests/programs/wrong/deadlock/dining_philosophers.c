/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated deadlock */
#include <pthread.h>
#include <stdint.h>

static pthread_mutex_t forks[3] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                                   PTHREAD_MUTEX_INITIALIZER};

static void *dine(void *arg)
{
    int left = (int)(intptr_t)arg, right = (left + 1) % 3;
    pthread_mutex_lock(&forks[left]);
    pthread_mutex_lock(&forks[right]);
    pthread_mutex_unlock(&forks[right]);
    pthread_mutex_unlock(&forks[left]);
    return NULL;
}

int main(void)
{
    pthread_t t[3];
    for (intptr_t i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, dine, (void *)i);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    return 0;
}
