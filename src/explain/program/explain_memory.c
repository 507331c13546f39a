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

static bool points_into(const struct worker_shared *s, uint64_t pointer, uint32_t block)
{
    return pointer - s->events[block].address < s->events[block].value;
}

static bool reads(const struct event *e)
{
    return e->kind == EVENT_READ || e->kind == EVENT_UPDATE || e->kind == EVENT_CAS_FAILED;
}

/* The last step of the thread that found a pointer into the block. */
static uint32_t find_pointer(const struct worker_shared *s, uint32_t block)
{
    for (uint32_t k = s->event_count; k-- > block;) {
        const struct event *e = &s->events[k];
        if (reads(e) && e->thread == s->error.stacks[0].thread && points_into(s, e->before, block))
            return k;
    }
    return MARK_NONE;
}

/* Where the thread that freed the block looked, before that, for a pointer that `write` has put there since; or MARK_NONE. */
static uint32_t find_look(const struct worker_shared *s, uint32_t write, uint32_t freed)
{
    for (uint32_t k = freed < write ? freed : write; k-- > 0;) {
        const struct event *e = &s->events[k];
        if (reads(e) && e->thread == s->events[freed].thread && e->address == s->events[write].address)
            return k;
    }
    return MARK_NONE;
}

/* A hazard pointer that was announced too late. */
static void say_announced(struct story *t, uint32_t block, uint32_t pointer, uint32_t freed)
{
    const struct worker_shared *s = t->shared;
    for (uint32_t k = pointer + 1; k < s->event_count; k++) {
        const struct event *e = &s->events[k];
        bool announces = (e->kind == EVENT_WRITE || e->kind == EVENT_UPDATE) &&
                         e->thread == s->events[pointer].thread && points_into(s, e->value, block);
        uint32_t look = announces ? find_look(s, k, freed) : MARK_NONE;
        if (look == MARK_NONE || s->events[look].thread == e->thread)
            continue;
        story_say(t, " T%u wrote it to %l only in step %k, after T%u had looked there in step %k.", e->thread,
                  k, k, s->events[look].thread, look);
        return;
    }
}

static void say_freed(struct story *t, uint32_t pointer, uint32_t freed)
{
    story_say(t, pointer < freed ? ", before step %k (%p) freed " : ", after step %k (%p) freed ", freed,
              freed);
    symbols_value(t->symbols, 0, sizeof(void *), t->shared->events[freed].address, &t->text);
    if (pointer < freed)
        story_say(t, ".");
    else
        story_say(t, ": %l still points to it.", pointer);
}

static void say_source(struct story *t, uint32_t read)
{
    const struct worker_relation *r = explain_relation(t->shared, read);
    if (r && r->reads && !r->source_plain && r->source && r->source <= t->shared->event_count)
        story_say(t, ", written by step %k (%p).\n", r->source - 1, r->source - 1);
    else
        story_say(t, ".\n");
}

/* A crash near address 0: was the last pointer that the thread read null? */
static void say_null(struct story *t)
{
    enum { NEAR_NULL = 65536 };
    const struct worker_shared *s = t->shared;
    if (s->error.kind != WORKER_ERROR_CRASH || s->error.address >= NEAR_NULL || s->events_lost)
        return;
    for (uint32_t k = s->event_count; k-- > 0;) {
        const struct event *e = &s->events[k];
        if (e->thread != s->error.stacks[0].thread || !reads(e) || e->size != sizeof(void *))
            continue;
        if (e->kind != EVENT_UPDATE && e->before == 0) {
            story_say(t, "T%u has the null pointer from step %k (%p), which found %l = NULL", e->thread, k, k,
                      k);
            say_source(t, k);
        }
        return;
    }
}

void explain_memory_pointer(struct story *t)
{
    const struct worker_shared *s = t->shared;
    say_null(t);
    if (!explain_memory_is_known(s) || s->events_lost)
        return;
    uint32_t block = find_block(s), pointer = block == MARK_NONE ? MARK_NONE : find_pointer(s, block);
    if (pointer == MARK_NONE)
        return;
    const struct event *e = &s->events[pointer];
    uint32_t freed = explain_marks_find(s).freed;
    story_say(t, "T%u has the pointer from step %k (%p), which found %l = ", e->thread, pointer, pointer,
              pointer);
    explain_events_value(s, t->symbols, pointer, false, &t->text);
    if (freed != MARK_NONE) {
        say_freed(t, pointer, freed);
        if (pointer < freed)
            say_announced(t, block, pointer, freed);
        story_say(t, "\n");
    } else {
        say_source(t, pointer);
    }
}
