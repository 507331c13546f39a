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
    NANOSECONDS_MOST = 50000,  /* between two interruptions */
    SLACK = 1000,              /* what the system may add to that */
    MICROSECONDS_TURN = 20000, /* of interruptions, or without them */
};

static void sleep_while(uint32_t left, int64_t nanoseconds)
{
    struct timespec t = {nanoseconds / 1000000000, nanoseconds % 1000000000};
    syscall(SYS_futex, &native.left, FUTEX_WAIT_PRIVATE, left, &t, NULL, 0);
}

static uint64_t calls_returned(void)
{
    uint64_t sum = 0;
    for (uint32_t i = 1; i <= native.round.threads; i++)
        sum += atomic_load_explicit(&native.threads[i].slot->returned, memory_order_relaxed);
    return sum;
}

/* Until the next turn. */
static void interrupt_threads(struct native_generator *random, int64_t end)
{
    for (uint32_t left;
         (left = atomic_load(&native.left)) < native.round.threads && native_microseconds() < end;)
        sleep_while(left, 1 + native_below(random, NANOSECONDS_MOST));
}

static void leave_alone(int64_t end)
{
    uint32_t left = atomic_load(&native.left);
    int64_t rest = end - native_microseconds();
    if (left < native.round.threads && rest > 0)
        sleep_while(left, rest * 1000);
}

void native_await_threads(void)
{
    struct native_generator random;
    int slack = prctl(PR_GET_TIMERSLACK);
    uint64_t returned = UINT64_MAX;
    native_seed(&random, native.round.seed, native.round.number, 0);
    prctl(PR_SET_TIMERSLACK, SLACK);
    for (uint32_t turn = native.round.disturbed; atomic_load(&native.left) < native.round.threads; turn++) {
        int64_t end = native_microseconds() + MICROSECONDS_TURN;
        uint64_t before = returned;
        returned = calls_returned();
        /* Where all calls hang the tool sees it by the processors: they have to be idle. */
        if (turn % 2 && returned != before)
            interrupt_threads(&random, end);
        else
            leave_alone(end);
    }
    prctl(PR_SET_TIMERSLACK, slack);
}
