/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/spec_guard.h"

#include "base/budget.h"
#include "base/terminal.h"
#include "cli/json_document.h"
#include "cli/output.h"
#include "cli/spec_watch.h"
#include "spec/spec_laws.h"
#include "spec/spec_user.h"
#include "target/leftovers.h"
#include "target/process.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
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
static const double LATE_SECONDS = 1;

/* What the child tells. */
struct guard {
    struct spec_watch watch;
    _Atomic uint32_t running;  /* the specification is loaded and keeps the laws */
    _Atomic uint32_t finished; /* about to end by itself */
    _Atomic uint64_t deadline; /* milliseconds of base_now; 0: none */
    _Atomic uint32_t exit;     /* enum cli_exit, of inputs that are done */
    _Atomic uint64_t behind;   /* inputs that come after this one */
    char input[256];           /* what it is about */
};

static struct guard *guard;
static char library[PROTOCOL_PATH];

bool spec_guard_is_file(const char *spec)
{
    size_t length = spec ? strlen(spec) : 0;
    return length > 2 && !strcmp(spec + length - 2, ".c");
}

const char *spec_guard_library(void)
{
    return *library ? library : NULL;
}

void spec_guard_begin(const char *input, double seconds, size_t behind, enum cli_exit exit)
{
    if (!guard)
        return;
    atomic_store(&guard->exit, exit);
    atomic_store(&guard->behind, behind);
    snprintf(guard->input, sizeof guard->input, "%s", input);
    atomic_store(&guard->deadline, seconds > 0 ? (uint64_t)((base_now() + seconds) * 1000) : 0);
}

/* --- the child --------------------------------------------------------------------------------------------------- */

static enum cli_exit tell(const char *file, const struct diagnostic *d)
{
    output_diagnostic(*d->file ? NULL : file, d);
    return d->code == PL_BUILD || d->code == PL_SPEC_FAILED ? EXIT_CANNOT_RUN : EXIT_USAGE;
}

static enum cli_exit load(const char *file, const char *folder)
{
    struct diagnostic d = {0};
    snprintf(library, sizeof library, "%s/" SPEC_USER_LIBRARY, folder);
    if (!target_build_spec(file, library, &d))
        return tell(file, &d);
    spec_watch_begin_loading(&guard->watch);
    bool loaded = spec_user_load(library, &d);
    spec_watch_end_loading();
    if (!loaded)
        return tell(file, &d);
    spec_add(spec_watch(spec_added(), &guard->watch));
    return spec_laws_hold(spec_added(), &d) ? EXIT_HOLDS : tell(file, &d);
}

/* Everything that is left in the folder is removed by the parent. */
static _Noreturn void be_child(const struct spec_guarded *g, const char *folder)
{
    setenv("TMPDIR", folder, 1);
    output_keep_results_apart();
    enum cli_exit exit = load(g->spec, folder);
    if (exit == EXIT_HOLDS) {
        atomic_store(&guard->running, 1);
        exit = g->run(g->context);
    }
    json_document_end(exit);
    exit = output_finish(exit);
    atomic_store(&guard->finished, 1);
    _exit((int)exit);
}

/* --- the parent -------------------------------------------------------------------------------------------------- */

/* Since when a thread of the child has been in the same call. */
struct standstill {
    uint64_t calls;
    double wall, processor; /* 0: it is in none */
};

struct watcher {
    const struct spec_guarded *guarded;
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
    double time = w->guarded->time;
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

/* Ctrl-C reaches the tool only. The child may have something to say then; a second one ends both. */
static struct sigaction usual_interrupt;
static volatile pid_t interruptible;
static volatile sig_atomic_t interrupted;

static void pass_interrupt_on(int number)
{
    if (!interrupted) {
        interrupted = 1;
        kill(interruptible, number);
    } else {
        sigaction(SIGINT, &usual_interrupt, NULL);
        raise(number); /* takes effect when this has returned */
    }
}

static void begin_interrupts(pid_t child)
{
    struct sigaction action = {.sa_handler = pass_interrupt_on, .sa_flags = SA_RESTART};
    sigaction(SIGINT, NULL, &usual_interrupt);
    if (usual_interrupt.sa_handler == SIG_IGN)
        return;
    interruptible = child;
    sigaction(SIGINT, &action, NULL);
}

/* If the child had nothing to say the tool ends as it would without it. */
static void end_interrupts(const siginfo_t *ended)
{
    sigaction(SIGINT, &usual_interrupt, NULL);
    if (interrupted && ended->si_code == CLD_KILLED && ended->si_status == SIGINT)
        raise(SIGINT);
}

/* Until it has ended, or has to be stopped. */
static void watch_child(struct watcher *w, siginfo_t *ended)
{
    struct pollfd end = {.fd = (int)syscall(SYS_pidfd_open, w->child, 0), .events = POLLIN};
    do {
        if (end.fd < 0)
            usleep(20000);
        else
            poll(&end, 1, 100);
        *ended = (siginfo_t){0};
        if (waitid(P_PID, (id_t)w->child, ended, WEXITED | WNOWAIT | WNOHANG) < 0 && errno != EINTR)
            break;
    } while (!ended->si_pid && goes_on(w));
    if (end.fd >= 0)
        close(end.fd);
}

/* Nothing is left out silently. */
static void tell_what_is_left(void)
{
    uint64_t behind = atomic_load(&guard->behind);
    if (behind)
        output_error(PL_SPEC_FAILED, "%" PRIu64 " input%s behind '%.200s' %s not decided", behind,
                     behind == 1 ? "" : "s", guard->input, behind == 1 ? "was" : "were");
}

static uint32_t function_at_the_end(void)
{
    for (uint32_t i = 0; i < SPEC_WATCH_THREADS; i++)
        if (atomic_load(&guard->watch.threads[i].function) != IN_NONE)
            return atomic_load(&guard->watch.threads[i].function);
    return IN_NONE;
}

static enum cli_exit tell_stuck(const struct watcher *w)
{
    struct diagnostic d = {0};
    const char *function = spec_watch_name(w->stuck_in);
    if (w->timed_out) {
        struct text line = {0};
        terminal_add_safe(&line, guard->input);
        diagnostic_set(&d, PL_SPEC_FAILED, 0, 0,
                       "the time limit was met: %s of the specification has not returned", function);
        output_note_error(guard->input, &d);
        text_printf(&line, ": inconclusive (%s)\n", d.message);
        output_text(stdout, &line);
        text_free(&line);
        return EXIT_INCONCLUSIVE;
    }
    diagnostic_set(&d, PL_SPEC_FAILED, 0, 0,
                   "the specification does not come back: %s has not returned for %g s", function,
                   call_limit(w));
    return tell(w->guarded->spec, &d);
}

static enum cli_exit tell_signal(const struct watcher *w, int number)
{
    struct diagnostic d = {0};
    char name[32];
    uint32_t function = function_at_the_end();
    target_signal_name(number, name, sizeof name);
    if (function != IN_NONE)
        diagnostic_set(&d, PL_SPEC_FAILED, 0, 0, "the specification crashed in %s: %s",
                       spec_watch_name(function), name);
    else
        diagnostic_set(
            &d, PL_SPEC_FAILED, 0, 0,
            "%s ended the process that uses the specification, in none of its functions: has it written "
            "over memory that is not its own?",
            name);
    return tell(w->guarded->spec, &d);
}

/* For want of memory, and for bugs. */
static bool is_our_own_end(int status)
{
    return status == EXIT_INCONCLUSIVE || status == EXIT_BUG;
}

static enum cli_exit conclude(const struct watcher *w, const siginfo_t *ended)
{
    if (w->stuck_in)
        return tell_stuck(w);
    if (ended->si_code != CLD_EXITED)
        return tell_signal(w, ended->si_status);
    uint32_t function = function_at_the_end();
    struct diagnostic d = {0};
    if (atomic_load(&guard->finished) && ended->si_status == EXIT_BUG) {
        diagnostic_set(
            &d, PL_BAD_SPEC, 0, 0,
            "answers of the specification contradict each other: it breaks a law in some state that was not "
            "tried when it was loaded, or this is a bug in plumb");
        return tell(w->guarded->spec, &d);
    }
    if (atomic_load(&guard->finished) || (function == IN_NONE && is_our_own_end(ended->si_status)))
        return (enum cli_exit)ended->si_status;
    diagnostic_set(&d, PL_SPEC_FAILED, 0, 0, "the specification ended the process in %s, with exit code %d",
                   function == IN_NONE ? "none of its functions" : spec_watch_name(function),
                   ended->si_status);
    return tell(w->guarded->spec, &d);
}

static enum cli_exit cannot(const char *what)
{
    output_error(PL_CANNOT_RUN, "%s: %s", what, strerror(errno));
    return EXIT_CANNOT_RUN;
}

enum cli_exit spec_guard_run(const struct spec_guarded *guarded)
{
    if (!spec_guard_is_file(guarded->spec))
        return guarded->run(guarded->context);
    guard = mmap(NULL, sizeof *guard, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    char *folder = guard != MAP_FAILED ? leftovers_make_folder() : NULL;
    if (!folder)
        return cannot("cannot make a temporary folder");
    if (guarded->here) {
        enum cli_exit loaded = load(guarded->spec, folder);
        return loaded == EXIT_HOLDS ? guarded->run(guarded->context) : loaded;
    }
    output_flush();
    struct watcher w = {.guarded = guarded, .child = leftovers_fork()};
    if (w.child == 0)
        be_child(guarded, folder);
    if (w.child < 0)
        return cannot("cannot start a process");
    siginfo_t ended = {0};
    begin_interrupts(w.child);
    watch_child(&w, &ended);
    end_interrupts(&ended);
    leftovers_end_group(w.child);
    leftovers_remove_folder(folder);
    enum cli_exit exit = conclude(&w, &ended);
    if (atomic_load(&guard->finished)) {
        json_document_forget();
    } else {
        tell_what_is_left();
        exit = cli_worse_exit(exit, (enum cli_exit)atomic_load(&guard->exit));
    }
    munmap(guard, sizeof *guard);
    guard = NULL;
    return exit;
}
