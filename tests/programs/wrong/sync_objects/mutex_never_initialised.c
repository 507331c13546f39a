/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated misuse */
/* mode: dfs */
/* note: a mutex from malloc that was never initialised */
#include <pthread.h>
#include <stdlib.h>

int main(void)
{
    pthread_mutex_t *o = malloc(sizeof *o);
    pthread_mutex_lock(o);
    pthread_mutex_unlock(o);
    free(o);
    return 0;
}
