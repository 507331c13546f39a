/* SPDX-License-Identifier: Apache-2.0 */
/* Stamps of real threads never contradict memory: a register of relaxed stores and loads is linearizable by them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "record/handshake.h"
#include "record/stamps.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { OPERATIONS = 200000 };

struct interval {
    uint64_t call, returned, value;
};

struct register_run {
    enum stamps stamps;
    _Alignas(128) _Atomic uint64_t content;
    _Alignas(128) _Atomic int ready;
    struct interval writes[OPERATIONS + 1], reads[OPERATIONS];
};

static void start_together(struct register_run *run)
{
    atomic_fetch_add(&run->ready, 1);
    while (atomic_load(&run->ready) < 2)
        ;
}

/* Writes 1, 2, 3, ... */
static void *write_all(void *argument)
{
    struct register_run *run = argument;
    start_together(run);
    for (uint64_t value = 1; value <= OPERATIONS; value++) {
        run->writes[value].call = stamp_call(run->stamps);
        atomic_store_explicit(&run->content, value, memory_order_relaxed);
        run->writes[value].returned = stamp_return(run->stamps);
    }
    return NULL;
}

static void *read_all(void *argument)
{
    struct register_run *run = argument;
    start_together(run);
    for (int i = 0; i < OPERATIONS; i++) {
        run->reads[i].call = stamp_call(run->stamps);
        run->reads[i].value = atomic_load_explicit(&run->content, memory_order_relaxed);
        run->reads[i].returned = stamp_return(run->stamps);
    }
    return NULL;
}

/* Of a value that had been overwritten before the read was called, or that was written after it had returned. */
static unsigned count_impossible_reads(const struct register_run *run)
{
    unsigned count = 0;
    for (int i = 0; i < OPERATIONS; i++) {
        const struct interval *read = &run->reads[i];
        bool is_stale = read->value < OPERATIONS && run->writes[read->value + 1].returned < read->call;
        bool is_early = read->value > 0 && run->writes[read->value].call > read->returned;
        count += is_stale || is_early;
    }
    return count;
}

/* How many different values were read says that the threads really met. */
static unsigned count_values(const struct register_run *run)
{
    unsigned count = 1;
    for (int i = 1; i < OPERATIONS; i++)
        count += run->reads[i].value != run->reads[i - 1].value;
    return count;
}

static unsigned run_register(enum stamps stamps, unsigned *values)
{
    struct register_run *run = aligned_alloc(128, (sizeof *run + 127) / 128 * 128);
    pthread_t threads[2];
    assert_non_null(run);
    memset(run, 0, sizeof *run);
    run->stamps = stamps;
    assert_int_equal(pthread_create(&threads[0], NULL, write_all, run), 0);
    assert_int_equal(pthread_create(&threads[1], NULL, read_all, run), 0);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    unsigned impossible = count_impossible_reads(run);
    *values = count_values(run);
    free(run);
    return impossible;
}

static void relaxed_register_is_linearizable(void **state)
{
    char why[256];
    unsigned values;
    (void)state;
    enum stamps chosen = stamps_choose(false, why, sizeof why);
    print_message("%s\n", why);
    assert_int_equal(run_register(chosen, &values), 0);
    print_message("%u changes seen\n", values);
    assert_int_equal(run_register(STAMPS_COUNTER, &values), 0);
    print_message("%u changes seen\n", values);
}

static void choice_is_explained(void **state)
{
    char why[256] = "";
    char shorter[8] = "";
    (void)state;
    enum stamps raw = stamps_choose(true, why, sizeof why);
    assert_true(raw == STAMPS_RAW || raw == STAMPS_COUNTER);
    assert_true(strstr(why, raw == STAMPS_RAW ? "without fences" : "atomic counter") != NULL);
    stamps_choose(false, shorter, sizeof shorter);
    assert_int_equal(strlen(shorter), sizeof shorter - 1);
}

/* A processor that does not exist, and a time that is over. */
static void handshake_needs_all_processors(void **state)
{
    cpu_set_t processors;
    (void)state;
    CPU_ZERO(&processors);
    CPU_SET(0, &processors);
    assert_int_equal(handshake_run(&processors, 1000, 0.1), HANDSHAKE_NEVER_BACK);
    CPU_SET(CPU_SETSIZE - 1, &processors);
    assert_int_equal(handshake_run(&processors, 1000, 0.1), HANDSHAKE_INCOMPLETE);
}

static void calls_return_after_they_began(void **state)
{
    (void)state;
    for (int i = 0; i < 10000; i++) {
        uint64_t call = stamp_call(STAMPS_FENCED), returned = stamp_return(STAMPS_FENCED);
        assert_true(call <= returned);
        call = stamp_call(STAMPS_COUNTER);
        assert_true(call < stamp_return(STAMPS_COUNTER));
    }
}

static void pace_is_known(void **state)
{
    (void)state;
    assert_true(stamps_per_second(STAMPS_FENCED) > 1e6);
    assert_true(stamps_per_second(STAMPS_COUNTER) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(relaxed_register_is_linearizable),
        cmocka_unit_test(choice_is_explained),
        cmocka_unit_test(handshake_needs_all_processors),
        cmocka_unit_test(calls_return_after_they_began),
        cmocka_unit_test(pace_is_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
