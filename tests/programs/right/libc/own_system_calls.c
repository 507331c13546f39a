/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
/* note: functions of the C library as the program's own, by system calls, and variables with such names */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int gettid(void)
{
    return (int)syscall(SYS_gettid);
}

int getpid(void)
{
    return (int)syscall(SYS_getpid);
}

ssize_t getrandom(void *to, size_t size, unsigned flags)
{
    return syscall(SYS_getrandom, to, size, flags);
}

int sched_yield(void)
{
    return (int)syscall(SYS_sched_yield);
}

int clock_gettime(clockid_t clock, struct timespec *out)
{
    return (int)syscall(SYS_clock_gettime, clock, out);
}

ssize_t write(int fd, const void *from, size_t size)
{
    return syscall(SYS_write, fd, from, size);
}

int open = 1, stat = 2, kill = 3, wait = 4, mmap = 5;
static atomic_int ready;

static void *work(void *arg)
{
    int random;
    getrandom(&random, sizeof random, 0);
    atomic_store(&ready, getpid() != 0);
    return arg;
}

int main(void)
{
    pthread_t t;
    struct timespec now;
    pthread_create(&t, NULL, work, NULL);
    while (!atomic_load(&ready))
        sched_yield();
    clock_gettime(CLOCK_MONOTONIC, &now);
    pthread_join(t, NULL);
    return open + stat + kill + wait + mmap != 15 || gettid() == 0 || write(1, "x", 0) != 0;
}
