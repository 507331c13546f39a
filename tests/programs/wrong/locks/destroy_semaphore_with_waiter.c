/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated destroy-in-use|misuse */
/* note: the waiter is inside, or comes after it is gone */
#include <pthread.h>
#include <semaphore.h>

static sem_t tokens;

static void *waiter(void *arg)
{
    (void)arg;
    sem_wait(&tokens);
    return NULL;
}

int main(void)
{
    pthread_t t;
    sem_init(&tokens, 0, 0);
    pthread_create(&t, NULL, waiter, NULL);
    pthread_detach(t);
    sem_destroy(&tokens);
    return 0;
}
