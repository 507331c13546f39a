/* SPDX-License-Identifier: Apache-2.0 */
/* Results of shards: what is read is what was written, and several become one answer or none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/hash.h"
#include "base/memory.h"
#include "campaign/cluster/shard_merge.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static struct shard_record make(uint64_t number, uint64_t count, enum verdict answer, uint64_t executions)
{
    struct shard_record r = {.path = strdup("f"),
                             .tool = strdup("1"),
                             .command = strdup("check"),
                             .name = strdup("a\\b\nc.c"),
                             .fingerprint = 7,
                             .division = 9,
                             .number = number,
                             .count = count,
                             .answer = answer};
    r.numbers[SHARD_EXECUTIONS] = executions;
    return r;
}

static void add_object(struct shard_record *r, uint64_t address, bool locked, bool no_mutex)
{
    struct pool_object o = {.address = address, .locked = locked, .no_mutex = no_mutex};
    vec_push(&r->objects, o);
}

static void what_was_written_is_read(void **state)
{
    (void)state;
    struct shard_record a = make(1, 4, VERDICT_VIOLATED, 12), b = {0};
    struct diagnostic why = {0};
    struct text t = {0};
    a.trace = strdup("a.plr");
    a.trace_bytes = strdup("plumbline trace 1\nfile \"a.c\"\nschedule 0\nend\n");
    a.report = strdup("one\ntwo\\n\n");
    shard_add_text(&a.limits, "because; of");
    add_object(&a, 0xffff00001234, true, false);
    shard_record_print(&t, &a);
    assert_true(shard_record_parse(&b, t.data, t.len, &why));
    assert_string_equal(b.name, a.name);
    assert_string_equal(b.trace_bytes, a.trace_bytes);
    assert_string_equal(b.report, a.report);
    assert_string_equal(b.limits.data[0], "because; of");
    assert_int_equal(b.objects.data[0].address, 0xffff00001234);
    assert_int_equal(b.number, 1);
    assert_memory_equal(b.numbers, a.numbers, sizeof a.numbers);
    shard_record_free(&b);
    /* Every byte counts, and so does the end. */
    for (size_t k = 0; k < t.len; k++) {
        t.data[k] ^= 1;
        assert_false(shard_record_parse(&b, t.data, t.len, &why));
        assert_false(shard_record_parse(&b, t.data, k, &why));
        t.data[k] ^= 1;
        shard_record_free(&b);
    }
    shard_record_free(&a);
    text_free(&t);
}

/* With the hash of what it has now. */
static bool reads(struct text *t)
{
    struct shard_record r = {0};
    struct diagnostic why = {0};
    struct text with_end = {0};
    text_add(&with_end, t->data, t->len);
    text_printf(&with_end, "end %016" PRIx64 "\n", hash_bytes(t->data, t->len));
    bool fine = shard_record_parse(&r, with_end.data, with_end.len, &why);
    assert_true(fine || (why.code == PL_BAD_SHARD && *why.message));
    shard_record_free(&r);
    text_free(&with_end);
    return fine;
}

static bool reads_with(const char *line)
{
    struct text t = {0};
    text_printf(&t,
                "plumbline shard 1\ntool 1\ncommand check\nname a.c\nfingerprint 7\nshard 1 2\nanswer "
                "violated\nexecutions 9\n%s\n",
                line);
    bool fine = reads(&t);
    text_free(&t);
    return fine;
}

/* The hash is no secret: lines are judged by themselves. */
static void forged_ones_are_refused(void **state)
{
    (void)state;
    static const char *const right[] = {
        "blocked 9",
        "limit of time",
        "object ff 1 0",
        "junit   <testcase name=\"a\">\\n    <failure type=\"x\">a &lt; b</failure>\\n  </testcase>\\n",
        "html {\"a\": [1, -2.5e3, \"\\\\u0041\", null, {}]}",
        "sarif {\"a\": true},{}",
        "trace a.plr\nbytes plumbline trace 1\\nfile \"a.c\"\\nschedule 0\\nend\\n",
    };
    static const char *const wrong[] = {
        "executions 9", /* twice */
        "blocked 10",   /* more than executions */
        "tests 1",      /* of another command */
        "refuted -1",
        "refuted 1 ",
        "refuted 18446744073709551615", /* not to be added up */
        "refuted 99999999999999999999999",
        "name b.c",
        "answer holds",
        "shard 2 2",
        "object ff 2 0",
        "object ff 1",
        "later 1",
        "junit <testcase name=\"a\">",
        "junit <testcase name=\"a\"><script>x</script></testcase>",
        "junit <testcase name=\"a\"><failure>&x;</failure></testcase>",
        "junit <testcase name=\"a\"><failure>\x1b[31m</failure></testcase>",
        "junit <testcase name=\"a\"><failure>\xff</failure></testcase>",
        "html {\"a\": 1",
        "html {\"a\": \x01}",
        "html {\"a\": \"\x1b\"}",
        "sarif {}, ]",
        "trace a.plr",
        "trace ../a.plr\nbytes plumbline trace 1\\nfile \"a.c\"\\nschedule 0\\nend\\n",
        "trace .bashrc\nbytes plumbline trace 1\\nfile \"a.c\"\\nschedule 0\\nend\\n",
        "trace a.plr\nbytes echo",
    };
    for (size_t k = 0; k < sizeof right / sizeof *right; k++)
        assert_true(reads_with(right[k]) || (print_error("%s\n", right[k]), false));
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++)
        assert_true(!reads_with(wrong[k]) || (print_error("%s\n", wrong[k]), false));
}

/* The verdict of these, or VERDICT_NONE if they do not go together; frees them. */
static enum verdict merged(struct shard_record *records, size_t count, uint64_t *executions)
{
    struct shard_merge m;
    struct diagnostic why = {0};
    enum verdict verdict = VERDICT_NONE;
    if (shard_merge(&m, records, count, &why)) {
        verdict = m.verdict;
        *executions = m.numbers[SHARD_EXECUTIONS];
        assert_true(verdict != VERDICT_INCONCLUSIVE || m.limits.len > 0);
        shard_merge_free(&m);
    }
    for (size_t k = 0; k < count; k++)
        shard_record_free(&records[k]);
    return verdict;
}

static void answers_are_joined(void **state)
{
    (void)state;
    uint64_t sum = 0;
    struct shard_record good[] = {make(0, 2, VERDICT_HOLDS, 3), make(1, 2, VERDICT_HOLDS, 4),
                                  make(0, 2, VERDICT_HOLDS, 3)};
    assert_int_equal(merged(good, 3, &sum), VERDICT_HOLDS);
    assert_int_equal(sum, 7);
    struct shard_record missing[] = {make(0, 3, VERDICT_HOLDS, 3), make(2, 3, VERDICT_HOLDS, 4)};
    assert_int_equal(merged(missing, 2, &sum), VERDICT_INCONCLUSIVE);
    struct shard_record unknown[] = {make(0, 2, VERDICT_HOLDS, 3), make(1, 2, VERDICT_INCONCLUSIVE, 4)};
    shard_add_text(&unknown[1].limits, "time");
    assert_int_equal(merged(unknown, 2, &sum), VERDICT_INCONCLUSIVE);
    /* A shard that was run again with more time. */
    struct shard_record again[] = {make(0, 2, VERDICT_HOLDS, 3), make(1, 2, VERDICT_INCONCLUSIVE, 4),
                                   make(1, 2, VERDICT_HOLDS, 5)};
    assert_int_equal(merged(again, 3, &sum), VERDICT_HOLDS);
    assert_int_equal(sum, 8);
    struct shard_record sampled[] = {make(0, 2, VERDICT_HOLDS, 3), make(1, 2, VERDICT_SURVIVED, 4)};
    assert_int_equal(merged(sampled, 2, &sum), VERDICT_SURVIVED);
    struct shard_record wrong[] = {make(0, 9, VERDICT_INCONCLUSIVE, 3), make(1, 9, VERDICT_VIOLATED, 4)};
    assert_int_equal(merged(wrong, 2, &sum), VERDICT_VIOLATED);
    struct shard_record empty[] = {make(0, 1, VERDICT_HOLDS, 0)};
    assert_int_equal(merged(empty, 1, &sum), VERDICT_INCONCLUSIVE);
}

static void different_ones_are_refused(void **state)
{
    (void)state;
    uint64_t sum;
    for (int k = 0; k < 6; k++) {
        struct shard_record two[] = {make(0, 2, VERDICT_HOLDS, 3), make(1, 2, VERDICT_HOLDS, 4)};
        two[1].fingerprint += k == 0;
        two[1].division += k == 1;
        two[1].count += k == 2;
        two[1].tool[0] += (char)(k == 3);
        two[1].command[0] += (char)(k == 4);
        two[1].number -= k == 5; /* two results of one shard that contradict each other */
        assert_int_equal(merged(two, 2, &sum), VERDICT_NONE);
    }
    /* One that ended before all was divided has nothing to compare. */
    struct shard_record early[] = {make(0, 2, VERDICT_VIOLATED, 3), make(1, 2, VERDICT_HOLDS, 4)};
    early[0].division = 0;
    assert_int_equal(merged(early, 2, &sum), VERDICT_VIOLATED);
}

/* The rule for mutexes: used in one shard and refuted in another, executions are missing. */
static void shards_that_disagree_decide_nothing(void **state)
{
    (void)state;
    static const struct {
        bool locked[2], no_mutex[2];
        enum verdict verdict;
    } rows[] = {{{1, 1}, {0, 0}, VERDICT_HOLDS},        {{0, 0}, {1, 1}, VERDICT_HOLDS},
                {{1, 1}, {1, 1}, VERDICT_HOLDS}, /* known before all was divided */
                {{1, 0}, {0, 1}, VERDICT_INCONCLUSIVE}, {{0, 1}, {1, 0}, VERDICT_INCONCLUSIVE},
                {{1, 1}, {0, 1}, VERDICT_INCONCLUSIVE}};
    uint64_t sum;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        struct shard_record two[] = {make(0, 2, VERDICT_HOLDS, 3), make(1, 2, VERDICT_HOLDS, 4)};
        for (size_t i = 0; i < 2; i++) {
            add_object(&two[i], 0x1000 + i * 64, true, false); /* others do not matter */
            add_object(&two[i], 0x2000, rows[k].locked[i], rows[k].no_mutex[i]);
        }
        assert_int_equal(merged(two, 2, &sum), rows[k].verdict);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_written_is_read),
        cmocka_unit_test(forged_ones_are_refused),
        cmocka_unit_test(answers_are_joined),
        cmocka_unit_test(different_ones_are_refused),
        cmocka_unit_test(shards_that_disagree_decide_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
