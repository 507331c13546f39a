/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: dfs */
/* note: a barrier is initialised, used, destroyed, and once more */
#include <pthread.h>
#include <stdlib.h>

int main(void)
{
    pthread_barrier_t *o = malloc(sizeof *o);
    pthread_barrier_init(o, NULL, 1);
    pthread_barrier_wait(o);
    pthread_barrier_destroy(o);
    pthread_barrier_init(o, NULL, 1);
    pthread_barrier_wait(o);
    pthread_barrier_destroy(o);
    free(o);
    return 0;
}
