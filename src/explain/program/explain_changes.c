/* SPDX-License-Identifier: Apache-2.0 */
/* Steps that rest on what their thread read before, though others have written since: lost updates, and ABA. */
#include "explain/program/explain_events.h"

#include "graph/model.h"

static bool writes(const struct event *e)
{
    return e->kind == EVENT_WRITE || e->kind == EVENT_UPDATE;
}

static bool is_atomic(const struct event *e)
{
    return writes(e) || e->kind == EVENT_READ || e->kind == EVENT_CAS_FAILED;
}

/* What came before event k at its location: its thread's last access, and the last write of others since; or MARK_NONE. */
static void find_earlier(const struct worker_shared *s, uint32_t k, uint32_t *own, uint32_t *other)
{
    *own = *other = MARK_NONE;
    for (uint32_t j = k; j-- > 0 && *own == MARK_NONE;) {
        const struct event *e = &s->events[j];
        if (!is_atomic(e) || e->address != s->events[k].address)
            continue;
        if (e->thread == s->events[k].thread)
            *own = j;
        else if (*other == MARK_NONE && writes(e))
            *other = j;
    }
}

bool explain_changes_note(struct story *t, uint32_t k)
{
    const struct event *e = &t->shared->events[k];
    uint32_t own, other;
    if (!writes(e) || t->shared->events_lost)
        return false;
    find_earlier(t->shared, k, &own, &other);
    if (own == MARK_NONE || other == MARK_NONE || t->shared->events[own].kind == EVENT_WRITE)
        return false;
    bool looked = t->shared->events[own].kind != EVENT_UPDATE; /* a counter that goes up and down is no ABA */
    uint64_t found = looked ? t->shared->events[own].before : t->shared->events[own].value;
    if (e->kind == EVENT_WRITE && t->shared->events[other].value != found)
        story_say(t, "overwrites what step %k wrote; T%u last read %l in step %k, before that", other,
                  e->thread, own, own);
    else if (e->kind == EVENT_UPDATE && looked && e->before == found && found)
        story_say(t, "ABA: as in step %k, but written again by step %k", own, other);
    else
        return false;
    return true;
}

/* ------------------------------------------------------------------ the read that an error rests on */

/* Positions of events: the steps of a thread that the error is about. */
struct stretch {
    uint32_t thread, from, to;
};

/* The operation that no order explains. False: its steps are not known. */
static bool find_guilty(const struct worker_shared *s, const struct explain_test *test, struct stretch *out)
{
    uint32_t guilty = test->judged->result.violation->guilty;
    *out = (struct stretch){0};
    for (uint32_t k = 0; k < s->event_count; k++) {
        const struct event *e = &s->events[k];
        bool is_of_it = (e->kind == EVENT_OP_CALL || e->kind == EVENT_OP_RETURN) && e->value < TEST_OPS &&
                        test->op_of[e->value] == guilty;
        if (is_of_it && e->kind == EVENT_OP_CALL)
            *out = (struct stretch){e->thread, k + 1, s->event_count};
        else if (is_of_it && out->to)
            out->to = k;
    }
    return out->to;
}

/* What the thread whose assertion failed did in the operation that it is in, or since the last one. */
static struct stretch find_asserting(const struct worker_shared *s)
{
    struct stretch out = {s->error.stacks[0].thread, 0, s->event_count};
    for (uint32_t k = 0; k < s->event_count; k++) {
        const struct event *e = &s->events[k];
        if (e->thread == out.thread && (e->kind == EVENT_OP_CALL || e->kind == EVENT_OP_RETURN))
            out.from = k + 1;
    }
    return out;
}

static bool overlap(const struct event *a, const struct event *b)
{
    return a->address - b->address < b->size || b->address - a->address < a->size;
}

/* Is `e` a write to what `read` found, or does it make something else of that memory? */
static bool changes_memory(const struct event *e, const struct event *read)
{
    if (e->kind == EVENT_ALLOC)
        return read->address - e->address < e->value;
    return (writes(e) || e->kind == EVENT_PLAIN_WRITE) && overlap(e, read);
}

/* The next write to what event k found, if it is one of another thread that left another value there; or MARK_NONE. Steps are in
 * modification order here. */
static uint32_t find_change(const struct worker_shared *s, uint32_t k)
{
    const struct event *read = &s->events[k];
    uint32_t j = k + 1;
    while (j < s->event_count && !changes_memory(&s->events[j], read))
        j++;
    if (j == s->event_count)
        return MARK_NONE;
    const struct event *e = &s->events[j];
    bool same = writes(e) && e->address == read->address && e->size == read->size &&
                s->origins[j].owner_pc == s->origins[k].owner_pc &&
                s->origins[j].owner_top == s->origins[k].owner_top;
    bool follows = e->kind == EVENT_WRITE || e->before == read->before;
    return same && follows && e->thread != read->thread && e->value != read->before ? j : MARK_NONE;
}

/* Does the thread find out? It looks again at the same place of the code, or its exchange fails. */
static bool looks_again(const struct worker_shared *s, const struct stretch *in, uint32_t k)
{
    bool is_next = true;
    for (uint32_t j = k + 1; j < in->to; j++) {
        const struct event *e = &s->events[j];
        if (e->thread != in->thread || !is_atomic(e) || e->address != s->events[k].address)
            continue;
        if (e->pc == s->events[k].pc || (is_next && e->kind == EVENT_CAS_FAILED))
            return true;
        is_next = false;
    }
    return false;
}

/* The thread's next step after event k; or MARK_NONE. */
static uint32_t find_next(const struct worker_shared *s, const struct stretch *in, uint32_t k)
{
    for (uint32_t j = k + 1; j < in->to; j++)
        if (s->events[j].thread == in->thread && explain_events_is_shown(s, j))
            return j;
    return MARK_NONE;
}

static bool say_change(struct story *t, const struct stretch *in, uint32_t k)
{
    const struct worker_shared *s = t->shared;
    if (s->events[k].thread != in->thread || s->events[k].kind != EVENT_READ)
        return false;
    uint32_t change = find_change(s, k), next = change == MARK_NONE ? MARK_NONE : find_next(s, in, change);
    if (next == MARK_NONE || looks_again(s, in, k))
        return false;
    story_say(t, "T%u read %l = ", in->thread, k);
    explain_events_value(s, t->symbols, k, false, &t->text);
    story_say(t, " in step %k; step %k of T%u changed it to ", k, change, s->events[change].thread);
    explain_events_written(s, t->symbols, change, k, &t->text);
    story_say(t, " before T%u went on in step %k.\n", in->thread, next);
    return true;
}

/* Are all steps there, each in modification order, and do none of them have a note, which says more? */
static bool is_plain_story(const struct story *t, const struct report_execution *x)
{
    bool ordered = !model_find(t->shared->config.memory) || t->shared->relation_count;
    if (x->left_out || !ordered || explain_stale_count(t->shared))
        return false;
    for (size_t k = 0; k < x->event_count; k++)
        if (x->events[k].note)
            return false;
    return true;
}

void explain_changes_remark(struct story *t, const struct explain_test *test,
                            const struct report_execution *x)
{
    struct stretch in;
    if (!is_plain_story(t, x))
        return;
    if (test->explained) {
        if (!find_guilty(t->shared, test, &in))
            return;
    } else if (t->shared->error.kind == WORKER_ERROR_ASSERT) {
        in = find_asserting(t->shared);
    } else {
        return;
    }
    for (uint32_t k = in.to; k-- > in.from;)
        if (say_change(t, &in, k))
            return;
}
