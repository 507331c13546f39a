/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "target/symbols/symbols.h"

static void test_names(void **state)
{
    (void)state;
    char cxx[144] = "_ZNKSt5ctypeIcE13_M_widen_initEv", c[144] = "deflate", broken[144] = "_Zqqq";
    char narrow[] = "_ZNKSt5ctypeIcE13_M_widen_initEv";
    symbols_demangle(cxx, sizeof cxx);
    symbols_demangle(c, sizeof c);
    symbols_demangle(broken, sizeof broken);
    symbols_demangle(narrow, 10);
    assert_string_equal(cxx, "std::ctype<char>::_M_widen_init() const");
    assert_string_equal(c, "deflate");
    assert_string_equal(broken, "_Zqqq");
    assert_string_equal(narrow, "std::ctyp");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_names)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
