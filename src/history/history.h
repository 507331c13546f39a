/* SPDX-License-Identifier: Apache-2.0 */
/* A history: completed and pending operations of several threads on one or
 * more objects, with the stamps of their calls and returns.
 *
 * Operations keep the order in which they were added (for files: line
 * order). Names of operations, threads and objects are small numbers into
 * the tables below. The history owns everything it holds. */
#ifndef HISTORY_HISTORY_H
#define HISTORY_HISTORY_H

#include "base/diagnostic.h"
#include "base/hash.h"
#include "base/vec.h"
#include "history/rows.h"

/* Something that happened beside the operations: what a fault injector did, for instance. It has no part
 * in the verdict. */
struct history_mark {
    int64_t stamp; /* before every event of this stamp */
    plumb_value who, what, value;
};

struct history {
    struct plumb_values *values;
    struct rows ops;               /* read with history_get or history_at */
    VEC(uint32_t) objects;         /* object of each operation; empty when all are object 0 */
    VEC(plumb_value) object_names; /* object 0 is the unnamed one (PLUMB_NONE) unless named */
    VEC(plumb_value) thread_names; /* integers or strings */
    VEC(char *) op_names;
    VEC(uint64_t) skipped_lines; /* numbers of the input lines without an operation, ascending */
    /* Of each operation, when they are not as skipped_lines says; 0: no line */
    VEC(uint64_t) lines;
    VEC(struct history_mark) marks; /* ascending */
    plumb_value stamps;             /* how a recorder took them, in words: a string, or nothing is known */
    struct hash_map thread_numbers, object_numbers, op_numbers; /* by name, as a value */
};

#define HISTORY_OPS_MAX ((size_t)INT32_MAX - 1) /* twice as many events still fit 32 bits */
#define HISTORY_NAMES_MAX 65534
#define HISTORY_NO_NAME UINT16_MAX

struct history *history_create(void);
void history_destroy(struct history *h);

uint32_t history_thread(struct history *h, plumb_value name);
uint32_t history_object(struct history *h, plumb_value name);

/* HISTORY_NO_NAME: there are HISTORY_NAMES_MAX other names already. */
uint16_t history_op_name(struct history *h, const char *name, size_t length);

/* Adds one operation on `object` (0 when there is only one). */
void history_add(struct history *h, struct history_op op, uint32_t object);

static inline __attribute__((always_inline)) struct history_op history_get(const struct history *h, size_t i)
{
    return rows_get(&h->ops, i);
}

/* A copy of operation i, which lives as long as the block that asks for it. */
#define history_at(h, i) ((const struct history_op[1]){history_get((h), (i))})

/* The operation itself, to be changed at once. */
static inline struct history_op *history_change(struct history *h, size_t i)
{
    return rows_change(&h->ops, i);
}

/* For histories that are read from now on. */
static inline void history_pack(struct history *h)
{
    rows_pack(&h->ops);
}

static inline uint32_t history_object_of(const struct history *h, size_t op)
{
    return h->objects.len ? h->objects.data[op] : 0;
}

/* The stamp of an event: operation << 1 | is_return. */
static inline int64_t history_event_stamp(const struct history *h, uint32_t event)
{
    struct history_op op = history_get(h, event >> 1);
    return event & 1 ? op.ret : op.call;
}

/* The input line of an operation (1-based); 0: the input has no lines. */
uint64_t history_line(const struct history *h, size_t op);

#endif
