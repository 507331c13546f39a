/* SPDX-License-Identifier: Apache-2.0 */
#include "ownspec/guard.h"

#include "base/budget.h"
#include "base/interruption.h"
#include "ownspec/spec_laws.h"
#include "ownspec/spec_watch.h"
#include "spec/spec_user.h"
#include "target/build.h"
#include "target/leftovers.h"
#include "target/process.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* A call that takes longer than this is taken for one that never ends: of processor time, and of time in which it
 * computes nothing at all. */
static const double CALL_SECONDS = 10, IDLE_SECONDS = 60;
/* How much later than it should the child may notice itself that its time is up. */
static const double LATE_SECONDS = 0.5;

/* What the child shares with its parent. */
struct guard {
    struct spec_watch watch;
    _Atomic uint32_t running;  /* the specification is loaded and keeps the laws */
    _Atomic uint32_t finished; /* about to end by itself */
    _Atomic uint64_t deadline; /* milliseconds of base_now; 0: none */
    _Atomic int status;        /* of inputs that are done */
    _Atomic uint64_t behind;   /* inputs that come after this one */
    char input[256];           /* what it is about */
};

static struct guard *guard;
static char *folder; /* for everything that the child leaves behind */
static char library[PROTOCOL_PATH];

bool guard_is_file(const char *spec)
{
    size_t length = spec ? strlen(spec) : 0;
    return length > 2 && !strcmp(spec + length - 2, ".c");
}

const char *guard_library(void)
{
    return *library ? library : NULL;
}

void guard_begin(const char *input, double seconds, size_t behind, int status)
{
    if (!guard)
        return;
    atomic_store(&guard->status, status);
    atomic_store(&guard->behind, behind);
    snprintf(guard->input, sizeof guard->input, "%s", input);
    atomic_store(&guard->deadline, seconds > 0 ? (uint64_t)((base_now() + seconds) * 1000) : 0);
}

/* --- loading ----------------------------------------------------------------------------------------------------- */

static bool cannot(struct diagnostic *d, const char *what)
{
    return diagnostic_set(d, PL_CANNOT_RUN, 0, 0, "%s: %s", what, strerror(errno));
}

static bool prepare(struct diagnostic *d)
{
    guard = mmap(NULL, sizeof *guard, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    folder = guard != MAP_FAILED ? leftovers_make_folder() : NULL;
    return folder || cannot(d, "cannot make a temporary folder");
}

bool guard_load(const char *spec, struct diagnostic *d)
{
    if (!folder && !prepare(d))
        return false;
    snprintf(library, sizeof library, "%s/" SPEC_USER_LIBRARY, folder);
    if (!target_build_spec(spec, library, d))
        return false;
    spec_watch_begin_loading(&guard->watch);
    bool loaded = spec_user_load(library, d);
    spec_watch_end_loading();
    if (!loaded)
        return false;
    spec_add(spec_watch(spec_added(), &guard->watch));
    bool lawful = spec_laws_hold(spec_added(), d);
    atomic_store(&guard->running, lawful);
    return lawful;
}

static _Noreturn void be_child(const struct guard_task *task)
{
    setenv("TMPDIR", folder, 1);
    int status = task->run(task->context);
    atomic_store(&guard->finished, 1);
    _exit(status);
}

/* --- the parent -------------------------------------------------------------------------------------------------- */

/* Since when a thread of the child has been in the same call. */
struct standstill {
    uint64_t calls;
    double wall, processor; /* 0: it is in none */
};

struct watcher {
    const struct guard_task *task;
    pid_t child;
    struct standstill threads[SPEC_WATCH_THREADS];
    uint32_t stuck_in; /* enum spec_function, when it was stopped for that */
    bool timed_out;
};

static double processor_seconds(pid_t child)
{
    clockid_t clock;
    struct timespec t = {0};
    if (clock_getcpuclockid(child, &clock) == 0)
        clock_gettime(clock, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static bool is_late(double now)
{
    uint64_t deadline = atomic_load(&guard->deadline);
    return deadline && now * 1000 > (double)deadline + LATE_SECONDS * 1000;
}

/* While its laws are tried, a call that takes all of --time is broken, too. */
static double call_limit(const struct watcher *w)
{
    double time = w->task->time;
    bool shorter = !atomic_load(&guard->running) && time > 0 && time < CALL_SECONDS;
    return shorter ? time : CALL_SECONDS;
}

static void look_at(struct watcher *w, uint32_t thread, double now, double processor)
{
    struct spec_watch_thread *t = &guard->watch.threads[thread];
    struct standstill *s = &w->threads[thread];
    uint32_t function = atomic_load(&t->function);
    uint64_t calls = atomic_load(&t->calls);
    if (function == IN_NONE || calls != s->calls || s->wall == 0) {
        *s = (struct standstill){calls, function == IN_NONE ? 0 : now, processor};
        return;
    }
    double limit = call_limit(w), wall = now - s->wall;
    bool endless = wall > limit && (processor - s->processor > limit / 2 || wall > IDLE_SECONDS);
    bool late = is_late(now) && wall > LATE_SECONDS;
    if (endless || late) {
        w->stuck_in = function;
        w->timed_out = late;
    }
}

/* False: it does not come back. */
static bool goes_on(struct watcher *w)
{
    double now = base_now(), processor = processor_seconds(w->child);
    uint32_t count = atomic_load(&guard->watch.thread_count);
    for (uint32_t i = 0; i < count && i < SPEC_WATCH_THREADS && !w->stuck_in; i++)
        look_at(w, i, now, processor);
    return !w->stuck_in;
}

/* Ctrl-C reaches the tool only. The child may have something to report then; if not, the tool ends as it would without it. */
static void end_interruption(const siginfo_t *ended)
{
    if (ended->si_code == CLD_KILLED && ended->si_status == *interruption_flag())
        interruption_obey(NULL);
    interruption_end();
}

/* Until it has ended, or has to be stopped. */
static void watch_child(struct watcher *w, siginfo_t *ended)
{
    struct pollfd end = {.fd = (int)syscall(SYS_pidfd_open, w->child, 0), .events = POLLIN};
    bool passed_on = false;
    do {
        if (end.fd < 0)
            usleep(20000);
        else
            poll(&end, 1, 100);
        if (!passed_on && interruption_came())
            passed_on = kill(w->child, *interruption_flag()) == 0;
        *ended = (siginfo_t){0};
        if (waitid(P_PID, (id_t)w->child, ended, WEXITED | WNOWAIT | WNOHANG) < 0 && errno != EINTR)
            break;
    } while (!ended->si_pid && goes_on(w));
    if (end.fd >= 0)
        close(end.fd);
}

static uint32_t function_at_the_end(void)
{
    for (uint32_t i = 0; i < SPEC_WATCH_THREADS; i++)
        if (atomic_load(&guard->watch.threads[i].function) != IN_NONE)
            return atomic_load(&guard->watch.threads[i].function);
    return IN_NONE;
}

static void describe_stuck(const struct watcher *w, struct guard_outcome *o)
{
    o->ending = w->timed_out ? GUARD_TIMED_OUT : GUARD_FAILED;
    o->function = spec_watch_name(w->stuck_in);
    if (w->timed_out)
        diagnostic_set(&o->why, PL_SPEC_FAILED, 0, 0,
                       "the time limit was met: %s of the specification has not returned", o->function);
    else
        diagnostic_set(&o->why, PL_SPEC_FAILED, 0, 0,
                       "the specification does not return: %s has not returned for %g s", o->function,
                       call_limit(w));
}

static void describe_signal(int number, struct guard_outcome *o)
{
    char name[32];
    o->ending = GUARD_FAILED;
    target_signal_name(number, name, sizeof name);
    if (o->function)
        diagnostic_set(&o->why, PL_SPEC_FAILED, 0, 0, "the specification crashed in %s: %s", o->function,
                       name);
    else
        diagnostic_set(
            &o->why, PL_SPEC_FAILED, 0, 0,
            "%s ended the process that uses the specification, in none of its functions: has it written "
            "over memory that is not its own?",
            name);
}

static void describe_exit(int status, struct guard_outcome *o)
{
    o->ending = atomic_load(&guard->finished) ? GUARD_FINISHED : GUARD_EXITED;
    o->status = status;
    diagnostic_set(&o->why, PL_SPEC_FAILED, 0, 0,
                   "the specification ended the process in %s, with exit code %d",
                   o->function ? o->function : "none of its functions", status);
}

static void describe_ending(const struct watcher *w, const siginfo_t *ended, struct guard_outcome *o)
{
    uint32_t function = function_at_the_end();
    *o = (struct guard_outcome){.function = function == IN_NONE ? NULL : spec_watch_name(function),
                                .behind = atomic_load(&guard->behind),
                                .status_before = atomic_load(&guard->status)};
    memcpy(o->input, guard->input, sizeof o->input);
    if (w->stuck_in)
        describe_stuck(w, o);
    else if (ended->si_code != CLD_EXITED)
        describe_signal(ended->si_status, o);
    else
        describe_exit(ended->si_status, o);
}

bool guard_run(const struct guard_task *task, struct guard_outcome *o, struct diagnostic *d)
{
    if (!prepare(d))
        return false;
    struct watcher w = {.task = task, .child = leftovers_fork()};
    if (w.child == 0)
        be_child(task);
    if (w.child < 0)
        return cannot(d, "cannot start a process");
    siginfo_t ended = {0};
    interruption_begin();
    watch_child(&w, &ended);
    end_interruption(&ended);
    leftovers_end_group(w.child);
    leftovers_remove_folder(folder);
    folder = NULL;
    describe_ending(&w, &ended, o);
    munmap(guard, sizeof *guard);
    guard = NULL;
    return true;
}
