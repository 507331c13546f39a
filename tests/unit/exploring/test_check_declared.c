/* SPDX-License-Identifier: Apache-2.0 */
/* Lines that do nothing but declare variables, and numbers that look like a filling. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "campaign/declared.h"

#include <string.h>

static bool declares(const char *line)
{
    return declared_line(line, strlen(line));
}

static void declarations_are_listed(void **state)
{
    (void)state;
    assert_true(declares("    atomic_int x, y[3]; // both = (1)"));
    assert_true(declares("    std::atomic<int> x; /* = 1 */"));
    assert_true(declares("    _Atomic(struct node *) head;"));
    assert_true(declares("    alignas(sizeof(x)) atomic_int x;"));
    assert_false(declares("    atomic_int x = 1;"));
    assert_false(declares("    std::atomic<int> x{1};"));
    assert_false(declares("    std::atomic<int> x(1);"));
    assert_false(declares("    init(&x);"));
    assert_false(declares("    _Atomic(int) x = 3;"));
    assert_false(declares("    not_Atomic(x);"));
    assert_false(declares("    alignas((8"));
    assert_false(declares(""));
}

static void numbers_are_listed(void **state)
{
    (void)state;
    assert_true(declared_unnumbered("int x = 17; int y0xfefefefe;", 4));
    assert_false(declared_unnumbered("x = 0xfefefefe;", 4));
    assert_false(declared_unnumbered("x = 4278124286u", 4));
    assert_false(declared_unnumbered("x = -16843010", 4));
    assert_false(declared_unnumbered("x = ~0x55555555;", 4));
    assert_true(declared_unnumbered("x = 0xfefefefe;", 8));
    assert_false(declared_unnumbered("x = 170", 1));
    assert_true(declared_unnumbered("x = 170", 2));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(declarations_are_listed),
        cmocka_unit_test(numbers_are_listed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
