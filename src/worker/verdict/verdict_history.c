/* SPDX-License-Identifier: Apache-2.0 */
#include "worker/verdict/verdict_state.h"

#include "base/budget.h"
#include "base/check.h"
#include "history/jsonl.h"
#include "history/value_text.h"
#include "monitor/monitor.h"
#include "spec/registry.h"
#include "spec/shape.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* What one history may cost: less than what the tool takes for a worker that is stuck. */
enum { JUDGE_SECONDS = 5, JUDGE_BYTES = 1 << 28 };

struct judge_state judge;

/* In files null may stand for "no result". Who writes PLUMB_NONE means "empty" or "absent", which such an operation cannot answer. */
static bool answers_null(struct diagnostic *d)
{
    const struct history *h = judge.history;
    size_t k = 0;
    for (uint32_t i = 0; i < judge.count; i++) {
        if (!judge.fingerprints[i].called)
            continue;
        if (judge.stamped[i].result == PLUMB_NONE && history_get(h, k).result == PLUMB_OK)
            return !diagnostic_set(
                d, PL_BAD_ARGUMENT, history_line(h, k), 1,
                "%s cannot have the result null (PLUMB_NONE); it answers no result (PLUMB_OK)",
                judge.names[i]);
        k++;
    }
    return false;
}

bool judge_bind_history(struct diagnostic *d)
{
    if (spec_bind(judge.history, judge.specs, d) && !answers_null(d))
        return true;
    uint64_t left = d->line; /* in the history, without those that were not called */
    for (uint32_t i = 0; i < judge.count && left; i++) {
        left -= judge.fingerprints[i].called != 0;
        d->line = i + 1;
    }
    return false;
}

bool judge_prepare(struct history *h, const struct plumb_spec *const *specs, struct diagnostic *d)
{
    uint32_t count = (uint32_t)h->ops.len;
    judge.history = h;
    judge.specs = specs;
    judge.count = count;
    judge.blank = NEW_ARRAY(struct history_op, count);
    judge.stamped = NEW_ARRAY(struct history_op, count);
    judge.objects = NEW_ARRAY(uint32_t, count);
    judge.names = NEW_ARRAY(const char *, count);
    judge.log = NEW_ARRAY(uint32_t, 2 * (size_t)count);
    judge.results = NEW_ARRAY(plumb_value, count);
    judge.returned = NEW_ARRAY(uint32_t, count);
    judge.fingerprints = NEW_ARRAY(struct fingerprint, count);
    for (uint32_t i = 0; i < count; i++) {
        judge.blank[i] = history_get(h, i);
        judge.names[i] = h->op_names.data[history_get(h, i).op];
        judge.objects[i] = history_object_of(h, i);
    }
    judge.options = (struct plumb_spec_options){.values = h->values, .initial = PLUMB_OK};
    if (!spec_bind(h, specs, d))
        return false;
    judge.ops = NEW_ARRAY(struct judge_op, count);
    for (uint32_t i = 0; i < count; i++) {
        const struct history_op *op = history_at(h, i);
        judge.ops[i] = (struct judge_op){op->arg, PLUMB_ANY, op->op, op->thread, judge.objects[i]};
    }
    return true;
}

void judge_begin(void)
{
    judge.log_length = 0;
}

void judge_call(uint32_t op)
{
    CHECK(judge.log_length < 2 * judge.count);
    judge.log[judge.log_length++] = op << 1;
}

void judge_return(uint32_t op, plumb_value result)
{
    CHECK(judge.log_length < 2 * judge.count);
    judge.log[judge.log_length++] = op << 1 | 1;
    const struct plumb_spec *spec = judge.specs[judge.objects[op]];
    judge.results[op] = shape_plain_result(&spec->operations[judge.ops[op].op], result);
}

void judge_show_answer(struct worker_shared *shared, uint32_t op)
{
    OWNED struct text t = {0};
    size_t used = strlen(shared->answered);
    text_printf(&t, "%u", op);
    value_print_result(&t, judge.history->values, judge.results[op]);
    text_puts(&t, "\n");
    if (t.len < sizeof shared->answered - used)
        memcpy(shared->answered + used, t.data, t.len + 1);
}

bool judge_is_within(void)
{
    uint32_t calls = 0;
    for (uint32_t k = 0; k < judge.log_length; k++)
        calls += !(judge.log[k] & 1);
    return 2 * calls > judge.log_length;
}

size_t judge_returned(const uint32_t **returned, const plumb_value **results, uint32_t *called)
{
    size_t count = 0;
    *called = UINT32_MAX;
    for (uint32_t k = 0; k < judge.log_length; k++) {
        *called = judge.log[k] & 1 ? UINT32_MAX : judge.log[k] >> 1;
        if (judge.log[k] & 1)
            judge.returned[count++] = judge.log[k] >> 1;
    }
    *returned = judge.returned;
    *results = judge.results;
    return count;
}

/* ------------------------------------------------------------------ was it judged before? */

uint64_t judge_hash_execution(void)
{
    uint32_t round = 1;
    bool returning = false;
    for (uint32_t i = 0; i < judge.count; i++)
        judge.fingerprints[i] = (struct fingerprint){0, 0, PLUMB_ANY};
    for (uint32_t k = 0; k < judge.log_length; k++) {
        struct fingerprint *f = &judge.fingerprints[judge.log[k] >> 1];
        bool returns = judge.log[k] & 1;
        round += returning && !returns;
        returning = returns;
        if (returns) {
            f->returned = round;
            f->result = judge.results[judge.log[k] >> 1];
        } else {
            f->called = round;
        }
    }
    return hash_bytes(judge.fingerprints, judge.count * sizeof *judge.fingerprints);
}

/* What is kept about a history that was judged. A wrong one is reported each time. */
enum { JUDGED_FINE = 1, JUDGED_WRONG };

/* ------------------------------------------------------------------ judging */

static void note_clients_stamps(void)
{
    const struct judge_violation *v = &judge.violation;
    const uint32_t *numbers = judge_graph_numbers(judge.reader);
    for (uint32_t i = 0; i < judge.count; i++)
        judge.fingerprints[i].called = 0;
    for (uint32_t i = 0; i < judge.execution.count; i++) {
        struct history_op *op = &judge.stamped[numbers[i]];
        judge.fingerprints[numbers[i]].called = v->members >> i & 1;
        op->call = v->call[i];
        if (!(judge.execution.completed >> i & 1))
            continue;
        op->ret = v->ret[i];
        op->result = judge.results[numbers[i]];
        op->pending = 0;
    }
}

static void note_stamps(void)
{
    if (judge.has_stamps) {
        note_clients_stamps();
        return;
    }
    for (uint32_t k = 0; k < judge.log_length; k++) {
        uint32_t number = judge.log[k] >> 1;
        struct history_op *op = &judge.stamped[number];
        if (judge.log[k] & 1) {
            op->ret = k + 1;
            op->result = judge.results[number];
            op->pending = 0;
        } else {
            op->call = k + 1;
        }
    }
}

/* Operations that were never called are no part of the history. */
void judge_fill_history(void)
{
    struct history *h = judge.history;
    for (uint32_t i = 0; i < judge.count; i++)
        judge.stamped[i] = judge.blank[i];
    note_stamps();
    vec_clear(&h->ops);
    vec_clear(&h->objects);
    for (uint32_t i = 0; i < judge.count; i++)
        if (judge.fingerprints[i].called)
            history_add(h, judge.stamped[i], judge.objects[i]);
}

uint32_t judge_write_history(uint32_t object, char *to, size_t size)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    CHECK(out);
    for (size_t i = 0; i < judge.history->ops.len; i++)
        if (history_object_of(judge.history, i) == object)
            jsonl_write_op(out, judge.history, i);
    fclose(out);
    if (length > size)
        length = 0;
    for (size_t k = 0; k < length; k++)
        to[k] = text[k];
    free(text);
    return (uint32_t)length;
}

void judge_report_error(struct worker_shared *shared, enum worker_error_kind kind, const char *format, ...)
{
    struct worker_error *error = &shared->error;
    va_list args;
    va_start(args, format);
    vsnprintf(error->message, sizeof error->message, format, args);
    va_end(args);
    error->kind = kind;
    error->phase = WORKER_RUNNING;
    error->stack_count = 0;
    error->address = 0;
}

static void report_violation(struct worker_shared *shared, const struct monitor_violation *v)
{
    judge_fill_history(); /* unbound again: lines have the names of the harness */
    shared->history_length = judge_write_history(v->object, shared->history, sizeof shared->history);
    snprintf(shared->judged_by, sizeof shared->judged_by, "%s", judge.specs[v->object]->name);
    size_t length = strlen(v->why);
    bool stop = length && v->why[length - 1] == '.'; /* messages have none */
    judge_report_error(shared, WORKER_ERROR_NOT_LINEARIZABLE, "%.*s", (int)(length - stop), v->why);
}

static enum judge_answer conclude(struct worker_shared *shared, const struct monitor_result *result)
{
    if (result->verdict == VERDICT_INCONCLUSIVE) {
        shared->undecided++;
        shared->limits |= LIMIT_UNDECIDED;
        return JUDGE_FINE; /* as far as is known: the limit is named with the answer */
    }
    if (result->verdict == VERDICT_HOLDS)
        return JUDGE_FINE;
    report_violation(shared, result->violation);
    return JUDGE_WRONG;
}

enum judge_answer judge_log(struct worker_shared *shared, struct diagnostic *d)
{
    judge_fill_history();
    if (!judge_bind_history(d))
        return JUDGE_MISMATCH;
    struct budget budget =
        budget_start(JUDGE_SECONDS, shared->config.judge_bytes ? shared->config.judge_bytes : JUDGE_BYTES);
    struct monitor_settings settings = {.options = &judge.options, .specs = judge.specs, .budget = &budget};
    struct monitor_result result;
    if (!monitor_history(judge.history, &settings, &result, d))
        return JUDGE_MISMATCH;
    enum judge_answer answer = conclude(shared, &result);
    monitor_result_free(&result);
    return answer;
}

enum judge_answer judge_end(struct worker_shared *shared, struct diagnostic *d)
{
    uint64_t hash = judge_hash_execution();
    if (hash_map_get(&judge.judged, hash) == JUDGED_FINE)
        return JUDGE_FINE;
    enum judge_answer answer = judge_log(shared, d);
    *hash_map_at(&judge.judged, hash) = answer == JUDGE_WRONG ? JUDGED_WRONG : JUDGED_FINE;
    return answer;
}
