/* SPDX-License-Identifier: Apache-2.0 */
/* The list of variables, of this very program. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "target/symbols/symbols_variables.h"

#include <string.h>

/* Nothing else uses these: link-time optimisation would leave them out. */
__attribute__((used)) char an_array_of_thirteen[13];
__attribute__((section("elements"), used)) int an_element = 1;
__attribute__((used)) __thread char a_copy_for_each_thread[9];

static const struct variable *find(const struct variable_list *list, const char *name)
{
    for (size_t k = 0; k < list->all.len; k++)
        if (strcmp(list->all.data[k].name, name) == 0)
            return &list->all.data[k];
    return NULL;
}

static void test_static(void **state)
{
    (void)state;
    struct variable_list list = variables_of_program("/proc/self/exe");
    const struct variable *array = find(&list, "an_array_of_thirteen");
    assert_true(list.static_count > 0 && !list.lost);
    assert_non_null(array);
    assert_int_equal(array->size, sizeof an_array_of_thirteen);
    assert_int_equal(array->function, 0);
    const struct variable *copy = find(&list, "a_copy_for_each_thread");
    if (list.thread_count) {
        assert_non_null(copy);
        assert_ptr_equal((char *)__builtin_thread_pointer() + copy->at, a_copy_for_each_thread);
    }
    assert_null(find(&list, "an_element")); /* may be one of an array that the linker makes */
    variables_free(&list);
}

static void test_order(void **state)
{
    (void)state;
    struct variable_list list = variables_of_program("/proc/self/exe");
    for (size_t k = 1; k < list.all.len; k++) {
        const struct variable *a = &list.all.data[k - 1], *b = &list.all.data[k];
        size_t functions = list.static_count + list.thread_count;
        if (k < functions && k != list.static_count)
            assert_true(a->at <= b->at && !b->function);
        else if (k > functions)
            assert_true(a->function == b->function || a->function_end <= b->function);
        if (k >= functions)
            assert_true(b->function <= b->from && b->from <= b->to && (b->at < 0 || !b->size));
    }
    variables_free(&list);
}

static void test_no_program(void **state)
{
    (void)state;
    struct variable_list list = variables_of_program("/nowhere");
    assert_false(list.is_read);
    assert_int_equal(list.all.len, 0);
    variables_free(&list);
    list = variables_of_program("/");
    assert_int_equal(list.all.len, 0);
    variables_free(&list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_static),
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_no_program),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
