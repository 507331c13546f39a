/* SPDX-License-Identifier: Apache-2.0 */
#include "campaign/campaign_errors.h"

#include "base/budget.h"
#include "campaign/error_cause.h"
#include "campaign/campaign_confirm.h"
#include "campaign/campaign_races.h"
#include "campaign/serial_runs.h"
#include "explain/program/explain_error.h"
#include "graph/model.h"
#include "spec/serial/serial.h"

#include <stdlib.h>
#include <string.h>

enum { ERRORS_MOST = 64 };
static const double SC_SECONDS = 10; /* for all questions about sequential consistency together */

/* ------------------------------------------------------------------ collecting */

static void take_worker(struct campaign_error *e, const struct target_worker *worker)
{
    const struct worker_shared *s = target_shared(worker);
    e->worker = worker;
    e->error = &s->error;
    e->steps = (uint64_t)s->event_count + s->events_lost;
}

/* The error a worker ended with. */
static void add_last(struct campaign *c)
{
    const struct worker_shared *s = target_shared(c->result.found);
    struct campaign_error e = {.executions = 1};
    bool counts_together = c->options.mode == WORKER_GRAPH;
    e.number = counts_together ? c->result.executions + 1 : s->config.first + s->executions + 1;
    take_worker(&e, c->result.found);
    vec_push(&c->errors, e);
    c->result.failing++;
}

/* Back to the execution that was found. */
static void leave_shrunk(const struct campaign *c, struct campaign_error *e)
{
    take_worker(e, c->result.found);
    target_free(e->shrunk.worker);
    e->shrunk = (struct shrunk_schedule){0};
}

/* What was found by chance is shown with as few switches as possible. */
static void shrink_last(struct campaign *c, double start)
{
    bool sampled = c->options.mode == WORKER_RANDOM || c->options.mode == WORKER_PCT;
    struct campaign_error *e = c->errors.len ? &c->errors.data[c->errors.len - 1] : NULL;
    if (!e || !sampled || campaign_lists_errors(&c->options) || !campaign_explains(c) ||
        e->error->kind == WORKER_ERROR_NONDETERMINISTIC)
        return;
    struct worker_shared *s = target_shared(e->worker);
    if (strcmp(s->judged_by, SPEC_DERIVED_NAME) == 0)
        serial_runs_ask(&s->config);
    e->shrunk = shrink_schedule(c->program, e->worker, c->options.time > 0 ? start + c->options.time : 0);
    if (e->shrunk.worker)
        take_worker(e, e->shrunk.worker);
}

static struct campaign_error *find_cause(struct campaign *c, const char *cause)
{
    for (size_t k = 0; k < c->errors.len; k++)
        if (c->errors.data[k].cause && strcmp(c->errors.data[k].cause, cause) == 0)
            return &c->errors.data[k];
    return NULL;
}

static bool is_better(const struct campaign_error *a, const struct campaign_error *b)
{
    bool a_kept = a->finding->story != UINT32_MAX, b_kept = b->finding->story != UINT32_MAX;
    if (a_kept != b_kept)
        return a_kept;
    return a->choices != b->choices ? a->choices < b->choices : a->number < b->number;
}

/* Workers that share an exploration have no common order of its executions. */
static bool counts_alone(const struct campaign *c)
{
    return c->options.mode != WORKER_GRAPH || c->options.jobs == 1;
}

/* An execution may have two of the errors that become one here: then it is counted twice, as far as there are so many. */
static void add_finding(struct campaign *c, const struct target_worker *worker,
                        const struct worker_finding *f, struct symbols *symbols)
{
    struct campaign_error e = {.worker = worker,
                               .finding = f,
                               .error = &f->error,
                               .cause = error_cause(symbols, f),
                               .number = counts_alone(c) ? f->number : 0,
                               .executions = f->executions,
                               .choices = f->choice_count,
                               .steps = f->steps};
    struct campaign_error *same = find_cause(c, e.cause);
    if (!same) {
        vec_push(&c->errors, e);
        return;
    }
    e.executions += same->executions;
    if (e.executions > c->result.failing)
        e.executions = c->result.failing;
    if (is_better(&e, same)) {
        free(same->cause);
        *same = e;
    } else {
        same->executions = e.executions;
        free(e.cause);
    }
}

static void add_findings(struct campaign *c, const struct target_worker *worker)
{
    const struct worker_shared *s = target_shared(worker);
    if (!s->finding_count)
        return;
    struct symbols *symbols = explain_symbols(s);
    for (uint32_t k = 0; k < s->finding_count; k++)
        add_finding(c, worker, &s->findings[k], symbols);
    symbols_close(symbols);
}

static int compare_numbers(const void *a, const void *b)
{
    const struct campaign_error *ea = a, *eb = b;
    if (ea->number != eb->number)
        return ea->number < eb->number ? -1 : 1;
    return ea->cause && eb->cause ? strcmp(ea->cause, eb->cause) : 0;
}

/* One error is reported; those that were not confirmed say why there may be none. */
static void keep_first(struct campaign *c)
{
    while (c->errors.len > 1 && campaign_is_violated(c)) {
        struct campaign_error e = vec_pop(&c->errors);
        campaign_error_free(&e);
    }
}

static void leave_out_last(struct campaign *c)
{
    for (; c->errors.len > ERRORS_MOST; c->errors_left_out++)
        free(vec_pop(&c->errors).cause);
}

/* ------------------------------------------------------------------ confirming */

static void confirm(const struct campaign *c, struct campaign_error *e)
{
    struct confirm_question question = {.program = c->program,
                                        .name = c->files.data[0],
                                        .worker = e->worker,
                                        .finding = e->finding,
                                        .for_display = c->options.mode == WORKER_GRAPH};
    campaign_confirm(&question, &e->confirmed);
    if (e->confirmed.run.answer == CONFIRM_SAME || !e->shrunk.worker)
        return;
    campaign_confirmed_free(&e->confirmed);
    leave_shrunk(c, e);
    question.worker = e->worker;
    campaign_confirm(&question, &e->confirmed);
}

static void confirm_all(struct campaign *c)
{
    size_t confirmed = 0;
    for (size_t k = 0; k < c->errors.len; k++) {
        confirm(c, &c->errors.data[k]);
        if (c->errors.data[k].confirmed.run.answer != CONFIRM_SAME)
            continue;
        struct campaign_error e = c->errors.data[k];
        memmove(c->errors.data + confirmed + 1, c->errors.data + confirmed, (k - confirmed) * sizeof e);
        c->errors.data[confirmed++] = e;
    }
}

/* If sc has the error, that is the story to tell: it needs no weak memory. */
static void ask_under_sc(const struct campaign *c, struct campaign_error *e, double left)
{
    under_sc_ask(c->program, &c->options, target_shared(e->confirmed.run.again), e->cause, left, &e->sc);
    if (!e->sc.worker)
        return;
    struct confirmed weak = e->confirmed;
    e->confirmed = e->sc.confirmed;
    e->sc.confirmed = weak;
    campaign_order_for_display(c->program, &e->confirmed);
}

/* The order in which each reads best, and whether the memory model is to blame. */
static void examine_graphs(struct campaign *c, double start)
{
    const struct memory_model *model = campaign_model(&c->options);
    bool asks = model->kind != MODEL_INTERLEAVED && campaign_explains(c);
    bool asks_c11 = model->kind == MODEL_LANGUAGE && !model->stores_continue && campaign_explains(c);
    double began = base_now();
    for (size_t k = 0; k < campaign_count_confirmed(c); k++) {
        struct campaign_error *e = &c->errors.data[k];
        campaign_order_for_display(c->program, &e->confirmed);
        bool depends = e->error->kind != WORKER_ERROR_NONDETERMINISTIC && e->error->kind != WORKER_ERROR_SYNC;
        bool has_time = k == 0 || (c->options.all_errors && base_now() - began < SC_SECONDS);
        if (asks_c11 && has_time && e->error->kind != WORKER_ERROR_NONDETERMINISTIC)
            under_c11_ask(c->program, &c->options, target_shared(e->confirmed.run.again), e->cause,
                          c->options.time - (base_now() - start), &e->c11);
        if (k == 0 && campaign_explains(c))
            under_weak_ask(c->program, &c->options, &e->confirmed, target_shared(e->worker)->judges,
                           c->options.time - (base_now() - start), &e->weak);
        if (asks && depends && has_time)
            ask_under_sc(c, e, c->options.time - (base_now() - start));
    }
}

void campaign_errors_collect(struct campaign *c, double start)
{
    if (c->result.found)
        add_last(c);
    shrink_last(c, start);
    bool kept = campaign_lists_errors(&c->options) || c->suppressions.rules.len;
    for (uint64_t k = 0; k < c->options.jobs && kept; k++)
        add_findings(c, c->workers[k]);
    campaign_races_suppress(c);
    if (c->errors.len > 1)
        qsort(c->errors.data, c->errors.len, sizeof *c->errors.data, compare_numbers);
    leave_out_last(c);
    confirm_all(c);
    campaign_races_suppress_confirmed(c);
    if (!campaign_lists_errors(&c->options))
        keep_first(c);
    if (c->options.mode == WORKER_GRAPH)
        examine_graphs(c, start);
}

/* ------------------------------------------------------------------ traces */

/* "queue.plr", "queue.2.plr" and so on. */
static void add_trace_name(struct text *name, const struct campaign *c, size_t number)
{
    const char *base = c->options.trace;
    size_t length = base ? strlen(base) : 0;
    const char *ending = length > 4 && strcmp(base + length - 4, ".plr") == 0 ? ".plr" : "";
    length -= strlen(ending);
    if (base)
        text_add(name, base, length);
    else
        text_add_name(name, c->options.out, c->files.data[0], ""), ending = ".plr";
    if (number > 1)
        text_printf(name, ".%zu", number);
    text_puts(name, ending);
}

static void save_trace(const struct campaign *c, struct campaign_error *e, size_t number)
{
    struct trace_file trace;
    struct diagnostic why = {0};
    const struct target_worker *from = e->confirmed.run.is_ordered || e->finding ? e->confirmed.run.again
                                       : e->sc.worker                            ? e->sc.worker
                                                                                 : e->worker;
    if (!trace_file_record(&trace, &c->source, c->program, from, &why)) {
        campaign_problem(&c->options, NULL, &why);
        return;
    }
    trace.golden_file = c->options.golden;
    trace.golden_define = c->options.golden_define;
    struct text name = {0};
    add_trace_name(&name, c, number);
    if (trace_file_save(&trace, name.data, &why))
        e->trace = text_take(&name);
    else
        campaign_problem(&c->options, name.data, &why);
    trace_file_free(&trace);
    text_free(&name);
}

void campaign_errors_save(struct campaign *c)
{
    for (size_t k = 0; k < campaign_count_confirmed(c); k++)
        save_trace(c, &c->errors.data[k], k + 1);
}

/* ------------------------------------------------------------------ explaining */

/* For `plumb merge`, which writes any document of it. */
static bool is_recorded(const struct campaign *c)
{
    return c->options.shard.result || (c->tests && c->tests->is_recorded);
}

bool campaign_explains(const struct campaign *c)
{
    return !c->options.quiet || c->options.json || c->options.witness || is_recorded(c) ||
           report_paths_wanted(&c->options.files);
}

static void explain(const struct campaign *c, struct campaign_error *e)
{
    struct report_execution *x = &e->explained->execution;
    explain_execution(e->explained, c->files.data[0], target_shared(e->confirmed.run.again),
                      campaign_judged(&e->confirmed), c->options.files.of[REPORT_HTML] || is_recorded(c));
    explain_execution_add_output(e->explained, e->confirmed.run.again);
    x->number = e->number;
    x->executions = campaign_lists_errors(&c->options) ? e->executions : 0;
    if (!e->confirmed.run.is_ordered)
        x->steps = e->steps;
    bool serial = e->error->kind == WORKER_ERROR_NONDETERMINISTIC; /* the memory model has no part in it */
    if ((c->options.mode == WORKER_GRAPH || c->interleaved) && !serial)
        x->memory = e->sc.worker ? model_sc.name : campaign_memory_name(&c->options);
    x->under_sc = under_stronger_word(&e->sc);
    x->under_c11 = under_stronger_word(&e->c11);
    x->under_weak = *e->weak.spec ? e->weak.spec : NULL;
    x->trace = e->trace;
}

void campaign_errors_explain(struct campaign *c)
{
    for (size_t k = 0; k < campaign_count_confirmed(c) && campaign_explains(c); k++) {
        c->errors.data[k].explained = NEW(struct explained_execution);
        explain(c, &c->errors.data[k]);
    }
}

void campaign_error_free(struct campaign_error *e)
{
    if (e->explained)
        explain_execution_free(e->explained);
    free(e->explained);
    campaign_confirmed_free(&e->confirmed);
    other_rules_free(&e->sc);
    target_free(e->shrunk.worker);
    free(e->cause);
    free(e->trace);
}

void campaign_errors_free(struct campaign *c)
{
    for (size_t k = 0; k < c->errors.len; k++)
        campaign_error_free(&c->errors.data[k]);
    vec_free(&c->errors);
}
