/* SPDX-License-Identifier: Apache-2.0 */
#include "explain/program/explain_calls.h"

#include "base/diagnostic.h"
#include "explain/program/explain_events.h"
#include "graph/graph.h"
#include "ordering/ordering.h"
#include "target/symbols/symbols.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* What comes out of the process under test may be anything. */
static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static uint32_t call_count(const struct worker_shared *s)
{
    return least(s->calls.count, PROTOCOL_CALLS);
}

bool explain_calls_are_known(const struct worker_shared *s)
{
    const struct worker_calls *c = &s->calls;
    uint32_t kind = s->error.kind;
    bool is_kind = kind == WORKER_ERROR_POINTS || kind == WORKER_ERROR_CONDITION || kind == WORKER_ERROR_SYNC;
    return is_kind && c->count > 0 && c->failed < call_count(s) &&
           (kind != WORKER_ERROR_SYNC || c->earlier < call_count(s));
}

int explain_calls_code(uint32_t kind)
{
    switch (kind) {
    case WORKER_ERROR_POINTS: return PL_POINTS;
    case WORKER_ERROR_CONDITION: return PL_CONDITION;
    case WORKER_ERROR_SYNC: return PL_SYNC;
    default: return PL_EXECUTION;
    }
}

/* ------------------------------------------------------------------ words */

/* Adds the name of what the pointer points to; or the number as it stands. */
static void add_pointer(struct symbols *symbols, const char *s, size_t length, struct text *out)
{
    struct text name = {0};
    uint64_t value = strtoull(s, NULL, 16);
    symbols_value(symbols, 0, sizeof(void *), value, &name);
    if (name.len && !isdigit((unsigned char)*name.data) && *name.data != '-')
        text_puts(out, name.data);
    else
        text_add(out, s, length);
    text_free(&name);
}

enum { POINTER_LEAST = 6 }; /* digits: smaller numbers are no addresses */

void explain_name_pointers(struct symbols *symbols, const char *s, size_t length, struct text *out)
{
    for (size_t k = 0; k < length;) {
        bool in_word = k > 0 && (isalnum((unsigned char)s[k - 1]) || s[k - 1] == '_');
        size_t digits = 0;
        if (!in_word && length - k > 2 && s[k] == '0' && s[k + 1] == 'x')
            while (k + 2 + digits < length && isxdigit((unsigned char)s[k + 2 + digits]))
                digits++;
        if (digits >= POINTER_LEAST && digits <= 16)
            add_pointer(symbols, s + k, digits + 2, out);
        else
            text_add(out, s + k, digits ? digits + 2 : 1);
        k += digits ? digits + 2 : 1;
    }
}

static void add_bounded(struct symbols *symbols, struct text *out, const char *s, size_t size)
{
    char copy[PROTOCOL_PATH + 1]; /* terminated */
    size_t length = strnlen(s, size < PROTOCOL_PATH ? size : PROTOCOL_PATH);
    memcpy(copy, s, length);
    copy[length] = 0;
    explain_name_pointers(symbols, copy, length, out);
}

static void add_label(const struct worker_shared *s, struct symbols *symbols, uint32_t call, struct text *out)
{
    add_bounded(symbols, out, s->calls.calls[call].text, sizeof s->calls.calls[call].text);
}

void explain_calls_headline(const struct worker_shared *s, struct symbols *symbols, struct text *out)
{
    const struct worker_calls *c = &s->calls;
    if (s->error.kind == WORKER_ERROR_SYNC) {
        add_label(s, symbols, c->earlier, out);
        text_puts(out, " does not happen before ");
        add_label(s, symbols, c->failed, out);
    } else if (s->error.kind == WORKER_ERROR_CONDITION) {
        add_label(s, symbols, c->failed, out);
        text_puts(out, " contradicts its specification");
    } else {
        text_puts(out, "ordering points contradict each other");
    }
}

/* By itself, or by a fence. */
static bool releases(const struct worker_shared *s, uint32_t k)
{
    return s->calls.release_is_strong || graph_is_release(s->events[k].order);
}

static bool acquires(const struct worker_shared *s, uint32_t k)
{
    return s->calls.acquire_is_strong || graph_is_acquire(s->events[k].order);
}

/* Other threads may come before it. */
uint32_t explain_calls_first_event(const struct worker_shared *s, uint32_t call)
{
    const struct worker_call *c = &s->calls.calls[call];
    uint32_t end = c->end && c->end < s->event_count ? c->end : least(s->event_count, PROTOCOL_EVENTS);
    for (uint32_t k = c->begin; k && k <= end; k++)
        if (s->events[k - 1].thread == c->thread)
            return k;
    return 0;
}

/* Calls of operations have steps of their own. */
static bool begins_at(const struct worker_shared *s, uint32_t call, uint32_t k)
{
    return s->events[k].thread == s->calls.calls[call].thread && s->events[k].kind != EVENT_OP_CALL &&
           explain_calls_first_event(s, call) == k + 1;
}

bool explain_calls_note(struct story *t, uint32_t k)
{
    const struct worker_shared *s = t->shared;
    struct text *out = &t->text;
    size_t length = out->len;
    if (!explain_calls_are_known(s))
        return false;
    if (s->error.kind == WORKER_ERROR_SYNC && s->calls.release && s->calls.acquire) {
        if (k + 1 == s->calls.release && !releases(s, k))
            text_puts(out, "would have to be release");
        else if (k + 1 == s->calls.acquire && !acquires(s, k))
            text_puts(out, "would have to be acquire");
    }
    for (uint32_t c = 0; c < call_count(s) && out->len == length; c++)
        if (begins_at(s, c, k)) {
            add_label(s, t->symbols, c, out);
            text_puts(out, " begins");
        }
    return out->len > length;
}

/* "step 5 (W at queue.c:12) would have to be release" */
static void add_lack(const struct report_event *e, bool lacks, const char *needed, struct story *t)
{
    story_cite(t, e->id);
    story_say(t, "step %u (%s%s%s)", e->id, e->kind, e->place ? " at " : "", e->place ? e->place : "");
    story_say(t, lacks ? " would have to be %s" : " is %s already", needed);
}

void explain_calls_remark(const struct report_execution *x, struct story *t)
{
    const struct report_calls *c = x->calls;
    if (!c || !c->release || !c->acquire)
        return;
    story_say(t, "For %s to happen before %s, ", c->calls[c->earlier].label, c->calls[c->failed].label);
    add_lack(c->release, c->release_lacks, "release", t);
    story_say(t, c->release_lacks == c->acquire_lacks ? " and " : ", but ");
    add_lack(c->acquire, c->acquire_lacks, "acquire", t);
    story_say(t, "; a fence with that order beside it would do, too.\n");
}

/* ------------------------------------------------------------------ collecting */

struct collector {
    const struct worker_shared *s;
    struct symbols *symbols;
    struct arena *arena;
    struct report_execution *x;
    struct text text;
};

/* Null when there is no text. */
static const char *take(struct collector *c)
{
    return c->text.len ? text_keep(&c->text, c->arena) : NULL;
}

static const char *take_bounded(struct collector *c, const char *s, size_t size)
{
    add_bounded(c->symbols, &c->text, s, size);
    return take(c);
}

/* The number of an event as it is shown; 0: none. */
static uint32_t step_of(const struct collector *c, uint32_t event)
{
    return event && event <= c->s->event_count ? explain_events_step(c->s, event - 1) : 0;
}

static struct report_call collect_call(struct collector *c, uint32_t call)
{
    const struct worker_call *from = &c->s->calls.calls[call];
    struct report_call to = {.thread = from->thread,
                             .begin = step_of(c, explain_calls_first_event(c->s, call)),
                             .end = step_of(c, from->end)};
    to.label = take_bounded(c, from->text, sizeof from->text);
    to.label = to.label ? to.label : "?";
    to.state = take_bounded(c, from->state, sizeof from->state);
    if (from->pc)
        symbols_add_place(c->symbols, from->pc, &c->text);
    to.place = take(c);
    return to;
}

/* An order may only have calls that there are. */
static void collect_order(struct collector *c, struct report_calls *to)
{
    uint32_t count = least(c->s->calls.order_count, PROTOCOL_CALLS);
    uint32_t *order = arena_alloc(c->arena, count * sizeof *order + 1);
    for (uint32_t k = 0; k < count; k++)
        if (c->s->calls.order[k] < to->count)
            order[to->order_count++] = c->s->calls.order[k];
    to->order = order;
}

static const struct report_event *find_event(const struct report_execution *x, uint32_t id)
{
    for (size_t k = 0; id && k < x->event_count; k++)
        if (x->events[k].id == id)
            return &x->events[k];
    return NULL;
}

static void collect_accesses(struct collector *c, struct report_calls *to)
{
    const struct worker_calls *from = &c->s->calls;
    to->release = find_event(c->x, step_of(c, from->release));
    to->acquire = find_event(c->x, step_of(c, from->acquire));
    if (!to->release || !to->acquire)
        return;
    to->release_lacks = !releases(c->s, from->release - 1);
    to->acquire_lacks = !acquires(c->s, from->acquire - 1);
}

/* Where there is no clause: the access that lacks something; or where the call begins. */
static const struct report_event *find_wrong(const struct collector *c, const struct report_calls *to)
{
    if (to->release && to->acquire)
        return to->acquire_lacks ? to->acquire : to->release;
    return find_event(c->x, to->calls[to->failed].begin);
}

static void take_event_place(struct collector *c, const struct report_calls *to)
{
    const struct report_event *e = find_wrong(c, to);
    if (!e || !e->place)
        return;
    c->x->place = e->place;
    c->x->file = e->file;
    c->x->line = e->line;
}

/* The place of the clause is that of the error. */
static void collect_place(struct collector *c, struct report_calls *to)
{
    const struct worker_calls *from = &c->s->calls;
    text_add(&c->text, from->file, strnlen(from->file, sizeof from->file));
    const char *file = take(c);
    if (!file || !from->line) {
        take_event_place(c, to);
        return;
    }
    text_printf(&c->text, "%s:%u", file, from->line);
    if (from->column)
        text_printf(&c->text, ":%u", from->column);
    c->x->place = to->place = take(c);
    c->x->file = file;
    c->x->line = from->line;
}

static enum report_calls_kind kind_of(uint32_t error)
{
    return error == WORKER_ERROR_POINTS      ? REPORT_CYCLE
           : error == WORKER_ERROR_CONDITION ? REPORT_CONDITION
                                             : REPORT_SYNC;
}

void explain_calls_collect(const struct worker_shared *s, struct symbols *symbols, struct arena *arena,
                           struct report_execution *x)
{
    struct collector c = {.s = s, .symbols = symbols, .arena = arena, .x = x};
    const struct worker_calls *from = &s->calls;
    if (!explain_calls_are_known(s))
        return;
    struct report_calls *to = arena_alloc(arena, sizeof *to);
    struct report_call *calls = arena_alloc(arena, call_count(s) * sizeof *calls);
    *to = (struct report_calls){.kind = kind_of(s->error.kind),
                                .calls = calls,
                                .count = call_count(s),
                                .every = s->config.histories == ORDERING_EVERY,
                                .failed = from->failed,
                                .earlier = from->earlier};
    for (uint32_t k = 0; k < to->count; k++)
        calls[k] = collect_call(&c, k);
    collect_order(&c, to);
    to->initial = take_bounded(&c, from->initial, sizeof from->initial);
    to->clause = take_bounded(&c, from->clause, sizeof from->clause);
    to->values = take_bounded(&c, from->values, sizeof from->values);
    if (to->kind == REPORT_SYNC)
        collect_accesses(&c, to);
    collect_place(&c, to);
    x->calls = to;
    text_free(&c.text);
}
