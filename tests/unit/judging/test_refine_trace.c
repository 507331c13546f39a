/* SPDX-License-Identifier: Apache-2.0 */
/* Trace refinement and Aldebaran files. Specifications as systems serve on both sides. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "refine/automata/aut.h"
#include "refine/refine.h"
#include "spec/registry.h"

#include <string.h>
#include <unistd.h>

static struct refine_system *model_of(const char *ops0, const char *ops1, uint32_t threads)
{
    static struct refine_system s;
    static const char *ops[2];
    ops[0] = ops0, ops[1] = ops1;
    s = (struct refine_system){.ops = ops, .op_count = 2, .threads = threads};
    return &s;
}

static struct refine_system *object(const char *spec, const char *quasi, uint32_t capacity,
                                    enum refine_full full)
{
    struct diagnostic d = {0};
    bool queue = !strcmp(spec, "queue");
    struct refine_object_settings settings = {
        .spec = spec_find(spec),
        .quasi = quasi,
        .capacity = capacity,
        .full = full,
        .model = model_of(queue ? "enq" : "push", queue ? "deq" : "pop", 2),
        .free_values = 2,
    };
    struct refine_system *s = refine_object_new(&settings, &d);
    assert_non_null(s);
    return s;
}

static enum verdict verdict_of(struct refine_system *impl, struct refine_system *spec, size_t *steps,
                               bool plain)
{
    struct diagnostic d = {0};
    struct refine_settings settings = {.free_values = 2, .plain = plain};
    struct refine_result r;
    assert_true(refine_trace(impl, spec, &settings, &r, &d));
    enum verdict v = r.verdict;
    *steps = r.run.len;
    for (size_t i = 0; i < r.run.len; i++)
        free(r.run.data[i].state);
    vec_free(&r.run);
    return v;
}

static void expect_of(struct refine_system *impl, struct refine_system *spec, enum verdict wanted,
                      size_t steps)
{
    size_t fast, slow;
    assert_int_equal(verdict_of(impl, spec, &fast, false), wanted);
    assert_int_equal(verdict_of(impl, spec, &slow, true), wanted);
    assert_int_equal(fast, steps);
    assert_int_equal(slow, steps);
    impl->destroy(impl);
    spec->destroy(spec);
}

static void test_an_object_refines_itself(void **state)
{
    (void)state;
    expect_of(object("queue", NULL, 2, REFINE_FULL_BLOCK), object("queue", NULL, 2, REFINE_FULL_BLOCK),
              VERDICT_HOLDS, 0);
    expect_of(object("stack", NULL, 2, REFINE_FULL_BLOCK), object("stack", NULL, 3, REFINE_FULL_BLOCK),
              VERDICT_HOLDS, 0);
}

/* Call, effect and return of enq(1) and of deq = 2; between them enq(2), which need not return. */
static void test_a_relaxed_queue_is_no_queue(void **state)
{
    (void)state;
    expect_of(object("queue", "deq=1", 2, REFINE_FULL_BLOCK), object("queue", NULL, 2, REFINE_FULL_BLOCK),
              VERDICT_VIOLATED, 8);
    expect_of(object("queue", NULL, 2, REFINE_FULL_BLOCK), object("queue", "deq=1", 2, REFINE_FULL_BLOCK),
              VERDICT_HOLDS, 0);
}

static void test_full_is_seen(void **state)
{
    (void)state;
    expect_of(object("queue", NULL, 2, REFINE_FULL_ANY), object("queue", NULL, 2, REFINE_FULL_CAPACITY),
              VERDICT_VIOLATED, 3);
    expect_of(object("queue", NULL, 2, REFINE_FULL_CAPACITY), object("queue", NULL, 2, REFINE_FULL_ANY),
              VERDICT_HOLDS, 0);
    expect_of(object("queue", NULL, 2, REFINE_FULL_CAPACITY), object("queue", NULL, 2, REFINE_FULL_BLOCK),
              VERDICT_VIOLATED, 8);
}

static struct refine_system *load_text(const char *text, struct diagnostic *d)
{
    char path[] = "/tmp/plumb_aut_XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
    close(fd);
    struct refine_system *s = aut_load(path, d);
    unlink(path);
    return s;
}

static void test_files_come_back_as_they_went(void **state)
{
    (void)state;
    char *first = NULL, *second = NULL;
    size_t length;
    struct diagnostic d = {0};
    struct refine_system *o = object("queue", NULL, 1, REFINE_FULL_CAPACITY);
    FILE *out = open_memstream(&first, &length);
    assert_true(aut_export(o, 2, 1000000, out, &d));
    fclose(out);
    struct refine_system *read = load_text(first, &d);
    assert_non_null(read);
    out = open_memstream(&second, &length);
    assert_true(aut_export(read, 2, 1000000, out, &d));
    fclose(out);
    assert_string_equal(first, second);
    expect_of(read, o, VERDICT_HOLDS, 0);
    free(first);
    free(second);
}

static void test_labels_of_other_tools(void **state)
{
    (void)state;
    struct diagnostic d = {0};
    struct refine_system *a = load_text("des (0, 3, 3)\n(0, \"call(0,enq,1)\", 1)\n(1, tau, 2)\n"
                                        "(2, \"RET !0 !enq !ok\", 0)\n",
                                        &d);
    assert_non_null(a);
    assert_int_equal(a->threads, 1);
    /* The third item has no room. */
    expect_of(a, object("queue", NULL, 2, REFINE_FULL_BLOCK), VERDICT_VIOLATED, 9);
}

static void expect_error(const char *text, uint64_t line, uint64_t column)
{
    struct diagnostic d = {0};
    assert_null(load_text(text, &d));
    assert_int_equal(d.code, PL_AUT_SYNTAX);
    assert_int_equal(d.line, line);
    assert_int_equal(d.column, column);
}

static void test_errors_have_places(void **state)
{
    (void)state;
    expect_error("", 1, 1);
    expect_error("des (0, 1)\n", 1, 10);
    expect_error("des (3, 1, 2)\n", 1, 14);
    expect_error("des (0, 1, 2)\n(0, \"T0 call enq(1)\", 2)\n", 2, 23);
    expect_error("des (0, 2, 2)\n(0, \"T0 call enq(1)\", 1)\n", 1, 1);
    expect_error("des (0, 1, 2)\n(0, \"T9 call enq(1)\", 1)\n", 2, 6);
    expect_error("des (0, 1, 2)\n(0, \"T0 call enq(x)\", 1)\n", 2, 6);
    expect_error("des (0, 1, 2)\n(0, \"T0 call\n", 2, 6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_object_refines_itself),
        cmocka_unit_test(test_a_relaxed_queue_is_no_queue),
        cmocka_unit_test(test_full_is_seen),
        cmocka_unit_test(test_files_come_back_as_they_went),
        cmocka_unit_test(test_labels_of_other_tools),
        cmocka_unit_test(test_errors_have_places),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
