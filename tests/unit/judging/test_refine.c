/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "refine/refine.h"
#include "support/refine/refine_doubles.h"
#include "spec/registry.h"

static struct refine_result result;

/* --- runs ------------------------------------------------------------------------------------------------------ */

/* Is there a step from `from` that is the event's? */
static bool follows(const struct refine_system *s, const uint8_t *from, const struct refine_event *e)
{
    struct refine_steps steps = {0};
    bool found = false;
    s->steps(s, from, &steps);
    for (size_t i = 0; i < steps.steps.len; i++) {
        const struct refine_step *step = &steps.steps.data[i];
        uint8_t *next = steps.states.data + i * s->state_size;
        for (unsigned k = 0; k < step->arg_count; k++)
            refine_store(&s->locations[step->args[k]], next, e->args[k]);
        found |= step->kind == e->step.kind && step->thread == e->step.thread &&
                 step->value == e->step.value && !memcmp(next, e->state, s->state_size);
    }
    refine_steps_free(&steps);
    return found;
}

/* Names stay the same from step to step. */
static void expect_run_of(const struct refine_system *s, const struct refine_result *r)
{
    uint8_t first[256];
    s->initial(s, first);
    for (size_t i = 0; i < r->run.len; i++)
        assert_true(follows(s, i ? r->run.data[i - 1].state : first, &r->run.data[i]));
}

/* --- questions --------------------------------------------------------------------------------------------------- */

static bool is_never_final(const struct refine_system *s, const uint8_t *state)
{
    (void)s, (void)state;
    return false;
}

static enum verdict check(const struct double_table *table, unsigned threads, const char *spec,
                          const char *quasi, struct refine_settings settings)
{
    struct double_system d;
    struct diagnostic diagnostic = {0};
    bool is_stack = strcmp(spec, "stack") == 0, is_pqueue = strcmp(spec, "pqueue") == 0;
    double_init(&d, table, threads,
                is_stack    ? "push"
                : is_pqueue ? "insert"
                            : "enq",
                is_stack    ? "pop"
                : is_pqueue ? "delete_min"
                            : "deq");
    d.system.is_final = is_never_final;
    settings.spec = spec_find(spec);
    settings.quasi = quasi;
    refine_result_free(&result);
    assert_true(refine_check(&d.system, &settings, &result, &diagnostic));
    expect_run_of(&d.system, &result);
    return result.verdict;
}

static const struct refine_settings ordinary;

static void right_objects_hold(void **state)
{
    (void)state;
    struct double_table queue = double_right(3, false), stack = double_right(3, true), pqueue = queue;
    pqueue.sorted = true;
    assert_int_equal(check(&queue, 2, "queue", NULL, ordinary), VERDICT_HOLDS);
    assert_true(result.full_was_free);
    assert_int_equal(check(&queue, 3, "queue", "1", ordinary), VERDICT_HOLDS);
    assert_int_equal(check(&stack, 2, "stack", NULL, ordinary), VERDICT_HOLDS);
    assert_int_equal(check(&stack, 2, "stack", "1", ordinary), VERDICT_HOLDS);
    assert_int_equal(check(&pqueue, 2, "pqueue", NULL, ordinary), VERDICT_HOLDS);
    assert_int_equal(check(&pqueue, 2, "pqueue", "1", ordinary), VERDICT_HOLDS);
}

static void wrong_objects_are_violated(void **state)
{
    (void)state;
    struct double_table queue = double_right(3, false), stack = double_right(3, true);
    assert_int_equal(check(&queue, 2, "stack", NULL, ordinary), VERDICT_VIOLATED);
    /* Two additions and a removal of the wrong one: three operations of three steps. */
    assert_int_equal(result.run.len, 9);
    /* The second addition need not return. */
    assert_int_equal(check(&stack, 2, "queue", NULL, ordinary), VERDICT_VIOLATED);
    assert_int_equal(result.run.len, 8);
    assert_int_equal(check(&queue, 2, "pqueue", NULL, ordinary), VERDICT_VIOLATED);
    assert_int_equal(result.run.len, 8);
    queue.splits = true;
    assert_int_equal(check(&queue, 2, "queue", NULL, ordinary), VERDICT_VIOLATED);
}

static void segmented(unsigned factor, unsigned segments, struct double_table *t)
{
    *t = (struct double_table){.factor = factor, .segments = segments};
}

static void segmented_queues_need_their_factor(void **state)
{
    (void)state;
    struct double_table t;
    segmented(1, 3, &t);
    assert_int_equal(check(&t, 2, "queue", "deq=1", ordinary), VERDICT_HOLDS);
    assert_int_equal(check(&t, 2, "queue", NULL, ordinary), VERDICT_VIOLATED);
    segmented(2, 2, &t);
    assert_int_equal(check(&t, 2, "queue", "deq=2", ordinary), VERDICT_HOLDS);
    assert_int_equal(check(&t, 2, "queue", "deq=1", ordinary), VERDICT_VIOLATED);
    t.wrong_segment = true;
    assert_int_equal(check(&t, 2, "queue", "deq=2", ordinary), VERDICT_VIOLATED);
}

static void full_is_judged_as_asked(void **state)
{
    (void)state;
    struct double_table queue = double_right(3, false);
    struct refine_settings capacity = {.full = REFINE_FULL_CAPACITY, .capacity = 3},
                           block = {.full = REFINE_FULL_BLOCK};
    assert_int_equal(check(&queue, 2, "queue", NULL, capacity), VERDICT_HOLDS);
    assert_false(result.full_was_free);
    capacity.free_values = 2;
    assert_int_equal(check(&queue, 2, "queue", NULL, capacity), VERDICT_HOLDS);
    capacity.capacity = 2;
    assert_int_equal(check(&queue, 2, "queue", NULL, capacity), VERDICT_VIOLATED);
    capacity.free_values = 0;
    assert_int_equal(check(&queue, 2, "queue", NULL, capacity), VERDICT_VIOLATED);
    capacity.capacity = 4;
    assert_int_equal(check(&queue, 2, "queue", NULL, capacity), VERDICT_VIOLATED);
    assert_int_equal(result.reason, REFINE_NO_EXPLANATION);
    assert_int_equal(check(&queue, 2, "queue", NULL, block), VERDICT_VIOLATED);
    assert_int_equal(result.reason, REFINE_BAD_ANSWER);
}

static void complete_histories_owe_nothing(void **state)
{
    (void)state;
    struct double_table queue = double_right(2, false), t;
    struct refine_settings complete = {.reading = REFINE_READING_C};
    segmented(1, 2, &t);
    assert_int_equal(check(&queue, 2, "queue", "deq=1", complete), VERDICT_HOLDS);
    assert_int_equal(check(&t, 2, "queue", "deq=1", ordinary), VERDICT_HOLDS);
    assert_int_equal(check(&t, 2, "queue", "deq=1", complete), VERDICT_VIOLATED);
    complete.free_values = 2;
    assert_int_equal(check(&t, 2, "queue", "deq=1", complete), VERDICT_VIOLATED);
}

/* deq = 2, deq = empty while 1 is inside and enq(2) is open: found nowhere else but ahead of the addition. */
static void items_are_removed_ahead_of_their_addition(void **state)
{
    (void)state;
    struct double_table t = double_right(2, false);
    t.says_empty[1] = true;
    assert_int_equal(check(&t, 1, "queue", "deq=1", ordinary), VERDICT_VIOLATED);
    size_t alone = result.run.len;
    assert_int_equal(check(&t, 2, "queue", "deq=1", ordinary), VERDICT_VIOLATED);
    assert_true(result.run.len <= alone);
}

static void deadlocks_are_found(void **state)
{
    (void)state;
    struct double_table t = double_right(2, false);
    struct refine_settings settings = {.deadlock = true};
    t.takes[1] = 0;
    assert_int_equal(check(&t, 1, "queue", NULL, ordinary), VERDICT_HOLDS);
    assert_int_equal(check(&t, 1, "queue", NULL, settings), VERDICT_VIOLATED);
    assert_int_equal(result.reason, REFINE_DEADLOCK);
    assert_int_equal(result.run.len, 4);
}

static void limits_are_reported(void **state)
{
    (void)state;
    struct double_table forgets = double_right(1, false), t;
    static const volatile int stopped = 1;
    struct refine_settings small = {.memory_limit = 1000}, interrupted = {.stop = &stopped};
    forgets.loses[0] = forgets.loses[1] = true;
    forgets.only_adds = true;
    assert_int_equal(check(&forgets, 1, "queue", NULL, ordinary), VERDICT_INCONCLUSIVE);
    assert_non_null(strstr(result.limit, "holds too many items"));
    segmented(2, 4, &t);
    assert_int_equal(check(&t, 2, "queue", "deq=2", small), VERDICT_INCONCLUSIVE);
    assert_string_equal(result.limit, "the memory limit was met");
    assert_int_equal(check(&t, 2, "queue", "deq=2", interrupted), VERDICT_INCONCLUSIVE);
    assert_string_equal(result.limit, "it was interrupted");
}

static void points_prove_what_they_can(void **state)
{
    (void)state;
    struct double_table queue = double_right(3, false), t;
    struct refine_settings points = {.use_points = true};
    assert_int_equal(check(&queue, 2, "queue", NULL, points), VERDICT_HOLDS);
    assert_true(result.by_points);
    segmented(1, 3, &t);
    assert_int_equal(check(&t, 2, "queue", "deq=1", points), VERDICT_HOLDS);
    assert_true(result.by_points);
    assert_int_equal(check(&t, 2, "queue", NULL, points), VERDICT_VIOLATED);
}

static void jobs_change_nothing(void **state)
{
    (void)state;
    struct double_table t;
    struct refine_settings jobs = {.jobs = 3};
    segmented(2, 3, &t);
    assert_int_equal(check(&t, 2, "queue", "deq=2", ordinary), VERDICT_HOLDS);
    struct refine_result one = result;
    assert_int_equal(check(&t, 2, "queue", "deq=2", jobs), VERDICT_HOLDS);
    assert_int_equal(one.pairs, result.pairs);
    assert_int_equal(one.transitions, result.transitions);
}

static void senseless_questions_are_refused(void **state)
{
    (void)state;
    struct double_table queue = double_right(2, false);
    struct double_system d;
    struct diagnostic diagnostic = {0};
    struct refine_settings settings = {.spec = spec_find("stack")};
    double_init(&d, &queue, 2, "enq", "deq");
    refine_result_free(&result);
    assert_false(refine_check(&d.system, &settings, &result, &diagnostic));
    assert_int_equal(diagnostic.code, PL_UNKNOWN_OPERATION);
    settings.spec = spec_find("queue");
    settings.quasi = "enq=1";
    assert_false(refine_check(&d.system, &settings, &result, &diagnostic));
    assert_non_null(strstr(diagnostic.message, "free:N"));
    settings.quasi = NULL;
    d.locations[2].is_data = false;
    assert_false(refine_check(&d.system, &settings, &result, &diagnostic));
    assert_non_null(strstr(diagnostic.message, "free:N"));
    settings.free_values = 1;
    assert_true(refine_check(&d.system, &settings, &result, &diagnostic));
}

static int clean_up(void **state)
{
    (void)state;
    refine_result_free(&result);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(right_objects_hold),
        cmocka_unit_test(wrong_objects_are_violated),
        cmocka_unit_test(segmented_queues_need_their_factor),
        cmocka_unit_test(full_is_judged_as_asked),
        cmocka_unit_test(complete_histories_owe_nothing),
        cmocka_unit_test(items_are_removed_ahead_of_their_addition),
        cmocka_unit_test(deadlocks_are_found),
        cmocka_unit_test(limits_are_reported),
        cmocka_unit_test(points_prove_what_they_can),
        cmocka_unit_test(jobs_change_nothing),
        cmocka_unit_test(senseless_questions_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, clean_up);
}
