/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
/* note: each of these sleeps lets others run and does nothing else, so the loops wait */
#define _GNU_SOURCE
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/select.h>
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
        struct timeval span = {0, 1000};
        select(0, NULL, NULL, NULL, &span);
    }
    while (atomic_load(&ready) != 1) {
        struct timespec span = {0, 1000};
        pselect(0, NULL, NULL, NULL, &span, NULL);
        ppoll(NULL, 0, &span, NULL);
    }
    pthread_join(t, NULL);
    return 0;
}
