/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "history/jsonl.h"
#include "history/order.h"

#include <stdio.h>
#include <string.h>

static uint64_t seed = 1;

static uint32_t below(uint32_t bound)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (uint32_t)(seed >> 32) % bound;
}

static struct history *history_with_threads(uint32_t threads)
{
    struct history *h = history_create();
    for (uint32_t t = 0; t < threads; t++)
        history_thread(h, plumb_int(h->values, t));
    history_op_name(h, "f", 1);
    return h;
}

static void add(struct history *h, uint32_t thread, int64_t call, int64_t ret)
{
    struct history_op op = {.call = call, .ret = ret, .arg = PLUMB_OK, .result = PLUMB_OK, .thread = thread};
    history_add(h, op, 0);
}

static void add_pending(struct history *h, uint32_t thread, int64_t call)
{
    struct history_op op = {
        .call = call, .arg = PLUMB_OK, .result = PLUMB_ANY, .thread = thread, .pending = 1};
    history_add(h, op, 0);
}

static void rank(const struct history *h, struct order *o)
{
    struct diagnostic d = {0};
    if (!order_rank(h, o, &d))
        fail_msg("line %llu: %s", (unsigned long long)d.line, d.message);
}

/* Positions are a permutation, and `event` is their inverse. */
static void check_positions(const struct history *h, const struct order *o)
{
    uint32_t events = 0;
    assert_int_equal(o->count, h->ops.len);
    for (uint32_t i = 0; i < o->count; i++) {
        assert_true(o->call[i] < o->event_count);
        assert_int_equal(o->event[o->call[i]], i << 1);
        events++;
        if (history_get(h, i).pending) {
            assert_true(o->ret[i] == ORDER_NEVER);
            continue;
        }
        assert_true(o->ret[i] < o->event_count && o->ret[i] > o->call[i]);
        assert_int_equal(o->event[o->ret[i]], i << 1 | 1);
        events++;
    }
    assert_int_equal(o->event_count, events);
}

/* Program order by definition: (call, return, place), pending last. */
static bool comes_before(const struct history *h, uint32_t i, uint32_t j)
{
    const struct history_op *a = history_at(h, i), *b = history_at(h, j);
    if (a->call != b->call)
        return a->call < b->call;
    if (a->pending || b->pending)
        return !a->pending && b->pending;
    return a->ret != b->ret ? a->ret < b->ret : i < j;
}

/* Does i precede j by the ranks and the links of `after` together? */
static bool ordered(const struct order *o, uint32_t i, uint32_t j)
{
    while (o->ret[i] >= o->call[j]) {
        if (!o->after || o->after[j] == ORDER_NO_OP)
            return false;
        j = o->after[j];
        if (j == i)
            return true;
    }
    return true;
}

static void check_precedence(const struct history *h, const struct order *o)
{
    for (uint32_t i = 0; i < o->count; i++)
        for (uint32_t j = 0; j < o->count; j++) {
            const struct history_op *a = history_at(h, i), *b = history_at(h, j);
            if (i == j)
                continue;
            if (a->thread == b->thread)
                assert_true(ordered(o, i, j) == comes_before(h, i, j));
            else
                assert_true((o->ret[i] < o->call[j]) == (!a->pending && a->ret < b->call));
        }
}

static void check_links(const struct history *h, const struct order *o)
{
    bool any = false;
    for (uint32_t b = 0; o->after && b < o->count; b++) {
        uint32_t a = o->after[b];
        if (a == ORDER_NO_OP)
            continue;
        any = true;
        assert_int_equal(history_get(h, a).thread, history_get(h, b).thread);
        assert_true(comes_before(h, a, b) && o->call[b] < o->ret[a]);
    }
    assert_true(any == (o->after != NULL));
}

/* At each stamp, the threads that return and then call again: only two of them need links. */
static bool needs_links(const struct history *h)
{
    const size_t n = h->ops.len;
    for (size_t s = 0; s < n; s++) {
        uint64_t tied = 0;
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++) {
                const struct history_op *a = history_at(h, i), *b = history_at(h, j);
                if (i != j && a->thread == b->thread && !a->pending && a->ret == b->call &&
                    b->call == history_get(h, s).call && comes_before(h, (uint32_t)i, (uint32_t)j))
                    tied |= (uint64_t)1 << a->thread;
            }
        if (tied & (tied - 1))
            return true;
    }
    return false;
}

static void check_history(const struct history *h, size_t *linked)
{
    struct order o;
    rank(h, &o);
    check_positions(h, &o);
    check_precedence(h, &o);
    check_links(h, &o);
    assert_true(needs_links(h) == (o.after != NULL));
    *linked += o.after != NULL;
    order_free(&o);
}

static int64_t clamp(int64_t stamp)
{
    return stamp > 6 ? 6 : stamp;
}

/* Operations of each thread one after the other on a few stamps (among them the extremes of the
 * type), added in random order. */
static struct history *random_history(void)
{
    uint32_t threads = 1 + below(5), count = 0;
    struct history *h = history_with_threads(threads);
    struct history_op ops[64];
    int64_t offset = below(8) == 0 ? INT64_MAX - 6 : below(8) == 0 ? INT64_MIN : 0;
    for (uint32_t t = 0; t < threads; t++) {
        int64_t now = below(4);
        for (uint32_t k = below(6); k > 0; k--) {
            struct history_op op = {.thread = t, .arg = PLUMB_OK, .result = PLUMB_OK};
            now += below(3) == 0;
            op.call = offset + clamp(now);
            now += below(2);
            op.ret = offset + clamp(now);
            op.pending = k == 1 && below(4) == 0;
            ops[count++] = op;
        }
    }
    bool shuffle = below(2);
    for (uint32_t i = count; shuffle && i > 1; i--) {
        uint32_t other = below(i);
        struct history_op swap = ops[i - 1];
        ops[i - 1] = ops[other];
        ops[other] = swap;
    }
    for (uint32_t i = 0; i < count; i++)
        history_add(h, ops[i], 0);
    return h;
}

static void test_random_histories_agree_with_the_definition(void **state)
{
    (void)state;
    size_t linked = 0;
    for (int round = 0; round < 60000; round++) {
        struct history *h = random_history();
        check_history(h, &linked);
        history_destroy(h);
    }
    assert_true(linked > 1000 && linked < 59000);
}

static void test_random_overlaps_are_found(void **state)
{
    (void)state;
    size_t bad = 0;
    for (int round = 0; round < 20000; round++) {
        struct history *h = history_with_threads(2);
        for (uint32_t i = below(5); i > 0; i--) {
            int64_t call = below(6);
            if (below(6) == 0)
                add_pending(h, below(2), call);
            else
                add(h, below(2), call, call + below(3));
        }
        bool overlap = false;
        for (size_t i = 0; i < h->ops.len; i++)
            for (size_t j = 0; j < h->ops.len; j++) {
                const struct history_op *a = history_at(h, i), *b = history_at(h, j);
                if (a->thread == b->thread && i != j && comes_before(h, (uint32_t)i, (uint32_t)j))
                    overlap |= a->pending || a->ret > b->call;
                /* two pending calls at one stamp come before each other in no way */
                overlap |= a->thread == b->thread && i != j && a->pending && b->pending;
            }
        struct order o;
        struct diagnostic d = {0};
        assert_true(order_rank(h, &o, &d) == !overlap);
        assert_int_equal(d.code, overlap ? PL_TWO_OPEN : 0);
        bad += overlap;
        order_free(&o);
        history_destroy(h);
    }
    assert_true(bad > 2000 && bad < 18000);
}

static void test_one_tie_needs_no_link(void **state)
{
    (void)state;
    struct history *h = history_with_threads(3);
    add(h, 0, 1, 5);
    add(h, 0, 5, 5);
    add(h, 0, 5, 9);
    add(h, 1, 5, 6);
    add(h, 2, 2, 5);
    struct order o;
    rank(h, &o);
    assert_null(o.after);
    assert_true(o.ret[0] < o.call[1] && o.ret[1] < o.call[2]);
    assert_true(o.call[3] < o.ret[0] && o.ret[4] > o.call[2]);
    order_free(&o);
    history_destroy(h);
}

static void test_two_ties_are_linked(void **state)
{
    (void)state;
    struct history *h = history_with_threads(2);
    add(h, 0, 1, 5);
    add(h, 0, 5, 6);
    add(h, 1, 1, 5);
    add(h, 1, 5, 6);
    struct order o;
    rank(h, &o);
    assert_non_null(o.after);
    assert_int_equal(o.after[1], 0);
    assert_int_equal(o.after[3], 2);
    assert_true(o.after[0] == ORDER_NO_OP && o.after[2] == ORDER_NO_OP);
    order_free(&o);
    history_destroy(h);
}

static void test_empty_history(void **state)
{
    (void)state;
    struct history *h = history_create();
    struct order o;
    rank(h, &o);
    assert_int_equal(o.event_count, 0);
    order_free(&o);
    history_destroy(h);
}

static void check_refused(const char *lines, int code, uint64_t line, const char *message)
{
    struct history *h = history_create();
    struct diagnostic d = {0};
    struct order o;
    assert_true(jsonl_read_memory(h, lines, strlen(lines), &d));
    assert_false(order_rank(h, &o, &d));
    assert_int_equal(d.code, code);
    assert_int_equal(d.line, line);
    assert_string_equal(d.message, message);
    order_free(&o);
    history_destroy(h);
}

static void test_two_open_operations_are_named(void **state)
{
    (void)state;
    check_refused("{\"thread\":7,\"op\":\"f\",\"call\":1,\"return\":5}\n\n"
                  "{\"thread\":8,\"op\":\"f\",\"call\":1,\"return\":5}\n \n"
                  "{\"thread\":7,\"op\":\"f\",\"call\":4,\"return\":6}\n",
                  PL_TWO_OPEN, 5,
                  "thread 7 calls this operation while its operation of line 1 is still open");
    check_refused("{\"thread\":\"w\",\"op\":\"f\",\"call\":4,\"return\":6}\n"
                  "{\"thread\":\"w\",\"op\":\"f\",\"call\":1}\n",
                  PL_TWO_OPEN, 1,
                  "thread \"w\" calls this operation while its operation of line 2 is still open");
}

static void test_return_before_call_is_refused(void **state)
{
    (void)state;
    struct history *h = history_with_threads(1);
    add(h, 0, 1, 2);
    add(h, 0, 5, 4);
    struct order o;
    struct diagnostic d = {0};
    assert_false(order_rank(h, &o, &d));
    assert_int_equal(d.code, PL_RETURN_BEFORE_CALL);
    assert_int_equal(d.line, 2);
    history_destroy(h);
}

static void test_many_threads(void **state)
{
    (void)state;
    enum { THREADS = 100000 };
    struct history *h = history_with_threads(THREADS);
    for (int64_t round = 0; round < 2; round++)
        for (uint32_t t = 0; t < THREADS; t++)
            add(h, t, round * THREADS + t, round * THREADS + t + 5);
    struct order o;
    rank(h, &o);
    check_positions(h, &o);
    for (uint32_t i = 1; i < o.count; i++)
        assert_true(o.call[i - 1] < o.call[i] && o.ret[i - 1] < o.ret[i]);
    for (uint32_t i = 6; i < o.count; i++)
        assert_true(o.ret[i - 6] < o.call[i] && o.ret[i - 5] > o.call[i]);
    order_free(&o);
    history_destroy(h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_histories_agree_with_the_definition),
        cmocka_unit_test(test_random_overlaps_are_found),
        cmocka_unit_test(test_one_tie_needs_no_link),
        cmocka_unit_test(test_two_ties_are_linked),
        cmocka_unit_test(test_empty_history),
        cmocka_unit_test(test_two_open_operations_are_named),
        cmocka_unit_test(test_return_before_call_is_refused),
        cmocka_unit_test(test_many_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
