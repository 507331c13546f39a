/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: dfs */
/* note: a read-write lock is initialised, used, destroyed, and once more */
#include <pthread.h>
#include <stdlib.h>

int main(void)
{
    pthread_rwlock_t *o = malloc(sizeof *o);
    pthread_rwlock_init(o, NULL);
    pthread_rwlock_rdlock(o);
    pthread_rwlock_unlock(o);
    pthread_rwlock_destroy(o);
    pthread_rwlock_init(o, NULL);
    pthread_rwlock_rdlock(o);
    pthread_rwlock_unlock(o);
    pthread_rwlock_destroy(o);
    free(o);
    return 0;
}
