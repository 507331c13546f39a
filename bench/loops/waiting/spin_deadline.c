/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* wrong: race|assert */
/* note: spins for a millisecond at most; a caller that gave up may not use the answer */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <time.h>

static atomic_int done;
static int answer;

static long now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000L + t.tv_nsec;
}

static bool wait_for_answer(void)
{
    long deadline = now() + 1000000;
    while (!atomic_load_explicit(&done, memory_order_acquire))
        if (now() > deadline)
            return false;
    return true;
}

static void *compute(void *arg)
{
    answer = 42;
    atomic_store_explicit(&done, 1, memory_order_release);
    return arg;
}

int main(void)
{
    pthread_t helper;
    pthread_create(&helper, NULL, compute, NULL);
    bool in_time = wait_for_answer();
#ifdef WRONG
    in_time = true;
#endif
    if (in_time)
        assert(answer == 42);
    pthread_join(helper, NULL);
    assert(answer == 42);
    return 0;
}
