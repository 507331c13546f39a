/* SPDX-License-Identifier: Apache-2.0 */
#include "explain/program/explain_events.h"

#include "base/vec.h"
#include "explain/program/explain_calls.h"
#include "explain/program/explain_error.h"
#include "explain/program/explain_memory.h"

#include <string.h>

/* Nobody reads more of them, and documents stay small. */
enum { EVENTS_MOST = PROTOCOL_RELATIONS };

/* A free is announced as a write to the block, too. */
static bool is_part_of_free(const struct event *e, const struct event *next)
{
    return e->kind == EVENT_PLAIN_WRITE && next->kind == EVENT_FREE && next->pc == e->pc &&
           next->thread == e->thread;
}

/* A locked instruction of inline assembly has a fence on both sides, at the same place in the code. */
static bool is_update_at(const struct event *e, const struct event *fence)
{
    return e->pc == fence->pc && (e->kind == EVENT_UPDATE || e->kind == EVENT_CAS_FAILED);
}

static bool is_part_of_update(const struct worker_shared *s, uint32_t k)
{
    const struct event *e = &s->events[k];
    uint32_t next = k + 1, last = k;
    if (e->kind != EVENT_FENCE)
        return false;
    while (next < s->event_count && s->events[next].thread != e->thread)
        next++;
    while (last > 0 && s->events[last - 1].thread != e->thread)
        last--;
    return (next < s->event_count && is_update_at(&s->events[next], e)) ||
           (last > 0 && is_update_at(&s->events[last - 1], e));
}

bool explain_events_is_shown(const struct worker_shared *s, uint32_t k)
{
    const struct event *e = &s->events[k];
    if (is_part_of_update(s, k))
        return false;
    if (k + 1 < s->event_count && is_part_of_free(e, e + 1))
        return false;
    if (s->error.filled && e->kind == EVENT_PLAIN_WRITE) /* the compiler's: campaign/declared.h */
        return false;
    return e->kind != EVENT_BEGIN && e->kind != EVENT_ALLOC && e->kind != EVENT_NONE;
}

uint32_t explain_events_step(const struct worker_shared *s, uint32_t k)
{
    return k + 1 + (k >= PROTOCOL_EVENTS_FIRST ? s->events_lost : 0);
}

void explain_events_operation(const struct worker_shared *s, const struct event *e, struct text *out)
{
    const char *line = s->operations;
    for (uint64_t number = e->value; number > 0 && *line; number--) {
        line += strcspn(line, "\n");
        line += *line == '\n';
    }
    text_add(out, line, strcspn(line, "\n"));
}

/* The event's own place, and its callers, innermost first. */
static struct call_stack {
    uint64_t pcs[PROTOCOL_CALLERS + 1];
    uint32_t count;
} stack_of(const struct worker_shared *s, uint32_t k)
{
    struct call_stack stack = {.pcs = {s->events[k].pc}, .count = s->events[k].pc != 0};
    for (uint32_t i = 0; stack.count && i < PROTOCOL_CALLERS && s->origins[k].callers[i]; i++)
        stack.pcs[stack.count++] = s->origins[k].callers[i];
    return stack;
}

uint64_t explain_events_place(const struct worker_shared *s, struct symbols *symbols, uint32_t k)
{
    struct call_stack stack = stack_of(s, k);
    return symbols_choose_place(symbols, stack.pcs, stack.count);
}

static uint32_t count_callers(const uint64_t callers[PROTOCOL_CALLERS])
{
    uint32_t count = 0;
    while (count < PROTOCOL_CALLERS && callers[count])
        count++;
    return count;
}

void explain_events_memory(const struct worker_shared *s, struct symbols *symbols, uint32_t k)
{
    const struct event *e = &s->events[k];
    const struct worker_origin *o = &s->origins[k];
    struct call_stack stack = stack_of(s, k);
    for (uint32_t i = 0; k == 0 && i < s->early_count; i++)
        symbols_add_heap(symbols, s->early[i].address, s->early[i].size, s->early[i].callers,
                         count_callers(s->early[i].callers));
    for (uint32_t i = 0; i < s->array_count; i++)
        if (s->arrays[i].event == k)
            symbols_add_array(symbols, &s->arrays[i]);
    if (e->kind == EVENT_ALLOC)
        symbols_add_heap(symbols, e->address, e->value, stack.pcs, stack.count);
    else if (o->owner_pc)
        symbols_add_stack(symbols, e->address, o->owner_pc, o->owner_top);
    else if (o->owner_top)
        symbols_add_storage(symbols, e->address, o->owner_top, o->owner);
}

/* Did access j find or leave what access k found? */
static bool has_found_of(const struct worker_shared *s, uint32_t j, uint32_t k)
{
    const struct event *e = &s->events[j];
    const struct worker_relation *r = explain_relation(s, j);
    bool access = e->kind >= EVENT_READ && e->kind <= EVENT_CAS_FAILED;
    bool initial = !r || (r->reads && !r->source && e->kind != EVENT_UPDATE);
    return access && e->address == s->events[k].address && e->size == s->events[k].size && initial;
}

/* The event whose write access k read, if it wrote all of it; or MARK_NONE. */
static uint32_t find_whole_source(const struct worker_shared *s, const struct worker_relation *r, uint32_t k)
{
    if (r->source > s->event_count || r->source_plain)
        return MARK_NONE;
    const struct event *w = &s->events[r->source - 1], *e = &s->events[k];
    return w->address == e->address && w->size == e->size ? r->source - 1 : MARK_NONE;
}

/* Where the second word of what event k found is noted: at the event itself, unless it wrote another one; or MARK_NONE. */
static uint32_t find_second_word(const struct worker_shared *s, uint32_t k)
{
    const struct worker_relation *r = explain_relation(s, k);
    if (s->events[k].kind != EVENT_UPDATE)
        return k;
    if (r && r->source)
        return find_whole_source(s, r, k);
    for (uint32_t j = k; j-- > 0;)
        if (has_found_of(s, j, k))
            return s->events[j].value == s->events[k].before ? j : MARK_NONE;
    return MARK_NONE;
}

void explain_events_value(const struct worker_shared *s, struct symbols *symbols, uint32_t k, bool written,
                          struct text *out)
{
    const struct event *e = &s->events[k];
    uint64_t value = written ? e->value : e->before;
    uint32_t second = written ? k : find_second_word(s, k);
    if (e->size == 2 * sizeof value && second != MARK_NONE)
        symbols_pair(symbols, e->address, value, s->origins[second].high, out);
    else
        symbols_value(symbols, e->address, e->size, value, out);
}

void explain_events_written(const struct worker_shared *s, struct symbols *symbols, uint32_t w, uint32_t k,
                            struct text *out)
{
    const struct event *e = &s->events[w], *part = &s->events[k];
    uint64_t from = part->address - e->address;
    if (part->size >= e->size || part->size > sizeof e->value || from + part->size > e->size) {
        explain_events_value(s, symbols, w, true, out);
        return;
    }
    uint64_t word = from < sizeof word ? e->value : s->origins[w].high;
    word >>= from % sizeof word * 8;
    if (part->size < sizeof word)
        word &= ((uint64_t)1 << part->size * 8) - 1;
    symbols_value(symbols, part->address, part->size, word, out);
}

static bool add_race_note(struct story *t, uint32_t other)
{
    story_say(t, other == MARK_NONE ? "race" : "race with step %k", other);
    return true;
}

bool explain_events_note(struct story *t, const struct explain_marks *marks, uint32_t k)
{
    bool guilty = k == marks->first || k == marks->last;
    if (guilty && t->shared->error.kind == WORKER_ERROR_RACE)
        return add_race_note(t, k == marks->first ? marks->last : marks->first);
    if (k == marks->freed) {
        story_say(t, "freed here");
        return true;
    }
    if (k == marks->last && marks->freed != MARK_NONE) {
        story_say(t, "freed by step %k", marks->freed);
        return true;
    }
    return explain_calls_note(t, k) || explain_stale_note(t, k) || explain_changes_note(t, k);
}

/* ------------------------------------------------------------------ collecting */

struct events {
    const struct worker_shared *shared;
    struct symbols *symbols;
    struct arena *arena;
    struct explain_marks marks;
    struct text text;
    struct story *story;
    /* By position: the last event of that thread up to there that is shown, or 0 */
    uint32_t *shown;
    uint32_t before[UINT8_MAX + 1]; /* by thread: its last event that is shown, so far */
    uint32_t op[UINT8_MAX + 1];     /* by thread: the operation of the history that it is in, so far */
    const struct explain_test *test;
    VEC(struct report_event) events;
};

/* Null when there is no text. */
static const char *take_text(struct events *x)
{
    return x->text.len ? text_keep(&x->text, x->arena) : NULL;
}

static void name_location(struct events *x, const struct event *e, struct report_event *out)
{
    if (!e->address || e->kind == EVENT_JOIN)
        return;
    if (out->event == EVENT_FREE) /* all of it, not what begins there */
        symbols_value(x->symbols, 0, sizeof(void *), e->address, &x->text);
    else
        symbols_location(x->symbols, e->address, e->size, &x->text);
    out->location = take_text(x);
    out->address = e->address;
    out->size = e->size;
}

/* What its thread runs is the outermost call of any of its steps. */
static void name_start(struct events *x, uint32_t thread, struct report_event *out)
{
    struct call_stack stack = {0};
    for (uint32_t k = 0; k < x->shared->event_count && !stack.count; k++)
        if (x->shared->events[k].thread == thread)
            stack = stack_of(x->shared, k);
    struct symbol_place place = {0};
    if (!stack.count || stack.count > PROTOCOL_CALLERS || /* the outermost one was not kept */
        !symbols_line(x->symbols, stack.pcs[stack.count - 1], &place) || !place.at.function)
        return;
    text_puts(&x->text, place.at.function);
    out->starts = take_text(x);
}

static void name_values(struct events *x, uint32_t k, struct report_event *out)
{
    const struct event *e = &x->shared->events[k];
    bool found = e->kind == EVENT_READ || e->kind == EVENT_UPDATE || e->kind == EVENT_CAS_FAILED;
    bool written = e->kind == EVENT_WRITE || e->kind == EVENT_UPDATE;
    if (found) {
        explain_events_value(x->shared, x->symbols, k, false, &x->text);
        out->found = take_text(x);
    }
    if (written) {
        explain_events_value(x->shared, x->symbols, k, true, &x->text);
        out->written = take_text(x);
    }
    if (e->kind == EVENT_CREATE || e->kind == EVENT_JOIN)
        out->other = (uint32_t)e->value;
    if (e->kind == EVENT_CREATE)
        name_start(x, out->other, out);
    if (e->kind == EVENT_OP_CALL || e->kind == EVENT_OP_RETURN) {
        explain_events_operation(x->shared, e, &x->text);
        out->operation = take_text(x);
    }
    if (e->kind == EVENT_OP_RETURN) {
        explain_test_add_answer(x->test, (uint32_t)e->value, &x->text);
        out->answer = take_text(x);
    }
}

/* Steps of a thread from the call of an operation of the history to its return are the operation's. */
static void find_operation(struct events *x, const struct event *e, struct report_event *out)
{
    uint32_t *op = &x->op[e->thread & UINT8_MAX];
    if (e->kind == EVENT_OP_CALL)
        *op = e->value < TEST_OPS ? x->test->op_of[e->value] : REPORT_NOTHING;
    out->op = *op;
    if (e->kind == EVENT_OP_RETURN)
        *op = REPORT_NOTHING;
}

static void take_place(struct events *x, uint64_t pc, struct report_event *out)
{
    struct symbol_place place = {0};
    if (!pc)
        return;
    symbols_add_place(x->symbols, pc, &x->text);
    out->place = take_text(x);
    if (symbols_line(x->symbols, pc, &place) && place.shown.file && place.shown.line) {
        text_puts(&x->text, place.shown.file);
        out->file = take_text(x);
        out->line = place.shown.line;
    }
}

/* In its own thread all that comes before happens before. */
static uint32_t happens_before(const struct events *x, uint32_t k, uint32_t thread)
{
    uint32_t number = x->shared->relations[k].before[thread];
    if (x->shared->events[k].thread == thread)
        return x->before[thread];
    return number && number <= x->shared->relation_count ? x->shown[number - 1] : 0;
}

static void relate(struct events *x, uint32_t k, size_t threads, struct report_event *out)
{
    const struct worker_relation *r = explain_relation(x->shared, k);
    if (!r)
        return;
    uint32_t *before = arena_alloc(x->arena, threads * sizeof *before);
    for (uint32_t t = 0; t < threads; t++)
        before[t] = t < PROTOCOL_GRAPH_THREADS ? happens_before(x, k, t) : 0;
    out->related = true;
    out->before = before;
    out->reads = r->reads;
    out->writes = r->writes;
    out->stale = r->stale;
    out->source = r->source;
    out->source_plain = r->source_plain;
    out->place_in_mo = r->place;
    out->newest = r->newest && !r->newest_plain ? r->newest : REPORT_NOTHING;
}

/* Plain accesses that are protected are no steps: the function says what they are for. */
static void name_function(struct events *x, uint32_t k, struct report_event *out)
{
    struct symbol_place place = {0};
    bool locks = out->event == EVENT_LOCK || out->event == EVENT_READ_LOCK || out->event == EVENT_TRYLOCK;
    uint64_t pc = locks ? explain_events_place(x->shared, x->symbols, k) : 0;
    if (!pc || !symbols_line(x->symbols, pc, &place) || !place.shown.function)
        return;
    text_puts(&x->text, place.shown.function);
    out->function = take_text(x);
}

/* A free that races is not made: there is only the write as which it is announced. */
static enum event_kind kind_of(const struct events *x, uint32_t k)
{
    return x->shared->error.frees && k == x->marks.last ? EVENT_FREE : x->shared->events[k].kind;
}

static void add_event(struct events *x, uint32_t k, size_t threads)
{
    const struct event *e = &x->shared->events[k];
    struct report_event out = {.id = explain_events_step(x->shared, k),
                               .thread = e->thread,
                               .event = kind_of(x, k),
                               .kind = event_kind_text(kind_of(x, k)),
                               .order = *event_order_text(e->order) ? event_order_text(e->order) : NULL,
                               .other = REPORT_NOTHING,
                               .op = REPORT_NOTHING,
                               .newest = REPORT_NOTHING,
                               .guilty = k == x->marks.first || k == x->marks.last};
    name_location(x, e, &out);
    name_values(x, k, &out);
    take_place(x, explain_events_place(x->shared, x->symbols, k), &out);
    name_function(x, k, &out);
    find_operation(x, e, &out);
    if (explain_events_note(x->story, &x->marks, k))
        out.note = text_keep(&x->story->text, x->arena);
    relate(x, k, threads, &out);
    vec_push(&x->events, out);
}

static void collect(struct events *x, size_t threads)
{
    const struct worker_shared *s = x->shared;
    for (uint32_t k = 0; k < s->event_count; k++) {
        explain_events_memory(s, x->symbols, k);
        bool marked = k == x->marks.first || k == x->marks.last || k == x->marks.freed;
        bool left_out = k >= EVENTS_MOST / 2 && k + EVENTS_MOST / 2 < s->event_count && !marked;
        bool shown = !left_out && explain_events_is_shown(s, k);
        if (shown)
            add_event(x, k, threads);
        uint32_t *before = &x->before[s->events[k].thread & UINT8_MAX];
        x->shown[k] = *before = shown ? k + 1 : *before;
    }
}

/* An access to memory that it may not have is refused before it is a step. */
static void add_refused(struct events *x)
{
    const struct worker_shared *s = x->shared;
    const struct worker_stack *stack = &s->error.stacks[0];
    if (x->marks.last != MARK_NONE || !explain_memory_is_known(s))
        return;
    struct report_event out = {.id = explain_events_step(s, s->event_count),
                               .thread = stack->thread,
                               .kind = s->error.kind == WORKER_ERROR_DOUBLE_FREE ? "free" : "access",
                               .address = s->error.address,
                               .size = 1,
                               .other = REPORT_NOTHING,
                               .op = x->op[stack->thread & UINT8_MAX],
                               .newest = REPORT_NOTHING,
                               .guilty = true};
    bool frees = s->error.kind == WORKER_ERROR_DOUBLE_FREE;
    text_puts(&x->text, frees ? "free(" : "access  ");
    if (frees)
        symbols_value(x->symbols, 0, sizeof(void *), s->error.address, &x->text);
    else
        symbols_location(x->symbols, s->error.address, 1, &x->text);
    text_puts(&x->text, frees ? ")" : "");
    out.text = take_text(x);
    take_place(x, explain_find_place(x->symbols, stack), &out);
    if (s->error.kind == WORKER_ERROR_UNINITIALISED)
        out.note = "never written";
    else if (x->marks.freed != MARK_NONE) {
        story_say(x->story, "freed by step %k", x->marks.freed);
        out.note = text_keep(&x->story->text, x->arena);
    }
    vec_push(&x->events, out);
}

void explain_events_collect(struct story *t, const struct explain_test *test, struct arena *arena,
                            struct report_execution *x)
{
    const struct worker_shared *s = t->shared;
    struct events e = {.shared = s,
                       .symbols = t->symbols,
                       .story = t,
                       .test = test,
                       .arena = arena,
                       .marks = explain_marks_find(s)};
    x->thread_count = s->thread_count < PROTOCOL_GRAPH_THREADS ? s->thread_count : PROTOCOL_GRAPH_THREADS;
    e.shown = NEW_ZEROED(uint32_t, s->event_count + 1);
    memset(e.op, 0xff, sizeof e.op);
    symbols_forget_memory(t->symbols);
    collect(&e, x->thread_count);
    add_refused(&e);
    struct report_event *events = arena_alloc(arena, e.events.len * sizeof *events + 1);
    if (e.events.len)
        memcpy(events, e.events.data, e.events.len * sizeof *events);
    x->events = events;
    x->event_count = e.events.len;
    x->left_out = s->events_lost + (s->event_count > EVENTS_MOST ? s->event_count - EVENTS_MOST : 0);
    x->left_out_from = EVENTS_MOST / 2 + 1;
    free(e.shown);
    vec_free(&e.events);
    text_free(&e.text);
}
