/* SPDX-License-Identifier: Apache-2.0 */
#include "target/process.h"

#include "base/budget.h"
#include "base/hash.h"
#include "base/text.h"
#include "base/vec.h"
#include "target/ending.h"
#include "target/launch.h"
#include "target/leftovers.h"
#include "target/pool.h"
#include "target/worker_memory.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    TICK_MS = 100,
    STARVED_STALLS = 3,
};
static const double DEFAULT_STALL_SECONDS = 10;
static const double BLOCKED_SECONDS = 2; /* asleep all the time: something made the process wait */

struct target_worker {
    struct worker_shared *shared;
    struct worker_config asked; /* as it was when it was started */
    uint64_t key;               /* with which the runtime signs */
    pid_t pid;
    int exit_descriptor; /* readable once the process ended; -1: the kernel has none */
    struct launch_output output;
    uint64_t progress_seen; /* value of progress_of, and when it was new */
    double progress_time;
    double progress_processor; /* seconds of processor time it had used then */
    double asleep_since;       /* it has been found so at every look since then; 0: not */
    bool was_asked;            /* where it is blocked */
    bool returned;             /* its end was returned by target_wait */
    struct target_end end;
};

/* --- starting ------------------------------------------------------------------------------------ */

static bool start_worker(struct target_worker *worker, int memory, const struct target_program *program,
                         const struct target_run *run)
{
    worker->shared = memory < 0 ? NULL : worker_memory_map(memory, program, run);
    if (!worker->shared)
        return false;
    worker->asked = worker->shared->config;
    worker->key = sign_off_issue(&worker->shared->sign_off);
    struct launch launch = {.path = program->path,
                            .arguments = program->arguments,
                            .given = {memory, run->pool ? run->pool->descriptor : -1},
                            .variable = PROTOCOL_VARIABLE,
                            .same_addresses = true};
    worker->pid = launch_program(&launch, &worker->output.descriptor);
    if (worker->pid < 0)
        return false;
    worker->exit_descriptor = launch_move_up((int)syscall(SYS_pidfd_open, worker->pid, 0));
    worker->progress_time = base_now();
    return true;
}

struct target_worker *target_start(const struct target_program *program, const struct target_run *run,
                                   struct diagnostic *why)
{
    struct target_worker *worker = NEW(struct target_worker);
    int memory = worker_memory_create();
    worker->exit_descriptor = worker->output.descriptor = worker->pid = -1;
    bool started = start_worker(worker, memory, program, run);
    int error = errno;
    launch_close(&memory);
    if (started)
        return worker;
    target_free(worker);
    *why = (struct diagnostic){0};
    diagnostic_set(why, PL_CANNOT_RUN, 0, 0, "cannot start %s: %s", program->path, strerror(error));
    return NULL;
}

/* --- ending -------------------------------------------------------------------------------------- */

static bool is_running(const struct target_worker *worker)
{
    return worker->end.outcome == TARGET_RUNNING;
}

static void finish(struct target_worker *worker, const siginfo_t *ended, enum ending_cause cause)
{
    leftovers_end_group(worker->pid);
    launch_read_output(&worker->output);
    launch_close(&worker->output.descriptor);
    launch_close(&worker->exit_descriptor);
    bool exited = ended->si_code == CLD_EXITED;
    struct ending_facts facts = {.cause = cause,
                                 .exit_code = exited ? ended->si_status : -1,
                                 .signal = exited ? 0 : ended->si_status,
                                 .asked = &worker->asked,
                                 .key = worker->key};
    uint64_t lost;
    facts.output = target_output(worker, &facts.output_length, &lost);
    worker->end = ending_judge(worker->shared, &facts);
}

static void kill_worker(struct target_worker *worker, enum ending_cause cause)
{
    siginfo_t ended;
    if (launch_has_ended(worker->pid, &ended)) {
        finish(worker, &ended, ENDING_ITSELF);
        return;
    }
    kill(-worker->pid, SIGKILL);
    while (waitid(P_PID, (id_t)worker->pid, &ended, WEXITED | WNOWAIT) < 0 && errno == EINTR) {
    }
    finish(worker, &ended, cause);
}

void target_stop(struct target_worker *worker)
{
    if (is_running(worker))
        kill_worker(worker, ENDING_STOPPED);
}

void target_free(struct target_worker *worker)
{
    if (!worker)
        return;
    if (worker->pid > 0)
        target_stop(worker);
    worker_memory_unmap(worker->shared);
    text_free(&worker->output.text);
    free(worker);
}

/* --- waiting ------------------------------------------------------------------------------------- */

static uint64_t progress_of(const struct target_worker *worker)
{
    const struct worker_shared *shared = worker->shared;
    return hash_combine(hash_combine(shared->executions, shared->steps),
                        hash_combine(shared->beats, shared->state));
}

static void note_progress(struct target_worker *worker, double now)
{
    uint64_t progress = progress_of(worker);
    if (progress != worker->progress_seen) {
        worker->progress_seen = progress;
        worker->progress_time = now;
        worker->progress_processor = launch_processor_seconds(worker->pid);
    }
}

/* On a busy machine a worker that computes may just not have had its turn. */
static bool is_stalled(const struct target_worker *worker, double now, double stall_seconds)
{
    double quiet = now - worker->progress_time;
    if (quiet < stall_seconds)
        return false;
    double used = launch_processor_seconds(worker->pid) - worker->progress_processor;
    bool is_starved = used > stall_seconds / 100 && used < stall_seconds / 2;
    return !is_starved || quiet > STARVED_STALLS * stall_seconds;
}

/* "123 (name) S ...": a name may have parentheses, too. */
static bool is_asleep(pid_t pid)
{
    char path[64], line[256];
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    FILE *file = fopen(path, "re");
    char *end = file && fgets(line, sizeof line, file) ? strrchr(line, ')') : NULL;
    if (file)
        fclose(file);
    return end && end[1] == ' ' && end[2] == 'S';
}

/* A worker never sleeps in an execution, unless a library, or a call that is not replaced, makes it wait for something
 * that will never happen. It is asked to say where. */
static void ask_if_blocked(struct target_worker *worker, double now)
{
    uint32_t state = worker->shared->state;
    bool in_program = state == WORKER_RUNNING || state == WORKER_SETUP;
    if (!in_program || now - worker->progress_time < BLOCKED_SECONDS / 4 || !is_asleep(worker->pid)) {
        worker->asleep_since = 0;
        return;
    }
    if (worker->asleep_since == 0)
        worker->asleep_since = now;
    if (now - worker->asleep_since < BLOCKED_SECONDS || worker->was_asked)
        return;
    worker->was_asked = true;
    syscall(SYS_tgkill, worker->pid, worker->pid, PROTOCOL_BLOCKED_SIGNAL);
}

/* Looks once at a running worker. True: it has ended now. */
static bool look_at(struct target_worker *worker, double now, double stall_seconds)
{
    siginfo_t ended;
    launch_read_output(&worker->output);
    if (launch_has_ended(worker->pid, &ended)) {
        finish(worker, &ended, ENDING_ITSELF);
        return true;
    }
    note_progress(worker, now);
    ask_if_blocked(worker, now);
    if (!is_stalled(worker, now, stall_seconds))
        return false;
    kill_worker(worker, ENDING_STALLED);
    return true;
}

/* Sleeps until a worker ends or prints, at most `milliseconds`. */
static void sleep_for_news(struct target_worker *const *workers, size_t count, int milliseconds)
{
    VEC(struct pollfd) watched = {0};
    for (size_t i = 0; i < count; i++) {
        if (!is_running(workers[i]))
            continue;
        /* poll passes over descriptors that are -1 */
        vec_push(&watched, ((struct pollfd){.fd = workers[i]->exit_descriptor, .events = POLLIN}));
        vec_push(&watched, ((struct pollfd){.fd = workers[i]->output.descriptor, .events = POLLIN}));
        if (workers[i]->exit_descriptor < 0 && milliseconds > TICK_MS / 10)
            milliseconds = TICK_MS / 10;
    }
    poll(watched.data, watched.len, milliseconds);
    vec_free(&watched);
}

/* One round over all workers: one that has ended and was not returned before, or null; *running: any left. */
static struct target_worker *look_at_all(struct target_worker *const *workers, size_t count,
                                         double stall_seconds, bool *running)
{
    double now = base_now();
    *running = false;
    for (size_t i = 0; i < count; i++) {
        if (is_running(workers[i]) && !look_at(workers[i], now, stall_seconds)) {
            *running = true;
        } else if (!workers[i]->returned) {
            workers[i]->returned = true;
            return workers[i];
        }
    }
    return NULL;
}

/* Time that the tool spent elsewhere, reading no output, is not the workers' fault. */
static void restart_watchdogs(struct target_worker *const *workers, size_t count)
{
    double now = base_now();
    for (size_t i = 0; i < count; i++)
        workers[i]->progress_time = now, workers[i]->asleep_since = 0;
}

static void stop_all(struct target_worker *const *workers, size_t count)
{
    for (size_t i = 0; i < count; i++)
        target_stop(workers[i]);
}

static int milliseconds_until(double moment, double now)
{
    double left = (moment - now) * 1000 + 1;
    return left < 0 ? 0 : left > TICK_MS ? TICK_MS : (int)left;
}

/* Is it time for the end? Calls the progress function when it is due. */
static bool is_over(const struct target_watch *watch, double *next_tick)
{
    double now = base_now();
    if (watch->deadline > 0 && now >= watch->deadline)
        return true;
    if (now < *next_tick)
        return false;
    bool go_on = !watch->progress || watch->progress(watch->context);
    *next_tick = base_now() + TICK_MS / 1000.0;
    return !go_on;
}

struct target_worker *target_wait(struct target_worker *const *workers, size_t count,
                                  const struct target_watch *watch)
{
    double stall = watch->stall_seconds > 0 ? watch->stall_seconds : DEFAULT_STALL_SECONDS;
    double next_tick = base_now() + TICK_MS / 1000.0;
    restart_watchdogs(workers, count);
    for (;;) {
        bool running;
        struct target_worker *ended = look_at_all(workers, count, stall, &running);
        if (ended || !running)
            return ended;
        if (is_over(watch, &next_tick)) {
            stop_all(workers, count);
            continue;
        }
        double wake = watch->deadline > 0 && watch->deadline < next_tick ? watch->deadline : next_tick;
        sleep_for_news(workers, count, milliseconds_until(wake, base_now()));
    }
}

/* --- asking -------------------------------------------------------------------------------------- */

const struct target_end *target_end_of(const struct target_worker *worker)
{
    return &worker->end;
}

const struct worker_config *target_config(const struct target_worker *worker)
{
    return &worker->asked;
}

struct worker_shared *target_shared(const struct target_worker *worker)
{
    return worker->shared;
}

struct target_run target_replay_of(const struct worker_shared *found)
{
    struct target_run run = {
        .config = found->config, .schedule = found->schedule, .schedule_count = found->choice_count};
    if (run.config.mode == WORKER_REPLAY) /* it leaves its schedule as it was */
        run.schedule_count = run.config.schedule_count;
    run.config.mode = WORKER_REPLAY;
    run.config.loops = run.config.returns = 0; /* what is recorded says where threads stop */
    run.config.first_known = run.config.suspects = 0;
    run.config.expected_hash = found->event_hash;
    return run;
}

const char *target_output(struct target_worker *worker, size_t *length, uint64_t *lost)
{
    *length = worker->output.text.len;
    *lost = worker->output.lost;
    return worker->output.text.data ? worker->output.text.data : "";
}
