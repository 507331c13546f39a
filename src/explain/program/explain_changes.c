/* SPDX-License-Identifier: Apache-2.0 */
/* Steps that rest on what their thread read before, though others have written since: lost updates, and ABA. */
#include "explain/program/explain_events.h"

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
    uint64_t found = t->shared->events[own].before;
    if (t->shared->events[own].kind == EVENT_UPDATE)
        found = t->shared->events[own].value;
    if (e->kind == EVENT_WRITE && t->shared->events[other].value != found)
        story_say(t, "overwrites step %k, unread since step %k", other, own);
    else if (e->kind == EVENT_UPDATE && e->before == found && found)
        story_say(t, "ABA: as in step %k, but written again by step %k", own, other);
    else
        return false;
    return true;
}
