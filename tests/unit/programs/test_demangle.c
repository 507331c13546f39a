/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "target/symbols/symbols.h"

#include <stdio.h>

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

static void test_rust(void **state)
{
    (void)state;
    static const char *const names[][2] = {
        {"_RNvCsfLfy6EI15iL_7___rustc12___rust_alloc", "__rustc::__rust_alloc"},
        {"_RNvMNtNtNtCsjrHSEGnQ3l9_3std4sync4mpmc7contextNtB2_7Context3new",
         "<std::sync::mpmc::context::Context>::new"},
        {"_RNvMNtNtNtNtCsjrHSEGnQ3l9_3std3sys4sync5mutex5futexNtB2_5Mutex14lock_contended",
         "<std::sys::sync::mutex::futex::Mutex>::lock_contended"},
        {"_RINvNtC3std3mem8align_ofdE", "std::mem::align_of::<f64>"},
        {"_RNvXs_C4ringNtB4_4RingNtNtCs1_4core3fmt5Debug3fmt", "<ring::Ring as core::fmt::Debug>::fmt"},
        {"_RNCNvC4ring4mains_0", "ring::main::{closure#1}"},
        {"_RNCNvC4ring4main0", "ring::main::{closure#0}"},
        {"_RINvC4ring1fAhj2_TlRSmEFUKChEuKb1_E",
         "ring::f::<[u8; 2], (i32, &[u32]), unsafe extern \"C\" fn(u8), true>"},
        {"_RINvC4ring1fDNtC4core4SendEL_E", "ring::f::<dyn core::Send>"},
        {"_RNvC4ring4main.llvm.123", "ring::main"},
        {"_RNvC4ring9main", "_RNvC4ring9main"},
        {"_RNvB_1f", "_RNvB_1f"},
        {"_RINvC1a1fB_B_E", "_RINvC1a1fB_B_E"},
        {"_Rust", "_Rust"},
        {"_ZN4core3ptr4read17h0123456789abcdefE", "core::ptr::read"},
        {"_ZN47_$LT$ring..Ring$u20$as$u20$core..fmt..Debug$GT$3fmt17h0123456789abcdefE",
         "<ring::Ring as core::fmt::Debug>::fmt"}};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        char name[144];
        snprintf(name, sizeof name, "%s", names[k][0]);
        symbols_demangle(name, sizeof name);
        assert_string_equal(name, names[k][1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_names), cmocka_unit_test(test_rust)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
