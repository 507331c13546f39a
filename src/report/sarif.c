/* SPDX-License-Identifier: Apache-2.0 */
/* SARIF 2.1.0: a result at the guilty line of each counterexample, with a flow for each thread. Steps without
 * a source line are left out of flows; a result without one has no location. */
#include "base/json_writer.h"
#include "base/vec.h"
#include "report/documents.h"

#include <ctype.h>
#include <string.h>

/* A step of a flow. */
struct flow_step {
    const char *thread; /* name; the same pointer for the same thread is not needed */
    const char *file;
    uint64_t line;
    char *text;
};

typedef VEC(struct flow_step) flow_steps;

/* ------------------------------------------------------------------ places */

static void add_uri(struct json_writer *w, const char *file)
{
    struct text uri = {0};
    text_puts(&uri, file[0] == '/' ? "file://" : "");
    for (const char *s = file; *s; s++)
        if (isalnum((unsigned char)*s) || strchr("/._-~+,=@", *s))
            text_add(&uri, s, 1);
        else
            text_printf(&uri, "%%%02X", (unsigned char)*s);
    json_member(w, "uri", uri.data);
    text_free(&uri);
}

static void add_physical_location(struct json_writer *w, const char *file, uint64_t line)
{
    json_key(w, "physicalLocation"), json_open_object(w);
    json_key(w, "artifactLocation"), json_open_object(w);
    add_uri(w, file);
    json_close_object(w);
    json_key(w, "region"), json_open_object(w);
    json_key(w, "startLine"), json_uint(w, line);
    json_close_object(w);
    json_close_object(w);
}

static void add_message(struct json_writer *w, const char *text)
{
    json_key(w, "message"), json_open_object(w);
    json_member(w, "text", text);
    json_close_object(w);
}

/* ------------------------------------------------------------------ flows */

static char *describe_event(const struct report_event *e)
{
    struct text t = {0};
    text_printf(&t, "step %u: ", e->id);
    if (e->text)
        text_puts(&t, e->text);
    else
        text_printf(&t, "%s%s%s", e->kind, e->order ? " " : "", e->order ? e->order : "");
    if (e->location)
        text_printf(&t, " %s", e->location);
    if (e->found)
        text_printf(&t, " found %s", e->found);
    if (e->written)
        text_printf(&t, "%s wrote %s", e->found ? "," : "", e->written);
    if (e->operation)
        text_printf(&t, " %s", e->operation);
    if (e->note)
        text_printf(&t, " (%s)", e->note);
    return text_take(&t);
}

static void collect_events(flow_steps *steps, const struct report_execution *x)
{
    for (size_t i = 0; i < x->event_count; i++) {
        const struct report_event *e = &x->events[i];
        if (!e->file)
            continue;
        struct text name = {0};
        if (e->thread == REPORT_NOTHING)
            text_puts(&name, "others");
        else
            text_printf(&name, "T%u", e->thread);
        struct flow_step s = {text_take(&name), e->file, e->line, describe_event(e)};
        vec_push(steps, s);
    }
}

static void collect_ops(flow_steps *steps, const struct report_counterexample *c)
{
    for (size_t i = 0; i < c->op_count; i++) {
        const struct report_op *op = &c->ops[i];
        if (!op->line)
            continue;
        struct flow_step s = {base_strndup(op->thread, strlen(op->thread)), c->file, op->line,
                              base_strndup(op->label, strlen(op->label))};
        vec_push(steps, s);
    }
}

static bool is_first_of_thread(const flow_steps *steps, size_t k)
{
    for (size_t i = 0; i < k; i++)
        if (strcmp(steps->data[i].thread, steps->data[k].thread) == 0)
            return false;
    return true;
}

static void add_flow(struct json_writer *w, const flow_steps *steps, const char *thread)
{
    json_open_object(w);
    json_member(w, "id", thread);
    JSON_ARRAY(w, "locations", i, steps->len) {
        const struct flow_step *s = &steps->data[i];
        if (strcmp(s->thread, thread) != 0)
            continue;
        json_open_object(w);
        json_key(w, "executionOrder"), json_uint(w, i + 1);
        json_key(w, "location"), json_open_object(w);
        add_physical_location(w, s->file, s->line);
        add_message(w, s->text);
        json_close_object(w);
        json_close_object(w);
    }
    json_close_object(w);
}

static void add_flows(struct json_writer *w, const flow_steps *steps)
{
    json_key(w, "codeFlows"), json_open_array(w);
    json_open_object(w);
    JSON_ARRAY(w, "threadFlows", i, steps->len)
        if (is_first_of_thread(steps, i))
            add_flow(w, steps, steps->data[i].thread);
    json_close_object(w);
    json_close_array(w);
}

/* ------------------------------------------------------------------ results */

/* The rule is the kind of error: "use-after-free". */
static void add_rule(struct json_writer *w, const struct report_counterexample *c)
{
    struct text rule = {0};
    for (const char *s = c->kind ? c->kind : "not-linearizable"; *s; s++)
        text_add(&rule, *s == ' ' ? "-" : s, 1);
    json_member(w, "ruleId", rule.data);
    text_free(&rule);
}

static uint64_t guilty_line(const struct report_counterexample *c)
{
    for (size_t i = 0; i < c->op_count; i++)
        if (c->ops[i].guilty)
            return c->ops[i].line;
    return 0;
}

static void add_locations(struct json_writer *w, const struct report_counterexample *c)
{
    const char *file = c->execution ? c->execution->file : c->file;
    uint64_t line = c->execution ? c->execution->line : guilty_line(c);
    json_key(w, "locations"), json_open_array(w);
    if (file && line) {
        json_open_object(w);
        add_physical_location(w, file, line);
        json_close_object(w);
    }
    json_close_array(w);
}

static void add_result(struct json_writer *w, const struct report_counterexample *c)
{
    flow_steps steps = {0};
    struct text message = {0};
    text_printf(&message, "%s%s%s", c->one_line, c->why ? ": " : "", c->why ? c->why : "");
    if (c->execution)
        collect_events(&steps, c->execution);
    else
        collect_ops(&steps, c);
    json_open_object(w);
    add_rule(w, c);
    json_member(w, "level", "error");
    add_message(w, message.data);
    add_locations(w, c);
    if (steps.len)
        add_flows(w, &steps);
    json_close_object(w);
    for (size_t i = 0; i < steps.len; i++) {
        free((char *)steps.data[i].thread);
        free(steps.data[i].text);
    }
    vec_free(&steps);
    text_free(&message);
}

/* Without it, a run that judged nothing looks like one that found nothing. */
static void add_notice(struct text *out, const struct report_case *c)
{
    struct json_writer w = {.out = out, .comma = out->len > 0};
    struct text message = {0};
    text_printf(&message, "%s: %s%s%s", c->name, verdict_name(c->verdict), c->message ? ": " : "",
                c->message ? c->message : "");
    json_open_object(&w);
    json_member(&w, "level", c->verdict == VERDICT_NONE ? "error" : "warning");
    add_message(&w, message.data);
    json_close_object(&w);
    text_free(&message);
}

void sarif_add_case(struct report_documents *d, const struct report_case *c)
{
    struct json_writer w = {.out = &d->parts[REPORT_SARIF], .comma = d->parts[REPORT_SARIF].len > 0};
    for (size_t i = 0; i < c->found_count; i++)
        add_result(&w, c->found[i]);
    if (c->verdict == VERDICT_INCONCLUSIVE || c->verdict == VERDICT_NONE)
        add_notice(&d->notices, c);
}

static void add_invocation(struct json_writer *w, const struct report_documents *d)
{
    json_key(w, "invocations"), json_open_array(w), json_open_object(w);
    json_key(w, "executionSuccessful"), json_bool(w, d->error_count == 0);
    if (d->notices.len) {
        json_key(w, "toolExecutionNotifications"), json_open_array(w);
        json_raw(w, d->notices.data);
        json_close_array(w);
    }
    json_close_object(w), json_close_array(w);
}

void sarif_render(struct text *out, const struct report_documents *d, const struct report_run *run)
{
    struct json_writer writer = {.out = out}, *w = &writer;
    json_open_object(w);
    json_member(w, "$schema", "https://json.schemastore.org/sarif-2.1.0.json");
    json_member(w, "version", "2.1.0");
    json_key(w, "runs"), json_open_array(w), json_open_object(w);
    json_key(w, "tool"), json_open_object(w);
    json_key(w, "driver"), json_open_object(w);
    json_member(w, "name", "plumb");
    json_member(w, "fullName", run->tool);
    json_close_object(w), json_close_object(w);
    add_invocation(w, d);
    json_key(w, "columnKind"), json_string(w, "utf16CodeUnits");
    json_key(w, "results"), json_open_array(w);
    if (d->parts[REPORT_SARIF].len)
        json_raw(w, d->parts[REPORT_SARIF].data);
    json_close_array(w);
    json_close_object(w), json_close_array(w);
    json_close_object(w);
    text_puts(out, "\n");
}
