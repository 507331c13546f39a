/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
/* note: a loop that waits, with nanosleep, clock_nanosleep and sched_yield as system calls */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static atomic_int ready;

static void *work(void *arg)
{
    atomic_store(&ready, 1);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    while (!atomic_load(&ready)) {
        struct timespec span = {0, 1000};
        syscall(SYS_nanosleep, &span, NULL);
        syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, &span, NULL);
        syscall(SYS_sched_yield);
    }
    pthread_join(t, NULL);
    return 0;
}
