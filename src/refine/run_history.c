/* SPDX-License-Identifier: Apache-2.0 */
#include "refine/refine.h"

#include "base/check.h"
#include "spec/registry.h"

#include <string.h>

static bool has_letter(const char *letters, char letter)
{
    return strchr(letters, letter) != NULL;
}

plumb_value refine_answer(struct plumb_values *values, const struct plumb_operation *op, int32_t value)
{
    if (value == REFINE_OK && has_letter(op->results, 'k'))
        return PLUMB_OK;
    if (value == REFINE_NONE && has_letter(op->results, 'N'))
        return PLUMB_NONE;
    if (has_letter(op->results, 'b'))
        return plumb_bool(value);
    return plumb_int(values, value);
}

plumb_value refine_argument(struct plumb_values *values, const int32_t *args, unsigned count)
{
    plumb_value items[REFINE_ARGS_MAX];
    for (unsigned i = 0; i < count; i++)
        items[i] = plumb_int(values, args[i]);
    if (count == 0)
        return PLUMB_OK;
    return count == 1 ? items[0] : plumb_array(values, items, count);
}

static void add_call(struct history *h, const struct refine_event *e, const struct plumb_operation *op,
                     int64_t stamp)
{
    struct history_op called = {
        .call = stamp,
        .arg = refine_argument(h->values, e->args, e->step.arg_count),
        .result = PLUMB_ANY,
        .thread = history_thread(h, plumb_int(h->values, e->step.thread)),
        .op = history_op_name(h, op->name, strlen(op->name)),
        .pending = 1,
    };
    history_add(h, called, 0);
}

/* The thread's open operation; UINT32_MAX: it has none. */
static uint32_t open_operation(const struct history *h, uint32_t thread)
{
    for (size_t i = h->ops.len; i > 0; i--)
        if (h->ops.data[i - 1].thread == thread && h->ops.data[i - 1].pending)
            return (uint32_t)i - 1;
    return UINT32_MAX;
}

/* Was the thread's call answered "full"? */
static bool is_refused(const struct refine_result *r, size_t call)
{
    for (size_t i = call + 1; i < r->run.len; i++) {
        const struct refine_step *step = &r->run.data[i].step;
        if (step->kind == REFINE_RETURN && step->thread == r->run.data[call].step.thread)
            return step->value == REFINE_FULL;
    }
    return false;
}

static void add_event(struct history *h, const struct refine_result *r, size_t i,
                      const struct plumb_operation *op)
{
    const struct refine_event *e = &r->run.data[i];
    if (e->step.kind == REFINE_CALL && !is_refused(r, i)) {
        add_call(h, e, op, (int64_t)i + 1);
    } else if (e->step.kind == REFINE_RETURN && e->step.value != REFINE_FULL) {
        uint32_t open = open_operation(h, history_thread(h, plumb_int(h->values, e->step.thread)));
        CHECK(open != UINT32_MAX);
        struct history_op *answered = &h->ops.data[open];
        answered->ret = (int64_t)i + 1;
        answered->pending = 0;
        answered->result = refine_answer(h->values, op, e->step.value);
    }
}

struct history *refine_history(const struct refine_system *s, const struct refine_result *r,
                               const struct plumb_spec *spec)
{
    struct history *h = history_create();
    for (size_t i = 0; i < r->run.len; i++) {
        const struct refine_step *step = &r->run.data[i].step;
        if (step->kind != REFINE_CALL && step->kind != REFINE_RETURN)
            continue;
        uint32_t op = spec_operation(spec, s->ops[step->op]);
        CHECK(op != UINT32_MAX);
        add_event(h, r, i, &spec->operations[op]);
    }
    return h;
}
