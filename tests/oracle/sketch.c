/* SPDX-License-Identifier: Apache-2.0 */
#include "oracle/sketch.h"

#include "base/check.h"
#include "explore/schedules/prng.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { ITEMS_MOST = SKETCH_EVENTS + 2 * SKETCH_OPS * SKETCH_OPS };

/* A step of a thread still to be inserted: of the sketch, or one by which the client synchronizes. */
struct item {
    int16_t event; /* -1: the client's */
    uint16_t location;
    bool writes;
};

struct builder {
    const struct sketch *s;
    const struct memory_model *m;
    struct graph *g;
    struct item items[SKETCH_THREADS][ITEMS_MOST];
    uint32_t count[SKETCH_THREADS], next[SKETCH_THREADS];
    uint32_t image[SKETCH_EVENTS];           /* of an update: its read */
    uint32_t written[SKETCH_EVENTS];         /* the write of a write or update */
    uint32_t flags[SKETCH_OPS * SKETCH_OPS]; /* writes of the client, by pair */
};

static void add_client_items(struct builder *b, const struct sketch_event *ev, const uint64_t *orders,
                             bool writes)
{
    if (ev->kind != (writes ? SKETCH_RETURN : SKETCH_CALL) || !orders)
        return;
    for (uint32_t other = 0; other < b->s->op_count; other++) {
        uint32_t from = writes ? ev->other : other, to = writes ? other : ev->other;
        if (orders[from] >> to & 1)
            b->items[ev->thread][b->count[ev->thread]++] =
                (struct item){-1, (uint16_t)(SKETCH_LOCATIONS + from * SKETCH_OPS + to), writes};
    }
}

static void list_items(struct builder *b, const uint64_t *orders)
{
    for (uint32_t e = 0; e < b->s->count; e++) {
        const struct sketch_event *ev = &b->s->events[e];
        add_client_items(b, ev, orders, false);
        b->items[ev->thread][b->count[ev->thread]++] = (struct item){(int16_t)e, 0, false};
        add_client_items(b, ev, orders, true);
        b->image[e] = b->written[e] = GRAPH_NONE;
    }
    for (uint32_t i = 0; i < SKETCH_OPS * SKETCH_OPS; i++)
        b->flags[i] = GRAPH_NONE;
}

static uint32_t find_event(const struct sketch *s, uint8_t kind, uint8_t thread, uint8_t other)
{
    for (uint32_t e = 0; e < s->count; e++)
        if (s->events[e].kind == kind && s->events[e].thread == thread &&
            (kind != SKETCH_CREATE || s->events[e].other == other))
            return e;
    return GRAPH_NONE;
}

static bool is_ready(const struct builder *b, const struct item *it)
{
    if (it->event < 0)
        return it->writes || b->flags[it->location - SKETCH_LOCATIONS] != GRAPH_NONE;
    const struct sketch_event *ev = &b->s->events[it->event];
    switch (ev->kind) {
    case SKETCH_READ:
    case SKETCH_UPDATE: return ev->from == SKETCH_INITIAL || b->written[ev->from] != GRAPH_NONE;
    case SKETCH_BEGIN: return b->image[find_event(b->s, SKETCH_CREATE, 0, ev->thread)] != GRAPH_NONE;
    case SKETCH_JOIN: return b->image[find_event(b->s, SKETCH_END, ev->other, 0)] != GRAPH_NONE;
    default: return true;
    }
}

static uint32_t append(struct builder *b, uint32_t thread, enum graph_type type, enum event_kind kind,
                       enum operation o, unsigned order)
{
    uint32_t e = graph_append(b->g, thread, type);
    struct graph_event *ev = &b->g->events[e];
    ev->label = (struct graph_label){(uint8_t)kind, (uint8_t)o, (uint8_t)order, (uint8_t)order};
    ev->order = b->m->effective_order[order];
    ev->value = ev->operand = ev->expected = 0;
    ev->address = 0;
    ev->size = 8;
    return e;
}

static void touch(struct builder *b, uint32_t location)
{
    graph_reserve(b->g, 4, location + 1);
    if (b->g->locations[location].init == GRAPH_NONE)
        graph_touch(b->g, location, 0x1000 + 8 * (uint64_t)location, 8, 0, false);
}

static uint32_t add_read(struct builder *b, uint32_t thread, uint32_t location, enum operation o,
                         unsigned order, uint32_t from)
{
    touch(b, location);
    uint32_t r = append(b, thread, GRAPH_READ, o == OPERATION_LOAD ? EVENT_READ : EVENT_UPDATE, o, order);
    b->g->events[r].operand = 1;
    graph_join_location(b->g, r, location);
    graph_set_rf(b->g, r, from == GRAPH_NONE ? b->g->locations[location].init : from);
    return r;
}

static uint32_t add_write(struct builder *b, uint32_t thread, uint32_t location, unsigned order,
                          uint32_t read, uint32_t after)
{
    touch(b, location);
    uint32_t w = append(b, thread, GRAPH_WRITE, EVENT_WRITE, OPERATION_STORE, order);
    b->g->events[w].value = w + 1;
    if (read != GRAPH_NONE)
        b->g->events[w].flags = GRAPH_UPDATE | GRAPH_LOCKED;
    graph_join_location(b->g, w, location);
    graph_complete_write(b->g, w);
    graph_place(b->g, w, after == GRAPH_NONE ? b->g->locations[location].init : after);
    return w;
}

/* The write of the sketch before event e that is in the graph already. */
static uint32_t placed_before(const struct builder *b, uint32_t e)
{
    uint8_t l = b->s->events[e].location;
    uint32_t before = GRAPH_NONE;
    for (uint32_t i = 0; b->s->mo[l][i] != e; i++)
        if (b->written[b->s->mo[l][i]] != GRAPH_NONE)
            before = b->written[b->s->mo[l][i]];
    return before;
}

static void add_access(struct builder *b, uint32_t e, const struct sketch_event *ev)
{
    uint32_t from = ev->from == SKETCH_INITIAL ? GRAPH_NONE : b->written[ev->from];
    if (ev->kind == SKETCH_READ) {
        b->image[e] = add_read(b, ev->thread, ev->location, OPERATION_LOAD, ev->order, from);
        return;
    }
    uint32_t read = GRAPH_NONE;
    if (ev->kind == SKETCH_UPDATE)
        read = add_read(b, ev->thread, ev->location, OPERATION_ADD, ev->order, from);
    b->written[e] = add_write(b, ev->thread, ev->location, ev->order, read, placed_before(b, e));
    b->image[e] = read == GRAPH_NONE ? b->written[e] : read;
}

static void add_step(struct builder *b, uint32_t e, const struct sketch_event *ev)
{
    static const struct {
        enum graph_type type;
        enum event_kind kind;
    } steps[] = {
        [SKETCH_CALL] = {GRAPH_MARK, EVENT_OP_CALL}, [SKETCH_RETURN] = {GRAPH_MARK, EVENT_OP_RETURN},
        [SKETCH_FENCE] = {GRAPH_FENCE, EVENT_FENCE}, [SKETCH_CREATE] = {GRAPH_CREATE, EVENT_CREATE},
        [SKETCH_BEGIN] = {GRAPH_BEGIN, EVENT_BEGIN}, [SKETCH_END] = {GRAPH_END, EVENT_END},
        [SKETCH_JOIN] = {GRAPH_JOIN, EVENT_JOIN},
    };
    unsigned order = ev->kind == SKETCH_FENCE ? ev->order : ORDER_RELAXED;
    graph_reserve(b->g, 1, 0);
    b->image[e] = append(b, ev->thread, steps[ev->kind].type, steps[ev->kind].kind, OPERATION_NONE, order);
    b->g->events[b->image[e]].value = b->g->events[b->image[e]].address = ev->other;
    graph_complete_step(b->g, b->image[e]);
}

static void add_item(struct builder *b, uint32_t thread, const struct item *it)
{
    if (it->event >= 0) {
        const struct sketch_event *ev = &b->s->events[it->event];
        if (ev->kind >= SKETCH_READ && ev->kind <= SKETCH_UPDATE)
            add_access(b, (uint32_t)it->event, ev);
        else
            add_step(b, (uint32_t)it->event, ev);
        return;
    }
    uint32_t *flag = &b->flags[it->location - SKETCH_LOCATIONS];
    if (it->writes)
        *flag = add_write(b, thread, it->location, ORDER_RELEASE, GRAPH_NONE, GRAPH_NONE);
    else
        add_read(b, thread, it->location, OPERATION_LOAD, ORDER_ACQUIRE, *flag);
}

/* The thread whose next item comes first in the sketch, or a random one. */
static uint32_t choose_thread(const struct builder *b, uint64_t *seed)
{
    uint32_t ready[SKETCH_THREADS], count = 0, best = GRAPH_NONE;
    for (uint32_t t = 0; t < SKETCH_THREADS; t++)
        if (b->next[t] < b->count[t] && is_ready(b, &b->items[t][b->next[t]])) {
            int16_t event = b->items[t][b->next[t]].event;
            if (best == GRAPH_NONE || event < b->items[best][b->next[best]].event)
                best = t;
            ready[count++] = t;
        }
    if (!*seed || !count)
        return best;
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return ready[(*seed >> 33) % count];
}

struct graph *sketch_graph(const struct sketch *s, const struct memory_model *m, const uint64_t *orders,
                           uint64_t seed)
{
    static struct builder b;
    uint32_t left = 0, t;
    memset(b.count, 0, sizeof b.count);
    memset(b.next, 0, sizeof b.next);
    b.s = s;
    b.m = m;
    b.g = graph_new(m->effective_order, false);
    list_items(&b, orders);
    for (t = 0; t < SKETCH_THREADS; t++)
        left += b.count[t];
    for (; left > 0 && (t = choose_thread(&b, &seed)) != GRAPH_NONE; left--)
        add_item(&b, t, &b.items[t][b.next[t]++]);
    if (left == 0)
        return b.g;
    graph_free(b.g);
    return NULL;
}

void sketch_print(const struct sketch *s, const struct plumb_values *values)
{
    static const char *const kinds[] = {"call",  "return", "R",     "W",   "RMW",
                                        "fence", "create", "begin", "end", "join"};
    static const char *const endings[] = {"ended", "stuck", "cut"};
    (void)values;
    fprintf(stderr, "%s, %s\n", s->spec, endings[s->ending]);
    for (uint32_t i = 0; i < s->op_count; i++)
        fprintf(stderr, "  op %u: thread %u object %u %s(%" PRIx64 ") = %" PRIx64 "%s\n", i, s->ops[i].thread,
                s->ops[i].object, s->ops[i].name, s->ops[i].arg, s->ops[i].result,
                !s->ops[i].called    ? " not called"
                : s->ops[i].returned ? ""
                                     : " pending");
    for (uint32_t e = 0; e < s->count; e++) {
        const struct sketch_event *ev = &s->events[e];
        bool access = ev->kind >= SKETCH_READ && ev->kind <= SKETCH_UPDATE;
        fprintf(stderr, "  %2u: t%u %-6s", e, ev->thread, kinds[ev->kind]);
        if (access)
            fprintf(stderr, " x%u order %u from %d\n", ev->location, ev->order, ev->from);
        else
            fprintf(stderr, " %u\n", ev->other);
    }
    for (uint32_t l = 0; l < SKETCH_LOCATIONS; l++) {
        fprintf(stderr, "  mo x%u:", l);
        for (uint32_t i = 0; i < s->mo_count[l]; i++)
            fprintf(stderr, " %u", s->mo[l][i]);
        fprintf(stderr, "\n");
    }
}
