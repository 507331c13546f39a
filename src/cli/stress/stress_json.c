/* SPDX-License-Identifier: Apache-2.0 */
/* The answer of `plumb stress` as JSON (docs/json.md) and as pages. */
#include "base/budget.h"
#include "cli/common/json_document.h"
#include "cli/stress/stress_command.h"

#include <inttypes.h>

static void add_number(struct json_writer *w, const char *name, uint64_t number)
{
    json_key(w, name), json_uint(w, number);
}

/* Rounded: only `stats` has times. */
static void add_rates(struct json_writer *w, const struct stress_result *r)
{
    double all = r->seconds > 0 ? r->seconds : 1, judging = r->judging > 0 ? r->judging : 1;
    add_number(w, "recorded_per_second", (uint64_t)((double)r->recorded / all));
    add_number(w, "judged_per_second", (uint64_t)((double)r->judged / judging));
    add_number(w, "recording_percent", (uint64_t)(100 * r->recording / all));
    add_number(w, "judging_percent", (uint64_t)(100 * r->judging / all));
}

static void add_specs(struct json_writer *w, const struct stress_harness *h)
{
    json_key(w, "objects"), json_open_array(w);
    for (size_t k = 0; k < h->objects.len; k++) {
        json_open_object(w);
        json_member(w, "name", h->objects.data[k].name);
        if (h->objects.data[k].spec)
            json_member(w, "spec", h->objects.data[k].spec_text);
        json_close_object(w);
    }
    json_close_array(w);
}

void stress_fill_scope(struct verdict_scope *s, const struct stress_command *c)
{
    const struct stress_harness *h = &c->run.harness;
    OWNED struct text flags = {0};
    for (size_t k = 0; k < h->objects.len; k++)
        scope_say(s, SCOPE_JUDGED, "%s%s%s (%s)", h->objects.data[k].name,
                  *h->objects.data[k].name ? ": " : "",
                  h->objects.data[k].spec ? h->objects.data[k].spec_text : "crashes, hangs and the invariant",
                  !h->objects.data[k].spec ? "no specification"
                  : c->settings.spec       ? "--spec"
                                           : "the harness");
    scope_say(s, SCOPE_EXPLORED, "what happened in these rounds on this machine, seed %" PRIu64,
              c->settings.seed);
    if (c->run.result.by_clock_only)
        scope_say(s, SCOPE_ASSUMED, "stores are visible when their call returns (--stamps raw)");
    for (size_t i = 0; i < c->run.notes.list.len; i++)
        scope_say(s, SCOPE_NOT_TRIED, "%s", c->run.notes.list.data[i]);
    for (size_t i = 0; i < c->source.flag_count; i++)
        text_printf(&flags, " %s", c->source.flags[i]);
    scope_say(s, SCOPE_COMPILED, "-O2 -g%s%s", flags.len ? flags.data : "",
              c->settings.noise ? ", with noise around atomic accesses" : "");
}

static void add_last(struct json_writer *w, const struct stress_finding *f)
{
    JSON_ARRAY(w, "last_operations", i, f->last.op_count) {
        const struct report_op *op = &f->last.ops[i];
        json_open_object(w);
        json_member(w, "thread", op->thread);
        json_member(w, "label", op->label);
        json_key(w, "open"), json_bool(w, op->pending);
        json_close_object(w);
    }
}

static void add_stacks(struct json_writer *w, const struct stress_finding *f)
{
    JSON_ARRAY(w, "stacks", i, f->execution.stack_count) {
        json_open_object(w);
        add_number(w, "thread", f->execution.stacks[i].thread);
        JSON_ARRAY(w, "frames", k, f->execution.stacks[i].count)
            json_string(w, f->execution.stacks[i].frames[k]);
        json_close_object(w);
    }
}

static void add_finding(struct json_writer *w, const struct stress_finding *f)
{
    struct text rendered = {0};
    report_json(&rendered, &f->counterexample);
    json_member(w, "error", stress_error_word(f->error));
    json_key(w, "counterexample"), json_raw(w, rendered.data);
    text_free(&rendered);
    json_key(w, "found_in"), json_open_object(w);
    add_number(w, "round", f->scene.round.number);
    add_number(w, "seed", f->scene.round.seed);
    add_number(w, "threads", f->scene.round.threads);
    json_member(w, "phase", stress_phase_word(f->scene.phase));
    if (f->saved)
        json_member(w, "history", f->saved);
    if (f->missing)
        add_number(w, "missing", f->missing);
    if (f->error != STRESS_NOT_LINEARIZABLE)
        add_last(w, f);
    if (f->execution.stack_count)
        add_stacks(w, f);
    json_close_object(w);
}

bool stress_write_json(const struct stress_command *c)
{
    const struct stress_result *r = &c->run.result;
    struct text t = {0};
    struct json_writer writer = {.out = &t}, *w = &writer;
    json_document_open(w, "stress", r->verdict);
    json_key(w, "limits"), json_open_array(w);
    if (*r->limit)
        json_string(w, r->limit);
    json_close_array(w);
    JSON_ARRAY(w, "notes", i, c->run.notes.list.len)
        json_string(w, c->run.notes.list.data[i]);
    add_specs(w, &c->run.harness);
    add_number(w, "rounds", r->rounds);
    add_number(w, "long_rounds", r->long_rounds);
    add_number(w, "given_up", r->given_up);
    add_number(w, "abandoned", r->abandoned);
    add_number(w, "undecided", r->undecided);
    add_number(w, "operations", r->recorded);
    add_number(w, "judged", r->judged);
    add_number(w, "unknown_answers", r->unknown);
    add_number(w, "threads", r->threads);
    add_number(w, "seed", c->settings.seed);
    json_member(w, "stamps", r->stamps);
    json_key(w, "by_clock_only"), json_bool(w, r->by_clock_only);
    json_key(w, "interrupted"), json_bool(w, r->interrupted);
    if (scope_belongs(r->verdict)) {
        struct verdict_scope scope = {0};
        stress_fill_scope(&scope, c);
        scope_json(w, &scope);
        scope_free(&scope);
    }
    if (r->finding)
        add_finding(w, r->finding);
    stress_add_handover_json(w, c);
    json_document_open_stats(w, base_now() - c->started, RUSAGE_SELF);
    add_rates(w, r);
    json_document_close(w);
    return json_document_save(&t, c->settings.json);
}

/* ------------------------------------------------------------------ pages */

static void add_case(struct report_files *f, struct stress_command *c)
{
    struct stress_finding *found = c->run.result.finding;
    struct report_style style = {.columns = 100, .unicode = true};
    const struct report_counterexample *one = found ? &found->counterexample : NULL;
    const struct report_counterexample *both[] = {one, stress_explored(c)};
    struct text summary = {0}, text = {0};
    stress_add_summary(&summary, &c->run.result);
    if (found && found->has_input && c->settings.files.of[REPORT_HTML]) {
        explain_history(&found->explanation, &found->input, false);
        found->counterexample.history = found->explanation.counterexample.history;
    }
    if (one)
        report_terminal(&text, one, &style);
    const char *facts[] = {summary.data};
    struct report_case stressed = {.name = c->files.data[0],
                                   .verdict = c->run.result.verdict,
                                   .message = *c->run.result.limit ? c->run.result.limit : NULL,
                                   .text = text.data,
                                   .seconds = base_now() - c->started,
                                   .facts = facts,
                                   .fact_count = 1,
                                   .samples = c->run.result.samples.list.data,
                                   .sample_count = c->run.result.samples.list.len,
                                   .found_at = c->run.result.found_at,
                                   .found = both,
                                   .found_count = (one != NULL) + (both[1] != NULL)};
    report_documents_add(&f->documents, &stressed);
    text_free(&summary);
    text_free(&text);
}

bool stress_write_documents(struct stress_command *c)
{
    struct report_files files;
    if (!report_paths_wanted(&c->settings.files))
        return true;
    if (!report_files_begin(&files, &c->settings.files))
        return false;
    add_case(&files, c);
    return report_files_finish(&files, "stress", c->run.result.verdict);
}
