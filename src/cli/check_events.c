/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/check_events.h"

#include "base/memory.h"
#include "cli/check_stale.h"

#include <inttypes.h>

/* A free is announced as a write to the block, too. */
static bool is_part_of_free(const struct event *e, const struct event *next)
{
    return e->kind == EVENT_PLAIN_WRITE && next->kind == EVENT_FREE && next->pc == e->pc &&
           next->thread == e->thread;
}

bool check_events_is_shown(const struct worker_shared *s, uint32_t k)
{
    const struct event *e = &s->events[k];
    if (k + 1 < s->event_count && is_part_of_free(e, e + 1))
        return false;
    return e->kind != EVENT_BEGIN && e->kind != EVENT_ALLOC && e->kind != EVENT_NONE;
}

struct events {
    struct json_writer *json;
    const struct worker_shared *shared;
    struct symbols *symbols;
    struct text text;
    uint32_t
        *shown; /* by position: the number of the last event of that thread up to there that is shown, or 0 */
    uint32_t before[UINT8_MAX]; /* by thread: the number of its last event that is shown, so far */
};

static void add_text(struct events *x, const char *name)
{
    json_member(x->json, name, x->text.data);
    text_clear(&x->text);
}

static void add_location(struct events *x, const struct event *e)
{
    if (!e->address || e->kind == EVENT_JOIN)
        return;
    json_key(x->json, "location"), json_open_object(x->json);
    symbols_location(x->symbols, e->address, e->size, &x->text);
    add_text(x, "name");
    text_printf(&x->text, "0x%" PRIx64, e->address);
    add_text(x, "address");
    if (e->size)
        json_key(x->json, "size"), json_uint(x->json, e->size);
    json_close_object(x->json);
}

static void add_values(struct events *x, const struct event *e)
{
    bool found = e->kind == EVENT_READ || e->kind == EVENT_UPDATE || e->kind == EVENT_CAS_FAILED;
    bool written = e->kind == EVENT_WRITE || e->kind == EVENT_UPDATE;
    if (found) {
        symbols_value(x->symbols, e->address, e->size, e->before, &x->text);
        add_text(x, "found");
    }
    if (written) {
        symbols_value(x->symbols, e->address, e->size, e->value, &x->text);
        add_text(x, "written");
    }
    if (e->kind == EVENT_CREATE || e->kind == EVENT_JOIN)
        json_key(x->json, "other"), json_uint(x->json, e->value);
}

static void add_number_or_null(struct json_writer *w, uint32_t number)
{
    if (number)
        json_uint(w, number);
    else
        json_null(w);
}

/* In its own thread all that comes before happens before. */
static uint32_t happens_before(const struct events *x, uint32_t k, uint32_t thread)
{
    uint32_t number = x->shared->relations[k].before[thread];
    if (x->shared->events[k].thread == thread)
        return x->before[thread];
    return number && number <= x->shared->relation_count ? x->shown[number - 1] : 0;
}

static void add_relation(struct events *x, uint32_t k)
{
    const struct worker_relation *r = &x->shared->relations[k];
    struct json_writer *w = x->json;
    if (r->reads)
        json_key(w, "rf"), add_number_or_null(w, r->source_plain ? 0 : r->source);
    if (r->writes)
        json_key(w, "mo"), json_uint(w, r->place);
    if (r->reads || r->writes)
        json_key(w, "stale"), json_bool(w, r->stale);
    json_key(w, "hb"), json_open_array(w);
    for (uint32_t t = 0; t < x->shared->thread_count && t < PROTOCOL_GRAPH_THREADS; t++)
        add_number_or_null(w, happens_before(x, k, t));
    json_close_array(w);
}

static void add_event(struct events *x, uint32_t k)
{
    const struct event *e = &x->shared->events[k];
    json_open_object(x->json);
    json_key(x->json, "id"), json_uint(x->json, k + 1);
    json_key(x->json, "thread"), json_uint(x->json, e->thread);
    json_member(x->json, "kind", event_kind_text(e->kind));
    if (*event_order_text(e->order))
        json_member(x->json, "order", event_order_text(e->order));
    add_location(x, e);
    add_values(x, e);
    if (e->pc) {
        symbols_add_place(x->symbols, e->pc, &x->text);
        add_text(x, "place");
    }
    add_relation(x, k);
    json_close_object(x->json);
}

void check_events_json(struct json_writer *w, const struct worker_shared *s)
{
    if (!s->relation_count)
        return;
    struct diagnostic ignored = {0};
    struct events x = {.json = w, .shared = s};
    x.shown = NEW_ZEROED(uint32_t, s->relation_count);
    x.symbols = symbols_open(s->modules, s->module_count, &ignored);
    json_key(w, "events"), json_open_array(w);
    for (uint32_t k = 0; k < s->relation_count; k++) {
        if (s->events[k].kind == EVENT_ALLOC)
            symbols_add_heap(x.symbols, s->events[k].address, s->events[k].value, s->events[k].pc);
        uint32_t *before = &x.before[s->events[k].thread % UINT8_MAX];
        bool shown = check_events_is_shown(s, k);
        if (shown)
            add_event(&x, k);
        x.shown[k] = *before = shown ? k + 1 : *before;
    }
    free(x.shown);
    json_close_array(w);
    symbols_close(x.symbols);
    text_free(&x.text);
}
