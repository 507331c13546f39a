/* SPDX-License-Identifier: Apache-2.0 */
#include "base/check.h"
#include "monitor/stream/stream_part.h"
#include "monitor/stream/stream_run.h"

#include <string.h>

/* Operations of a part that cannot be cut until they are judged; then twice as many. */
enum { FIRST_LOOK = 64 };

/* ---- parts ---- */

/* A part that is at rest in its initial state is as if it had never been. */
static void forget_part(struct stream *s, uint32_t number)
{
    struct stream_part *p = &s->parts.data[number];
    hash_map_remove(&s->objects.data[p->object].parts, p->key);
    stream_part_free(p);
    bool resting = p->resting, touched = p->touched;
    *p = (struct stream_part){.resting = resting, .touched = touched};
    vec_push(&s->unused, number);
    s->stats.parts--;
}

void stream_set_limit(struct stream *s, const char *limit)
{
    if (!s->limit)
        s->limit = base_strndup(limit, strlen(limit));
}

void stream_lose_part(struct stream *s, struct stream_part *p, const char *why)
{
    struct text limit = {0};
    if (why) {
        text_puts(&limit, why);
    } else {
        text_puts(&limit, "memory limit met: ");
        stream_part_print_loss(p, s->names, &limit);
    }
    stream_set_limit(s, limit.data);
    text_free(&limit);
    s->stats.kept -= p->ops.len;
    vec_free(&p->ops);
    vec_free(&p->lines);
    vec_free(&p->empty_from);
    p->lost = true;
}

/* ---- judging ---- */

/* A value whose addition is not among the operations may have been added and removed before they begin. */
static void mention_forgotten(struct monitor_violation *v)
{
    static const char end[] = "was never added.";
    size_t length = v->why ? strlen(v->why) : 0, tail = sizeof end - 1;
    if (length < tail || strcmp(v->why + length - tail, end))
        return;
    struct text why = {0};
    text_add(&why, v->why, length - tail);
    text_puts(&why, "was never added, or was removed long before.");
    free(v->why);
    v->why = text_take(&why);
}

/* Keeps the result and the operations that show it; nothing else matters from now on. */
static void keep_violation(struct stream *s, struct stream_part *p, const void *state,
                           struct monitor_result *result)
{
    struct history *h = s->names;
    for (size_t i = 0; i < p->ops.len; i++) {
        history_add(h, p->ops.data[i], p->object);
        vec_push(&h->lines, p->lines.data[i]);
    }
    result->violation->object = p->object;
    if (s->stats.operations > s->stats.kept) /* a part that was empty has forgotten even that it was there */
        mention_forgotten(result->violation);
    if (state && p->states.len == 1)
        result->violation->earlier += (uint32_t)p->settled;
    s->start_spec = p->spec;
    if (state) {
        s->start = (struct stream_resumed){stream_resume(p->spec), p->spec->clone(state)};
        s->start_spec = &s->start.spec;
    }
    s->violation = *result;
    s->violated = true;
}

static void set_next_look(struct stream_part *p)
{
    p->check_at = p->ops.len * 2 > FIRST_LOOK ? p->ops.len * 2 : FIRST_LOOK;
}

bool stream_part_is_long(const struct stream_part *p)
{
    return p->ops.len >= (p->check_at ? p->check_at : FIRST_LOOK);
}

enum verdict stream_judge_part(struct stream *s, struct stream_part *p, bool final)
{
    struct monitor_result result;
    const void *state;
    struct budget *budget = s->settings.budget;
    enum verdict verdict = stream_part_judge(p, s->names, s->settings.options, budget, &state, &result);
    set_next_look(p);
    if (verdict == VERDICT_VIOLATED) {
        keep_violation(s, p, state, &result);
        return verdict;
    }
    if (verdict == VERDICT_INCONCLUSIVE && final)
        stream_lose_part(s, p, result.limit);
    monitor_result_free(&result);
    return verdict;
}

/* Forgets what cannot matter any more in a part that was found to be legal so far. */
static void forget_ops(struct stream *s, struct stream_part *p)
{
    size_t forgotten = stream_part_forget(p, s->names, s->settings.options);
    for (size_t k = 0; forgotten && k < p->ops.len; k++)
        if (p->ops.data[k].pending)
            s->threads.data[p->ops.data[k].thread].index = (uint32_t)k;
    s->stats.kept -= forgotten;
    set_next_look(p);
}

void stream_look_at_part(struct stream *s, struct stream_part *p)
{
    if (stream_judge_part(s, p, false) == VERDICT_HOLDS)
        forget_ops(s, p);
}

static void drop_ops(struct stream *s, struct stream_part *p, struct state_list states)
{
    s->stats.kept -= p->ops.len;
    stream_part_cut(p, s->settings.options, states);
}

/* An empty container at rest is in its initial state, whatever the order was: the algorithms for whole histories can
 * decide all that led there. */
static void cut_empty(struct stream *s, struct stream_part *p)
{
    if (stream_judge_part(s, p, true) == VERDICT_HOLDS)
        drop_ops(s, p, (struct state_list){0});
}

/* Everything else: the states it may be in are carried over. */
static void cut_states(struct stream *s, struct stream_part *p)
{
    struct state_list ends = {0};
    struct budget *budget = s->settings.budget;
    if (!stream_part_ends(p, s->names, s->settings.options, budget, &ends)) {
        if (budget->spent == BUDGET_MEMORY)
            budget->spent = BUDGET_LEFT; /* the search gave it back */
        p->cut_at = p->ops.len * 2;
    } else if (ends.len) {
        drop_ops(s, p, ends);
    } else {
        CHECK(stream_judge_part(s, p, true) != VERDICT_HOLDS);
    }
}

/* The part is at rest: its past is decided for good, if that is possible at a bearable price. */
static void settle(struct stream *s, uint32_t number)
{
    struct stream_part *p = &s->parts.data[number];
    bool counts = stream_part_counts(p);
    if (counts && p->size == 0)
        cut_empty(s, p);
    else if (!counts && p->ops.len >= p->cut_at)
        cut_states(s, p);
    else if (stream_part_is_long(p))
        stream_look_at_part(s, p);
    if (p->in_use && !p->lost && !p->open && !p->ops.len && !p->states.len && !s->violated)
        forget_part(s, number);
}

void stream_settle(struct stream *s)
{
    for (size_t k = 0; k < s->resting.len; k++) {
        uint32_t number = s->resting.data[k];
        struct stream_part *p = &s->parts.data[number];
        bool useful = p->in_use && !p->lost && p->ops.len && !stream_is_over(s);
        p->resting = false;
        if (useful && !p->open)
            settle(s, number);
        else if (useful && stream_part_is_long(p))
            stream_look_at_part(s, p);
    }
    vec_clear(&s->resting);
}
