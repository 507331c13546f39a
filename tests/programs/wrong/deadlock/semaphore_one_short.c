/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated deadlock */
/* note: a token is lost when both see the flag */
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static sem_t tokens;
static atomic_int taken;

static void *work(void *arg)
{
    (void)arg;
    int first = atomic_load(&taken) == 0;
    atomic_store(&taken, 1);
    if (first)
        sem_wait(&tokens);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    sem_init(&tokens, 0, 1);
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
