/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* wrong: assert */
/* note: a waiter polls under the mutex, another thread only tries it; wrong: it expects to get it in two tries */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static bool ready;
static int samples;

static void *wait_until_ready(void *arg)
{
    for (;;) {
        pthread_mutex_lock(&m);
        if (ready)
            break;
        pthread_mutex_unlock(&m);
        sched_yield();
    }
    pthread_mutex_unlock(&m);
    return arg;
}

static bool sample(void)
{
    if (pthread_mutex_trylock(&m) != 0)
        return false;
    samples++;
    pthread_mutex_unlock(&m);
    return true;
}

static void *sampler(void *arg)
{
    bool first = sample(), second = sample();
#ifdef WRONG
    assert(first || second);
#endif
    pthread_mutex_lock(&m);
    assert(samples == first + second);
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, wait_until_ready, NULL);
    pthread_create(&two, NULL, sampler, NULL);
    pthread_mutex_lock(&m);
    ready = true;
    pthread_mutex_unlock(&m);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
