/* SPDX-License-Identifier: Apache-2.0 */
/* Orders in the text of a source file: what becomes of a call. */
#include "orders/order_patch.h"
#include "orders/source_call.h"
#include "campaign/order_sites.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static int compare_edits(const void *x, const void *y)
{
    const struct source_edit *a = x, *b = y;
    return (a->from > b->from) - (a->from < b->from);
}

/* The source after the change at the mark '@', which stands before the sign that the compiler names; or why there is none. */
static char *change(const char *marked, enum atomic_kind kind, unsigned written, unsigned order,
                    unsigned failure)
{
    struct text source = {0}, out = {0};
    source_edits edits = {0};
    const char *mark = strchr(marked, '@');
    struct source_wish wish = {.kind = kind,
                               .line = 1,
                               .order = order,
                               .failure = failure,
                               .written = written,
                               .written_failure = ORDER_PLAIN};
    for (const char *c = marked; c < mark; c++) {
        wish.line += *c == '\n';
        wish.column = *c == '\n' ? 0 : wish.column + 1;
    }
    wish.column++;
    text_add(&source, marked, (size_t)(mark - marked));
    text_puts(&source, mark + 1);
    const char *why = source_call_change(&source, &wish, &edits);
    if (why)
        text_puts(&out, why);
    if (edits.len)
        qsort(edits.data, edits.len, sizeof *edits.data, compare_edits);
    size_t done = 0;
    for (size_t k = 0; k < edits.len; k++) {
        text_add(&out, source.data + done, edits.data[k].from - done);
        text_puts(&out, edits.data[k].text);
        done = edits.data[k].to;
        free(edits.data[k].text);
    }
    if (!why)
        text_puts(&out, source.data + done);
    vec_free(&edits);
    text_free(&source);
    return text_take(&out);
}

static void expect(const char *marked, enum atomic_kind kind, unsigned order, unsigned failure,
                   const char *after)
{
    char *found = change(marked, kind, ORDER_PLAIN, order, failure);
    assert_string_equal(found, after);
    free(found);
}

/* The site has the order seq_cst as it is written. */
static void expect_changed(const char *marked, enum atomic_kind kind, unsigned order, const char *after)
{
    char *found = change(marked, kind, ORDER_SEQ_CST, order, ORDER_RELAXED);
    assert_string_equal(found, after);
    free(found);
}

static void test_literals(void **state)
{
    (void)state;
    expect("@atomic_load_explicit(&x, memory_order_seq_cst);", ATOMIC_LOAD, ORDER_ACQUIRE, 0,
           "atomic_load_explicit(&x, memory_order_acquire);");
    expect("int v =\n  x->y[f(a, b)].load@(std::memory_order_seq_cst);", ATOMIC_LOAD, ORDER_RELAXED, 0,
           "int v =\n  x->y[f(a, b)].load(std::memory_order_relaxed);");
    expect("x.@store(f(1, ')'), std::memory_order::seq_cst);", ATOMIC_STORE, ORDER_RELEASE, 0,
           "x.store(f(1, ')'), std::memory_order::release);");
    expect("@__atomic_store_n(&x, 1,\n   __ATOMIC_SEQ_CST);", ATOMIC_STORE, ORDER_RELEASE, 0,
           "__atomic_store_n(&x, 1,\n   __ATOMIC_RELEASE);");
    expect("@atomic_thread_fence(memory_order_seq_cst /* why */);", ATOMIC_FENCE, ORDER_ACQ_REL, 0,
           "no literal order stands there");
    expect("@atomic_thread_fence(memory_order_seq_cst);", ATOMIC_FENCE, ORDER_RELAXED, 0,
           "atomic_thread_fence(memory_order_relaxed);");
    expect("std::@atomic_thread_fence(std::memory_order_acq_rel);", ATOMIC_FENCE, ORDER_ACQUIRE, 0,
           "std::atomic_thread_fence(std::memory_order_acquire);");
}

static void test_comparisons(void **state)
{
    (void)state;
    expect("@atomic_compare_exchange_weak_explicit(&x, &e, 1, memory_order_seq_cst, memory_order_seq_cst)",
           ATOMIC_CAS, ORDER_RELEASE, ORDER_RELAXED,
           "atomic_compare_exchange_weak_explicit(&x, &e, 1, memory_order_release, memory_order_relaxed)");
    expect("x.compare_exchange_weak@(e, 1, std::memory_order_seq_cst)", ATOMIC_CAS, ORDER_ACQ_REL,
           ORDER_ACQUIRE, "x.compare_exchange_weak(e, 1, std::memory_order_acq_rel)");
    expect("x.compare_exchange_weak@(e, 1, std::memory_order_seq_cst)", ATOMIC_CAS, ORDER_ACQ_REL,
           ORDER_RELAXED,
           "x.compare_exchange_weak(e, 1, std::memory_order_acq_rel, std::memory_order_relaxed)");
    expect("@atomic_compare_exchange_strong(&x, &e, 1)", ATOMIC_CAS, ORDER_ACQUIRE, ORDER_RELAXED,
           "atomic_compare_exchange_strong_explicit(&x, &e, 1, memory_order_acquire, memory_order_relaxed)");
}

static void test_without_orders(void **state)
{
    (void)state;
    expect("@atomic_store(&x, 1);", ATOMIC_STORE, ORDER_RELEASE, 0,
           "atomic_store_explicit(&x, 1, memory_order_release);");
    expect("x.load@();", ATOMIC_LOAD, ORDER_ACQUIRE, 0, "x.load(std::memory_order_acquire);");
    expect("p->fetch_add@(1);", ATOMIC_UPDATE, ORDER_RELAXED, 0,
           "p->fetch_add(1, std::memory_order_relaxed);");
    expect("std::@atomic_load(&x)", ATOMIC_LOAD, ORDER_ACQUIRE, 0,
           "std::atomic_load_explicit(&x, std::memory_order_acquire)");
    expect("n@++;", ATOMIC_UPDATE, ORDER_RELAXED, 0, "an operator has no literal order");
    expect("int v = @x;", ATOMIC_LOAD, ORDER_RELAXED, 0, "an operator has no literal order");
    expect("@READ(x);", ATOMIC_LOAD, ORDER_RELAXED, 0, "no literal order stands there");
    expect("@atomic_load_explicit(&x, order);", ATOMIC_LOAD, ORDER_RELAXED, 0,
           "no literal order stands there");
    expect("@f(", ATOMIC_LOAD, ORDER_RELAXED, 0, "an operator has no literal order");
}

/* gcc names the outer call for accesses in its arguments. */
static void test_inside(void **state)
{
    (void)state;
    expect_changed("y.store@(x.load(), std::memory_order_relaxed);", ATOMIC_LOAD, ORDER_ACQUIRE,
                   "y.store(x.load(std::memory_order_acquire), std::memory_order_relaxed);");
    expect_changed("y.store@(x.load(std::memory_order_relaxed), std::memory_order_seq_cst);", ATOMIC_STORE,
                   ORDER_RELEASE, "y.store(x.load(std::memory_order_relaxed), std::memory_order_release);");
    expect_changed(
        "y.fetch_add@(x.exchange(z.load()));", ATOMIC_UPDATE, ORDER_RELAXED,
        "y.fetch_add(x.exchange(z.load(), std::memory_order_relaxed), std::memory_order_relaxed);");
    expect_changed("@assert(a[i].load(std::memory_order_seq_cst) == f(\"x.load()\"));", ATOMIC_LOAD,
                   ORDER_RELAXED, "assert(a[i].load(std::memory_order_relaxed) == f(\"x.load()\"));");
    expect_changed("@MOVE(&y, &x, memory_order_seq_cst, memory_order_seq_cst);", ATOMIC_LOAD, ORDER_RELAXED,
                   "no literal order stands there");
    expect_changed("@use(x.load(std::memory_order_relaxed), y.load());", ATOMIC_LOAD, ORDER_ACQUIRE,
                   "use(x.load(std::memory_order_relaxed), y.load(std::memory_order_acquire));");
    expect_changed("@use(x.load(order), y.load());", ATOMIC_LOAD, ORDER_ACQUIRE,
                   "no literal order stands there");
    expect_changed("@__atomic_store_n(&y, __atomic_load_n(&x, __ATOMIC_SEQ_CST), __ATOMIC_RELAXED);",
                   ATOMIC_LOAD, ORDER_RELAXED,
                   "__atomic_store_n(&y, __atomic_load_n(&x, __ATOMIC_RELAXED), __ATOMIC_RELAXED);");
}

/* An order that is not the site's stands there for something else. */
static void test_another_order(void **state)
{
    (void)state;
    expect_changed("@atomic_load_explicit(&x, memory_order_acquire);", ATOMIC_LOAD, ORDER_RELAXED,
                   "no literal order stands there");
    expect_changed("x.compare_exchange_weak@(e, v, order, std::memory_order_seq_cst)", ATOMIC_CAS,
                   ORDER_RELEASE, "no literal order stands there");
    expect_changed("@LOAD(&x, memory_order_seq_cst);", ATOMIC_LOAD, ORDER_RELAXED,
                   "no literal order stands there");
}

static void test_quotes(void **state)
{
    (void)state;
    expect_changed("x.fetch_add@(1'000, std::memory_order_seq_cst); c = '\'';", ATOMIC_UPDATE, ORDER_RELAXED,
                   "x.fetch_add(1'000, std::memory_order_relaxed); c = '\'';");
    expect_changed("x.store@(f(R\"q(),\")q\", ')'), std::memory_order_seq_cst);", ATOMIC_STORE, ORDER_RELAXED,
                   "x.store(f(R\"q(),\")q\", ')'), std::memory_order_relaxed);");
    expect_changed("f.test_and_set@()", ATOMIC_UPDATE, ORDER_ACQUIRE,
                   "f.test_and_set(std::memory_order_acquire)");
    expect_changed("@atomic_flag_clear(&f)", ATOMIC_STORE, ORDER_RELEASE,
                   "atomic_flag_clear_explicit(&f, memory_order_release)");
    expect_changed("x.wait@(1)", ATOMIC_LOAD, ORDER_ACQUIRE, "x.wait(1, std::memory_order_acquire)");
}

/* Two sites of one file, one line apart, and one that cannot be changed. */
static void test_patch(void **state)
{
    (void)state;
    char path[] = "/tmp/plumb-patch-XXXXXX";
    int fd = mkstemp(path);
    static const char before[] = "1\n2\n3\n4\natomic_store(&x, 1);\nx.load();\n7\n8\n9\nx++;\n";
    assert_true(fd >= 0 && write(fd, before, sizeof before - 1) == sizeof before - 1);
    close(fd);
    struct order_sites sites = {0};
    vec_push(&sites.all,
             ((struct order_site){.file = path, .line = 5, .column = 1, .kind = ATOMIC_STORE, .order = 5}));
    vec_push(&sites.all,
             ((struct order_site){.file = path, .line = 6, .column = 3, .kind = ATOMIC_LOAD, .order = 5}));
    vec_push(&sites.all,
             ((struct order_site){.file = path, .line = 10, .column = 2, .kind = ATOMIC_UPDATE, .order = 5}));
    uint8_t orders[] = {ORDER_RELEASE, ORDER_ACQUIRE, ORDER_RELAXED};
    struct order_patch patch = {0};
    struct text expected = {0}, expected_left = {0};
    order_patch_make(&patch, &sites, orders);
    text_printf(&expected,
                "--- a/%s\n+++ b/%s\n@@ -2,8 +2,8 @@\n 2\n 3\n 4\n-atomic_store(&x, 1);\n-x.load();\n"
                "+atomic_store_explicit(&x, 1, memory_order_release);\n+x.load(std::memory_order_acquire);\n "
                "7\n 8\n 9\n",
                path + patch.root.len, path + patch.root.len);
    text_printf(&expected_left, "%s:10:2 seq_cst -> relaxed: an operator has no literal order\n", path);
    assert_string_equal(patch.diff.data, expected.data);
    assert_string_equal(patch.left_out.data, expected_left.data);
    assert_true(patch.root.len > 0 && strncmp(path, patch.root.data, patch.root.len) == 0);
    unlink(path);
    order_patch_free(&patch);
    text_free(&expected);
    text_free(&expected_left);
    vec_free(&sites.all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_literals),       cmocka_unit_test(test_comparisons),
        cmocka_unit_test(test_without_orders), cmocka_unit_test(test_inside),
        cmocka_unit_test(test_another_order),  cmocka_unit_test(test_quotes),
        cmocka_unit_test(test_patch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
