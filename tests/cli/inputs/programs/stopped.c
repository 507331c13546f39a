/* SPDX-License-Identifier: Apache-2.0 */
/* One thread fails; two others wait for each other, whether it does or not. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void *lock_both(void *first)
{
    pthread_mutex_t *second = first == &a ? &b : &a;
    pthread_mutex_lock(first);
    pthread_mutex_lock(second);
    pthread_mutex_unlock(second);
    pthread_mutex_unlock(first);
    return NULL;
}

static void *fail(void *unused)
{
    assert(unused);
    return unused;
}

int main(void)
{
    pthread_t threads[3];
    pthread_create(&threads[0], NULL, fail, NULL);
    pthread_create(&threads[1], NULL, lock_both, &a);
    pthread_create(&threads[2], NULL, lock_both, &b);
    for (int k = 0; k < 3; k++)
        pthread_join(threads[k], NULL);
    return 0;
}
