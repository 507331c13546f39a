/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated use-after-return */
/* mode: all */
/* only: clang */
/* note: a mutex whose block was left is locked */
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t *lock;

int main(void)
{
    {
        pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;
        lock = &own;
        pthread_mutex_lock(lock);
        pthread_mutex_unlock(lock);
    }
    pthread_mutex_lock(lock);
    return 0;
}
