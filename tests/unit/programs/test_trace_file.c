/* SPDX-License-Identifier: Apache-2.0 */
/* Recorded executions: written, read back, and refused when anything is wrong. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "target/trace_file.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char sample[] = "plumbline trace 1\n"
                             "folder \"/home/ann\"\n"
                             "file \"a \\\"b\\\".c\"\n"
                             "file \"\xc3\xa9\\x0a\\\\.c\"\n"
                             "flag \"-DX\"\n"
                             "cc \"clang\"\n"
                             "code 00000000000000ff\n"
                             "test \"enq(1) | deq\"\n"
                             "spec \"queue\"\n"
                             "error \"race\"\n"
                             "steps 1000\n"
                             "leaks\n"
                             "spurious\n"
                             "weakcas\n"
                             "reuse\n"
                             "order 11c8 0 6\n"
                             "order 12ff 6 2\n"
                             "events fedcba9876543210\n"
                             "schedule 9\n"
                             "0*5 1 b1 65535*2\n"
                             "end\n";

static bool parse(struct trace_file *trace, const char *text, struct diagnostic *why)
{
    return trace_file_parse(trace, text, strlen(text), why);
}

static void check_sample(const struct trace_file *trace)
{
    const struct worker_config *config = &trace->run.config;
    assert_string_equal(trace->folder, "/home/ann");
    assert_int_equal(trace->source.file_count, 2);
    assert_string_equal(trace->source.files[0], "a \"b\".c");
    assert_string_equal(trace->source.files[1], "\xc3\xa9\n\\.c");
    assert_int_equal(trace->source.flag_count, 1);
    assert_string_equal(trace->source.flags[0], "-DX");
    assert_string_equal(trace->cc, "clang");
    assert_null(trace->cxx);
    assert_int_equal(trace->code, 0xff);
    assert_string_equal(config->test, "enq(1) | deq");
    assert_string_equal(config->spec, "queue");
    assert_string_equal(trace->error, "race");
    assert_int_equal(config->step_limit, 1000);
    assert_int_equal(config->leaks, 1);
    assert_int_equal(config->choices, CHOICE_SPURIOUS | CHOICE_WEAK_CAS | CHOICE_REUSE);
    assert_int_equal(config->order_count, 2);
    assert_int_equal(config->orders[0].pc, 0x11c8);
    assert_int_equal(config->orders[0].order, ORDER_RELAXED);
    assert_int_equal(config->orders[1].order, ORDER_PLAIN);
    assert_int_equal(config->orders[1].failure, ORDER_ACQUIRE);
    assert_int_equal(config->mode, WORKER_REPLAY);
    assert_true(config->expected_hash == 0xfedcba9876543210u);
    assert_int_equal(trace->run.schedule_count, 9);
    assert_int_equal(trace->run.schedule[4].answer, 0);
    assert_int_equal(trace->run.schedule[5].answer, 1);
    assert_int_equal(trace->run.schedule[6].kind, 1);
    assert_int_equal(trace->run.schedule[8].answer, 65535);
}

/* A path for one test; the file is gone after the test. */
static const char *temporary_path(void)
{
    static char path[300];
    const char *folder = getenv("TMPDIR");
    snprintf(path, sizeof path, "%s/plumb-trace-%d.plr", folder && *folder ? folder : "/tmp", (int)getpid());
    return path;
}

static void test_read_and_write(void **state)
{
    (void)state;
    struct trace_file trace, again;
    struct diagnostic why;
    assert_true(parse(&trace, sample, &why));
    check_sample(&trace);
    assert_true(trace_file_save(&trace, temporary_path(), &why));
    assert_true(trace_file_load(&again, temporary_path(), &why));
    check_sample(&again);
    unlink(temporary_path());
    trace_file_free(&trace);
    trace_file_free(&again);
}

static void test_long_schedule(void **state)
{
    (void)state;
    static struct schedule_step steps[PROTOCOL_SCHEDULE];
    for (uint32_t i = 0; i < PROTOCOL_SCHEDULE; i++)
        steps[i] = (struct schedule_step){.kind = i % 7 == 0, .answer = (uint16_t)(i * 2654435761u >> 29)};
    const char *file = "a.c";
    struct trace_file trace = {.source = {.files = &file, .file_count = 1}}, again;
    struct diagnostic why;
    for (uint32_t count = 0; count <= PROTOCOL_SCHEDULE; count = count * 3 + 1) {
        trace.run.schedule = steps;
        trace.run.schedule_count = count;
        assert_true(trace_file_save(&trace, temporary_path(), &why));
        assert_true(trace_file_load(&again, temporary_path(), &why));
        assert_int_equal(again.run.schedule_count, count);
        assert_memory_equal(again.run.schedule, steps, count * sizeof *steps);
        trace_file_free(&again);
    }
    unlink(temporary_path());
}

/* A run of plumb prove instead of a schedule. */
static void test_proof(void **state)
{
    (void)state;
    static const int64_t numbers[] = {2, 0, 0, 0, -1, INT64_MAX, -INT64_MAX};
    enum { NUMBERS = sizeof numbers / sizeof *numbers };
    const char *file = "a.c";
    struct trace_file trace = {
        .source = {.files = &file, .file_count = 1}, .proof = numbers, .proof_count = NUMBERS};
    struct trace_file again;
    struct diagnostic why;
    assert_true(trace_file_save(&trace, temporary_path(), &why));
    assert_true(trace_file_load(&again, temporary_path(), &why));
    assert_int_equal(again.proof_count, NUMBERS);
    assert_memory_equal(again.proof, numbers, sizeof numbers);
    assert_int_equal(again.run.schedule_count, 0);
    trace_file_free(&again);
    unlink(temporary_path());
}

static void expect_refused(const char *text, unsigned line, unsigned column, const char *message)
{
    struct trace_file trace;
    struct diagnostic why;
    assert_false(parse(&trace, text, &why));
    if (why.code != PL_BAD_TRACE || why.line != line || why.column != column || !strstr(why.message, message))
        fail_msg("\"%s\": %d:%d: %s", text, (int)why.line, (int)why.column, why.message);
}

#define HEAD "plumbline trace 1\nfile \"a.c\"\n"

static void test_refused(void **state)
{
    (void)state;
    expect_refused("", 1, 1, "not a recorded execution");
    expect_refused("hello\n", 1, 1, "not a recorded execution");
    expect_refused("plumbline trace 2\n", 1, 18, "another version");
    expect_refused(HEAD, 3, 1, "breaks off");
    expect_refused(HEAD "end\n", 4, 1, "no schedule");
    expect_refused("plumbline trace 1\nschedule 0\nend\n", 4, 1, "names no file");
    expect_refused("plumbline trace 1\nproof 3\n1*4\nend\n", 3, 4, "not as many numbers");
    expect_refused("plumbline trace 1\nproof 0\nend\n", 3, 1, "the run is empty");
    expect_refused("plumbline trace 1\nproof 1\n1\nschedule 0\nend\n", 4, 10, "no member");
    expect_refused(HEAD "colour \"red\"\n", 3, 8, "no member");
    expect_refused(HEAD "leaks 1\n", 3, 7, "no member");
    expect_refused(HEAD "\n", 3, 1, "no member");
    expect_refused(HEAD "file a.c\n", 3, 6, "in quotes");
    expect_refused(HEAD "file \"a.c\n", 3, 10, "not closed");
    expect_refused(HEAD "file \"\\x00\"\n", 3, 8, "escape");
    expect_refused(HEAD "file \"\\n\"\n", 3, 8, "escape");
    expect_refused(HEAD "code 12345678123456781\n", 3, 22, "too large");
    expect_refused(HEAD "steps 4294967296\n", 3, 16, "too large");
    expect_refused(HEAD "order 1 7 0\n", 3, 9, "three numbers");
    expect_refused(HEAD "order 1 5\n", 3, 10, "three numbers");
    expect_refused(HEAD "order 2 0 0\norder 2 0 0\n", 4, 12, "in the order");
    expect_refused(HEAD "schedule 262145\n", 3, 15, "too large");
    expect_refused(HEAD "schedule 2\n0*3\nend\n", 4, 4, "announced");
    expect_refused(HEAD "schedule 2\n0*0 1\nend\n", 4, 4, "announced");
    expect_refused(HEAD "schedule 2\n0\nend\n", 5, 1, "number");
    expect_refused(HEAD "schedule 1\n0 1\nend\n", 4, 2, "line should end");
    expect_refused(HEAD "schedule 1\n65536\nend\n", 4, 5, "too large");
    expect_refused(HEAD "schedule 0\nschedule 0\nend\n", 4, 10, "given before");
    expect_refused(HEAD "code 1\ncode 2\n", 4, 6, "given before");
    expect_refused(HEAD "memory \"xyz\"\nschedule 0\nend\n", 6, 1, "no memory model of this name");
    expect_refused(HEAD "error \"\\x1b[31m\"\nschedule 0\nend\n", 6, 1, "no error of this name");
    expect_refused(HEAD "schedule 0\nend\nmore\n", 5, 1, "should end");
}

static void test_too_long_texts(void **state)
{
    (void)state;
    char text[200], spec[80];
    memset(spec, 's', sizeof spec);
    snprintf(text, sizeof text, HEAD "quasi \"%.64s\"\n", spec);
    expect_refused(text, 3, 73, "too long");
}

/* No damage makes the reader do anything but refuse, or read something that makes sense. */
static void test_damage(void **state)
{
    (void)state;
    struct trace_file trace;
    struct diagnostic why;
    size_t length = sizeof sample - 1;
    for (size_t i = 0; i < length; i++)
        assert_false(trace_file_parse(&trace, sample, i, &why));
    char damaged[sizeof sample];
    for (size_t i = 0; i < length; i++) {
        for (int c = 0; c < 256; c++) {
            memcpy(damaged, sample, sizeof sample);
            damaged[i] = (char)c;
            if (trace_file_parse(&trace, damaged, length, &why))
                trace_file_free(&trace);
        }
    }
}

static void test_files_that_cannot_be_used(void **state)
{
    (void)state;
    struct trace_file trace;
    struct diagnostic why;
    assert_false(trace_file_load(&trace, "/nowhere/x.plr", &why));
    assert_int_equal(why.code, PL_CANNOT_OPEN);
    assert_string_equal(why.file, "/nowhere/x.plr");
    assert_false(trace_file_load(&trace, "/", &why));
    assert_int_equal(why.code, PL_CANNOT_OPEN);
    assert_false(trace_file_load(&trace, "/dev/zero", &why));
    assert_int_equal(why.code, PL_BAD_TRACE);
    assert_true(parse(&trace, sample, &why));
    assert_false(trace_file_save(&trace, "/nowhere/x.plr", &why));
    assert_false(trace_file_save(&trace, "/dev/full", &why));
    assert_int_equal(why.code, PL_CANNOT_OPEN);
    trace_file_free(&trace);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_read_and_write),
        cmocka_unit_test(test_long_schedule),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_too_long_texts),
        cmocka_unit_test(test_proof),
        cmocka_unit_test(test_damage),
        cmocka_unit_test(test_files_that_cannot_be_used),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
