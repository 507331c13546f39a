/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated misuse */
/* mode: dfs */
/* note: a semaphore from malloc that was never initialised */
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

int main(void)
{
    sem_t *o = malloc(sizeof *o);
    sem_wait(o);
    sem_post(o);
    free(o);
    return 0;
}
