/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated misuse */
/* mode: dfs */
/* note: a barrier from malloc that was never initialised */
#include <pthread.h>
#include <stdlib.h>

int main(void)
{
    pthread_barrier_t *o = malloc(sizeof *o);
    pthread_barrier_wait(o);
    free(o);
    return 0;
}
