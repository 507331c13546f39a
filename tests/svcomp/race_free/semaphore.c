/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <semaphore.h>

int message;
sem_t full;

void *send(void *unused)
{
    message = 1;
    sem_post(&full);
    return unused;
}

void *take(void *unused)
{
    sem_wait(&full);
    message++;
    return unused;
}

int main(void)
{
    pthread_t a, b;
    sem_init(&full, 0, 0);
    pthread_create(&a, 0, send, 0);
    pthread_create(&b, 0, take, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
