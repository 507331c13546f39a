/* SPDX-License-Identifier: Apache-2.0 */
/* The operations of a history as rows of bits. While a history is written a row is a struct history_op as it is;
 * rows_pack then gives every member only the bits that it needs (docs/internals/histories/histories.md).
 * Rows are read with rows_get, which does not care. */
#ifndef HISTORY_ROWS_H
#define HISTORY_ROWS_H

#include <plumb/value.h>

#include <string.h>

struct history_op {
    int64_t call, ret;  /* stamps; ret is INT64_MAX when pending */
    plumb_value arg;    /* PLUMB_OK: none */
    plumb_value result; /* PLUMB_OK: plain ok; PLUMB_ANY: unknown (always so when pending) */
    uint32_t thread;    /* index into threads */
    /* Index into op_names; after spec_bind (spec/registry.h) the operation number of the specification */
    uint16_t op;
    uint16_t pending; /* 1: has not returned */
};

enum row_member { ROW_CALL, ROW_RET, ROW_ARG, ROW_RESULT, ROW_THREAD, ROW_OP, ROW_PENDING, ROW_MEMBERS };

/* A member is some bits of the eight bytes at `at`. Small numbers, so that no store of other code can be taken for one to them. */
struct row_layout {
    uint64_t mask;
    uint16_t at, shift;
};

/* Zeroed ones are empty and ready. */
struct rows {
    unsigned char *data;
    size_t len, cap;    /* packed: no room, cap is 0 */
    size_t stride;      /* bytes of a row */
    uint64_t call_base; /* of all calls */
    uint64_t ret_base;  /* packed: all ones, because a return is counted from its call; else 0 */
    struct row_layout layout[ROW_MEMBERS];
};

/* Rows that are not packed: an array of operations, which stays the caller's. */
struct rows rows_of(struct history_op *ops, size_t count);

void rows_grow(struct rows *r); /* makes room for one more */
void rows_free(struct rows *r);

/* Keeps the same operations in less memory, until one is added or changed. */
void rows_pack(struct rows *r);
void rows_unpack(struct rows *r); /* packed ones */

/* The operation itself, to be changed at once. */
static inline struct history_op *rows_change(struct rows *r, size_t i)
{
    if (r->ret_base)
        rows_unpack(r);
    return (struct history_op *)r->data + i;
}

static inline uint64_t rows_member(const struct rows *r, const unsigned char *row, enum row_member m)
{
    const struct row_layout *l = &r->layout[m];
    uint64_t word;
    memcpy(&word, row + l->at, sizeof word);
    return word >> l->shift & l->mask;
}

static inline void rows_push(struct rows *r, const struct history_op *op)
{
    if (r->len >= r->cap)
        rows_grow(r);
    ((struct history_op *)r->data)[r->len++] = *op;
}

/* False: no row is pending. */
static inline bool rows_may_pend(const struct rows *r)
{
    return r->layout[ROW_PENDING].mask != 0;
}

/* Members that are not used cost nothing. */
static inline __attribute__((always_inline)) struct history_op rows_get(const struct rows *r, size_t i)
{
    const unsigned char *row = r->data + i * r->stride;
    uint64_t call = r->call_base + rows_member(r, row, ROW_CALL), pending = rows_member(r, row, ROW_PENDING);
    uint64_t ret = rows_member(r, row, ROW_RET) + (call & r->ret_base);
    return (struct history_op){
        .call = (int64_t)call,
        .ret = pending ? INT64_MAX : (int64_t)ret,
        .arg = rows_member(r, row, ROW_ARG),
        .result = rows_member(r, row, ROW_RESULT),
        .thread = (uint32_t)rows_member(r, row, ROW_THREAD),
        .op = (uint16_t)rows_member(r, row, ROW_OP),
        .pending = (uint16_t)pending,
    };
}

#endif
