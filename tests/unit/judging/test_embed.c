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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(specifications_of_the_users_own_are_not_mixed_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
