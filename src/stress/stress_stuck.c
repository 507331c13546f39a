/* SPDX-License-Identifier: Apache-2.0 */
#include "stress/stress_stuck.h"

#include "spec/registry.h"

#include <string.h>

/* The specification with one more operation, which is possible where `waiting` waits. Called last, it asks whether the history may end
 * in a state in which that call waits. One at a time: functions of a specification know only their state. */
static struct {
    const struct plumb_spec *inner;
    struct plumb_call waiting;
    struct plumb_operation operations[STRESS_OPERATIONS_MAX + 1];
} stuck;

#define STUCK_NAME "(waits)"

static void *stuck_init(const struct plumb_spec_options *options)
{
    return spec_init(stuck.inner, options);
}

static bool stuck_step(void *state, const struct plumb_call *call, unsigned choice, plumb_value *result)
{
    if (call->op < stuck.inner->operation_count)
        return stuck.inner->step(state, call, choice, result);
    return !choice && spec_blocks(stuck.inner, state, &stuck.waiting) && plumb_answer(call, PLUMB_OK, result);
}

static struct plumb_spec make_spec(const struct plumb_spec *inner)
{
    stuck.inner = inner;
    memcpy(stuck.operations, inner->operations, inner->operation_count * sizeof *stuck.operations);
    stuck.operations[inner->operation_count] =
        (struct plumb_operation){.name = STUCK_NAME, .args = "", .results = "k", .reads = true};
    return (struct plumb_spec){.name = inner->name,
                               .operations = stuck.operations,
                               .operation_count = inner->operation_count + 1,
                               .init = stuck_init,
                               .destroy = inner->destroy,
                               .clone = inner->clone,
                               .hash = inner->hash,
                               .equal = inner->equal,
                               .step = stuck_step,
                               .accept = inner->accept,
                               .effect_free = inner->effect_free,
                               .valid_initial = inner->valid_initial,
                               .print = inner->print,
                               .footprint = inner->footprint,
                               .deterministic = inner->deterministic,
                               .thread_matters = inner->thread_matters};
}

/* The completed operations of the object, and then the question about `open`. */
static struct history *make_history(const struct stress_log *log, const struct stress_question *q,
                                    const struct stress_call *open)
{
    const struct stress_operation *o = &q->harness->operations.data[open->operation];
    struct stress_log complete = {.values = log->values};
    int64_t last = open->call;
    for (size_t i = 0; i < log->calls.len; i++)
        if (!log->calls.data[i].pending) {
            vec_push(&complete.calls, log->calls.data[i]);
            last = log->calls.data[i].ret > last ? log->calls.data[i].ret : last;
        }
    struct history *h = stress_history(&complete, q->harness, o->object, 0, 0);
    struct history_op ask = {.call = last + 1,
                             .ret = last + 2,
                             .arg = PLUMB_OK,
                             .result = PLUMB_OK,
                             .thread = history_thread(h, plumb_int(h->values, open->thread)),
                             .op = history_op_name(h, STUCK_NAME, strlen(STUCK_NAME))};
    history_add(h, ask, 0);
    stuck.waiting = (struct plumb_call){
        .op = (uint32_t)(o->specified - q->harness->objects.data[o->object].spec->operations),
        .thread = ask.thread,
        .arg = stress_value_copy(log->values, open->argument, h->values),
        .result = PLUMB_ANY};
    vec_free(&complete.calls);
    return h;
}

static enum verdict may_wait(const struct stress_log *log, const struct stress_question *q,
                             const struct stress_call *open)
{
    const struct stress_operation *o = &q->harness->operations.data[open->operation];
    const struct plumb_spec *inner = q->harness->objects.data[o->object].spec;
    if (!inner)
        return VERDICT_INCONCLUSIVE;
    /* Those of a kind never wait. */
    if (inner->kind != PLUMB_KIND_OTHER || inner->operation_count > STRESS_OPERATIONS_MAX)
        return VERDICT_VIOLATED;
    struct plumb_spec spec = make_spec(inner);
    struct pipeline_question ask = q->ask;
    struct pipeline_input in;
    ask.quasi = NULL;
    struct history *h = make_history(log, q, open);
    pipeline_judge_history(&in, "a round", h, &spec, &ask);
    enum verdict verdict = in.error.code ? VERDICT_INCONCLUSIVE : in.result.verdict;
    pipeline_free(&in);
    return verdict;
}

enum verdict stress_may_be_stuck(const struct stress_log *log, const struct stress_question *q)
{
    size_t open = 0;
    enum verdict worst = VERDICT_HOLDS;
    for (size_t i = 0; i < log->calls.len; i++) {
        if (!log->calls.data[i].pending)
            continue;
        open++;
        enum verdict one = log->is_cut ? VERDICT_INCONCLUSIVE : may_wait(log, q, &log->calls.data[i]);
        if (one == VERDICT_VIOLATED)
            return one;
        worst = one == VERDICT_HOLDS ? worst : VERDICT_INCONCLUSIVE;
    }
    return open ? worst : VERDICT_VIOLATED;
}

const char *stress_open_without_spec(const struct stress_log *log, const struct stress_harness *h)
{
    for (size_t i = 0; i < log->calls.len; i++) {
        const struct stress_operation *o = &h->operations.data[log->calls.data[i].operation];
        if (log->calls.data[i].pending && !h->objects.data[o->object].spec)
            return o->part->name;
    }
    return NULL;
}
