/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "report/documents.h"

static const struct report_event steps[] = {
    {.id = 1,
     .thread = 1,
     .text = "await head != tail",
     .file = "queue.model",
     .line = 2,
     .other = REPORT_NOTHING,
     .op = REPORT_NOTHING},
    {.id = 2,
     .thread = 2,
     .text = "return <item>",
     .file = "my models/queue.model",
     .line = 6,
     .other = REPORT_NOTHING,
     .op = 7,
     .guilty = true,
     .note = "\"odd\" & wrong"},
};

static const struct report_source sources[] = {{"queue.model", 1, "one\ntwo </script>\n"}};

static const struct report_execution execution = {.title = "Model",
                                                  .steps = 2,
                                                  .events = steps,
                                                  .event_count = 2,
                                                  .thread_count = 3,
                                                  .file = "my models/queue.model",
                                                  .line = 6,
                                                  .sources = sources,
                                                  .source_count = 1};

static struct report_counterexample make_counterexample(void)
{
    return (struct report_counterexample){
        .kind = "not refined",
        .file = "queue.model",
        .one_line = "<b>deq()</b> = 2",
        .why = "line\xe2\x80\xa8separator, \xe2\x80\xa9, bytes \xe2\x80 and \xff",
        .confirmed_by = "a second search",
        .execution = &execution};
}

static struct report_documents collect(const struct report_counterexample *c, enum verdict verdict)
{
    struct report_documents d = {.wanted = {true, true, true}};
    static const char *const facts[] = {"2,031 states"};
    struct report_case one = {.name = "a \"b\" <c>",
                              .verdict = verdict,
                              .message = "time & memory",
                              .text = "error: \x1b[1m <d>\n",
                              .seconds = 0.5,
                              .facts = facts,
                              .fact_count = 1,
                              .found = &c,
                              .found_count = c != NULL};
    report_documents_add(&d, &one);
    return d;
}

static void assert_has(const char *whole, const char *part)
{
    if (!strstr(whole, part))
        fail_msg("'%s' is not in: %.4000s", part, whole);
}

/* The data of a page: between its script element and the next end of one. */
static char *data_of(const char *page)
{
    const char *start = strstr(page, "id=\"data\">");
    assert_non_null(start);
    const char *end = strstr(start, "</script>");
    assert_non_null(end);
    return strndup(start, (size_t)(end - start));
}

/* --- pages ------------------------------------------------------------------------------------- */

static void page_data_cannot_end_its_element(void **unused)
{
    (void)unused;
    struct report_counterexample c = make_counterexample();
    struct report_documents d = collect(&c, VERDICT_VIOLATED);
    struct text page = {0};
    html_render(&page, &d, &(struct report_run){"plumb 0.1", "refine", VERDICT_VIOLATED});
    char *data = data_of(page.data);
    assert_null(strpbrk(strchr(data, '>') + 1, "<>&"));
    assert_has(data, "\\u003cb\\u003edeq()\\u003c/b\\u003e = 2");
    assert_has(data, "line\\u2028separator, \\u2029, bytes \\ufffd");
    assert_has(data, "two \\u003c/script\\u003e");
    assert_has(data, "\"text\":\"await head != tail\",\"file\":\"queue.model\",\"line\":2");
    assert_has(data, "\"title\":\"Model\",\"threads\":3,\"sources\":[{\"file\":\"queue.model\",\"first\":1,");
    assert_has(page.data, "default-src 'none'");
    assert_string_equal(page.data + page.len - strlen("</html>\n"), "</html>\n");
    free(data);
    text_free(&page);
    report_documents_free(&d);
}

static void page_has_history_by_columns(void **unused)
{
    (void)unused;
    struct plumb_values *values = plumb_values_create();
    plumb_value first = plumb_int(values, 1), second = plumb_int(values, 2);
    const struct report_op ops[] = {
        {.id = 4, .line = 5, .thread = "T1", .thread_name = first, .call = 1, .ret = 9, .label = "enq(1)"},
        {.id = 0,
         .line = 1,
         .thread = "T2",
         .thread_name = second,
         .call = 2,
         .pending = true,
         .label = "deq() pending"},
        {.id = 2,
         .line = 3,
         .thread = "T1",
         .thread_name = first,
         .call = 10,
         .ret = (int64_t)1 << 60,
         .label = "deq()"},
    };
    static const uint32_t call[] = {0, 1, 3}, ret[] = {2, REPORT_NEVER, 4};
    static const struct report_band bands[] = {{1, 3, "partition"}};
    struct report_history history = {
        .ops = ops, .count = 3, .call = call, .ret = ret, .left_out = 17, .bands = bands, .band_count = 1};
    struct report_counterexample c = make_counterexample();
    struct text json = {0};
    c.history = &history;
    report_json_full(&json, &c);
    assert_has(json.data,
               "\"timeline\":{\"id\":[4,0,2],\"line\":[5,1,3],\"thread\":[0,1,0],\"threads\":[\"T1\",\"T2\"],"
               "\"call\":[0,1,3],\"ret\":[2,-1,4],");
    /* One stamp is more than a JavaScript number can say: all of them are text. */
    assert_has(json.data,
               "\"called\":[\"1\",\"2\",\"10\"],\"returned\":[\"9\",null,\"1152921504606846976\"]");
    assert_has(json.data,
               "\"bands\":[{\"from\":1,\"to\":3,\"label\":\"partition\"}],\"orders\":[],\"left_out\":17}");
    text_clear(&json);
    report_json(&json, &c);
    assert_null(strstr(json.data, "\"timeline\""));
    assert_null(strstr(json.data, "\"sources\""));
    text_free(&json);
    plumb_values_destroy(values);
}

/* --- build servers and editors ----------------------------------------------------------------- */

static void junit_escapes_and_counts(void **unused)
{
    (void)unused;
    struct report_counterexample c = make_counterexample();
    struct report_documents d = collect(&c, VERDICT_VIOLATED);
    struct report_case limit = {
        .name = "second", .verdict = VERDICT_INCONCLUSIVE, .message = "time limit met"};
    struct report_case fine = {.name = "third", .verdict = VERDICT_SURVIVED};
    struct text xml = {0};
    report_documents_add(&d, &limit);
    report_documents_add(&d, &fine);
    junit_render(&xml, &d, &(struct report_run){.command = "check"});
    assert_has(xml.data, "tests=\"3\" failures=\"1\" errors=\"1\" time=\"0.500\"");
    assert_has(xml.data, "name=\"a &quot;b&quot; &lt;c&gt;\"");
    assert_has(xml.data,
               "message=\"&lt;b&gt;deq()&lt;/b&gt; = 2\">error: \xef\xbf\xbd[1m &lt;d&gt;\n</failure>");
    assert_has(xml.data, "<error type=\"inconclusive\" message=\"time limit met\">time limit met</error>");
    text_free(&xml);
    report_documents_free(&d);
}

static void sarif_has_a_flow_for_each_thread(void **unused)
{
    (void)unused;
    struct report_counterexample c = make_counterexample();
    struct report_documents d = collect(&c, VERDICT_VIOLATED);
    struct text json = {0};
    sarif_render(&json, &d, &(struct report_run){.tool = "plumb 0.1"});
    assert_has(json.data, "\"ruleId\":\"not-refined\",\"level\":\"error\"");
    assert_has(
        json.data,
        "\"locations\":[{\"physicalLocation\":{\"artifactLocation\":{\"uri\":\"my%20models/queue.model\"},"
        "\"region\":{\"startLine\":6}}}]");
    assert_has(json.data, "\"threadFlows\":[{\"id\":\"T1\",\"locations\":[{\"executionOrder\":1,");
    assert_has(json.data, "{\"id\":\"T2\",\"locations\":[{\"executionOrder\":2,");
    assert_has(json.data, "step 2: return <item> (\\\"odd\\\" & wrong)");
    text_free(&json);
    report_documents_free(&d);
}

static void without_violation_nothing_is_claimed(void **unused)
{
    (void)unused;
    struct report_documents d = collect(NULL, VERDICT_HOLDS);
    struct text json = {0}, xml = {0}, page = {0};
    sarif_render(&json, &d, &(struct report_run){.tool = "plumb 0.1"});
    junit_render(&xml, &d, &(struct report_run){.command = "check"});
    html_render(&page, &d, &(struct report_run){"plumb 0.1", "check", VERDICT_HOLDS});
    assert_has(json.data, "\"results\":[]");
    assert_null(strstr(xml.data, "<failure"));
    assert_null(strstr(xml.data, "<error"));
    assert_has(page.data,
               "\"verdict\":\"holds\",\"message\":\"time \\u0026 memory\",\"facts\":[\"2,031 states\"],"
               "\"counterexamples\":[]");
    text_free(&json);
    text_free(&xml);
    text_free(&page);
    report_documents_free(&d);
}

/* Otherwise a run that judged nothing looks like one that found nothing. */
static void sarif_tells_what_was_not_judged(void **unused)
{
    (void)unused;
    struct report_documents d = collect(NULL, VERDICT_INCONCLUSIVE);
    const struct report_case broken = {
        .name = "queue.c", .verdict = VERDICT_NONE, .message = "does not build"};
    struct text json = {0};
    report_documents_add(&d, &broken);
    sarif_render(&json, &d, &(struct report_run){.tool = "plumb 0.1"});
    assert_has(json.data, "\"invocations\":[{\"executionSuccessful\":false,\"toolExecutionNotifications\":[");
    assert_has(
        json.data,
        "{\"level\":\"warning\",\"message\":{\"text\":\"a \\\"b\\\" <c>: inconclusive: time & memory\"}}");
    assert_has(json.data,
               ",{\"level\":\"error\",\"message\":{\"text\":\"queue.c: error: does not build\"}}]");
    text_free(&json);
    report_documents_free(&d);
}

static void what_was_printed_is_kept(void **unused)
{
    (void)unused;
    struct report_documents d = {.wanted = {true, true, true}};
    const struct report_case one = {.name = "sb.litmus", .verdict = VERDICT_HOLDS, .output = "States <4>\n"};
    struct text xml = {0}, page = {0}, json = {0};
    report_documents_add(&d, &one);
    junit_render(&xml, &d, &(struct report_run){.command = "check"});
    html_render(&page, &d, &(struct report_run){"plumb 0.1", "check", VERDICT_HOLDS});
    sarif_render(&json, &d, &(struct report_run){.tool = "plumb 0.1"});
    assert_has(xml.data, "<system-out>States &lt;4&gt;\n</system-out>");
    assert_has(page.data, "\"output\":\"States \\u003c4\\u003e\\n\"");
    assert_has(json.data, "\"invocations\":[{\"executionSuccessful\":true}]");
    text_free(&xml);
    text_free(&page);
    text_free(&json);
    report_documents_free(&d);
}

/* Not every process of a model is one of its threads. */
static void a_process_need_not_be_a_thread(void **unused)
{
    (void)unused;
    const struct report_event step = {.id = 1,
                                      .thread = REPORT_NOTHING,
                                      .text = "tick",
                                      .file = "clock.pml",
                                      .line = 3,
                                      .other = REPORT_NOTHING,
                                      .op = REPORT_NOTHING};
    const struct report_execution x = {.title = "Model", .steps = 1, .events = &step, .event_count = 1};
    struct report_counterexample c = make_counterexample();
    c.execution = &x;
    struct report_documents d = collect(&c, VERDICT_VIOLATED);
    struct text json = {0}, sarif = {0};
    report_json(&json, &c);
    sarif_render(&sarif, &d, &(struct report_run){.tool = "plumb 0.1"});
    assert_has(json.data, "\"events\":[{\"id\":1,\"text\":\"tick\"");
    assert_has(sarif.data, "\"threadFlows\":[{\"id\":\"others\"");
    text_free(&json);
    text_free(&sarif);
    report_documents_free(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(page_data_cannot_end_its_element),
        cmocka_unit_test(page_has_history_by_columns),
        cmocka_unit_test(junit_escapes_and_counts),
        cmocka_unit_test(sarif_has_a_flow_for_each_thread),
        cmocka_unit_test(without_violation_nothing_is_claimed),
        cmocka_unit_test(sarif_tells_what_was_not_judged),
        cmocka_unit_test(what_was_printed_is_kept),
        cmocka_unit_test(a_process_need_not_be_a_thread),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
