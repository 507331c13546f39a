/* SPDX-License-Identifier: Apache-2.0 */
/* Timers that send signals. Real time passes while executions are explored: a timer set in one of them would go off in
 * another, and one of ours finds loops that do not end. */
#include "rt/hook.h"

#include <signal.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

/* A timer whose signal has no handler is there to end a program that hangs: the runtime does that better. What a handler
 * would do at any moment is not explored. */
static void ignore_timer(const char *what, int number, const void *pc)
{
    struct sigaction action;
    bool handled = sigaction(number, NULL, &action) != 0 ||
                   (action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN);
    if (handled)
        engine_give_up(pc, "%s with a handler of its signal", what);
}

REPLACE_BY(unsigned, alarm, (seconds), unsigned seconds)
{
    if (seconds)
        ignore_timer("alarm", SIGALRM, CALLER);
    return 0;
}

REPLACE_BY(useconds_t, ualarm, (value, interval), useconds_t value, useconds_t interval)
{
    if (value)
        ignore_timer("ualarm", SIGALRM, CALLER);
    return 0;
}

/* SIGVTALRM has a handler, the worker's own: only the two others can be without one. */
REPLACE_BY(int, setitimer, (which, value, old), __itimer_which_t which, const struct itimerval *value,
           struct itimerval *old)
{
    if (old)
        *old = (struct itimerval){0};
    if (value && (value->it_value.tv_sec || value->it_value.tv_usec))
        ignore_timer("setitimer",
                     which == ITIMER_REAL      ? SIGALRM
                     : which == ITIMER_VIRTUAL ? SIGVTALRM
                                               : SIGPROF,
                     CALLER);
    return 0;
}

EXPORT int timer_create(clockid_t clock, struct sigevent *event, timer_t *timer)
{
    if (engine_active)
        engine_give_up(CALLER, "timer_create");
    return NEXT(timer_create)(clock, event, timer);
}
