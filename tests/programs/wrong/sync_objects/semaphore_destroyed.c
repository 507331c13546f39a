/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated misuse */
/* mode: dfs */
/* note: a semaphore is used after it was destroyed */
#include <pthread.h>
#include <semaphore.h>

static sem_t o;

int main(void)
{
    sem_init(&o, 0, 1);
    sem_destroy(&o);
    sem_wait(&o);
    sem_post(&o);
    return 0;
}
