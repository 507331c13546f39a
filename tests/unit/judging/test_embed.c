/* SPDX-License-Identifier: Apache-2.0 */
/* Handles of plumb/monitor.h beside each other. tests/scripts/embed.sh asks for verdicts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <plumb/monitor.h>

#include "spec/registry.h"

static struct plumb_spec own(const char *name)
{
    struct plumb_spec spec = *spec_find("queue");
    spec.name = name;
    return spec;
}

static void specifications_of_the_users_own_are_not_mixed_up(void **state)
{
    (void)state;
    struct plumb_spec first = own("first"), second = own("second");
    struct plumb_monitor *a = plumb_monitor_open(), *b = plumb_monitor_open();
    assert_true(plumb_monitor_set_own_spec(a, &first));
    assert_true(plumb_monitor_set_own_spec(b, &first));
    assert_false(plumb_monitor_set_own_spec(b, &second));
    assert_true(*plumb_monitor_why(b));
    plumb_monitor_close(a);
    assert_true(plumb_monitor_set_own_spec(b, &second));
    plumb_monitor_close(b);
}

static void a_history_without_events_is_an_error(void **state)
{
    (void)state;
    struct plumb_monitor *m = plumb_monitor_open();
    assert_int_equal(plumb_monitor_finish(m), PLUMB_ERROR);
    assert_string_equal(plumb_monitor_why(m), "the input has no operation");
    plumb_monitor_close(m);
    m = plumb_monitor_open();
    assert_true(plumb_monitor_set_spec(m, "queue"));
    assert_non_null(plumb_monitor_values(m));
    assert_false(plumb_monitor_look(m));
    assert_int_equal(plumb_monitor_finish(m), PLUMB_ERROR);
    assert_string_equal(plumb_monitor_why(m), "the input has no operation");
    plumb_monitor_close(m);
    m = plumb_monitor_open();
    assert_int_equal(plumb_monitor_judge_memory(m, NULL, 0), PLUMB_ERROR);
    assert_string_equal(plumb_monitor_why(m), "the input has no operation");
    plumb_monitor_close(m);
}

static void null_handles_are_errors(void **state)
{
    (void)state;
    uint32_t number;
    plumb_monitor_close(NULL);
    assert_false(plumb_monitor_set_spec(NULL, "queue"));
    assert_false(plumb_monitor_set_own_spec(NULL, spec_find("queue")));
    assert_false(plumb_monitor_set_quasi(NULL, "2"));
    plumb_monitor_set_budget(NULL, 1, 1);
    assert_int_equal(plumb_monitor_judge_file(NULL, "/dev/null"), PLUMB_ERROR);
    assert_int_equal(plumb_monitor_judge_memory(NULL, "", 0), PLUMB_ERROR);
    assert_null(plumb_monitor_values(NULL));
    assert_false(plumb_monitor_call(NULL, 1, NULL, "enq", PLUMB_OK, 1));
    assert_false(plumb_monitor_return(NULL, 1, PLUMB_OK, 1));
    assert_false(plumb_monitor_look(NULL));
    assert_int_equal(plumb_monitor_finish(NULL), PLUMB_ERROR);
    assert_true(*plumb_monitor_why(NULL));
    assert_int_equal(plumb_monitor_core(NULL, &number, 1), 0);
    assert_int_equal(plumb_monitor_witness(NULL, 0, &number, 1), 0);
    assert_string_equal(plumb_monitor_text(NULL), "");
    assert_string_equal(plumb_monitor_json(NULL), "");
}

static void null_arguments_are_errors(void **state)
{
    (void)state;
    struct plumb_monitor *m = plumb_monitor_open();
    assert_false(plumb_monitor_set_spec(m, NULL));
    assert_false(plumb_monitor_set_own_spec(m, NULL));
    assert_false(plumb_monitor_set_quasi(m, NULL));
    assert_int_equal(plumb_monitor_judge_file(m, NULL), PLUMB_ERROR);
    assert_int_equal(plumb_monitor_judge_memory(m, NULL, 7), PLUMB_ERROR);
    assert_string_equal(plumb_monitor_why(m), "the argument is null");
    assert_false(plumb_monitor_call(m, 1, NULL, NULL, PLUMB_OK, 1));
    assert_int_equal(plumb_monitor_finish(m), PLUMB_ERROR); /* what came after it is not judged */
    assert_string_equal(plumb_monitor_why(m), "the name of the operation is null");
    plumb_monitor_close(m);
    m = plumb_monitor_open();
    assert_int_equal(plumb_monitor_judge_file(m, "/nonexistent"), PLUMB_ERROR);
    plumb_monitor_values(m);
    plumb_monitor_close(m);
}

/* Then they count only. */
static void null_arrays_of_numbers_are_not_written(void **state)
{
    (void)state;
    struct plumb_monitor *m = plumb_monitor_open();
    struct plumb_values *values = plumb_monitor_values(m);
    assert_true(plumb_monitor_call(m, 1, NULL, "deq", PLUMB_OK, 1));
    assert_true(plumb_monitor_return(m, 1, plumb_int(values, 5), 2));
    assert_int_equal(plumb_monitor_finish(m), PLUMB_VIOLATED);
    assert_int_equal(plumb_monitor_core(m, NULL, 10), 1);
    assert_int_equal(plumb_monitor_witness(m, 0, NULL, 10), 0);
    plumb_monitor_close(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(specifications_of_the_users_own_are_not_mixed_up),
        cmocka_unit_test(a_history_without_events_is_an_error),
        cmocka_unit_test(null_handles_are_errors),
        cmocka_unit_test(null_arguments_are_errors),
        cmocka_unit_test(null_arrays_of_numbers_are_not_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
