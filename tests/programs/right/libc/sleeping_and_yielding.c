/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: a sleep orders nothing: only the atomic decides */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

static atomic_int ready;
static int data;

static void *slow(void *arg)
{
    (void)arg;
    usleep(10);
    data = 1;
    nanosleep(&(struct timespec){.tv_nsec = 1000}, NULL);
    atomic_store(&ready, 1);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, slow, NULL);
    struct timespec left;
    assert(clock_nanosleep(CLOCK_MONOTONIC, 0, &(struct timespec){.tv_nsec = 5000}, &left) == 0);
    while (!atomic_load(&ready))
        sched_yield();
    assert(data == 1);
    pthread_join(t, NULL);
    return 0;
}
