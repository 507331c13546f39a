/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* note: a semaphore of two lets both in */
#include <pthread.h>
#include <semaphore.h>

static sem_t slots;
int counter;

static void *add(void *arg)
{
    (void)arg;
    sem_wait(&slots);
    counter++;
    sem_post(&slots);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    sem_init(&slots, 0, 2);
    pthread_create(&a, NULL, add, NULL);
    pthread_create(&b, NULL, add, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
