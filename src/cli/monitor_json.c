/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/monitor_json.h"

#include <stdio.h>
#include <sys/resource.h>

static void add_error(struct json_writer *w, const struct diagnostic *d)
{
    char code[16];
    snprintf(code, sizeof code, "PL%04d", d->code);
    json_key(w, "error"), json_open_object(w);
    json_key(w, "line"), json_uint(w, d->line);
    json_key(w, "column"), json_uint(w, d->column);
    json_member(w, "code", code);
    json_member(w, "message", d->message);
    json_close_object(w);
}

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

void monitor_json_add(struct monitor_json *j, const struct monitor_input *in,
                      const struct report_counterexample *c)
{
    struct json_writer writer = {.out = &j->inputs, .comma = j->inputs.len > 0}, *w = &writer;
    json_open_object(w);
    json_member(w, "name", in->name);
    json_member(w, "verdict", monitor_input_verdict(in));
    if (in->error.code) {
        add_error(w, &in->error);
    } else {
        json_key(w, "operations"), json_uint(w, in->result.operations);
        j->operations += in->result.operations;
    }
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

const char *monitor_json_verdict(enum cli_exit exit)
{
    switch (exit) {
    case EXIT_HOLDS: return "holds";
    case EXIT_VIOLATED: return "violated";
    case EXIT_INCONCLUSIVE: return "inconclusive";
    default: return "error";
    }
}

static void add_list(struct json_writer *w, const char *name, const struct text *items)
{
    json_key(w, name), json_open_array(w);
    if (items->len)
        json_raw(w, items->data);
    json_close_array(w);
}

static void add_stats(struct json_writer *w, double seconds)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    json_key(w, "stats"), json_open_object(w);
    json_key(w, "seconds"), json_seconds(w, seconds);
    json_key(w, "peak_kib"), json_int(w, usage.ru_maxrss);
    json_close_object(w);
}

void monitor_json_write(struct monitor_json *j, enum cli_exit exit, double seconds, struct text *out)
{
    struct json_writer writer = {.out = out}, *w = &writer;
    json_open_object(w);
    json_key(w, "schema"), json_uint(w, 1);
    json_member(w, "tool", report_tool_name());
    json_member(w, "command", "monitor");
    json_member(w, "verdict", monitor_json_verdict(exit));
    add_list(w, "limits", &j->limits);
    add_list(w, "inputs", &j->inputs);
    json_key(w, "operations"), json_uint(w, j->operations);
    if (j->counterexample.len)
        json_key(w, "counterexample"), json_raw(w, j->counterexample.data);
    add_stats(w, seconds);
    json_close_object(w);
    text_puts(out, "\n");
    text_free(&j->inputs);
    text_free(&j->limits);
    text_free(&j->counterexample);
}
