/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/check_run.h"

#include "base/budget.h"
#include "cli/check_compare.h"
#include "cli/check_fold.h"
#include "cli/check_progress.h"
#include "cli/check_saving.h"
#include "cli/check_unfit.h"
#include "cli/output.h"
#include "cli/spec_guard.h"

#include <inttypes.h>
#include <string.h>

int check_own_words(int count, char *const *words)
{
    int own = 0;
    while (own < count && strcmp(words[own], "--") != 0)
        own++;
    return own;
}

struct target_source check_source(const struct operand_list *files, int count, char *const *words)
{
    int own = check_own_words(count, words);
    struct target_source source = {.files = files->data, .file_count = files->len};
    if (own < count) {
        source.flags = (const char *const *)words + own + 1;
        source.flag_count = (size_t)(count - own - 1);
    }
    return source;
}

enum cli_exit check_cannot(const struct diagnostic *why)
{
    output_diagnostic(NULL, why);
    return check_unfit_exit(why);
}

double check_stall_seconds(const struct worker_config *c)
{
    return CHECK_STALL_SECONDS + 2 * c->compute_ms / 1000.0;
}

/* 0 stays 0; anything else is at least one, and at most what fits. */
static uint32_t milliseconds(double seconds)
{
    const double most = 1e6;
    return seconds > most ? (uint32_t)(most * 1000) : (uint32_t)(seconds * 1000 + 0.999);
}

struct target_run check_plan(const struct check_options *o, uint64_t k)
{
    struct target_run run = {0};
    struct worker_config *c = &run.config;
    uint64_t share = o->runs / o->jobs, rest = o->runs % o->jobs;
    c->mode = (uint32_t)o->mode;
    c->seed = o->seed;
    c->executions_max = o->executions;
    c->worker = (uint32_t)k;
    c->estimates = k == 0 && !o->count ? ESTIMATES_LATER : ESTIMATES_NONE;
    if (o->mode == WORKER_GRAPH)
        snprintf(c->memory, sizeof c->memory, "%s", check_memory_name(o));
    c->all_seq_cst = o->all_seq_cst;
    c->runs = share + (k < rest);
    c->first = k * share + (k < rest ? k : rest);
    c->pct_depth = (uint32_t)o->depth;
    c->preemptions = o->preemptions >= UINT32_MAX ? UINT32_MAX : (uint32_t)o->preemptions;
    c->loops = (uint32_t)o->loops;
    c->symmetry = o->symmetry;
    c->step_limit = (uint32_t)o->steps;
    c->compute_ms = milliseconds(o->compute);
    c->leaks = o->leaks;
    c->all_errors = o->all_errors;
    c->choices = (o->spurious ? CHOICE_SPURIOUS : 0) | (o->weak_cas ? CHOICE_WEAK_CAS : 0) |
                 (o->reuse ? CHOICE_REUSE : 0) | (check_goes_on(o) ? CHOICE_RACES : 0) |
                 (o->volatiles ? CHOICE_VOLATILE : 0) | (o->uninitialized ? CHOICE_UNINITIALISED : 0);
    c->races = o->races == CHECK_RACES_ALLOW    ? RACES_UNKEPT
               : o->suppress.len                ? RACES_BY_LOCATION
               : o->races == CHECK_RACES_REPORT ? RACES_BY_PLACES
                                                : RACES_UNKEPT;
    c->judge_bytes = o->memory_limit;
    if (o->test && (o->init || o->final))
        snprintf(c->test, sizeof c->test, "%s => %s => %s", o->init ? o->init : "", o->test,
                 o->final ? o->final : "");
    else if (o->test)
        snprintf(c->test, sizeof c->test, "%s", o->test);
    c->compare = (o->compare ? COMPARE_CONFLICTS : 0) | (o->report_weak ? COMPARE_WEAK : 0);
    c->client_fixed = o->client > 0;
    c->count = (uint32_t)o->count;
    if (o->serials_in)
        snprintf(c->serials_in, sizeof c->serials_in, "%s", o->serials_in);
    if (o->observations && k == 0)
        snprintf(c->serials_out, sizeof c->serials_out, "%s", o->observations);
    c->wants_serials = o->observations != NULL;
    if (o->spec)
        snprintf(c->spec, sizeof c->spec, "%s", o->spec);
    if (guard_library())
        snprintf(c->spec_library, sizeof c->spec_library, "%s", guard_library());
    if (o->nondet)
        snprintf(c->nondet, sizeof c->nondet, "%s", o->nondet);
    if (o->quasi)
        snprintf(c->quasi, sizeof c->quasi, "%s", o->quasi);
    return run;
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
        r->folded += s->folded;
        r->refuted += s->refuted;
        r->cut += s->cut;
        r->steps += s->steps;
        r->undecided += s->undecided;
        r->revisits += s->revisits;
        r->limits |= s->limits;
        check_compare_add(&r->compared, &s->compared);
        r->failing += s->failed;
        r->findings_lost |= s->findings_lost != 0;
        if ((s->limits & LIMIT_UNSUPPORTED) && !r->unsupported)
            r->unsupported = s;
        if ((s->limits & LIMIT_DISTURBED) && !r->unpredictable)
            r->unpredictable = s;
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
        else if (is_failure(end->outcome) && (!r->failed || end->outcome == TARGET_BROKEN)) {
            r->failed = end;
            r->failed_worker = k;
        }
    }
    if (r->found) /* then the others were stopped because of it */
        r->timed_out = false;
}

/* Executions behind the first error are not needed; those before it are, so that the same error is shown every time.
 * Where all executions are shared there is no first one, and nothing can be said any more when work is lost. */
static void stop_later_workers(const struct check_options *o, struct target_worker *const *workers,
                               struct target_worker *ended)
{
    enum target_outcome outcome = target_end_of(ended)->outcome;
    bool gave_up = target_shared(ended)->limits & LIMIT_MIXED_SIZE;
    bool all = o->mode == WORKER_GRAPH && (outcome != TARGET_FINISHED || gave_up);
    if ((outcome != TARGET_FOUND || o->all_errors) && !all)
        return;
    for (uint64_t k = 0; k < o->jobs; k++)
        if (all || target_shared(workers[k])->config.first > target_shared(ended)->config.first)
            target_stop(workers[k]);
}

/* ------------------------------------------------------------------ while they run */

struct run {
    const struct target_program *program;
    const struct check_options *options;
    struct target_worker **workers;
    struct check_saving saving;
    struct check_fold fold;
    struct check_progress progress;
    double deadline; /* of an exploration that is saved first */
};

static bool tick(void *context)
{
    struct run *r = context;
    check_saving_tick(&r->saving);
    check_progress_show(&r->progress, &r->saving);
    if (r->deadline == 0 || base_now() < r->deadline)
        return true;
    check_saving_now(&r->saving);
    return false;
}

static void wait_for_all(struct run *r)
{
    const struct check_options *o = r->options;
    double deadline = o->time > 0 ? base_now() + o->time : 0;
    r->deadline = o->checkpoint ? deadline : 0;
    r->progress = check_progress_start(o, r->workers);
    struct target_watch watch = {.deadline = o->checkpoint ? 0 : deadline,
                                 .stall_seconds = check_stall_seconds(&target_shared(r->workers[0])->config),
                                 .progress = tick,
                                 .context = r};
    struct target_worker *ended;
    while ((ended = target_wait(r->workers, (size_t)o->jobs, &watch)))
        stop_later_workers(o, r->workers, ended);
    check_progress_end(&r->progress);
}

/* ------------------------------------------------------------------ all together */

static enum cli_exit start_workers(struct run *r)
{
    struct diagnostic why = {0};
    for (uint64_t k = 0; k < r->options->jobs; k++) {
        struct target_run run = check_plan(r->options, k);
        run.pool = r->saving.pool;
        check_fold_plan(&r->fold, &run);
        r->workers[k] = target_start(r->program, &run, &why);
        if (!r->workers[k]) {
            output_diagnostic(NULL, &why);
            return EXIT_CANNOT_RUN;
        }
    }
    return EXIT_HOLDS;
}

/* What the workers share, if there is more than one of them or their work is saved. */
static enum cli_exit prepare_pool(struct run *r)
{
    const struct check_options *o = r->options;
    if (o->mode != WORKER_GRAPH || (o->jobs == 1 && !o->checkpoint))
        return EXIT_HOLDS;
    struct target_pool *pool = target_pool_create((uint32_t)o->jobs, o->checkpoint != NULL);
    if (!pool)
        return output_error(PL_NO_MEMORY, "no memory for %" PRIu64 " workers to share", o->jobs);
    r->saving.pool = pool;
    r->saving.workers = r->workers;
    r->saving.path = o->checkpoint;
    struct target_run run = check_plan(o, 0);
    if (o->checkpoint && !check_saving_start(&r->saving, r->program, &run.config, o->quiet))
        return EXIT_USAGE;
    uint64_t done = r->saving.before.executions;
    pool->shared->executions_max = o->executions;
    pool->shared->budget = o->executions > done ? (int64_t)(o->executions - done) : 0;
    return EXIT_HOLDS;
}

/* What runs before this one had counted. */
static void add_before(const struct check_saving *s, struct check_result *r)
{
    const struct checkpoint_counts *c = &s->before;
    r->limits |= c->limits;
    memcpy(r->unsupported_before, c->unsupported, sizeof r->unsupported_before);
    if (s->pool->shared->epoch != 0) /* all was begun again */
        return;
    r->executions += c->executions;
    r->complete += c->complete;
    r->blocked += c->blocked;
    r->refuted += c->refuted;
    r->cut += c->cut;
    r->steps += c->steps;
    r->undecided += c->undecided;
    r->revisits += c->revisits;
}

static void conclude(struct run *r, struct check_result *result)
{
    add_up(r->workers, r->options->jobs, result);
    if (r->fold.places && (check_fold_hides_race(r->workers, r->options->jobs) ||
                           check_fold_hides_client(r->workers, r->options->jobs)))
        result->limits |= LIMIT_FOLDING;
    result->estimate = target_shared(r->workers[0])->estimate;
    result->estimate_error = target_shared(r->workers[0])->estimate_error;
    if (result->estimate <= 0) {
        result->estimate = r->options->estimate;
        result->estimate_error = r->options->estimate_error;
    }
    if (r->saving.path)
        add_before(&r->saving, result);
    bool finished =
        result->found || (!result->failed && !result->timed_out && !(result->limits & LIMIT_EXECUTIONS));
    check_saving_end(&r->saving, finished, r->options->quiet);
}

static enum cli_exit run_all(const struct target_program *program, const struct check_options *options,
                             struct target_worker **workers, struct check_result *result)
{
    struct run r = {.program = program, .options = options, .workers = workers};
    *result = (struct check_result){0};
    enum cli_exit exit = prepare_pool(&r);
    if (options->fold)
        check_fold_prepare(&r.fold, program);
    if (exit == EXIT_HOLDS)
        exit = start_workers(&r);
    if (exit == EXIT_HOLDS) {
        wait_for_all(&r);
        conclude(&r, result);
    }
    target_pool_free(r.saving.pool);
    check_fold_free(&r.fold);
    return exit;
}

/* Nothing was found, and executions beyond races were given up, in which plain accesses are steps: without these, a program that
 * has no race at all has an answer, and of one that has the first is reported. */
static bool is_better_stopped(const struct check_options *o, const struct check_result *r)
{
    return o->races == CHECK_RACES_REPORT && !o->suppress.len && (r->limits & LIMIT_UNSUPPORTED) &&
           !r->failing;
}

enum cli_exit check_run(const struct target_program *program, const struct check_options *options,
                        struct target_worker **workers, struct check_result *result)
{
    double start = base_now();
    enum cli_exit exit = run_all(program, options, workers, result);
    struct check_options again = *options;
    again.fold = false;
    again.time = options->time > 0 ? options->time - (base_now() - start) : 0;
    bool stops = is_better_stopped(options, result);
    bool hides = (stops || (result->limits & LIMIT_FOLDING)) && !result->found && !result->failed &&
                 !result->timed_out;
    if (stops)
        again.races = CHECK_RACES_STOP;
    if (exit != EXIT_HOLDS || !hides || again.time < 0)
        return exit;
    for (uint64_t k = 0; k < options->jobs; k++) { /* without folding no race is hidden */
        target_free(workers[k]);
        workers[k] = NULL;
    }
    return run_all(program, &again, workers, result);
}
