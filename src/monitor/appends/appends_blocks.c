/* SPDX-License-Identifier: Apache-2.0 */
/* Epochs and single writes, each as a block that is placed as a whole: from its first return f to its last call s nothing
 * else can happen. Two blocks exclude each other iff each has an f before the other's s; if no two do, the order by the
 * earlier of f and s is legal. */
#include "monitor/appends/appends_run.h"

#include "base/sort.h"

uint32_t appends_look_at(const struct appends_run *run, const struct appends_epoch *e, uint32_t depth)
{
    uint32_t low = e->first_look, high = low + e->looks;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (appends_depth(run, run->by_depth[middle]) < depth)
            low = middle + 1;
        else
            high = middle;
    }
    return run->by_depth[low];
}

/* ---- inside of an epoch ---- */

/* A member of an epoch. */
struct member {
    uint32_t call, ret, look; /* the look that shows it */
};

/* Nothing may have returned before something that comes before it was called. */
static bool add_member(struct appends_run *run, struct appends_block *b, const struct member *m)
{
    if (m->ret < b->last_call) {
        appends_core_look(run, m->look);
        appends_core_look(run, b->call_look);
        return false;
    }
    if (m->ret < b->first_return) {
        b->first_return = m->ret;
        b->return_look = m->look;
    }
    if (m->call > b->last_call || b->call_look == NONE) {
        b->last_call = m->call;
        b->call_look = m->look;
    }
    return true;
}

/* Gets that saw the same are in any order among themselves: they come in the order of calls. */
static bool add_looks(struct appends_run *run, const struct appends_epoch *e, struct appends_block *b,
                      uint32_t depth, uint32_t *next)
{
    for (; *next < e->looks; ++*next) {
        uint32_t look = run->by_depth[e->first_look + *next], op = run->looks.data[look].op;
        struct member m = {run->call[op], run->ret[op], look};
        if (appends_depth(run, look) > depth)
            return true;
        if (!add_member(run, b, &m))
            return false;
    }
    return true;
}

static bool measure_epoch(struct appends_run *run, uint32_t epoch)
{
    const struct appends_epoch *e = &run->epochs.data[epoch];
    struct appends_block b = {.first_return = ORDER_NEVER, .epoch = epoch, .op = e->root, .call_look = NONE};
    struct member root = {run->call[e->root], run->ret[e->root], run->by_depth[e->first_look]};
    uint32_t next = 0;
    b.return_look = root.look;
    bool fits = add_member(run, &b, &root) && add_looks(run, e, &b, 0, &next);
    for (uint32_t k = 0; fits && k < e->tokens; k++) {
        const struct appends_occurrence *o = &run->occurrences.data[e->first_token + k];
        struct member m = {o->call, o->ret, run->by_depth[e->first_look + next]};
        fits = add_member(run, &b, &m) && add_looks(run, e, &b, k + 1, &next);
    }
    vec_push(&run->blocks, b);
    if (!fits)
        appends_blame_epoch(run, epoch);
    return fits;
}

static bool is_free_write(const struct appends_run *run, uint32_t i)
{
    return (run->kind[i] == APPENDS_PUT || run->kind[i] == APPENDS_APPEND) && !run->taken[i] &&
           i != run->initial && run->ret[i] != ORDER_NEVER;
}

static bool make_blocks(struct appends_run *run)
{
    for (uint32_t e = 0; e < run->epochs.len; e++)
        if (!measure_epoch(run, e))
            return false;
    for (uint32_t i = 0; i < run->count; i++)
        if (is_free_write(run, i)) {
            struct appends_block b = {
                .first_return = run->ret[i], .last_call = run->call[i], .epoch = NONE, .op = i};
            vec_push(&run->blocks, b);
        }
    return true;
}

/* ---- between blocks ---- */

static bool has_zone(const struct appends_block *b)
{
    return b->first_return < b->last_call;
}

static void add_block(struct appends_run *run, const struct appends_block *b)
{
    if (b->epoch == NONE) {
        appends_core_add(run, b->op);
        appends_blame_write(run, b->op);
        return;
    }
    appends_blame_epoch(run, b->epoch);
    appends_core_look(run, b->return_look);
    appends_core_look(run, b->call_look);
}

static bool exclude_each_other(struct appends_run *run, const struct appends_block *a,
                               const struct appends_block *b)
{
    if (a->first_return > b->last_call || b->first_return > a->last_call)
        return false;
    add_block(run, a);
    add_block(run, b);
    return true;
}

static void sort_blocks(struct appends_run *run)
{
    uint32_t count = (uint32_t)run->blocks.len;
    OWNED uint64_t *key = NEW_ARRAY(uint64_t, count);
    OWNED uint32_t *order = NEW_ARRAY(uint32_t, count);
    struct appends_block *sorted = NEW_ARRAY(struct appends_block, count);
    for (uint32_t k = 0; k < count; k++) {
        const struct appends_block *b = &run->blocks.data[k];
        key[k] = has_zone(b) ? b->first_return : b->last_call;
        order[k] = k;
    }
    sort_by_key(order, count, key);
    for (uint32_t k = 0; k < count; k++)
        sorted[k] = run->blocks.data[order[k]];
    vec_free(&run->blocks);
    run->blocks.data = sorted;
    run->blocks.len = run->blocks.cap = count;
}

/* In the order of blocks, zones follow each other, and what has none is only in danger from the zone before it. */
static bool zones_are_apart(struct appends_run *run)
{
    const struct appends_block *zone = NULL;
    for (size_t k = 0; k < run->blocks.len; k++) {
        const struct appends_block *b = &run->blocks.data[k];
        if (zone && exclude_each_other(run, zone, b))
            return false;
        if (has_zone(b))
            zone = b;
    }
    return true;
}

bool appends_order_blocks(struct appends_run *run)
{
    if (!make_blocks(run))
        return false;
    sort_blocks(run);
    return zones_are_apart(run);
}

/* ---- witness ---- */

static void emit_looks(struct appends_run *run, struct decision *d, const struct appends_epoch *e,
                       uint32_t depth, uint32_t *next)
{
    for (; *next < e->looks; ++*next) {
        uint32_t look = run->by_depth[e->first_look + *next];
        if (appends_depth(run, look) > depth)
            return;
        vec_push(&d->witness, run->looks.data[look].op);
    }
}

static void emit_epoch(struct appends_run *run, struct decision *d, const struct appends_epoch *e)
{
    uint32_t next = 0;
    if (e->root != run->initial)
        vec_push(&d->witness, e->root);
    emit_looks(run, d, e, 0, &next);
    for (uint32_t k = 0; k < e->tokens; k++) {
        vec_push(&d->witness, run->occurrences.data[e->first_token + k].op);
        emit_looks(run, d, e, k + 1, &next);
    }
}

void appends_take_witness(struct appends_run *run, struct decision *d)
{
    for (size_t k = 0; k < run->blocks.len; k++) {
        const struct appends_block *b = &run->blocks.data[k];
        if (b->epoch == NONE)
            vec_push(&d->witness, b->op);
        else
            emit_epoch(run, d, &run->epochs.data[b->epoch]);
    }
}
