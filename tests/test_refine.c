/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "refine/refine.h"
#include "refine_doubles.h"
#include "spec/registry.h"

static struct refine_result result;

static enum refine_verdict check(const struct double_table *table, unsigned threads, const char *spec,
                                 const char *quasi, struct refine_settings settings)
{
    struct double_system d;
    struct diagnostic diagnostic = {0};
    bool is_stack = strcmp(spec, "stack") == 0, is_pqueue = strcmp(spec, "pqueue") == 0;
    double_init(&d, table, threads, is_stack ? "push" : is_pqueue ? "insert" : "enq",
                is_stack ? "pop" : is_pqueue ? "delete_min" : "deq");
    settings.spec = spec_find(spec);
    settings.quasi = quasi;
    refine_result_free(&result);
    assert_true(refine_check(&d.system, &settings, &result, &diagnostic));
    return result.verdict;
}

static const struct refine_settings ordinary;

static void right_objects_hold(void **state)
{
    (void)state;
    struct double_table queue = double_right(3, false), stack = double_right(3, true), pqueue = queue;
    pqueue.sorted = true;
    assert_int_equal(check(&queue, 2, "queue", NULL, ordinary), REFINE_HOLDS);
    assert_true(result.full_was_free);
    assert_int_equal(check(&queue, 3, "queue", "1", ordinary), REFINE_HOLDS);
    assert_int_equal(check(&stack, 2, "stack", NULL, ordinary), REFINE_HOLDS);
    assert_int_equal(check(&stack, 2, "stack", "1", ordinary), REFINE_HOLDS);
    assert_int_equal(check(&pqueue, 2, "pqueue", NULL, ordinary), REFINE_HOLDS);
    assert_int_equal(check(&pqueue, 2, "pqueue", "1", ordinary), REFINE_HOLDS);
}

static void wrong_objects_are_violated(void **state)
{
    (void)state;
    struct double_table queue = double_right(3, false), stack = double_right(3, true);
    assert_int_equal(check(&queue, 2, "stack", NULL, ordinary), REFINE_VIOLATED);
    /* Two additions and a removal of the wrong one: three operations of three steps. */
    assert_int_equal(result.run.len, 9);
    /* The second addition need not return. */
    assert_int_equal(check(&stack, 2, "queue", NULL, ordinary), REFINE_VIOLATED);
    assert_int_equal(result.run.len, 8);
    assert_int_equal(check(&queue, 2, "pqueue", NULL, ordinary), REFINE_VIOLATED);
    assert_int_equal(result.run.len, 8);
    queue.splits = true;
    assert_int_equal(check(&queue, 2, "queue", NULL, ordinary), REFINE_VIOLATED);
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
    assert_int_equal(check(&t, 2, "queue", "deq=1", ordinary), REFINE_HOLDS);
    assert_int_equal(check(&t, 2, "queue", NULL, ordinary), REFINE_VIOLATED);
    segmented(2, 2, &t);
    assert_int_equal(check(&t, 2, "queue", "deq=2", ordinary), REFINE_HOLDS);
    assert_int_equal(check(&t, 2, "queue", "deq=1", ordinary), REFINE_VIOLATED);
    t.wrong_segment = true;
    assert_int_equal(check(&t, 2, "queue", "deq=2", ordinary), REFINE_VIOLATED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(right_objects_hold),
        cmocka_unit_test(wrong_objects_are_violated),
        cmocka_unit_test(segmented_queues_need_their_factor),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
