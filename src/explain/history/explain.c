/* SPDX-License-Identifier: Apache-2.0 */
#include "explain/history/explain.h"

#include "base/check.h"
#include "history/value_text.h"
#include "spec/registry.h"
#include "spec/quasi/spec_quasi.h"

#include <string.h>

const char *explain_name(struct explanation *e, const struct history *h, const char *prefix, plumb_value name)
{
    struct text t = {0}, value = {0};
    value_print_short(&value, h->values, name);
    bool quoted = plumb_tag_of(name) == PLUMB_TAG_STRING && value.len > 2;
    text_puts(&t, plumb_is_int(name) ? prefix : "");
    text_add(&t, value.data + quoted, value.len - 2 * quoted);
    text_free(&value);
    return text_keep(&t, &e->arena);
}

static const char *keep_value(struct explanation *e, const struct history *h, plumb_value v)
{
    struct text t = {0};
    value_print_short(&t, h->values, v);
    return text_keep(&t, &e->arena);
}

struct report_op explain_op(struct explanation *e, const struct pipeline_input *in, uint32_t id)
{
    const struct history *h = in->history;
    const struct monitor_violation *v = in->result.violation;
    const struct history_op *op = history_at(h, id);
    const struct plumb_operation *operation = &in->specs[history_object_of(h, id)]->operations[op->op];
    struct text label = {0};
    value_print_op(&label, h->values, operation->name, strlen(operation->args) > 1, op);
    return (struct report_op){
        .id = id,
        .line = history_line(h, id),
        .thread = explain_name(e, h, "T", h->thread_names.data[op->thread]),
        .thread_name = h->thread_names.data[op->thread],
        .call = op->call,
        .ret = op->ret,
        .pending = op->pending,
        .guilty = id == v->guilty,
        .label = text_keep(&label, &e->arena),
        .name = operation->name,
        .arg = op->arg,
        .result = op->result,
    };
}

static void explain_ops(struct explanation *e, const struct pipeline_input *in)
{
    const struct monitor_violation *v = in->result.violation;
    struct report_op *ops = arena_alloc(&e->arena, v->core.len * sizeof *ops);
    for (size_t i = 0; i < v->core.len; i++) {
        ops[i] = explain_op(e, in, v->core.data[i]);
        *hash_map_at(&e->positions, v->core.data[i]) = (uint32_t)i;
    }
    e->counterexample.ops = ops;
    e->counterexample.op_count = v->core.len;
}

static void explain_left_out(struct explanation *e, const struct pipeline_input *in)
{
    const struct monitor_violation *v = in->result.violation;
    struct report_op *ops = arena_alloc(&e->arena, v->left_out.len * sizeof *ops);
    for (size_t i = 0; i < v->left_out.len; i++)
        ops[i] = explain_op(e, in, v->left_out.data[i]);
    e->counterexample.left_out = ops;
    e->counterexample.left_out_count = v->left_out.len;
}

static uint32_t core_position(const struct explanation *e, uint32_t id)
{
    uint32_t position = hash_map_get(&e->positions, id);
    CHECK(position != HASH_NO_NUMBER);
    return position;
}

static const struct report_step *explain_steps(struct explanation *e, const monitor_steps *legal)
{
    struct report_step *steps = arena_alloc(&e->arena, legal->len * sizeof *steps);
    for (size_t i = 0; i < legal->len; i++)
        steps[i] = (struct report_step){core_position(e, legal->data[i].op), legal->data[i].state};
    return steps;
}

static void explain_order(struct explanation *e, const struct monitor_violation *v)
{
    struct report_counterexample *c = &e->counterexample;
    c->legal = explain_steps(e, &v->legal);
    c->legal_count = v->legal.len;
    c->stuck = v->stuck_op == UINT32_MAX ? -1 : (int)core_position(e, v->stuck_op);
    c->stuck_why = v->stuck_why;
    c->expected = v->expected.data;
    c->expected_count = v->expected.len;
}

static void explain_others(struct explanation *e, const struct monitor_violation *v)
{
    struct report_counterexample *c = &e->counterexample;
    struct report_attempt *others = arena_alloc(&e->arena, v->others.len * sizeof *others);
    for (size_t i = 0; i < v->others.len; i++) {
        const struct monitor_attempt *a = &v->others.data[i];
        others[i] = (struct report_attempt){
            .legal = explain_steps(e, &a->legal),
            .legal_count = a->legal.len,
            .stuck = (int)core_position(e, a->stuck_op),
            .stuck_why = a->stuck_why,
            .expected = a->expected.data,
            .expected_count = a->expected.len,
        };
    }
    c->others = others;
    c->other_count = v->others.len;
    c->attempts_are_all = v->attempts_are_all;
}

static void explain_untimely(struct explanation *e, const struct monitor_violation *v)
{
    struct report_counterexample *c = &e->counterexample;
    uint32_t *order = arena_alloc(&e->arena, v->untimely.len * sizeof *order);
    for (size_t i = 0; i < v->untimely.len; i++)
        order[i] = core_position(e, v->untimely.data[i]);
    c->untimely = order;
    c->untimely_count = v->untimely.len;
    if (v->untimely.len) {
        c->too_early = core_position(e, v->too_early);
        c->too_late = core_position(e, v->too_late);
    }
}

/* Is `printed` how the specification prints the state it starts from when there is no --init? */
static bool is_usual_state(const struct plumb_spec *spec, struct plumb_values *values, const char *printed)
{
    struct plumb_spec_options usual = {.values = values, .initial = PLUMB_OK};
    void *state = spec_init(spec, &usual);
    char text[64];
    bool same = printed && spec->print(state, text, sizeof text) < sizeof text && !strcmp(text, printed);
    spec->destroy(state);
    return same;
}

static const char *keep_one_line(struct explanation *e, const struct pipeline_input *in,
                                 const struct monitor_violation *v)
{
    struct text line = {0};
    text_printf(&line, "not %slinearizable: %s is impossible", in->relaxed ? SPEC_QUASI_PREFIX : "",
                e->counterexample.ops[core_position(e, v->guilty)].label);
    return text_keep(&line, &e->arena);
}

void explain_violation(struct explanation *e, const struct pipeline_input *in, const char *replay)
{
    const struct monitor_violation *v = in->result.violation;
    const struct history *h = in->history;
    const struct plumb_spec *spec = in->specs[v->object];
    *e = (struct explanation){0};
    struct report_counterexample *c = &e->counterexample;
    explain_ops(e, in);
    explain_left_out(e, in);
    explain_order(e, v);
    explain_others(e, v);
    explain_untimely(e, v);
    c->file = in->name;
    c->spec = spec->name;
    c->spec_inferred = in->inferred;
    c->object_name = h->object_names.data[v->object];
    c->key_value = v->key;
    if (h->object_names.len > 1 || (in->one_of_several && c->object_name != PLUMB_NONE))
        c->object = explain_name(e, h, "", c->object_name);
    if (v->key != PLUMB_OK)
        c->key = keep_value(e, h, v->key);
    c->one_line = keep_one_line(e, in, v);
    c->why = v->why;
    c->initial_state = v->initial_state;
    c->earlier = v->earlier;
    c->minimal = v->minimal;
    c->excerpt = v->excerpt;
    c->initial_is_usual = is_usual_state(spec, h->values, v->initial_state);
    c->total_ops = h->ops.len;
    c->found_by = v->found_by;
    c->confirmed_by = v->confirmed_by;
    c->replay = replay;
    c->values = h->values;
}

void explain_free(struct explanation *e)
{
    arena_free(&e->arena);
    hash_map_free(&e->positions);
}
