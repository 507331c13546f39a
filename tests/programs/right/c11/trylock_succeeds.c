/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
/* named: other answers of mtx_trylock not tried */
/* note: it may fail although no thread holds the mutex; pthread_mutex_trylock may not */
#include <assert.h>
#include <pthread.h>
#include <threads.h>

int main(void)
{
    pthread_mutex_t p = PTHREAD_MUTEX_INITIALIZER;
    mtx_t m;
    mtx_init(&m, mtx_plain);
    assert(mtx_trylock(&m) == thrd_success);
    assert(pthread_mutex_trylock(&p) == 0);
    mtx_unlock(&m);
    pthread_mutex_unlock(&p);
    mtx_destroy(&m);
    return 0;
}
