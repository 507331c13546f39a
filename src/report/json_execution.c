/* SPDX-License-Identifier: Apache-2.0 */
#include "report/json_parts.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void add_text(struct json_writer *w, const char *name, const char *s)
{
    if (s)
        json_member(w, name, s);
}

static void add_number(struct json_writer *w, const char *name, uint32_t number)
{
    if (number != REPORT_NOTHING)
        json_key(w, name), json_uint(w, number);
}

static void add_number_or_null(struct json_writer *w, uint32_t number)
{
    if (number)
        json_uint(w, number);
    else
        json_null(w);
}

static void add_location(struct json_writer *w, const struct report_event *e)
{
    char address[24];
    if (!e->location)
        return;
    snprintf(address, sizeof address, "0x%" PRIx64, e->address);
    json_key(w, "location"), json_open_object(w);
    json_member(w, "name", e->location);
    json_member(w, "address", address);
    if (e->size)
        json_key(w, "size"), json_uint(w, e->size);
    json_close_object(w);
}

static void add_relation(struct json_writer *w, const struct report_event *e, size_t threads)
{
    if (e->reads) {
        json_key(w, "rf"), add_number_or_null(w, e->source_plain ? 0 : e->source);
        if (e->source_plain)
            json_key(w, "rf_plain"), json_bool(w, true);
    }
    if (e->writes)
        json_key(w, "mo"), json_uint(w, e->place_in_mo);
    if (e->reads || e->writes)
        json_key(w, "stale"), json_bool(w, e->stale);
    if (e->stale)
        add_number(w, "newest", e->newest);
    JSON_ARRAY(w, "hb", t, threads)
        add_number_or_null(w, e->before[t]);
}

static void add_event(struct json_writer *w, const struct report_event *e, size_t threads)
{
    json_open_object(w);
    json_key(w, "id"), json_uint(w, e->id);
    add_number(w, "thread", e->thread);
    add_text(w, "kind", e->kind);
    add_text(w, "order", e->order);
    add_text(w, "text", e->text);
    add_location(w, e);
    add_text(w, "found", e->found);
    add_text(w, "written", e->written);
    add_number(w, "other", e->other);
    add_text(w, "operation", e->operation);
    add_text(w, "answer", e->answer ? e->answer + strlen(" = ") : NULL);
    add_number(w, "op", e->op);
    add_text(w, "place", e->place);
    if (e->file) {
        json_member(w, "file", e->file);
        json_key(w, "line"), json_uint(w, e->line);
    }
    add_text(w, "note", e->note);
    add_text(w, "state", e->state);
    if (e->guilty)
        json_key(w, "guilty"), json_bool(w, true);
    if (e->related)
        add_relation(w, e, threads);
    json_close_object(w);
}

static void add_events(struct json_writer *w, const struct report_execution *x)
{
    JSON_ARRAY(w, "events", i, x->event_count)
        add_event(w, &x->events[i], x->thread_count);
    if (x->left_out)
        json_key(w, "events_left_out"), json_uint(w, x->left_out);
}

static void add_history(struct json_writer *w, const struct report_counterexample *explained)
{
    struct text json = {0};
    report_json(&json, explained);
    json_key(w, "history"), json_raw(w, json.data);
    text_free(&json);
}

void json_add_execution(struct json_writer *w, const struct report_counterexample *c)
{
    const struct report_execution *x = c->execution;
    add_text(w, "phase", x->phase);
    add_text(w, "place", x->place);
    if (x->number)
        json_key(w, "execution"), json_uint(w, x->number);
    if (x->executions)
        json_key(w, "executions"), json_uint(w, x->executions);
    json_key(w, "steps"), json_uint(w, x->steps);
    add_text(w, "memory", x->memory);
    add_text(w, "under_sc", x->under_sc);
    add_text(w, "under_c11", x->under_c11);
    add_text(w, "under_weak", x->under_weak);
    add_text(w, "trace", x->trace);
    if (c->explained && c->explained->found_by) /* by the monitor */
        add_history(w, c->explained);
    if (x->calls)
        json_add_calls(w, x->calls);
    if (x->remark_count) {
        JSON_ARRAY(w, "remarks", i, x->remark_count)
            json_string(w, x->remarks[i]);
    }
    if (x->event_count)
        add_events(w, x);
}

static void add_model_step(struct json_writer *w, const struct report_event *e)
{
    json_open_object(w);
    json_key(w, "step"), json_uint(w, e->id);
    add_number(w, "thread", e->thread);
    json_member(w, "kind", e->kind);
    json_member(w, "text", e->text);
    add_text(w, "changes", e->changes);
    if (e->file) {
        json_member(w, "file", e->file);
        json_key(w, "line"), json_uint(w, e->line);
    }
    add_text(w, "state", e->state);
    json_close_object(w);
}

void json_add_model(struct json_writer *w, const struct report_counterexample *c)
{
    struct report_counterexample plain = *c;
    struct text rendered = {0};
    plain.execution = NULL; /* which is all in "steps" */
    report_json(&rendered, c->explained->found_by ? c->explained : &plain);
    json_member(w, "error", c->kind);
    json_key(w, "counterexample"), json_raw(w, rendered.data);
    JSON_ARRAY(w, "steps", i, c->execution->event_count)
        add_model_step(w, &c->execution->events[i]);
    text_free(&rendered);
}

static void add_source(struct json_writer *w, const struct report_source *s)
{
    json_open_object(w);
    json_member(w, "file", s->file);
    json_key(w, "first"), json_uint(w, s->first);
    json_member(w, "text", s->text);
    json_close_object(w);
}

void json_add_sources(struct json_writer *w, const struct report_execution *x)
{
    add_text(w, "title", x->title);
    json_key(w, "threads"), json_uint(w, x->thread_count);
    JSON_ARRAY(w, "sources", i, x->source_count)
        add_source(w, &x->sources[i]);
}
