/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/auto_run.h"

#include "base/budget.h"
#include "cli/check.h"
#include "cli/check_confirm.h"
#include "cli/check_fold.h"
#include "cli/check_races.h"
#include "cli/check_serials.h"
#include "cli/check_unfit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SLOTS_MAX = 64 };

/* A test that runs, or one whose result has to wait for those before it. */
struct job {
    uint64_t number;
    const char *test;
    struct target_worker *worker; /* null: done */
    struct auto_result result;
    double started;
    bool dropped;     /* time was up before it ended */
    bool unfolded;    /* once more, without folding, which would have hidden something */
    struct job *next; /* by number */
};

struct run {
    const struct auto_runner *r;
    struct job *jobs;
    size_t running;
    struct check_fold fold;
    char golden_files[SLOTS_MAX][PROTOCOL_PATH]; /* where the golden implementation writes, by slot */
    bool enough, timed_out;
};

/* ------------------------------------------------------------------ results */

static void read_counts(struct auto_result *result, const struct worker_shared *s)
{
    result->executions = s->executions;
    result->complete = s->complete;
    result->blocked = s->blocked;
    result->serial_complete = s->serial_complete;
    result->serial_stuck = s->serial_stuck;
    result->serial_seconds = s->serial_seconds;
    result->limits = s->limits;
    result->compared = s->compared;
    result->could_meet = s->could_meet;
    result->met = s->met;
}

static void say(struct auto_result *result, enum auto_verdict verdict, const char *why)
{
    result->verdict = verdict;
    snprintf(result->why, sizeof result->why, "%s", why);
}

static void read_limits(const struct auto_runner *r, struct auto_result *result,
                        const struct worker_shared *s)
{
    uint32_t bits = s->limits & ~(uint32_t)LIMITS_NAMED_ONLY;
    if (r->options->nondet)
        bits &= ~(uint32_t)LIMIT_VALUES;
    const char *text = check_next_limit(&bits);
    if (bits & LIMIT_DISTURBED) {
        char *why = check_describe_unpredictable(s);
        say(result, AUTO_UNKNOWN, why);
        free(why);
    } else if (text)
        say(result, AUTO_UNKNOWN, text);
    else if (bits & LIMIT_UNSUPPORTED)
        snprintf(result->why, sizeof result->why, "not supported: %s", s->unsupported);
    else if (bits & LIMIT_VALUES)
        say(result, AUTO_UNKNOWN, "not every value of __VERIFIER_nondet functions was tried (--nondet)");
    else if (bits & LIMIT_LOOPS)
        say(result, AUTO_UNKNOWN, "executions were cut after many steps at one place");
    else if (bits)
        say(result, AUTO_UNKNOWN, "a history could not be decided");
    if (bits)
        result->verdict = AUTO_UNKNOWN;
    else if (s->refuted && s->refuted >= s->executions)
        say(result, AUTO_UNKNOWN, "every execution fails an assumption: nothing was checked");
}

static void confirm(const struct auto_runner *r, const struct target_worker *worker,
                    struct auto_result *result)
{
    struct confirmation c = {0};
    check_confirm(r->program, worker, &c);
    result->error = target_shared(worker)->error.kind;
    if (c.answer == CONFIRM_SAME) {
        result->verdict = AUTO_FAILED;
    } else {
        char *why = check_confirm_limit(target_shared(worker)->error.kind, &c);
        say(result, c.answer == CONFIRM_BROKEN ? AUTO_BROKEN : AUTO_UNKNOWN, why);
        free(why);
    }
    target_free(c.again);
}

/* A race after which the program went on. */
static void read_race(const struct auto_runner *r, const struct target_worker *worker,
                      const struct worker_finding *f, struct auto_result *result)
{
    struct confirmation c = {0};
    if (check_race_is_suppressed(r->suppressions, target_shared(worker), &f->error))
        return;
    check_confirm_finding(r->program, worker, f, &c);
    bool is_suppressed = c.answer == CONFIRM_SAME &&
                         check_race_is_suppressed(r->suppressions, target_shared(c.again), &f->error);
    if (c.answer == CONFIRM_SAME && !is_suppressed) {
        result->verdict = AUTO_FAILED;
        result->error = f->error.kind;
    } else if (!is_suppressed) {
        char *why = check_confirm_limit(f->error.kind, &c);
        say(result, c.answer == CONFIRM_BROKEN ? AUTO_BROKEN : AUTO_UNKNOWN, why);
        free(why);
    }
    target_free(c.again);
}

/* After everything else: a race that was kept is an error, whatever came of the test. */
static void read_races(const struct auto_runner *r, const struct target_worker *worker,
                       struct auto_result *result)
{
    const struct worker_shared *s = target_shared(worker);
    for (uint32_t k = 0; k < s->finding_count && result->verdict != AUTO_FAILED; k++)
        read_race(r, worker, &s->findings[k], result);
    if (s->findings_lost && result->verdict == AUTO_PASSED)
        say(result, AUTO_UNKNOWN, "more races than are kept");
}

static void read_result(const struct auto_runner *r, const struct target_worker *worker,
                        struct auto_result *result)
{
    const struct target_end *end = target_end_of(worker);
    read_counts(result, target_shared(worker));
    if (r->scope)
        check_scope_add_worker(r->scope, target_shared(worker));
    switch (end->outcome) {
    case TARGET_FINISHED: read_limits(r, result, target_shared(worker)); break;
    case TARGET_FOUND: confirm(r, worker, result); break;
    case TARGET_UNFIT:
        check_unfit(&result->unfit, r->name, worker);
        say(result, target_shared(worker)->ill_formed ? AUTO_SKIPPED : AUTO_UNFIT, end->message);
        break;
    case TARGET_BROKEN: say(result, AUTO_BROKEN, end->message); break;
    case TARGET_STOPPED: say(result, AUTO_UNKNOWN, "time limit met"); break;
    default: say(result, AUTO_UNKNOWN, end->message);
    }
    if (result->verdict != AUTO_BROKEN)
        read_races(r, worker, result);
}

/* ------------------------------------------------------------------ running */

static void plan(const struct auto_runner *r, const char *test, struct target_run *run)
{
    struct check_options o = *r->options;
    o.jobs = 1;
    o.test = test;
    *run = check_plan(&o, 0);
}

/* False: it could not be started, and the result says why. */
static bool start(const struct run *all, struct job *job, char *golden_file)
{
    const struct auto_runner *r = all->r;
    struct diagnostic why = {0};
    struct target_run run;
    job->started = base_now();
    job->result = (struct auto_result){.verdict = AUTO_PASSED};
    plan(r, job->test, &run);
    if (!job->unfolded)
        check_fold_plan(&all->fold, &run);
    memcpy(run.config.serials_out, golden_file, sizeof run.config.serials_out);
    if (r->golden && !check_golden_run(r->golden, &run.config, &why)) {
        say(&job->result, AUTO_UNFIT, why.message);
        job->result.unfit = why;
        return false;
    }
    memcpy(golden_file, run.config.serials_in, sizeof run.config.serials_in);
    job->worker = target_start(r->program, &run, &why);
    if (!job->worker)
        say(&job->result, AUTO_BROKEN, why.message);
    return job->worker != NULL;
}

static bool is_late(const struct auto_runner *r)
{
    return r->deadline > 0 && base_now() >= r->deadline;
}

static bool tick(void *context)
{
    struct run *run = context;
    const struct auto_runner *r = run->r;
    if (r->tick)
        r->tick(r->context);
    for (struct job *j = run->jobs; j && r->test_time > 0; j = j->next)
        if (j->worker && base_now() - j->started > r->test_time)
            target_stop(j->worker);
    run->timed_out = run->timed_out || is_late(r);
    return !run->timed_out;
}

static void add_job(struct run *run, struct job *job)
{
    struct job **place = &run->jobs;
    while (*place)
        place = &(*place)->next;
    *place = job;
}

/* A file of the golden implementation that no running test reads. */
static char *free_golden_file(struct run *run)
{
    for (size_t k = 0; k < SLOTS_MAX; k++) {
        bool used = false;
        for (struct job *j = run->jobs; j; j = j->next)
            used |= j->worker && *run->golden_files[k] &&
                    strcmp(target_shared(j->worker)->config.serials_in, run->golden_files[k]) == 0;
        if (!used)
            return run->golden_files[k];
    }
    return run->golden_files[0];
}

static void start_more(struct run *run)
{
    const struct auto_runner *r = run->r;
    while (!run->enough && !run->timed_out && run->running < r->options->jobs) {
        uint64_t number;
        run->timed_out = is_late(r); /* short tests end before a tick */
        if (run->timed_out)
            return;
        const char *test = r->next(r->context, &number);
        if (!test)
            return;
        struct job *job = NEW_ZEROED(struct job, 1);
        job->number = number;
        job->test = test;
        run->running += start(run, job, free_golden_file(run));
        add_job(run, job);
        if (!job->worker)
            return;
    }
}

/* Results are told in order; once it is enough, the rest is dropped. */
static void tell_done(struct run *run)
{
    while (run->jobs && !run->jobs->worker) {
        struct job *job = run->jobs;
        run->jobs = job->next;
        if (!run->enough && !job->dropped)
            run->enough = !run->r->done(run->r->context, job->number, job->test, &job->result);
        free(job);
    }
}

static void stop_all(struct run *run)
{
    for (struct job *j = run->jobs; j; j = j->next)
        if (j->worker)
            target_stop(j->worker);
}

static bool hides_something(const struct run *run, struct target_worker *worker)
{
    return run->fold.places && !run->enough && !run->timed_out &&
           target_end_of(worker)->outcome == TARGET_FINISHED &&
           (check_fold_hides_race(&worker, 1) || check_fold_hides_client(&worker, 1));
}

static void start_unfolded(struct run *run, struct job *job)
{
    target_free(job->worker);
    job->worker = NULL;
    run->running--;
    job->unfolded = true;
    run->running += start(run, job, free_golden_file(run));
}

static void wait_for_one(struct run *run)
{
    struct target_worker *workers[SLOTS_MAX];
    size_t count = 0;
    for (struct job *j = run->jobs; j; j = j->next)
        if (j->worker)
            workers[count++] = j->worker;
    struct target_watch watch = {.stall_seconds = CHECK_STALL_SECONDS, .progress = tick, .context = run};
    struct target_worker *ended = target_wait(workers, count, &watch);
    for (struct job *j = run->jobs; j; j = j->next) {
        if (!ended || j->worker != ended)
            continue;
        if (hides_something(run, ended)) {
            start_unfolded(run, j);
            continue;
        }
        j->dropped = run->timed_out && target_end_of(ended)->outcome == TARGET_STOPPED;
        if (!run->enough && !j->dropped)
            read_result(run->r, ended, &j->result);
        j->result.seconds = base_now() - j->started;
        target_free(ended);
        j->worker = NULL;
        run->running--;
    }
}

bool auto_run(const struct auto_runner *r)
{
    struct run run = {.r = r};
    if (r->options->fold)
        check_fold_prepare(&run.fold, r->program);
    for (;;) {
        run.timed_out |= r->deadline && base_now() >= r->deadline; /* nobody asks while quick tests end */
        start_more(&run);
        tell_done(&run);
        if (run.enough || run.timed_out)
            stop_all(&run);
        if (run.running == 0 && (!run.jobs || run.enough || run.timed_out))
            break;
        if (run.running)
            wait_for_one(&run);
    }
    tell_done(&run);
    check_fold_free(&run.fold);
    return !run.timed_out;
}

struct single {
    const char *test;
    struct auto_result result;
};

static const char *next_single(void *context, uint64_t *number)
{
    struct single *s = context;
    const char *test = s->test;
    s->test = NULL;
    *number = 0;
    return test;
}

static bool done_single(void *context, uint64_t number, const char *test, const struct auto_result *r)
{
    (void)number;
    (void)test;
    ((struct single *)context)->result = *r;
    return true;
}

struct auto_result auto_run_one(const struct auto_runner *r, const char *test)
{
    struct single s = {.test = test, .result = {.verdict = AUTO_UNKNOWN}};
    struct auto_runner one = *r;
    one.next = next_single;
    one.done = done_single;
    one.tick = NULL;
    one.context = &s;
    auto_run(&one);
    return s.result;
}
