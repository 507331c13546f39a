/* SPDX-License-Identifier: Apache-2.0 */
/* Packed rows say the same as the operations that they were made of. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/memory.h"
#include "history/rows.h"

static uint64_t seed = 1;

static uint64_t next(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed * 0x9e3779b97f4a7c15u;
}

/* At most `bits` bits, now and then all of them. */
static uint64_t random_bits(unsigned bits)
{
    uint64_t all = bits ? UINT64_MAX >> (64 - bits) : 0;
    return next() >> 60 ? next() & all : all;
}

static struct history_op random_op(const unsigned bits[ROW_MEMBERS], int64_t begin)
{
    struct history_op op = {
        .call = (int64_t)((uint64_t)begin + random_bits(bits[ROW_CALL])),
        .arg = random_bits(bits[ROW_ARG]),
        .result = random_bits(bits[ROW_RESULT]),
        .thread = (uint32_t)random_bits(bits[ROW_THREAD]),
        .op = (uint16_t)random_bits(bits[ROW_OP]),
        .pending = (uint16_t)random_bits(bits[ROW_PENDING]),
    };
    op.ret = op.pending ? INT64_MAX : (int64_t)((uint64_t)op.call + random_bits(bits[ROW_RET]));
    return op;
}

static void assert_same(struct history_op a, struct history_op b)
{
    assert_true(a.call == b.call && a.ret == b.ret && a.arg == b.arg && a.result == b.result);
    assert_true(a.thread == b.thread && a.op == b.op && a.pending == b.pending);
}

static void check_rows(const struct rows *r, const struct history_op *ops, size_t count)
{
    assert_int_equal(r->len, count);
    for (size_t i = 0; i < count; i++)
        assert_same(rows_get(r, i), ops[i]);
}

static void packs_anything(void **state)
{
    (void)state;
    static const unsigned most[ROW_MEMBERS] = {64, 64, 64, 64, 32, 16, 1};
    enum { MOST = 20 };
    for (int trial = 0; trial < 20000; trial++) {
        struct history_op ops[MOST];
        unsigned bits[ROW_MEMBERS];
        size_t count = 1 + next() % MOST;
        for (unsigned m = 0; m < ROW_MEMBERS; m++)
            bits[m] = next() >> 62 ? (unsigned)(next() >> 32) % (most[m] + 1) : most[m];
        int64_t begin = next() >> 63 ? (int64_t)next() : -100;
        struct rows r = {0};
        for (size_t i = 0; i < count; i++) {
            ops[i] = random_op(bits, begin);
            rows_push(&r, &ops[i]);
        }
        check_rows(&r, ops, count);
        rows_pack(&r);
        check_rows(&r, ops, count);
        assert_true(r.stride <= sizeof ops[0]);
        size_t changed = next() % count;
        rows_change(&r, changed)->arg = ops[changed].arg = 7;
        check_rows(&r, ops, count);
        rows_free(&r);
    }
}

/* What a history of a set needs: less than two words. */
static void packs_well(void **state)
{
    (void)state;
    struct rows r = {0};
    for (uint32_t i = 0; i < 100000; i++) {
        int64_t call = 1700000000000000000 + 40 * (int64_t)i;
        rows_push(&r, &(struct history_op){.call = call,
                                           .ret = call + i % 500,
                                           .arg = (plumb_value)i / 3 << 3,
                                           .result = plumb_bool(i & 1),
                                           .thread = i % 8,
                                           .op = i % 3});
    }
    rows_pack(&r);
    assert_true(r.stride <= 8);
    rows_push(&r, &(struct history_op){.call = 5, .ret = 6});
    assert_true(rows_get(&r, 100000).call == 5 && rows_get(&r, 99999).thread == 7);
    rows_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(packs_anything),
        cmocka_unit_test(packs_well),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
