/* SPDX-License-Identifier: Apache-2.0 */
/* The result of `plumb check` as text. */
#include "base/shell_word.h"
#include "base/terminal.h"
#include "campaign/annotated.h"
#include "campaign/campaign_races.h"
#include "campaign/observed_history.h"
#include "campaign/tables/compared.h"
#include "cli/check/check_program.h"
#include "cli/common/output.h"

#include <inttypes.h>
#include <string.h>

static const char *whole_text(const struct campaign *c)
{
    return c->options.mode == WORKER_GRAPH ? "the exploration"
           : c->options.mode == WORKER_DFS ? "the depth-first search"
                                           : "the sample";
}

static void add_found(struct text *out, const struct campaign *c, const struct campaign_error *e)
{
    if (e->error->kind == WORKER_ERROR_NONDETERMINISTIC) {
        text_puts(out, "  found in the serial runs, before the exploration\n");
        return;
    }
    if (!campaign_lists_errors(&c->options)) {
        text_printf(out, "  %s in execution %" PRIu64 " of %s", e->sc.worker ? "first found" : "found",
                    e->number, whole_text(c));
        if (e->shrunk.worker)
            text_printf(out, "; shrunk from %" PRIu32 " to %" PRIu32 " switches", e->shrunk.from,
                        e->shrunk.to);
        text_puts(out, "\n");
        return;
    }
    text_printf(out, "  found in %" PRIu64 " execution%s", e->executions, e->executions == 1 ? "" : "s");
    if (e->number)
        text_printf(out, "%s number %" PRIu64 " of %s", e->executions == 1 ? "," : "; this is", e->number,
                    whole_text(c));
    text_puts(out, "\n");
}

static void add_observed(struct text *out, const struct worker_shared *shared)
{
    struct text history = {0};
    if (observed_history_add(&history, shared, "    "))
        text_printf(out, "  in the form of the serial histories (--observations):\n%s", history.data);
    text_free(&history);
}

void check_add_error(struct text *out, const struct campaign *c, const struct campaign_error *e,
                     const struct report_style *style)
{
    text_puts(out, e > c->errors.data ? "\n" : "");
    report_terminal(out, &e->explained->counterexample, style);
    text_puts(out, "\n");
    if (e->sc.answer) {
        text_puts(out, "  ");
        under_sc_add_text(&e->sc, out);
        text_puts(out, "\n");
    }
    if (e->c11.answer == RULES_NEVER) {
        text_puts(out, "  ");
        under_c11_add_text(&e->c11, out);
        text_puts(out, "\n");
    }
    if (*e->weak.spec) {
        text_puts(out, "  ");
        under_weak_add_text(&e->weak, out);
        text_puts(out, "\n");
    }
    if (e == c->errors.data)
        check_add_repair(out, c);
    if (c->options.verbose)
        add_observed(out, target_shared(e->confirmed.run.again));
    if (e == c->errors.data && c->smaller.campaign)
        text_printf(out, "  a smaller test that fails, with %zu of %zu operations: --test '%s'\n",
                    c->smaller.to, c->smaller.from, c->smaller.test);
    add_found(out, c, e);
    if (e->trace) {
        text_puts(out, "  replay: plumb replay");
        shell_add_file(out, e->trace);
        text_puts(out, "\n");
    }
}

static void print_error(const struct campaign *c, const struct campaign_error *e)
{
    struct text t = {0};
    struct report_style style = output_style(c->options.color);
    style.full = c->options.full;
    check_add_error(&t, c, e, &style);
    output_text(stdout, &t);
    text_free(&t);
}

static void print_races(const struct campaign *c)
{
    struct text t = {0};
    campaign_races_add_list(&t, c);
    output_text(stdout, &t);
    text_free(&t);
}

/* Of races that are listed, one is reported in full. */
static void print_errors(const struct campaign *c)
{
    for (size_t k = 0; k < campaign_count_confirmed(c); k++)
        if (k == 0 || c->options.all_errors || c->errors.data[k].error->kind != WORKER_ERROR_RACE)
            print_error(c, &c->errors.data[k]);
    if (c->options.races == CAMPAIGN_RACES_REPORT)
        print_races(c);
}

static void print_compared(const struct campaign *c)
{
    struct text t = {0};
    if (c->interleaved && (c->options.compare || c->options.report_weak))
        text_puts(&t, "  not compared: that needs graphs\n");
    else if (c->options.compare)
        compared_add_conflicts(&t, &c->result.compared, campaign_races_count(c),
                               target_shared(c->workers[0]));
    if (c->options.report_weak && !c->interleaved)
        compared_add_weak(&t, &c->result.compared, target_shared(c->workers[0]));
    output_text(stdout, &t);
    text_free(&t);
}

static void print_counts(const struct campaign *c)
{
    const struct campaign_result *r = &c->result;
    output_flush();
    fprintf(stderr,
            "  %" PRIu64 " execution%s: %" PRIu64 " complete, %" PRIu64 " blocked, %" PRIu64 " cut; %" PRIu64
            " step%s",
            r->executions, r->executions == 1 ? "" : "s", r->complete, r->blocked, r->cut, r->steps,
            r->steps == 1 ? "" : "s");
    if (c->options.mode == WORKER_GRAPH)
        fprintf(stderr, ", %" PRIu64 " revisit%s", r->revisits, r->revisits == 1 ? "" : "s");
    if (c->options.fold_asked || r->folded)
        fprintf(stderr, ", %" PRIu64 " folded", r->folded);
    fputs("\n", stderr);
    if (r->folded_less)
        fprintf(stderr, "  folding: %s\n", folding_why_less(r->folded_by));
    if (pipeline_judged())
        fprintf(stderr, "  histories judged again, to confirm them: %" PRIu64 "\n", pipeline_judged());
}

/* How to go on where loops had to be bounded. */
static void print_advice(const struct campaign *c)
{
    struct text t = {0};
    output_flush();
    if (bounds_add_advice(&t, &c->result.bounds, c->options.verbose))
        fprintf(stderr, "  %s\n", t.data);
    text_free(&t);
}

/* "3 errors in 5 of all 8 executions" */
static void add_error_count(struct text *out, const struct campaign *c)
{
    size_t errors = campaign_count_confirmed(c);
    uint64_t executions = c->result.executions + (c->result.found != NULL); /* the last one has no end */
    uint64_t failing = c->result.failing < executions ? c->result.failing : executions;
    bool all = !c->is_partial && (c->options.mode == WORKER_GRAPH || c->options.mode == WORKER_DFS);
    text_printf(out, "%zu error%s in %" PRIu64 " of %s%" PRIu64 " execution%s", errors,
                errors == 1 ? "" : "s", failing, all ? "all " : "", executions, executions == 1 ? "" : "s");
}

static void add_annotated(struct text *out, const struct campaign *c)
{
    struct text t = {0};
    annotated_add_text(&t, &c->result.annotated);
    if (c->program && c->program->record.unheeded)
        text_printf(&t, "%sspecifications in comments were ignored", t.len ? "; " : "");
    if (t.len)
        text_printf(out, "; %s", t.data);
    text_free(&t);
}

/* A lock without hooks is not known to be one: then a race may be none. */
static bool is_doubtful(const struct campaign *c)
{
    if (!campaign_is_violated(c) || !c->errors.len || c->errors.data[0].error->kind != WORKER_ERROR_RACE)
        return false;
    for (size_t k = 0; k < c->scope.unseen.list.len; k++)
        if (unseen_is_called(&c->scope.unseen.list.data[k]))
            return true;
    return false;
}

static void add_doubt(struct text *out, const struct campaign *c)
{
    struct text t = {0};
    unseen_add_functions(&c->scope.unseen, &t);
    text_printf(out, "%s, which may order threads", t.data + (out->len ? 0 : strlen("; ")));
    text_free(&t);
}

/* " (all 8 executions; ...)" */
static void add_reasons(struct text *line, const struct campaign *c)
{
    struct text t = {0};
    const char *plural = c->result.executions == 1 ? "" : "s";
    /* what was not examined limits only an answer that claims something about all of the program */
    bool found_nothing = c->verdict == VERDICT_HOLDS || c->verdict == VERDICT_SURVIVED;
    if (c->failure.len)
        text_puts(&t, c->failure.data);
    else if (campaign_is_violated(c))
        add_error_count(&t, c);
    else if (c->verdict == VERDICT_SURVIVED)
        text_printf(&t, "%" PRIu64 "%s execution%s found nothing", c->result.executions,
                    c->options.shard.count ? "" : " sampled", plural);
    else if (c->verdict == VERDICT_HOLDS)
        text_printf(&t, "all %" PRIu64 " execution%s", c->result.executions, plural);
    else if (!c->result.failed && (c->result.timed_out || c->result.limits & LIMIT_EXECUTIONS))
        check_progress_add_done(&t, &c->options, &c->result);
    if (c->verdict == VERDICT_HOLDS && c->stops.is_decided)
        text_printf(&t, ", and all %" PRIu64 " in which a thread may stop forever", c->stops.executions);
    if (found_nothing)
        add_annotated(&t, c);
    for (size_t k = 0; k < c->limits.len; k++)
        text_printf(&t, "%s%s", t.len ? "; " : "", c->limits.data[k]);
    if (c->interleaved)
        text_printf(&t, "%sinterleavings instead of graphs, because of %s", t.len ? "; " : "",
                    c->interleaved);
    if (found_nothing)
        unseen_add_text(&c->scope.unseen, &t);
    else if (is_doubtful(c))
        add_doubt(&t, c);
    if (t.len)
        text_printf(line, " (%s)", t.data);
    text_free(&t);
}

/* What an error that was found depends on. */
static void add_conditions(struct text *line, const struct campaign *c)
{
    struct text t = {0};
    if (c->orders_changed.len)
        text_printf(&t, "memory orders are not as written: %s (--order)", c->orders_changed.data);
    if (is_doubtful(c))
        add_doubt(&t, c);
    if (t.len)
        text_printf(line, " (%s)", t.data);
    text_free(&t);
}

void check_print(const struct campaign *c)
{
    struct text line = {0};
    if (c->why.code && c->why.code != PL_INTERNAL) {
        output_diagnostic(NULL, &c->why);
        return;
    }
    terminal_add_safe(&line, c->files.data[0]);
    text_printf(&line, ": %s", verdict_name(c->verdict));
    if (!campaign_is_violated(c) || campaign_lists_errors(&c->options))
        add_reasons(&line, c);
    else
        add_conditions(&line, c);
    text_puts(&line, "\n");
    if (c->count.is_known)
        history_count_add_text(&c->count, &c->options, &line);
    output_text(c->failure.len ? stderr : stdout, &line);
    text_free(&line);
    if (campaign_is_violated(c) && !c->options.quiet)
        print_errors(c);
    if (!c->options.quiet && !c->failure.len)
        print_compared(c);
    if (!c->options.quiet && c->result.limits & (LIMIT_LOOPS | LIMIT_RETURNS))
        print_advice(c);
    if (c->options.verbose)
        print_counts(c);
    if (c->options.verbose && scope_belongs(c->verdict))
        output_scope(&c->scope);
}
