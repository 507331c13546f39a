/* SPDX-License-Identifier: Apache-2.0 */
#include "refine/confirming.h"

#include "base/check.h"
#include "monitor/monitor.h"
#include "refine/bounded.h"
#include "spec/registry.h"
#include "spec/spec_quasi.h"

/* The thread's open operation. */
static struct history_op *open_operation(struct history *h, uint32_t thread)
{
    for (size_t i = h->ops.len; i > 0; i--)
        if (h->ops.data[i - 1].thread == thread && h->ops.data[i - 1].pending)
            return &h->ops.data[i - 1];
    CHECK(!"an operation returns that was not called");
    return NULL;
}

/* Does the call get the answer "full", which says nothing? */
static bool is_refused(const struct refine_result *r, size_t call)
{
    for (size_t i = call + 1; i < r->run.len; i++) {
        const struct refine_step *step = &r->run.data[i].step;
        if (step->kind == REFINE_RETURN && step->thread == r->run.data[call].step.thread)
            return step->value == REFINE_FULL;
    }
    return false;
}

static void add_event(struct history *h, const struct refine_event *e, uint32_t op,
                      const struct plumb_spec *spec, int64_t stamp)
{
    uint32_t thread = history_thread(h, plumb_int(h->values, e->step.thread));
    if (e->step.kind == REFINE_CALL) {
        struct history_op called = {.call = stamp, .thread = thread, .op = (uint16_t)op, .pending = 1};
        called.arg = refine_argument(h->values, e->args, e->step.arg_count);
        called.result = PLUMB_ANY;
        history_add(h, called, 0);
    } else {
        struct history_op *returned = open_operation(h, thread);
        returned->ret = stamp;
        returned->pending = 0;
        returned->result = bounded_answer(h->values, &spec->operations[op], e->step.value);
    }
}

/* Bound to the specification. Additions that were refused for free are left out. */
static struct history *make_history(const struct refine_system *s, const struct plumb_spec *spec,
                                    const struct refine_result *r, bool full_is_free)
{
    struct history *h = history_create();
    bool refused[REFINE_THREADS_MAX] = {false};
    for (size_t i = 0; i < r->run.len; i++) {
        const struct refine_step *step = &r->run.data[i].step;
        if (step->kind != REFINE_CALL && step->kind != REFINE_RETURN)
            continue;
        uint32_t op = spec_operation(spec, s->ops[step->op]);
        if (step->kind == REFINE_CALL)
            refused[step->thread] =
                full_is_free && bounded_can_be_full(&spec->operations[op]) && is_refused(r, i);
        if (!refused[step->thread])
            add_event(h, &r->run.data[i], op, spec, (int64_t)i + 1);
    }
    return h;
}

bool confirming_agrees(const struct refine_system *s, const struct refine_settings *settings,
                       const struct plumb_spec *spec, const struct refine_result *r)
{
    enum { SECONDS = 60 };
    struct history *h = make_history(s, spec, r, settings->full == REFINE_FULL_ANY);
    struct plumb_spec_options options = {.values = h->values, .initial = PLUMB_OK};
    struct budget budget = budget_start(SECONDS, (size_t)1 << 30);
    const struct plumb_spec *judge = spec;
    struct diagnostic d = {0};
    history_object(h, PLUMB_NONE);
    if (settings->quasi)
        CHECK(spec_quasi_relax(h, &judge, settings->quasi, &d));
    if (settings->quasi && settings->reading == REFINE_READING_C)
        spec_quasi_append_nothing(judge);
    struct monitor_settings monitor = {.options = &options, .specs = &judge, .budget = &budget};
    monitor.only_general = true;
    struct monitor_result result;
    CHECK(monitor_history(h, &monitor, &result, &d));
    CHECK(result.verdict != VERDICT_HOLDS);
    bool agrees = result.verdict == VERDICT_VIOLATED;
    monitor_result_free(&result);
    if (judge != spec)
        spec_quasi_free(judge);
    history_destroy(h);
    return agrees;
}
