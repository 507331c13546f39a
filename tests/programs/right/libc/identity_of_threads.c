/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <sys/types.h>
#include <unistd.h>

static pid_t other;

static void *work(void *arg)
{
    (void)arg;
    other = gettid();
    assert(gettid() == other);
    assert(sched_getcpu() >= 0);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pid_t process = getpid();
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    assert(other != gettid() && getpid() == process);
    return 0;
}
