/* SPDX-License-Identifier: Apache-2.0 */
/* A thread is interrupted when another one wakes up on its processor, wherever it is in its call; others make dozens of calls until
 * it runs again. So the main thread, which has nothing to do while the others run, sleeps and wakes up. The program is not
 * changed, and gets no signals, which calls of the system would answer with EINTR. */
#include "native/native.h"

#include <linux/futex.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum {
    NANOSECONDS_MOST = 50000, /* between two interruptions */
    SLACK = 1000,             /* what the system may add to that */
    MILLISECONDS_QUIET = 20,  /* a long round is disturbed in turns of that */
};

static int64_t milliseconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void sleep_while(uint32_t left, int64_t nanoseconds)
{
    struct timespec t = {nanoseconds / 1000000000, nanoseconds % 1000000000};
    syscall(SYS_futex, &native.left, FUTEX_WAIT_PRIVATE, left, &t, NULL, 0);
}

void native_await_threads(void)
{
    struct native_generator random;
    int slack = prctl(PR_GET_TIMERSLACK);
    int64_t start = milliseconds();
    native_seed(&random, native.round.seed, native.round.number, 0);
    prctl(PR_SET_TIMERSLACK, SLACK);
    for (uint32_t left; (left = atomic_load(&native.left)) < native.round.threads;) {
        int64_t turn = (milliseconds() - start) / MILLISECONDS_QUIET;
        bool quiet = (turn + native.round.disturbed) % 2 == 0;
        sleep_while(left, quiet ? MILLISECONDS_QUIET * 1000000 : 1 + native_below(&random, NANOSECONDS_MOST));
    }
    prctl(PR_SET_TIMERSLACK, slack);
}
