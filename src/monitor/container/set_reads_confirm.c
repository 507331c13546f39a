/* SPDX-License-Identifier: Apache-2.0 */
/* Sets that are read as a whole, a second time and without blocks: looks at every read, and at every two, for what cannot be.
 * Values are added once and stay. */
#include "base/hash.h"
#include "monitor/decider_tools.h"
#include "monitor/deciders.h"
#include "spec/registry.h"

#include <string.h>

struct confirm_run {
    const struct part *p;
    struct hash_map adds;
    uint32_t *calls, *returns; /* of each addition */
    uint32_t add_count;
    VEC(uint32_t) reads;
    uint8_t *has; /* [read number * additions + addition] */
};

/* More than that is not looked at. */
enum { CELLS_MOST = 1 << 24 };

static bool take(struct confirm_run *run, uint32_t i, uint32_t op_items)
{
    const struct part *p = run->p;
    const struct history_op *op = part_op(p, i);
    if (op->op == op_items) {
        if (p->order.ret[i] != ORDER_NEVER && op->result != PLUMB_ANY)
            vec_push(&run->reads, i);
        return true;
    }
    uint32_t *number = hash_map_at(&run->adds, op->arg);
    if (part_role(p, i) != PLUMB_ADDS || *number != HASH_NO_NUMBER)
        return false;
    *number = run->add_count;
    run->calls[run->add_count] = p->order.call[i];
    run->returns[run->add_count++] = p->order.ret[i];
    return true;
}

/* False: a value is listed twice, or was never added. */
static bool mark(const struct confirm_run *run, size_t read)
{
    const struct plumb_values *values = run->p->history->values;
    plumb_value list = part_op(run->p, run->reads.data[read])->result;
    for (size_t k = 0; k < plumb_array_count(values, list); k++) {
        uint32_t add = hash_map_get(&run->adds, plumb_array_item(values, list, k));
        uint8_t *cell = add == HASH_NO_NUMBER ? NULL : &run->has[read * run->add_count + add];
        if (!cell || *cell)
            return false;
        *cell = 1;
    }
    return true;
}

/* What is listed was called before the read returned, what is not did not return before it was called; and nothing
 * that is not listed returned before something that is was called. */
static bool read_is_possible(const struct confirm_run *run, size_t read)
{
    const uint8_t *has = &run->has[read * run->add_count];
    uint32_t i = run->reads.data[read], last_call = 0, first_return = ORDER_NEVER;
    for (uint32_t a = 0; a < run->add_count; a++) {
        if (has[a] && run->calls[a] > last_call)
            last_call = run->calls[a];
        if (!has[a] && run->returns[a] < first_return)
            first_return = run->returns[a];
    }
    return last_call < run->p->order.ret[i] && first_return > run->p->order.call[i] &&
           first_return > last_call;
}

/* One lists all that the other does; if it lists more it did not return before the other was called. */
static bool pair_is_possible(const struct confirm_run *run, size_t a, size_t b)
{
    bool more_in_a = false, more_in_b = false;
    for (uint32_t k = 0; k < run->add_count; k++) {
        bool in_a = run->has[a * run->add_count + k], in_b = run->has[b * run->add_count + k];
        more_in_a |= in_a && !in_b;
        more_in_b |= in_b && !in_a;
    }
    const struct order *o = &run->p->order;
    uint32_t x = run->reads.data[a], y = run->reads.data[b];
    return !(more_in_a && more_in_b) && !(more_in_a && o->ret[x] < o->call[y]) &&
           !(more_in_b && o->ret[y] < o->call[x]);
}

static bool all_is_possible(const struct confirm_run *run)
{
    for (size_t a = 0; a < run->reads.len; a++)
        if (!mark(run, a) || !read_is_possible(run, a))
            return false;
    for (size_t a = 0; a < run->reads.len; a++)
        for (size_t b = a + 1; b < run->reads.len; b++)
            if (!pair_is_possible(run, a, b))
                return false;
    return true;
}

static enum verdict decide(struct confirm_run *run, struct decision *d)
{
    bool mine = true;
    uint32_t op_items = spec_operation(run->p->spec, "items");
    for (uint32_t i = 0; i < run->p->order.count && mine; i++)
        mine = take(run, i, op_items);
    if (!mine || run->reads.len * (run->add_count + 1) > CELLS_MOST)
        return decision_not_mine(d, NULL);
    run->has = NEW_ZEROED(uint8_t, run->reads.len * run->add_count + 1);
    if (all_is_possible(run))
        return decision_not_mine(d, NULL);
    return d->verdict = VERDICT_VIOLATED;
}

enum verdict set_reads_confirm(const struct part *p, struct budget *budget, struct decision *d)
{
    (void)budget;
    struct confirm_run run = {.p = p};
    run.calls = NEW_ARRAY(uint32_t, p->order.count);
    run.returns = NEW_ARRAY(uint32_t, p->order.count);
    enum verdict verdict = decide(&run, d);
    hash_map_free(&run.adds);
    vec_free(&run.reads);
    free(run.calls);
    free(run.returns);
    free(run.has);
    return verdict;
}
