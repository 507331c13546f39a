/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: dfs */
/* note: a condition variable is initialised, used, destroyed, and once more */
#include <pthread.h>
#include <stdlib.h>

int main(void)
{
    pthread_cond_t *o = malloc(sizeof *o);
    pthread_cond_init(o, NULL);
    pthread_cond_signal(o);
    pthread_cond_destroy(o);
    pthread_cond_init(o, NULL);
    pthread_cond_signal(o);
    pthread_cond_destroy(o);
    free(o);
    return 0;
}
