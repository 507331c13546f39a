/* SPDX-License-Identifier: Apache-2.0 */
/* Generated histories: the same for the same settings, legal unless broken, never legal if broken. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "history/jsonl.h"
#include "spec/generate/generate.h"
#include "spec/registry.h"

#include <stdlib.h>
#include <string.h>

static char *generated(const struct plumb_spec *spec, struct generate_settings settings)
{
    char *bytes = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&bytes, &length);
    assert_true(generate_history(spec, &settings, out));
    fclose(out);
    return bytes;
}

static struct history *read_history(const struct plumb_spec *spec, const char *bytes)
{
    struct history *h = history_create();
    struct diagnostic d = {0};
    const struct plumb_spec *specs[] = {spec};
    if (!jsonl_read_memory(h, bytes, strlen(bytes), &d) || !spec_bind(h, specs, &d))
        fail_msg("%s: line %d: %s", spec->name, (int)d.line, d.message);
    return h;
}

static struct history *generated_history(const struct plumb_spec *spec, struct generate_settings settings)
{
    char *bytes = generated(spec, settings);
    struct history *h = read_history(spec, bytes);
    free(bytes);
    return h;
}

static struct plumb_call call_of(const struct history *h, size_t i)
{
    const struct history_op *op = history_at(h, i);
    return (struct plumb_call){op->op, op->thread, op->arg, op->result};
}

static void *start(const struct plumb_spec *spec, const struct history *h)
{
    return spec->init(&(struct plumb_spec_options){h->values, PLUMB_OK});
}

/* Linearizable? All orders, one by one: for a handful of operations. */
static bool explain(const struct plumb_spec *spec, const struct history *h, const void *state, uint32_t done)
{
    if (done == (1u << h->ops.len) - 1)
        return true;
    int64_t first_return = INT64_MAX;
    for (size_t i = 0; i < h->ops.len; i++)
        if (!(done >> i & 1) && history_get(h, i).ret < first_return)
            first_return = history_get(h, i).ret;
    for (size_t i = 0; i < h->ops.len; i++) {
        if ((done >> i & 1) || history_get(h, i).call > first_return)
            continue;
        struct plumb_call call = call_of(h, i);
        void *next = spec->clone(state);
        bool found = spec->step(next, &call, 0, NULL) && explain(spec, h, next, done | 1u << i);
        spec->destroy(next);
        if (found)
            return true;
    }
    return false;
}

static bool linearizable(const struct plumb_spec *spec, const struct history *h)
{
    void *state = start(spec, h);
    bool found = explain(spec, h, state, 0);
    spec->destroy(state);
    return found;
}

static void test_deterministic(void **unused)
{
    (void)unused;
    for (unsigned s = 0; s < spec_count; s++) {
        struct generate_settings settings = {.ops = 500, .threads = 4, .seed = 7};
        char *a = generated(spec_all[s], settings), *b = generated(spec_all[s], settings);
        settings.seed = 8;
        char *c = generated(spec_all[s], settings);
        assert_string_equal(a, b);
        assert_string_not_equal(a, c);
        free(a);
        free(b);
        free(c);
    }
}

/* How many operations there are, that every thread takes part and that no thread has two at once. */
static void test_counts(void **unused)
{
    (void)unused;
    for (unsigned s = 0; s < spec_count; s++) {
        struct generate_settings settings = {.ops = 3000, .threads = 5, .seed = s, .broken = s % 2};
        struct history *h = generated_history(spec_all[s], settings);
        assert_int_equal(h->ops.len, 3000);
        assert_int_equal(h->thread_names.len, 5);
        int64_t last_return[5] = {0};
        for (size_t i = 0; i < h->ops.len; i++) {
            const struct history_op *op = history_at(h, i);
            assert_true(!op->pending && op->call < op->ret && last_return[op->thread] < op->call);
            last_return[op->thread] = op->ret;
        }
        history_destroy(h);
    }
}

/* One thread: the lines are the order. */
static void test_sequential(void **unused)
{
    (void)unused;
    for (unsigned s = 0; s < spec_count; s++) {
        for (unsigned broken = 0; broken < 2; broken++) {
            struct generate_settings settings = {.ops = 2000, .threads = 1, .seed = s, .broken = broken};
            struct history *h = generated_history(spec_all[s], settings);
            void *state = start(spec_all[s], h);
            size_t i = 0;
            for (; i < h->ops.len; i++) {
                struct plumb_call call = call_of(h, i);
                if (!spec_all[s]->step(state, &call, 0, NULL))
                    break;
            }
            if (broken)
                assert_in_range(i, 1990, 1999);
            else
                assert_int_equal(i, 2000);
            spec_all[s]->destroy(state);
            history_destroy(h);
        }
    }
}

static void test_concurrent(void **unused)
{
    (void)unused;
    for (unsigned s = 0; s < spec_count; s++) {
        for (unsigned seed = 0; seed < 150; seed++) {
            struct generate_settings settings = {
                .ops = 8, .threads = 2 + seed % 2, .seed = seed, .keys = seed % 3, .broken = seed % 2};
            struct history *h = generated_history(spec_all[s], settings);
            if (linearizable(spec_all[s], h) == settings.broken)
                fail_msg("%s, seed %u: wrong", spec_all[s]->name, seed);
            history_destroy(h);
        }
    }
}

/* A broken history shorter than its lie is the lie. */
static void test_short(void **unused)
{
    (void)unused;
    for (unsigned s = 0; s < spec_count; s++) {
        for (unsigned ops = 0; ops < 4; ops++) {
            struct generate_settings settings = {.ops = ops, .threads = 3, .seed = ops, .broken = true};
            struct history *h = generated_history(spec_all[s], settings);
            assert_in_range(h->ops.len, 1, 3);
            assert_false(linearizable(spec_all[s], h));
            history_destroy(h);
        }
    }
}

/* Containers are empty now and then and stay moderate. */
static void test_mix(void **unused)
{
    (void)unused;
    const struct plumb_spec *queue = spec_find("queue");
    struct generate_settings settings = {.ops = 20000, .threads = 4, .seed = 3};
    struct history *h = generated_history(queue, settings);
    unsigned count[3] = {0}, empty = 0;
    for (size_t i = 0; i < h->ops.len; i++) {
        count[history_get(h, i).op]++;
        empty += history_get(h, i).result == PLUMB_NONE;
    }
    assert_in_range(count[0], 8000, 9600);
    assert_in_range(count[1], 8400, 10000);
    assert_in_range(empty, 100, 4000);
    history_destroy(h);
}

/* With --inside no removal ever finds a container empty; other specifications have no inside. */
static void test_inside(void **unused)
{
    static const char *const names[] = {"queue", "stack", "deque", "pqueue", "bag"};
    (void)unused;
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        const struct plumb_spec *spec = spec_find(names[k]);
        struct history *h =
            generated_history(spec, (struct generate_settings){.ops = 2000, .threads = 4, .inside = 2});
        for (size_t i = 0; i < h->ops.len; i++)
            if (!spec->operations[history_get(h, i).op].reads)
                assert_true(history_get(h, i).result != PLUMB_NONE);
        history_destroy(h);
    }
    assert_false(
        generate_history(spec_find("map"), &(struct generate_settings){.ops = 1, .inside = 2}, stdout));
}

static void test_no_generator(void **unused)
{
    (void)unused;
    struct plumb_spec own = *spec_find("queue");
    struct generate_settings settings = {.ops = 1, .threads = 1};
    assert_false(generate_history(&own, &settings, stdout));
    own.name = "mine";
    assert_false(generate_history(&own, &settings, stdout));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_deterministic), cmocka_unit_test(test_counts),
        cmocka_unit_test(test_sequential),    cmocka_unit_test(test_concurrent),
        cmocka_unit_test(test_short),         cmocka_unit_test(test_mix),
        cmocka_unit_test(test_inside),        cmocka_unit_test(test_no_generator),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
