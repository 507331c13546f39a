/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated misuse */
/* mode: dfs */
/* note: the writer locks again */
#include <pthread.h>

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;

int main(void)
{
    pthread_rwlock_wrlock(&l);
    pthread_rwlock_wrlock(&l);
    pthread_rwlock_unlock(&l);
    return 0;
}
