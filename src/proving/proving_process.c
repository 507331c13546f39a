/* SPDX-License-Identifier: Apache-2.0 */
/* The process in which the search, or a replay, runs. */
#include "base/budget.h"
#include "base/interruption.h"
#include "proving/proving.h"
#include "seal/sealed_memory.h"
#include "target/launch.h"
#include "target/leftovers.h"
#include "target/process.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { INTERNAL_ERROR = 70 }; /* how a failed CHECK ends a process */
/* It ends by itself when time is up, unless a step takes long: then it is asked to, and ended. */
static const double LOOK_SECONDS = 0.02, LATE_SECONDS = 0.2, MERCY_SECONDS = 5, MERCY_LEAST = 0.6,
                    MERCY_PART = 0.1; /* of the limit */

struct running {
    pid_t pid;
    struct launch_output output;
    struct prove_shared *shared;
    uint64_t key;   /* with which it signs its answer */
    bool overwrote; /* the program, what it shares with the tool */
    siginfo_t ended;
    double started, stopped; /* stopped: when it was asked to, or 0 */
    double limit;            /* seconds; 0: none */
};

/* Memory with the question in it, which stays mapped in r->shared; -1: none. */
static int share(struct running *r, const struct prove_shared *question)
{
    int memory = launch_move_up(sealed_memory_create("plumb-prove", sizeof *r->shared));
    void *mapped = memory < 0 ? MAP_FAILED
                              : mmap(NULL, sizeof *r->shared, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0);
    if (mapped != MAP_FAILED) {
        r->shared = mapped;
        memcpy(r->shared, question, sizeof *question);
        r->shared->magic = PROVE_MAGIC;
        r->key = sign_off_issue(&r->shared->sign_off);
    }
    return memory;
}

static bool start(struct running *r, const char *path, const struct prove_shared *question)
{
    int memory = share(r, question);
    if (memory < 0)
        return false;
    if (r->shared) {
        struct launch launch = {.path = path,
                                .given = {memory, -1},
                                .variable = PROVE_VARIABLE,
                                .same_addresses = true,
                                .first_to_go = true};
        r->pid = launch_program(&launch, &r->output.descriptor);
    }
    close(memory);
    return r->pid > 0;
}

static void ask_to_stop(struct running *r)
{
    r->shared->stop = 1;
    r->stopped = r->stopped > 0 ? r->stopped : base_now();
}

/* How long it has to say what it found, after it was asked to stop. */
static double mercy(double limit)
{
    double seconds = MERCY_LEAST + limit * MERCY_PART;
    return limit > 0 && seconds < MERCY_SECONDS ? seconds : MERCY_SECONDS;
}

/* Watches it until it has ended, or has to be ended. */
static bool wait_for_end(struct proving *p, struct running *r)
{
    double limit = r->limit;
    while (!launch_has_ended(r->pid, &r->ended)) {
        double now = base_now();
        launch_read_output(&r->output);
        if (interruption_came() || (limit > 0 && now - r->started > limit + LATE_SECONDS))
            ask_to_stop(r);
        if (r->stopped > 0 && now - r->stopped > mercy(limit))
            return false;
        if (p->listener.progress)
            p->listener.progress(p->listener.context, r->shared->pairs, r->shared->frontier,
                                 now - r->started);
        usleep((useconds_t)(LOOK_SECONDS * 1e6));
    }
    return true;
}

/* Nothing of it writes to the memory any more. */
static void end_processes(struct running *r)
{
    if (r->pid > 0)
        leftovers_end_group(r->pid);
    r->pid = -1;
}

static void finish(struct running *r)
{
    end_processes(r);
    launch_close(&r->output.descriptor);
    text_free(&r->output.text);
    if (r->shared)
        munmap(r->shared, sizeof *r->shared);
}

/* The program may have written anything: texts end, and numbers are within bounds. */
static void tidy(struct prove_shared *s)
{
    s->uncounted[sizeof s->uncounted - 1] = s->message[sizeof s->message - 1] = s->file[sizeof s->file - 1] =
        s->spec[sizeof s->spec - 1] = 0;
    for (unsigned i = 0; i < PROVE_OPERATIONS_MAX; i++)
        s->operations[i][PROVE_NAME - 1] = 0;
    if (s->operation_count > PROVE_OPERATIONS_MAX)
        s->operation_count = PROVE_OPERATIONS_MAX;
    if (s->event_count > PROVE_EVENTS_MAX)
        s->event_count = PROVE_EVENTS_MAX;
    if (s->allocation_count > PROVE_ALLOCATIONS_MAX)
        s->allocation_count = PROVE_ALLOCATIONS_MAX;
    if (s->taken_count > PROVE_TAKEN_MAX)
        s->taken_count = PROVE_TAKEN_MAX;
    /* One that was refused did not come to its operations: the events are those that it was given */
    uint32_t operations = s->phase == PROVE_REFUSED ? PROVE_OPERATIONS_MAX : s->operation_count;
    for (uint32_t i = 0; i < s->event_count; i++) {
        s->events[i].thread %= PROVE_MOST_THREADS;
        if (s->events[i].op >= operations)
            s->events[i].op = 0;
    }
}

/* What it was asked, but for what it may choose itself. False: there was more that differed. */
static bool restore_question(struct prove_shared *s, const struct prove_question *asked)
{
    struct prove_question found = s->question;
    s->question = *asked;
    s->question.inside = found.inside;
    s->question.no_liveness = found.no_liveness;
    return memcmp(&s->question, &found, sizeof found) == 0;
}

/* Takes what it left, and looks whether the program has set it. */
static void take_answer(struct running *r, struct prove_shared *to)
{
    const struct prove_question asked = to->question;
    memcpy(to, r->shared, sizeof *to);
    struct sign_off_part parts[PROVE_SIGNED_PARTS];
    prove_signed_parts(to, &to->answer, parts);
    bool is_signed = sign_off_is_valid(&to->sign_off, r->key, parts, PROVE_SIGNED_PARTS);
    bool is_as_asked = restore_question(to, &asked),
         is_final = to->phase == PROVE_DONE || to->phase == PROVE_REFUSED;
    r->overwrote = is_final && !(is_signed && is_as_asked);
    tidy(to);
    memcpy(r->shared, to, sizeof *to);
}

static bool refuse(struct proving *p, const struct prove_shared *s)
{
    diagnostic_set(&p->error, PL_HARNESS, s->line, 0, "%s", s->message);
    if (*s->file)
        snprintf(p->error.file, sizeof p->error.file, "%s", s->file);
    return false;
}

static bool is_impossible(const struct prove_shared *s)
{
    return s->phase == PROVE_DONE && s->question.mode == PROVE_SEARCH && s->answer == PROVE_HOLDS &&
           (s->states == 0 || s->pairs == 0);
}

static bool judge_end(struct proving *p, const struct running *r, bool has_ended)
{
    const struct prove_shared *s = r->shared;
    if (r->overwrote) {
        snprintf(p->why, sizeof p->why,
                 "the program wrote over memory of the runtime: its result has no valid signature");
        return false;
    }
    if (s->phase == PROVE_REFUSED)
        return refuse(p, s);
    if (is_impossible(s))
        return diagnostic_set(&p->error, PL_INTERNAL, 0, 0,
                              "the search says that it holds without any state");
    if (has_ended && s->phase == PROVE_DONE)
        return true;
    if (!has_ended)
        snprintf(p->why, sizeof p->why, "%s", interruption_or_time());
    else if (s->phase == PROVE_STARTING)
        return diagnostic_set(&p->error, PL_CANNOT_RUN, 0, 0,
                              "the program does not come to its operations: it ended before that%s%.*s",
                              r->output.text.len ? ": " : "", (int)r->output.text.len,
                              r->output.text.data ? r->output.text.data : "");
    else if (r->ended.si_code == CLD_EXITED && r->ended.si_status == INTERNAL_ERROR)
        return diagnostic_set(&p->error, PL_INTERNAL, 0, 0, "the search failed: %.*s",
                              (int)r->output.text.len, r->output.text.data ? r->output.text.data : "");
    else if (r->ended.si_code == CLD_EXITED)
        snprintf(p->why, sizeof p->why, "the program under test ended by itself, with exit code %d",
                 r->ended.si_status);
    else
        snprintf(p->why, sizeof p->why, "the process of the search was ended by a signal: %s",
                 strsignal(r->ended.si_status));
    return false;
}

/* What is left of the time for all processes. A replay has as much as the whole: an error that was found is said. */
static double seconds_left(const struct proving *p, uint32_t mode)
{
    static const double least = 1e-3;
    double left = p->deadline - base_now();
    return p->question.seconds <= 0 ? 0
           : mode == PROVE_REPLAY   ? p->question.seconds
           : left > least           ? left
                                    : least;
}

bool proving_process(struct proving *p, const char *path, struct prove_shared *shared)
{
    struct running r = {.pid = -1, .output.descriptor = -1, .started = base_now()};
    r.limit = seconds_left(p, shared->question.mode);
    shared->question.deadline = r.limit > 0 ? r.started + r.limit : 0;
    bool fine = start(&r, path, shared);
    if (!fine) {
        diagnostic_set(&p->error, PL_CANNOT_RUN, 0, 0, "cannot start the program: %s", strerror(errno));
    } else {
        bool has_ended = wait_for_end(p, &r);
        launch_read_output(&r.output);
        end_processes(&r);
        take_answer(&r, shared);
        fine = judge_end(p, &r, has_ended);
    }
    finish(&r);
    return fine;
}

bool proving_debug(struct proving *p, const struct target_program *program, struct prove_shared *shared,
                   const struct proving_gdb *gdb)
{
    struct running r = {.pid = -1, .output.descriptor = -1};
    int memory = share(&r, shared);
    bool fine = memory >= 0 && r.shared &&
                target_debug_memory(program, PROVE_VARIABLE, memory, gdb->options, gdb->count, &p->error);
    if (memory >= 0)
        close(memory);
    if (r.shared) {
        memcpy(shared, r.shared, sizeof *shared);
        tidy(shared);
    }
    fine = fine && shared->phase == PROVE_DONE;
    finish(&r);
    return fine;
}
