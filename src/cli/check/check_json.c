/* SPDX-License-Identifier: Apache-2.0 */
/* The result of `plumb check` as JSON: docs/json.md. */
#include "campaign/annotated.h"
#include "campaign/campaign_races.h"
#include "campaign/tables/compared.h"
#include "cli/check/check_program.h"
#include "cli/common/json_document.h"
#include "explain/program/explain_error.h"

#include <inttypes.h>
#include <stdlib.h>

static void add_error(struct json_writer *w, const struct campaign_error *e)
{
    struct text json = {0};
    report_json(&json, &e->explained->counterexample);
    json_raw(w, json.data);
    text_free(&json);
}

/* "file:line" */
static void add_place(struct json_writer *w, const struct diagnostic *d)
{
    struct text place = {0};
    text_printf(&place, "%s:%" PRIu64, d->file, d->line);
    json_string(w, place.data);
    text_free(&place);
}

static void add_errors(struct json_writer *w, const struct campaign *c)
{
    const struct campaign_error *first = &c->errors.data[0];
    json_member(w, "error", error_word(first->error->kind));
    json_key(w, "counterexample"), add_error(w, first);
    if (!campaign_lists_errors(&c->options))
        return;
    json_key(w, "failing"), json_uint(w, c->result.failing);
    JSON_ARRAY(w, "errors", k, campaign_count_confirmed(c))
        add_error(w, &c->errors.data[k]);
}

static bool is_listed(const struct campaign *c, const char *words, size_t length)
{
    for (size_t k = 0; k < c->limits.len; k++)
        if (strlen(c->limits.data[k]) == length && !memcmp(c->limits.data[k], words, length))
            return true;
    return false;
}

/* Those of all tests that the limits of the failing one are not. */
static void add_others(struct text *t, const struct campaign *c, const char *limits)
{
    for (const char *from = limits, *end; *from; from = *end ? end + strlen("; ") : end) {
        end = strstr(from, "; ");
        end = end ? end : from + strlen(from);
        if (!is_listed(c, from, (size_t)(end - from)))
            text_printf(t, "%s%.*s", t->len ? "; " : "", (int)(end - from), from);
    }
}

static void add_limits(struct json_writer *w, const struct campaign *c)
{
    json_key(w, "limits"), json_open_array(w);
    for (size_t k = 0; k < c->limits.len; k++)
        json_string(w, c->limits.data[k]);
    struct text others = {0};
    if (c->tests && c->tests->limits)
        add_others(&others, c, c->tests->limits);
    if (others.len)
        json_string(w, others.data);
    text_free(&others);
    json_close_array(w);
}

/* How much was run, of this one test or program. */
static void add_counts(struct json_writer *w, const struct campaign *c)
{
    json_key(w, "executions"), json_uint(w, c->result.executions);
    json_key(w, "blocked"), json_uint(w, c->result.blocked);
    if (c->stops.executions)
        json_key(w, "stopped"), json_uint(w, c->stops.executions);
    if (c->result.refuted)
        json_key(w, "refuted"), json_uint(w, c->result.refuted);
    if (c->options.fold_asked || c->result.folded)
        json_key(w, "folded"), json_uint(w, c->result.folded);
    if (c->result.folded_less)
        json_key(w, "folding"), json_string(w, folding_why_less(c->result.folded_by));
    if (c->options.mode == WORKER_GRAPH)
        json_key(w, "revisits"), json_uint(w, c->result.revisits);
    if (c->workers[0])
        bounds_json(w, &c->result.bounds, target_shared(c->workers[0]));
    annotated_json(w, &c->result.annotated);
    if (c->options.compare && !c->interleaved)
        compared_conflicts_json(w, &c->result.compared, campaign_races_count(c));
    if (c->options.report_weak && !c->interleaved)
        compared_weak_json(w, &c->result.compared);
    if (c->count.is_known)
        history_count_add_json(&c->count, w);
}

static void add_repair(struct json_writer *w, const struct campaign *c)
{
    json_key(w, "repair"), json_open_object(w);
    json_member(w, "answer", "found");
    JSON_ARRAY(w, "changes", k, c->repair.len) {
        json_open_object(w);
        json_member(w, "site", c->repair.data[k].site);
        json_member(w, "from", c->repair.data[k].from);
        json_member(w, "to", c->repair.data[k].to);
        json_close_object(w);
    }
    json_close_object(w);
}

bool check_write_json(const struct campaign *c, double seconds)
{
    struct text t = {0};
    struct json_writer writer = {.out = &t}, *w = &writer;
    json_document_open(w, c->tests ? "auto" : "check", c->verdict);
    if (c->options.races)
        json_member(w, "races", c->options.races == CAMPAIGN_RACES_ALLOW ? "allow" : "report");
    add_limits(w, c);
    if (c->failure.len)
        json_member(w, "message", c->failure.data);
    if (c->why.line)
        json_key(w, "place"), add_place(w, &c->why);
    if (c->interleaved)
        json_member(w, "interleaved", c->interleaved);
    if (c->tests)
        c->tests->add_json(w, c->tests->context);
    else
        add_counts(w, c);
    if (campaign_is_violated(c))
        add_errors(w, c);
    if (c->repair.len)
        add_repair(w, c);
    campaign_races_json(w, c);
    if (scope_belongs(c->verdict))
        scope_json(w, &c->scope);
    else
        unseen_add_json(&c->scope.unseen, w);
    json_document_open_stats(w, seconds, RUSAGE_CHILDREN);
    if (c->result.not_run > 0)
        json_key(w, "not_run"), json_uint(w, c->result.not_run);
    if (c->result.estimate > 0)
        check_progress_add_json(w, &c->result);
    json_document_close(w);
    return json_document_save(&t, c->options.json);
}
