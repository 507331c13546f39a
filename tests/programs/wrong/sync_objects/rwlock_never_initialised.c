/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated misuse */
/* mode: dfs */
/* note: a read-write lock from malloc that was never initialised */
#include <pthread.h>
#include <stdlib.h>

int main(void)
{
    pthread_rwlock_t *o = malloc(sizeof *o);
    pthread_rwlock_rdlock(o);
    pthread_rwlock_unlock(o);
    free(o);
    return 0;
}
