/* SPDX-License-Identifier: Apache-2.0 */
/* Histories of specifications with parameters that are too long for the general search are decided by what is left of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "history/jsonl.h"
#include "monitor/monitor.h"
#include "spec/generate/generate.h"
#include "spec/registry.h"

#include <stdlib.h>
#include <string.h>

static uint32_t threads = 8;
enum { BYTES = 32 << 20 }; /* with ten times as many the search does not get anywhere either */

static bool removes_value(const struct plumb_spec *spec, const struct history_op *op)
{
    return spec->operations[op->op].role == PLUMB_REMOVES && op->result != PLUMB_NONE;
}

/* The first and the last value that are removed change places. */
static void swap_values(const struct plumb_spec *spec, struct history *h)
{
    size_t first = 0, last = h->ops.len - 1;
    while (!removes_value(spec, history_at(h, first)))
        first++;
    while (!removes_value(spec, history_at(h, last)))
        last--;
    plumb_value value = history_get(h, first).result;
    history_change(h, first)->result = history_get(h, last).result;
    history_change(h, last)->result = value;
}

static struct history *make_history(const struct plumb_spec *spec, uint64_t seed, bool broken)
{
    struct generate_settings settings = {.ops = 2000, .threads = threads, .seed = seed};
    struct diagnostic d = {.code = 0};
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    generate_history(spec, &settings, out);
    fclose(out);
    struct history *h = history_create();
    assert_true(jsonl_read_memory(h, text, length, &d));
    assert_true(spec_bind(h, &spec, &d));
    if (broken)
        swap_values(spec, h);
    free(text);
    return h;
}

static enum verdict judge(const char *name, uint64_t seed, bool broken, bool only_general)
{
    const struct plumb_spec *spec = spec_find(name);
    struct history *h = make_history(spec, seed, broken);
    struct plumb_spec_options options = {.values = h->values, .initial = PLUMB_OK};
    struct budget budget = budget_start(0, BYTES);
    struct monitor_settings settings = {
        .options = &options, .specs = &spec, .budget = &budget, .only_general = only_general};
    struct monitor_result result;
    struct diagnostic d = {.code = 0};
    assert_true(monitor_history(h, &settings, &result, &d));
    enum verdict verdict = result.verdict;
    monitor_result_free(&result);
    history_destroy(h);
    return verdict;
}

static const char *const names[] = {"queue(weak)", "stack(weak)", "queue(cap=64)", "stack(cap=100)",
                                    "queue(cap=64, weak)"};
enum { NAMES = sizeof names / sizeof *names, SEEDS = 3 };

static void right_ones_hold(void **state)
{
    (void)state;
    for (size_t k = 0; k < NAMES; k++)
        for (uint64_t seed = 1; seed <= SEEDS; seed++)
            assert_int_equal(judge(names[k], seed, false, false), VERDICT_HOLDS);
}

static void wrong_ones_are_violated(void **state)
{
    (void)state;
    for (size_t k = 0; k < NAMES; k++)
        assert_int_equal(judge(names[k], 1, true, false), VERDICT_VIOLATED);
}

/* Levels are too large to keep, and a search that follows a single order comes upon one. */
static void searches_take_turns(void **state)
{
    (void)state;
    threads = 16;
    assert_int_equal(judge("bag", 3, false, true), VERDICT_HOLDS);
    threads = 8;
}

/* Otherwise the histories above say nothing. */
static void the_search_does_not_decide_them(void **state)
{
    (void)state;
    assert_int_equal(judge("queue(cap=64)", 1, false, true), VERDICT_INCONCLUSIVE);
    assert_int_equal(judge("stack(weak)", 1, false, true), VERDICT_INCONCLUSIVE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(right_ones_hold),
        cmocka_unit_test(wrong_ones_are_violated),
        cmocka_unit_test(searches_take_turns),
        cmocka_unit_test(the_search_does_not_decide_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
