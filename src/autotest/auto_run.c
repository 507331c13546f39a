/* SPDX-License-Identifier: Apache-2.0 */
#include "autotest/auto_run.h"

#include "autotest/auto_bounded.h"
#include "autotest/auto_result.h"
#include "base/budget.h"
#include "base/interruption.h"
#include "campaign/campaign.h"
#include "campaign/folding.h"
#include "campaign/nonblocking.h"
#include "campaign/serial_runs.h"
#include "campaign/campaign_run.h"

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
    double started;               /* the exploration that runs; */
    double begun;                 /* the first one */
    bool dropped;                 /* time was up before it ended */
    bool is_read;                 /* its result is known, whatever its worker says */
    bool is_long, waits;          /* it has more executions than a slice; the others come first */
    enum folding_level level;     /* of the exploration that runs */
    struct auto_bounded *bounded; /* a loop seems to have no end; or null */
    bool stops;                   /* a thread may stop forever: --progress */
    struct nonblocking_plan plan; /* then: where */
    struct auto_result before;    /* and what came of the test without that */
    struct job *next;             /* by number */
};

struct run {
    const struct auto_runner *r;
    struct job *jobs;
    struct job *waiting; /* until there are no other tests */
    size_t running;
    struct folding fold;
    char golden_files[SLOTS_MAX][PROTOCOL_PATH]; /* where the golden implementation writes, by slot */
    bool enough, timed_out;
    double bounded_seconds; /* that tests with endless loops have taken */
};

/* ------------------------------------------------------------------ running */

/* Is the exploration that runs one of a few executions? */
static bool is_sliced(const struct auto_runner *r, const struct job *job)
{
    return r->slice && !r->options->executions && !job->is_long && !job->bounded;
}

static void plan(const struct auto_runner *r, const struct job *job, struct target_run *run)
{
    struct campaign_options o = job->stops ? nonblocking_options(r->options, &job->plan) : *r->options;
    o.jobs = 1;
    if (is_sliced(r, job))
        o.executions = r->slice;
    o.test = job->test;
    *run = campaign_plan(&o, 0);
}

/* False: it could not be started, and the result says why. */
static bool start(const struct run *all, struct job *job, char *golden_file)
{
    const struct auto_runner *r = all->r;
    struct diagnostic why = {0};
    struct target_run run;
    job->started = base_now();
    job->result = (struct auto_result){.verdict = VERDICT_HOLDS};
    plan(r, job, &run);
    folding_plan(&all->fold, job->level, &run);
    if (job->bounded)
        auto_bounded_plan(job->bounded, &run);
    memcpy(run.config.serials_out, golden_file, sizeof run.config.serials_out);
    if (r->golden && !golden_run(r->golden, &run.config, &why)) {
        auto_result_say(&job->result, VERDICT_NONE, why.message);
        job->result.mistake = why;
        return false;
    }
    memcpy(golden_file, run.config.serials_in, sizeof run.config.serials_in);
    job->worker = target_start(r->program, &run, &why);
    if (!job->worker) {
        auto_result_say(&job->result, VERDICT_NONE, why.message);
        job->result.mistake = why;
    }
    return job->worker != NULL;
}

static bool is_late(const struct auto_runner *r)
{
    return interruption_came() || (r->deadline > 0 && base_now() >= r->deadline);
}

static bool is_over_time(const struct auto_runner *r, const struct job *job)
{
    double now = base_now();
    return (r->test_time > 0 && now - job->begun > r->test_time) ||
           (job->bounded && now > job->bounded->until);
}

static bool tick(void *context)
{
    struct run *run = context;
    const struct auto_runner *r = run->r;
    if (r->tick)
        r->tick(r->context);
    for (struct job *j = run->jobs; j; j = j->next)
        if (j->worker && is_over_time(r, j))
            target_stop(j->worker);
    run->timed_out = run->timed_out || is_late(r);
    return !run->timed_out;
}

static void add_job(struct job **list, struct job *job)
{
    while (*list)
        list = &(*list)->next;
    job->next = NULL;
    *list = job;
}

static struct job *new_job(struct run *run)
{
    uint64_t number;
    const char *test = run->r->next(run->r->context, &number);
    if (!test)
        return NULL;
    struct job *job = NEW_ZEROED(struct job, 1);
    job->number = number;
    job->test = test;
    return job;
}

/* One that waited, now that there are no others. */
static struct job *take_waiting(struct run *run)
{
    struct job *job = run->waiting;
    if (job)
        run->waiting = job->next;
    return job;
}

/* A file of the golden implementation that no running test reads. */
static char *free_golden_file(struct run *run)
{
    for (size_t k = 0; k < SLOTS_MAX; k++) {
        bool used = false;
        for (struct job *j = run->jobs; j; j = j->next)
            used |= j->worker && *run->golden_files[k] &&
                    strcmp(target_config(j->worker)->serials_in, run->golden_files[k]) == 0;
        if (!used)
            return run->golden_files[k];
    }
    return run->golden_files[0];
}

static void start_more(struct run *run)
{
    const struct auto_runner *r = run->r;
    while (!run->enough && !run->timed_out && run->running < r->options->jobs) {
        run->timed_out = is_late(r); /* short tests end before a tick */
        if (run->timed_out)
            return;
        struct job *job = new_job(run);
        if (!job)
            job = take_waiting(run);
        if (!job)
            return;
        job->begun = base_now();
        job->level = run->fold.places ? FOLDING_LOOKS : FOLDING_NONE;
        run->running += start(run, job, free_golden_file(run));
        add_job(&run->jobs, job);
        if (!job->worker)
            return;
    }
}

static void free_job(struct job *job)
{
    free(job->bounded);
    free(job);
}

/* Results are reported in order; once it is enough, the rest is dropped. */
static void report_done(struct run *run)
{
    while (run->jobs && !run->jobs->worker) {
        struct job *job = run->jobs;
        run->jobs = job->next;
        if (job->waits) {
            job->waits = false;
            add_job(&run->waiting, job);
            continue;
        }
        if (!run->enough && !job->dropped)
            run->enough = !run->r->done(run->r->context, job->number, job->test, &job->result);
        free_job(job);
    }
}

static void stop_all(struct run *run)
{
    for (struct job *j = run->jobs; j; j = j->next)
        if (j->worker)
            target_stop(j->worker);
}

/* Has it to be run again, with another degree of folding? */
static bool is_better_folded_otherwise(const struct run *run, struct job *job)
{
    enum folding_level before = job->level;
    if (run->enough || run->timed_out || target_end_of(job->worker)->outcome != TARGET_FINISHED)
        return false;
    job->level = folding_next(before, &job->worker, 1);
    return job->level != before;
}

static void end_worker(struct run *run, struct job *job)
{
    target_free(job->worker);
    job->worker = NULL;
    run->running--;
}

static void start_again(struct run *run, struct job *job)
{
    end_worker(run, job);
    run->running += start(run, job, free_golden_file(run));
}

/* One hard test must not take the time of all others. Counted in executions: what is found first should not depend on the
 * machine. */
static bool is_put_off(const struct run *run, struct job *job)
{
    if (!is_sliced(run->r, job) || target_end_of(job->worker)->outcome != TARGET_FINISHED ||
        !(target_shared(job->worker)->limits & LIMIT_EXECUTIONS))
        return false;
    job->is_long = job->waits = true;
    return true;
}

/* ------------------------------------------------------------------ loops without end */

/* The worker's answer is not to be read: there is one. */
static void take_before(struct job *job)
{
    job->result = job->bounded->before;
    job->is_read = true;
}

static void name_loop(struct job *job)
{
    auto_result_say(&job->result, VERDICT_INCONCLUSIVE, "");
    snprintf(job->result.why, sizeof job->result.why,
             "a loop seems to have no end (%s), and there was no time for one more round of it",
             job->bounded->place);
    memcpy(job->result.loop, job->bounded->place, sizeof job->result.loop);
    job->result.is_bounded = job->is_read = true;
}

/* It is the answer unless the next exploration has a better one. */
static void keep_before(const struct run *run, struct job *job)
{
    if (target_end_of(job->worker)->outcome == TARGET_STOPPED)
        name_loop(job);
    else
        auto_result_read(run->r, job->worker, &job->result);
    job->bounded->before = job->result;
    job->bounded->has_before = true;
    job->is_read = false;
}

/* Is the test to be run again, with another bound? */
static bool goes_deeper(struct run *run, struct job *job)
{
    enum bounding_answer answer = BOUNDING_DEEPER;
    double seconds = base_now() - job->started;
    bool begins = !job->bounded;
    if (begins)
        job->bounded = auto_bounded_begin(job->worker, run->bounded_seconds);
    else
        answer = auto_bounded_next(job->bounded, job->worker, seconds);
    if (!job->bounded || run->enough)
        return false;
    run->bounded_seconds += seconds;
    if (answer == BOUNDING_DEEPER && !begins)
        keep_before(run, job);
    bool ends = run->timed_out || answer == BOUNDING_TAKE || answer == BOUNDING_BEFORE;
    if (ends && job->bounded->has_before && answer != BOUNDING_TAKE)
        take_before(job);
    else if (ends && target_end_of(job->worker)->outcome == TARGET_STOPPED)
        name_loop(job);
    return !ends;
}

/* ------------------------------------------------------------------ a thread that stops forever */

/* Is the test, with which nothing is wrong, to be run again with threads that stop? */
static bool begins_to_stop(struct run *run, struct job *job)
{
    if (!run->r->options->progress || job->stops || run->enough || run->timed_out || job->is_read ||
        target_end_of(job->worker)->outcome != TARGET_FINISHED)
        return false;
    auto_result_read(run->r, job->worker, &job->result);
    job->is_read = true;
    if (job->result.verdict != VERDICT_HOLDS)
        return false;
    job->plan = nonblocking_plan_after(&job->worker, 1);
    job->before = job->result;
    job->stops = true;
    job->is_read = false;
    job->level = run->fold.places ? FOLDING_LOOKS : FOLDING_NONE;
    free(job->bounded);
    job->bounded = NULL;
    return true;
}

/* Numbers are those of the test as it is, unless threads that stop are what there is to tell. */
static void conclude_stops(struct job *job)
{
    uint64_t executions = job->result.executions;
    if (job->result.verdict != VERDICT_HOLDS)
        return;
    if (!nonblocking_was_covered(&job->plan, &job->worker, 1)) {
        auto_result_say(&job->result, VERDICT_INCONCLUSIVE,
                        "not decided: whether threads end when another one stops forever (--progress)");
        return;
    }
    job->before.limits |= job->result.limits;
    job->result = job->before;
    job->result.stopped = executions;
}

static void wait_for_one(struct run *run)
{
    struct target_worker *workers[SLOTS_MAX];
    size_t count = 0;
    for (struct job *j = run->jobs; j; j = j->next)
        if (j->worker)
            workers[count++] = j->worker;
    struct target_watch watch = {.stall_seconds = CAMPAIGN_STALL_SECONDS, .progress = tick, .context = run};
    struct target_worker *ended = target_wait(workers, count, &watch);
    for (struct job *j = run->jobs; j; j = j->next) {
        if (!ended || j->worker != ended)
            continue;
        if (is_put_off(run, j)) {
            end_worker(run, j);
            continue;
        }
        if (is_better_folded_otherwise(run, j) || goes_deeper(run, j) || begins_to_stop(run, j)) {
            start_again(run, j);
            continue;
        }
        j->dropped = run->timed_out && target_end_of(ended)->outcome == TARGET_STOPPED && !j->is_read;
        if (!run->enough && !j->dropped && !j->is_read)
            auto_result_read(run->r, ended, &j->result);
        if (j->stops && !j->dropped)
            conclude_stops(j);
        j->result.seconds = base_now() - j->begun;
        end_worker(run, j);
    }
}

bool auto_run(const struct auto_runner *r)
{
    struct run run = {.r = r};
    if (r->options->fold)
        folding_prepare(&run.fold, r->program);
    for (;;) {
        run.timed_out |= r->deadline && base_now() >= r->deadline; /* quick tests end between two ticks */
        start_more(&run);
        report_done(&run);
        if (run.enough || run.timed_out)
            stop_all(&run);
        if (run.running == 0 && ((!run.jobs && !run.waiting) || run.enough || run.timed_out))
            break;
        if (run.running)
            wait_for_one(&run);
    }
    report_done(&run);
    for (struct job *job; (job = take_waiting(&run));)
        free_job(job);
    folding_free(&run.fold);
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
    struct single s = {.test = test, .result = {.verdict = VERDICT_INCONCLUSIVE}};
    struct auto_runner one = *r;
    one.next = next_single;
    one.done = done_single;
    one.tick = NULL;
    one.context = &s;
    auto_run(&one);
    return s.result;
}
