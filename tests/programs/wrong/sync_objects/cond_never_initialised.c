/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated misuse */
/* mode: dfs */
/* note: a condition variable from malloc that was never initialised */
#include <pthread.h>
#include <stdlib.h>

int main(void)
{
    pthread_cond_t *o = malloc(sizeof *o);
    pthread_cond_signal(o);
    free(o);
    return 0;
}
