/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: dfs */
/* note: a semaphore is initialised, used, destroyed, and once more */
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

int main(void)
{
    sem_t *o = malloc(sizeof *o);
    sem_init(o, 0, 1);
    sem_wait(o);
    sem_post(o);
    sem_destroy(o);
    sem_init(o, 0, 1);
    sem_wait(o);
    sem_post(o);
    sem_destroy(o);
    free(o);
    return 0;
}
