/* SPDX-License-Identifier: Apache-2.0 */
/* From records to histories: right ones, and those of a program that wrote over them. */
#include "stress/stress_judge.h"
#include "stress/stress_merge.h"
#include "stress/stress_stuck.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SLOTS = 3, CAPACITY = 8, AREA = 256 };

struct bench {
    struct stress_program program;
    struct stress_log log;
    struct stress_harness harness;
    struct stress_question question;
};

#define QUEUE "0\t\t\tqueue\t\tq.c\t1\n4\t\tenq\t\ti\tq.c\t2\n4\t\tdeq\t\t\tq.c\t3\n"
#define SEMAPHORE "0\t\t\tsemaphore(1)\t\tq.c\t1\n4\t\tacquire\t\t\tq.c\t2\n4\t\trelease\t\t\tq.c\t3\n"

static void begin(struct bench *b, const char *list)
{
    struct diagnostic d = {0};
    memset(b, 0, sizeof *b);
    size_t size = sizeof(struct stress_shared) +
                  SLOTS * STRESS_BANKS * (CAPACITY * sizeof(struct stress_record) + AREA);
    b->program = (struct stress_program){.layout = {SLOTS, CAPACITY, AREA}, .pid = -1, .size = size};
    b->program.shared = aligned_alloc(128, (size + 127) / 128 * 128);
    memset(b->program.shared, 0, size);
    assert_true(stress_harness_read(&b->harness, list, strlen(list), NULL, &d));
    b->question = (struct stress_question){.harness = &b->harness};
    stress_log_begin(&b->log);
}

static void end(struct bench *b)
{
    free(b->program.shared);
    stress_log_free(&b->log);
    stress_harness_free(&b->harness);
}

static struct stress_record *add(struct bench *b, uint32_t slot, uint64_t call, uint32_t duration,
                                 uint16_t operation, plumb_value argument, plumb_value result)
{
    struct stress_slot *s = &b->program.shared->slot[slot];
    struct stress_record *r =
        (struct stress_record *)stress_program_records(&b->program, slot, 0) + s->counts[0]++;
    *r = (struct stress_record){call, duration, operation, 0, argument, result};
    return r;
}

static plumb_value number(int64_t i)
{
    return (plumb_value)i << 3;
}

static bool read_all(struct bench *b, bool complete)
{
    return stress_log_read(&b->log, &b->program, 0, SLOTS, (uint32_t)b->harness.operations.len, complete);
}

static enum verdict judge(struct bench *b)
{
    struct stress_answer a;
    stress_judge_whole(&b->log, &b->question, &a);
    struct stress_follower *f = stress_follow(&b->question);
    struct stress_answer streamed;
    struct pipeline_input in = {0};
    stress_follower_take(f, &b->log, 0);
    stress_follower_end(f, true, &streamed, &in);
    assert_int_equal(a.verdict, streamed.verdict);
    if (in.history)
        pipeline_free(&in);
    return a.verdict;
}

static void records_become_histories(void **state)
{
    (void)state;
    struct bench b;
    begin(&b, QUEUE);
    add(&b, 1, 100, 10, 0, number(1), PLUMB_OK);
    add(&b, 1, 120, 10, 0, number(2), PLUMB_OK);
    add(&b, 2, 105, STRESS_LONG, 1, PLUMB_OK, number(1));
    add(&b, 2, 200, 0, 0, 0, 0); /* the return of the long one */
    add(&b, 0, 300, 1, 1, PLUMB_OK, number(2));
    assert_true(read_all(&b, true));
    assert_int_equal(b.log.calls.len, 4);
    assert_int_equal(b.log.calls.data[3].ret, 200);
    assert_int_equal(judge(&b), VERDICT_HOLDS);
    struct history *h = stress_history(&b.log, &b.harness, 0, stress_log_base(&b.log), 0);
    assert_int_equal(h->ops.len, 4);
    assert_int_equal(history_get(h, 1).call, 0);
    history_destroy(h);
    end(&b);
}

static void a_lost_element_is_a_violation(void **state)
{
    (void)state;
    struct bench b;
    begin(&b, QUEUE);
    add(&b, 1, 100, 10, 0, number(1), PLUMB_OK);
    add(&b, 2, 200, 10, 1, PLUMB_OK, PLUMB_NONE);
    assert_true(read_all(&b, true));
    assert_int_equal(judge(&b), VERDICT_VIOLATED);
    end(&b);
}

/* Whatever clocks say, what is called in a later segment is called later. */
static void segments_come_one_after_the_other(void **state)
{
    (void)state;
    struct bench b;
    begin(&b, QUEUE);
    add(&b, 1, 100, 50, 0, number(1), PLUMB_OK);
    assert_true(read_all(&b, true));
    b.program.shared->slot[1].counts[0] = 0;
    add(&b, 2, 140, 5, 1, PLUMB_OK, PLUMB_NONE);
    assert_true(read_all(&b, true));
    assert_int_equal(b.log.calls.data[1].call, 150);
    assert_int_equal(b.log.calls.data[1].ret, 150);
    end(&b);
}

static void put_word(struct bench *b, uint64_t at, uint64_t word)
{
    memcpy((char *)stress_program_area(&b->program, 1, 0) + at, &word, sizeof word);
}

static void values_are_in_the_area(void **state)
{
    (void)state;
    struct bench b;
    begin(&b, QUEUE);
    put_word(&b, 0, UINT64_C(1) << 62); /* a wide integer */
    put_word(&b, 8, 5);                 /* a string */
    memcpy((char *)stress_program_area(&b.program, 1, 0) + 16, "hello", 5);
    put_word(&b, 24, 3); /* an array of both, and 7 */
    put_word(&b, 32, 0 << 3 | PLUMB_TAG_WIDE);
    put_word(&b, 40, 8 << 3 | PLUMB_TAG_STRING);
    put_word(&b, 48, number(7));
    b.program.shared->slot[1].area_used[0] = 56;
    add(&b, 1, 1, 1, 1, PLUMB_OK, 24 << 3 | PLUMB_TAG_ARRAY);
    assert_true(read_all(&b, true));
    const struct stress_call *c = &b.log.calls.data[0];
    struct plumb_values *other = plumb_values_create();
    plumb_value v = stress_value_copy(b.log.values, c->result, other);
    size_t length;
    assert_int_equal(plumb_array_count(other, v), 3);
    assert_int_equal(plumb_int_of(other, plumb_array_item(other, v, 0)), INT64_C(1) << 62);
    assert_memory_equal(plumb_string_of(other, plumb_array_item(other, v, 1), &length), "hello", 5);
    assert_int_equal(plumb_array_item(other, v, 2), number(7));
    plumb_values_destroy(other);
    end(&b);
}

/* Each in a log of its own; none may be believed. */
static void nonsense_is_not_believed(void **state)
{
    (void)state;
    for (int way = 0; way < 13; way++) {
        struct bench b;
        begin(&b, QUEUE);
        add(&b, 1, 100, 10, 0, number(1), PLUMB_OK);
        struct stress_record *r = add(&b, 1, 120, 10, 1, PLUMB_OK, PLUMB_NONE);
        switch (way) {
        case 0: r->operation = 2; break;
        case 1: r->call = 99; break;
        case 2: r->call = UINT64_MAX - 5; break;
        case 3: r->duration = STRESS_LONG; break;
        case 4: r->duration = STRESS_OPEN; break;
        case 5: r->result = 0x29; break;
        case 6: r->result = 1000 << 3 | PLUMB_TAG_STRING; break;
        case 7: r->argument = UINT64_MAX << 3 | PLUMB_TAG_ARRAY; break;
        case 8: b.program.shared->slot[1].counts[0] = CAPACITY + 1; break;
        case 9: b.program.shared->slot[1].area_used[0] = AREA + 1; break;
        case 11: /* the return of a long one is before its call */
            r->duration = STRESS_LONG;
            add(&b, 1, 50, 0, 0, 0, 0);
            break;
        case 10: /* an array that has itself inside */
            put_word(&b, 0, 1);
            put_word(&b, 8, 0 << 3 | PLUMB_TAG_ARRAY);
            b.program.shared->slot[1].area_used[0] = 16;
            r->result = 0 << 3 | PLUMB_TAG_ARRAY;
            break;
        default: /* a string that is longer than the area */
            put_word(&b, 0, UINT64_MAX);
            b.program.shared->slot[1].area_used[0] = 16;
            r->result = 0 << 3 | PLUMB_TAG_STRING;
        }
        assert_false(read_all(&b, true));
        assert_true(b.log.problem[0]);
        if (way == 8 || way == 9)
            assert_non_null(strstr(b.log.problem, "room"));
        end(&b);
    }
}

/* Bytes at random, thousands of times: everything that is read is within bounds (the sanitizers look). */
static void random_bytes_are_survived(void **state)
{
    (void)state;
    uint64_t random = 12345;
    for (int trial = 0; trial < 3000; trial++) {
        struct bench b;
        begin(&b, QUEUE);
        char *bytes = (char *)stress_program_records(&b.program, 1, 0);
        for (size_t i = 0; i < SLOTS * STRESS_BANKS * (CAPACITY * sizeof(struct stress_record) + AREA) - 600;
             i++) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            bytes[i] = trial % 2 ? (char)(random >> 56) : (char)(random >> 56 & 7);
        }
        b.program.shared->slot[1].counts[0] = (uint32_t)(random >> 33) % (CAPACITY + 2);
        b.program.shared->slot[1].area_used[0] = (random >> 20) % (AREA + 8);
        if (read_all(&b, trial % 3)) {
            struct stress_answer a;
            stress_judge_whole(&b.log, &b.question, &a);
        }
        end(&b);
    }
}

static void events_come_in_the_order_of_time(void **state)
{
    (void)state;
    struct bench b;
    begin(&b, QUEUE);
    add(&b, 1, 10, 10, 0, number(1), PLUMB_OK);
    add(&b, 1, 30, 5, 0, number(2), PLUMB_OK);
    add(&b, 2, 20, 15, 1, PLUMB_OK, number(1)); /* called when the first returns: they overlap */
    assert_true(read_all(&b, true));
    struct stress_merge m = {0};
    static const int64_t times[] = {10, 20, 20, 30, 35, 35};
    static const bool returns[] = {false, false, true, false, true, true};
    size_t k = 0;
    stress_merge_begin(&m, &b.log, 0);
    for (const struct stress_cursor *c; (c = stress_merge_first(&m)); stress_merge_next(&m), k++) {
        assert_int_equal(stress_cursor_time(c), times[k]);
        assert_int_equal(c->returns, returns[k]);
    }
    assert_int_equal(k, 6);
    vec_free(&m.heap);
    end(&b);
}

/* One permit: of two that wait, each may if the other one's time is not counted. */
static void waiting_is_judged_call_by_call(void **state)
{
    (void)state;
    struct bench b;
    begin(&b, SEMAPHORE);
    add(&b, 1, 10, 5, 0, PLUMB_OK, PLUMB_OK);
    add(&b, 1, 20, STRESS_OPEN, 0, PLUMB_OK, PLUMB_ANY);
    add(&b, 2, 22, STRESS_OPEN, 0, PLUMB_OK, PLUMB_ANY);
    assert_true(read_all(&b, false));
    assert_int_equal(stress_may_be_stuck(&b.log, &b.question), VERDICT_HOLDS);
    end(&b);
    begin(&b, SEMAPHORE);
    add(&b, 1, 10, 5, 0, PLUMB_OK, PLUMB_OK);
    add(&b, 1, 20, 5, 1, PLUMB_OK, PLUMB_OK);
    add(&b, 2, 22, STRESS_OPEN, 0, PLUMB_OK, PLUMB_ANY); /* there is a permit */
    assert_true(read_all(&b, false));
    assert_int_equal(stress_may_be_stuck(&b.log, &b.question), VERDICT_VIOLATED);
    end(&b);
    begin(&b, SEMAPHORE);
    add(&b, 2, 22, STRESS_OPEN, 1, PLUMB_OK, PLUMB_ANY); /* release never waits */
    assert_true(read_all(&b, false));
    assert_int_equal(stress_may_be_stuck(&b.log, &b.question), VERDICT_VIOLATED);
    end(&b);
    begin(&b, QUEUE);
    add(&b, 2, 22, STRESS_OPEN, 1, PLUMB_OK, PLUMB_ANY); /* nor does anything of a queue */
    assert_true(read_all(&b, false));
    assert_int_equal(stress_may_be_stuck(&b.log, &b.question), VERDICT_VIOLATED);
    end(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(records_become_histories),          cmocka_unit_test(a_lost_element_is_a_violation),
        cmocka_unit_test(segments_come_one_after_the_other), cmocka_unit_test(values_are_in_the_area),
        cmocka_unit_test(nonsense_is_not_believed),          cmocka_unit_test(random_bytes_are_survived),
        cmocka_unit_test(events_come_in_the_order_of_time),  cmocka_unit_test(waiting_is_judged_call_by_call),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
