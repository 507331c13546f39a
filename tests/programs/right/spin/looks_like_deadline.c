/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: no spin: the clock ends it */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

static atomic_int never;

static long now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000L + t.tv_nsec;
}

static void *patient(void *arg)
{
    long limit = now() + 2000;
    (void)arg;
    while (!atomic_load(&never))
        if (now() >= limit)
            return NULL;
    assert(0);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, patient, NULL);
    pthread_join(t, NULL);
    return 0;
}
