/* SPDX-License-Identifier: Apache-2.0 */
/* The write and the read that would have to be release and acquire: by hand, and of random graphs against every set of accesses
 * that could be stronger. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "graph/model.h"
#include "graph/weak_link.h"

#include <string.h>

static struct graph *g;

static int open_graph(void **state)
{
    (void)state;
    g = graph_new(model_rc11.effective_order, false);
    return 0;
}

static int close_graph(void **state)
{
    (void)state;
    graph_free(g);
    return 0;
}

static uint32_t append(uint32_t thread, enum graph_type type, enum operation o, unsigned order)
{
    graph_reserve(g, 4, 0);
    uint32_t e = graph_append(g, thread, type);
    struct graph_event *ev = &g->events[e];
    ev->label = (struct graph_label){EVENT_READ, (uint8_t)o, (uint8_t)order, (uint8_t)order};
    ev->order = g->effective_order[order];
    ev->value = ev->operand = ev->expected = 0;
    ev->address = 0;
    ev->size = 8;
    return e;
}

static uint32_t step(uint32_t thread, enum graph_type type, unsigned order, uint32_t other)
{
    uint32_t e = append(thread, type, OPERATION_NONE, order);
    g->events[e].address = other;
    graph_complete_step(g, e);
    return e;
}

static uint32_t mark(uint32_t thread)
{
    return step(thread, GRAPH_MARK, ORDER_RELAXED, 0);
}

static void touch(uint32_t location)
{
    graph_reserve(g, 4, location + 1);
    if (location >= g->location_count || g->locations[location].init == GRAPH_NONE)
        graph_touch(g, location, 0x1000 + 8 * (uint64_t)location, 8, 0, false);
}

static uint32_t write_at(uint32_t thread, uint32_t location, unsigned order, uint16_t flags)
{
    touch(location);
    uint32_t e = append(thread, GRAPH_WRITE, OPERATION_STORE, order);
    g->events[e].flags |= flags;
    graph_join_location(g, e, location);
    graph_complete_write(g, e);
    graph_place(g, e, g->locations[location].mo_last);
    return e;
}

static uint32_t read_of(uint32_t thread, uint32_t write, unsigned order, enum operation o)
{
    uint32_t e = append(thread, GRAPH_READ, o, order);
    graph_join_location(g, e, g->events[write].location);
    graph_set_rf(g, e, write);
    return e;
}

static uint32_t update_of(uint32_t thread, uint32_t write, unsigned order)
{
    read_of(thread, write, order, OPERATION_ADD);
    return write_at(thread, g->events[write].location, order, GRAPH_UPDATE);
}

static void expect(uint32_t from, uint32_t to, uint32_t write, uint32_t read, bool write_is_weak,
                   bool read_is_weak, uint32_t count)
{
    struct graph_weak_link link;
    assert_true(graph_find_weak_link(g, from, to, &link));
    assert_int_equal(link.write, write);
    assert_int_equal(link.read, read);
    assert_int_equal(link.write_is_weak, write_is_weak);
    assert_int_equal(link.read_is_weak, read_is_weak);
    assert_int_equal(link.count, count);
}

static void names_the_side_that_is_too_weak(void **state)
{
    (void)state;
    for (int release = 0; release < 2; release++)
        for (int acquire = 0; acquire < 2; acquire++) {
            graph_cut(g, 0);
            uint32_t from = mark(0);
            uint32_t w = write_at(0, 0, release ? ORDER_RELEASE : ORDER_RELAXED, 0);
            uint32_t r = read_of(1, w, acquire ? ORDER_ACQUIRE : ORDER_RELAXED, OPERATION_LOAD);
            uint32_t to = mark(1);
            struct graph_weak_link link;
            if (release && acquire)
                assert_false(graph_find_weak_link(g, from, to, &link));
            else
                expect(from, to, w, r, !release, !acquire, 1);
            assert_false(graph_find_weak_link(g, to, from, &link)); /* no way at all */
        }
}

static void goes_on_through_updates(void **state)
{
    (void)state;
    uint32_t from = mark(0);
    uint32_t w = write_at(0, 0, ORDER_RELAXED, 0);
    uint32_t u = update_of(1, w, ORDER_RELAXED);
    uint32_t r = read_of(2, u, ORDER_ACQUIRE, OPERATION_LOAD);
    uint32_t to = mark(2);
    expect(from, to, w, r, true, false, 1);
}

static void fences_stand_for_accesses(void **state)
{
    (void)state;
    uint32_t from = mark(0);
    uint32_t f = step(0, GRAPH_FENCE, ORDER_RELEASE, 0);
    uint32_t w = write_at(0, 0, ORDER_RELAXED, 0);
    uint32_t r = read_of(1, w, ORDER_RELAXED, OPERATION_LOAD);
    uint32_t to = mark(1);
    expect(from, to, w, r, false, true, 1);
    struct graph_weak_link link;
    graph_find_weak_link(g, from, to, &link);
    assert_int_equal(link.release_fence, f);
    assert_int_equal(link.acquire_fence, GRAPH_NONE);
    step(1, GRAPH_FENCE, ORDER_ACQUIRE, 0);
    assert_false(graph_find_weak_link(g, from, mark(1), &link));
}

static void names_the_fence_that_acquires(void **state)
{
    (void)state;
    uint32_t from = mark(0);
    uint32_t w = write_at(0, 0, ORDER_RELAXED, 0);
    uint32_t r = read_of(1, w, ORDER_RELAXED, OPERATION_LOAD);
    uint32_t f = step(1, GRAPH_FENCE, ORDER_ACQUIRE, 0);
    uint32_t to = mark(1);
    expect(from, to, w, r, true, false, 1);
    struct graph_weak_link link;
    graph_find_weak_link(g, from, to, &link);
    assert_int_equal(link.acquire_fence, f);
}

static void prefers_the_fewest_changes(void **state)
{
    (void)state;
    uint32_t from = mark(0);
    uint32_t direct = write_at(0, 0, ORDER_RELAXED, 0);
    uint32_t w = write_at(0, 1, ORDER_RELEASE, 0);
    uint32_t r = read_of(1, w, ORDER_ACQUIRE, OPERATION_LOAD);
    uint32_t second = write_at(1, 2, ORDER_RELEASE, 0);
    read_of(2, direct, ORDER_RELAXED, OPERATION_LOAD);
    uint32_t last = read_of(2, second, ORDER_RELAXED, OPERATION_LOAD);
    uint32_t to = mark(2);
    (void)r;
    expect(from, to, second, last, false, true, 1);
}

static void prefers_what_publishes_more(void **state)
{
    (void)state;
    uint32_t from = mark(0);
    uint32_t slot = write_at(0, 0, ORDER_RELAXED, 0);
    uint32_t tail = write_at(0, 1, ORDER_RELAXED, 0);
    uint32_t r = read_of(1, tail, ORDER_RELAXED, OPERATION_LOAD);
    read_of(1, slot, ORDER_RELAXED, OPERATION_LOAD);
    expect(from, mark(1), tail, r, true, true, 1);
}

static void waiting_reads_have_not_happened(void **state)
{
    (void)state;
    uint32_t from = mark(0);
    uint32_t w = write_at(0, 0, ORDER_RELAXED, 0);
    uint32_t r = read_of(1, w, ORDER_RELAXED, OPERATION_LOAD);
    g->events[r].flags |= GRAPH_BLOCKED;
    struct graph_weak_link link;
    assert_false(graph_find_weak_link(g, from, r, &link));
    g->events[r].flags &= (uint16_t)~GRAPH_BLOCKED;
    assert_true(graph_find_weak_link(g, from, r, &link));
}

/* --- every set of accesses that could be stronger ---------------------------------------------------------------------------- */

enum { EVENTS_MOST = 40 };
static bool stronger[EVENTS_MOST];
static bool before[EVENTS_MOST][EVENTS_MOST];

static bool releases(uint32_t e)
{
    return graph_is_release(g->events[e].order) || stronger[e];
}

static bool acquires(uint32_t e)
{
    return graph_is_acquire(g->events[e].order) || stronger[e];
}

static bool in_program_order(uint32_t a, uint32_t b)
{
    const struct graph_event *x = &g->events[a], *y = &g->events[b];
    return x->type != GRAPH_INIT && x->thread == y->thread && x->index < y->index;
}

/* Does the write that is read belong to the release sequence of w? */
static bool continues(uint32_t w, uint32_t read)
{
    if (w == read)
        return true;
    const struct graph_event *ev = &g->events[read];
    if (g->stores_continue && ev->location == g->events[w].location && in_program_order(w, read))
        return true;
    return ev->type == GRAPH_WRITE && ev->flags & GRAPH_UPDATE && continues(w, g->events[ev->po_before].rf);
}

static void synchronize(uint32_t w, uint32_t r)
{
    for (uint32_t a = 0; a < g->count; a++)
        for (uint32_t b = 0; b < g->count; b++) {
            bool from = a == w ? releases(w)
                               : g->events[a].type == GRAPH_FENCE && releases(a) && in_program_order(a, w);
            bool to = b == r ? acquires(r)
                             : g->events[b].type == GRAPH_FENCE && acquires(b) && in_program_order(r, b);
            before[a][b] |= from && to;
        }
}

static void add_edges(void)
{
    for (uint32_t a = 0; a < g->count; a++)
        for (uint32_t b = 0; b < g->count; b++) {
            const struct graph_event *x = &g->events[a], *y = &g->events[b];
            before[a][b] = in_program_order(a, b);
            before[a][b] |= x->type == GRAPH_CREATE && y->type == GRAPH_BEGIN && x->address == y->thread;
            before[a][b] |=
                y->type == GRAPH_JOIN && x->type != GRAPH_INIT && x->thread == y->address; /* added last */
        }
    for (uint32_t w = 0; w < g->count; w++)
        for (uint32_t r = 0; r < g->count; r++)
            if (g->events[w].type == GRAPH_WRITE && g->events[r].type == GRAPH_READ &&
                continues(w, g->events[r].rf))
                synchronize(w, r);
}

static bool happens_before(uint32_t from, uint32_t to)
{
    memset(before, 0, sizeof before);
    add_edges();
    for (uint32_t k = 0; k < g->count; k++)
        for (uint32_t a = 0; a < g->count; a++)
            for (uint32_t b = 0; before[a][k] && b < g->count; b++)
                before[a][b] |= before[k][b];
    return from == to || before[from][to];
}

static uint32_t weak[EVENTS_MOST], weak_count;

/* Is it enough to make `size` more of the weak accesses, from the given one on, stronger? */
static bool suffices(uint32_t first, uint32_t size, uint32_t from, uint32_t to)
{
    if (size == 0)
        return happens_before(from, to);
    for (uint32_t i = first; i + size <= weak_count; i++) {
        bool was = stronger[weak[i]];
        stronger[weak[i]] = true;
        bool found = suffices(i + 1, size - 1, from, to);
        stronger[weak[i]] = was;
        if (found)
            return true;
    }
    return false;
}

enum { NO_SET = 99 };

static uint32_t fewest(uint32_t from, uint32_t to)
{
    for (uint32_t size = 0; size <= weak_count && size <= 5; size++)
        if (suffices(0, size, from, to))
            return size;
    return NO_SET;
}

static uint64_t random_state = 1;

static uint32_t random_below(uint32_t n)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((random_state >> 33) % n);
}

static uint32_t random_write(uint32_t location)
{
    touch(location);
    uint32_t w = g->locations[location].mo_last;
    for (uint32_t back = random_below(4) == 0; back > 0 && g->events[w].mo_before != GRAPH_NONE; back--)
        w = g->events[w].mo_before;
    return w;
}

static void random_event(uint32_t thread)
{
    static const uint8_t fences[] = {ORDER_ACQUIRE, ORDER_RELEASE, ORDER_SEQ_CST};
    static const uint8_t updates[] = {ORDER_RELAXED, ORDER_RELAXED, ORDER_ACQUIRE, ORDER_RELEASE,
                                      ORDER_ACQ_REL};
    uint32_t location = random_below(2), kind = random_below(7);
    uint8_t order; /* chosen before the write: compilers differ in the order of arguments */
    switch (kind) {
    case 0:
    case 1: write_at(thread, location, random_below(3) ? ORDER_RELAXED : ORDER_RELEASE, 0); break;
    case 2:
    case 3:
    case 4:
        order = random_below(3) ? ORDER_RELAXED : ORDER_ACQUIRE;
        read_of(thread, random_write(location), order, OPERATION_LOAD);
        break;
    case 5:
        order = updates[random_below(5)];
        update_of(thread, random_write(location), order);
        break;
    default: step(thread, GRAPH_FENCE, fences[random_below(3)], 0); break;
    }
}

/* Threads 1 to 3, of which the last may be created by the first and be joined by the second. */
static void random_graph(void)
{
    graph_cut(g, 0);
    bool creates = random_below(2), joins = random_below(2);
    for (uint32_t length = 6 + random_below(8); length > 0; length--)
        random_event(1 + random_below(creates ? 2 : 3));
    if (creates) {
        step(1, GRAPH_CREATE, ORDER_RELAXED, 3);
        step(3, GRAPH_BEGIN, ORDER_RELAXED, 0);
        for (uint32_t length = 1 + random_below(4); length > 0; length--)
            random_event(1 + random_below(3));
    }
    if (joins && g->thread_count > 3 && g->threads[3].last != GRAPH_NONE)
        step(2, GRAPH_JOIN, ORDER_RELAXED, 3);
    weak_count = 0;
    for (uint32_t e = 0; e < g->count; e++)
        if ((g->events[e].type == GRAPH_READ && !acquires(e)) ||
            (g->events[e].type == GRAPH_WRITE && !releases(e)))
            weak[weak_count++] = e;
}

static void strengthen(const struct graph_weak_link *link, bool by)
{
    if (link->write_is_weak)
        stronger[link->write] = by;
    if (link->read_is_weak)
        stronger[link->read] = by;
}

/* What the link names is part of a smallest set: with it, that many fewer are enough. */
static void check_link(uint32_t from, uint32_t to, uint32_t size)
{
    struct graph_weak_link link;
    bool found = graph_find_weak_link(g, from, to, &link);
    assert_int_equal(found, size != 0 && size != NO_SET);
    if (!found)
        return;
    assert_true(link.write_is_weak || link.read_is_weak);
    assert_int_equal(g->events[link.write].type, GRAPH_WRITE);
    assert_true(continues(link.write, g->events[link.read].rf));
    uint32_t named = (uint32_t)link.write_is_weak + link.read_is_weak;
    assert_true(named <= size);
    assert_int_equal(named == size, link.count == 1);
    strengthen(&link, true);
    assert_int_equal(fewest(from, to), size - named);
    strengthen(&link, false);
}

static uint32_t random_step(uint32_t first, uint32_t count)
{
    for (;;) {
        uint32_t e = first + random_below(count);
        if (g->events[e].type != GRAPH_INIT)
            return e;
    }
}

static void agree_with_every_set(bool stores_continue)
{
    uint32_t sizes[7] = {0};
    g->stores_continue = stores_continue;
    for (uint32_t i = 0; i < 500; i++) {
        random_graph();
        if (g->count > 24)
            continue;
        for (uint32_t k = 0; k < 3; k++) {
            uint32_t from = random_step(0, k ? 4 : g->count),
                     to = random_step(k ? g->count - 5 : 0, k ? 5 : g->count), size = fewest(from, to);
            sizes[size == NO_SET ? 6 : size]++;
            check_link(from, to, size);
        }
    }
    for (uint32_t size = 0; size <= 3; size++)
        assert_true(sizes[size] > (size < 3 ? 40 : 1));
    assert_true(sizes[6] > 100);
}

static void agrees_with_every_set(void **state)
{
    (void)state;
    agree_with_every_set(false);
    agree_with_every_set(true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(names_the_side_that_is_too_weak, open_graph, close_graph),
        cmocka_unit_test_setup_teardown(goes_on_through_updates, open_graph, close_graph),
        cmocka_unit_test_setup_teardown(fences_stand_for_accesses, open_graph, close_graph),
        cmocka_unit_test_setup_teardown(names_the_fence_that_acquires, open_graph, close_graph),
        cmocka_unit_test_setup_teardown(prefers_the_fewest_changes, open_graph, close_graph),
        cmocka_unit_test_setup_teardown(prefers_what_publishes_more, open_graph, close_graph),
        cmocka_unit_test_setup_teardown(waiting_reads_have_not_happened, open_graph, close_graph),
        cmocka_unit_test_setup_teardown(agrees_with_every_set, open_graph, close_graph),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
