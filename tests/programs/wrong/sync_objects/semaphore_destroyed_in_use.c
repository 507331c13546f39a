/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated destroy-in-use|misuse */
/* mode: dfs */
/* note: a post that no thread waited for */
#include <pthread.h>
#include <semaphore.h>

static sem_t s;

static void *work(void *arg)
{
    sem_post(&s);
    return arg;
}

int main(void)
{
    pthread_t t;
    sem_init(&s, 0, 0);
    pthread_create(&t, NULL, work, NULL);
    sem_destroy(&s);
    pthread_join(t, NULL);
    return 0;
}
