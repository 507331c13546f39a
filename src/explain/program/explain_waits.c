/* SPDX-License-Identifier: Apache-2.0 */
#include "explain/program/explain_waits.h"

#include "explain/program/explain_events.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { NO_EVENT = UINT32_MAX };

/* ------------------------------------------------------------------ what threads wait for */

static uint32_t count_events(const struct story *t)
{
    return t->shared->event_count < PROTOCOL_EVENTS ? t->shared->event_count : PROTOCOL_EVENTS;
}

/* "ring.c:41..44", after `before`: the lines of the loop that are in the file of the step where the thread is. */
static bool add_lines(struct story *t, const char *before, const struct worker_round *r)
{
    struct symbol_place at, place;
    if (!r->count || !symbols_line(t->symbols, r->pcs[r->count - 1], &at) || !at.at.file || !at.at.line)
        return false;
    char *file = strdup(at.at.file);
    uint32_t first = at.at.line, last = first;
    for (uint32_t k = 0; k < r->count; k++)
        if (symbols_line(t->symbols, r->pcs[k], &place) && place.at.file &&
            strcmp(place.at.file, file) == 0) {
            first = place.at.line && place.at.line < first ? place.at.line : first;
            last = place.at.line > last ? place.at.line : last;
        }
    text_printf(&t->text, "%s%s:%" PRIu32, before, file, first);
    if (last > first)
        text_printf(&t->text, "..%" PRIu32, last);
    free(file);
    return true;
}

static bool add_round_of(struct story *t, const char *before, uint32_t thread)
{
    const struct worker_error *error = &t->shared->error;
    for (uint32_t k = 0; k < error->round_count; k++)
        if (error->rounds[k].thread == thread)
            return add_lines(t, before, &error->rounds[k]);
    return false;
}

/* The last write to the location, or NO_EVENT. */
static uint32_t find_write(const struct story *t, uint64_t address)
{
    for (uint32_t k = count_events(t); k-- > 0;) {
        const struct event *e = &t->shared->events[k];
        if ((e->kind == EVENT_WRITE || e->kind == EVENT_UPDATE) && e->address == address)
            return k;
    }
    return NO_EVENT;
}

/* ", where lock = 1 since step 7 of T2 (ring.c:12)": what it finds in every round. */
static void say_found(struct story *t, const struct worker_wait *w)
{
    uint32_t k = w->address && !t->shared->events_lost ? find_write(t, w->address) : NO_EVENT;
    if (k == NO_EVENT)
        return;
    const struct event *e = &t->shared->events[k];
    story_say(t, ", where %l = ", k);
    explain_events_value(t->shared, t->symbols, k, true, &t->text);
    story_say(t, " since step %k of T%u (%p)", k, e->thread, k);
}

static void say_round(struct story *t, const struct worker_wait *w)
{
    story_say(t, " spins forever");
    add_round_of(t, " at ", w->thread);
    say_found(t, w);
    story_say(t, w->why == WAITING_IN_SPIN ? " (no other thread changes what it reads)" : "");
}

static bool takes_lock(const struct event *e)
{
    return e->kind == EVENT_LOCK || e->kind == EVENT_READ_LOCK || (e->kind == EVENT_TRYLOCK && e->value);
}

/* " since step 8 (queue.c:16)" */
static void say_since(struct story *t, const struct worker_wait *w)
{
    for (uint32_t k = count_events(t); k-- > 0;) {
        const struct event *e = &t->shared->events[k];
        if (e->thread == w->other && e->address == w->address && takes_lock(e)) {
            story_say(t, " since step %k (%p)", k, k);
            return;
        }
    }
}

/* Its name, and where in the source it is waited for. */
static void say_object(struct story *t, const struct worker_wait *w)
{
    uint64_t pc = symbols_choose_place(t->symbols, &w->pc, 1);
    if (w->address)
        symbols_location(t->symbols, w->address, 0, &t->text);
    if (!pc)
        return;
    story_say(t, " (");
    symbols_add_place(t->symbols, pc, &t->text);
    story_say(t, ")");
}

static void say_lock(struct story *t, const struct worker_wait *w)
{
    story_say(t, " waits for ");
    say_object(t, w);
    if (w->other == w->thread)
        story_say(t, ", which it holds itself");
    else
        story_say(t, ", which T%u holds", w->other);
    say_since(t, w);
}

static void say_step(struct story *t, const struct worker_wait *w)
{
    if (w->step == EVENT_READ || w->step == EVENT_UPDATE) {
        story_say(t, " waits for a change of ");
        say_object(t, w);
        say_found(t, w);
        return;
    }
    if (w->step == EVENT_YIELD) {
        story_say(t, " sleeps or yields forever");
        say_object(t, w);
        return;
    }
    const char *step = w->step < EVENT_KIND_COUNT ? event_kind_text(w->step) : "";
    story_say(t, " waits at %s", w->step == EVENT_SEM_WAIT ? "semaphore" : step);
    story_say(t, w->address ? " " : "");
    say_object(t, w);
}

static void say_wait(struct story *t, const struct worker_wait *w)
{
    story_say(t, "T%u", w->thread);
    switch ((enum worker_waiting)w->why) {
    case WAITING_REFUTED: story_say(t, " stopped at an assumption that does not hold"); break;
    case WAITING_AFTER_ERROR: story_say(t, " stopped at an error before"); break;
    case WAITING_IN_ROUND:
    case WAITING_IN_SPIN: say_round(t, w); break;
    case WAITING_FOR_THREAD: story_say(t, " waits for the end of T%u", w->other); break;
    case WAITING_FOR_LOCK: say_lock(t, w); break;
    case WAITING_FOR_WAKE:
        story_say(t, " waits to be woken at ");
        say_object(t, w);
        break;
    default: say_step(t, w);
    }
}

void explain_waits(struct story *t)
{
    const struct worker_error *error = &t->shared->error;
    for (uint32_t k = 0; k < error->wait_count; k++) {
        story_say(t, k ? "; " : ": ");
        say_wait(t, &error->waits[k]);
    }
    if (error->waits_left_out)
        story_say(t, "; and %u more", error->waits_left_out);
}

void explain_waits_list(struct story *t, struct arena *arena, struct report_execution *x)
{
    const struct worker_error *error = &t->shared->error;
    const char **waits = arena_alloc(arena, (error->wait_count + 1) * sizeof *waits);
    story_say(t, "%s", error->message);
    x->waits_begin = text_keep(&t->text, arena);
    x->waits = waits;
    for (uint32_t k = 0; k < error->wait_count; k++) {
        say_wait(t, &error->waits[k]);
        waits[x->wait_count++] = text_keep(&t->text, arena);
    }
    if (error->waits_left_out) {
        story_say(t, "and %u more", error->waits_left_out);
        waits[x->wait_count++] = text_keep(&t->text, arena);
    }
}

/* ------------------------------------------------------------------ a thread that stops forever */

/* The operation of the thread that does not end, or the function it is in. */
static void say_operation(struct story *t, const struct worker_error *error)
{
    const struct worker_stack *s = &error->stacks[0];
    uint64_t pc =
        symbols_choose_place(t->symbols, s->pcs, s->count < PROTOCOL_STACK ? s->count : PROTOCOL_STACK);
    struct symbol_place place = {0};
    if (*error->victim.operation)
        story_say(t, "%s", error->victim.operation);
    else if (pc && symbols_line(t->symbols, pc, &place) && place.at.function)
        story_say(t, "%s", place.at.function);
    else
        story_say(t, "T%u", s->thread);
}

static bool is_in_operation(uint32_t step)
{
    return step != EVENT_BEGIN && step != EVENT_END && step != EVENT_OP_CALL && step != EVENT_OP_RETURN;
}

static void say_stop(struct story *t, const struct worker_error *error)
{
    const struct worker_victim *v = &error->victim;
    const struct worker_stack *s = &error->stacks[1];
    if (!v->thread) {
        story_say(t, "even if no thread stops, ");
        return;
    }
    uint64_t at =
        is_in_operation(v->step) && s->count
            ? symbols_choose_place(t->symbols, s->pcs, s->count < PROTOCOL_STACK ? s->count : PROTOCOL_STACK)
            : 0;
    story_say(t, "if T%u stops", v->thread - 1);
    story_say(t, at ? " at " : v->pc ? " after " : " before its first step");
    if (at || v->pc)
        symbols_add_place(t->symbols, at ? at : v->pc, &t->text);
    story_say(t, ", ");
}

/* An access of memory never waits by itself: where it does, its thread repeats it. */
static bool is_round(const struct worker_wait *w)
{
    bool accesses = w->step == EVENT_READ || w->step == EVENT_UPDATE;
    return w->why == WAITING_IN_ROUND || w->why == WAITING_IN_SPIN || (w->why == WAITING_AT_STEP && accesses);
}

static void say_stuck(struct story *t, const struct worker_wait *w)
{
    if (!is_round(w)) {
        say_wait(t, w);
        return;
    }
    story_say(t, "T%u", w->thread);
    if (!add_round_of(t, " repeats ", w->thread)) {
        story_say(t, " repeats ");
        symbols_add_place(t->symbols, symbols_choose_place(t->symbols, &w->pc, 1), &t->text);
    }
    story_say(t, " forever");
}

void explain_stop(struct story *t)
{
    const struct worker_error *error = &t->shared->error;
    say_operation(t, error);
    story_say(t, " is not non-blocking: ");
    say_stop(t, error);
    for (uint32_t k = 0; k < error->wait_count; k++) {
        story_say(t, k ? "; " : "");
        say_stuck(t, &error->waits[k]);
    }
    if (error->waits_left_out)
        story_say(t, "; and %u more", error->waits_left_out);
}

/* ------------------------------------------------------------------ signals that came too early */

static bool signals(const struct event *e, uint64_t address)
{
    return (e->kind == EVENT_COND_SIGNAL || e->kind == EVENT_COND_BROADCAST) && e->address == address;
}

/* The last event of that sort in from..to, or NO_EVENT. */
static uint32_t find_signal(const struct story *t, uint64_t address, uint32_t from, uint32_t to)
{
    for (uint32_t k = to; k-- > from;)
        if (signals(&t->shared->events[k], address))
            return k;
    return NO_EVENT;
}

/* Where the thread began to wait. */
static uint32_t find_wait(const struct story *t, const struct worker_wait *w)
{
    for (uint32_t k = count_events(t); k-- > 0;) {
        const struct event *e = &t->shared->events[k];
        if (e->thread == w->thread && e->kind == EVENT_COND_WAIT && e->address == w->address)
            return k;
    }
    return NO_EVENT;
}

/* Another thread's write of another value to what event `read` found, before `end`; or NO_EVENT. */
static uint32_t find_change(const struct story *t, uint32_t read, uint32_t end)
{
    const struct event *r = &t->shared->events[read];
    for (uint32_t k = end; k-- > read + 1;) {
        const struct event *e = &t->shared->events[k];
        if ((e->kind == EVENT_WRITE || e->kind == EVENT_UPDATE) && e->thread != r->thread &&
            e->address == r->address && e->value != r->before)
            return k;
    }
    return NO_EVENT;
}

/* What the thread saw last before it waited was old by then. */
static void say_change(struct story *t, uint32_t wait)
{
    for (uint32_t k = wait; k-- > 0;) {
        const struct event *e = &t->shared->events[k];
        if (e->thread != t->shared->events[wait].thread || e->kind != EVENT_READ)
            continue;
        uint32_t change = find_change(t, k, wait);
        if (change == NO_EVENT)
            continue;
        story_say(t, " T%u had read %l = ", e->thread, k);
        explain_events_value(t->shared, t->symbols, k, false, &t->text);
        story_say(t, " in step %k, before step %k changed it.", k, change);
        return;
    }
}

/* Did the thread wait there, the last time that it did anything before `end`? */
static bool slept(const struct story *t, uint32_t thread, uint64_t address, uint32_t end)
{
    for (uint32_t k = end; k-- > 0;) {
        const struct event *e = &t->shared->events[k];
        if (e->thread == thread)
            return e->kind == EVENT_COND_WAIT && e->address == address;
    }
    return false;
}

/* The first step of the thread that the signal woke, or NO_EVENT. */
static uint32_t find_woken(const struct story *t, uint64_t address, uint32_t signal)
{
    for (uint32_t k = signal + 1; k < count_events(t); k++)
        if (slept(t, t->shared->events[k].thread, address, k))
            return k;
    return NO_EVENT;
}

static void say_signals(struct story *t, const struct worker_wait *w, uint32_t wait)
{
    uint32_t early = find_signal(t, w->address, 0, wait),
             late = find_signal(t, w->address, wait, count_events(t));
    uint32_t woken = late == NO_EVENT ? NO_EVENT : find_woken(t, w->address, late);
    if (woken != NO_EVENT)
        story_say(t, "The last signal of %l, step %k (%p), woke T%u, not T%u.", wait, late, late,
                  t->shared->events[woken].thread, w->thread);
    else if (late == NO_EVENT && early != NO_EVENT)
        story_say(t, "The last signal of %l, step %k (%p), came before T%u began to wait in step %k.", wait,
                  early, early, w->thread, wait);
    else if (late == NO_EVENT)
        story_say(t, "No step signals %l.", wait);
    else
        return;
    say_change(t, wait);
    story_say(t, "\n");
}

void explain_waits_signals(struct story *t)
{
    const struct worker_error *error = &t->shared->error;
    for (uint32_t k = 0; k < error->wait_count && !t->shared->events_lost; k++) {
        const struct worker_wait *w = &error->waits[k];
        uint32_t wait = w->why == WAITING_FOR_WAKE ? find_wait(t, w) : NO_EVENT;
        if (wait != NO_EVENT)
            say_signals(t, w, wait);
    }
}
