/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated */
/* error: deadlock|livelock|endless */
/* note: a thread leaves without unlocking when it has nothing to do; the other one backs off forever */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static atomic_int jobs;

static void *post_and_clean(void *arg)
{
    atomic_store(&jobs, 1);
    pthread_mutex_lock(&b);
    if (atomic_exchange(&jobs, 0) == 0)
        return arg;
    pthread_mutex_unlock(&b);
    return arg;
}

static void *take(void *arg)
{
    for (;;) {
        pthread_mutex_lock(&a);
        if (pthread_mutex_trylock(&b) == 0)
            break;
        pthread_mutex_unlock(&a);
        sched_yield();
    }
    atomic_exchange(&jobs, 0);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return arg;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, post_and_clean, NULL);
    pthread_create(&two, NULL, take, NULL);
    atomic_exchange(&jobs, 0);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
