/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
/* note: threads that only sleep, and yield, until the process ends */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int started;

static void *sleep_on(void *unused)
{
    atomic_fetch_add(&started, 1);
    for (;;)
        sleep(1);
    return unused;
}

static void *sleep_and_yield(void *unused)
{
    atomic_fetch_add(&started, 1);
    for (;;) {
        usleep(10);
        sched_yield();
    }
    return unused;
}

int main(void)
{
    pthread_t one, other;
    pthread_create(&one, NULL, sleep_on, NULL);
    pthread_create(&other, NULL, sleep_and_yield, NULL);
    assert(atomic_load(&started) <= 2);
    return 0;
}
