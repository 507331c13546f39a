/* SPDX-License-Identifier: Apache-2.0 */
/* EDN as values, and Jepsen's events as operations. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "formats/edn.h"
#include "formats/jepsen.h"
#include "history/value_text.h"

#include <string.h>

/* ---- values ---- */

struct edn_case {
    const char *edn;
    const char *json;  /* null: an error */
    const char *again; /* how it is written; null: as it was read */
};

static void check_value(const struct edn_case *c)
{
    struct plumb_values *values = plumb_values_create();
    struct diagnostic d = {0};
    struct edn e;
    plumb_value v = PLUMB_OK;
    struct text json = {0}, edn = {0};
    edn_start(&e, values, c->edn, strlen(c->edn), &d);
    bool fine = edn_skip(&e) && edn_value(&e, &v) && edn_skip(&e) && e.at == e.end;
    if (fine)
        value_print(&json, values, v);
    if (fine != (c->json != NULL) || (fine && strcmp(json.data, c->json)))
        fail_msg("%s is read as %s: %s", c->edn, fine ? json.data : "an error", d.message);
    if (fine) {
        assert_true(edn_print(&edn, values, v));
        assert_string_equal(edn.data, c->again ? c->again : c->edn);
    }
    text_free(&json);
    text_free(&edn);
    edn_free(&e);
    plumb_values_destroy(values);
}

static void test_values(void **state)
{
    (void)state;
    static const struct edn_case cases[] = {
        {"nil", "null", NULL},
        {"true", "true", NULL},
        {"-7", "-7", NULL},
        {"+7", "7", "7"},
        {"7N", "7", "7"},
        {"9223372036854775807", "9223372036854775807", NULL},
        {"-9223372036854775808", "-9223372036854775808", NULL},
        {"9223372036854775808", "\"~n9223372036854775808\"", "9223372036854775808N"},
        {"010", NULL, NULL},
        {"1x", NULL, NULL},
        {"2/4", "\"~r1/2\"", "1/2"},
        {"-6/3", "-2", "-2"},
        {"1/0", NULL, NULL},
        {"1.50", "\"~f1.5\"", "1.5"},
        {"1e2", "\"~f1e+02\"", "1e+02"},
        {"-0.0", "\"~f0.0\"", "0.0"},
        {"1e999", NULL, NULL},
        {"1.50M", "\"~d15e-1\"", "15e-1M"},
        {"##-Inf", "\"~f-Inf\"", NULL},
        {":a/b", "\"~:a/b\"", NULL},
        {"::a", NULL, NULL},
        {"sym.bol*", "\"~$sym.bol*\"", NULL},
        {"\"a\\n\\u00e9\\\"\"", "\"a\\n\xc3\xa9\\\"\"", "\"a\\n\xc3\xa9\\\"\""},
        {"\"\\ud83d\\ude00\"", "\"\xf0\x9f\x98\x80\"", "\"\xf0\x9f\x98\x80\""},
        {"\"\\ud83d\"", NULL, NULL},
        {"\"\\q\"", NULL, NULL},
        {"\"open", NULL, NULL},
        {"\"~:a\"", "\"~~:a\"", NULL},
        {"\\a", "\"~ca\"", NULL},
        {"\\newline", "\"~c\\n\"", NULL},
        {"\\(", "\"~c(\"", NULL},
        {"\\u0041", "\"~cA\"", "\\A"},
        {"\\bogus", NULL, NULL},
        {"[1 [2] \"x\"]", "[1,[2],\"x\"]", NULL},
        {"(1, 2)", "[1,2]", "[1 2]"},
        {"[1 #_ [2 3] ; rest\n 4]", "[1,4]", "[1 4]"},
        {"[#_ #_ 1 2 3]", "[3]", "[3]"},
        {"#{2 1}", "[\"~#{}\",1,2]", "#{1 2}"},
        {"#{1 1}", NULL, NULL},
        {"{:b 1 :a 2}", "[\"~#{:}\",\"~:a\",2,\"~:b\",1]", "{:a 2 :b 1}"},
        {"{:a 1 :a 2}", NULL, NULL},
        {"{:a}", NULL, NULL},
        {"#:n{:a 1 :m/b 2 :_/c 3}", "[\"~#{:}\",\"~:c\",3,\"~:m/b\",2,\"~:n/a\",1]", "{:c 3 :m/b 2 :n/a 1}"},
        {"#inst \"2020\"", "[\"~#inst\",\"2020\"]", NULL},
        {"[\"~#inst\" 1]", "[\"~~#inst\",1]", NULL},
        {"#inst", NULL, NULL},
        {"[1 2", NULL, NULL},
        {"[1 2)", NULL, NULL},
        {"^a", NULL, NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check_value(&cases[i]);
}

static void test_depth(void **state)
{
    (void)state;
    static const char *const opening[] = {"[", "#t ", "#_ ", "{1 ", "#{"};
    for (size_t k = 0; k < sizeof opening / sizeof *opening; k++) {
        struct text deep = {0};
        text_repeat(&deep, opening[k], 100000);
        struct edn_case c = {deep.data, NULL, NULL};
        check_value(&c);
        text_free(&deep);
    }
}

/* ---- events ---- */

/* The history as JSON lines, or the error's place and code. */
static char *read_text(const char *text, enum format format, const char *jepsen)
{
    struct history *h = history_create();
    struct format_options o = {.format = format};
    struct format_reading reading = {0};
    struct diagnostic d = {0};
    char *out = NULL;
    size_t length;
    FILE *file = open_memstream(&out, &length);
    struct text notes = {0};
    assert_true(!jepsen || format_parse_jepsen(jepsen, &o, &d));
    if (format_read_memory(h, text, strlen(text), &o, &reading, &d))
        format_write(file, h, FORMAT_JSONL, &notes, &d);
    if (d.code)
        fprintf(file, "%d:%d: PL%04d", (int)d.line, (int)d.column, d.code);
    fclose(file);
    text_free(&notes);
    format_reading_free(&reading);
    history_destroy(h);
    return out;
}

static void check_events(const char *text, enum format format, const char *jepsen, const char *expected)
{
    char *got = read_text(text, format, jepsen);
    assert_string_equal(got, expected);
    free(got);
}

static void test_events(void **state)
{
    (void)state;
    /* An :info is pending and its process comes back as another; :fail was never there, and time has no gap. */
    check_events("{:process 0 :type :invoke :f :write :value 1}{:process 0 :type :info :f :write :value 1}\n"
                 "{:process 1 :type :invoke :f :write :value 2}{:process 1 :type :fail :f :write :value 2}\n"
                 "{:process 0 :type :invoke :f :read :value nil}{:process 0 :type :ok :f :read :value 1}",
                 FORMAT_EDN, NULL,
                 "{\"thread\":0,\"op\":\"write\",\"arg\":1,\"call\":0}\n"
                 "{\"thread\":\"0#2\",\"op\":\"read\",\"result\":1,\"call\":1,\"return\":2}\n");
    /* A failed cas never was, or answered false; a read of nil is unknown, or nil. */
    static const char failed[] =
        "{:process 0 :type :invoke :f :cas :value [1 2]}{:process 0 :type :fail :f :cas}"
        "{:process 0 :type :invoke :f :read}{:process 0 :type :ok :f :read :value nil}";
    check_events(failed, FORMAT_EDN, NULL,
                 "{\"thread\":0,\"op\":\"read\",\"result\":{\"unknown\":true},\"call\":0,\"return\":1}\n");
    check_events(failed, FORMAT_EDN, "fail=false,nil=value",
                 "{\"thread\":0,\"op\":\"cas\",\"arg\":[1,2],\"result\":false,\"call\":0,\"return\":1}\n"
                 "{\"thread\":0,\"op\":\"read\",\"result\":null,\"call\":2,\"return\":3}\n");
    /* Tuples of independent keys are objects. */
    check_events("[#jepsen.history.Op{:index 0 :process 0 :type :invoke :f :read :value [:x nil] :time 5}\n"
                 "{:process :nemesis :type :info :f :start :value nil}\n"
                 "{:process 0 :type :ok :f :read :value [:x 3]}]",
                 FORMAT_EDN, NULL,
                 "{\"thread\":0,\"object\":\"~:x\",\"op\":\"read\",\"result\":3,\"call\":0,\"return\":1}\n");
    check_events(
        "{:process 0 :type :invoke :f :cas :value [5 [1 2]]}{:process 0 :type :ok :f :cas :value [5 [1 2]]}",
        FORMAT_EDN, NULL,
        "{\"thread\":0,\"object\":5,\"op\":\"cas\",\"arg\":[1,2],\"result\":true,\"call\":0,\"return\":1}\n");
    check_events("{:process 0 :type :invoke :f :write :value [5 6]}", FORMAT_EDN, NULL,
                 "{\"thread\":0,\"op\":\"write\",\"arg\":[5,6],\"call\":0}\n");
    check_events("{:process 0 :type :invoke :f :write :value [5 6]}", FORMAT_EDN, "keys=tuples",
                 "{\"thread\":0,\"object\":5,\"op\":\"write\",\"arg\":6,\"call\":0}\n");
    check_events("{:process 0 :type :invoke :f :write :value #jepsen.independent/tuple [5 6]}", FORMAT_EDN,
                 NULL, "{\"thread\":0,\"object\":5,\"op\":\"write\",\"arg\":6,\"call\":0}\n");
}

static void test_operations(void **state)
{
    (void)state;
    /* Queues, counters and keys have names of their own. */
    check_events(
        "{:process 0 :type :invoke :f :enqueue :value 1}{:process 0 :type :ok :f :enqueue :value 1}"
        "{:process 0 :type :invoke :f :dequeue :value nil}{:process 0 :type :ok :f :dequeue :value 1}",
        FORMAT_EDN, NULL,
        "{\"thread\":0,\"op\":\"enq\",\"arg\":1,\"call\":0,\"return\":1}\n"
        "{\"thread\":0,\"op\":\"deq\",\"result\":1,\"call\":2,\"return\":3}\n");
    check_events("{:process 0 :type :invoke :f :add :value 1}{:process 1 :type :invoke :f :read}"
                 "{:process 1 :type :ok :f :read :value 1}",
                 FORMAT_EDN, NULL,
                 "{\"thread\":0,\"op\":\"add\",\"arg\":1,\"call\":0}\n"
                 "{\"thread\":1,\"op\":\"get\",\"result\":1,\"call\":1,\"return\":2}\n");
    /* A read that answers a collection is one of a set, which does not say whether an addition changed it. */
    check_events(
        "{:process 0 :type :invoke :f :add :value 1}{:process 0 :type :ok :f :add :value 1}"
        "{:process 1 :type :invoke :f :read}{:process 1 :type :ok :f :read :value #{2 1}}"
        "{:process 1 :type :invoke :f :read}{:process 1 :type :ok :f :read :value (1 \"~#{}\")}"
        "{:process 1 :type :invoke :f :read}{:process 1 :type :ok :f :read :value [\"~#{}\"]}"
        "{:process 1 :type :invoke :f :read}{:process 1 :type :ok :f :read :value nil}",
        FORMAT_EDN, NULL,
        "{\"thread\":0,\"op\":\"add\",\"arg\":1,\"result\":{\"unknown\":true},\"call\":0,\"return\":1}\n"
        "{\"thread\":1,\"op\":\"items\",\"result\":[1,2],\"call\":2,\"return\":3}\n"
        "{\"thread\":1,\"op\":\"items\",\"result\":[1,\"~#{}\"],\"call\":4,\"return\":5}\n"
        "{\"thread\":1,\"op\":\"items\",\"result\":[\"~#{}\"],\"call\":6,\"return\":7}\n"
        "{\"thread\":1,\"op\":\"items\",\"result\":{\"unknown\":true},\"call\":8,\"return\":9}\n");
    /* A transaction that read nil answers what it was called with. */
    check_events(
        "{:process 1 :type :invoke :f :txn :value [[:r 1 nil]]}{:process 1 :type :ok :f :txn :value [[:r 1 "
        "nil]]}",
        FORMAT_EDN, NULL,
        "{\"thread\":1,\"op\":\"txn\",\"arg\":[[\"~:r\",1,null]],\"result\":[[\"~:r\",1,null]],\"call\":0,"
        "\"return\":1}\n");
    check_events("{:process 1 :type :invoke :f :drain}{:process 1 :type :ok :f :drain :value {:a 1}}",
                 FORMAT_EDN, NULL,
                 "{\"thread\":1,\"op\":\"drain\",\"result\":[[\"~:a\",1]],\"call\":0,\"return\":1}\n");
    check_events(
        "{:process 0 :type :invoke :f :put :key \"a\" :value \"b\"}{:process 0 :type :ok :f :put :key \"a\"}"
        "{:process 0 :type :invoke :f :write :key 3 :value 4}",
        FORMAT_EDN, NULL,
        "{\"thread\":0,\"op\":\"put\",\"arg\":[\"a\",\"b\"],\"call\":0,\"return\":1}\n"
        "{\"thread\":0,\"object\":3,\"op\":\"write\",\"arg\":4,\"call\":2}\n");
}

static void test_log(void **state)
{
    (void)state;
    check_events("INFO  jepsen.core - hello\n"
                 "INFO  jepsen.util - 0\t:invoke\t:cas\t[1 2]\n"
                 "2020-01-01 INFO [jepsen worker 1] - jepsen.util 1 :invoke :read nil\n"
                 "INFO  jepsen.util - :nemesis\t:info\t:start\tnil\n"
                 "INFO  jepsen.util - 0\t:fail\t:cas\t[1 2]\r\n"
                 "INFO  jepsen.util - 1\t:ok\t:read\tnil\n",
                 FORMAT_LOG, NULL,
                 "{\"thread\":0,\"op\":\"cas\",\"arg\":[1,2],\"result\":false,\"call\":0,\"return\":2}\n"
                 "{\"thread\":1,\"op\":\"read\",\"result\":null,\"call\":1,\"return\":3}\n");
    check_events("INFO  jepsen.util - 0\t:invoke\t:read\t[1\n", FORMAT_LOG, NULL, "1:37: PL0112");
}

static void test_event_errors(void **state)
{
    (void)state;
    static const struct {
        const char *text, *error;
    } cases[] = {
        {"", "0:0: PL0106"},
        {"[]", "0:0: PL0106"},
        {"{:process 0 :type :invoke :f :read", "1:1: PL0112"},
        {"{:process 0\n :type :start :f :read}", "2:8: PL0112"},
        {"{:process 0 :process 1}", "1:13: PL0112"},
        {"{:process 0 :type}", "1:13: PL0112"},
        {"{:type :invoke :f :read}", "1:1: PL0102"},
        {"{:process 0 :f :read}", "1:1: PL0102"},
        {"{:process 0 :type :invoke}", "1:1: PL0102"},
        {"{:process 0 :type :ok :f :read}", "1:1: PL0105"},
        {"{:process 0 :type :invoke :f :a}\n{:process 0 :type :invoke :f :b}", "2:1: PL0105"},
        {"{:process 0 :type :invoke :f :a}\n {:process 0 :type :ok :f :b}", "2:2: PL0105"},
        {"[1]", "1:2: PL0112"},
        {"{:process 0 :type :invoke :f :a :plumb/arg 3}", "1:1: PL0102"},
        {"{:process 0 :type :invoke :f :a :plumb/stamp 3}{:process 0 :type :ok}", "1:48: PL0102"},
        {"{:process 0 :type :invoke :f :a :plumb/stamp 3}{:process 0 :type :ok :plumb/stamp 2}",
         "1:48: PL0104"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check_events(cases[i].text, FORMAT_EDN, NULL, cases[i].error);
    check_events("{:process 0 :type :invoke :f :write :value 6}", FORMAT_EDN, "keys=tuples", "1:1: PL0102");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),     cmocka_unit_test(test_depth), cmocka_unit_test(test_events),
        cmocka_unit_test(test_operations), cmocka_unit_test(test_log),   cmocka_unit_test(test_event_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
