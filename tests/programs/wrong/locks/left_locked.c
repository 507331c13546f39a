/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated destroy-in-use */
/* mode: dfs */
/* note: the function returns while a read-write lock on its stack is held */
#include <pthread.h>

static __attribute__((noinline)) int guarded(int *value)
{
    pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
    pthread_rwlock_rdlock(&lock);
    int found = *value;
#ifdef RIGHT
    pthread_rwlock_unlock(&lock);
#endif
    return found;
}

int main(void)
{
    int value = 0;
    return guarded(&value) + guarded(&value);
}
