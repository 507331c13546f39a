/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: dfs */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t lock;
static int counter;

static void *add(void *arg)
{
    (void)arg;
    sem_wait(&lock);
    counter++;
    sem_post(&lock);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    int value;
    sem_init(&lock, 0, 1);
    pthread_create(&a, NULL, add, NULL);
    pthread_create(&b, NULL, add, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(counter == 2);
    assert(sem_getvalue(&lock, &value) == 0 && value == 1);
    return sem_destroy(&lock);
}
