/* SPDX-License-Identifier: Apache-2.0 */
/* docs/json.md describes every member. */
#include "report/counterexample.h"

#include "base/json_writer.h"
#include "history/value_text.h"
#include "report/json_parts.h"

static void add_item(struct json_writer *w, const struct plumb_values *values, plumb_value v)
{
    struct text json = {0};
    value_print(&json, values, v);
    json_raw(w, json.data);
    text_free(&json);
}

void json_add_value(struct json_writer *w, const struct plumb_values *values, const char *name, plumb_value v)
{
    json_key(w, name);
    add_item(w, values, v);
}

/* Members and their absence mean what they mean in the input. */
static void add_op(struct json_writer *w, const struct report_counterexample *c, const struct report_op *op)
{
    json_open_object(w);
    json_key(w, "id"), json_uint(w, op->id);
    if (op->line)
        json_key(w, "line"), json_uint(w, op->line);
    if (op->place)
        json_member(w, "place", op->place);
    json_add_value(w, c->values, "thread", op->thread_name);
    json_member(w, "op", op->name);
    if (op->arg != PLUMB_OK)
        json_add_value(w, c->values, "arg", op->arg);
    if (op->result != PLUMB_OK && !op->pending)
        json_add_value(w, c->values, "result", op->result);
    json_key(w, "call"), json_int(w, op->call);
    if (!op->pending)
        json_key(w, "return"), json_int(w, op->ret);
    json_member(w, "label", op->label);
    json_key(w, "guilty"), json_bool(w, op->guilty);
    json_close_object(w);
}

/* A plain "ok" is no value of the input. */
static void add_answer(struct json_writer *w, const struct report_counterexample *c, plumb_value v)
{
    if (v == PLUMB_OK)
        json_raw(w, "{\"ok\":true}");
    else
        add_item(w, c->values, v);
}

static void add_stuck(struct json_writer *w, const struct report_counterexample *c,
                      const struct report_attempt *a)
{
    const struct report_op *op = &c->ops[a->stuck];
    json_key(w, "stuck"), json_open_object(w);
    json_key(w, "op"), json_uint(w, op->id);
    json_member(w, "why", a->stuck_why);
    JSON_ARRAY(w, "expected", i, a->expected_count)
        add_answer(w, c, a->expected[i]);
    if (!op->pending)
        json_key(w, "got"), add_answer(w, c, op->result);
    json_close_object(w);
}

static void add_attempt(struct json_writer *w, const struct report_counterexample *c,
                        const struct report_attempt *a)
{
    json_open_object(w);
    json_member(w, "initial", c->initial_state);
    json_key(w, "earlier"), json_uint(w, c->earlier);
    JSON_ARRAY(w, "order", i, a->legal_count)
        json_uint(w, c->ops[a->legal[i].op].id);
    JSON_ARRAY(w, "states", i, a->legal_count)
        json_string(w, a->legal[i].state);
    if (a->stuck >= 0)
        add_stuck(w, c, a);
    json_close_object(w);
}

static void add_attempts(struct json_writer *w, const struct report_counterexample *c)
{
    struct report_attempt longest = {c->legal,     c->legal_count, c->stuck,
                                     c->stuck_why, c->expected,    c->expected_count};
    json_key(w, "attempts"), json_open_array(w);
    add_attempt(w, c, &longest);
    for (size_t i = 0; i < c->other_count; i++)
        add_attempt(w, c, &c->others[i]);
    json_close_array(w);
    json_key(w, "attempts_are_all"), json_bool(w, c->attempts_are_all);
}

/* The order that only time speaks against. */
static void add_untimely(struct json_writer *w, const struct report_counterexample *c)
{
    json_key(w, "untimely"), json_open_object(w);
    JSON_ARRAY(w, "order", i, c->untimely_count)
        json_uint(w, c->ops[c->untimely[i]].id);
    json_key(w, "early"), json_uint(w, c->ops[c->too_early].id);
    json_key(w, "late"), json_uint(w, c->ops[c->too_late].id);
    json_close_object(w);
}

static void add_shrink(struct json_writer *w, const struct report_counterexample *c)
{
    json_key(w, "shrink"), json_open_object(w);
    json_key(w, "from"), json_uint(w, c->total_ops);
    json_key(w, "to"), json_uint(w, c->op_count);
    json_key(w, "minimal"), json_bool(w, c->minimal);
    if (c->excerpt)
        json_key(w, "excerpt"), json_bool(w, true);
    json_close_object(w);
}

/* What an order of the operations would have to explain. */
static void add_core(struct json_writer *w, const struct report_counterexample *c)
{
    json_member(w, "spec", c->spec);
    json_key(w, "spec_inferred"), json_bool(w, c->spec_inferred);
    if (c->object)
        json_add_value(w, c->values, "object", c->object_name);
    if (c->key)
        json_add_value(w, c->values, "key", c->key_value);
}

static void add_ops(struct json_writer *w, const struct report_counterexample *c)
{
    JSON_ARRAY(w, "ops", i, c->op_count)
        add_op(w, c, &c->ops[i]);
    if (c->left_out_count) {
        JSON_ARRAY(w, "left_out", i, c->left_out_count)
            json_uint(w, c->left_out[i].id);
    }
    add_attempts(w, c);
    if (c->untimely_count)
        add_untimely(w, c);
    add_shrink(w, c);
}

static void add_counterexample(struct json_writer *w, const struct report_counterexample *c)
{
    json_member(w, "kind", c->kind ? c->kind : "not linearizable");
    json_member(w, "file", c->file);
    if (c->op_count)
        add_core(w, c);
    json_member(w, "one_line", c->one_line);
    json_member(w, "why", c->why);
    if (c->op_count)
        add_ops(w, c);
    if (c->moment)
        json_add_moment(w, c);
    if (c->found_by)
        json_member(w, "found_by", c->found_by);
    json_member(w, "confirmed_by", c->confirmed_by);
    if (c->execution)
        json_add_execution(w, c);
    if (c->replay)
        json_member(w, "replay", c->replay);
}

void report_json(struct text *out, const struct report_counterexample *c)
{
    struct json_writer writer = {.out = out}, *w = &writer;
    json_open_object(w);
    add_counterexample(w, c);
    json_close_object(w);
}

void report_json_full(struct text *out, const struct report_counterexample *c)
{
    struct json_writer writer = {.out = out}, *w = &writer;
    json_open_object(w);
    add_counterexample(w, c);
    if (c->execution)
        json_add_sources(w, c->execution);
    if (c->history)
        json_add_history(w, c->history);
    json_close_object(w);
}
