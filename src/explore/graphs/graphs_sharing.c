/* SPDX-License-Identifier: Apache-2.0 */
/* Work as bytes, for another process that runs the same program or for later. A record is a graph with some of its
 * alternatives; nothing else is needed to go on from it, because frames do not depend on each other. Numbers
 * of locations are private to a process, so a record names them by address. */
#include "explore/graphs/graphs_inside.h"
#include "explore/graphs/graphs_record.h"

#include "base/check.h"

#include <string.h>

enum { RECORD_MAGIC = 0x706c6d31, RECORD_NOWHERE = 0x706c6d32 };

struct record {
    uint32_t magic;
    uint32_t events, locations, threads, width, items, sites;
    uint32_t steps, sc_accesses, sc_fences, weak_accesses;
    uint32_t revisiter, revisited;
};

struct record_location {
    uint32_t number;
    struct graph_location location;
};

static void put(struct graphs *x, const void *bytes, size_t size)
{
    vec_reserve(&x->bytes, x->bytes.len + size);
    if (size > 0)
        memcpy(x->bytes.data + x->bytes.len, bytes, size);
    x->bytes.len += size;
}

static bool is_known_not_mutex(const struct graphs_site *s)
{
    return s->no_mutex && s->locks;
}

static void put_locations(struct graphs *x, const struct graph *g)
{
    for (uint32_t i = 0; i < g->location_count; i++)
        if (g->locations[i].init != GRAPH_NONE) {
            struct record_location l = {i, g->locations[i]};
            put(x, &l, sizeof l);
        }
    for (size_t i = 0; i < x->sites.list.len; i++)
        if (is_known_not_mutex(&x->sites.list.data[i]))
            put(x, &x->sites.list.data[i].address, sizeof x->sites.list.data[i].address);
}

static void put_record(struct graphs *x, const struct graph *g, const struct graphs_frame *f,
                       const struct graphs_item *items, uint32_t count)
{
    struct record r = {RECORD_MAGIC,
                       g->count,
                       0,
                       g->thread_count,
                       g->width,
                       count,
                       0,
                       g->steps,
                       g->sc_accesses,
                       g->sc_fences,
                       g->weak_accesses,
                       f->revisiter,
                       f->revisited};
    for (uint32_t i = 0; i < g->location_count; i++)
        r.locations += g->locations[i].init != GRAPH_NONE;
    for (size_t i = 0; i < x->sites.list.len; i++)
        r.sites += is_known_not_mutex(&x->sites.list.data[i]);
    put(x, &r, sizeof r);
    put(x, g->threads, g->thread_count * sizeof *g->threads);
    put(x, g->events, g->count * sizeof *g->events);
    put(x, g->clocks, (size_t)g->count * CLOCKS * g->width * sizeof *g->clocks);
    put_locations(x, g);
    put(x, items, count * sizeof *items);
}

/* The frame's graph as it was when the last of these alternatives was noted. */
static void put_frame(struct graphs *x, const struct graphs_frame *f, const struct graphs_item *items,
                      uint32_t count)
{
    struct graph *g = graphs_new_graph(x);
    graph_copy(g, f->g);
    graph_cut(g, items[count - 1].event + 1);
    put_record(x, g, f, items, count);
    vec_push(&x->search.pool, g);
}

static size_t frame_end(const struct graphs *x, size_t frame)
{
    return frame + 1 < x->search.frames.len ? x->search.frames.data[frame + 1].items : x->search.items.len;
}

size_t explore_graphs_give(struct explorer *e, const void **bytes)
{
    struct graphs *x = graphs_of(e);
    size_t frame = 0;
    while (frame < x->search.frames.len && x->search.frames.data[frame].items == frame_end(x, frame))
        frame++;
    if (frame == x->search.frames.len)
        return 0;
    vec_clear(&x->bytes);
    struct graphs_item *item = &x->search.items.data[x->search.frames.data[frame].items];
    put_frame(x, &x->search.frames.data[frame], item, 1);
    x->search.items.len--;
    memmove(item, item + 1, (size_t)(x->search.items.data + x->search.items.len - item) * sizeof *item);
    for (frame++; frame < x->search.frames.len; frame++)
        x->search.frames.data[frame].items--;
    *bytes = x->bytes.data;
    return x->bytes.len;
}

/* Without it, blocked executions would come again. */
static void put_nowhere(struct graphs *x)
{
    struct record r = {.magic = RECORD_NOWHERE, .items = (uint32_t)x->loops.nowhere.count};
    if (!x->loops.nowhere.count)
        return;
    put(x, &r, sizeof r);
    for (size_t i = 0; i <= x->loops.nowhere.mask; i++)
        if (x->loops.nowhere.numbers[i] == 1)
            put(x, &x->loops.nowhere.keys[i], sizeof x->loops.nowhere.keys[i]);
}

size_t explore_graphs_save(struct explorer *e, const void **bytes)
{
    struct graphs *x = graphs_of(e);
    graphs_stop_continuing(x);
    graphs_revisit_by_waiting_locks(x);
    vec_clear(&x->bytes);
    for (size_t i = 0; i < x->search.frames.len; i++) {
        size_t first = x->search.frames.data[i].items, end = frame_end(x, i);
        if (first < end)
            put_frame(x, &x->search.frames.data[i], &x->search.items.data[first], (uint32_t)(end - first));
    }
    put_nowhere(x);
    *bytes = x->bytes.data;
    return x->bytes.len;
}

size_t explore_graphs_left(const struct explorer *e)
{
    return graphs_of(e)->search.items.len;
}

/* --- agreeing --------------------------------------------------------------------------------------- */

uint64_t explore_graphs_object_changes(const struct explorer *e)
{
    return graphs_of(e)->sites.changes;
}

bool explore_graphs_next_object(const struct explorer *e, size_t *next, struct graphs_object *object)
{
    const struct graphs *x = graphs_of(e);
    while (*next < x->sites.list.len) {
        const struct graphs_site *s = &x->sites.list.data[(*next)++];
        if (graphs_is_object(s) || s->locked) {
            *object = (struct graphs_object){s->address, s->locked, s->no_mutex};
            return true;
        }
    }
    return false;
}

void explore_graphs_no_mutex(struct explorer *e, uint64_t address)
{
    struct graphs *x = graphs_of(e);
    uint32_t site = graphs_site_at(x, address); /* may move the sites */
    x->sites.list.data[site].no_mutex = x->sites.list.data[site].locks = true;
    if (graphs_is_cut(&x->sites.list.data[site]))
        graphs_note_cut(x);
}

void explore_graphs_begin_again(struct explorer *e)
{
    graphs_of(e)->search.restart = true;
}

bool explore_graphs_begins_again(const struct explorer *e)
{
    return graphs_of(e)->search.restart || graphs_of(e)->search.again;
}

void explore_graphs_drop(struct explorer *e)
{
    struct graphs *x = graphs_of(e);
    graphs_stop_continuing(x);
    graphs_forget_frames(x);
    graphs_forget_nowhere(x);
    x->counts = (struct graphs_counts){.replays = x->counts.replays, .restarts = x->counts.restarts + 1};
    hash_map_clear(&x->returns.tried);
    vec_clear(&x->search.waiting_locks);
    x->search.restart = x->search.again = false;
    x->search.started = true;
}

size_t explore_graphs_learnt(const struct explorer *e, const uint64_t **histories)
{
    *histories = graphs_of(e)->loops.found.data;
    return graphs_of(e)->loops.found.len;
}

void explore_graphs_learn(struct explorer *e, uint64_t history)
{
    *hash_map_at(&graphs_of(e)->loops.nowhere, history) = 1;
}

/* --- taking ----------------------------------------------------------------------------------------- */

struct reader {
    const uint8_t *at, *end;
};

static bool get(struct reader *r, void *into, size_t size)
{
    if ((size_t)(r->end - r->at) < size)
        return false;
    if (size > 0)
        memcpy(into, r->at, size);
    r->at += size;
    return true;
}

/* Bytes that are no truth values must not be looked at as such. */
static bool is_location_sound(const struct record_location *l)
{
    uint8_t mutex, mixed;
    memcpy(&mutex, &l->location.mutex, sizeof mutex);
    memcpy(&mixed, &l->location.mixed, sizeof mixed);
    return mutex <= 1 && mixed <= 1 && l->location.size <= sizeof(event_word);
}

/* Locations get the numbers they have here; `number` finds them by their old ones. */
static bool get_locations(struct graphs *x, struct reader *in, const struct record *r, struct graph *g,
                          struct hash_map *numbers)
{
    for (uint32_t i = 0; i < r->locations; i++) {
        struct record_location l;
        if (!get(in, &l, sizeof l) || !is_location_sound(&l))
            return false;
        uint32_t site = graphs_site_at(x, l.location.address);
        graph_reserve(g, 0, site + 1);
        g->locations[site] = l.location;
        g->has_parts |= l.location.mixed;
        *hash_map_at(numbers, l.number) = site + 1;
        struct graphs_site *s = &x->sites.list.data[site];
        s->locked |= l.location.mutex;
        if (!l.location.mutex && !s->no_mutex) { /* steps that are repeated do not show it */
            s->no_mutex = true;
            x->sites.changes += graphs_is_object(s);
        }
        s->size_most = l.location.size > s->size_most ? l.location.size : s->size_most;
        s->overlaps = !graphs_is_object(s); /* looked at when it is touched */
        if (x->stretches.of_threads && !graphs_is_object(s))
            graphs_note_atomic(x, site, l.location.size);
    }
    for (uint32_t i = 0; i < r->sites; i++) {
        uint64_t address;
        if (!get(in, &address, sizeof address))
            return false;
        uint32_t site = graphs_site_at(x, address); /* may move the sites */
        x->sites.list.data[site].no_mutex = x->sites.list.data[site].locks = true;
        if (graphs_is_cut(&x->sites.list.data[site]))
            graphs_note_cut(x);
    }
    return true;
}

/* What has other numbers here: locations, and what threads did between steps, which has none. False: a location is not there. */
static bool renumber(struct graphs *x, struct graph *g, const struct hash_map *numbers)
{
    for (uint32_t e = 0; e < g->count; e++) {
        struct graph_event *ev = &g->events[e];
        uint32_t number = ev->location == GRAPH_NONE ? 0 : hash_map_get(numbers, ev->location);
        if (ev->location != GRAPH_NONE && !number)
            return false;
        ev->location = number ? number - 1 : GRAPH_NONE;
        if (!g->has_twins)
            ev->stretch = 0;
        x->has_marks |= ev->type == GRAPH_MARK;
    }
    return true;
}

static bool has_room(const struct reader *in, const struct record *r)
{
    size_t left = (size_t)(in->end - in->at);
    size_t each = sizeof(struct graph_event) + CLOCKS * sizeof(int16_t) * r->width;
    return r->threads <= r->width && r->events <= left / each &&
           r->locations <= left / sizeof(struct record_location) &&
           r->items <= left / sizeof(struct graphs_item) && r->sites <= left / sizeof(uint64_t);
}

static bool get_graph(struct graphs *x, struct reader *in, const struct record *r, struct graph *g)
{
    struct hash_map numbers = {0};
    if (!has_room(in, r))
        return false;
    graph_cut(g, 0);
    graph_set_size(g, r->events, r->width);
    bool ok = get(in, g->threads, r->threads * sizeof *g->threads) &&
              get(in, g->events, r->events * sizeof *g->events) &&
              get(in, g->clocks, (size_t)r->events * CLOCKS * r->width * sizeof *g->clocks) &&
              get_locations(x, in, r, g, &numbers);
    if (ok) {
        g->count = r->events;
        g->thread_count = r->threads;
        g->steps = r->steps;
        g->sc_accesses = r->sc_accesses;
        g->sc_fences = r->sc_fences;
        g->weak_accesses = r->weak_accesses;
        ok = renumber(x, g, &numbers);
    }
    hash_map_free(&numbers);
    return ok;
}

static bool take_nowhere(struct graphs *x, struct reader *in, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        uint64_t key;
        if (!get(in, &key, sizeof key))
            return false;
        *hash_map_at(&x->loops.nowhere, key) = 1;
    }
    return true;
}

/* The write and the read whose revisit made the frame are there, or neither is. */
static bool is_frame_sound(const struct graph *g, const struct record *r)
{
    bool has_write = r->revisiter < g->count && graph_is_write(&g->events[r->revisiter]);
    bool has_read = r->revisited < g->count && g->events[r->revisited].type == GRAPH_READ;
    return (has_write || r->revisiter == GRAPH_NONE) && (has_read || r->revisited == GRAPH_NONE);
}

/* Alternatives come in the order of their events. */
static bool get_items(struct graphs *x, struct reader *in, const struct record *r, const struct graph *g)
{
    uint32_t before = 0;
    for (uint32_t i = 0; i < r->items; i++) {
        struct graphs_item item;
        if (!get(in, &item, sizeof item) || item.event < before || !graphs_record_has_item(g, &item))
            return false;
        before = item.event;
        vec_push(&x->search.items, item);
    }
    return r->items > 0;
}

static bool take_record(struct graphs *x, struct reader *in)
{
    struct record r;
    if (!get(in, &r, sizeof r))
        return false;
    if (r.magic == RECORD_NOWHERE)
        return take_nowhere(x, in, r.items);
    if (r.magic != RECORD_MAGIC || r.width > GRAPH_THREADS_MAX || r.width == 0 || r.width % CLOCK_LANES)
        return false;
    struct graph *g = graphs_new_graph(x);
    if (!get_graph(x, in, &r, g)) {
        graph_free(g);
        return false;
    }
    size_t first = x->search.items.len;
    graphs_push_frame(x, g, r.revisiter, r.revisited);
    return is_frame_sound(g, &r) && get_items(x, in, &r, g) &&
           graphs_record_is_sound(g, r.revisited, x->search.items.data[first].event);
}

bool explore_graphs_take(struct explorer *e, const void *bytes, size_t size)
{
    struct graphs *x = graphs_of(e);
    struct reader in = {bytes, (const uint8_t *)bytes + size};
    x->search.started = true;
    while (in.at < in.end)
        if (!take_record(x, &in))
            return false;
    return true;
}
