/* SPDX-License-Identifier: Apache-2.0 */
#include "monitor/quasi/quasi_items.h"

#include "base/hash.h"
#include "base/sort.h"
#include "monitor/container/container.h"
#include "spec/quasi/spec_quasi.h"

#include <string.h>

/* --- what is relaxed ------------------------------------------------------------------------------------------ */

static uint32_t factor_of(const struct quasi_factor *f, uint32_t op, bool empty)
{
    uint32_t class = f->class_of[op][empty];
    return class == QUASI_NO_CLASS ? 0 : f->most[class];
}

/* Exactly one kind of operation moves: removals that found something, or additions. */
static bool read_factor(struct quasi_items *q, const struct plumb_spec *base, const struct quasi_factor *f)
{
    uint32_t moving = 0;
    for (uint32_t op = 0; op < base->operation_count; op++) {
        enum plumb_role role = base->operations[op].role;
        if (role == PLUMB_REMOVES)
            q->remove_op = op;
        if (factor_of(f, op, true) && role != PLUMB_ADDS)
            return false;
        uint32_t factor = factor_of(f, op, false);
        if (!factor)
            continue;
        moving++;
        q->factor = factor;
        q->additions_move = role == PLUMB_ADDS;
        if (role == PLUMB_LOOKS)
            return false;
    }
    return moving <= 1;
}

/* --- operations ------------------------------------------------------------------------------------------------ */

struct builder {
    struct quasi_items *q;
    struct hash_map numbers; /* value -> index */
    VEC(struct quasi_value) values;
    struct quasi_found *found;
    const char *why;
};

static uint32_t time_of(uint32_t rank)
{
    return rank == ORDER_NEVER ? QUASI_NEVER : rank + 1;
}

static struct quasi_value *value_at(struct builder *b, plumb_value value)
{
    uint32_t *number = hash_map_at(&b->numbers, value);
    if (*number == HASH_NO_NUMBER) {
        *number = (uint32_t)b->values.len;
        struct quasi_value fresh = {
            .add = QUASI_NONE, .rem = QUASI_NONE, .dc = QUASI_NEVER, .dr = QUASI_NEVER, .value = value};
        vec_push(&b->values, fresh);
    }
    return &b->values.data[*number];
}

static void place_add(struct builder *b, uint32_t i)
{
    const struct part *p = b->q->part;
    struct quasi_value *v = value_at(b, container_added_value(p, i));
    if (v->add != QUASI_NONE)
        b->why = "a value is added twice";
    v->add = i;
    v->ac = time_of(p->order.call[i]);
    v->ar = time_of(p->order.ret[i]);
}

static void place_removal(struct builder *b, uint32_t i, const struct history_op *op)
{
    const struct part *p = b->q->part;
    uint32_t call = time_of(p->order.call[i]), ret = time_of(p->order.ret[i]);
    if (op->pending) {
        b->q->left_out = true;
    } else if (op->result == PLUMB_ANY) {
        b->why = "the result of a removal is unknown";
    } else if (op->result == PLUMB_NONE) {
        struct quasi_empty empty = {i, call, ret};
        vec_push(&b->q->empties, empty);
    } else {
        struct quasi_value *v = value_at(b, op->result);
        if (v->rem != QUASI_NONE && b->found->reason != QUASI_REMOVED_TWICE) {
            b->found->reason = QUASI_REMOVED_TWICE;
            b->found->op = i;
            b->found->other = v->rem;
        }
        v->rem = i;
        v->dc = call;
        v->dr = ret;
    }
}

static void place_operation(struct builder *b, uint32_t i)
{
    const struct history_op *op = part_op(b->q->part, i);
    const struct plumb_spec *spec = b->q->part->spec;
    if (spec->operations[op->op].args[0])
        place_add(b, i);
    else if (strchr(spec->operations[op->op].results, 'N') && b->q->remove_op == op->op)
        place_removal(b, i, op);
    else if (!op->pending)
        b->why = "it has peeks";
}

/* Additions that no answer shows may not have happened: they are left out. */
static enum verdict check_values(struct builder *b)
{
    size_t kept = 0;
    for (size_t k = 0; k < b->values.len; k++) {
        struct quasi_value *v = &b->values.data[k];
        if (v->add == QUASI_NONE) {
            b->found->reason = QUASI_NEVER_ADDED;
            b->found->op = v->rem;
            return VERDICT_VIOLATED;
        }
        if (v->ar == QUASI_NEVER && v->rem == QUASI_NONE) {
            b->q->left_out = true;
            continue;
        }
        b->q->removals += v->rem != QUASI_NONE;
        b->values.data[kept++] = *v;
    }
    b->values.len = kept;
    return b->found->reason == QUASI_REMOVED_TWICE ? VERDICT_VIOLATED : VERDICT_HOLDS;
}

/* --- order ------------------------------------------------------------------------------------------------------- */

static void sort_values(struct builder *b)
{
    uint32_t n = (uint32_t)b->values.len;
    OWNED uint32_t *by_call = NEW_ARRAY(uint32_t, n);
    OWNED uint64_t *keys = NEW_ARRAY(uint64_t, n);
    b->q->values = NEW_ARRAY(struct quasi_value, n);
    b->q->count = n;
    for (uint32_t i = 0; i < n; i++) {
        by_call[i] = i;
        keys[i] = b->values.data[i].ac;
    }
    sort_by_key(by_call, n, keys);
    for (uint32_t i = 0; i < n; i++)
        b->q->values[i] = b->values.data[by_call[i]];
}

static uint64_t priority_key(const struct part *p, uint32_t add)
{
    plumb_value priority = part_op(p, add)->arg;
    if (plumb_is_array(priority))
        priority = plumb_array_item(p->history->values, priority, 0);
    return sort_key_of_signed(plumb_int_of(p->history->values, priority));
}

/* False: two have the same priority. */
static bool rank_priorities(struct quasi_items *q)
{
    OWNED uint32_t *by_priority = NEW_ARRAY(uint32_t, q->count);
    OWNED uint64_t *keys = NEW_ARRAY(uint64_t, q->count);
    bool different = true;
    for (uint32_t i = 0; i < q->count; i++) {
        by_priority[i] = i;
        keys[i] = priority_key(q->part, q->values[i].add);
    }
    sort_by_key(by_priority, q->count, keys);
    for (uint32_t i = 0; i < q->count; i++) {
        q->values[by_priority[i]].rank = i;
        different &= !i || keys[by_priority[i - 1]] != keys[by_priority[i]];
    }
    return different;
}

static int by_call(const void *a, const void *b)
{
    const struct quasi_empty *x = a, *y = b;
    return (x->call > y->call) - (x->call < y->call);
}

static enum verdict finish(struct builder *b, const struct plumb_spec *base)
{
    enum verdict verdict = check_values(b);
    if (verdict != VERDICT_HOLDS)
        return verdict;
    sort_values(b);
    if (b->q->empties.len)
        qsort(b->q->empties.data, b->q->empties.len, sizeof *b->q->empties.data, by_call);
    if (base->kind == PLUMB_KIND_PQUEUE && !rank_priorities(b->q))
        b->why = "two items have the same priority";
    return b->why ? VERDICT_NONE : VERDICT_HOLDS;
}

enum verdict quasi_items_build(struct quasi_items *q, const struct part *p, const char **why,
                               struct quasi_found *found)
{
    const struct plumb_spec *base = spec_quasi_base(p->spec);
    const struct quasi_factor *factor = spec_quasi_factor(p->spec);
    struct builder b = {.q = q, .found = found};
    *q = (struct quasi_items){.part = p, .complete = factor->whole};
    found->reason = QUASI_STUCK;
    if (!read_factor(q, base, factor))
        b.why = "more than one kind of operation may move";
    else if (q->additions_move && base->kind != PLUMB_KIND_QUEUE)
        b.why = "additions may move";
    for (uint32_t i = 0; i < p->order.count && !b.why; i++)
        place_operation(&b, i);
    enum verdict verdict = b.why ? VERDICT_NONE : finish(&b, base);
    *why = b.why;
    vec_free(&b.values);
    hash_map_free(&b.numbers);
    return verdict;
}

void quasi_items_free(struct quasi_items *q)
{
    free(q->values);
    vec_free(&q->empties);
}

void quasi_found_free(struct quasi_found *f)
{
    vec_free(&f->p);
    vec_free(&f->q);
    vec_free(&f->appended);
}
