/* SPDX-License-Identifier: Apache-2.0 */
#include "campaign/campaign_run.h"

#include "base/budget.h"
#include "base/interruption.h"
#include "campaign/annotated.h"
#include "campaign/bounding.h"
#include "campaign/cluster/parts.h"
#include "campaign/tables/compared.h"
#include "campaign/folding.h"
#include "campaign/nonblocking.h"
#include "campaign/order_sites.h"
#include "campaign/saving.h"
#include "ownspec/guard.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

double campaign_stall_seconds(const struct worker_config *c)
{
    double compute = c->compute_ms / 1000.0, stall = CAMPAIGN_STALL_SECONDS;
    if (compute > 0 && CAMPAIGN_STALLS_COMPUTED * compute < stall)
        stall = CAMPAIGN_STALLS_COMPUTED * compute;
    return (stall < CAMPAIGN_STALL_LEAST ? CAMPAIGN_STALL_LEAST : stall) + 2 * compute;
}

/* 0 stays 0; anything else is at least one, and at most what fits. */
static uint32_t milliseconds(double seconds)
{
    const double most = 1e6;
    return seconds > most ? (uint32_t)(most * 1000) : (uint32_t)(seconds * 1000 + 0.999);
}

/* For tests: PLUMB_MEMO=compare runs what need not be run, PLUMB_MEMO=off all that there is. */
static uint32_t memo_wanted(void)
{
    const char *memo = getenv("PLUMB_MEMO");
    return !memo ? MEMO_USED : strcmp(memo, "compare") == 0 ? MEMO_COMPARED : MEMO_NOT;
}

/* Nothing of what is not given. */
#define COPY_TEXT(to, from) snprintf(to, sizeof(to), "%s", (from) ? (from) : "")

static void plan_choices(struct worker_config *c, const struct campaign_options *o)
{
    c->choices = (o->spurious ? CHOICE_SPURIOUS : 0) | (o->weak_cas ? CHOICE_WEAK_CAS : 0) |
                 (o->reuse ? CHOICE_REUSE : 0) | (campaign_goes_on(o) ? CHOICE_RACES : 0) |
                 (o->volatiles ? CHOICE_VOLATILE : 0) | (o->uninitialized ? CHOICE_UNINITIALISED : 0);
    c->races = o->races == CAMPAIGN_RACES_ALLOW    ? RACES_UNKEPT
               : o->suppress.len                   ? RACES_BY_LOCATION
               : o->races == CAMPAIGN_RACES_REPORT ? RACES_BY_PLACES
                                                   : RACES_UNKEPT;
}

static void plan_texts(struct worker_config *c, const struct campaign_options *o)
{
    if (o->test && (o->init || o->final))
        snprintf(c->test, sizeof c->test, "%s => %s => %s", o->init ? o->init : "", o->test,
                 o->final ? o->final : "");
    else
        COPY_TEXT(c->test, o->test);
    COPY_TEXT(c->serials_in, o->serials_in);
    COPY_TEXT(c->serials_out, c->worker == 0 ? o->observations : NULL);
    COPY_TEXT(c->spec, o->spec);
    COPY_TEXT(c->spec_library, guard_library());
    COPY_TEXT(c->nondet, o->nondet);
    COPY_TEXT(c->quasi, o->quasi);
    COPY_TEXT(c->values, o->values);
}

static void plan_tables(struct worker_config *c, const struct campaign_options *o)
{
    if (o->order_table) {
        c->order_count = o->order_table->count;
        memcpy(c->orders, o->order_table->list, c->order_count * sizeof *c->orders);
        c->watch_orders = o->watch_orders;
    }
    c->progress = o->stops ? PROGRESS_STOPS : o->progress ? PROGRESS_COUNTS : PROGRESS_NOT;
    if (o->stops) {
        c->stop_threads = o->stops->threads;
        memcpy(c->stops, o->stops->stops, sizeof c->stops);
    }
}

struct target_run campaign_plan(const struct campaign_options *o, uint64_t k)
{
    struct target_run run = {0};
    struct worker_config *c = &run.config;
    uint64_t share = o->runs / o->jobs, rest = o->runs % o->jobs;
    c->mode = (uint32_t)o->mode;
    c->seed = o->seed;
    c->executions_max = o->executions;
    c->memo = memo_wanted();
    c->worker = (uint32_t)k;
    c->estimates = k == 0 && !o->count ? ESTIMATES_LATER : ESTIMATES_NONE;
    if (o->mode == WORKER_GRAPH)
        snprintf(c->memory, sizeof c->memory, "%s", campaign_memory_name(o));
    c->all_seq_cst = o->all_seq_cst;
    c->runs = share + (k < rest);
    c->first = k * share + (k < rest ? k : rest);
    c->pct_depth = (uint32_t)o->depth;
    c->preemptions = o->preemptions >= UINT32_MAX ? UINT32_MAX : (uint32_t)o->preemptions;
    c->loops = (uint32_t)o->loops;
    /* What certificates need to know of others is not saved, and twins would have to be given up */
    c->returns = campaign_is_kept(o) || o->symmetry ? 0 : (uint32_t)o->loops;
    c->suspects = bounding_is_possible(o);
    c->symmetry = o->opaque_items ? SYMMETRY_OF_ITEMS : o->symmetry ? SYMMETRY_OF_THREADS : SYMMETRY_NOT;
    c->step_limit = (uint32_t)o->steps;
    c->compute_ms = milliseconds(o->compute);
    c->leaks = o->leaks;
    c->all_errors = o->all_errors;
    plan_choices(c, o);
    c->judge_bytes = o->memory_limit;
    c->compare = (o->compare ? COMPARE_CONFLICTS : 0) | (o->report_weak ? COMPARE_WEAK : 0);
    c->client_fixed = o->client > 0;
    c->histories = (uint32_t)o->histories;
    c->sync = o->sync > 0 ? (uint32_t)o->sync : SYNC_DEFAULT;
    c->count = (uint32_t)o->count;
    c->wants_serials = o->observations != NULL;
    plan_texts(c, o);
    plan_tables(c, o);
    if (o->bounding)
        bounding_plan(o->bounding, &run);
    return run;
}

static bool is_failure(enum target_outcome outcome)
{
    return outcome != TARGET_FINISHED && outcome != TARGET_FOUND && outcome != TARGET_STOPPED;
}

static void add_up(struct target_worker *const *workers, uint64_t jobs, struct campaign_result *r)
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
        r->not_run += s->not_run;
        r->limits |= s->limits;
        compared_add(&r->compared, &s->compared);
        annotated_add(&r->annotated, &s->annotated);
        r->failing += s->failed;
        r->findings_lost |= s->findings_lost != 0;
        if ((s->limits & LIMIT_UNSUPPORTED) && !r->unsupported)
            r->unsupported = s;
        if ((s->limits & LIMIT_DISTURBED) && !r->unpredictable)
            r->unpredictable = s;
        if ((s->limits & LIMIT_SUSPECTED) && !r->suspected)
            r->suspected = s;
        if ((s->limits & LIMIT_STEPS) && s->loops.cut_pc && !r->cut_at)
            r->cut_at = s;
        r->limits |= bounds_add_worker(&r->bounds, s);
        /* The first execution with an error is shown, whichever worker was quicker. */
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
    if (r->found || r->suspected) /* then the others were stopped because of it */
        r->timed_out = false;
}

/* Executions behind the first error are not needed; those before it are, so that the same error is shown every time.
 * Where all executions are shared there is no first one, and nothing can be said any more when work is lost. */
static void stop_later_workers(const struct campaign_options *o, enum folding_level level,
                               struct target_worker *const *workers, struct target_worker *ended)
{
    enum target_outcome outcome = target_end_of(ended)->outcome;
    uint32_t limits = target_shared(ended)->limits & (LIMIT_MIXED_SIZE | LIMIT_SUSPECTED);
    bool gave_up = limits || folding_next(level, &ended, 1) != level;
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
    const struct campaign_options *options;
    struct target_worker **workers;
    struct saving saving;
    struct folding fold;
    enum folding_level level;
    struct campaign_progress progress;
    double end;      /* base_now() at which it is time to stop; 0: never */
    double deadline; /* the same of an exploration that is saved first */
    bool is_decided; /* while it was divided */
    struct campaign_division division;
};

static bool tick(void *context)
{
    struct run *r = context;
    saving_tick(&r->saving);
    const struct campaign_listener *listener = r->options->listener;
    if (listener && listener->progress)
        listener->progress(&r->progress);
    if (interruption_came())
        return false;
    if (r->deadline == 0 || base_now() < r->deadline)
        return true;
    saving_now(&r->saving);
    return false;
}

static void wait_for_all(struct run *r)
{
    const struct campaign_options *o = r->options;
    bool saves = r->saving.path || r->saving.keeps;
    r->deadline = saves ? r->end : 0;
    r->progress = (struct campaign_progress){o, r->workers, &r->saving, base_now()};
    struct target_watch watch = {.deadline = saves ? 0 : r->end,
                                 .stall_seconds = campaign_stall_seconds(target_config(r->workers[0])),
                                 .progress = tick,
                                 .context = r};
    struct target_worker *ended;
    while ((ended = target_wait(r->workers, (size_t)o->jobs, &watch)))
        stop_later_workers(o, r->level, r->workers, ended);
    if (o->listener && o->listener->progress_end)
        o->listener->progress_end();
}

/* ------------------------------------------------------------------ all together */

static bool start_workers(struct run *r, struct diagnostic *why)
{
    for (uint64_t k = 0; k < r->options->jobs; k++) {
        struct target_run run = campaign_plan(r->options, k);
        run.pool = r->saving.pool;
        folding_plan(&r->fold, r->level, &run);
        r->workers[k] = target_start(r->program, &run, why);
        if (!r->workers[k])
            return false;
    }
    return true;
}

static bool make_pool(struct run *r, struct diagnostic *why)
{
    const struct campaign_options *o = r->options;
    r->saving.pool = target_pool_create((uint32_t)o->jobs, campaign_is_kept(o));
    r->saving.workers = r->workers;
    r->saving.options = o;
    return r->saving.pool ||
           diagnostic_set(why, PL_NO_MEMORY, 0, 0, "no memory for %" PRIu64 " workers to share", o->jobs);
}

/* ------------------------------------------------------------------ parts of an exploration */

static void free_workers(struct run *r)
{
    for (uint64_t k = 0; k < r->options->jobs; k++) {
        target_free(r->workers[k]);
        r->workers[k] = NULL;
    }
}

/* Runs as many executions as it takes to have pieces for all shards. */
static bool divide(struct run *r, struct diagnostic *why)
{
    enum { PIECES_EACH = 64 };
    if (!make_pool(r, why))
        return false;
    struct pool *p = r->saving.pool->shared;
    p->pieces_wanted = (uint32_t)(PIECES_EACH * r->options->shard.count);
    if (!start_workers(r, why))
        return false;
    wait_for_all(r);
    r->is_decided = !saving_ended_well(&r->saving) || (p->over != POOL_DIVIDED && p->over != POOL_DONE);
    if (r->is_decided)
        return true;
    parts_take_shard(&r->saving, &r->options->shard, &r->division);
    free_workers(r);
    target_pool_free(r->saving.pool);
    r->saving.pool = NULL;
    return true;
}

/* What the workers share, if there is more than one of them or their work is saved. */
static bool prepare_pool(struct run *r, struct diagnostic *why)
{
    const struct campaign_options *o = r->options;
    if (o->mode != WORKER_GRAPH || (o->jobs == 1 && !campaign_is_kept(o)))
        return true;
    if (!make_pool(r, why))
        return false;
    struct target_pool *pool = r->saving.pool;
    struct target_run run = campaign_plan(o, 0);
    r->saving.path = o->checkpoint;
    pool->shared->is_part = r->saving.is_part;
    pool->shared->pieces_wanted = o->piece ? o->piece->pieces_wanted : 0;
    if (campaign_is_kept(o) && !saving_start(&r->saving, r->program, &run.config, why))
        return false;
    uint64_t done = r->saving.before.executions;
    pool->shared->executions_max = o->executions;
    pool->shared->budget = o->executions > done ? (int64_t)(o->executions - done) : 0;
    return true;
}

/* What runs before this one had counted. */
static void add_before(const struct saving *s, struct campaign_result *r)
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

static void conclude(struct run *r, struct campaign_result *result)
{
    add_up(r->workers, r->options->jobs, result);
    if (folding_next(r->level, r->workers, r->options->jobs) != r->level)
        result->limits |= LIMIT_FOLDING;
    result->estimate = target_shared(r->workers[0])->estimate;
    result->estimate_error = target_shared(r->workers[0])->estimate_error;
    if (result->estimate <= 0) {
        result->estimate = r->options->estimate;
        result->estimate_error = r->options->estimate_error;
    }
    if (r->saving.path || r->saving.is_part)
        add_before(&r->saving, result);
    if (r->options->shard.count)
        parts_keep_objects(&r->saving, &r->division, result);
    if (r->options->piece)
        parts_end_piece(&r->saving, r->options->piece, result);
    bool finished =
        result->found || (!result->failed && !result->timed_out && !(result->limits & LIMIT_EXECUTIONS));
    result->went_on = r->saving.went_on;
    saving_end(&r->saving, finished);
}

static bool run_all(const struct target_program *program, const struct campaign_options *options,
                    const struct folding *fold, enum folding_level level, struct target_worker **workers,
                    struct campaign_result *result, struct diagnostic *why)
{
    struct run r = {
        .program = program, .options = options, .workers = workers, .fold = *fold, .level = level};
    r.end = options->time > 0 ? base_now() + options->time : 0;
    *result = (struct campaign_result){.folded_by = level};
    if (options->piece)
        r.end = parts_begin_piece(&r.saving, options->piece);
    bool fine = !options->shard.count || options->piece || divide(&r, why);
    if (fine && !r.is_decided) {
        fine = prepare_pool(&r, why) && start_workers(&r, why);
        if (fine)
            wait_for_all(&r);
    }
    if (fine)
        conclude(&r, result);
    checkpoint_unlock(&r.saving.lock);
    target_pool_free(r.saving.pool);
    return fine;
}

/* Nothing was found, and executions beyond races were given up, in which plain accesses are steps: without these, a program that
 * has no race at all has an answer, and of one that has the first is reported. */
static bool is_better_stopped(const struct campaign_options *o, const struct campaign_result *r)
{
    return o->races == CAMPAIGN_RACES_REPORT && !o->suppress.len && (r->limits & LIMIT_UNSUPPORTED) &&
           !r->failing;
}

/* What of the run is better done in another way: its options and how much is folded change. */
static bool plan_again(struct campaign_options *o, enum folding_level *level,
                       struct target_worker *const *workers, const struct campaign_result *r)
{
    enum folding_level next = folding_next(*level, workers, o->jobs);
    bool stops = is_better_stopped(o, r);
    if (r->found || r->failed || (next == *level && (r->timed_out || !stops)))
        return false;
    if (stops)
        o->races = CAMPAIGN_RACES_STOP;
    *level = stops ? FOLDING_NONE : next;
    return true;
}

bool campaign_run_once(const struct target_program *program, const struct campaign_options *options,
                       struct target_worker **workers, struct campaign_result *result, struct diagnostic *why)
{
    double start = base_now();
    struct campaign_options again = *options;
    struct folding fold = {0};
    enum folding_level level = options->fold ? FOLDING_LOOKS : FOLDING_NONE;
    if (options->fold)
        folding_prepare(&fold, program);
    bool fine = run_all(program, options, &fold, level, workers, result, why);
    while (fine && plan_again(&again, &level, workers, result)) {
        again.time = options->time > 0 ? options->time - (base_now() - start) : 0;
        if (options->time > 0 && again.time <= 0)
            break;
        for (uint64_t k = 0; k < options->jobs; k++) {
            target_free(workers[k]);
            workers[k] = NULL;
        }
        fine = run_all(program, &again, &fold, level, workers, result, why);
        result->folded_less = options->fold && level < FOLDING_ALL;
    }
    folding_free(&fold);
    return fine;
}

/* Errors that were kept so far may be beyond every bound: they stand, and the loop limits what is said about others. */
static bool is_suspected(const struct campaign_result *r)
{
    return r->suspected && !r->found && !r->failed && !r->failing;
}

bool campaign_run(const struct target_program *program, const struct campaign_options *options,
                  struct target_worker **workers, struct campaign_result *result, struct diagnostic *why)
{
    double start = base_now();
    bool fine = campaign_run_once(program, options, workers, result, why);
    double left = options->time > 0 ? options->time - (base_now() - start) : 0;
    if (!fine || !is_suspected(result) || left < 0)
        return fine;
    return bounding_run(program, options, left, workers, result, why);
}

/* ------------------------------------------------------------------ before the run */

static const double ESTIMATE_SECONDS = 1; /* for all of it; the worker itself takes less */
enum { FEW_EXECUTIONS = 1000 };           /* are run before anybody has read how many there are */

/* An error in a sample is passed over: the exploration will find it, where it finds it without estimates. */
void campaign_estimate(const struct target_program *program, struct campaign_options *options)
{
    struct diagnostic why = {0};
    bool short_run = options->time > 0 && options->time < 2 * ESTIMATE_SECONDS;
    if (options->mode != WORKER_GRAPH || !options->wants_estimate || short_run)
        return;
    struct target_run run = campaign_plan(options, 0);
    run.config.estimates = ESTIMATES_ONLY;
    run.config.serials_out[0] = 0;
    struct target_worker *worker = target_start(program, &run, &why);
    if (!worker)
        return;
    struct target_watch watch = {.deadline = base_now() + ESTIMATE_SECONDS};
    target_wait(&worker, 1, &watch);
    const struct worker_shared *s = target_shared(worker);
    if (target_end_of(worker)->outcome == TARGET_FINISHED && s->estimate >= FEW_EXECUTIONS) {
        options->estimate = s->estimate;
        options->estimate_error = s->estimate_error;
    }
    target_free(worker);
    if (options->estimate > 0 && options->listener && options->listener->estimate)
        options->listener->estimate(options->estimate, options->estimate_error);
}

void campaign_mistake(struct diagnostic *out, const char *name, const struct target_worker *worker)
{
    const struct worker_shared *s = target_shared(worker);
    const struct target_end *end = target_end_of(worker);
    if (*s->config.spec_library && end->state == WORKER_JUDGING) {
        diagnostic_set(out, PL_SPEC_FAILED, 0, 0, "%s", end->message);
        snprintf(out->file, sizeof out->file, "%.*s", (int)sizeof out->file - 1, s->config.spec);
        return;
    }
    bool is_harness = s->is_harness || *s->config.test || *s->config.quasi || s->config.list;
    bool placed = *s->refused_file;
    int code = s->refused_by == REFUSED_CODE         ? PL_SPEC_FAILED
               : s->refused_by == REFUSED_ANNOTATION ? PL_ANNOTATION
               : is_harness                          ? PL_HARNESS
                                                     : PL_CANNOT_RUN;
    diagnostic_set(out, code, placed ? s->refused_line : 0, placed ? s->refused_column : 0, "%s",
                   end->message);
    snprintf(out->file, sizeof out->file, "%s", placed ? s->refused_file : name);
}
