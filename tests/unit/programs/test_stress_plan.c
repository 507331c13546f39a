/* SPDX-License-Identifier: Apache-2.0 */
/* What threads are to call, from the list that a program makes of its harness. */
#include "spec/registry.h"
#include "stress/stress_pairs.h"
#include "stress/stress_plan.h"
#include "stress/stress_rounds.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct planned {
    struct stress_harness harness;
    struct stress_plan plan;
    struct stress_notes notes;
    struct diagnostic d;
    uint32_t threads;
};

/* kind object name text types; file and line are added. */
#define OBJECT(name, spec) "0\t" name "\t\t" spec "\t\tq.c\t1\n"
#define OP(object, name, types) "4\t" object "\t" name "\t\t" types "\tq.c\t2\n"
#define TRY(object, name, text) "5\t" object "\t" name "\t" text "\t\tq.c\t3\n"
#define ROLE(name, text) "7\t\t" name "\t" text "\t\tq.c\t4\n"
#define ROLE_MANY(name, text) "8\t\t" name "\t" text "\t\tq.c\t5\n"

static bool plan_for(struct planned *p, const char *list, const char *mix, uint32_t threads)
{
    struct stress_wishes wishes = {.threads = threads, .keys = 4, .mix = mix, .final_most = 100};
    memset(p, 0, sizeof *p);
    p->threads = threads ? threads : 2;
    return stress_harness_read(&p->harness, list, strlen(list), NULL, &p->d) &&
           stress_plan_make(&p->plan, &p->harness, &wishes, &p->threads, &p->notes, &p->d);
}

static void forget(struct planned *p)
{
    stress_harness_free(&p->harness);
    stress_notes_free(&p->notes);
}

static struct planned *fresh(void)
{
    struct planned *p = test_malloc(sizeof *p);
    return p;
}

static void expect_refusal(const char *list, const char *mix, uint32_t threads, const char *message)
{
    struct planned *p = fresh();
    assert_false(plan_for(p, list, mix, threads));
    assert_non_null(strstr(p->d.message, message));
    forget(p);
    test_free(p);
}

#define QUEUE OBJECT("", "queue") OP("", "enq", "i") OP("", "deq", "") OP("", "peek", "")

static void containers_get_as_much_as_is_taken_out(void **state)
{
    (void)state;
    struct planned *p = fresh();
    assert_true(plan_for(p, QUEUE, NULL, 3));
    for (unsigned t = 1; t <= 3; t++) {
        assert_true(p->plan.weights[t][1] >= p->plan.weights[t][0]);
        assert_true(p->plan.weights[t][1] < p->plan.weights[t][0] * 5 / 4);
        assert_in_range(p->plan.weights[t][2], 1, p->plan.weights[t][0] / 2);
    }
    assert_int_equal(p->plan.weights[0][0], 0);
    assert_string_equal(p->plan.operations[0].arguments, "v");
    assert_int_equal(p->plan.final_count, 2); /* a look, then everything is taken out */
    assert_int_equal(p->plan.finals[0].operation, 2);
    assert_int_equal(p->plan.finals[1].operation, 1);
    assert_int_equal(p->plan.finals[1].until_null, 100);
    forget(p);
    test_free(p);
}

static void a_mix_says_what_is_called(void **state)
{
    (void)state;
    struct planned *p = fresh();
    assert_true(plan_for(p, QUEUE, "enq=3, deq=2", 2));
    assert_int_equal(p->plan.weights[1][0], 3);
    assert_int_equal(p->plan.weights[2][1], 2);
    assert_int_equal(p->plan.weights[1][2], 0);
    forget(p);
    test_free(p);
    expect_refusal(QUEUE, "enqueue=3", 2, "'enqueue' is no operation");
    expect_refusal(QUEUE, "enq", 2, "'enq' is not a name, =, and a number");
    expect_refusal(QUEUE, "enq=99999", 2, "of at most 10000");
    expect_refusal(QUEUE, "enq=0", 2, "no operation is left");
}

static void keys_meet_and_elements_differ(void **state)
{
    (void)state;
    struct planned *p = fresh();
    assert_true(plan_for(p,
                         OBJECT("m", "map") OP("m", "put", "ll") OP("m", "get", "l") OBJECT("r", "register")
                             OP("r", "write", "l") OP("r", "cas", "ll") OBJECT("c", "counter")
                                 OP("c", "add", "l"),
                         NULL, 2));
    assert_string_equal(p->plan.operations[0].arguments, "kv");
    assert_string_equal(p->plan.operations[1].arguments, "k");
    assert_string_equal(p->plan.operations[2].arguments, "v");
    assert_string_equal(p->plan.operations[3].arguments, "ov");
    assert_string_equal(p->plan.operations[4].arguments, "k");
    assert_int_equal(p->plan.final_count, 1);
    assert_int_equal(p->plan.finals[0].per_key, 1);
    forget(p);
    test_free(p);
}

static void tries_are_used_where_values_decide(void **state)
{
    (void)state;
    struct planned *p = fresh();
    assert_true(plan_for(
        p, OBJECT("", "map") OP("", "put", "sl") TRY("", "put", "\"a\", 1, \"b c\", -2") OP("", "get", "s"),
        NULL, 2));
    assert_string_equal(p->plan.operations[0].arguments, "tt");
    assert_int_equal(p->plan.operations[0].choice_count, 2);
    const struct stress_choice *c = &p->plan.choices[p->plan.operations[0].choices];
    assert_string_equal(p->plan.texts + c[0].text, "a");
    assert_int_equal(c[1].number, 1);
    assert_string_equal(p->plan.texts + c[2].text, "b c");
    assert_int_equal(c[3].number, -2);
    /* Without tries of its own `get` has the keys of `put`, and looks at each of them in the end. */
    assert_string_equal(p->plan.operations[1].arguments, "t");
    assert_int_equal(p->plan.operations[1].choice_count, 2);
    c = &p->plan.choices[p->plan.operations[1].choices];
    assert_string_equal(p->plan.texts + c[1].text, "b c");
    assert_int_equal(p->plan.final_count, 1);
    assert_int_equal(p->plan.finals[0].per_key, 1);
    forget(p);
    assert_true(plan_for(p,
                         OBJECT("", "map") OP("", "put", "il") OP("", "remove", "i") OP("", "get", "i")
                             TRY("", "get", "7, 7, 8"),
                         NULL, 2));
    assert_string_equal(p->plan.operations[0].arguments, "tv");
    assert_int_equal(p->plan.operations[0].choice_count, 2);
    assert_int_equal(p->plan.choices[p->plan.operations[1].choices + 1].number, 8);
    forget(p);
    assert_true(plan_for(p, QUEUE TRY("", "enq", "1, 2"), NULL, 2));
    assert_string_equal(p->plan.operations[0].arguments, "v"); /* elements of containers differ */
    forget(p);
    test_free(p);
    expect_refusal(QUEUE TRY("", "enq", "x"), NULL, 2, "PLUMB_TRY of 'enq': an argument of type int");
    expect_refusal(QUEUE TRY("", "put", "1"), NULL, 2, "PLUMB_TRY names an operation 'put'");
}

static void threads_get_roles(void **state)
{
    (void)state;
    struct planned *p = fresh();
    assert_true(plan_for(p, QUEUE ROLE("producer", "enq") ROLE_MANY("consumer", "deq"), NULL, 4));
    assert_int_equal(p->threads, 4);
    assert_true(p->plan.weights[1][0] && !p->plan.weights[1][1]);
    for (unsigned t = 2; t <= 4; t++)
        assert_true(!p->plan.weights[t][0] && p->plan.weights[t][1] && p->plan.weights[t][2]);
    forget(p);
    /* More threads than roles have nothing to do. */
    assert_true(plan_for(
        p, OBJECT("", "queue") OP("", "enq", "i") OP("", "deq", "") ROLE("p", "enq") ROLE("c", "deq"), NULL,
        8));
    assert_int_equal(p->threads, 2);
    forget(p);
    test_free(p);
    expect_refusal(QUEUE ROLE("a", "enq") ROLE("b", "deq") ROLE_MANY("c", "peek"), NULL, 2, "3 roles");
    expect_refusal(QUEUE ROLE("a", "enqueue"), NULL, 2, "the role 'a' names an operation 'enqueue'");
}

#define LOCK OBJECT("", "lock") OP("", "acquire", "") OP("", "try_acquire", "") OP("", "release", "")

static void what_is_taken_is_given_back(void **state)
{
    (void)state;
    struct planned *p = fresh();
    assert_true(plan_for(p, LOCK, NULL, 2));
    assert_int_equal(p->plan.operations[0].followed_by, 2);
    assert_int_equal(p->plan.operations[1].followed_by, 2);
    assert_int_equal(p->plan.operations[2].followed_by, STRESS_NOTHING);
    assert_true(p->plan.weights[1][0] && p->plan.weights[1][1] && !p->plan.weights[1][2]);
    forget(p);
    /* Without permits nothing is taken first: what would wait forever is left out, and that is said. */
    assert_true(plan_for(
        p, OBJECT("", "semaphore(0)") OP("", "acquire", "") OP("", "try_acquire", "") OP("", "release", ""),
        NULL, 2));
    assert_true(!p->plan.weights[1][0] && p->plan.weights[1][1] && p->plan.weights[1][2]);
    assert_int_equal(p->notes.list.len, 1);
    forget(p);
    /* A harness may lack what gives back. */
    expect_refusal(OBJECT("", "lock") OP("", "acquire", ""), NULL, 2, "no operation is left");
    test_free(p);
}

/* Whatever there is: each operation that may wait is followed by one that gives back, or by none. */
static void pairs_are_found_in_every_specification(void **state)
{
    (void)state;
    struct stress_pairs pairs;
    for (unsigned i = 0; i < spec_count; i++) {
        stress_pairs_find(&pairs, spec_all[i], NULL);
        for (uint32_t op = 0; op < spec_all[i]->operation_count; op++) {
            uint32_t back = pairs.followed_by[op];
            assert_true(back == STRESS_NO_PAIR ||
                        (pairs.follows[back] && back < spec_all[i]->operation_count));
        }
    }
    stress_pairs_find(&pairs, spec_find("rwlock"), NULL);
    assert_int_equal(pairs.followed_by[0], 2);
    assert_int_equal(pairs.followed_by[1], 2);
    assert_int_equal(pairs.followed_by[3], 5);
    assert_int_equal(pairs.followed_by[4], 5);
    stress_pairs_find(&pairs, spec_find("semaphore(3)"), NULL);
    assert_int_equal(pairs.followed_by[0], 2);
    assert_true(pairs.may_wait[0] && !pairs.may_wait[1]);
    stress_pairs_find(&pairs, spec_find("event"), NULL);
    assert_true(pairs.may_wait[2] && pairs.followed_by[2] == STRESS_NO_PAIR);
}

static void lists_may_be_anything(void **state)
{
    (void)state;
    static const char *const lists[] = {
        "",
        "\n\n",
        "4",
        "4\t\tenq\t\ti\tq.c",         /* a field is missing */
        "99\t\tenq\t\ti\tq.c\t1\n",   /* no such part */
        "x\t\tenq\t\ti\tq.c\t1\n",    /* no number */
        "4\t\tenq\t\tzzzz\tq.c\t1\n", /* no types */
        "4\t\tenq\t\tiiii\tq.c\t1\n", /* too many */
        OP("q", "enq", "i"),          /* of no object */
        OBJECT("", "queu") OP("", "enq", "i"),
        OBJECT("", "queue") OP("", "scan", "i"),
        OBJECT("", "queue") OP("", "enq", "i") OP("", "enq", "i"),
        OBJECT("", "queue"),
        "\t\t\t\t\t\t\t\t\t\t\n",
    };
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        expect_refusal(lists[i], NULL, 2, "");
    struct planned *p = fresh();
    char many[STRESS_OPERATIONS_MAX * 32 + 64], *end = many;
    for (int k = 0; k <= STRESS_OPERATIONS_MAX; k++)
        end += snprintf(end, 32, "4\t\top%d\t\t\tq.c\t1\n", k);
    assert_false(plan_for(p, many, NULL, 2));
    assert_non_null(strstr(p->d.message, "more than 64 operations"));
    forget(p);
    test_free(p);
}

static void rounds_are_a_function_of_the_seed(void **state)
{
    (void)state;
    struct stress_schedule a = {.seed = 7,
                                .ops = -1,
                                .threads = 2,
                                .threads_most = 4,
                                .processors = 2,
                                .by_number = true,
                                .calls_most = 4096};
    struct stress_schedule b = a;
    bool is_long = false, is_short = false, is_middle = false, is_pinned = false, is_crowded = false,
         is_quiet = false;
    for (uint64_t n = 1; n <= 60; n++) {
        struct stress_round x = stress_schedule_next(&a, n, 0), y = stress_schedule_next(&b, n, 1e6);
        assert_memory_equal(&x, &y, sizeof x);
        is_long |= stress_round_is_long(&a, &x);
        is_short |= x.segments == 1 && x.calls >= 10 && x.calls <= 100;
        is_middle |= x.segments == 1 && x.calls >= 1000 && x.threads == 4 && !stress_round_is_long(&a, &x);
        is_pinned |= x.pinned && x.threads == 2;
        is_crowded |= x.threads == 4 && !x.pinned;
        is_quiet |= !x.disturbed;
        assert_true(x.disturbed || x.calls <= 100 || x.segments > 1); /* those that ABA is found in */
        assert_int_equal(x.fresh, 1);
    }
    assert_true(is_long && is_short && is_middle && is_pinned && is_crowded && is_quiet);
    struct stress_schedule bytes = {
        .ops = -1, .threads = 2, .threads_most = 4, .processors = 2, .values = 127};
    for (uint64_t n = 1; n <= 60; n++) { /* elements are different if there are enough */
        struct stress_round x = stress_schedule_next(&bytes, n, 0);
        assert_true(x.calls >= 10 && x.calls * (x.threads + 1) + x.threads <= 127 && x.segments == 1);
    }
    struct stress_schedule hard = {
        .ops = -1, .threads = 2, .threads_most = 4, .processors = 2, .is_hard = true};
    for (uint64_t n = 1; n <= 60; n++) {
        struct stress_round x = stress_schedule_next(&hard, n, 0);
        assert_true(x.calls >= 10 && x.calls * x.threads <= 6000 && x.segments == 1);
    }
    struct stress_schedule asked = {
        .ops = 10000, .threads = 2, .threads_most = 2, .processors = 2, .calls_most = 4096};
    struct stress_round r = stress_schedule_next(&asked, 1, 0);
    assert_true(r.calls * r.segments >= 10000 && r.calls * r.segments < 10000 + r.segments);
    assert_in_range(r.calls, 1, 4096);
    assert_false(stress_schedule_is_over(&asked, &r, 1e6));
    struct stress_schedule slow = a;
    slow.by_number = false;
    r = stress_schedule_next(&slow, 2, 100); /* as a whole, but not for long */
    assert_false(stress_schedule_is_over(&slow, &r, 100.01));
    assert_true(stress_schedule_is_over(&slow, &r, 100.2));
    asked.ops = 0;
    assert_int_equal(stress_schedule_next(&asked, 1, 0).segments, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(containers_get_as_much_as_is_taken_out),
        cmocka_unit_test(a_mix_says_what_is_called),
        cmocka_unit_test(keys_meet_and_elements_differ),
        cmocka_unit_test(tries_are_used_where_values_decide),
        cmocka_unit_test(threads_get_roles),
        cmocka_unit_test(what_is_taken_is_given_back),
        cmocka_unit_test(pairs_are_found_in_every_specification),
        cmocka_unit_test(lists_may_be_anything),
        cmocka_unit_test(rounds_are_a_function_of_the_seed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
