/* SPDX-License-Identifier: Apache-2.0 */
#include "history/rows.h"

#include "base/memory.h"

#include <stdbool.h>

enum {
    LOADED = sizeof(uint64_t), /* bytes read at once: so many are readable behind the last row */
    ROW_WORDS = sizeof(struct history_op) / sizeof(uint64_t),
};

_Static_assert(offsetof(struct history_op, op) == offsetof(struct history_op, thread) + 4, "one word");
_Static_assert(offsetof(struct history_op, pending) == offsetof(struct history_op, thread) + 6, "one word");

static const struct row_layout as_operations[ROW_MEMBERS] = {
    [ROW_CALL] = {UINT64_MAX, offsetof(struct history_op, call), 0},
    [ROW_RET] = {UINT64_MAX, offsetof(struct history_op, ret), 0},
    [ROW_ARG] = {UINT64_MAX, offsetof(struct history_op, arg), 0},
    [ROW_RESULT] = {UINT64_MAX, offsetof(struct history_op, result), 0},
    [ROW_THREAD] = {UINT32_MAX, offsetof(struct history_op, thread), 0},
    [ROW_OP] = {UINT16_MAX, offsetof(struct history_op, thread), 32},
    [ROW_PENDING] = {UINT16_MAX, offsetof(struct history_op, thread), 48},
};

struct rows rows_of(struct history_op *ops, size_t count)
{
    struct rows r = {
        .data = (unsigned char *)ops, .len = count, .cap = count, .stride = sizeof(struct history_op)};
    memcpy(r.layout, as_operations, sizeof r.layout);
    return r;
}

void rows_free(struct rows *r)
{
    free(r->data);
    *r = rows_of(NULL, 0);
}

/* ---- changing ---- */

static bool is_packed(const struct rows *r)
{
    return r->ret_base != 0;
}

void rows_unpack(struct rows *r)
{
    struct history_op *ops = NEW_ARRAY(struct history_op, r->len);
    for (size_t i = 0; i < r->len; i++)
        ops[i] = rows_get(r, i);
    free(r->data);
    *r = rows_of(ops, r->len);
}

void rows_grow(struct rows *r)
{
    if (is_packed(r))
        rows_unpack(r);
    if (!r->stride)
        *r = rows_of(NULL, 0);
    r->data = base_grow(r->data, &r->cap, r->len + 1, sizeof(struct history_op));
}

/* ---- packing ---- */

/* The members as words; a return is counted from its call. */
static inline __attribute__((always_inline)) void take_apart(const struct history_op *op,
                                                             uint64_t words[ROW_MEMBERS])
{
    words[ROW_CALL] = (uint64_t)op->call;
    words[ROW_RET] = op->pending ? 0 : (uint64_t)op->ret - (uint64_t)op->call;
    words[ROW_ARG] = op->arg;
    words[ROW_RESULT] = op->result;
    words[ROW_THREAD] = op->thread;
    words[ROW_OP] = op->op;
    words[ROW_PENDING] = op->pending;
}

#define EACH_MEMBER(m) _Pragma("GCC unroll 7") for (unsigned m = 0; m < ROW_MEMBERS; m++)

/* The bits that each member needs, and the earliest call, from which calls are counted. */
static int64_t find_used(const struct rows *r, uint64_t used[ROW_MEMBERS])
{
    const struct history_op *ops = (const struct history_op *)r->data;
    uint64_t words[ROW_MEMBERS], all[ROW_MEMBERS] = {0};
    int64_t earliest = INT64_MAX, latest = INT64_MIN;
    for (size_t i = 0; i < r->len; i++) {
        take_apart(&ops[i], words);
        EACH_MEMBER(m)
        all[m] |= words[m];
        earliest = ops[i].call < earliest ? ops[i].call : earliest;
        latest = ops[i].call > latest ? ops[i].call : latest;
    }
    all[ROW_CALL] = (uint64_t)latest - (uint64_t)earliest;
    memcpy(used, all, sizeof all);
    return earliest;
}

static unsigned bits_of(uint64_t word)
{
    return word ? 64 - (unsigned)__builtin_clzll(word) : 0;
}

/* Each member goes to the first of five words that has room for it. */
static void lay_out(struct rows *packed, const uint64_t used[ROW_MEMBERS])
{
    unsigned filled[ROW_WORDS] = {0};
    for (unsigned m = 0; m < ROW_MEMBERS; m++) {
        unsigned bits = bits_of(used[m]), w = 0;
        while (filled[w] + bits > 64)
            w++;
        packed->layout[m] = (struct row_layout){bits ? UINT64_MAX >> (64 - bits) : 0, (uint16_t)(w * 8),
                                                (uint16_t)(filled[w] % 64)};
        filled[w] += bits;
    }
    for (unsigned w = 0; w < ROW_WORDS && filled[w]; w++)
        packed->stride = w * 8 + (filled[w] + 7) / 8;
}

/* Writes whole words, that is, something of the next rows too. These are further on as long as they are not packed. */
static void write_rows(const struct rows *packed, const struct history_op *ops)
{
    for (size_t i = 0; i < packed->len; i++) {
        uint64_t words[ROW_MEMBERS], row[ROW_WORDS] = {0};
        take_apart(&ops[i], words);
        words[ROW_CALL] -= packed->call_base;
        EACH_MEMBER(m)
        row[packed->layout[m].at / 8] |= words[m] << packed->layout[m].shift;
        memcpy(packed->data + i * packed->stride, row, sizeof row);
    }
}

/* In place: rows only become shorter. */
void rows_pack(struct rows *r)
{
    uint64_t used[ROW_MEMBERS];
    if (is_packed(r) || !r->len)
        return;
    struct rows packed = {.data = r->data, .len = r->len, .ret_base = UINT64_MAX, .stride = 1};
    packed.call_base = (uint64_t)find_used(r, used);
    lay_out(&packed, used);
    write_rows(&packed, (const struct history_op *)r->data);
    packed.data = base_realloc(packed.data, packed.len * packed.stride + LOADED);
    *r = packed;
}
