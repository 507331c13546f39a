/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/check_errors.h"

#include "base/budget.h"
#include "cli/check_cause.h"
#include "cli/check_confirm.h"
#include "cli/check_races.h"
#include "cli/check_report.h"
#include "cli/output.h"

#include <stdlib.h>
#include <string.h>

enum { ERRORS_TOLD = 64 };
static const double SC_SECONDS = 10; /* for all questions about sequential consistency together */

/* ------------------------------------------------------------------ collecting */

/* The error a worker ended with. */
static void add_last(struct check *c)
{
    const struct worker_shared *s = target_shared(c->result.found);
    struct check_error e = {.worker = c->result.found, .error = &s->error, .executions = 1};
    bool counts_together = c->options.mode == WORKER_GRAPH;
    e.number = counts_together ? c->result.executions + 1 : s->config.first + s->executions + 1;
    e.steps = (uint64_t)s->event_count + s->events_lost;
    vec_push(&c->errors, e);
    c->result.failing++;
}

static struct check_error *find_cause(struct check *c, const char *cause)
{
    for (size_t k = 0; k < c->errors.len; k++)
        if (c->errors.data[k].cause && strcmp(c->errors.data[k].cause, cause) == 0)
            return &c->errors.data[k];
    return NULL;
}

static bool is_better(const struct check_error *a, const struct check_error *b)
{
    bool a_kept = a->finding->story != UINT32_MAX, b_kept = b->finding->story != UINT32_MAX;
    if (a_kept != b_kept)
        return a_kept;
    return a->choices != b->choices ? a->choices < b->choices : a->number < b->number;
}

/* Workers that share an exploration have no common order of its executions. */
static bool counts_alone(const struct check *c)
{
    return c->options.mode != WORKER_GRAPH || c->options.jobs == 1;
}

/* An execution may have two of the errors that become one here: then it is counted twice, as far as there are so many. */
static void add_finding(struct check *c, const struct target_worker *worker, const struct worker_finding *f,
                        struct symbols *symbols)
{
    struct check_error e = {.worker = worker,
                            .finding = f,
                            .error = &f->error,
                            .cause = check_cause(symbols, f),
                            .number = counts_alone(c) ? f->number : 0,
                            .executions = f->executions,
                            .choices = f->choice_count,
                            .steps = f->steps};
    struct check_error *same = find_cause(c, e.cause);
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

static void add_findings(struct check *c, const struct target_worker *worker)
{
    const struct worker_shared *s = target_shared(worker);
    if (!s->finding_count)
        return;
    struct symbols *symbols = check_report_symbols(s);
    for (uint32_t k = 0; k < s->finding_count; k++)
        add_finding(c, worker, &s->findings[k], symbols);
    symbols_close(symbols);
}

static int compare_numbers(const void *a, const void *b)
{
    const struct check_error *ea = a, *eb = b;
    if (ea->number != eb->number)
        return ea->number < eb->number ? -1 : 1;
    return ea->cause && eb->cause ? strcmp(ea->cause, eb->cause) : 0;
}

/* One error is reported; those that were not confirmed say why there may be none. */
static void keep_first(struct check *c)
{
    while (c->errors.len > 1 && check_is_violated(c)) {
        struct check_error e = vec_pop(&c->errors);
        target_free(e.confirmation.again);
        free(e.cause);
    }
}

static void leave_out_last(struct check *c)
{
    for (; c->errors.len > ERRORS_TOLD; c->errors_untold++)
        free(vec_pop(&c->errors).cause);
}

/* ------------------------------------------------------------------ confirming */

static void confirm(const struct check *c, struct check_error *e)
{
    if (e->finding)
        check_confirm_finding(c->program, e->worker, e->finding, &e->confirmation);
    else
        check_confirm(c->program, e->worker, &e->confirmation);
}

static void confirm_all(struct check *c)
{
    size_t confirmed = 0;
    for (size_t k = 0; k < c->errors.len; k++) {
        confirm(c, &c->errors.data[k]);
        if (c->errors.data[k].confirmation.answer != CONFIRM_SAME)
            continue;
        struct check_error e = c->errors.data[k];
        memmove(c->errors.data + confirmed + 1, c->errors.data + confirmed, (k - confirmed) * sizeof e);
        c->errors.data[confirmed++] = e;
    }
}

/* The best order of what is told, and whether the memory model is to blame. */
static void tell_graphs(struct check *c, double start)
{
    bool asks = strcmp(check_memory_name(&c->options), "sc") != 0 &&
                (!c->options.quiet || c->options.json || report_files_wanted(&c->options.files));
    double began = base_now();
    for (size_t k = 0; k < check_count_confirmed(c); k++) {
        struct check_error *e = &c->errors.data[k];
        check_confirm_tell(c->program, &e->confirmation);
        if (asks && e->error->kind != WORKER_ERROR_NONDETERMINISTIC &&
            (k == 0 || (c->options.all_errors && base_now() - began < SC_SECONDS)))
            check_sc_ask(c->program, &c->options, target_shared(e->confirmation.again), e->cause,
                         c->options.time - (base_now() - start), &e->sc);
    }
}

void check_errors_collect(struct check *c, double start)
{
    if (c->result.found)
        add_last(c);
    bool kept = check_lists_errors(&c->options) || c->suppressions.rules.len;
    for (uint64_t k = 0; k < c->options.jobs && kept; k++)
        add_findings(c, c->workers[k]);
    check_races_suppress(c);
    if (c->errors.len > 1)
        qsort(c->errors.data, c->errors.len, sizeof *c->errors.data, compare_numbers);
    leave_out_last(c);
    confirm_all(c);
    check_races_suppress_confirmed(c);
    if (!check_lists_errors(&c->options))
        keep_first(c);
    if (c->options.mode == WORKER_GRAPH)
        tell_graphs(c, start);
}

/* ------------------------------------------------------------------ traces */

/* "queue.plr", "queue.2.plr" and so on. */
static void add_trace_name(struct text *name, const struct check *c, size_t number)
{
    const char *base = c->options.trace;
    size_t length = base ? strlen(base) : 0;
    const char *ending = length > 4 && strcmp(base + length - 4, ".plr") == 0 ? ".plr" : "";
    length -= strlen(ending);
    if (!base) {
        base = strrchr(c->files.data[0], '/');
        base = base ? base + 1 : c->files.data[0];
        length = strcspn(base, ".");
        ending = ".plr";
    }
    text_add(name, base, length);
    if (number > 1)
        text_printf(name, ".%zu", number);
    text_puts(name, ending);
}

static void save_trace(const struct check *c, struct check_error *e, size_t number)
{
    struct trace_file trace;
    struct diagnostic why = {0};
    const struct target_worker *from = e->confirmation.told || e->finding ? e->confirmation.again : e->worker;
    if (!trace_file_record(&trace, &c->source, c->program, from, &why)) {
        output_diagnostic(NULL, &why);
        return;
    }
    trace.golden_file = c->options.golden;
    trace.golden_define = c->options.golden_define;
    struct text name = {0};
    add_trace_name(&name, c, number);
    if (trace_file_save(&trace, name.data, &why))
        e->trace = text_take(&name);
    else
        output_diagnostic(name.data, &why);
    trace_file_free(&trace);
    text_free(&name);
}

void check_errors_save(struct check *c)
{
    for (size_t k = 0; k < check_count_confirmed(c); k++)
        save_trace(c, &c->errors.data[k], k + 1);
}

void check_errors_free(struct check *c)
{
    for (size_t k = 0; k < c->errors.len; k++) {
        target_free(c->errors.data[k].confirmation.again);
        free(c->errors.data[k].cause);
        free(c->errors.data[k].trace);
    }
    vec_free(&c->errors);
}
