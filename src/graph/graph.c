/* SPDX-License-Identifier: Apache-2.0 */
#include "graph/graph.h"

#include "base/check.h"
#include "base/hash.h"
#include "base/memory.h"
#include "graph/twins.h"

#include <string.h>

/* --- adding ----------------------------------------------------------------------------------------- */

void graph_touch(struct graph *g, uint32_t location, uint64_t address, unsigned size, event_word initial,
                 bool mutex)
{
    uint32_t e = g->count++;
    struct graph_event *ev = &g->events[e];
    *ev = (struct graph_event){.value = initial,
                               .address = address,
                               .rf = GRAPH_NONE,
                               .reader = GRAPH_NONE,
                               .mo_before = GRAPH_NONE,
                               .mo_after = GRAPH_NONE,
                               .location = location,
                               .location_before = GRAPH_NONE,
                               .po_before = GRAPH_NONE,
                               .po_after = GRAPH_NONE,
                               .thread = GRAPH_INIT_THREAD,
                               .type = GRAPH_INIT,
                               .order = ORDER_PLAIN,
                               .size = (uint8_t)size};
    for (unsigned c = 0; c < CLOCKS; c++)
        clock_clear(graph_clock(g, e, c), g->width);
    g->locations[location] = (struct graph_location){address, e, e, e, (uint8_t)size, mutex, false};
}

/* A thread number that no clock has a lane for. */
static void graph_admit_thread(struct graph *g, uint32_t thread)
{
    CHECK(thread < GRAPH_THREADS_MAX);
    if (thread >= g->width)
        graph_widen(g, (thread / CLOCK_LANES + 1) * CLOCK_LANES);
    if (thread >= g->thread_count)
        g->thread_count = thread + 1;
}

/* The clocks of an event that only follows its predecessor in program order. */
static void graph_inherit_clocks(struct graph *g, uint32_t e)
{
    const struct graph_event *ev = &g->events[e];
    int16_t *clocks = graph_clock(g, e, CLOCK_PORF);
    _Static_assert(CLOCK_PORF == 0 && CLOCK_HB == 1 && CLOCK_FENCE == 3, "they lie side by side");
    if (ev->po_before != GRAPH_NONE)
        clock_copy(clocks, graph_clock(g, ev->po_before, CLOCK_PORF), 4 * g->width);
    else
        clock_clear(clocks, 4 * g->width);
    clocks[ev->thread] = clocks[g->width + ev->thread] = (int16_t)(ev->index + 1);
}

uint32_t graph_append(struct graph *g, uint32_t thread, enum graph_type type)
{
    if (thread >= g->thread_count)
        graph_admit_thread(g, thread);
    uint32_t e = g->count++, before = g->threads[thread].last;
    struct graph_event *ev = &g->events[e];
    ev->type = (uint8_t)type;
    ev->thread = (uint8_t)thread;
    ev->flags = 0;
    ev->depth = 0;
    ev->plain = 0;
    ev->state = 0;
    ev->rf = ev->reader = ev->mo_before = ev->mo_after = GRAPH_NONE;
    ev->location = ev->location_before = GRAPH_NONE;
    ev->po_before = before;
    ev->po_after = GRAPH_NONE;
    ev->index = before == GRAPH_NONE ? 0 : (uint16_t)(g->events[before].index + 1);
    if (before == GRAPH_NONE)
        g->threads[thread].first = e;
    else
        g->events[before].po_after = e;
    g->threads[thread].last = e;
    return e;
}

static uint64_t graph_mix(uint64_t h, uint64_t x)
{
    h = (h ^ (h >> 29) ^ x) * 0xd6e8feb86659fd93u;
    return h ^ (h >> 32);
}

uint64_t graph_history_after(uint64_t before, unsigned kind, uint64_t address, uint64_t found)
{
    return graph_mix((before ^ address ^ ((uint64_t)kind << 56)) * 0x9e3779b97f4a7c15u, found);
}

/* The number of the new thread, and that of its creator, on whose stack it may know addresses. The names of twins do not matter. */
static uint64_t graph_numbers_known(const struct graph *g, const struct graph_event *create)
{
    return g->has_twins ? 0 : create->address | (uint64_t)create->thread << 8;
}

/* What the thread can know after the event. Its own number is left out: another execution may give it to another thread. */
static uint64_t graph_history(const struct graph *g, const struct graph_event *ev, uint64_t found)
{
    uint64_t address = (ev->type == GRAPH_CREATE ? graph_numbers_known(g, ev) : ev->address) ^ ev->plain, h;
    if (ev->po_before != GRAPH_NONE) {
        h = g->events[ev->po_before].history;
    } else {
        uint32_t create = graph_first_create(g, ev->thread);
        h = create == GRAPH_NONE ? ev->thread : ~g->events[create].history;
    }
    if (graph_is_part(ev)) /* not to be taken for a read of all of it */
        h = ~h;
    return graph_history_after(h, ev->label.kind, address, found);
}

static uint64_t graph_fold(event_word value)
{
    uint64_t upper = (uint64_t)(value >> 64);
    return upper ? (uint64_t)value ^ hash_word(upper) : (uint64_t)value;
}

uint64_t graph_history_finding(const struct graph *g, const struct graph_event *e,
                               const struct graph_event *w)
{
    uint64_t h = graph_history(g, e, graph_fold(w->value));
    bool acquires = graph_is_acquire(g->effective_order[e->label.order]) ||
                    graph_is_acquire(g->effective_order[e->label.failure_order]);
    return g->writers_publish && acquires ? graph_mix(h, w->history) : h;
}

void graph_set_branch(struct graph *g, uint32_t e, uint32_t way)
{
    g->events[e].value = way;
    g->events[e].history = graph_history(g, &g->events[e], way);
    graph_follow_twin(g, e);
}

static void graph_complete_fence(struct graph *g, uint32_t e)
{
    unsigned order = g->events[e].order;
    if (order == ORDER_SEQ_CST)
        g->sc_fences++;
    if (graph_is_acquire(order))
        clock_join(graph_clock(g, e, CLOCK_HB), graph_clock(g, e, CLOCK_PENDING), g->width);
    if (graph_is_release(order))
        clock_copy(graph_clock(g, e, CLOCK_FENCE), graph_clock(g, e, CLOCK_HB), g->width);
}

static void graph_join_cause(struct graph *g, uint32_t e, uint32_t cause)
{
    if (cause == GRAPH_NONE)
        return;
    clock_join(graph_clock(g, e, CLOCK_PORF), graph_clock(g, cause, CLOCK_PORF), g->width);
    clock_join(graph_clock(g, e, CLOCK_HB), graph_clock(g, cause, CLOCK_HB), g->width);
}

void graph_complete_step(struct graph *g, uint32_t e)
{
    struct graph_event *ev = &g->events[e];
    if (ev->type == GRAPH_CREATE) {
        graph_admit_thread(g, (uint32_t)ev->address);
        g->threads[ev->address].create = e;
    }
    graph_inherit_clocks(g, e);
    ev->history = graph_history(g, ev, (uint64_t)ev->value);
    if (ev->type == GRAPH_FENCE)
        graph_complete_fence(g, e);
    else if (ev->type == GRAPH_BEGIN)
        graph_join_cause(g, e, g->threads[ev->thread].create);
    else if (ev->type == GRAPH_JOIN)
        graph_join_cause(g, e, g->threads[ev->address].last);
    graph_follow_twin(g, e);
    g->steps++;
}

void graph_join_location(struct graph *g, uint32_t e, uint32_t location)
{
    struct graph_location *l = &g->locations[location];
    struct graph_event *ev = &g->events[e];
    ev->location = location;
    ev->location_before = l->last;
    l->last = e;
}

static void graph_unlink_reader(struct graph *g, uint32_t r)
{
    struct graph_event *ev = &g->events[r];
    if (ev->rf == GRAPH_NONE)
        return;
    uint32_t *link = &g->events[ev->rf].reader;
    while (*link != r)
        link = &g->events[*link].reader;
    *link = ev->reader;
    graph_count_access(g, ev, UINT32_MAX);
    if (!(ev->flags & (GRAPH_BLOCKED | GRAPH_MORE)))
        g->steps--;
}

/* --- values of parts -------------------------------------------------------------------------------- */

static event_word graph_bytes(event_word value, unsigned size)
{
    return size >= sizeof value ? value : value & (((event_word)1 << 8 * size) - 1);
}

event_word graph_cut_value(const struct graph *g, const struct graph_event *ev, event_word value)
{
    const struct graph_location *l = &g->locations[ev->location];
    return graph_bytes(value >> 8 * (l->address - ev->address), l->size);
}

event_word graph_value(const struct graph *g, uint32_t last)
{
    const struct graph_event *ev = &g->events[last];
    if (!(ev->flags & GRAPH_PART))
        return ev->value;
    event_word value = 0;
    for (uint32_t e = last; e != GRAPH_NONE; e = graph_part_before(g, e))
        value |= g->events[e].value << 8 * (g->locations[g->events[e].location].address - ev->address);
    return value;
}

event_word graph_value_found(const struct graph *g, const struct graph_event *ev, event_word written)
{
    if (!(ev->flags & GRAPH_PIECE))
        return written;
    return graph_bytes(written >> 8 * (ev->address - g->locations[ev->location].address), ev->size);
}

/* --- what reads find -------------------------------------------------------------------------------- */

/* Does an operation that fails have its failure order? Others are not failures, they find what they look for. */
static bool operation_fails(enum operation o)
{
    return o == OPERATION_CAS || o == OPERATION_TRYLOCK || o == OPERATION_TRY_SHARE ||
           o == OPERATION_TRY_TAKE;
}

/* What failed without a locked instruction, as in glibc: try-locks of reader-writer locks and semaphores, once that is done, a
 * wake-up of no thread. Mutexes and spin locks are tried with compare and swap. */
static bool operation_only_looked(const struct graph_event *ev)
{
    switch (ev->label.operation) {
    case OPERATION_TRYLOCK: return ev->operand == OPERATION_EXCLUSIVE;
    case OPERATION_TRY_SHARE:
    case OPERATION_TRY_TAKE:
    case OPERATION_ENTER_ONCE:
    case OPERATION_WAKE_ONE:
    case OPERATION_WAKE_ALL: return true;
    default: return false;
    }
}

/* As long as parts are missing, whether the operation will succeed is not known: its order is the weakest. */
static void graph_find_effect_so_far(const struct graph *g, struct graph_event *ev)
{
    if (operation_may_write(ev->label.operation))
        ev->flags |= GRAPH_LOCKED;
    ev->order = g->effective_order[ORDER_RELAXED];
}

static void graph_find_effect(const struct graph *g, uint32_t r)
{
    struct graph_event *ev = &g->events[r];
    enum operation o = ev->label.operation;
    unsigned order = ev->label.order;
    ev->flags &= (uint16_t) ~(GRAPH_UPDATE | GRAPH_BLOCKED);
    if (ev->flags & GRAPH_MORE) {
        graph_find_effect_so_far(g, ev);
        return;
    }
    if (operation_picks(o))
        ev->expected = operation_first_pick(o, ev->value, 0);
    if (ev->flags & GRAPH_FAILS) {
        order = ev->label.failure_order;
    } else if (o != OPERATION_LOAD) {
        struct operation_effect effect =
            operation_apply(o, ev->size, ev->operand, ev->expected, graph_value(g, r));
        bool looked = effect.possible && !effect.writes && operation_only_looked(ev);
        if (looked)
            ev->flags &= (uint16_t)~GRAPH_LOCKED;
        else if (operation_may_write(o))
            ev->flags |= GRAPH_LOCKED;
        if (!effect.possible)
            ev->flags |= GRAPH_BLOCKED;
        else if (effect.writes)
            ev->flags |= GRAPH_UPDATE;
        else if (operation_fails(o))
            order = ev->label.failure_order;
    }
    ev->order = g->effective_order[order];
}

static uint64_t graph_history_of_read(const struct graph *g, const struct graph_event *ev)
{
    uint64_t published = g->writers_publish ? g->events[ev->rf].history : 0;
    return graph_mix(graph_history(g, ev, graph_fold(ev->value)), published);
}

/* An acquiring access gets the messages of what its earlier parts read, too. */
static void graph_acquire_parts(struct graph *g, uint32_t r)
{
    for (uint32_t e = graph_part_before(g, r); e != GRAPH_NONE; e = graph_part_before(g, e))
        clock_join(graph_clock(g, r, CLOCK_HB), graph_clock(g, g->events[e].rf, CLOCK_MESSAGE), g->width);
}

static void graph_read_from(struct graph *g, uint32_t r, uint32_t w)
{
    struct graph_event *ev = &g->events[r], *source = &g->events[w];
    if (ev->rf != GRAPH_NONE)
        graph_unlink_reader(g, r);
    ev->rf = w;
    ev->reader = source->reader;
    source->reader = r;
    ev->value = graph_value_found(g, ev, source->value);
    graph_find_effect(g, r);
    graph_count_access(g, ev, 1);
    if (!(ev->flags & (GRAPH_BLOCKED | GRAPH_MORE)))
        g->steps++;
    ev->history = graph_history_of_read(g, ev);
    graph_inherit_clocks(g, r);
    clock_join(graph_clock(g, r, CLOCK_PORF), graph_clock(g, w, CLOCK_PORF), g->width);
    const int16_t *message = graph_clock(g, w, CLOCK_MESSAGE);
    clock_join(graph_clock(g, r, CLOCK_PENDING), message, g->width);
    if (graph_is_acquire(ev->order)) {
        clock_join(graph_clock(g, r, CLOCK_HB), message, g->width);
        if (ev->flags & GRAPH_PART)
            graph_acquire_parts(g, r);
    }
    graph_follow_twin(g, r);
}

void graph_leave_open(struct graph *g, uint32_t r)
{
    struct graph_event *ev = &g->events[r];
    graph_unlink_reader(g, r);
    ev->rf = GRAPH_NONE;
    ev->value = 0;
    ev->flags = (uint16_t)((ev->flags & ~(GRAPH_UPDATE | GRAPH_FAILS)) | GRAPH_BLOCKED);
    graph_find_effect_so_far(g, ev);
    ev->history = g->events[ev->po_before].history;
    graph_inherit_clocks(g, r);
}

void graph_set_rf(struct graph *g, uint32_t r, uint32_t w)
{
    g->events[r].flags &= (uint16_t)~GRAPH_FAILS;
    graph_read_from(g, r, w);
}

bool graph_may_fail(const struct graph *g, uint32_t r)
{
    const struct graph_event *read = &g->events[r];
    return read->flags & GRAPH_WEAK && !(read->flags & GRAPH_MORE) && read->rf != GRAPH_NONE &&
           operation_apply(OPERATION_CAS, read->size, read->operand, read->expected, graph_value(g, r))
               .writes;
}

void graph_set_failing(struct graph *g, uint32_t r)
{
    struct graph_event *ev = &g->events[r];
    ev->flags |= GRAPH_FAILS;
    graph_read_from(g, r, ev->rf);
    ev->history = graph_mix(ev->history, GRAPH_FAILS);
}

void graph_set_pick(struct graph *g, uint32_t r, uint32_t pick)
{
    struct graph_event *ev = &g->events[r];
    ev->expected = pick;
    ev->history = graph_mix(graph_history_of_read(g, ev), pick); /* however often it is picked */
}

bool graph_picks_first(const struct graph_event *read)
{
    enum operation o = read->label.operation;
    return !operation_picks(o) || read->expected == operation_first_pick(o, read->value, 0);
}

uint32_t graph_sequence_head(const struct graph *g, const struct graph_event *w)
{
    for (uint32_t e = w->location_before; e != GRAPH_NONE; e = g->events[e].location_before) {
        uint32_t last = graph_last_part(g, e);
        const struct graph_event *before = &g->events[last];
        if (before->thread == w->thread && before->type == GRAPH_WRITE && graph_is_release(before->order))
            return last;
    }
    return GRAPH_NONE;
}

/* C11: the last release store knows all that those before it knew. What updates of others continued is not the thread's to go on
 * with. */
static void graph_continue_sequence(struct graph *g, uint32_t w, int16_t *message)
{
    uint32_t head = g->stores_continue ? graph_sequence_head(g, &g->events[w]) : GRAPH_NONE;
    if (head != GRAPH_NONE)
        clock_join(message, graph_clock(g, head, CLOCK_HB), g->width);
}

void graph_complete_write(struct graph *g, uint32_t w)
{
    struct graph_event *ev = &g->events[w];
    graph_inherit_clocks(g, w);
    ev->history = graph_history(g, ev, 0);
    graph_follow_twin(g, w);
    graph_count_access(g, ev, 1);
    int16_t *message = graph_clock(g, w, CLOCK_MESSAGE);
    enum graph_clock released = graph_is_release(ev->order) ? CLOCK_HB : CLOCK_FENCE;
    clock_copy(message, graph_clock(g, w, released), g->width);
    if (ev->flags & GRAPH_UPDATE)
        clock_join(message, graph_clock(g, g->events[ev->po_before].rf, CLOCK_MESSAGE), g->width);
    else
        g->steps++;
    graph_continue_sequence(g, w, message);
}

/* A thread that knows of one part knows of all. */
static void graph_know_parts(struct graph *g, uint32_t w, uint16_t index)
{
    for (unsigned c = CLOCK_PORF; c <= CLOCK_HB; c++)
        graph_clock(g, w, c)[g->events[w].thread] = (int16_t)(index + 1);
}

void graph_complete_parts(struct graph *g, uint32_t last)
{
    uint32_t first = graph_first_part(g, last);
    int16_t *message = graph_clock(g, last, CLOCK_MESSAGE);
    for (uint32_t w = first;; w = g->events[w].po_after) {
        struct graph_event *ev = &g->events[w];
        graph_inherit_clocks(g, w);
        graph_know_parts(g, w, g->events[last].index);
        ev->history = graph_history(g, ev, 0);
        graph_count_access(g, ev, 1);
        if (w == last)
            break;
    }
    enum graph_clock released = graph_is_release(g->events[last].order) ? CLOCK_HB : CLOCK_FENCE;
    clock_copy(message, graph_clock(g, last, released), g->width);
    for (uint32_t w = last; w != GRAPH_NONE && g->events[w].flags & GRAPH_UPDATE; w = graph_part_before(g, w))
        clock_join(message, graph_clock(g, graph_update_source(g, &g->events[w]), CLOCK_MESSAGE), g->width);
    for (uint32_t w = last; w != GRAPH_NONE; w = graph_part_before(g, w))
        graph_continue_sequence(g, w, message);
    for (uint32_t w = first; w != last; w = g->events[w].po_after)
        clock_copy(graph_clock(g, w, CLOCK_MESSAGE), message, g->width);
    if (!(g->events[last].flags & GRAPH_UPDATE))
        g->steps++;
}

void graph_place(struct graph *g, uint32_t w, uint32_t after)
{
    struct graph_event *ev = &g->events[w], *before = &g->events[after];
    ev->mo_before = after;
    ev->mo_after = before->mo_after;
    if (before->mo_after == GRAPH_NONE)
        g->locations[ev->location].mo_last = w;
    else
        g->events[before->mo_after].mo_before = w;
    before->mo_after = w;
}

void graph_unplace(struct graph *g, uint32_t w)
{
    struct graph_event *ev = &g->events[w];
    if (ev->mo_before == GRAPH_NONE)
        return;
    g->events[ev->mo_before].mo_after = ev->mo_after;
    if (ev->mo_after == GRAPH_NONE)
        g->locations[ev->location].mo_last = ev->mo_before;
    else
        g->events[ev->mo_after].mo_before = ev->mo_before;
    ev->mo_before = ev->mo_after = GRAPH_NONE;
}

/* --- taking away ------------------------------------------------------------------------------------ */

static void graph_leave_location(struct graph *g, uint32_t e)
{
    struct graph_event *ev = &g->events[e];
    g->locations[ev->location].last = ev->location_before;
    if (ev->type == GRAPH_READ) {
        graph_unlink_reader(g, e);
        return;
    }
    graph_unplace(g, e);
    graph_count_access(g, ev, UINT32_MAX);
    if (!(ev->flags & (GRAPH_UPDATE | GRAPH_MORE)))
        g->steps--;
}

static void graph_pop(struct graph *g)
{
    uint32_t e = --g->count;
    struct graph_event *ev = &g->events[e];
    if (ev->type == GRAPH_INIT) {
        g->locations[ev->location].init = GRAPH_NONE;
        return;
    }
    struct graph_thread *t = &g->threads[ev->thread];
    t->last = ev->po_before;
    if (ev->po_before == GRAPH_NONE)
        t->first = GRAPH_NONE;
    else
        g->events[ev->po_before].po_after = GRAPH_NONE;
    if (ev->type <= GRAPH_READ) {
        graph_leave_location(g, e);
        return;
    }
    g->steps--;
    if (ev->type == GRAPH_CREATE)
        g->threads[ev->address].create = GRAPH_NONE;
    else if (ev->type == GRAPH_FENCE && ev->order == ORDER_SEQ_CST)
        g->sc_fences--;
}

void graph_cut(struct graph *g, uint32_t count)
{
    while (g->count > count)
        graph_pop(g);
}
