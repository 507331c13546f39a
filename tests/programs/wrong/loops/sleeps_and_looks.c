/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* mode: all */
/* note: a thread sleeps until it is allowed to go on, and looks at how long that took: rounds in which it only sleeps are not alike */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

static atomic_int ready;

static void *wait(void *arg)
{
    time_t start = time(NULL);
    while (!atomic_load_explicit(&ready, memory_order_acquire))
        sleep(1);
    assert(time(NULL) - start < 3);
    return arg;
}

static void *allow(void *arg)
{
    atomic_store_explicit(&ready, 1, memory_order_release);
    return arg;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, wait, NULL);
    pthread_create(&two, NULL, allow, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
