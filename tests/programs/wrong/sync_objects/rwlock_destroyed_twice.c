/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated misuse */
/* mode: dfs */
/* note: a read-write lock is destroyed twice */
#include <pthread.h>

static pthread_rwlock_t o;

int main(void)
{
    pthread_rwlock_init(&o, NULL);
    pthread_rwlock_rdlock(&o);
    pthread_rwlock_unlock(&o);
    pthread_rwlock_destroy(&o);
    pthread_rwlock_destroy(&o);
    return 0;
}
