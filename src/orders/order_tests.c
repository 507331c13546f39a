/* SPDX-License-Identifier: Apache-2.0 */
#include "orders/order_tests.h"

#include "autotest/autotest.h"

#include <stdlib.h>

/* As plumb auto makes them. */
static bool make_tests(struct order_tests *tests, struct autotest *a, struct diagnostic *why)
{
    enum { TESTS_MOST = 2000 };
    uint64_t number;
    if (!auto_find_calls(a, why))
        return false;
    a->only_usual = true; /* orders do not depend on values */
    auto_begin_sequence(a);
    for (const char *test; (test = auto_next_test(a, &number));) {
        vec_push(tests, test);
        if (tests->len > TESTS_MOST)
            return diagnostic_set(why, PL_USAGE, 0, 0, "--size %s: these are more than %d tests",
                                  a->options.size, TESTS_MOST);
    }
    return tests->len ||
           diagnostic_set(why, PL_USAGE, 0, 0, "--size %s: there are no tests", a->options.size);
}

bool order_tests_find(struct order_tests *tests, const struct operand_list *named, const char *size,
                      const struct campaign_options *options, struct target_program *program,
                      const char *name, struct diagnostic *why)
{
    struct autotest a = {.options = {.campaign = *options, .size = size}, .program = program, .shards = 1};
    for (size_t k = 0; k < named->len; k++)
        vec_push(tests, named->data[k]);
    if (!size) {
        if (!tests->len)
            vec_push(tests, NULL);
        return true;
    }
    if (!auto_parse_size(size, &a.size))
        return diagnostic_set(why, PL_USAGE, 0, 0,
                              "a size is two digits from 1 to 8, like 3x2: calls in a thread x threads");
    tests->are_made = true;
    vec_push(&a.files, name);
    bool fine = make_tests(tests, &a, why);
    a.program = NULL; /* the caller's */
    a.options.campaign.suppress = (struct operand_list){0};
    autotest_free(&a);
    return fine;
}

void order_tests_free(struct order_tests *tests)
{
    for (size_t k = 0; tests->are_made && k < tests->len; k++)
        free((char *)tests->data[k]);
    vec_free(tests);
}
