/* SPDX-License-Identifier: Apache-2.0 */
/* Enumerating the histories of an execution: numbers that are known. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "judge/tables/judge_histories.h"

struct tally {
    const struct judge_execution *x;
    unsigned histories;
    uint64_t orders;
};

static bool add(void *context, const struct judge_rounds *rounds)
{
    struct tally *t = context;
    struct judge_execution history;
    judge_as_history(t->x, rounds, &history);
    t->histories++;
    t->orders += judge_count_orders(&history);
    return true;
}

static struct tally tally(const struct judge_execution *x)
{
    struct tally t = {.x = x};
    judge_each_history(x, add, &t);
    return t;
}

static struct judge_execution overlapping(uint32_t count)
{
    return (struct judge_execution){.timed = true, .count = count, .completed = (UINT64_C(1) << count) - 1};
}

/* Interval orders of labelled operations. */
static void nothing_is_known(void **state)
{
    (void)state;
    static const unsigned interval_orders[] = {1, 1, 3, 19, 207};
    for (uint32_t count = 0; count < 5; count++) {
        struct judge_execution x = overlapping(count);
        assert_int_equal(tally(&x).histories, interval_orders[count]);
    }
}

static void orders_agree_with_time(void **state)
{
    (void)state;
    struct judge_execution x = overlapping(2);
    assert_int_equal(tally(&x).orders, 1 + 1 + 2);
    x.knows[0] = 2; /* the first is called before the second returns */
    assert_int_equal(tally(&x).histories, 2);
    assert_int_equal(tally(&x).orders, 1 + 2);
    x.knows[1] = 1;
    assert_int_equal(tally(&x).histories, 1);
    x = overlapping(3);
    x.after[0] = 6;
    x.after[1] = 4;
    assert_int_equal(tally(&x).histories, 1);
    assert_int_equal(tally(&x).orders, 1);
}

/* Of two, one never returns: it is called while the other runs, or after it. */
static void pending_ones_never_return(void **state)
{
    (void)state;
    struct judge_execution x = overlapping(2);
    x.completed = 1;
    assert_int_equal(tally(&x).histories, 2);
    assert_int_equal(tally(&x).orders, 2);
    x.completed = 0;
    assert_int_equal(tally(&x).histories, 1);
}

static bool stop(void *context, const struct judge_rounds *rounds)
{
    (void)rounds;
    return ++*(unsigned *)context < 5;
}

static void visitors_may_stop(void **state)
{
    (void)state;
    struct judge_execution x = overlapping(4);
    unsigned met = 0;
    judge_each_history(&x, stop, &met);
    assert_int_equal(met, 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_known),
        cmocka_unit_test(orders_agree_with_time),
        cmocka_unit_test(pending_ones_never_return),
        cmocka_unit_test(visitors_may_stop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
