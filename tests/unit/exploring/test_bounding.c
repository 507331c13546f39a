/* SPDX-License-Identifier: Apache-2.0 */
/* Which bound comes next for loops that seem to have no end, and which answer counts. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "campaign/bounding.h"

#include <stdlib.h>
#include <string.h>

static struct worker_shared *shared;

static int start(void **state)
{
    (void)state;
    shared = calloc(1, sizeof *shared);
    shared->loops.first_count = 1;
    shared->loops.first[0] = (struct worker_visits){.pc = 0x1000, .count = 7};
    return 0;
}

static int end(void **state)
{
    (void)state;
    free(shared);
    return 0;
}

static struct bounding begin_until(double seconds, enum bounding_end end)
{
    struct bounding b;
    bounding_begin(&b, shared, seconds, end);
    return b;
}

static struct bounding begin(double seconds)
{
    return begin_until(seconds, BOUNDING_SOFT);
}

static enum bounding_answer after(struct bounding *b, uint32_t limits)
{
    return bounding_next(b, &(struct bounding_facts){.limits = limits, .seconds = 0.001});
}

/* The one that goes on behind the loops has been. */
static struct bounding begin_behind(double seconds)
{
    struct bounding b = begin(seconds);
    b.was_sticky = true;
    return b;
}

static void bounds_double(void **state)
{
    (void)state;
    struct bounding b = begin_behind(1000);
    for (uint32_t loops = 1; loops < 64; loops *= 2) {
        assert_int_equal(b.loops, loops);
        assert_int_equal(after(&b, LIMIT_LOOPS | LIMIT_SPURIOUS), BOUNDING_DEEPER);
    }
    assert_int_equal(b.returns, 1);
    assert_int_equal(after(&b, LIMIT_SPURIOUS), BOUNDING_TAKE); /* not met: there is no bound */
}

static void returns_grow(void **state)
{
    (void)state;
    static const uint32_t returns[] = {1, 2, 3, 4, 6, 8, 12, 16};
    struct bounding b = begin_behind(1000);
    for (size_t k = 0; k < sizeof returns / sizeof *returns; k++) {
        assert_int_equal(b.returns, returns[k]);
        if (k + 1 < sizeof returns / sizeof *returns)
            assert_int_equal(after(&b, LIMIT_RETURNS), BOUNDING_DEEPER);
    }
    assert_int_equal(b.loops, 1);
    assert_int_equal(after(&b, LIMIT_RETURNS), BOUNDING_TAKE);
}

static void errors_are_answers(void **state)
{
    (void)state;
    struct bounding b = begin(1000);
    assert_int_equal(after(&b, LIMIT_LOOPS), BOUNDING_DEEPER);
    struct bounding_facts error = {.found = true, .decided = true, .stopped = true, .limits = LIMIT_LOOPS};
    assert_int_equal(bounding_next(&b, &error), BOUNDING_TAKE);
}

/* What was not done says less than what was done before it. */
static void parts_are_no_answers(void **state)
{
    (void)state;
    struct bounding b = begin_behind(1000);
    const struct bounding_facts stopped = {.stopped = true, .limits = LIMIT_LOOPS};
    assert_int_equal(bounding_next(&b, &stopped), BOUNDING_TAKE);
    assert_int_equal(after(&b, LIMIT_LOOPS), BOUNDING_DEEPER);
    assert_int_equal(bounding_next(&b, &stopped), BOUNDING_BEFORE);
    assert_int_equal(after(&b, LIMIT_LOOPS | LIMIT_STEPS), BOUNDING_BEFORE);
    assert_int_equal(after(&b, LIMIT_LOOPS | LIMIT_EXECUTIONS), BOUNDING_BEFORE);
}

static void time_ends_it(void **state)
{
    (void)state;
    struct bounding b = begin_behind(10);
    struct bounding_facts slow = {.limits = LIMIT_LOOPS, .seconds = 4};
    assert_int_equal(bounding_next(&b, &slow), BOUNDING_DEEPER);
    assert_true(bounding_time(&b) > 0 && bounding_time(&b) <= 10);
    slow.seconds = 6; /* the next would take twelve */
    assert_int_equal(bounding_next(&b, &slow), BOUNDING_TAKE);
}

static bool is_behind(const struct bounding *b)
{
    struct target_run *run = calloc(1, sizeof *run);
    bounding_plan(b, run);
    bool is = run->config.sticky != 0;
    free(run);
    return is;
}

/* After the first two bounds one attempt goes on behind the loops: only its errors count. */
static void one_goes_on_behind_the_loops(void **state)
{
    (void)state;
    struct bounding b = begin(1000);
    assert_false(is_behind(&b));
    assert_int_equal(after(&b, LIMIT_LOOPS), BOUNDING_DEEPER);
    assert_false(is_behind(&b));
    assert_int_equal(after(&b, LIMIT_LOOPS), BOUNDING_DEEPER);
    assert_true(is_behind(&b));
    struct bounding found = b;
    const struct bounding_facts error = {.found = true, .decided = true, .limits = LIMIT_LOOPS};
    assert_int_equal(bounding_next(&found, &error), BOUNDING_TAKE);
    const struct bounding_facts crash = {.decided = true};
    assert_int_equal(bounding_next(&b, &crash), BOUNDING_PASS); /* nothing is said, so nothing is lost */
    assert_false(is_behind(&b));
    assert_int_equal(b.loops, 4);
    assert_int_equal(after(&b, LIMIT_LOOPS), BOUNDING_DEEPER);
    assert_false(is_behind(&b));
}

static void a_loop_that_is_decided_needs_none(void **state)
{
    (void)state;
    struct bounding b = begin(1000);
    assert_int_equal(after(&b, LIMIT_LOOPS), BOUNDING_DEEPER);
    assert_int_equal(after(&b, 0), BOUNDING_TAKE);
}

/* Of a time that was asked for a part is kept for it. */
static void it_has_its_time(void **state)
{
    (void)state;
    struct bounding b = begin_until(100, BOUNDING_HARD);
    assert_true(bounding_time(&b) <= 75);
    const struct bounding_facts stopped = {.stopped = true, .limits = LIMIT_LOOPS, .seconds = 75};
    assert_int_equal(bounding_next(&b, &stopped), BOUNDING_DEEPER);
    assert_true(is_behind(&b) && bounding_time(&b) <= 25);
    assert_int_equal(bounding_next(&b, &stopped), BOUNDING_BEFORE);
}

/* Without a time the first bound is explored to its end, but what is behind the loop comes before that takes long. */
static void the_first_one_is_done_in_the_end(void **state)
{
    (void)state;
    struct bounding b = begin_until(2, BOUNDING_OPEN);
    assert_true(bounding_time(&b) > 0 && bounding_time(&b) <= 2);
    const struct bounding_facts stopped = {.stopped = true, .limits = LIMIT_LOOPS, .seconds = 2};
    assert_int_equal(bounding_next(&b, &stopped), BOUNDING_DEEPER);
    assert_true(is_behind(&b));
    assert_int_equal(bounding_next(&b, &stopped), BOUNDING_PASS);
    assert_false(is_behind(&b));
    assert_int_equal(b.loops, 1);
    assert_true(bounding_time(&b) == 0);
    const struct bounding_facts slow = {.limits = LIMIT_LOOPS, .seconds = 50};
    assert_int_equal(bounding_next(&b, &slow), BOUNDING_TAKE);
}

static void workers_are_given_the_first_execution(void **state)
{
    (void)state;
    struct bounding b = begin(1);
    struct target_run *run = calloc(1, sizeof *run);
    run->config.suspects = true;
    bounding_plan(&b, run);
    assert_true(run->config.first_known && !run->config.suspects);
    assert_int_equal(run->config.loops, 1);
    assert_int_equal(run->loops->first[0].count, 7);
    free(run);
}

static void places_are_sorted_and_added_once(void **state)
{
    (void)state;
    struct campaign_bounds *b = calloc(1, sizeof *b);
    shared->config.loops = 4;
    shared->loops.met_count = 3;
    for (uint32_t k = 0; k < 3; k++)
        shared->loops.met[k] = (struct worker_visits){.pc = 30 - 10 * k, .count = 4 + k};
    assert_int_equal(bounds_add_worker(b, shared), 0);
    assert_int_equal(bounds_add_worker(b, shared), 0);
    assert_int_equal(b->loops, 4);
    assert_int_equal(b->met_count, 3);
    for (uint32_t k = 0; k < 3; k++)
        assert_int_equal(b->met[k].pc, 10 * (k + 1));
    free(b);
}

/* One has held a round that another one's threads know too much of. */
static void workers_void_each_others_certificates(void **state)
{
    (void)state;
    struct campaign_bounds *b = calloc(1, sizeof *b);
    shared->loops.held_places[1] = 6;
    assert_int_equal(bounds_add_worker(b, shared), 0);
    memset(shared->loops.held_places, 0, sizeof shared->loops.held_places);
    shared->loops.known_places[1] = 12;
    assert_int_equal(bounds_add_worker(b, shared), LIMIT_RETURNS);
    free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(bounds_double, start, end),
        cmocka_unit_test_setup_teardown(the_first_one_is_done_in_the_end, start, end),
        cmocka_unit_test_setup_teardown(it_has_its_time, start, end),
        cmocka_unit_test_setup_teardown(a_loop_that_is_decided_needs_none, start, end),
        cmocka_unit_test_setup_teardown(one_goes_on_behind_the_loops, start, end),
        cmocka_unit_test_setup_teardown(returns_grow, start, end),
        cmocka_unit_test_setup_teardown(errors_are_answers, start, end),
        cmocka_unit_test_setup_teardown(parts_are_no_answers, start, end),
        cmocka_unit_test_setup_teardown(time_ends_it, start, end),
        cmocka_unit_test_setup_teardown(workers_are_given_the_first_execution, start, end),
        cmocka_unit_test_setup_teardown(places_are_sorted_and_added_once, start, end),
        cmocka_unit_test_setup_teardown(workers_void_each_others_certificates, start, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
