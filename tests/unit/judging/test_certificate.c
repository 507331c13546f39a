/* SPDX-License-Identifier: Apache-2.0 */
/* The checker accepts a proof and rejects each way of being none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/history_text.h"
#include "monitor/certificate.h"

static const char queue_text[] = "{\"thread\":1,\"op\":\"enq\",\"arg\":1,\"call\":1,\"return\":2}\n"
                                 "{\"thread\":2,\"op\":\"enq\",\"arg\":2,\"call\":1,\"return\":5}\n"
                                 "{\"thread\":1,\"op\":\"deq\",\"result\":1,\"call\":5,\"return\":6}\n"
                                 "{\"thread\":1,\"op\":\"deq\",\"result\":2,\"call\":6,\"return\":6}\n"
                                 "{\"thread\":3,\"op\":\"deq\",\"call\":4}\n";

static const char *check(const char *text, const char *spec, const uint32_t *members, size_t member_count,
                         const uint32_t *order, size_t count)
{
    struct history *h = history_from_text(text, spec);
    struct plumb_spec_options options = {.values = h->values, .initial = PLUMB_OK};
    struct certificate *c = certificate_create(h);
    const char *wrong = certificate_check(c, spec_find(spec), &options, members, member_count, order, count);
    /* A second check must not see traces of the first. */
    const char *again = certificate_check(c, spec_find(spec), &options, members, member_count, order, count);
    assert_true(wrong == again);
    certificate_destroy(c);
    history_destroy(h);
    return wrong;
}

#define CHECK_QUEUE(...)                                                 \
    check(queue_text, "queue", NULL, 5, (const uint32_t[]){__VA_ARGS__}, \
          sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

static void accepts_legal_orders(void **state)
{
    (void)state;
    assert_null(CHECK_QUEUE(0, 1, 2, 3));
    assert_null(CHECK_QUEUE(0, 1, 2, 3, 4)); /* the pending deq finds nothing */
}

static void rejects_wrong_members(void **state)
{
    (void)state;
    assert_string_equal(CHECK_QUEUE(0, 1, 2), "a completed operation is missing");
    assert_string_equal(CHECK_QUEUE(0, 1, 1, 2, 3), "an operation occurs twice");
    assert_string_equal(CHECK_QUEUE(0, 1, 2, 3, 9), "an operation of the order does not belong to it");
    static const uint32_t members[] = {0, 2}, order[] = {0, 2}, more[] = {0, 1, 2};
    assert_null(check(queue_text, "queue", members, 2, order, 2));
    assert_string_equal(check(queue_text, "queue", members, 2, more, 3),
                        "an operation of the order does not belong to it");
}

static void rejects_orders_against_time(void **state)
{
    (void)state;
    /* deq -> 1 is called after enq(1) returned */
    assert_string_equal(CHECK_QUEUE(2, 0, 1, 3),
                        "an operation stands behind one that was called after it returned");
    /* both deqs touch stamp 6: only program order tells them apart */
    assert_string_equal(CHECK_QUEUE(0, 1, 3, 2), "two operations of one thread are in the wrong order");
}

static void rejects_what_the_specification_forbids(void **state)
{
    (void)state;
    assert_string_equal(CHECK_QUEUE(1, 0, 2, 3), "the specification does not allow this order");
    assert_string_equal(CHECK_QUEUE(0, 1, 4, 2, 3), "the specification does not allow this order");
}

/* The unknown take must pick 2 although 1 may come first. */
static void follows_all_outcomes_when_an_answer_is_open(void **state)
{
    (void)state;
    static const char text[] =
        "{\"thread\":1,\"op\":\"add\",\"arg\":1,\"call\":1,\"return\":2}\n"
        "{\"thread\":1,\"op\":\"add\",\"arg\":2,\"call\":3,\"return\":4}\n"
        "{\"thread\":1,\"op\":\"take\",\"result\":{\"unknown\":true},\"call\":5,\"return\":6}\n"
        "{\"thread\":1,\"op\":\"take\",\"result\":%d,\"call\":7,\"return\":8}\n"
        "{\"thread\":1,\"op\":\"take\",\"result\":null,\"call\":9,\"return\":10}\n";
    static const uint32_t order[] = {0, 1, 2, 3, 4};
    for (int taken = 1; taken <= 2; taken++) {
        char history[sizeof text + 16];
        snprintf(history, sizeof history, text, taken);
        assert_null(check(history, "bag", NULL, 5, order, 5));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accepts_legal_orders),
        cmocka_unit_test(rejects_wrong_members),
        cmocka_unit_test(rejects_orders_against_time),
        cmocka_unit_test(rejects_what_the_specification_forbids),
        cmocka_unit_test(follows_all_outcomes_when_an_answer_is_open),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
