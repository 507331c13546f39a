/* SPDX-License-Identifier: Apache-2.0 */
/* What register.c knows about a register, and the cores it makes
 * of it. docs/internals/monitor/register.md. */
#ifndef MONITOR_REGISTER_RUN_H
#define MONITOR_REGISTER_RUN_H

#include "monitor/decider_tools.h"

#define NONE TOOLS_NONE
#define INITIAL_WRITE (UINT32_MAX - 1) /* writes the initial value before everything */

enum { INITIAL_VALUE = 0 };

/* One value. Reads are a list in order of calls. */
struct register_value {
    uint32_t writer;                /* operation, INITIAL_WRITE or NONE */
    uint32_t from;                  /* value the writer expects, when it is a CAS; else NONE */
    uint32_t to;                    /* value made from this one by a successful CAS, or NONE */
    uint32_t first_read, last_read; /* operations */
    uint32_t quick_read;            /* the read that returns first */
    uint32_t root;                  /* value that begins the block; NONE: no sign that it was ever written */
    uint32_t first_return;          /* of the block (in its root): operation that returns first, */
    uint32_t last_call;             /* and operation called last */
    uint32_t placed;                /* the block is in the order */
};

struct register_run {
    const struct part *p;
    uint32_t op_write, op_read, op_cas;
    bool keyed;              /* arguments are [key, value] */
    struct hash_map numbers; /* value -> index into values */
    VEC(struct register_value) values;
    uint32_t *value_of;  /* by operation: the value it leaves; NONE: not part of the order */
    uint32_t *next_read; /* by operation; for a failed CAS the value it did not find */
    VEC(struct extra) extras;
    struct decision *d;
    uint32_t *order; /* the witness */
    uint32_t order_length;
};

static inline bool register_pending(const struct register_run *run, uint32_t i)
{
    return i != INITIAL_WRITE && run->p->order.ret[i] == ORDER_NEVER;
}

/* ---- register.c ---- */

struct register_run register_start(const struct part *p, struct decision *d);
void register_end(struct register_run *run);

/* The number of value `v`. */
uint32_t register_number(struct register_run *run, plumb_value v);

/* Operations are entered in order of their calls. False: the value is written twice. */
bool register_add_writer(struct register_run *run, uint32_t i, uint32_t value);
void register_add_read(struct register_run *run, uint32_t i, uint32_t value);

/* Joins what was entered to blocks. False: one is impossible; the reason is in the core. */
bool register_make_blocks(struct register_run *run);

/* ---- register_sweep.c ---- */

/* Brings the blocks into an order. False: there is none; the reason is in the core. */
bool register_sweep(struct register_run *run);

/* The block that event e belongs to, or NONE. */
static inline uint32_t register_block_at(const struct register_run *run, uint32_t e)
{
    uint32_t value = run->value_of[order_event_op(run->p->order.event[e])];
    return value == NONE ? NONE : run->values.data[value].root;
}

/* Is all of the block open between its last call and its first return? */
static inline bool register_block_is_loose(const struct register_run *run, uint32_t block)
{
    const struct register_value *b = &run->values.data[block];
    const struct order *o = &run->p->order;
    return b->first_return != INITIAL_WRITE && o->ret[b->first_return] > o->call[b->last_call];
}

/* Appends a block, or the value of a single write, to the order; returns the value it leaves. */
uint32_t register_emit_block(struct register_run *run, uint32_t block);

/* ---- cores ---- */

/* Each adds operations to the core of run->d (null: none is wanted). */

/* One operation; NONE and the initial write are no operations. */
void register_core_add(struct register_run *run, uint32_t i);

/* The writers from the root of the block down to `value`, and what shows that they did write. */
void register_core_writers(struct register_run *run, uint32_t value);

/* What a block's first return and last call rest on. */
void register_core_block(struct register_run *run, uint32_t root);

/* The CAS of a circle through `inside`, found from `start`. */
void register_core_circle(struct register_run *run, uint32_t start, uint32_t inside);

/* The operation that saw a value that was never written. */
void register_core_orphan(struct register_run *run, uint32_t value);

#endif
