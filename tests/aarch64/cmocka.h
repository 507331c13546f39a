/* SPDX-License-Identifier: Apache-2.0 */
/* As much of cmocka as tests/unit/exploring/test_fiber.c uses, because there may be no cmocka for another architecture. */
#ifndef TESTS_AARCH64_CMOCKA_H
#define TESTS_AARCH64_CMOCKA_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct CMUnitTest {
    const char *name;
    void (*run)(void **state);
};

#define cmocka_unit_test(function) \
    {                              \
#function, function        \
    }

#define assert_true(condition)                                            \
    do {                                                                  \
        if (!(condition)) {                                               \
            printf("FAILED %s:%d: %s\n", __FILE__, __LINE__, #condition); \
            exit(1);                                                      \
        }                                                                 \
    } while (0)
#define assert_false(condition) assert_true(!(condition))
#define assert_int_equal(a, b) assert_true((long long)(a) == (long long)(b))
#define assert_int_not_equal(a, b) assert_true((long long)(a) != (long long)(b))
#define assert_ptr_not_equal(a, b) assert_true((const void *)(a) != (const void *)(b))
#define assert_string_equal(a, b) assert_true(strcmp(a, b) == 0)

#define cmocka_run_group_tests(tests, set_up, tear_down) \
    run_tests(tests, sizeof(tests) / sizeof *(tests), set_up)

static int run_tests(const struct CMUnitTest *tests, size_t count, int (*set_up)(void **state))
{
    void *state = NULL;
    if (set_up(&state) != 0)
        return 1;
    for (size_t k = 0; k < count; k++) {
        tests[k].run(&state);
        printf("ok %s\n", tests[k].name);
    }
    return 0;
}

#endif
