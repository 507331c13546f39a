/* SPDX-License-Identifier: Apache-2.0 */
#include "campaign/tables/history_count.h"

#include "base/budget.h"
#include "graph/model.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

bool history_count_fits(const struct campaign_options *o, struct diagnostic *why)
{
    bool sc =
        o->mode == WORKER_DFS || (o->mode == WORKER_GRAPH && model_at(o->memory)->kind == MODEL_INTERLEAVED);
    if (!o->test)
        return diagnostic_set(why, PL_USAGE, 0, 0, "--count-histories is for --test");
    if (!sc)
        return diagnostic_set(why, PL_USAGE, 0, 0,
                              "--count-histories needs --memory sc or --mode dfs: elsewhere time has no "
                              "one order, or not all executions are run");
    if (o->fold || o->symmetry)
        return diagnostic_set(why, PL_USAGE, 0, 0,
                              "--count-histories cannot be combined with --fold and --symmetry, which "
                              "leave out histories");
    if (o->client > 0)
        return diagnostic_set(why, PL_USAGE, 0, 0,
                              "--count-histories counts for every client: not with --client fixed");
    return true;
}

/* For benchmarks: what it costs not to recognise what was met before (docs/internals/judge/judge.md). */
static int what_to_count(void)
{
    return getenv("PLUMB_COUNT_REPEATED") ? COUNT_REPEATED : COUNT_DIFFERENT;
}

static struct campaign_options make_options(const struct campaign_options *options, double start)
{
    const double least = 0.01; /* none at all would mean any */
    struct campaign_options o = *options;
    o.count = what_to_count();
    o.jobs = 1;
    o.all_errors = true;
    o.listener = NULL;
    o.checkpoint = o.observations = NULL;
    if (o.time > 0) {
        double left = o.time - (base_now() - start);
        o.time = left > least ? left : least;
    }
    return o;
}

static bool leaves_out(const struct campaign_result *r)
{
    return r->found || r->failed || r->timed_out || r->judging_was_stuck ||
           r->limits & ~(uint32_t)LIMITS_NAMED_ONLY;
}

void history_count_run(const struct target_program *program, const struct campaign_options *options,
                       double start, struct history_count *out)
{
    struct campaign_options o = make_options(options, start);
    struct target_worker *worker = NULL;
    struct campaign_result result;
    struct diagnostic ignored = {0};
    double begin = base_now();
    *out = (struct history_count){0};
    if (campaign_run(program, &o, &worker, &result, &ignored)) {
        out->counted = target_shared(worker)->counted;
        out->is_known = true;
        out->is_partial = leaves_out(&result);
        out->had_errors = result.failing > 0;
    }
    out->seconds = base_now() - begin;
    target_free(worker);
}

void history_count_add_text(const struct history_count *c, const struct campaign_options *options,
                            struct text *out)
{
    text_printf(out, "histories: %s%" PRIu64 " (%" PRIu64 " not %slinearizable)",
                c->is_partial ? "at least " : "", c->counted.histories, c->counted.wrong,
                options->quasi ? "quasi " : "");
    if (options->verbose)
        text_printf(out, ", %" PRIu64 " sequentializations", c->counted.orders);
    if (c->had_errors)
        text_puts(out, "; executions with other errors have none");
    text_puts(out, "\n");
}

void history_count_add_json(const struct history_count *c, struct json_writer *w)
{
    json_key(w, "histories"), json_open_object(w);
    json_key(w, "total"), json_uint(w, c->counted.histories);
    json_key(w, "wrong"), json_uint(w, c->counted.wrong);
    json_key(w, "sequentializations"), json_uint(w, c->counted.orders);
    json_key(w, "complete"), json_bool(w, !c->is_partial && !c->had_errors);
    if (c->counted.met) {
        json_key(w, "met"), json_uint(w, c->counted.met);
        json_key(w, "sequentializations_met"), json_uint(w, c->counted.orders_met);
    }
    json_key(w, "counting_seconds"), json_seconds(w, c->seconds);
    json_close_object(w);
}
