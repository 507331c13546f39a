/* SPDX-License-Identifier: Apache-2.0 */
/* Executions displayed in another order: they stay the same, nothing in them looks stale that need not, and nobody switches
 * more often than before. */
#include "base/memory.h"
#include "explore/explore.h"
#include "explore/graphs.h"
#include "explore/graphs_display.h"
#include "explore/graphs_replay.h"
#include "litmus/litmus.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { STEPS_MOST = 1000 };

/* W and R stand for stores and loads of an order to be chosen. */
static const char *const shapes[] = {
    "C SB {} P0 (atomic_int* x, atomic_int* y) { W(x, 1); int r0 = R(y); }"
    "P1 (atomic_int* x, atomic_int* y) { W(y, 1); int r0 = R(x); } exists (true)",
    "C MP {} P0 (atomic_int* x, atomic_int* y) { W(x, 1); W(y, 1); }"
    "P1 (atomic_int* x, atomic_int* y) { int r0 = R(y); int r1 = R(x); int r2 = R(y); } exists (true)",
    "C 2+2W {} P0 (atomic_int* x, atomic_int* y) { W(x, 1); W(y, 2); int r0 = R(x); }"
    "P1 (atomic_int* x, atomic_int* y) { W(y, 1); W(x, 2); int r0 = R(y); } exists (true)",
    "C IRIW {} P0 (atomic_int* x) { W(x, 1); } P1 (atomic_int* y) { W(y, 1); }"
    "P2 (atomic_int* x, atomic_int* y) { int r0 = R(x); int r1 = R(y); }"
    "P3 (atomic_int* x, atomic_int* y) { int r0 = R(y); int r1 = R(x); } exists (true)",
    "C RMW {} P0 (atomic_int* x, atomic_int* y) { int r0 = atomic_fetch_add_explicit(x, 1, "
    "memory_order_relaxed);"
    " W(y, r0); } P1 (atomic_int* x, atomic_int* y) { W(x, 5); int r0 = R(y); } P2 (atomic_int* x) {"
    " int r0 = atomic_fetch_add_explicit(x, 1, memory_order_relaxed); int r1 = R(x); } exists (true)",
};

struct found {
    const struct litmus_test *test;
    struct explorer *explorer;
    const struct memory_model *model;
    const struct program_state *expected; /* null: the one that is displayed */
    uint32_t executions, weak;
};

/* "W(x, 1)" and "R(x)" in C, with these orders. */
static void write_test(struct text *out, const char *shape, const char *write, const char *read)
{
    for (const char *s = shape; *s; s++) {
        if (strncmp(s, "W(", 2) == 0 && s[-1] == ' ') {
            const char *end = strchr(s, ')');
            text_printf(out, "atomic_store_explicit(%.*s, memory_order_%s)", (int)(end - s - 2), s + 2,
                        write);
            s = end;
        } else if (strncmp(s, "R(", 2) == 0 && s[-1] == ' ') {
            const char *end = strchr(s, ')');
            text_printf(out, "atomic_load_explicit(%.*s, memory_order_%s)", (int)(end - s - 2), s + 2, read);
            s = end;
        } else {
            text_add(out, s, 1);
        }
    }
}

static uint32_t count_stale(const struct explorer *e, uint32_t *switches)
{
    uint32_t count = explore_graphs_step_count(e), stale = 0;
    struct graphs_relation *r = NEW_ARRAY(struct graphs_relation, count + 1);
    explore_graphs_relate(e, r);
    *switches = 0;
    for (uint32_t i = 0; i < count; i++) {
        *switches += i > 0 && r[i].thread != r[i - 1].thread;
        stale += r[i].writes ? r[i].newest != i + 1 : r[i].reads && r[i].newest != r[i].source;
    }
    free(r);
    return stale;
}

static bool compare(void *context, const struct program_state *s)
{
    const struct found *f = context;
    assert_int_equal(s->outcome, PORT_COMPLETE);
    assert_memory_equal(s->registers, f->expected->registers, sizeof s->registers);
    return true;
}

/* The writes of each location in their order. */
static bool has_same_values(const struct graph *a, const struct graph *b)
{
    for (uint32_t l = 0; l < a->location_count; l++)
        for (uint32_t k = 0; k < b->location_count; k++) {
            if (a->locations[l].address != b->locations[k].address || a->locations[l].init == GRAPH_NONE ||
                b->locations[k].init == GRAPH_NONE)
                continue;
            uint32_t v = a->locations[l].init, w = b->locations[k].init;
            for (; v != GRAPH_NONE && w != GRAPH_NONE; v = a->events[v].mo_after, w = b->events[w].mo_after)
                if (a->events[v].value != b->events[w].value)
                    return false;
            if (v != w)
                return false;
        }
    return true;
}

static bool tell_again(void *context, const struct program_state *s)
{
    struct found *f = context;
    static struct schedule_step steps[STEPS_MOST];
    uint32_t count = explore_graphs_display_schedule(f->explorer, false, steps, STEPS_MOST);
    assert_true(count > 0);
    struct explorer *follow = explore_graphs_replay(f->model, steps, count);
    struct found displayed = {.expected = s};
    program_explore(&f->test->program, follow, compare, &displayed);
    assert_false(explore_graphs_diverged(follow));
    const struct graph *g = explore_graphs_current(f->explorer);
    assert_true(has_same_values(g, explore_graphs_current(follow)));

    uint32_t switches, switches_before, stale_before = count_stale(f->explorer, &switches_before);
    uint32_t stale = count_stale(follow, &switches);
    assert_int_equal(stale == 0, model_is_consistent_full(&model_sc, g));
    assert_true(stale < stale_before || (stale == stale_before && switches <= switches_before) ||
                f->model == &model_tso);
    assert_true(stale <= stale_before);
    f->executions++;
    f->weak += stale > 0;
    explore_destroy(follow);
    return true;
}

static void explore_shape(const char *shape, const char *write, const char *read,
                          const struct memory_model *model, struct found *f)
{
    struct text text = {0};
    struct litmus_test test;
    struct diagnostic d = {0};
    write_test(&text, shape, write, read);
    if (!litmus_parse(&test, text.data, text.len, &d))
        fail_msg("%s: %d: %s", text.data, (int)d.column, d.message);
    f->test = &test;
    f->model = model;
    f->explorer = explore_graphs(&(struct graphs_settings){.model = model});
    program_explore(&test.program, f->explorer, tell_again, f);
    explore_destroy(f->explorer);
    litmus_free(&test);
    text_free(&text);
}

static void test_every_execution(void **state)
{
    (void)state;
    static const struct memory_model *const models[] = {&model_sc, &model_tso, &model_rc11};
    static const char *const orders[][2] = {
        {"relaxed", "relaxed"}, {"release", "acquire"}, {"seq_cst", "acquire"}, {"seq_cst", "seq_cst"}};
    struct found f = {0}, sc = {0};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        for (size_t m = 0; m < 3; m++)
            for (size_t o = 0; o < 4; o++)
                explore_shape(shapes[i], orders[o][0], orders[o][1], models[m],
                              models[m] == &model_sc ? &sc : &f);
    assert_int_equal(f.executions, 448);
    assert_int_equal(f.weak, 16);
    assert_int_equal(sc.weak, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_execution)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
