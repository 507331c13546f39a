/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: dfs */
/* note: a mutex is initialised, used, destroyed, and once more */
#include <pthread.h>
#include <stdlib.h>

int main(void)
{
    pthread_mutex_t *o = malloc(sizeof *o);
    pthread_mutex_init(o, NULL);
    pthread_mutex_lock(o);
    pthread_mutex_unlock(o);
    pthread_mutex_destroy(o);
    pthread_mutex_init(o, NULL);
    pthread_mutex_lock(o);
    pthread_mutex_unlock(o);
    pthread_mutex_destroy(o);
    free(o);
    return 0;
}
