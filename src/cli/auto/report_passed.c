/* SPDX-License-Identifier: Apache-2.0 */
/* What all tests came to together. */
#include "base/budget.h"
#include "base/interruption.h"
#include "base/terminal.h"
#include "cli/auto/auto.h"
#include "campaign/campaign.h"
#include "campaign/tables/compared.h"
#include "campaign/campaign_races.h"
#include "cli/common/json_document.h"
#include "cli/common/output.h"
#include "cli/common/report_files.h"

#include <inttypes.h>
#include <string.h>

/* "up to 2x2" */
void auto_add_size(struct text *t, const struct autotest *a)
{
    const struct auto_options *o = &a->options;
    text_printf(t, "%s %s", o->random ? "of" : "up to", o->random ? o->random : o->size ? o->size : "2x2");
}

void auto_add_counts(struct text *t, const struct autotest *a)
{
    uint64_t tests = a->passed + a->failed + a->unknown;
    double all = a->total / (double)a->shards;
    text_printf(t, "%" PRIu64, tests);
    if (a->timed_out && all > (double)tests)
        text_printf(t, " of %.0f", all);
    text_printf(t, " test%s ", tests == 1 && !a->timed_out ? "" : "s");
    auto_add_size(t, a);
    text_printf(t, ", %" PRIu64 " execution%s", a->executions, a->executions == 1 ? "" : "s");
    if (a->stopped)
        text_printf(t, " and %" PRIu64 " in which a thread may stop forever", a->stopped);
    if (a->failed)
        text_printf(t, ", %" PRIu64 " failed", a->failed);
    if (a->larger.tests)
        text_printf(t, "; %" PRIu64 " larger test%s survived", a->larger.tests,
                    a->larger.tests == 1 ? "" : "s");
    if (a->larger.tests && interruption_came())
        text_puts(t, " before it was interrupted");
    if (a->larger.partly)
        text_printf(t, ", %" PRIu64 " of them in part (%s)", a->larger.partly, a->larger.why);
}

static void add_note(void *context, const char *text)
{
    text_printf(context, "; %s", text);
}

/* "; loops that seem to have no end (ring.c:41, ring.c:60 and 2 more places) bound 3 tests" */
static void add_bounded(struct text *t, const struct autotest *a)
{
    enum { NAMED = 2 };
    size_t count = a->loop_places.len, more = count > NAMED ? count - NAMED : 0;
    text_puts(t, "; loops that seem to have no end");
    for (size_t k = 0; k < count - more; k++)
        text_printf(t, "%s%s", k == 0 ? " (" : more ? ", " : " and ", a->loop_places.data[k]);
    if (more)
        text_printf(t, " and %zu more place%s", more, more == 1 ? "" : "s");
    text_printf(t, "%s bound %" PRIu64 " test%s", count ? ")" : "", a->bounded, a->bounded == 1 ? "" : "s");
}

void auto_add_reasons(struct text *t, const struct autotest *a)
{
    uint32_t named = a->limits & LIMITS_NAMED_ONLY;
    if (a->timed_out)
        text_printf(t, "; %s before all tests were run", interruption_or_time());
    if (a->assembly)
        text_printf(t, "; not run: assembly whose steps cannot be seen: %s", a->assembly);
    else if (!a->passed && !a->failed && !a->unknown)
        text_puts(t, "; no test was run");
    if (a->unknown)
        text_printf(t, "; %" PRIu64 " inconclusive, first '%s': %s", a->unknown, a->unknown_test,
                    a->unknown_why);
    if (a->bounded)
        add_bounded(t, a);
    for (const char *text; (text = campaign_next_limit(&named));)
        text_printf(t, "; %s", text);
    campaign_races_add_notes(&a->suppressions, !a->failed && !a->unknown && !a->timed_out, add_note, t);
    if (!a->unknown && !a->timed_out && a->program && a->program->compiled)
        text_printf(t, "; %s", a->program->compiled);
    if (a->values && *a->values) {
        text_puts(t, "; only the values ");
        terminal_add_safe(t, a->values);
        text_printf(t, " were tried (%s)", a->options.campaign.values ? "--values" : "PLUMB_VALUES");
    }
}

static void add_bounded_json(struct json_writer *w, const struct autotest *a)
{
    json_key(w, "bounded"), json_open_object(w);
    json_key(w, "tests"), json_uint(w, a->bounded);
    JSON_ARRAY(w, "places", k, a->loop_places.len)
        json_string(w, a->loop_places.data[k]);
    json_close_object(w);
}

void auto_add_json_counts(struct json_writer *w, const struct autotest *a)
{
    json_key(w, "tests"), json_uint(w, a->passed + a->failed + a->unknown);
    json_key(w, "passed"), json_uint(w, a->passed);
    json_key(w, "failed"), json_uint(w, a->failed);
    json_key(w, "executions"), json_uint(w, a->executions);
    if (a->stopped)
        json_key(w, "stopped"), json_uint(w, a->stopped);
    if (a->is_larger) {
        json_key(w, "larger"), json_open_object(w);
        json_key(w, "tests"), json_uint(w, a->larger.tests);
        json_key(w, "partly"), json_uint(w, a->larger.partly);
        if (a->larger.why)
            json_member(w, "why", a->larger.why);
        json_key(w, "executions"), json_uint(w, a->larger.executions);
        json_close_object(w);
    }
    if (a->bounded)
        add_bounded_json(w, a);
    auto_add_json_notes(w, a);
    if (a->options.campaign.compare)
        compared_conflicts_json(w, &a->compared.sum, a->compared.races);
    if (a->options.campaign.report_weak)
        compared_weak_json(w, &a->compared.sum);
}

static bool write_json(const struct autotest *a)
{
    struct text t = {0}, reasons = {0};
    struct json_writer writer = {.out = &t}, *w = &writer;
    auto_add_reasons(&reasons, a);
    json_document_open(w, "auto", a->verdict);
    json_key(w, "limits"), json_open_array(w);
    if (reasons.len)
        json_string(w, reasons.data + 2);
    json_close_array(w);
    scope_json(w, &a->scope);
    auto_add_json_counts(w, a);
    json_document_open_stats(w, base_now() - a->started, RUSAGE_CHILDREN);
    json_document_close(w);
    text_free(&reasons);
    return json_document_save(&t, a->options.campaign.json);
}

/* Of tests that passed there is nothing to show but how many there were. */
static bool write_documents(const struct autotest *a)
{
    struct report_files files;
    struct text counts = {0}, reasons = {0};
    if (!report_paths_wanted(&a->options.campaign.files))
        return true;
    if (!report_files_begin(&files, &a->options.campaign.files))
        return false;
    auto_add_counts(&counts, a);
    auto_add_reasons(&reasons, a);
    if (a->verdict != VERDICT_INCONCLUSIVE)
        unseen_add_text(&a->scope.unseen, &reasons);
    const char *facts[] = {counts.data};
    struct report_case one = {.name = a->files.data[0],
                              .verdict = a->verdict,
                              .message = reasons.len ? reasons.data + 2 : NULL,
                              .seconds = base_now() - a->started,
                              .facts = facts,
                              .fact_count = 1};
    report_documents_add(&files.documents, &one);
    text_free(&counts);
    text_free(&reasons);
    return report_files_finish(&files, "auto", a->verdict);
}

void auto_print_compared(const struct autotest *a)
{
    const struct campaign_options *o = &a->options.campaign;
    struct text t = {0};
    auto_compare_add_text(&t, &a->compared, o);
    if (!o->quiet && (!o->json || strcmp(o->json, "-") != 0))
        output_text(stdout, &t);
    text_free(&t);
}

static void find_scope(struct autotest *a)
{
    struct text tests = {0};
    text_printf(&tests, "%s of the harness' operations, ",
                a->assembly         ? "no test"
                : a->options.random ? "a sample of tests"
                                    : "every test");
    auto_add_size(&tests, a);
    if (a->larger.tests)
        text_printf(&tests, ", and %" PRIu64 " larger ones", a->larger.tests);
    if (a->shards > 1)
        text_printf(&tests, ", part %" PRIu64 " of %" PRIu64, a->shard + 1, a->shards);
    struct scope_facts facts = {.options = &a->options.campaign,
                                .source = &a->source,
                                .program = a->program,
                                .limits = a->limits,
                                .tests = tests.data};
    scope_add_run(&a->scope, &facts);
    text_free(&tests);
}

enum cli_exit auto_report_passed(struct autotest *a)
{
    const struct campaign_options *o = &a->options.campaign;
    struct text t = {0};
    find_scope(a);
    terminal_add_safe(&t, a->files.data[0]);
    text_printf(&t, ": %s (", verdict_name(a->verdict));
    auto_add_counts(&t, a);
    auto_add_reasons(&t, a);
    if (a->verdict != VERDICT_INCONCLUSIVE)
        unseen_add_text(&a->scope.unseen, &t);
    if (a->shards > 1) {
        OWNED char *part = campaign_describe_part(&a->options.shard);
        text_printf(&t, "; %s", part);
    }
    text_puts(&t, ")\n");
    if (!o->json || strcmp(o->json, "-") != 0)
        output_text(stdout, &t);
    text_free(&t);
    auto_print_notes(a);
    auto_print_compared(a);
    if (o->verbose)
        output_scope(&a->scope);
    if ((o->json && !write_json(a)) || !write_documents(a) ||
        (a->options.shard.result && !auto_write_shard(a, NULL)))
        return EXIT_USAGE;
    return cli_exit_of(a->verdict);
}
