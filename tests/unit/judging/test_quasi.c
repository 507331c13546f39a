/* SPDX-License-Identifier: Apache-2.0 */
/* Quasi factors as text, and sequences whose answer is known. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "monitor/monitor.h"
#include "spec/registry.h"
#include "spec/serial/serial.h"
#include "spec/quasi/spec_quasi.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static plumb_value number(int64_t i)
{
    return plumb_int(NULL, i);
}

/* --- sequences as text: "enq1 enq2 deq=2 deq=-" (- is empty) -------------------------------------------------- */

enum { CALLS = 32 };

struct sequence {
    const struct plumb_spec *base;
    struct plumb_call calls[CALLS];
    uint32_t count;
};

static void read_call(struct sequence *s, char *word)
{
    struct plumb_call *c = &s->calls[s->count++];
    char *equals = strchr(word, '='), *digits;
    *c = (struct plumb_call){.arg = PLUMB_OK, .result = PLUMB_OK};
    if (equals) {
        *equals++ = 0;
        c->result = *equals == '-'   ? PLUMB_NONE
                    : *equals == '?' ? PLUMB_ANY
                    : *equals == 't' ? PLUMB_TRUE
                    : *equals == 'f' ? PLUMB_FALSE
                                     : number(atoi(equals));
    }
    digits = word + strcspn(word, "0123456789");
    if (*digits)
        c->arg = number(atoi(digits));
    *digits = 0;
    c->op = spec_operation(s->base, word);
    assert_int_not_equal(c->op, UINT32_MAX);
}

static void read_sequence(struct sequence *s, const char *spec, const char *text)
{
    char copy[256], *rest;
    snprintf(copy, sizeof copy, "%s", text);
    *s = (struct sequence){.base = spec_find(spec)};
    for (char *word = strtok_r(copy, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
        read_call(s, word);
}

static bool runs(const struct plumb_spec *spec, const void *state, const struct plumb_call *calls,
                 uint32_t count)
{
    bool found = !count && spec_accepts(spec, state), possible = count > 0;
    for (unsigned choice = 0; possible && !found; choice++) {
        void *next = spec->clone(state);
        possible = spec->step(next, calls, choice, NULL);
        found = possible && runs(spec, next, calls + 1, count - 1);
        spec->destroy(next);
    }
    return found;
}

static bool is_quasi(const char *spec, const char *factor, const char *text)
{
    struct sequence s;
    struct diagnostic d = {0};
    struct plumb_values *values = plumb_values_create();
    struct plumb_spec_options options = {.values = values, .initial = PLUMB_OK};
    read_sequence(&s, spec, text);
    assert_true(spec_quasi_check(factor, &s.base, 1, &d));
    struct plumb_spec *relaxed = spec_quasi_new(s.base, factor, values, s.calls, s.count);
    void *start = spec_init(relaxed, &options);
    bool fine = runs(relaxed, start, s.calls, s.count);
    relaxed->destroy(start);
    spec_quasi_free(relaxed);
    plumb_values_destroy(values);
    return fine;
}

/* --- the definition --------------------------------------------------------------------------------------------- */

static void places_are_counted_both_ways(void **unused)
{
    (void)unused;
    assert_true(is_quasi("queue", "1", "enq1 enq2 enq3 deq=2 deq=1 deq=3"));
    assert_true(is_quasi("queue", "1", "enq1 enq2 enq3 deq=1 deq=3 deq=2"));
    assert_false(is_quasi("queue", "1", "enq1 enq2 enq3 deq=3 deq=1 deq=2"));
    assert_false(is_quasi("queue", "1", "enq1 enq2 enq3 deq=2 deq=3 deq=1"));
    assert_true(is_quasi("queue", "2", "enq1 enq2 enq3 deq=2 deq=3 deq=1"));
}

/* Two traps of block-wise algorithms. */
static void moves_may_overlap(void **unused)
{
    (void)unused;
    assert_true(is_quasi("queue", "2", "enq1 enq2 enq3 enq4 enq5 enq6 deq=2 deq=4 deq=1 deq=6 deq=3 deq=5"));
    assert_false(is_quasi("queue", "enq=0,deq=1", "enq2 enq1 enq3 deq=1 deq=3 deq=2"));
}

static void classes_do_not_pass_each_other(void **unused)
{
    (void)unused;
    assert_false(is_quasi("queue", "0", "deq=1 enq1"));
    assert_false(is_quasi("queue", "deq=3,enq=3", "deq=1 enq1"));
    assert_true(is_quasi("queue", "all=1", "deq=1 enq1"));
    assert_false(is_quasi("queue", "all=1", "deq=1 enq2 enq1"));
}

static void stopping_early_is_fine(void **unused)
{
    (void)unused;
    assert_true(is_quasi("queue", "1", "enq1 enq2 deq=2"));
    assert_false(is_quasi("queue", "1", "enq1 deq=2"));
    assert_false(is_quasi("queue", "all=1", "enq1 enq2 deq=2 deq=-"));
    assert_false(is_quasi("queue", "1", "enq1 enq2 enq3 deq=3"));
    assert_true(is_quasi("queue", "2", "enq1 enq2 enq3 deq=3"));
}

static void stacks_are_judged_by_distance(void **unused)
{
    (void)unused;
    assert_true(is_quasi("stack", "1", "push1 push2 pop=1"));
    assert_false(is_quasi("stack", "1", "push1 push2 pop=1 push3"));
    assert_true(is_quasi("stack", "2", "push1 push2 pop=1 push3"));
}

static void empty_moves_only_when_listed(void **unused)
{
    (void)unused;
    assert_false(is_quasi("queue", "3", "enq1 deq=- deq=1"));
    assert_true(is_quasi("queue", "deq+deq/empty=1", "enq1 deq=- deq=1"));
    assert_false(is_quasi("queue", "deq=1,deq/empty=1", "enq1 deq=- deq=1"));
}

static void pending_operations_may_have_done_anything(void **unused)
{
    (void)unused;
    assert_true(is_quasi("queue", "1", "enq1 enq2 enq3 deq=2 deq=? deq=3"));
    assert_false(is_quasi("queue", "1", "enq1 enq2 enq3 deq=3 deq=? deq=2"));
    assert_true(is_quasi("queue", "1", "deq=? deq=- enq1 deq=1"));
    assert_false(is_quasi("queue", "1", "enq1 deq=? deq=1 deq=1"));
}

/* --- derived specifications ------------------------------------------------------------------------------------- */

enum { TEST_THREADS = 2, TEST_OPS = 3 };

/* Thread 0: enq(1) deq enq(3); thread 1: enq(2) deq deq. */
static const int test_args[TEST_THREADS][TEST_OPS] = {{1, 0, 3}, {2, 0, 0}}; /* 0: deq */

struct serial_run {
    struct serials *serials;
    int queue[8], head, tail;
    uint32_t done[TEST_THREADS], count;
    struct serial_step steps[TEST_THREADS * TEST_OPS];
};

static void run_serially(struct serial_run run)
{
    if (run.count == TEST_THREADS * TEST_OPS)
        serials_add(run.serials, run.steps, run.count, SERIAL_NO_THREAD);
    for (uint32_t t = 0; t < TEST_THREADS; t++) {
        struct serial_run next = run;
        if (run.done[t] == TEST_OPS)
            continue;
        int arg = test_args[t][next.done[t]++];
        plumb_value result = arg                    ? PLUMB_OK
                             : run.head == run.tail ? PLUMB_NONE
                                                    : number(next.queue[next.head++]);
        if (arg)
            next.queue[next.tail++] = arg;
        next.steps[next.count++] = (struct serial_step){t, result};
        run_serially(next);
    }
}

static struct history *derive(struct serials *serials)
{
    struct history *h = history_create();
    history_object(h, PLUMB_NONE);
    serials_init(serials, h->values);
    for (uint32_t t = 0; t < TEST_THREADS; t++) {
        serials_add_thread(serials, t);
        for (uint32_t i = 0; i < TEST_OPS; i++) {
            const char *name = test_args[t][i] ? "enq" : "deq";
            plumb_value arg = test_args[t][i] ? number(test_args[t][i]) : PLUMB_OK;
            serials_add_op(serials, t, name, arg);
            history_add(h,
                        (struct history_op){.arg = arg,
                                            .result = PLUMB_ANY,
                                            .pending = 1,
                                            .thread = history_thread(h, number(t)),
                                            .op = history_op_name(h, name, 3)},
                        0);
        }
    }
    run_serially((struct serial_run){.serials = serials});
    serials_fold(serials);
    return h;
}

/* A sequence of threads, and what their deqs answered (-: empty). */
static bool is_quasi_run(const char *factor, const char *threads, const char *answers)
{
    struct serials serials = {0};
    struct diagnostic d = {0};
    struct plumb_call calls[TEST_THREADS * TEST_OPS];
    uint32_t done[TEST_THREADS] = {0}, count = 0;
    struct history *h = derive(&serials);
    const struct plumb_spec *specs[] = {spec_derived(&serials, h)};
    struct plumb_spec_options options = {.values = h->values, .initial = PLUMB_OK};
    assert_true(spec_bind(h, specs, &d));
    assert_true(spec_quasi_check(factor, specs, 1, &d));
    for (; *threads; threads++, count++) {
        uint32_t t = (uint32_t)(*threads - '0');
        int arg = test_args[t][done[t]++];
        calls[count] = (struct plumb_call){.op = spec_operation(specs[0], arg ? "enq" : "deq"),
                                           .thread = t,
                                           .arg = arg ? number(arg) : PLUMB_OK,
                                           .result = arg ? PLUMB_OK : PLUMB_NONE};
        if (!arg && *answers++ != '-')
            calls[count].result = number(answers[-1] - '0');
    }
    assert_true(spec_quasi_relax(h, specs, factor, &d));
    void *start = spec_init(specs[0], &options);
    bool fine = runs(specs[0], start, calls, count);
    specs[0]->destroy(start);
    spec_quasi_free(specs[0]);
    serials_free(&serials);
    history_destroy(h);
    return fine;
}

static void serial_runs_are_relaxed(void **unused)
{
    (void)unused;
    assert_true(is_quasi_run("0", "010101", "123"));
    assert_true(is_quasi_run("0", "111000", "2-1"));
    assert_false(is_quasi_run("0", "010101", "213"));
    assert_true(is_quasi_run("1", "010101", "213"));
    assert_true(is_quasi_run("deq=1", "010011", "213")); /* across enq(3), which stays in its place */
    assert_false(is_quasi_run("1", "010011", "312"));
    assert_true(is_quasi_run("2", "010011", "312"));
    assert_false(is_quasi_run("2", "111000", "-21"));
    assert_false(is_quasi_run("2", "010011", "211"));
    assert_true(is_quasi_run("enq=1", "010101", "213"));
}

/* --- text ----------------------------------------------------------------------------------------------------------- */

static bool checks(const char *factor, const char *spec, const char *expected)
{
    const struct plumb_spec *specs[] = {spec_find(spec), spec_find("stack")};
    struct diagnostic d = {0};
    bool fine = spec_quasi_check(factor, specs, 2, &d);
    if (!fine && !strstr(d.message, expected))
        print_message("%s\n", d.message);
    return fine ? !expected : expected && strstr(d.message, expected);
}

static void factors_are_checked(void **unused)
{
    (void)unused;
    assert_true(checks("0", "queue", NULL));
    assert_true(checks("deq=2,pop=1,enq=0", "queue", NULL));
    assert_true(checks("deq+deq/empty=1", "queue", NULL));
    assert_true(checks("all=1000", "queue", NULL));
    assert_true(checks("", "queue", "an operation is missing"));
    assert_true(checks("deq", "queue", "'=' is missing"));
    assert_true(checks("deq=", "queue", "a number is missing"));
    assert_true(checks("deq=x", "queue", "a number is missing"));
    assert_true(checks("deq=1001", "queue", "too large"));
    assert_true(checks("99999999999999999999", "queue", "too large"));
    assert_true(checks("2 ", "queue", "left over"));
    assert_true(checks("deq=1,", "queue", "an operation is missing"));
    assert_true(checks("deq+=1", "queue", "an operation is missing"));
    assert_true(checks("deq=1+enq=2", "queue", "left over"));
    assert_true(checks("deq/full=1", "queue", "only 'empty'"));
    assert_true(checks("enq/empty=1", "queue", "answers empty"));
    assert_true(checks("dec=1", "queue", "names 'dec'"));
    assert_true(checks("deq=1,enq+deq=2", "queue", "in two classes"));
    assert_true(checks("all=1,deq=1", "queue", "no other classes"));
    assert_true(checks("deq=1,all=1", "queue", "no other classes"));
    assert_true(checks("deq+all=1", "queue", "no other classes"));
}

static void some_operation_has_to_take_away(void **unused)
{
    (void)unused;
    const struct plumb_spec *counter = spec_find("counter");
    struct diagnostic d = {0};
    assert_false(spec_quasi_check("1", &counter, 1, &d));
    assert_non_null(strstr(d.message, "name the operations"));
}

static void roles_are_given_by_letters(void **unused)
{
    (void)unused;
    static const struct {
        const char *spec, *op;
        enum plumb_role role;
    } expected[] = {
        {"queue", "enq", PLUMB_ADDS},       {"queue", "deq", PLUMB_REMOVES},
        {"queue", "peek", PLUMB_NO_ROLE},   {"stack", "push", PLUMB_ADDS},
        {"stack", "pop", PLUMB_REMOVES},    {"pqueue", "insert", PLUMB_ADDS},
        {"pqueue", "min", PLUMB_NO_ROLE},   {"pqueue", "delete_min", PLUMB_REMOVES},
        {"set", "add", PLUMB_ADDS},         {"set", "remove", PLUMB_REMOVES},
        {"set", "contains", PLUMB_NO_ROLE}, {"deque", "pop_back", PLUMB_REMOVES},
        {"bag", "take", PLUMB_REMOVES},     {"register", "write", PLUMB_NO_ROLE},
        {"counter", "add", PLUMB_NO_ROLE},
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        const struct plumb_spec *spec = spec_find(expected[i].spec);
        assert_int_equal(spec_quasi_role(spec, spec_operation(spec, expected[i].op)), expected[i].role);
    }
}

/* --- the monitor ---------------------------------------------------------------------------------------------------- */

static struct history *history_of(const struct sequence *s)
{
    struct history *h = history_create();
    history_object(h, PLUMB_NONE);
    for (uint32_t i = 0; i < s->count; i++) {
        const char *name = s->base->operations[s->calls[i].op].name;
        struct history_op op = {.call = 2 * i + 1,
                                .ret = 2 * i + 2,
                                .arg = s->calls[i].arg,
                                .result = s->calls[i].result,
                                .thread = history_thread(h, number(1)),
                                .op = history_op_name(h, name, strlen(name))};
        history_add(h, op, 0);
    }
    return h;
}

/* A long history that is wrong only because of where it ends: the story may not start where it would be fine. */
static void ends_count_in_long_histories(void **unused)
{
    (void)unused;
    struct sequence s;
    struct diagnostic d = {0};
    struct monitor_result result;
    struct budget budget = budget_start(10, 0);
    read_sequence(&s, "queue",
                  "enq1 deq=1 enq2 deq=2 enq3 deq=3 enq1 deq=1 enq2 deq=2 enq3 deq=3 enq4 deq=4 enq1 deq=7");
    struct history *h = history_of(&s);
    const struct plumb_spec *specs[] = {s.base};
    struct plumb_spec_options options = {.values = h->values, .initial = PLUMB_OK};
    assert_true(spec_bind(h, specs, &d));
    assert_true(spec_quasi_relax(h, specs, "2", &d));
    struct monitor_settings settings = {.options = &options, .specs = specs, .budget = &budget};
    assert_true(monitor_history(h, &settings, &result, &d));
    assert_int_equal(result.verdict, VERDICT_VIOLATED);
    monitor_result_free(&result);
    spec_quasi_free(specs[0]);
    history_destroy(h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places_are_counted_both_ways),
        cmocka_unit_test(moves_may_overlap),
        cmocka_unit_test(classes_do_not_pass_each_other),
        cmocka_unit_test(stopping_early_is_fine),
        cmocka_unit_test(stacks_are_judged_by_distance),
        cmocka_unit_test(empty_moves_only_when_listed),
        cmocka_unit_test(pending_operations_may_have_done_anything),
        cmocka_unit_test(serial_runs_are_relaxed),
        cmocka_unit_test(factors_are_checked),
        cmocka_unit_test(some_operation_has_to_take_away),
        cmocka_unit_test(roles_are_given_by_letters),
        cmocka_unit_test(ends_count_in_long_histories),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
