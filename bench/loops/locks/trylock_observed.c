/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated */
/* error: assert */
/* note: who polls under a mutex takes it again and again: tries of another thread can fail, succeed, fail, succeed */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static atomic_bool ready;

static void *wait_until_ready(void *arg)
{
    for (;;) {
        pthread_mutex_lock(&m);
        bool now = atomic_load(&ready);
        pthread_mutex_unlock(&m);
        if (now)
            return arg;
    }
}

static bool try_once(void)
{
    if (pthread_mutex_trylock(&m) != 0)
        return false;
    pthread_mutex_unlock(&m);
    return true;
}

int main(void)
{
    pthread_t waiter;
    bool got[4];
    pthread_create(&waiter, NULL, wait_until_ready, NULL);
    for (int i = 0; i < 4; i++)
        got[i] = try_once();
    atomic_store(&ready, true);
    pthread_join(waiter, NULL);
    assert(got[0] || !got[1] || got[2] || !got[3]);
    return 0;
}
