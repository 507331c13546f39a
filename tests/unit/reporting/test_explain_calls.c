/* SPDX-License-Identifier: Apache-2.0 */
/* Reports of calls that contradict a specification in comments, or a rule of synchronization. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/diagnostic.h"
#include "explain/program/explain_execution.h"
#include "report/documents.h"

#include <stdlib.h>
#include <string.h>

static struct worker_shared shared;

static void add_call(const char *text, const char *state, uint32_t thread, uint32_t begin, uint32_t end)
{
    struct worker_call *c = &shared.calls.calls[shared.calls.count++];
    snprintf(c->text, sizeof c->text, "%s", text);
    snprintf(c->state, sizeof c->state, "%s", state);
    c->thread = thread;
    c->begin = begin;
    c->end = end;
}

static void add_event(uint16_t thread, enum event_kind kind, unsigned order, uint64_t value)
{
    shared.events[shared.event_count++] = (struct event){.thread = thread,
                                                         .kind = (uint8_t)kind,
                                                         .order = (uint8_t)order,
                                                         .size = 8,
                                                         .address = 0x1000,
                                                         .before = value,
                                                         .value = value};
}

static void start(enum worker_error_kind kind, const char *message)
{
    memset(&shared, 0, sizeof shared);
    snprintf(shared.config.memory, sizeof shared.config.memory, "rc11");
    shared.error.kind = kind;
    shared.error.phase = WORKER_RUNNING;
    shared.thread_count = 3;
    snprintf(shared.error.message, sizeof shared.error.message, "%s", message);
    add_event(1, EVENT_WRITE, ORDER_RELAXED, 1);
    add_event(2, EVENT_READ, ORDER_RELAXED, 1);
}

static void set_clause(const char *clause, const char *values)
{
    snprintf(shared.calls.clause, sizeof shared.calls.clause, "%s", clause);
    snprintf(shared.calls.values, sizeof shared.calls.values, "%s", values);
    snprintf(shared.calls.file, sizeof shared.calls.file, "queue.h");
    shared.calls.line = 31;
    shared.calls.column = 5;
}

static char *render(bool json, bool unicode)
{
    struct explained_execution s;
    struct report_style style = {.columns = 80, .unicode = unicode};
    struct text t = {0};
    explain_execution(&s, "queue.c", &shared, NULL, false);
    if (json)
        report_json(&t, &s.counterexample);
    else
        report_terminal(&t, &s.counterexample, &style);
    explain_execution_free(&s);
    return text_take(&t);
}

static void assert_has(const char *whole, const char *part)
{
    if (!strstr(whole, part))
        fail_msg("'%s' is not in:\n%s", part, whole);
}

static void assert_fits(const char *text)
{
    size_t lines = 0;
    text = strchr(text, '\n') + 1; /* editors follow the headline: it is never wrapped */
    for (const char *s = text; *s; s += strcspn(s, "\n"), s += *s == '\n', lines++)
        assert_true(text_columns_of(s, strcspn(s, "\n")) <= 80);
    assert_true(lines < 40);
}

static void fill_condition(void)
{
    start(WORKER_ERROR_CONDITION, "the postcondition of deq() = 0 does not hold in any order of the calls");
    add_call("enq(1)", "q = [1]", 1, 1, 1);
    add_call("deq() = 0", "", 2, 2, 2);
    shared.calls.order[shared.calls.order_count++] = 0;
    shared.calls.failed = 1;
    set_clause("__RET__ == (q.empty() ? 0 : q.front())", "__RET__ = 0, q = [1]");
    snprintf(shared.calls.initial, sizeof shared.calls.initial, "q = []");
}

static void conditions(void **state)
{
    (void)state;
    fill_condition();
    char *text = render(false, true);
    assert_fits(text);
    assert_has(text, "queue.h:31:5: error: deq() = 0 contradicts its specification under rc11 [PL0205]\n");
    assert_has(text, "  condition  __RET__ == (q.empty() ? 0 : q.front())\n");
    assert_has(text, "  values     __RET__ = 0, q = [1]\n");
    assert_has(text, "  longest legal order, from q = []:\n"
                     "     1  T1 enq(1)     q = [1]\n"
                     "     ✗  T2 deq() = 0\n");
    assert_has(text, "deq() = 0 begins");
    free(text);
    text = render(true, true);
    assert_has(text, "\"kind\":\"condition\",\"file\":\"queue.c\"");
    assert_has(text, "\"calls\":{\"kind\":\"condition\",\"calls\":[{\"label\":\"enq(1)\",\"thread\":1,"
                     "\"begin\":1,\"end\":1,\"state\":\"q = [1]\"},");
    assert_has(text, "\"order\":[0],\"every\":false,\"initial\":\"q = []\",\"failed\":1,");
    assert_has(text, "\"place\":\"queue.h:31:5\"");
    free(text);
}

static void nothing_is_legal(void **state)
{
    (void)state;
    fill_condition();
    shared.calls.order_count = 0;
    char *text = render(false, false);
    assert_has(text, "  no legal order begins, from q = []:\n     X  T2 deq() = 0\n");
    free(text);
}

static void fill_sync(void)
{
    start(WORKER_ERROR_SYNC,
          "deq() = 1 returns what enq(1) put in, but enq(1) does not happen before it: what a thread wrote "
          "before enq may be unseen after deq");
    add_call("enq(1)", "", 1, 1, 1);
    add_call("deq() = 1", "", 2, 2, 2);
    shared.calls.failed = 1;
    shared.calls.release = 1;
    shared.calls.acquire = 2;
}

static void synchronization(void **state)
{
    (void)state;
    fill_sync();
    char *text = render(false, true);
    assert_fits(text);
    assert_has(text, "queue.c: error: enq(1) does not happen before deq() = 1 under rc11 [PL0206]\n");
    assert_has(text, "    T1 enq(1)                                  T2 deq() = 1\n");
    assert_has(text, " ╌╌╌ ✗ ╌╌▶ ");
    assert_has(text, "    has to be release                          has to be acquire\n");
    assert_has(text, "For enq(1) to happen before deq() = 1, step 1 (W) would have to be release and");
    free(text);
    shared.events[0].order = ORDER_RELEASE;
    text = render(false, false);
    assert_has(text, "    is release                                 has to be acquire\n");
    free(text);
    text = render(true, true);
    assert_has(text, "\"failed\":1,\"earlier\":0,");
    assert_has(text, "\"release\":{\"event\":1,\"lacks\":false},\"acquire\":{\"event\":2,\"lacks\":true}");
    free(text);
    shared.calls.release = 0; /* nothing that the later call reads comes from the earlier one */
    text = render(false, false);
    assert_has(text, "    T1 enq(1)                        - - X - > T2 deq() = 1\n");
    free(text);
}

static void cycles(void **state)
{
    (void)state;
    start(WORKER_ERROR_POINTS, "the ordering points of these calls contradict each other");
    add_call("move(x, y)", "", 1, 1, 1);
    add_call("move(y, x)", "", 2, 2, 2);
    shared.calls.order_count = 2;
    shared.calls.order[1] = 1;
    char *text = render(false, true);
    assert_fits(text);
    assert_has(text, "ordering points contradict each other under rc11 [PL0204]\n");
    assert_has(text, "     →  T2 move(y, x)\n     →  T1 move(x, y)\n");
    free(text);
}

/* What the process under test left there may be nonsense. */
static void nonsense(void **state)
{
    (void)state;
    fill_sync();
    memset(&shared.calls, 0xff, sizeof shared.calls);
    char *text = render(false, true);
    assert_has(text, "a call does not happen before another under rc11 [PL0206]");
    free(text);
    fill_sync();
    memset(shared.calls.calls, 'x', sizeof shared.calls.calls);
    memset(shared.calls.clause, '\x1b', sizeof shared.calls.clause);
    shared.calls.order_count = UINT32_MAX;
    text = render(false, true);
    assert_null(strchr(text, '\x1b'));
    free(text);
}

/* A long order keeps its end. */
static void long_orders(void **state)
{
    (void)state;
    start(WORKER_ERROR_CONDITION, "the precondition of enq(60) does not hold");
    for (uint32_t k = 0; k < 60; k++) {
        add_call("enq(a rather long argument that does not fit)",
                 "q = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18]", k % 3, 0, 0);
        shared.calls.order[k] = k;
    }
    shared.calls.order_count = 59;
    shared.calls.failed = 59;
    char *text = render(false, true);
    assert_fits(text);
    assert_has(text, "     …  47 earlier\n    48  T");
    free(text);
}

static void documents(void **state)
{
    (void)state;
    struct explained_execution s;
    fill_sync();
    explain_execution(&s, "queue.c", &shared, NULL, true);
    const struct report_counterexample *c = &s.counterexample;
    struct report_documents d = {.wanted = {true, true, true}};
    struct report_case one = {
        .name = "queue.c", .verdict = VERDICT_VIOLATED, .text = "text", .found = &c, .found_count = 1};
    assert_int_equal(c->code, PL_SYNC);
    report_documents_add(&d, &one);
    explain_execution_free(&s);
    report_documents_free(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(conditions), cmocka_unit_test(nothing_is_legal), cmocka_unit_test(synchronization),
        cmocka_unit_test(cycles),     cmocka_unit_test(nonsense),         cmocka_unit_test(long_orders),
        cmocka_unit_test(documents),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
