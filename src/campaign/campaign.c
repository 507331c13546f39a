/* SPDX-License-Identifier: Apache-2.0 */
#include "campaign/campaign.h"

#include "base/budget.h"
#include "campaign/campaign_errors.h"
#include "campaign/campaign_interleave.h"
#include "campaign/nonblocking.h"
#include "campaign/serial_runs.h"
#include "target/code/foreign.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What is asked for needs a test: the one that was named, or the harness' own. */
static bool find_test(struct campaign *c)
{
    static char test[PROTOCOL_TEST];
    struct campaign_options *o = &c->options;
    if (o->test || !(o->golden || o->golden_define || o->observations))
        return true;
    if (!campaign_own_test(c->program, o, c->files.data[0], test, &c->why))
        return false;
    o->test = test;
    return *test || diagnostic_set(&c->why, PL_USAGE, 0, 0,
                                   "--golden, --golden-define and --observations are about a test: name one "
                                   "with --test, or with PLUMB_TEST in the harness");
}

static bool ask_golden(struct campaign *c)
{
    static char serials[PROTOCOL_PATH];
    struct golden golden = {c->options.golden, c->options.golden_define};
    if (!golden.file && !golden.define)
        return true;
    struct target_run run = campaign_plan(&c->options, 0);
    if (!golden_serial_runs(&golden, &c->source, &run.config, &c->why))
        return false;
    memcpy(serials, run.config.serials_in, sizeof serials);
    c->options.serials_in = serials;
    c->options.observations = NULL; /* written */
    return true;
}

/* --order names places in the source, which only the program itself knows. */
static bool find_orders(struct campaign *c)
{
    struct order_sites sites;
    if (!c->options.orders.len)
        return true;
    order_sites_find(&sites, c->program->path);
    bool fine = order_sites_resolve(&sites, &c->options.orders, &c->orders, &c->orders_changed, &c->why);
    c->options.order_table = &c->orders;
    order_sites_free(&sites);
    return fine;
}

/* Atomic instructions whose steps would be invisible: whatever came out, it would not be the program's doing. */
static void find_foreign(struct campaign *c)
{
    struct foreign foreign = foreign_find(c->program->path);
    c->assembly = foreign.atomics;
    unseen_take_foreign(&c->scope.unseen, &foreign);
    unseen_set_record(&c->scope.unseen, &c->program->record);
}

/* ------------------------------------------------------------------ a thread that stops forever */

static void free_workers(struct target_worker **workers, uint64_t jobs)
{
    for (uint64_t k = 0; k < jobs; k++) {
        target_free(workers[k]);
        workers[k] = NULL;
    }
}

/* Whatever is not *holds* is the answer, unless the one before it was not either; then only an error is. */
static bool is_worse(const struct campaign_result *before, const struct campaign_result *now)
{
    return now->found || (nonblocking_is_clean(before) && !nonblocking_is_clean(now));
}

static bool explore_stops(struct campaign *c, double left)
{
    struct target_worker *workers[sizeof c->workers / sizeof *c->workers] = {0};
    struct campaign_result result = {0};
    struct nonblocking_plan plan = nonblocking_plan_after(c->workers, c->options.jobs);
    struct campaign_options o = nonblocking_options(&c->options, &plan);
    o.time = left;
    if (!campaign_run(c->program, &o, workers, &result, &c->why)) {
        free_workers(workers, o.jobs);
        return false;
    }
    bool covered = result.found || nonblocking_was_covered(&plan, workers, o.jobs);
    c->stops.executions = result.executions;
    c->stops.is_decided = covered && nonblocking_is_clean(&result);
    if (is_worse(&c->result, &result)) {
        free_workers(c->workers, o.jobs);
        memcpy(c->workers, workers, sizeof workers);
        c->result = result;
    } else {
        free_workers(workers, o.jobs);
        c->result.limits |= result.limits & LIMITS_NAMED_ONLY;
    }
    return true;
}

/* Of a program with nothing else wrong. */
static bool check_progress(struct campaign *c, double start)
{
    const struct campaign_result *r = &c->result;
    double left = c->options.time > 0 ? c->options.time - (base_now() - start) : 0;
    c->stops.was_asked = c->options.progress;
    if (!c->options.progress || c->options.mode != WORKER_GRAPH || r->found || r->failed || r->failing ||
        r->timed_out || left < 0)
        return true;
    return explore_stops(c, left);
}

/* Runs it, if that can be done, and confirms what was found. */
static bool run_program(struct campaign *c, double start)
{
    if (c->assembly)
        return true;
    if (!find_orders(c) || !find_test(c) || !ask_golden(c))
        return false;
    campaign_estimate(c->program, &c->options);
    if (!campaign_run(c->program, &c->options, c->workers, &c->result, &c->why) ||
        !campaign_interleave_if_needed(c->program, &c->options, start, c->workers, &c->result,
                                       &c->interleaved, &c->why) ||
        !check_progress(c, start))
        return false;
    campaign_errors_collect(c, start);
    if (c->options.count_histories && !c->result.failed)
        history_count_run(c->program, &c->options, start, &c->count);
    return true;
}

static void find_scope(struct campaign *c)
{
    struct scope_facts facts = {.options = &c->options,
                                .source = &c->source,
                                .program = c->program,
                                .limits = c->result.limits,
                                .loops = c->result.bounds.loops,
                                .interleaved = c->interleaved};
    bool belongs = scope_belongs(c->verdict);
    for (uint64_t k = 0; k < c->options.jobs; k++)
        if (c->workers[k] && belongs)
            scope_add_worker(&c->scope, target_shared(c->workers[k]));
        else if (c->workers[k])
            unseen_add_worker(&c->scope.unseen, target_shared(c->workers[k]));
    if (belongs)
        scope_add_run(&c->scope, &facts);
}

/* --time is about all that it takes, building too. */
static bool build(struct campaign *c)
{
    const double least = 0.001;
    double start = base_now(), *time = &c->options.time;
    if (c->program) /* borrowed */
        return true;
    c->program = target_build(&c->source, &c->why);
    if (*time > 0)
        *time = fmax(*time - (base_now() - start), least);
    return c->program;
}

bool campaign_prepare(struct campaign *c)
{
    c->verdict = VERDICT_NONE;
    c->observations = c->options.observations;
    if (c->options.mode == WORKER_DFS)
        c->options.jobs = 1;
    return suppress_read(&c->suppressions, &c->options.suppress, &c->why) && build(c);
}

bool campaign_decide_prepared(struct campaign *c)
{
    find_foreign(c);
    if (!run_program(c, base_now()))
        return false;
    campaign_conclude(c);
    find_scope(c);
    campaign_errors_save(c);
    campaign_errors_explain(c);
    return true;
}

bool campaign_decide(struct campaign *c)
{
    return campaign_prepare(c) && campaign_decide_prepared(c);
}

bool campaign_decide_again(struct campaign *c, struct target_program *program)
{
    c->verdict = VERDICT_NONE;
    c->program = program;
    c->borrows_program = true;
    if (!suppress_read(&c->suppressions, &c->options.suppress, &c->why) || !run_program(c, base_now()))
        return false;
    campaign_conclude(c);
    return true;
}

void campaign_free(struct campaign *c)
{
    for (uint64_t k = 0; k < sizeof c->workers / sizeof *c->workers; k++)
        target_free(c->workers[k]);
    campaign_errors_free(c);
    campaign_result_free(&c->result);
    if (!c->borrows_program)
        target_program_free(c->program);
    for (size_t k = 0; k < c->limits.len; k++)
        free(c->limits.data[k]);
    vec_free(&c->limits);
    vec_free(&c->files);
    scope_free(&c->scope);
    suppress_free(&c->suppressions);
    text_free(&c->failure);
    text_free(&c->orders_changed);
    for (size_t k = 0; k < c->repair.len; k++)
        free(c->repair.data[k].site);
    vec_free(&c->repair);
    free(c->interleaved);
    free(c->assembly);
}
