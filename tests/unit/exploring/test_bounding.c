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

static struct bounding begin(double seconds)
{
    struct bounding b;
    bounding_begin(&b, shared, seconds, true);
    return b;
}

static enum bounding_answer after(struct bounding *b, uint32_t limits)
{
    return bounding_next(b, &(struct bounding_facts){.limits = limits, .seconds = 0.001});
}

static void bounds_double(void **state)
{
    (void)state;
    struct bounding b = begin(1000);
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
    struct bounding b = begin(1000);
    for (uint32_t k = 0; k < 8; k++) {
        assert_int_equal(b.returns, returns[k]);
        if (k < 7)
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
    struct bounding_facts error = {.decided = true, .stopped = true, .limits = LIMIT_LOOPS};
    assert_int_equal(bounding_next(&b, &error), BOUNDING_TAKE);
}

/* What was not done says less than what was done before it. */
static void parts_are_no_answers(void **state)
{
    (void)state;
    struct bounding b = begin(1000);
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
    struct bounding b = begin(10);
    assert_true(bounding_time(&b) == 0); /* the first bound may take any time */
    struct bounding_facts slow = {.limits = LIMIT_LOOPS, .seconds = 4};
    assert_int_equal(bounding_next(&b, &slow), BOUNDING_DEEPER);
    assert_true(bounding_time(&b) > 0 && bounding_time(&b) <= 10);
    slow.seconds = 6; /* the next would take twelve */
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
