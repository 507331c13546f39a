/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "report/counterexample.h"
#include "report/lanes_layout.h"
#include "report/prose.h"

enum { OPS_MOST = 60 };

static struct plumb_values *values;
static uint64_t random_state = 1;

static unsigned pick(unsigned below)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(random_state >> 33) % below;
}

static const char *const thread_labels[] = {"T0", "T1", "T2", "T3", "T4"};

static struct report_op make_op(unsigned id, unsigned thread, int64_t call, int64_t ret, const char *label)
{
    return (struct report_op){
        .id = id,
        .line = id + 1,
        .thread = thread_labels[thread],
        .thread_name = plumb_int(values, thread),
        .call = call,
        .ret = ret,
        .label = label,
        .name = "op",
        .arg = PLUMB_OK,
        .result = PLUMB_OK,
    };
}

static int compare_calls(const void *a, const void *b)
{
    const struct report_op *x = a, *y = b;
    return x->call != y->call ? (x->call < y->call ? -1 : 1) : x->id < y->id ? -1 : x->id > y->id;
}

/* Random operations: threads are sequential, stamps often equal, the last one of a thread may be pending. */
static void random_ops(struct report_op *ops, unsigned count, unsigned threads, const char *const *labels)
{
    int64_t clock[5] = {0};
    bool closed[5] = {0};
    for (unsigned i = 0; i < count; i++) {
        unsigned t = pick(threads);
        if (closed[t])
            t = 0;
        int64_t call = clock[t] + pick(4), ret = call + pick(6);
        ops[i] = make_op(i, t, call, ret, labels[i]);
        ops[i].pending = t && pick(8) == 0;
        closed[t] |= ops[i].pending;
        clock[t] = ret;
    }
    ops[pick(count)].guilty = true;
    qsort(ops, count, sizeof *ops, compare_calls);
}

/* Did `a` return before `b` was called? */
static bool precedes(const struct report_op *a, const struct report_op *b)
{
    if (a == b || a->pending)
        return false;
    if (a->thread_name == b->thread_name)
        return a->id < b->id;
    return a->ret < b->call;
}

/* Two threads that return and call at the same stamp: no picture can show both orders and all overlaps. */
static bool has_double_tie(const struct report_op *ops, unsigned count)
{
    int64_t stamps[OPS_MOST];
    plumb_value threads[OPS_MOST];
    unsigned ties = 0;
    for (unsigned i = 0; i < count; i++)
        for (unsigned j = 0; j < count; j++)
            if (ops[i].thread_name == ops[j].thread_name && ops[i].id < ops[j].id && !ops[i].pending &&
                ops[i].ret == ops[j].call && ties < OPS_MOST) {
                stamps[ties] = ops[i].ret;
                threads[ties++] = ops[i].thread_name;
            }
    for (unsigned i = 0; i < ties; i++)
        for (unsigned j = 0; j < i; j++)
            if (stamps[i] == stamps[j] && threads[i] != threads[j])
                return true;
    return false;
}

static const char *label_of(unsigned i)
{
    static char labels[OPS_MOST][16];
    snprintf(labels[i], sizeof labels[i], "x%c%c", 'a' + (int)i / 26, 'a' + (int)i % 26);
    return labels[i];
}

static const char *const *short_labels(void)
{
    static const char *labels[OPS_MOST];
    for (unsigned i = 0; i < OPS_MOST; i++)
        labels[i] = label_of(i);
    return labels;
}

static void check_block(const struct lanes_layout *l, const struct lane_block *block, unsigned columns)
{
    assert_true(block->columns <= columns);
    for (unsigned run = block->first + 1; run <= block->last; run++)
        assert_true(block->at[run] > block->at[run - 1]);
    assert_true(block->at[block->last] < block->columns);
    for (unsigned i = 0; i < l->bar_count; i++) {
        const struct lane_bar *bar = &l->bars[i];
        if (bar->from < block->first || bar->from > block->last)
            continue;
        unsigned end = bar->to <= block->last ? block->at[bar->to] : block->columns - 1;
        assert_true(end - block->at[bar->from] + 1 >= bar->label_columns + 6);
    }
}

static void layout_is_faithful(void **state)
{
    (void)state;
    unsigned checked = 0;
    for (unsigned round = 0; round < 20000; round++) {
        struct report_op ops[LANES_OPS_MOST];
        unsigned count = 1 + pick(LANES_OPS_MOST), columns = 40 + pick(60);
        random_ops(ops, count, 1 + pick(5), short_labels());
        struct lanes_layout l;
        lanes_lay_out(&l, ops, count, values, columns, 32);
        unsigned next = 0;
        for (unsigned b = 0; b < l.block_count; b++) {
            assert_int_equal(l.blocks[b].first, next);
            next = l.blocks[b].last + 1;
            check_block(&l, &l.blocks[b], columns);
        }
        assert_int_equal(next, l.run_count);
        if (has_double_tie(ops, count))
            continue;
        checked++;
        for (unsigned i = 0; i < count; i++)
            for (unsigned j = 0; j < count; j++)
                assert_int_equal(l.bars[i].to < l.bars[j].from, precedes(l.bars[i].op, l.bars[j].op));
    }
    assert_true(checked > 5000);
}

static struct report_counterexample make_counterexample(const struct report_op *ops, size_t count)
{
    return (struct report_counterexample){
        .file = "h.jsonl",
        .spec = "queue",
        .one_line = "not linearizable: x is impossible",
        .why = "a reason in some words",
        .initial_state = "[]",
        .initial_is_usual = true,
        .ops = ops,
        .op_count = count,
        .minimal = true,
        .total_ops = 1234567,
        .stuck = -1,
        .found_by = "queue",
        .confirmed_by = "search",
        .replay = "plumb monitor h.jsonl",
        .values = values,
    };
}

/* Where the bar with this label begins and ends in the drawing. */
static bool find_bar(const char *drawing, const char *label, unsigned *left, unsigned *right)
{
    const char *at = strstr(drawing, label);
    if (!at)
        return false;
    const char *line = at, *begin = at, *end = at;
    while (line > drawing && line[-1] != '\n')
        line--;
    while (*begin != '|')
        begin--;
    while (*end != '|' && *end != '.')
        end++;
    *left = (unsigned)(begin - line);
    *right = (unsigned)(end - line);
    return true;
}

static void drawing_is_faithful(void **state)
{
    (void)state;
    const struct report_style style = {.columns = 120};
    unsigned checked = 0;
    for (unsigned round = 0; round < 20000; round++) {
        struct report_op ops[5];
        unsigned count = 1 + pick(5);
        random_ops(ops, count, 1 + pick(4), short_labels());
        struct report_counterexample c = make_counterexample(ops, count);
        struct text out = {0};
        report_terminal(&out, &c, &style);
        bool whole = !strstr(out.data, "later") && !has_double_tie(ops, count);
        unsigned left[5], right[5];
        for (unsigned i = 0; i < count; i++)
            assert_true(find_bar(out.data, ops[i].label, &left[i], &right[i]));
        for (unsigned i = 0; whole && i < count; i++)
            for (unsigned j = 0; j < count; j++)
                assert_int_equal(right[i] < left[j], precedes(&ops[i], &ops[j]));
        checked += whole;
        text_free(&out);
    }
    assert_true(checked > 5000);
}

/* The line for compilers and the replay command are never wrapped; all others keep to the width. */
static void check_shape(const char *report, unsigned columns)
{
    unsigned lines = 0;
    for (const char *line = strchr(report, '\n') + 1; *line; lines++) {
        size_t length = strcspn(line, "\n");
        char *copy = base_strndup(line, length);
        if (strncmp(copy, "  replay:", 9) && text_columns(copy) > columns)
            fail_msg("wider than %u:\n%s", columns, report);
        free(copy);
        line += length + 1;
    }
    if (lines > 38)
        fail_msg("%u lines:\n%s", lines, report);
}

static void any_report_fits_the_screen(void **state)
{
    (void)state;
    static char words[400], wide[400];
    static const char *labels[OPS_MOST];
    memset(words, 'w', sizeof words - 1);
    for (unsigned i = 0; i + 3 < sizeof wide; i += 3)
        memcpy(wide + i, "語", 3);
    struct report_op ops[OPS_MOST];
    struct report_step steps[OPS_MOST];
    for (unsigned round = 0; round < 3000; round++) {
        unsigned count = 1 + pick(OPS_MOST);
        for (unsigned i = 0; i < count; i++) {
            const char *word = pick(2) ? words + pick(400) : wide + 3 * pick(130);
            labels[i] = pick(3) ? label_of(i) : word;
            steps[i] = (struct report_step){i, pick(4) ? "[1, 2]" : word};
        }
        random_ops(ops, count, 1 + pick(5), labels);
        struct report_counterexample c = make_counterexample(ops, count);
        c.why = pick(2) ? (pick(2) ? words : wide)
                        : "many words many words many words many words many words many words many words";
        c.legal = steps;
        c.legal_count = pick(count + 1);
        c.stuck = (int)pick(count + 1) - 1;
        c.stuck_why = pick(2) ? "the queue would answer 3" : NULL;
        c.initial_is_usual = pick(2);
        c.object = pick(2) ? "q1" : NULL;
        c.key = pick(2) ? (pick(2) ? words : wide) : NULL;
        c.spec_inferred = pick(2);
        struct report_style style = {.columns = 40 + pick(90), .unicode = pick(2)};
        struct text out = {0};
        report_terminal(&out, &c, &style);
        check_shape(out.data, style.columns);
        text_free(&out);
    }
}

static void example_reads_as_documented(void **state)
{
    (void)state;
    struct report_op ops[] = {
        make_op(0, 1, 1, 4, "enq(3)"),
        make_op(1, 2, 6, 9, "enq(5)"),
        make_op(2, 1, 10, 12, "deq() = 5"),
        make_op(3, 3, 2, 0, "deq() pending"),
    };
    ops[2].guilty = ops[3].pending = true;
    struct report_step steps[] = {{0, "[3]"}, {1, "[3, 5]"}};
    struct report_counterexample c = make_counterexample(ops, 4);
    c.one_line = "not linearizable: deq() = 5 is impossible";
    c.why = "3 was enqueued before 5, and nobody dequeued it.";
    c.legal = steps;
    c.legal_count = 2;
    c.stuck = 2;
    c.stuck_why = "the queue would answer 3";
    struct text out = {0};
    report_terminal(&out, &c, &(struct report_style){.columns = 80, .unicode = true});
    assert_string_equal(out.data,
                        "h.jsonl:3: error: not linearizable: deq() = 5 is impossible [PL0201]\n"
                        "  3 was enqueued before 5, and nobody dequeued it.\n"
                        "\n"
                        "  T1  ├─ enq(3) ─┤              ╞═ deq() = 5 ═╡ ◀ impossible\n"
                        "  T2               ├─ enq(5) ─┤\n"
                        "  T3  ├──────────── deq() pending ────────────⋯\n"
                        "  longest legal order: enq(3) [3] → enq(5) [3, 5] → deq() = 5 ✗ the queue would\n"
                        "  answer 3\n"
                        "\n"
                        "  judged as a queue\n"
                        "  found by queue, confirmed by search; shrunk from 1,234,567 to 4 operations\n"
                        "  replay: plumb monitor h.jsonl\n");
    text_free(&out);
}

static void other_orders_are_printed(void **state)
{
    (void)state;
    struct report_op ops[] = {make_op(0, 1, 1, 2, "add(1)"), make_op(1, 2, 3, 4, "get() = 0")};
    ops[1].guilty = true;
    struct report_step steps[] = {{0, ""}};
    struct report_counterexample c = make_counterexample(ops, 2);
    c.total_ops = 2;
    c.legal = steps;
    c.legal_count = 1;
    c.stuck = 1;
    c.stuck_why = "the serial run would answer 1";
    c.others = (struct report_attempt[]){{.stuck = 1, .stuck_why = "no"}, {.legal = steps, .stuck = -1}};
    c.other_count = 1;
    c.attempts_are_all = c.tells_others = true;
    c.untimely = (uint32_t[]){1, 0};
    c.untimely_count = 2;
    c.too_early = 1;
    c.judged_by = "serial runs";
    struct text out = {0};
    report_terminal(&out, &c, &(struct report_style){.columns = 80, .unicode = true});
    assert_non_null(strstr(out.data,
                           "  longest legal order: add(1) → get() = 0 ✗ the serial run would answer 1\n"
                           "  another attempt: get() = 0 ✗ no\n"
                           "  every order fails in one of these ways\n"
                           "  these answers fit another order: get() = 0 → add(1), but add(1) had returned\n"
                           "  before get() = 0 was called\n"
                           "\n"
                           "  judged by serial runs\n"));
    text_free(&out);
}

static void json_has_every_operation(void **state)
{
    (void)state;
    struct report_op ops[] = {make_op(4, 1, 1, 4, "write(\"a\")"), make_op(7, 2, 2, 0, "read() pending")};
    ops[0].arg = plumb_string(values, "a", 1);
    ops[0].guilty = true;
    ops[1].pending = true;
    ops[1].result = PLUMB_ANY;
    struct report_step steps[] = {{1, "0"}};
    struct report_counterexample c = make_counterexample(ops, 2);
    c.legal = steps;
    c.legal_count = 1;
    c.stuck = 0;
    c.stuck_why = "no";
    c.expected = (plumb_value[]){plumb_int(values, 3), PLUMB_OK};
    c.expected_count = 2;
    c.others = &(struct report_attempt){.stuck = 1, .stuck_why = "never"};
    c.other_count = 1;
    c.attempts_are_all = true;
    c.untimely = (uint32_t[]){1, 0};
    c.untimely_count = 2;
    c.too_early = 1;
    c.too_late = 0;
    c.object = c.key = "as printed";
    c.object_name = plumb_string(values, "a\"\n", 3);
    c.key_value = plumb_array(values, (plumb_value[]){plumb_int(values, 7)}, 1);
    struct text out = {0};
    report_json(&out, &c);
    assert_string_equal(
        out.data,
        "{\"kind\":\"not linearizable\",\"file\":\"h.jsonl\",\"spec\":\"queue\",\"spec_inferred\":false,"
        "\"object\":\"a\\\"\\n\",\"key\":[7],"
        "\"one_line\":\"not linearizable: x is impossible\",\"why\":\"a reason in some words\",\"ops\":["
        "{\"id\":4,\"line\":5,\"thread\":1,\"op\":\"op\",\"arg\":\"a\",\"call\":1,\"return\":4,"
        "\"label\":\"write(\\\"a\\\")\",\"guilty\":true},"
        "{\"id\":7,\"line\":8,\"thread\":2,\"op\":\"op\",\"call\":2,\"label\":\"read() "
        "pending\",\"guilty\":false}],"
        "\"attempts\":[{\"initial\":\"[]\",\"earlier\":0,\"order\":[7],\"states\":[\"0\"],\"stuck\":{\"op\":"
        "4,\"why\":"
        "\"no\",\"expected\":[3,{\"ok\":true}],\"got\":{\"ok\":true}}},"
        "{\"initial\":\"[]\",\"earlier\":0,\"order\":[],\"states\":[],\"stuck\":{\"op\":7,\"why\":\"never\","
        "\"expected\":[]}}],\"attempts_are_all\":true,"
        "\"untimely\":{\"order\":[7,4],\"early\":7,\"late\":4},"
        "\"shrink\":{\"from\":1234567,\"to\":2,\"minimal\":true},\"found_by\":\"queue\",\"confirmed_by\":"
        "\"search\","
        "\"replay\":\"plumb monitor h.jsonl\"}");
    text_free(&out);
}

/* As wcwidth counts them in a UTF-8 locale. */
static void columns_are_those_of_terminals(void **state)
{
    (void)state;
    assert_int_equal(text_columns("abc"), 3);
    assert_int_equal(text_columns("日本語"), 6);
    assert_int_equal(text_columns("한국어"), 6);
    assert_int_equal(text_columns("😀!"), 3);
    assert_int_equal(text_columns("ｆ"), 2);
    assert_int_equal(text_columns("é"), 1);
    assert_int_equal(text_columns("e\xcc\x81"), 1); /* e and a combining accent */
    assert_int_equal(text_columns("╞═ → ✗ ◀ … ⋯"), 12);
    assert_int_equal(text_columns("\xff\xe6\x97"), 3);
}

static void check_clips(const char *s, size_t columns, const char *end, const char *middle)
{
    struct text out = {0};
    prose_clip(&out, s, columns, "…");
    assert_string_equal(out.data, end);
    text_clear(&out);
    prose_clip_middle(&out, s, columns, "…");
    assert_string_equal(out.data, middle);
    text_free(&out);
}

static void clipped_text_fits(void **state)
{
    (void)state;
    check_clips("worker-1", 8, "worker-1", "worker-1");
    check_clips("worker-12", 8, "worker-…", "work…-12");
    check_clips("worker-12", 1, "…", "…");
    check_clips("日本語日本語", 12, "日本語日本語", "日本語日本語");
    check_clips("日本語日本語", 11, "日本語日本…", "日本…本語");
    check_clips("日本語日本語", 8, "日本語…", "日本…語");
    check_clips("enq(abcdef...uvwxyz)", 10, "enq(abcde…", "enq(a…xyz)");
    check_clips("enq(abc...xyz)", 10, "enq(abc..…", "enq(a…xyz)");
    check_clips("cafe\xcc\x81 cafe\xcc\x81", 4, "caf…", "ca…e\xcc\x81");
}

static void wide_lanes_stay_aligned(void **state)
{
    (void)state;
    struct report_op ops[] = {
        make_op(0, 1, 1, 4, "enq(\"日本\")"),
        make_op(1, 2, 6, 9, "enq(\"x\")"),
        make_op(2, 1, 10, 12, "deq() = \"x\""),
    };
    ops[0].thread = ops[2].thread = "日";
    ops[2].guilty = true;
    struct report_counterexample c = make_counterexample(ops, 3);
    struct text out = {0};
    report_terminal(&out, &c, &(struct report_style){.columns = 80, .unicode = true});
    assert_non_null(strstr(out.data,
                           "  日  ├─ enq(\"日本\") ─┤                ╞═ deq() = \"x\" ═╡ ◀ impossible\n"
                           "  T2                    ├─ enq(\"x\") ─┤\n"));
    text_free(&out);
}

static void threads_with_a_common_prefix_differ(void **state)
{
    (void)state;
    struct report_op ops[] = {make_op(0, 1, 1, 4, "enq(3)"), make_op(1, 2, 1, 4, "enq(5)")};
    ops[0].thread = "connection-handler-1";
    ops[1].thread = "connection-handler-2";
    struct report_counterexample c = make_counterexample(ops, 2);
    struct text out = {0};
    report_terminal(&out, &c, &(struct report_style){.columns = 80});
    assert_non_null(strstr(out.data, "  connect..ndler-1  |- enq(3) -|\n  connect..ndler-2  |- enq(5) -|\n"));
    text_free(&out);
}

static void numbers_are_grouped(void **state)
{
    (void)state;
    struct text out = {0};
    prose_number(&out, 0);
    text_puts(&out, " ");
    prose_number(&out, 999);
    text_puts(&out, " ");
    prose_number(&out, 1000);
    text_puts(&out, " ");
    prose_number(&out, UINT64_MAX);
    assert_string_equal(out.data, "0 999 1,000 18,446,744,073,709,551,615");
    text_free(&out);
}

static int set_up(void **state)
{
    (void)state;
    values = plumb_values_create();
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    plumb_values_destroy(values);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(layout_is_faithful),
        cmocka_unit_test(drawing_is_faithful),
        cmocka_unit_test(any_report_fits_the_screen),
        cmocka_unit_test(example_reads_as_documented),
        cmocka_unit_test(other_orders_are_printed),
        cmocka_unit_test(json_has_every_operation),
        cmocka_unit_test(columns_are_those_of_terminals),
        cmocka_unit_test(clipped_text_fits),
        cmocka_unit_test(wide_lanes_stay_aligned),
        cmocka_unit_test(threads_with_a_common_prefix_differ),
        cmocka_unit_test(numbers_are_grouped),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
