/* SPDX-License-Identifier: Apache-2.0 */
#include "stress/stress_judge.h"

#include "spec/registry.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

int64_t stress_log_base(const struct stress_log *log)
{
    int64_t least = log->calls.len ? INT64_MAX : 0;
    for (size_t i = 0; i < log->calls.len; i++)
        least = log->calls.data[i].call < least ? log->calls.data[i].call : least;
    return least;
}

plumb_value stress_object_name(struct plumb_values *values, const char *name, uint64_t round)
{
    char text[320];
    int length = round
                     ? snprintf(text, sizeof text, "round %" PRIu64 "%s%.256s", round, *name ? " " : "", name)
                     : snprintf(text, sizeof text, "%.256s", name);
    return length ? plumb_string(values, text, (size_t)length) : PLUMB_NONE;
}

struct history *stress_history(const struct stress_log *log, const struct stress_harness *h, uint32_t object,
                               int64_t base, uint64_t round)
{
    struct history *made = history_create();
    uint16_t names[STRESS_OPERATIONS_MAX] = {0};
    uint32_t number =
        history_object(made, stress_object_name(made->values, h->objects.data[object].name, round));
    for (size_t k = 0; k < h->operations.len; k++)
        if (h->operations.data[k].object == object)
            names[k] = history_op_name(made, h->operations.data[k].part->name,
                                       strlen(h->operations.data[k].part->name));
    for (size_t i = 0; i < log->calls.len; i++) {
        const struct stress_call *c = &log->calls.data[i];
        if (h->operations.data[c->operation].object != object)
            continue;
        struct history_op op = {.call = c->call - base,
                                .ret = c->pending ? 0 : c->ret - base,
                                .arg = stress_value_copy(log->values, c->argument, made->values),
                                .result = stress_value_copy(log->values, c->result, made->values),
                                .thread = history_thread(made, plumb_int(made->values, c->thread)),
                                .op = names[c->operation],
                                .pending = c->pending};
        history_add(made, op, number);
    }
    return made;
}

/* ------------------------------------------------------------------ whole histories */

static bool has_calls(const struct stress_log *log, const struct stress_harness *h, uint32_t object)
{
    for (size_t i = 0; i < log->calls.len; i++)
        if (h->operations.data[log->calls.data[i].operation].object == object)
            return true;
    return false;
}

/* The worst of what objects came to; what cannot be judged at all is worse than all. */
static void add_result(struct stress_answer *out, uint32_t object, enum verdict verdict, const char *limit)
{
    if (verdict == VERDICT_VIOLATED && out->verdict != VERDICT_VIOLATED) {
        out->verdict = verdict;
        out->object = object;
    }
    if (verdict == VERDICT_INCONCLUSIVE && out->verdict == VERDICT_HOLDS) {
        out->verdict = verdict;
        snprintf(out->limit, sizeof out->limit, "%s", limit ? limit : "not decided");
    }
}

static void judge_object(const struct stress_log *log, const struct stress_question *q, uint32_t object,
                         struct stress_answer *out)
{
    const struct plumb_spec *spec = q->harness->objects.data[object].spec;
    struct history *h = stress_history(log, q->harness, object, stress_log_base(log), 0);
    struct pipeline_input in;
    pipeline_judge_history(&in, "a round", h, spec, &q->ask);
    if (in.error.code)
        out->error = in.error;
    else
        add_result(out, object, in.result.verdict, in.result.limit);
    pipeline_free(&in);
}

void stress_judge_whole(const struct stress_log *log, const struct stress_question *q,
                        struct stress_answer *out)
{
    *out = (struct stress_answer){.verdict = VERDICT_HOLDS};
    for (uint32_t k = 0; k < q->harness->objects.len && !out->error.code; k++)
        if (q->harness->objects.data[k].spec && has_calls(log, q->harness, k))
            judge_object(log, q, k, out);
    if (out->error.code)
        out->verdict = VERDICT_NONE;
}
