/* SPDX-License-Identifier: Apache-2.0 */
/* Conflict serializability and sequential consistency of executions made by hand, and of random ones against brute force. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "graph/compare/conflicts.h"
#include "graph/model.h"
#include "oracle/sketch.h"

#include <string.h>

/* --- executions by hand: steps in the order in which they happen ------------------------------------------------------------ */

static struct graph *g;
static struct conflicts *conflicts;

static int open_graph(void **state)
{
    (void)state;
    g = graph_new(model_rc11.effective_order, false);
    conflicts = conflicts_new();
    return 0;
}

static int close_graph(void **state)
{
    (void)state;
    graph_free(g);
    conflicts_free(conflicts);
    return 0;
}

static uint32_t append(uint32_t thread, enum graph_type type, enum event_kind kind, enum operation o)
{
    graph_reserve(g, 4, 0);
    uint32_t e = graph_append(g, thread, type);
    struct graph_event *ev = &g->events[e];
    ev->label = (struct graph_label){(uint8_t)kind, (uint8_t)o, ORDER_RELAXED, ORDER_RELAXED};
    ev->order = ORDER_RELAXED;
    ev->value = ev->operand = ev->expected = 0;
    ev->address = 0;
    ev->size = 8;
    return e;
}

static void mark(uint32_t thread, enum event_kind kind, uint32_t op)
{
    uint32_t e = append(thread, GRAPH_MARK, kind, OPERATION_NONE);
    g->events[e].value = op;
    graph_complete_step(g, e);
}

static void call(uint32_t thread, uint32_t op)
{
    mark(thread, EVENT_OP_CALL, op);
}

static void finish(uint32_t thread, uint32_t op)
{
    mark(thread, EVENT_OP_RETURN, op);
}

static void touch(uint32_t location)
{
    graph_reserve(g, 4, location + 1);
    if (location >= g->location_count || g->locations[location].init == GRAPH_NONE)
        graph_touch(g, location, 0x1000 + 8 * (uint64_t)location, 8, 0, false);
}

static uint32_t read_as(uint32_t thread, uint32_t location, enum event_kind kind, enum operation o,
                        bool newest)
{
    touch(location);
    uint32_t r = append(thread, GRAPH_READ, kind, o);
    g->events[r].operand = thread; /* who is woken */
    graph_join_location(g, r, location);
    graph_set_rf(g, r, newest ? g->locations[location].mo_last : g->locations[location].init);
    return r;
}

static uint32_t reads(uint32_t thread, uint32_t location)
{
    return read_as(thread, location, EVENT_READ, OPERATION_LOAD, true);
}

static void reads_initial(uint32_t thread, uint32_t location)
{
    read_as(thread, location, EVENT_READ, OPERATION_LOAD, false);
}

static void cas_fails(uint32_t thread, uint32_t location)
{
    uint32_t r = read_as(thread, location, EVENT_UPDATE, OPERATION_CAS, true);
    g->events[r].flags = (g->events[r].flags | GRAPH_LOCKED) & (uint16_t)~GRAPH_UPDATE;
}

static void write_as(uint32_t thread, uint32_t location, enum event_kind kind, enum operation o,
                     uint64_t value, bool update)
{
    touch(location);
    uint32_t w = append(thread, GRAPH_WRITE, kind, o);
    g->events[w].value = value;
    if (update)
        g->events[w].flags = GRAPH_UPDATE | GRAPH_LOCKED;
    graph_join_location(g, w, location);
    graph_complete_write(g, w);
    graph_place(g, w, g->locations[location].mo_last);
}

static void writes(uint32_t thread, uint32_t location, uint64_t value)
{
    write_as(thread, location, EVENT_WRITE, OPERATION_STORE, value, false);
}

static void updates(uint32_t thread, uint32_t location, enum event_kind kind, enum operation o,
                    uint64_t value)
{
    uint32_t r = read_as(thread, location, kind, o, true);
    g->events[r].flags |= GRAPH_UPDATE | GRAPH_LOCKED;
    write_as(thread, location, kind, o, value, true);
}

static void cas(uint32_t thread, uint32_t location, uint64_t value)
{
    updates(thread, location, EVENT_UPDATE, OPERATION_CAS, value);
}

static void lock(uint32_t thread, uint32_t location)
{
    updates(thread, location, EVENT_LOCK, OPERATION_LOCK, thread + 1);
}

static void unlock(uint32_t thread, uint32_t location)
{
    write_as(thread, location, EVENT_UNLOCK, OPERATION_UNLOCK, 0, false);
}

enum { X, Y, M, N };

static enum conflict_reason reason(void)
{
    assert_int_equal(conflicts_read(conflicts, g), CONFLICTS_CYCLE);
    assert_true(graph_is_sequential(g, NULL)); /* all of them are interleavings */
    return conflicts_reason(conflicts);
}

/* --- serializable or not ---------------------------------------------------------------------------------------------------- */

static void order_is_found(void **state)
{
    (void)state;
    call(1, 0), call(2, 1);
    reads(1, X), reads(2, X);
    cas(1, X, 5);
    finish(1, 0);
    writes(2, Y, 3);
    finish(2, 1);
    call(1, 2), reads(1, Y), finish(1, 2);
    assert_int_equal(conflicts_read(conflicts, g), CONFLICTS_SERIALIZABLE);
    assert_true(graph_is_sequential(g, NULL));
}

static void what_waits_has_not_happened(void **state)
{
    (void)state;
    call(1, 0), call(2, 1);
    reads(1, X);
    cas(2, X, 5);
    assert_int_equal(conflicts_read(conflicts, g), CONFLICTS_SERIALIZABLE);
    uint32_t r = reads(1, X);
    assert_int_equal(conflicts_read(conflicts, g), CONFLICTS_CYCLE);
    g->events[r].flags |= GRAPH_BLOCKED;
    assert_int_equal(conflicts_read(conflicts, g), CONFLICTS_SERIALIZABLE);
}

static void steps_outside_do_not_count(void **state)
{
    (void)state;
    writes(1, X, 1);
    call(1, 0), writes(1, Y, 1), finish(1, 0);
    call(2, 1), reads(2, Y);
    writes(1, X, 2);
    reads(2, X), writes(2, Y, 2), finish(2, 1);
    reads(1, Y);
    assert_int_equal(conflicts_read(conflicts, g), CONFLICTS_SERIALIZABLE);
}

/* Store buffering, one access in each operation: only the order of the threads' operations makes it a cycle. */
static void threads_keep_their_order(void **state)
{
    (void)state;
    struct graph_cycle cycle;
    call(1, 0), writes(1, X, 1), finish(1, 0);
    call(1, 1), reads_initial(1, Y), finish(1, 1);
    call(2, 2), writes(2, Y, 1), finish(2, 2);
    call(2, 3), reads_initial(2, X), finish(2, 3);
    assert_int_equal(conflicts_read(conflicts, g), CONFLICTS_CYCLE);
    conflicts_find_cycle(conflicts, &cycle);
    unsigned relations[5] = {0};
    for (uint32_t k = 0; k < cycle.count; k++)
        relations[cycle.steps[k].relation]++;
    assert_int_equal(relations[RELATION_THREAD], 2);
    assert_int_equal(relations[RELATION_TOO_EARLY_FOR], 2);
    assert_int_equal(relations[RELATION_TOGETHER], 4);
    assert_int_equal(conflicts_reason(conflicts), CONFLICT_INITIALISATION); /* as each is written once */
}

static void step(uint32_t thread, enum graph_type type, enum event_kind kind, uint32_t other)
{
    uint32_t e = append(thread, type, kind, OPERATION_NONE);
    g->events[e].value = g->events[e].address = other;
    graph_complete_step(g, e);
}

/* What main does before it creates a thread, and after it has joined it. */
static void main_comes_first_and_last(void **state)
{
    (void)state;
    for (int last = 0; last < 2; last++) {
        if (!last)
            call(0, 0), reads_initial(0, X), finish(0, 0);
        step(0, GRAPH_CREATE, EVENT_CREATE, 1), step(1, GRAPH_BEGIN, EVENT_BEGIN, 0);
        call(1, 1), writes(1, X, 1), finish(1, 1);
        step(1, GRAPH_END, EVENT_END, 0), step(0, GRAPH_JOIN, EVENT_JOIN, 1);
        if (last)
            call(0, 0), reads_initial(0, X), finish(0, 0);
        assert_int_equal(conflicts_read(conflicts, g), last ? CONFLICTS_CYCLE : CONFLICTS_SERIALIZABLE);
        assert_int_equal(graph_is_sequential(g, NULL), !last);
        graph_cut(g, 0);
    }
}

/* Store buffering as steps: W x, R y, W y, R x. */
static void weak_executions_are_noticed(void **state)
{
    (void)state;
    struct graph_cycle cycle;
    writes(1, X, 1), call(1, 0), reads_initial(1, Y);
    writes(2, Y, 1);
    assert_true(graph_is_sequential(g, &cycle));
    reads_initial(2, X);
    assert_false(graph_is_sequential(g, NULL));
    assert_false(graph_is_sequential(g, &cycle));
    assert_int_equal(cycle.count, 4);
    for (uint32_t k = 0; k < 4; k++) {
        const struct graph_event *ev = &g->events[cycle.steps[k].event];
        assert_int_equal(cycle.steps[k].relation,
                         ev->type == GRAPH_WRITE ? RELATION_THREAD : RELATION_TOO_EARLY_FOR);
    }
}

static void sixty_four_and_more(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < CONFLICTS_OPS_MAX; i++)
        call(1, i), finish(1, i);
    assert_int_equal(conflicts_read(conflicts, g), CONFLICTS_SERIALIZABLE);
    assert_int_equal(conflicts_operation_of(conflicts, 2 * 63), 63);
    call(2, 64);
    assert_int_equal(conflicts_read(conflicts, g), CONFLICTS_TOO_MANY);
}

/* --- reasons ---------------------------------------------------------------------------------------------------------------- */

static void push_with_retry(uint32_t top)
{
    call(1, 0), reads(1, top);
    call(2, 1), reads(2, top), cas(2, top, 90), finish(2, 1);
    cas_fails(1, top), reads(1, top), cas(1, top, 80), finish(1, 0);
}

static void failed_cas_is_tried_again(void **state)
{
    (void)state;
    push_with_retry(X);
    assert_int_equal(reason(), CONFLICT_RETRY);
    struct graph_cycle cycle;
    conflicts_find_cycle(conflicts, &cycle);
    assert_int_equal(cycle.count, 4 - 1); /* one of the two operations has one access for both */
    assert_int_equal(conflicts_operation_of(conflicts, cycle.steps[0].event), 0);
}

/* A failed CAS that ends the operation is its answer. */
static void failed_cas_alone_is_no_reason(void **state)
{
    (void)state;
    call(1, 0), reads(1, Y);
    call(2, 1), writes(2, Y, 9), cas(2, X, 90), finish(2, 1);
    cas_fails(1, X), finish(1, 0);
    call(2, 2), writes(2, Y, 7), cas(2, X, 50), finish(2, 2);
    assert_int_equal(reason(), CONFLICT_OTHER);
}

static void early_look_is_repeated(void **state)
{
    (void)state;
    call(1, 0), reads(1, X);
    call(2, 1), lock(2, M), writes(2, X, 9), unlock(2, M), finish(2, 1);
    lock(1, M), reads(1, X), unlock(1, M), finish(1, 0);
    call(2, 2), lock(2, M), writes(2, X, 4), unlock(2, M), finish(2, 2);
    assert_int_equal(reason(), CONFLICT_RECHECK);
}

static void number_that_grows(uint64_t second)
{
    call(1, 0), reads(1, N);
    call(2, 1), writes(2, N, 1), writes(2, X, 7), finish(2, 1);
    call(2, 2), writes(2, N, second), writes(2, X, 3), finish(2, 2);
    reads(1, X), finish(1, 0);
}

static void growing_number_is_compared(void **state)
{
    (void)state;
    number_that_grows(2);
    assert_int_equal(reason(), CONFLICT_COMPARISON);
}

static void number_goes_up_and_down(void **state)
{
    (void)state;
    number_that_grows(0);
    assert_int_equal(reason(), CONFLICT_OTHER);
}

/* Addresses grow by accident. */
static void addresses_are_not_compared(void **state)
{
    (void)state;
    number_that_grows(UINT64_C(0x7f0000001000));
    assert_int_equal(reason(), CONFLICT_OTHER);
}

static void lazy_initialisation(uint32_t mutex, uint32_t data, uint32_t first)
{
    call(1, first), reads(1, data);
    call(2, first + 1), lock(2, mutex), unlock(2, mutex), writes(2, data, 9), writes(2, data, 4);
    finish(2, first + 1);
    lock(1, mutex), unlock(1, mutex), finish(1, first);
}

static void lock_is_taken_once(void **state)
{
    (void)state;
    lazy_initialisation(M, Y, 0);
    assert_int_equal(reason(), CONFLICT_INITIALISATION);
    call(2, 2), lock(2, M), unlock(2, M), finish(2, 2);
    assert_int_equal(reason(), CONFLICT_OTHER);
}

/* T1 registers, sleeps, is woken and looks again; what it wrote is between two writes of others. */
static void operation_that_slept(void **state)
{
    (void)state;
    call(3, 0), cas(3, X, 5);
    call(1, 1), cas(1, X, 90), updates(1, Y, EVENT_COND_WAIT, OPERATION_SLEEP, 1);
    call(2, 2), cas(2, X, 3), updates(2, Y, EVENT_COND_BROADCAST, OPERATION_WAKE_ALL, 1 << 1), finish(2, 2);
    updates(1, Y, EVENT_COND_WAKE, OPERATION_WOKEN, 0), reads(1, X), finish(1, 1);
    assert_int_equal(reason(), CONFLICT_WAIT);
}

/* Leaving writes out must not hide that those before are overwritten by those after. */
static void order_goes_on_behind_what_is_left_out(void **state)
{
    (void)state;
    call(3, 0), writes(3, X, 5), reads(3, M), writes(3, M, 4), writes(3, M, 3);
    call(1, 1), cas(1, X, 90), updates(1, Y, EVENT_COND_WAIT, OPERATION_SLEEP, 1);
    call(2, 2), writes(2, X, 3), updates(2, Y, EVENT_COND_BROADCAST, OPERATION_WAKE_ALL, 1 << 1);
    writes(2, N, 8), writes(2, N, 2), finish(2, 2);
    updates(1, Y, EVENT_COND_WAKE, OPERATION_WOKEN, 0), finish(1, 1);
    reads(3, N), finish(3, 0);
    assert_int_equal(reason(), CONFLICT_OTHER);
}

static void reads_go_on_behind_what_is_left_out(void **state)
{
    (void)state;
    call(3, 0), writes(3, X, 95);
    call(1, 1), cas(1, X, 90), updates(1, Y, EVENT_COND_WAIT, OPERATION_SLEEP, 1);
    call(2, 2), reads(2, X), updates(2, Y, EVENT_COND_BROADCAST, OPERATION_WAKE_ALL, 1 << 1);
    writes(2, N, 8), writes(2, N, 2), finish(2, 2);
    updates(1, Y, EVENT_COND_WAKE, OPERATION_WOKEN, 0), finish(1, 1);
    reads(3, N), finish(3, 0);
    assert_int_equal(reason(), CONFLICT_OTHER);
}

static void several_reasons(void **state)
{
    (void)state;
    push_with_retry(X);
    lazy_initialisation(M, Y, 2);
    assert_int_equal(reason(), CONFLICT_SEVERAL);
}

/* Both read, both write: nothing excuses that. */
static void lost_update_has_no_reason(void **state)
{
    (void)state;
    call(1, 0), call(2, 1);
    reads(1, X), reads(2, X), writes(1, X, 5), writes(2, X, 3);
    finish(1, 0), finish(2, 1);
    assert_int_equal(reason(), CONFLICT_OTHER);
}

/* --- random executions ------------------------------------------------------------------------------------------------------ */

struct brute {
    const struct sketch *s;
    uint8_t op[SKETCH_EVENTS];
    uint64_t before[SKETCH_OPS]; /* bit a: a is before */
};

enum { NOBODY = 0xff };

static void find_operations(struct brute *b)
{
    uint8_t open[SKETCH_THREADS];
    uint64_t done[SKETCH_THREADS] = {0}, created[SKETCH_THREADS] = {0};
    memset(open, NOBODY, sizeof open);
    for (uint32_t e = 0; e < b->s->count; e++) {
        const struct sketch_event *ev = &b->s->events[e];
        uint8_t t = ev->thread;
        switch (ev->kind) {
        case SKETCH_CALL: b->before[ev->other] |= done[t] | created[t], open[t] = ev->other; break;
        case SKETCH_CREATE: created[ev->other] = done[t] | created[t]; break;
        case SKETCH_JOIN: done[t] |= done[ev->other] | created[ev->other]; break;
        default: break;
        }
        b->op[e] = open[t];
        if (ev->kind == SKETCH_RETURN) {
            open[t] = NOBODY;
            done[t] |= UINT64_C(1) << ev->other;
        }
    }
}

/* Where in the modification order: a write's own place, from 1; a read's: that of its source. */
static int place_of(const struct sketch *s, int e)
{
    if (e == SKETCH_INITIAL)
        return 0;
    for (uint32_t k = 0; k < s->mo_count[s->events[e].location]; k++)
        if (s->mo[s->events[e].location][k] == e)
            return (int)k + 1;
    return place_of(s, s->events[e].from);
}

static bool is_access(const struct sketch_event *e)
{
    return e->kind == SKETCH_READ || e->kind == SKETCH_WRITE || e->kind == SKETCH_UPDATE;
}

/* Does access a come before access b? */
static bool conflicts_before(const struct sketch *s, uint32_t a, uint32_t b)
{
    const struct sketch_event *x = &s->events[a], *y = &s->events[b];
    bool x_writes = x->kind != SKETCH_READ, y_writes = y->kind != SKETCH_READ;
    if (!is_access(x) || !is_access(y) || x->location != y->location || (!x_writes && !y_writes))
        return false;
    int px = place_of(s, (int)a), py = place_of(s, (int)b);
    return px < py || (px == py && x_writes && !y_writes);
}

static bool brute_is_serializable(const struct sketch *s)
{
    struct brute b = {.s = s};
    find_operations(&b);
    for (uint32_t x = 0; x < s->count; x++)
        for (uint32_t y = 0; y < s->count; y++)
            if (b.op[x] != NOBODY && b.op[y] != NOBODY && b.op[x] != b.op[y] && conflicts_before(s, x, y))
                b.before[b.op[y]] |= UINT64_C(1) << b.op[x];
    for (uint32_t k = 0; k < SKETCH_OPS; k++)
        for (uint32_t y = 0; y < SKETCH_OPS; y++)
            if (b.before[y] >> k & 1)
                b.before[y] |= b.before[k];
    for (uint32_t y = 0; y < SKETCH_OPS; y++)
        if (b.before[y] >> y & 1)
            return false;
    return true;
}

/* All that a cycle says is so, and it comes back to where it began. */
static void check_cycle(const struct graph *graph, const struct graph_cycle *cycle)
{
    assert_true(cycle->count > 1);
    for (uint32_t k = 0; k < cycle->count; k++) {
        uint32_t a = cycle->steps[k].event, b = cycle->steps[(k + 1) % cycle->count].event;
        const struct graph_event *x = &graph->events[a], *y = &graph->events[b];
        switch (cycle->steps[k].relation) {
        case RELATION_THREAD: assert_true(graph_includes(graph_clock(graph, b, CLOCK_PORF), x)); break;
        case RELATION_READ_BY: assert_int_equal(y->rf, a); break;
        case RELATION_OVERWRITTEN_BY: assert_int_equal(y->mo_before, a); break;
        case RELATION_TOO_EARLY_FOR: assert_int_equal(y->mo_before, x->rf); break;
        case RELATION_TOGETHER:
            assert_int_equal(conflicts_operation_of(conflicts, a), conflicts_operation_of(conflicts, b));
        }
    }
}

static void compare_sketch(const struct sketch *s, const struct memory_model *model, unsigned *cycles,
                           unsigned *weak)
{
    struct graph_cycle cycle;
    struct graph *graph = sketch_graph(s, model, NULL, 0);
    assert_non_null(graph);
    bool serializable = conflicts_read(conflicts, graph) == CONFLICTS_SERIALIZABLE;
    assert_int_equal(serializable, brute_is_serializable(s));
    if (!serializable) {
        conflicts_find_cycle(conflicts, &cycle);
        check_cycle(graph, &cycle);
        assert_true(conflicts_reason(conflicts) < CONFLICT_REASON_COUNT);
        ++*cycles;
    }
    bool sequential = graph_is_sequential(graph, &cycle);
    assert_int_equal(sequential, model_is_consistent_full(&model_sc, graph));
    if (!sequential) {
        check_cycle(graph, &cycle);
        ++*weak;
    }
    graph_free(graph);
}

static void random_executions(void **state)
{
    (void)state;
    static const struct memory_model *const models[] = {&model_sc, &model_tso, &model_rc11};
    struct plumb_values *values = plumb_values_create();
    static struct sketch s;
    uint64_t seed = 1;
    unsigned cycles = 0, weak = 0;
    for (unsigned k = 0; k < 9000; k++) {
        struct sketch_wishes w = {
            .model = models[k % 3], .spec = "queue", .ops_most = 6, .threads_most = 3, .objects = 1};
        if (sketch_random(&s, &w, values, &seed))
            compare_sketch(&s, models[k % 3], &cycles, &weak);
    }
    assert_true(cycles > 500 && weak > 20);
    plumb_values_destroy(values);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, open_graph, close_graph)
    const struct CMUnitTest tests[] = {
        TEST(order_is_found),
        TEST(what_waits_has_not_happened),
        TEST(steps_outside_do_not_count),
        TEST(threads_keep_their_order),
        TEST(main_comes_first_and_last),
        TEST(weak_executions_are_noticed),
        TEST(sixty_four_and_more),
        TEST(failed_cas_is_tried_again),
        TEST(failed_cas_alone_is_no_reason),
        TEST(early_look_is_repeated),
        TEST(growing_number_is_compared),
        TEST(number_goes_up_and_down),
        TEST(addresses_are_not_compared),
        TEST(lock_is_taken_once),
        TEST(operation_that_slept),
        TEST(order_goes_on_behind_what_is_left_out),
        TEST(reads_go_on_behind_what_is_left_out),
        TEST(several_reasons),
        TEST(lost_update_has_no_reason),
        TEST(random_executions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
