/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/monitor/monitor_json.h"

#include "campaign/verdict_scope.h"
#include "cli/common/json_document.h"

#include <string.h>

static void add_counterexample(struct monitor_json *j, struct json_writer *w,
                               const struct report_counterexample *c)
{
    struct text rendered = {0};
    report_json(&rendered, c);
    json_key(w, "counterexample"), json_raw(w, rendered.data);
    if (!j->counterexample.len)
        text_puts(&j->counterexample, rendered.data);
    text_free(&rendered);
}

static void add_scope(struct json_writer *w, const struct pipeline_input *in)
{
    struct verdict_scope scope = {0};
    for (size_t i = 0; i < in->history->object_names.len && !in->is_stream; i++)
        scope_say(&scope, SCOPE_JUDGED, "%s%s", in->specs[i]->name,
                  in->inferred ? " (inferred from the operations)" : " (--spec)");
    scope_say(&scope, SCOPE_EXPLORED, "this history, no other run");
    scope_json(w, &scope);
    scope_free(&scope);
}

static void add_seconds(struct json_writer *w, const struct pipeline_input *in, double processor)
{
    json_key(w, "seconds"), json_open_object(w);
    json_key(w, "reading"), json_seconds(w, in->seconds_reading);
    json_key(w, "deciding"), json_seconds(w, in->result.seconds_deciding);
    json_key(w, "certifying"), json_seconds(w, in->result.seconds_certifying);
    json_key(w, "processor"), json_seconds(w, processor);
    json_close_object(w);
}

void monitor_json_add(struct monitor_json *j, const struct pipeline_input *in,
                      const struct report_counterexample *c)
{
    struct json_writer writer = {.out = &j->inputs, .comma = j->inputs.len > 0}, *w = &writer;
    json_open_object(w);
    json_member(w, "name", in->name);
    json_member(w, "verdict", verdict_name(pipeline_verdict(in)));
    if (in->error.code) {
        json_document_add_error(w, &in->error);
    } else {
        json_key(w, "operations"), json_uint(w, in->result.operations);
        j->operations += in->result.operations;
        if (j->is_timed)
            add_seconds(w, in, j->processor);
    }
    if (scope_belongs(pipeline_verdict(in)))
        add_scope(w, in);
    if (!in->error.code && in->sought && in->result.verdict == VERDICT_HOLDS)
        json_key(w, "least_factor"), json_uint(w, in->least);
    if (!in->error.code && in->result.limit) {
        struct json_writer limits = {.out = &j->limits, .comma = j->limits.len > 0};
        json_member(w, "limit", in->result.limit);
        json_string(&limits, in->result.limit);
    }
    if (c)
        add_counterexample(j, w, c);
    json_close_object(w);
}

void monitor_json_write(struct monitor_json *j, enum cli_exit exit, double seconds, struct text *out)
{
    struct json_writer writer = {.out = out}, *w = &writer;
    json_document_open(w, "monitor", cli_verdict_of(exit));
    json_document_add_list(w, "limits", &j->limits);
    json_document_add_list(w, "inputs", &j->inputs);
    json_key(w, "operations"), json_uint(w, j->operations);
    if (j->counterexample.len)
        json_key(w, "counterexample"), json_raw(w, j->counterexample.data);
    json_document_open_stats(w, seconds, RUSAGE_SELF);
    json_document_close(w);
    text_free(&j->inputs);
    text_free(&j->limits);
    text_free(&j->counterexample);
}
