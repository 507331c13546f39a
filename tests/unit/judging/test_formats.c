/* SPDX-License-Identifier: Apache-2.0 */
/* What is written in a format is read again as the same history; what was cut or damaged is noticed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "explore/schedules/prng.h"
#include "formats/binary.h"
#include "formats/formats.h"
#include "history/jsonl.h"
#include "support/same_history.h"
#include "spec/generate/generate.h"
#include "spec/registry.h"

static const enum format all_formats[] = {FORMAT_JSONL, FORMAT_BINARY, FORMAT_EDN, FORMAT_LOG, FORMAT_KV};
enum { FORMATS = sizeof all_formats / sizeof *all_formats };

struct bytes {
    char *data;
    size_t length;
};

static struct bytes write_as(const struct history *h, enum format f, bool *written)
{
    struct bytes b = {0};
    struct text notes = {0};
    struct diagnostic d = {0};
    FILE *out = open_memstream(&b.data, &b.length);
    *written = format_write(out, h, f, &notes, &d);
    fclose(out);
    if (!*written)
        assert_int_equal(d.code, PL_CANNOT_SAY);
    bool could = format_write(NULL, h, f, &notes, &d);
    assert_int_equal(could, *written);
    text_free(&notes);
    return b;
}

static struct history *read_as(struct bytes b, enum format f)
{
    struct history *h = history_create();
    struct format_options o = {.format = f};
    struct format_reading reading;
    struct diagnostic d = {0};
    bool fine = format_read_memory(h, b.data, b.length, &o, &reading, &d);
    if (!fine)
        fail_msg("%s: %llu:%llu: %s in\n%.3000s", format_name(f), (unsigned long long)d.line,
                 (unsigned long long)d.column, d.message, b.data);
    assert_null(reading.cut);
    format_reading_free(&reading);
    return h;
}

static bool keeps_stamps(enum format f)
{
    return f == FORMAT_JSONL || f == FORMAT_BINARY || f == FORMAT_EDN;
}

static void check_same(const struct history *a, const struct history *b, bool ranked, const char *what,
                       const char *bytes)
{
    char *x = same_history_text(a, ranked), *y = same_history_text(b, ranked);
    if (strcmp(x, y))
        fail_msg("%s:\n%.3000s\nis read as\n%.3000s\nfrom\n%.3000s", what, x, y, bytes);
    free(x);
    free(y);
}

/* Writes and reads; null: the format has no words for it. */
static struct history *pass_through(const struct history *h, enum format f)
{
    bool written;
    struct bytes b = write_as(h, f, &written);
    struct history *again = written ? read_as(b, f) : NULL;
    if (again) {
        enum format detected = format_detect(b.data, b.length);
        bool same = detected == f || (f == FORMAT_KV && detected == FORMAT_EDN);
        if (!same)
            fail_msg("%s is taken for %s:\n%.300s", format_name(f), format_name(detected), b.data);
        check_same(h, again, !keeps_stamps(f), format_name(f), b.data);
    }
    free(b.data);
    return again;
}

/* Through every pair of formats. Returns a bit for each format that has the words. */
static unsigned check_round_trips(const struct history *h)
{
    unsigned able = 0;
    for (int i = 0; i < FORMATS; i++) {
        struct history *once = pass_through(h, all_formats[i]);
        if (!once)
            continue;
        able |= 1u << i;
        for (int k = 0; k < FORMATS; k++) {
            struct history *twice = pass_through(once, all_formats[k]);
            if (twice)
                check_same(h, twice, !keeps_stamps(all_formats[i]) || !keeps_stamps(all_formats[k]), "twice",
                           "");
            history_destroy(twice);
        }
        history_destroy(once);
    }
    return able;
}

static struct history *generated(const struct plumb_spec *spec, uint64_t seed)
{
    struct bytes b = {0};
    FILE *out = open_memstream(&b.data, &b.length);
    struct generate_settings s = {.ops = 60, .threads = 3, .seed = seed, .keys = 4, .broken = seed % 3 == 0};
    bool known = generate_history(spec, &s, out);
    fclose(out);
    struct history *h = known ? read_as(b, FORMAT_JSONL) : NULL;
    free(b.data);
    return h;
}

static void test_generated(void **state)
{
    (void)state;
    for (unsigned s = 0; s < spec_count; s++)
        for (uint64_t seed = 1; seed <= 6; seed++) {
            struct history *h = generated(spec_all[s], seed);
            if (!h)
                continue;
            assert_int_equal(check_round_trips(h) & 7, 7); /* jsonl, bin and edn say everything */
            history_destroy(h);
        }
}

/* ---- histories without sense ---- */

static uint32_t below(struct prng *p, uint32_t limit)
{
    return prng_below(p, limit);
}

static plumb_value random_value(struct prng *p, struct plumb_values *values, unsigned depth)
{
    static const char *const strings[] = {"",
                                          "a",
                                          "~:a",
                                          "~~:a",
                                          "~",
                                          "~x",
                                          "~#a",
                                          "~~#{}",
                                          "~n5",
                                          "~cx",
                                          "\"",
                                          "\n\\",
                                          "~f1.5",
                                          "~r1/2",
                                          "~d5e0",
                                          "~$s",
                                          "~:",
                                          "\x7f",
                                          "é€😀",
                                          "nil",
                                          "~fInf",
                                          ":k",
                                          "~n99999999999999999999"};
    uint32_t kind = below(p, depth < 2 ? 12 : 9);
    if (kind < 4)
        return plumb_int(values, (int64_t)below(p, 3));
    if (kind == 4)
        return plumb_int(values, (int64_t)(prng_next(p) >> below(p, 64)) * (below(p, 2) ? 1 : -1));
    if (kind == 5)
        return below(p, 2) ? PLUMB_NONE : plumb_bool(below(p, 2));
    if (kind < 9) {
        const char *s = strings[below(p, sizeof strings / sizeof *strings)];
        return plumb_string(values, s, strlen(s));
    }
    plumb_value items[3];
    uint32_t count = below(p, 4);
    for (uint32_t i = 0; i < count; i++)
        items[i] = random_value(p, values, depth + 1);
    return plumb_array(values, items, count);
}

static plumb_value random_argument(struct prng *p, struct plumb_values *values)
{
    return below(p, 3) ? random_value(p, values, 0) : PLUMB_OK;
}

static plumb_value random_name(struct prng *p, struct plumb_values *values, uint32_t i)
{
    static const char *const names[] = {"T", "~:nemesis", "a b", "4"};
    const char *name = names[i % 4];
    return below(p, 6) ? plumb_int(values, i) : plumb_string(values, name, strlen(name));
}

static void add_random_op(struct prng *p, struct history *h, uint32_t thread, int64_t *clock,
                          uint32_t objects)
{
    static const char *const ops[] = {"read",   "write", "cas", "enq", "deq", "enqueue", "get",  "put",
                                      "append", "add",   "op",  "a b", "~:x", "",        "scan", "fetch_add"};
    const char *name = ops[below(p, sizeof ops / sizeof *ops)];
    struct history_op op = {.thread = thread, .op = history_op_name(h, name, strlen(name)), .call = *clock};
    op.arg = random_argument(p, h->values);
    op.pending = below(p, 12) == 0;
    op.ret = op.pending ? INT64_MAX : *clock + below(p, 4);
    op.result = op.pending || !below(p, 5) ? PLUMB_ANY
                : !below(p, 5)             ? op.arg
                                           : random_argument(p, h->values);
    *clock = op.pending ? INT64_MIN : op.ret + below(p, 3);
    uint32_t object = objects ? below(p, objects) : 0;
    bool unnamed = !objects || (objects > 2 && !object);
    history_add(h, op, history_object(h, unnamed ? PLUMB_NONE : plumb_int(h->values, object)));
}

static struct history *random_history(struct prng *p)
{
    struct history *h = history_create();
    int64_t clocks[3] = {below(p, 3), below(p, 3), below(p, 3)};
    uint32_t threads[3], objects = below(p, 5), count = 1 + below(p, 8);
    for (uint32_t t = 0; t < 3; t++)
        threads[t] = history_thread(h, random_name(p, h->values, t));
    for (uint32_t i = 0; i < count; i++) {
        uint32_t t = below(p, 3);
        if (clocks[t] != INT64_MIN)
            add_random_op(p, h, threads[t], &clocks[t], objects);
    }
    return h;
}

static void test_random(void **state)
{
    (void)state;
    struct prng p = prng_start(7, 0);
    unsigned written[FORMATS] = {0};
    for (int i = 0; i < 1500; i++) {
        struct history *h = random_history(&p);
        unsigned able = h->ops.len ? check_round_trips(h) : 0;
        for (int f = 0; f < FORMATS; f++)
            written[f] += able >> f & 1;
        history_destroy(h);
    }
    for (int f = 0; f < FORMATS; f++)
        assert_true(written[f] > 20);
}

/* ---- binary files ---- */

static struct bytes small_binary(struct history **h)
{
    *h = generated(spec_find("map"), 5);
    struct binary_writer *w;
    struct bytes b = {0};
    FILE *out = open_memstream(&b.data, &b.length);
    w = binary_writer_create(out, (*h)->values);
    plumb_value name = plumb_string((*h)->values, "put", 3), one = plumb_int((*h)->values, 1);
    for (int64_t i = 0; i < 40; i++) {
        binary_write_call(w, one, PLUMB_NONE, name, plumb_int((*h)->values, i), 2 * i);
        binary_write_return(w, one, plumb_string((*h)->values, i % 2 ? "odd" : "even", i % 2 ? 3 : 4),
                            2 * i + 1);
        if (i % 10 == 9)
            assert_true(binary_flush(w));
    }
    assert_true(binary_close(w));
    fclose(out);
    return b;
}

/* Reads; the number of operations that returned, or -1 for an error. *cut: it said that it is cut. */
static int read_damaged(const char *data, size_t length, bool *cut)
{
    struct history *h = history_create();
    struct format_reading reading;
    struct diagnostic d = {0};
    struct format_options o = {.format = FORMAT_BINARY};
    int returned = -1;
    if (format_read_memory(h, data, length, &o, &reading, &d)) {
        returned = 0;
        for (size_t i = 0; i < h->ops.len; i++) {
            returned += !history_get(h, i).pending;
            assert_int_equal(history_get(h, i).call, 2 * i);
            assert_int_equal(plumb_int_of(h->values, history_get(h, i).arg), i);
        }
    }
    *cut = reading.cut != NULL;
    format_reading_free(&reading);
    history_destroy(h);
    return returned;
}

static void test_cut(void **state)
{
    (void)state;
    struct history *h;
    struct bytes b = small_binary(&h);
    bool cut;
    int before = -1;
    assert_int_equal(read_damaged(b.data, b.length, &cut), 40);
    assert_false(cut);
    for (size_t length = 0; length < b.length; length++) {
        char *part = memcpy(base_alloc(length + 1), b.data, length); /* so that reading beyond is noticed */
        int returned = read_damaged(part, length, &cut);
        assert_true(returned >= before && returned < 40);
        assert_true(returned < 0 || cut);
        before = returned;
        free(part);
    }
    assert_int_equal(before, 39); /* what has the last stamp may not be all that has it */
    free(b.data);
    history_destroy(h);
}

static void test_damaged(void **state)
{
    (void)state;
    struct history *h;
    struct bytes b = small_binary(&h);
    for (size_t i = 0; i < b.length; i++)
        for (int bit = 0; bit < 8; bit += 3) {
            bool cut;
            b.data[i] ^= (char)(1 << bit);
            int returned = read_damaged(b.data, b.length, &cut);
            assert_true(returned < 0 || cut);
            b.data[i] ^= (char)(1 << bit);
        }
    free(b.data);
    history_destroy(h);
}

/* Threads hand in their events late: what is certain ends where the promise does. */
static void test_promise(void **state)
{
    (void)state;
    struct plumb_values *values = plumb_values_create();
    struct bytes b = {0};
    FILE *out = open_memstream(&b.data, &b.length);
    struct binary_writer *w = binary_writer_create(out, values);
    plumb_value name = plumb_string(values, "op", 2), one = plumb_int(values, 1), two = plumb_int(values, 2);
    binary_promise(w, 10);
    binary_write_call(w, one, PLUMB_NONE, name, one, 5);
    binary_write_return(w, one, PLUMB_OK, 20);
    binary_write_call(w, one, PLUMB_NONE, name, two, 21);
    assert_true(binary_flush(w));
    fflush(out);
    size_t first = b.length;
    binary_write_call(w, two, PLUMB_NONE, name, one, 10);
    assert_true(binary_close(w));
    fclose(out);
    struct history *whole = read_as(b, FORMAT_BINARY);
    assert_int_equal(whole->ops.len, 3);
    struct history *h = history_create();
    struct diagnostic d = {0};
    char *cut;
    assert_true(binary_read(h, b.data, first, &cut, &d));
    assert_string_equal(cut, "the file is cut after 3 events, without an end mark");
    assert_int_equal(h->ops.len, 1);
    assert_true(history_get(h, 0).pending && history_get(h, 0).result == PLUMB_ANY);
    free(cut);
    free(b.data);
    history_destroy(h);
    history_destroy(whole);
    plumb_values_destroy(values);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_generated), cmocka_unit_test(test_random),  cmocka_unit_test(test_cut),
        cmocka_unit_test(test_damaged),   cmocka_unit_test(test_promise),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
