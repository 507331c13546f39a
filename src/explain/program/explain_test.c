/* SPDX-License-Identifier: Apache-2.0 */
#include "explain/program/explain_test.h"

#include "explain/program/explain_events.h"
#include "history/value_text.h"
#include "spec/serial/serial.h"

#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------ operations and their steps */

/* Does event k call an operation, in this thread? */
static bool is_call(const struct worker_shared *s, uint32_t k, int64_t thread)
{
    return s->events[k].kind == EVENT_OP_CALL && s->events[k].thread == thread &&
           explain_events_is_shown(s, k);
}

static const char *keep_place(struct explain_test *s, struct symbols *symbols, uint64_t pc)
{
    struct text t = {0};
    if (pc)
        symbols_add_place(symbols, pc, &t);
    return t.len ? text_keep(&t, &s->explanation.arena) : NULL;
}

/* A thread's operations in the history and its calls among the events are the same, in the same order, if
 * there are as many: a test of several objects has more calls. */
static void match_thread(struct explain_test *s, uint32_t thread, struct symbols *symbols)
{
    const struct history *h = s->judged->history;
    int64_t name = plumb_int_of(h->values, h->thread_names.data[thread]);
    uint32_t ops[TEST_OPS], count = 0, calls = 0;
    for (uint32_t i = 0; i < h->ops.len && i < TEST_OPS; i++)
        if (history_get(h, i).thread == thread)
            ops[count++] = i;
    for (uint32_t k = 0; k < s->shared->event_count; k++)
        calls += is_call(s->shared, k, name);
    if (calls != count)
        return;
    for (uint32_t k = 0, i = 0; k < s->shared->event_count; k++) {
        const struct event *e = &s->shared->events[k];
        if (!is_call(s->shared, k, name))
            continue;
        if (e->value < TEST_OPS)
            s->op_of[e->value] = ops[i];
        s->place[ops[i++]] = keep_place(s, symbols, e->pc);
    }
}

static void match(struct explain_test *s, struct symbols *symbols)
{
    const struct history *h = s->judged->history;
    if (s->shared->events_lost || h->ops.len > TEST_OPS)
        return;
    for (uint32_t t = 0; t < h->thread_names.len; t++)
        match_thread(s, t, symbols);
}

/* What it answered when the execution was repeated: " = 2". */
static void add_shown(const struct worker_shared *s, uint32_t number, struct text *out)
{
    for (const char *line = s->answered; *line; line += strcspn(line, "\n") + 1) {
        char *answer;
        if (strtoul(line, &answer, 10) == number) {
            text_add(out, answer, strcspn(answer, "\n"));
            return;
        }
    }
}

void explain_test_add_answer(const struct explain_test *s, uint32_t number, struct text *out)
{
    if (!s->explained) {
        add_shown(s->shared, number, out);
        return;
    }
    if (number >= TEST_OPS || s->op_of[number] == UINT32_MAX)
        return;
    const struct history_op *op = history_at(s->judged->history, s->op_of[number]);
    if (!op->pending)
        value_print_result(out, s->judged->history->values, op->result);
}

/* ------------------------------------------------------------------ all together */

/* Lines of a history that is in no file mean nothing to the reader; those of the operations do. */
static void set_places(struct explain_test *s)
{
    struct report_counterexample *c = &s->explanation.counterexample;
    struct report_op *ops = arena_alloc(&s->explanation.arena, c->op_count * sizeof *ops);
    for (size_t k = 0; k < c->op_count; k++) {
        ops[k] = c->ops[k];
        ops[k].line = 0;
        ops[k].place = ops[k].id < TEST_OPS ? s->place[ops[k].id] : NULL;
    }
    c->ops = ops;
}

/* Specifications that nobody wrote have no name that says it. */
static const char *judged_by(const struct worker_shared *s)
{
    if (strcmp(s->judged_by, SPEC_DERIVED_NAME) != 0)
        return NULL;
    return *s->config.serials_in ? "what the golden implementation answers, one operation after the other"
                                 : "what the operations answer one after the other";
}

bool explain_test_open(struct explain_test *s, const struct worker_shared *shared,
                       const struct pipeline_input *judged, struct symbols *symbols)
{
    *s = (struct explain_test){.shared = shared, .judged = judged};
    memset(s->op_of, 0xff, sizeof s->op_of);
    if (!judged || judged->error.code || !judged->result.violation)
        return false;
    explain_violation(&s->explanation, judged, NULL);
    s->explained = true;
    match(s, symbols);
    set_places(s);
    s->explanation.counterexample.tells_others = true;
    s->explanation.counterexample.judged_by = judged_by(shared);
    return true;
}

void explain_test_close(struct explain_test *s)
{
    if (s->explained)
        explain_free(&s->explanation);
}
