/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/check_run.h"

#include "base/budget.h"
#include "cli/output.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

const char *check_memory_name(const struct check_options *o)
{
    static const char *const names[] = {"rc11", "sc", "tso"};
    return names[o->memory < 0 ? 0 : o->memory];
}

/* Worker number k of n takes its share of the runs; a depth-first search is not shared. */
static struct target_run plan_worker(const struct check_options *o, uint64_t k)
{
    struct target_run run = {0};
    struct worker_config *c = &run.config;
    uint64_t share = o->runs / o->jobs, rest = o->runs % o->jobs;
    c->mode = (uint32_t)o->mode;
    c->seed = o->seed;
    c->executions_max = o->executions;
    if (o->mode == WORKER_GRAPH)
        snprintf(c->memory, sizeof c->memory, "%s", check_memory_name(o));
    c->runs = share + (k < rest);
    c->first = k * share + (k < rest ? k : rest);
    c->pct_depth = (uint32_t)o->depth;
    c->preemptions = o->preemptions >= UINT32_MAX ? UINT32_MAX : (uint32_t)o->preemptions;
    c->loops = (uint32_t)o->loops;
    c->step_limit = (uint32_t)o->steps;
    c->leaks = o->leaks;
    c->choices = (o->spurious ? CHOICE_SPURIOUS : 0) | (o->weak_cas ? CHOICE_WEAK_CAS : 0) |
                 (o->reuse ? CHOICE_REUSE : 0);
    c->judge_bytes = o->memory_limit;
    if (o->test)
        snprintf(c->test, sizeof c->test, "%s", o->test);
    if (o->spec)
        snprintf(c->spec, sizeof c->spec, "%s", o->spec);
    return run;
}

struct progress {
    struct target_worker *const *workers;
    const struct check_options *options;
    double started;
};

static bool show_progress(void *context)
{
    const struct progress *p = context;
    uint64_t done = 0;
    for (uint64_t k = 0; k < p->options->jobs; k++)
        done += target_shared(p->workers[k])->executions;
    double seconds = base_now() - p->started;
    if (seconds > 1)
        fprintf(stderr, "\r%" PRIu64 " executions, %.0f/s ", done, (double)done / seconds);
    return true;
}

static bool is_failure(enum target_outcome outcome)
{
    return outcome != TARGET_FINISHED && outcome != TARGET_FOUND && outcome != TARGET_STOPPED;
}

static void add_up(struct target_worker *const *workers, uint64_t jobs, struct check_result *r)
{
    for (uint64_t k = 0; k < jobs; k++) {
        const struct worker_shared *s = target_shared(workers[k]);
        const struct target_end *end = target_end_of(workers[k]);
        r->executions += s->executions;
        r->complete += s->complete;
        r->blocked += s->blocked;
        r->cut += s->cut;
        r->steps += s->steps;
        r->undecided += s->undecided;
        r->limits |= s->limits;
        if ((s->limits & LIMIT_UNSUPPORTED) && !r->unsupported)
            r->unsupported = s;
        if ((s->limits & LIMIT_LOOPS) && !r->bounded)
            r->bounded = s;
        /* The first execution with an error is shown, whoever was quicker. */
        bool earlier = !r->found || s->config.first + s->executions < target_shared(r->found)->config.first +
                                                                          target_shared(r->found)->executions;
        if (end->outcome == TARGET_FOUND && earlier)
            r->found = workers[k];
        r->timed_out |= end->outcome == TARGET_STOPPED;
        if (end->outcome == TARGET_STUCK && end->state == WORKER_JUDGING)
            r->judging_was_stuck = true;
        else if (is_failure(end->outcome) && (!r->failed || end->outcome == TARGET_BROKEN))
            r->failed = end;
    }
    if (r->found) /* then the others were stopped because of it */
        r->timed_out = false;
}

/* Executions behind the first error are not needed; those before it are, so that the same error is shown every time. */
static void stop_later_workers(struct target_worker *const *workers, uint64_t jobs,
                               struct target_worker *ended)
{
    if (target_end_of(ended)->outcome != TARGET_FOUND)
        return;
    for (uint64_t k = 0; k < jobs; k++)
        if (target_shared(workers[k])->config.first > target_shared(ended)->config.first)
            target_stop(workers[k]);
}

bool check_run(const struct target_program *program, const struct check_options *options,
               struct target_worker **workers, struct check_result *result)
{
    struct diagnostic why = {0};
    *result = (struct check_result){0};
    for (uint64_t k = 0; k < options->jobs; k++) {
        struct target_run run = plan_worker(options, k);
        workers[k] = target_start(program, &run, &why);
        if (!workers[k]) {
            output_diagnostic(NULL, &why);
            return false;
        }
    }
    bool terminal = isatty(STDERR_FILENO) && !options->quiet;
    struct progress progress = {workers, options, base_now()};
    struct target_watch watch = {.deadline = options->time > 0 ? base_now() + options->time : 0,
                                 .stall_seconds = CHECK_STALL_SECONDS,
                                 .progress = terminal ? show_progress : NULL,
                                 .context = &progress};
    struct target_worker *ended;
    while ((ended = target_wait(workers, (size_t)options->jobs, &watch)))
        stop_later_workers(workers, options->jobs, ended);
    if (terminal)
        fprintf(stderr, "\r\033[K");
    add_up(workers, options->jobs, result);
    return true;
}
