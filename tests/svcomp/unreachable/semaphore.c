/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <assert.h>
#include <semaphore.h>
extern void abort(void);
void reach_error(void)
{
    assert(0);
}

int inside;
sem_t free_places;

void *enter(void *unused)
{
    sem_wait(&free_places);
    inside++;
    if (inside != 1)
        reach_error();
    inside--;
    sem_post(&free_places);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    sem_init(&free_places, 0, 1);
    pthread_create(&a, 0, enter, 0);
    pthread_create(&b, 0, enter, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
