/* SPDX-License-Identifier: Apache-2.0 */
/* Whole decisions on histories small enough to be checked by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "support/history_text.h"

struct example {
    const char *spec;
    enum verdict verdict;
    const char *method; /* part of the -v line */
    const char *why;    /* part of the sentence; null when it holds */
    const char *text;
};

#define OP(thread, op, rest, call, ret) \
    "{\"thread\":" #thread ",\"op\":\"" op "\"" rest ",\"call\":" #call ",\"return\":" #ret "}\n"
#define PENDING(thread, op, rest, call) \
    "{\"thread\":" #thread ",\"op\":\"" op "\"" rest ",\"call\":" #call "}\n"
#define ARG(...) ",\"arg\":" #__VA_ARGS__
#define RES(v) ",\"result\":" #v

static const struct example examples[] = {
    /* The finishing order of the cursors is no witness here without tightening and clamping. */
    {"queue", VERDICT_HOLDS, "queue algorithm", NULL,
     OP(1, "deq", RES(2), 1, 10) OP(2, "enq", ARG(1), 3, 16) OP(3, "deq", RES(1), 6, 7)
         OP(4, "enq", ARG(2), 9, 15)},
    {"queue", VERDICT_VIOLATED, "queue algorithm", "2 was inside during the whole call",
     OP(1, "enq", ARG(2), 1, 2) OP(1, "deq", RES(null), 3, 4)},
    {"queue", VERDICT_HOLDS, "queue algorithm", NULL,
     OP(1, "enq", ARG(1), 1, 3) OP(2, "deq", RES(null), 3, 4)},
    {"queue", VERDICT_HOLDS, "queue algorithm", NULL,
     OP(1, "enq", ARG(1), 1, 2) OP(1, "peek", RES(1), 3, 4) OP(1, "deq", RES(1), 5, 6)},
    {"queue", VERDICT_VIOLATED, "queue algorithm",
     "enq(3) returned before enq(5) was called, yet deq returned 5 first",
     OP(1, "enq", ARG(3), 1, 2) OP(1, "enq", ARG(5), 3, 4) OP(2, "deq", RES(5), 5, 6)
         OP(2, "deq", RES(3), 7, 8)},
    {"queue", VERDICT_VIOLATED, "queue algorithm", "was removed twice",
     OP(1, "enq", ARG(3), 1, 2) OP(1, "deq", RES(3), 3, 4) OP(2, "deq", RES(3), 5, 6)},
    {"queue", VERDICT_VIOLATED, "queue algorithm", "never added", OP(1, "deq", RES(3), 3, 4)},
    {"queue", VERDICT_VIOLATED, "queue algorithm", "before enq(3) was even called",
     OP(1, "deq", RES(3), 1, 2) OP(1, "enq", ARG(3), 3, 4)},
    {"queue", VERDICT_VIOLATED, "queue algorithm", "had taken that value out",
     OP(1, "enq", ARG(3), 1, 2) OP(1, "deq", RES(3), 3, 4) OP(2, "peek", RES(3), 5, 6)},
    {"queue", VERDICT_HOLDS, "queue algorithm on renamed values", NULL,
     OP(1, "enq", ARG(3), 1, 2) OP(1, "enq", ARG(3), 3, 4) OP(1, "deq", RES(3), 5, 6)},
    {"queue", VERDICT_HOLDS, "queue algorithm", NULL,
     OP(1, "enq", ARG(3), 1, 2) OP(1, "deq", RES(3), 3, 4) OP(1, "enq", ARG(3), 5, 6)
         OP(1, "deq", RES(3), 7, 8)},
    {"queue", VERDICT_HOLDS, "queue algorithm on renamed values", NULL,
     OP(1, "enq", ARG(3), 1, 2) OP(1, "deq", RES(3), 3, 6) OP(2, "enq", ARG(3), 5, 8)
         OP(1, "deq", RES(3), 7, 9)},
    /* A pending deq may have taken the 1. */
    {"queue", VERDICT_HOLDS, "queue algorithm", NULL,
     OP(1, "enq", ARG(1), 1, 2) PENDING(2, "deq", "", 3) OP(1, "deq", RES(null), 4, 5)},
    {"queue", VERDICT_VIOLATED, "queue algorithm", "",
     OP(1, "enq", ARG(1), 1, 2) OP(1, "deq", RES(null), 3, 4) PENDING(2, "deq", "", 5)},
    {"queue", VERDICT_HOLDS, "general search: the result of a removal is unknown", NULL,
     OP(1, "enq", ARG(1), 1, 2) OP(2, "deq", RES({"unknown" : true}), 3, 4) OP(1, "deq", RES(null), 5, 6)},
    {"stack", VERDICT_HOLDS, "general search: a value is added twice", NULL,
     OP(1, "push", ARG(3), 1, 2) OP(1, "push", ARG(3), 3, 4) OP(1, "pop", RES(3), 5, 6)},
    /* Three were added, and one of them may be gone; the fourth is missing. */
    {"queue", VERDICT_VIOLATED, "queue algorithm on renamed values", "",
     OP(1, "enq", ARG(1), 1, 2) OP(1, "enq", ARG(1), 3, 4) PENDING(2, "deq", "", 5)
         PENDING(3, "enq", ARG(1), 6) OP(1, "deq", RES(1), 7, 8) OP(1, "deq", RES(1), 9, 10)
             OP(1, "deq", RES(1), 11, 12) OP(1, "deq", RES(1), 13, 14)},
    {"stack", VERDICT_VIOLATED, "stack algorithm", "while 2 was still above it",
     OP(1, "push", ARG(1), 1, 2) OP(1, "push", ARG(2), 3, 4) OP(2, "pop", RES(1), 5, 6)},
    {"stack", VERDICT_HOLDS, "stack algorithm", NULL,
     OP(1, "push", ARG(1), 1, 4) OP(2, "push", ARG(2), 2, 3) OP(2, "pop", RES(1), 5, 6)},
    {"pqueue", VERDICT_VIOLATED, "priority queue algorithm", "the more urgent 1 was inside",
     OP(1, "insert", ARG(1), 1, 2) OP(1, "insert", ARG(2), 3, 4) OP(2, "delete_min", RES(2), 5, 6)},
    {"pqueue", VERDICT_HOLDS, "general search: two values have the same priority", NULL,
     OP(1, "insert", ARG([ 1, 7 ]), 1, 2) OP(1, "insert", ARG([ 1, 8 ]), 3, 4)
         OP(2, "delete_min", RES(8), 5, 6)},
    {"bag", VERDICT_VIOLATED, "bag algorithm", "inside during the whole call",
     OP(1, "add", ARG(1), 1, 2) OP(2, "take", RES(null), 3, 4) OP(1, "take", RES(1), 5, 6)},
    {"deque", VERDICT_VIOLATED, "deque algorithm",
     "push_back(1) and push_back(2) had returned, yet pop_front() = 2: the deque would answer 1.",
     OP(1, "push_back", ARG(1), 1, 2) OP(1, "push_back", ARG(2), 3, 4) OP(2, "pop_front", RES(2), 5, 6)},
    {"counter", VERDICT_VIOLATED, "counter",
     "both add(1) had returned, yet get() = 1: the counter would answer 2.",
     OP(1, "add", ARG(1), 1, 3) OP(2, "add", ARG(1), 2, 4) OP(1, "get", RES(1), 5, 6)},
    {"counter", VERDICT_VIOLATED, "counter",
     "get() = 3, yet whatever the order of these operations, the counter would answer 2 or 0.",
     OP(1, "add", ARG(2), 1, 3) OP(2, "get", RES(3), 2, 4)},
    {"kv", VERDICT_VIOLATED, "append algorithm", "the kv would answer \"ab\" or \"ba\".",
     OP(1, "append", ARG([ 1, "a" ]), 1, 3) OP(2, "append", ARG([ 1, "b" ]), 2, 4)
         OP(1, "get", ARG(1) RES("b"), 5, 6)},
    {"queue(cap=2)", VERDICT_VIOLATED, "general search",
     "full, yet the queue held at most 1 of 2 during the whole call.",
     OP(0, "enq", ARG(1) RES(true), 1, 2) OP(1, "enq", ARG(2) RES(false), 3, 8) OP(2, "deq", RES(1), 4, 5)
         OP(2, "enq", ARG(3) RES(true), 6, 7)},
    /* Counters instead of identities accept this one. */
    {"set", VERDICT_VIOLATED, "set algorithm", "No order of these operations",
     OP(1, "add", ARG(1) RES(true), 1, 10) OP(2, "contains", ARG(1) RES(true), 2, 3)
         OP(2, "add", ARG(1) RES(true), 4, 5) OP(2, "remove", ARG(1) RES(true), 6, 7)},
    {"set", VERDICT_HOLDS, "set algorithm", NULL, OP(1, "add", ARG(1) RES(true), 1, 2)},
    {"register", VERDICT_VIOLATED, "register algorithm", "an overwritten value",
     OP(1, "write", ARG(1), 1, 2) OP(1, "write", ARG(2), 3, 4) OP(2, "read", RES(1), 5, 6)},
    {"register", VERDICT_VIOLATED, "register algorithm", "neither the initial value nor ever written",
     OP(2, "read", RES(9), 5, 6)},
    {"lock", VERDICT_VIOLATED, "general search",
     "acquire() by thread 1 had returned, yet acquire() by thread 2 returned, too: ",
     OP(1, "acquire", "", 1, 2) OP(2, "acquire", "", 3, 4)},
    /* Program order at equal stamps in two threads is no order of events, and does not split by keys. */
    {"set", VERDICT_VIOLATED, "equal stamps in several threads", "whatever the order",
     OP(2, "contains", ARG(1) RES(false), 1, 3) OP(2, "add", ARG(1) RES(true), 3, 3)
         OP(2, "add", ARG(1) RES(false), 3, 3) OP(2, "add", ARG(1) RES(true), 3, 3)
             OP(2, "add", ARG(2) RES(true), 3, 3) OP(2, "add", ARG(2) RES(false), 3, 4)
                 OP(1, "remove", ARG(2) RES(true), 2, 3) OP(1, "remove", ARG(1) RES(true), 3, 4)},
};

static void examples_are_decided_as_stated(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof examples / sizeof *examples; k++) {
        const struct example *e = &examples[k];
        struct judged j = judge_text(e->text, e->spec, false);
        if (j.result.verdict != e->verdict || !strstr(j.result.log.data, e->method) ||
            (e->why && !strstr(j.result.violation->why, e->why)))
            fail_msg("example %zu: %s, %s%s", k, verdict_name(j.result.verdict), j.result.log.data,
                     j.result.violation ? j.result.violation->why : "");
        judged_free(&j);
    }
}

static void the_general_search_agrees(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof examples / sizeof *examples; k++) {
        struct judged j = judge_text(examples[k].text, examples[k].spec, true);
        assert_int_equal(j.result.verdict, examples[k].verdict);
        judged_free(&j);
    }
}

/* Four values in a queue, one pair in the wrong order: the core is that pair. */
static void cores_are_minimal(void **state)
{
    (void)state;
    struct judged j =
        judge_text(OP(1, "enq", ARG(1), 1, 2) OP(1, "enq", ARG(2), 3, 4) OP(1, "enq", ARG(3), 5, 6)
                       OP(1, "enq", ARG(4), 7, 8) OP(1, "deq", RES(1), 9, 10) OP(1, "deq", RES(3), 11, 12)
                           OP(1, "deq", RES(2), 13, 14) OP(1, "deq", RES(4), 15, 16),
                   "queue", false);
    assert_int_equal(j.result.verdict, VERDICT_VIOLATED);
    const struct monitor_violation *v = j.result.violation;
    assert_int_equal(v->core.len, 4);
    static const uint32_t expected[] = {1, 2, 5, 6};
    for (size_t k = 0; k < v->core.len; k++)
        assert_int_equal(v->core.data[k], expected[k]);
    assert_int_equal(v->guilty, 5);
    assert_true(v->minimal);
    assert_int_equal(v->stuck_op, 5);
    assert_string_equal(v->stuck_why, "the queue would answer 2");
    judged_free(&j);
}

/* The second operation is explained by what comes later; only the first can be blamed. */
static void later_operations_excuse_open_ones(void **state)
{
    (void)state;
    static const struct {
        const char *spec, *text;
    } histories[] = {
        {"set", OP(1, "add", ARG(1) RES(false), 0, 2) OP(2, "contains", ARG(1) RES(true), 1, 6)
                    OP(3, "add", ARG(1) RES(true), 4, 5)},
        {"stack", OP(1, "pop", RES(16), 0, 2) OP(2, "pop", RES(10), 1, 9) OP(3, "push", ARG(10), 4, 6)
                      OP(3, "push", ARG(5), 10, 11) OP(3, "push", ARG(5), 12, 13)},
        {"latch", OP(1, "get", RES(0), 1, 3) OP(2, "wait", "", 2, 5) OP(3, "count_down", "", 4, 6)},
    };
    for (size_t k = 0; k < sizeof histories / sizeof *histories; k++)
        for (int only_general = 0; only_general <= 1; only_general++) {
            struct judged j = judge_text(histories[k].text, histories[k].spec, only_general);
            assert_int_equal(j.result.verdict, VERDICT_VIOLATED);
            assert_int_equal(j.result.violation->guilty, 0);
            assert_int_equal(j.result.violation->core.len, 1);
            judged_free(&j);
        }
}

/* A failed cas elsewhere must not keep the core from shrinking, nor the sentence from being right. */
static void a_value_never_written_is_not_called_initial(void **state)
{
    (void)state;
    struct judged j = judge_text(OP(1, "cas", ARG([ 7, 8 ]) RES(false), 0, 1) OP(1, "write", ARG(5), 2, 3)
                                     OP(1, "write", ARG(5), 4, 5) OP(1, "read", RES(9), 6, 7),
                                 "register", false);
    assert_int_equal(j.result.violation->core.len, 1);
    assert_non_null(strstr(j.result.violation->why, "neither the initial value nor ever written"));
    judged_free(&j);
}

static void objects_are_decided_one_by_one(void **state)
{
    (void)state;
    const char *text =
        "{\"thread\":1,\"object\":\"a\",\"op\":\"enq\",\"arg\":1,\"call\":1,\"return\":2}\n"
        "{\"thread\":1,\"object\":\"b\",\"op\":\"enq\",\"arg\":2,\"call\":3,\"return\":4}\n"
        "{\"thread\":1,\"object\":\"b\",\"op\":\"deq\",\"result\":null,\"call\":5,\"return\":6}\n";
    struct judged j = judge_text(text, "queue", false);
    assert_int_equal(j.result.verdict, VERDICT_VIOLATED);
    assert_int_equal(j.result.violation->object, 1);
    assert_int_equal(j.result.objects, 2);
    judged_free(&j);
}

static void two_open_operations_of_a_thread_are_refused(void **state)
{
    (void)state;
    struct history *h = history_from_text(OP(1, "enq", ARG(1), 1, 5) OP(1, "enq", ARG(2), 3, 7), "queue");
    const struct plumb_spec *spec = spec_find("queue");
    struct plumb_spec_options options = {.values = h->values, .initial = PLUMB_OK};
    struct budget budget = budget_start(0, 0);
    struct monitor_settings settings = {.options = &options, .specs = &spec, .budget = &budget};
    struct monitor_result result;
    struct diagnostic d = {.code = 0};
    assert_false(monitor_history(h, &settings, &result, &d));
    assert_int_equal(d.code, PL_TWO_OPEN);
    assert_int_equal(d.line, 2);
    history_destroy(h);
}

/* Twenty overlapping writes of the same two values: more orders than a few kilobytes hold. */
static void a_spent_budget_is_inconclusive_and_named(void **state)
{
    (void)state;
    struct text t = {0};
    for (int k = 0; k < 40; k++)
        text_printf(&t, "{\"thread\":%d,\"op\":\"push\",\"arg\":%d,\"call\":%d,\"return\":%d}\n", k, k % 20,
                    k, 100 + k);
    text_puts(&t, OP(99, "pop", RES(77), 200, 201) PENDING(98, "pop", "", 99));
    struct history *h = history_from_text(t.data, "stack");
    const struct plumb_spec *spec = spec_find("stack");
    struct plumb_spec_options options = {.values = h->values, .initial = PLUMB_OK};
    struct budget budget = budget_start(0, 1 << 20);
    struct monitor_settings settings = {.options = &options, .specs = &spec, .budget = &budget};
    struct monitor_result result;
    struct diagnostic d = {.code = 0};
    assert_true(monitor_history(h, &settings, &result, &d));
    assert_int_equal(result.verdict, VERDICT_INCONCLUSIVE);
    assert_non_null(strstr(result.limit, "memory limit"));
    assert_non_null(strstr(result.limit, "a value is added twice, 1 operation never returned;"));
    monitor_result_free(&result);
    history_destroy(h);
    text_free(&t);
}

/* Operations on one key or object that no search gets through, and one that is plainly wrong on another. */
static void a_hard_part_hides_no_other(void **state)
{
    (void)state;
    static const char *const forms[2][2] = {
        {"{\"thread\":%d,\"op\":\"append\",\"arg\":[1,\"%d\"]", "\"arg\":2"},
        {"{\"thread\":%d,\"op\":\"append\",\"object\":1,\"arg\":[1,\"%d\"]", "\"object\":2,\"arg\":1"}};
    for (int form = 0; form < 2; form++) {
        struct text t = {0};
        for (int k = 0; k < 40; k++) {
            text_printf(&t, forms[form][0], k, k);
            text_printf(&t, ",\"call\":%d,\"return\":%d}\n", k, 100 + k);
        }
        text_printf(&t, "{\"thread\":40,\"op\":\"get\",%s,\"result\":\"x\",\"call\":1,\"return\":2}\n",
                    forms[form][1]);
        struct judged j = judge_text(t.data, "kv", true);
        assert_int_equal(j.result.verdict, VERDICT_VIOLATED);
        assert_int_equal(j.result.violation->guilty, 40);
        judged_free(&j);
        text_free(&t);
    }
}

static unsigned asked_children;

static void ask_children(const struct monitor_helpers *h, uint32_t count, monitor_ask *ask, void *argument,
                         uint8_t *answers)
{
    (void)h;
    for (uint32_t k = 0; k < count; k++) {
        int status = 0;
        pid_t child = fork();
        if (child == 0)
            _exit(ask(argument, k));
        assert_int_equal(waitpid(child, &status, 0), child);
        answers[k] = (uint8_t)WEXITSTATUS(status);
        asked_children++;
    }
}

/* Appends on two keys, in so many orders that both are put off; what the last get of the second one returns. */
static struct monitor_result judge_two_keys(const char *last, const struct monitor_helpers *helpers)
{
    struct text t = {0};
    for (int k = 0; k < 16; k++)
        text_printf(&t, "{\"thread\":%d,\"op\":\"append\",\"arg\":[%d,\"%d\"],\"call\":%d,\"return\":%d}\n",
                    k, k % 2, k / 2, k, 100 + k);
    text_printf(
        &t, "{\"thread\":1,\"op\":\"get\",\"arg\":0,\"result\":\"76543210\",\"call\":200,\"return\":201}\n");
    text_printf(&t, "{\"thread\":2,\"op\":\"get\",\"arg\":1,\"result\":\"%s\",\"call\":200,\"return\":201}\n",
                last);
    struct history *h = history_from_text(t.data, "kv");
    const struct plumb_spec *spec = spec_find("kv");
    struct plumb_spec_options options = {.values = h->values, .initial = PLUMB_OK};
    struct budget budget = budget_start(0, 0);
    struct monitor_settings settings = {
        .options = &options, .specs = &spec, .budget = &budget, .helpers = helpers, .only_general = true};
    struct monitor_result result;
    struct diagnostic d = {.code = 0};
    assert_true(monitor_history(h, &settings, &result, &d));
    history_destroy(h);
    text_free(&t);
    return result;
}

static void helpers_change_no_result(void **state)
{
    (void)state;
    static const char *const answers[] = {"32107654", "32107655"};
    struct monitor_helpers helpers = {.run = ask_children, .jobs = 2};
    for (size_t k = 0; k < 2; k++) {
        struct monitor_result alone = judge_two_keys(answers[k], NULL),
                              helped = judge_two_keys(answers[k], &helpers);
        assert_int_equal(alone.verdict, k ? VERDICT_VIOLATED : VERDICT_HOLDS);
        assert_int_equal(helped.verdict, alone.verdict);
        assert_string_equal(helped.log.data, alone.log.data);
        assert_int_equal(!helped.violation, !alone.violation);
        if (alone.violation)
            assert_int_equal(helped.violation->guilty, alone.violation->guilty);
        monitor_result_free(&alone);
        monitor_result_free(&helped);
    }
    assert_true(asked_children >= 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(examples_are_decided_as_stated),
        cmocka_unit_test(the_general_search_agrees),
        cmocka_unit_test(cores_are_minimal),
        cmocka_unit_test(later_operations_excuse_open_ones),
        cmocka_unit_test(a_value_never_written_is_not_called_initial),
        cmocka_unit_test(objects_are_decided_one_by_one),
        cmocka_unit_test(two_open_operations_of_a_thread_are_refused),
        cmocka_unit_test(a_spent_budget_is_inconclusive_and_named),
        cmocka_unit_test(a_hard_part_hides_no_other),
        cmocka_unit_test(helpers_change_no_result),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
