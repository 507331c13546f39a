/* SPDX-License-Identifier: Apache-2.0 */
#include "refine/refine.h"

#include "base/check.h"
#include "refine/specification/machine.h"
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

/* The thread's open operation. */
static struct history_op *open_operation(struct history *h, uint32_t thread)
{
    for (size_t i = h->ops.len; i > 0; i--)
        if (history_get(h, i - 1).thread == thread && history_get(h, i - 1).pending)
            return history_change(h, i - 1);
    CHECK(!"an operation returns that was not called");
    return NULL;
}

/* Does the call get the answer "full"? */
static bool is_refused(const struct refine_result *r, size_t call)
{
    for (size_t i = call + 1; i < r->run.len; i++) {
        const struct refine_step *step = &r->run.data[i].step;
        if (step->kind == REFINE_RETURN && step->thread == r->run.data[call].step.thread)
            return step->value == REFINE_FULL;
    }
    return false;
}

static void add_event(struct history *h, const struct refine_event *e, const struct plumb_operation *op,
                      int64_t stamp)
{
    uint32_t thread = history_thread(h, plumb_int(h->values, e->step.thread));
    if (e->step.kind == REFINE_CALL) {
        struct history_op called = {.call = stamp, .result = PLUMB_ANY, .thread = thread, .pending = 1};
        called.arg = refine_argument(h->values, e->args, e->step.arg_count);
        called.op = history_op_name(h, op->name, strlen(op->name));
        history_add(h, called, 0);
    } else {
        struct history_op *returned = open_operation(h, thread);
        returned->ret = stamp;
        returned->pending = 0;
        returned->result = e->step.is_integer ? plumb_int(h->values, e->step.value)
                                              : bounded_answer(h->values, op, e->step.value);
    }
}

struct history *refine_history(const struct refine_system *s, const struct refine_result *r,
                               const struct plumb_spec *spec, bool full_is_free)
{
    struct history *h = history_create();
    bool refused[REFINE_THREADS_MAX] = {false};
    for (size_t i = 0; i < r->run.len; i++) {
        const struct refine_step *step = &r->run.data[i].step;
        if (step->kind != REFINE_CALL && step->kind != REFINE_RETURN)
            continue;
        uint32_t number = spec_operation(spec, s->ops[step->op]);
        CHECK(number != UINT32_MAX);
        const struct plumb_operation *op = &spec->operations[number];
        if (step->kind == REFINE_CALL)
            refused[step->thread] = full_is_free && bounded_can_be_full(op) && is_refused(r, i);
        if (!refused[step->thread])
            add_event(h, &r->run.data[i], op, (int64_t)i + 1);
    }
    return h;
}
