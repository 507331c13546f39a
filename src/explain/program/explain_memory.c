/* SPDX-License-Identifier: Apache-2.0 */
#include "explain/program/explain_memory.h"

#include "explain/program/explain_events.h"

bool explain_memory_is_known(const struct worker_shared *s)
{
    const struct worker_error *e = &s->error;
    return (e->kind == WORKER_ERROR_USE_AFTER_FREE ||
            (e->kind == WORKER_ERROR_UNINITIALISED && !e->filled)) &&
           e->address && e->stack_count;
}

/* The event that allocated the block that the error is about, or MARK_NONE. */
static uint32_t find_block(const struct worker_shared *s)
{
    for (uint32_t k = s->event_count; k-- > 0;)
        if (s->events[k].kind == EVENT_ALLOC && s->error.address - s->events[k].address < s->events[k].value)
            return k;
    return MARK_NONE;
}

void explain_memory(struct story *t)
{
    const struct worker_error *error = &t->shared->error;
    if (!explain_memory_is_known(t->shared))
        return;
    story_say(t, ": ");
    symbols_location(t->symbols, error->address, 1, &t->text);
    uint32_t block = find_block(t->shared);
    if (error->kind == WORKER_ERROR_UNINITIALISED && block != MARK_NONE)
        story_say(t, ", which T%u allocated (%p)", t->shared->events[block].thread, block);
}

/* The last step of the thread that found a pointer into the block. */
static uint32_t find_pointer(const struct worker_shared *s, uint32_t block)
{
    for (uint32_t k = s->event_count; k-- > block;) {
        const struct event *e = &s->events[k];
        bool reads = e->kind == EVENT_READ || e->kind == EVENT_UPDATE || e->kind == EVENT_CAS_FAILED;
        if (reads && e->thread == s->error.stacks[0].thread &&
            e->before - s->events[block].address < s->events[block].value)
            return k;
    }
    return MARK_NONE;
}

static void say_freed(struct story *t, uint32_t pointer, uint32_t freed)
{
    if (pointer < freed)
        story_say(t, ", before step %k (%p) freed that.\n", freed, freed);
    else
        story_say(t, ", after step %k (%p) had freed that: %l still points to it.\n", freed, freed, pointer);
}

void explain_memory_pointer(struct story *t)
{
    const struct worker_shared *s = t->shared;
    if (!explain_memory_is_known(s) || s->events_lost)
        return;
    uint32_t block = find_block(s), pointer = block == MARK_NONE ? MARK_NONE : find_pointer(s, block);
    if (pointer == MARK_NONE)
        return;
    const struct event *e = &s->events[pointer];
    const struct worker_relation *r = explain_relation(s, pointer);
    uint32_t freed = explain_marks_find(s).freed;
    story_say(t, "T%u has the pointer from step %k (%p), which found %l = ", e->thread, pointer, pointer,
              pointer);
    symbols_value(t->symbols, e->address, e->size, e->before, &t->text);
    if (freed != MARK_NONE)
        say_freed(t, pointer, freed);
    else if (r && r->reads && !r->source_plain && r->source && r->source <= s->event_count)
        story_say(t, ", written by step %k (%p).\n", r->source - 1, r->source - 1);
    else
        story_say(t, ".\n");
}
