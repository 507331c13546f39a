/* SPDX-License-Identifier: Apache-2.0 */
#include "explain/program/explain_memory.h"

#include "explain/program/explain_events.h"
#include "graph/model.h"

bool explain_memory_is_known(const struct worker_shared *s)
{
    const struct worker_error *e = &s->error;
    return (e->kind == WORKER_ERROR_USE_AFTER_FREE || e->kind == WORKER_ERROR_DOUBLE_FREE ||
            (e->kind == WORKER_ERROR_UNINITIALISED && !e->filled)) &&
           e->address && e->stack_count;
}

/* The block that the error is about. */
struct block {
    uint64_t address, size; /* size 0: not known */
    uint32_t event;         /* which allocated it; MARK_NONE: it was before main */
};

static struct block find_block(const struct worker_shared *s)
{
    uint64_t address = s->error.address;
    for (uint32_t k = s->event_count; k-- > 0;)
        if (s->events[k].kind == EVENT_ALLOC && address - s->events[k].address < s->events[k].value)
            return (struct block){s->events[k].address, s->events[k].value, k};
    for (uint32_t k = s->early_count; k-- > 0;)
        if (address - s->early[k].address < s->early[k].size)
            return (struct block){s->early[k].address, s->early[k].size, MARK_NONE};
    return (struct block){.event = MARK_NONE};
}

void explain_memory(struct story *t)
{
    const struct worker_error *error = &t->shared->error;
    if (!explain_memory_is_known(t->shared))
        return;
    story_say(t, ": ");
    if (error->kind == WORKER_ERROR_DOUBLE_FREE)
        symbols_value(t->symbols, 0, sizeof(void *), error->address, &t->text);
    else
        symbols_location(t->symbols, error->address, 1, &t->text);
    struct block block = find_block(t->shared);
    if (error->kind == WORKER_ERROR_UNINITIALISED && block.event != MARK_NONE)
        story_say(t, ", which T%u allocated (%p)", t->shared->events[block.event].thread, block.event);
    else if (error->kind == WORKER_ERROR_UNINITIALISED && block.size)
        story_say(t, ", which was allocated before main");
}

static bool points_into(uint64_t pointer, const struct block *block)
{
    return pointer - block->address < block->size;
}

static bool reads(const struct event *e)
{
    return e->kind == EVENT_READ || e->kind == EVENT_UPDATE || e->kind == EVENT_CAS_FAILED;
}

/* The last step of the thread that found a pointer into the block. */
static uint32_t find_pointer(const struct worker_shared *s, const struct block *block)
{
    uint32_t from = block->event == MARK_NONE ? 0 : block->event;
    for (uint32_t k = s->event_count; k-- > from;) {
        const struct event *e = &s->events[k];
        if (reads(e) && e->thread == s->error.stacks[0].thread && points_into(e->before, block))
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
static void say_announced(struct story *t, const struct block *block, uint32_t pointer, uint32_t freed)
{
    const struct worker_shared *s = t->shared;
    for (uint32_t k = pointer + 1; k < s->event_count; k++) {
        const struct event *e = &s->events[k];
        bool announces = (e->kind == EVENT_WRITE || e->kind == EVENT_UPDATE) &&
                         e->thread == s->events[pointer].thread && points_into(e->value, block);
        uint32_t look = announces ? find_look(s, k, freed) : MARK_NONE;
        if (look == MARK_NONE || s->events[look].thread == e->thread)
            continue;
        story_say(t, " T%u wrote it to %l only in step %k, after T%u had looked there in step %k.", e->thread,
                  k, k, s->events[look].thread, look);
        return;
    }
}

/* Whether the pointer was found before the block was freed. Rows are in that order, unless the read is of an old value: under sc it came
 * before the step that overwrote it, under weaker models nothing is said. */
enum moment { BEFORE, AFTER, UNKNOWN };

static enum moment find_moment(const struct worker_shared *s, uint32_t pointer, uint32_t freed)
{
    const struct worker_relation *r = explain_relation(s, pointer);
    if (pointer < freed)
        return BEFORE;
    if (!r || !r->stale)
        return AFTER;
    bool came_before =
        model_is(s->config.memory, MODEL_INTERLEAVED) && !r->newest_plain && r->newest <= freed;
    return came_before ? BEFORE : UNKNOWN;
}

static void say_freed(struct story *t, enum moment moment, uint32_t pointer, uint32_t freed)
{
    static const char *const words[] = {[BEFORE] = ", before step %k (%p) freed ",
                                        [AFTER] = ", after step %k (%p) freed ",
                                        [UNKNOWN] = ", an old value; step %k (%p) freed "};
    story_say(t, words[moment], freed, freed);
    symbols_value(t->symbols, 0, sizeof(void *), t->shared->events[freed].address, &t->text);
    if (moment == AFTER)
        story_say(t, ": %l still points to it.", pointer);
    else
        story_say(t, ".");
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
        if (e->thread != s->error.stacks[0].thread || !reads(e) ||
            !symbols_is_pointer(t->symbols, e->address, e->size))
            continue;
        if (e->kind != EVENT_UPDATE && e->before == 0) {
            story_say(t, "The last pointer that T%u read is null: step %k (%p) found %l = NULL", e->thread, k,
                      k, k);
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
    struct block block = find_block(s);
    uint32_t pointer = block.size ? find_pointer(s, &block) : MARK_NONE;
    if (pointer == MARK_NONE)
        return;
    const struct event *e = &s->events[pointer];
    uint32_t freed = explain_marks_find(s).freed;
    story_say(t, "T%u has the pointer from step %k (%p), which found %l = ", e->thread, pointer, pointer,
              pointer);
    explain_events_value(s, t->symbols, pointer, false, &t->text);
    if (freed != MARK_NONE) {
        enum moment moment = find_moment(s, pointer, freed);
        say_freed(t, moment, pointer, freed);
        if (moment == BEFORE)
            say_announced(t, &block, pointer, freed);
        story_say(t, "\n");
    } else {
        say_source(t, pointer);
    }
}
