/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/check_story.h"

#include "cli/check_events.h"
#include "cli/check_history.h"
#include "history/value_text.h"
#include "spec/serial/serial.h"

#include <string.h>

/* ------------------------------------------------------------------ operations and their steps */

/* Does event k call an operation, in this thread? */
static bool is_call(const struct worker_shared *s, uint32_t k, int64_t thread)
{
    return s->events[k].kind == EVENT_OP_CALL && s->events[k].thread == thread && check_events_is_shown(s, k);
}

static const char *keep_place(struct check_story *s, struct symbols *symbols, uint64_t pc)
{
    struct text t = {0};
    if (pc)
        symbols_add_place(symbols, pc, &t);
    return t.len ? text_keep(&t, &s->explanation.arena) : NULL;
}

/* A thread's operations in the history and its calls among the events are the same, in the same order, if there are as many: a test of
 * several objects has more calls. */
static void match_thread(struct check_story *s, uint32_t thread, struct symbols *symbols)
{
    const struct history *h = s->in.history;
    int64_t name = plumb_int_of(h->values, h->thread_names.data[thread]);
    uint32_t ops[STORY_OPS], count = 0, calls = 0;
    for (uint32_t i = 0; i < h->ops.len && i < STORY_OPS; i++)
        if (h->ops.data[i].thread == thread)
            ops[count++] = i;
    for (uint32_t k = 0; k < s->shared->event_count; k++)
        calls += is_call(s->shared, k, name);
    if (calls != count)
        return;
    for (uint32_t k = 0, i = 0; k < s->shared->event_count; k++) {
        const struct event *e = &s->shared->events[k];
        if (!is_call(s->shared, k, name))
            continue;
        if (e->value < STORY_OPS)
            s->op_of[e->value] = ops[i];
        s->place[ops[i++]] = keep_place(s, symbols, e->pc);
    }
}

static void match(struct check_story *s, struct symbols *symbols)
{
    const struct history *h = s->in.history;
    if (s->shared->events_lost || h->ops.len > STORY_OPS)
        return;
    for (uint32_t t = 0; t < h->thread_names.len; t++)
        match_thread(s, t, symbols);
}

void check_story_add_answer(const struct check_story *s, uint32_t number, struct text *out)
{
    if (!s->told || number >= STORY_OPS || s->op_of[number] == UINT32_MAX)
        return;
    const struct history_op *op = &s->in.history->ops.data[s->op_of[number]];
    if (!op->pending)
        value_print_result(out, s->in.history->values, op->result);
}

/* ------------------------------------------------------------------ all together */

/* Lines of a history that is in no file mean nothing to the reader; those of the operations do. */
static void set_places(struct check_story *s)
{
    struct report_counterexample *c = &s->explanation.counterexample;
    struct report_op *ops = arena_alloc(&s->explanation.arena, c->op_count * sizeof *ops);
    for (size_t k = 0; k < c->op_count; k++) {
        ops[k] = c->ops[k];
        ops[k].line = 0;
        ops[k].place = ops[k].id < STORY_OPS ? s->place[ops[k].id] : NULL;
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

bool check_story_open(struct check_story *s, const char *name, const struct worker_shared *shared,
                      struct symbols *symbols)
{
    *s = (struct check_story){.shared = shared};
    memset(s->op_of, 0xff, sizeof s->op_of);
    if (!shared->history_length)
        return false;
    check_history_judge(&s->in, name, shared);
    s->judged = true;
    if (s->in.error.code || !s->in.result.violation)
        return false;
    explain_violation(&s->explanation, &s->in, NULL);
    s->told = true;
    match(s, symbols);
    set_places(s);
    s->explanation.counterexample.tells_others = true;
    s->explanation.counterexample.judged_by = judged_by(shared);
    return true;
}

void check_story_close(struct check_story *s)
{
    if (s->told)
        explain_free(&s->explanation);
    if (s->judged)
        pipeline_free(&s->in);
}
