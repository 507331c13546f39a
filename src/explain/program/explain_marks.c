/* SPDX-License-Identifier: Apache-2.0 */
#include "explain/program/explain_calls.h"
#include "explain/program/explain_events.h"

#include <stdbool.h>

static bool is_plain(const struct event *e)
{
    return e->kind == EVENT_PLAIN_READ || e->kind == EVENT_PLAIN_WRITE;
}

static bool is_access(const struct event *e)
{
    return is_plain(e) || e->kind == EVENT_READ || e->kind == EVENT_WRITE || e->kind == EVENT_UPDATE ||
           e->kind == EVENT_CAS_FAILED;
}

/* The size of a plain access is kept up to 255 bytes only. */
static bool touches(const struct event *e, uint64_t address)
{
    return address - e->address < e->size || (is_plain(e) && e->size == 255 && address >= e->address);
}

/* The last access to the error's address on top of this stack, before `end`. */
static uint32_t find_access(const struct worker_shared *s, const struct worker_stack *stack, uint32_t end)
{
    for (uint32_t k = end; stack->count && k-- > 0;) {
        const struct event *e = &s->events[k];
        if (e->thread == stack->thread && e->pc == stack->pcs[0] && is_access(e) &&
            touches(e, s->error.address))
            return k;
    }
    return MARK_NONE;
}

/* Where the block begins that was allocated before main and has the address; 0: none. */
static uint64_t find_early(const struct worker_shared *s, uint64_t address)
{
    for (uint32_t k = s->early_count; k-- > 0;)
        if (address - s->early[k].address < s->early[k].size)
            return s->early[k].address;
    return 0;
}

/* Where the block that the address was in was freed; an address may have been given out several times. */
static uint32_t find_free(const struct worker_shared *s)
{
    uint64_t block = find_early(s, s->error.address);
    uint32_t freed = MARK_NONE;
    for (uint32_t k = 0; k < s->event_count; k++) {
        const struct event *e = &s->events[k];
        if (e->kind == EVENT_ALLOC && s->error.address - e->address < e->value) {
            block = e->address;
            freed = MARK_NONE;
        }
        if (e->kind == EVENT_FREE && block && e->address == block && freed == MARK_NONE)
            freed = k;
    }
    return freed;
}

/* An access is announced before it is made: the last step, if it is one. */
static uint32_t find_last_access(const struct worker_shared *s)
{
    if (!s->event_count)
        return MARK_NONE;
    const struct event *e = &s->events[s->event_count - 1];
    bool same = e->thread == s->error.stacks[0].thread && touches(e, s->error.address);
    return same && is_access(e) ? s->event_count - 1 : MARK_NONE;
}

/* Of an event by its number, from 1. */
static uint32_t position_of(const struct worker_shared *s, uint32_t event)
{
    return event && event <= s->event_count ? event - 1 : MARK_NONE;
}

struct explain_marks explain_marks_find(const struct worker_shared *s)
{
    struct explain_marks m = {MARK_NONE, MARK_NONE, MARK_NONE};
    switch (s->error.kind) {
    case WORKER_ERROR_RACE:
        m.last = find_access(s, &s->error.stacks[0], s->event_count);
        m.first = find_access(s, &s->error.stacks[1], m.last == MARK_NONE ? s->event_count : m.last);
        break;
    case WORKER_ERROR_USE_AFTER_FREE:
    case WORKER_ERROR_DOUBLE_FREE:
        m.freed = find_free(s);
        m.last = find_last_access(s);
        break;
    case WORKER_ERROR_OUT_OF_BOUNDS:
    case WORKER_ERROR_CRASH: m.last = find_last_access(s); break;
    case WORKER_ERROR_CONDITION:
        if (explain_calls_are_known(s))
            m.last = position_of(s, explain_calls_first_event(s, s->calls.failed));
        break;
    case WORKER_ERROR_SYNC:
        m.first = position_of(s, s->calls.release);
        m.last = position_of(s, s->calls.acquire);
        break;
    default: break;
    }
    return m;
}
