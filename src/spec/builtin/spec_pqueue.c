/* SPDX-License-Identifier: Apache-2.0 */
/* pqueue: a table of (value, priority) with numbers of copies, whose entries
 * are kept in heap order of the priority. The index of the table finds a given
 * value among many of the same priority. */
#include "history/value_text.h"
#include "spec/builtin/builtin.h"

enum { PQUEUE_INSERT, PQUEUE_DELETE_MIN, PQUEUE_MIN, PQUEUE_WHOLE };

static const struct plumb_operation pqueue_operations[] = {
    [PQUEUE_INSERT] = {"insert", "p", "k", false, PLUMB_ADDS, "pv"},
    [PQUEUE_DELETE_MIN] = {"delete_min", "", "vN", false, PLUMB_REMOVES, NULL},
    [PQUEUE_MIN] = {"min", "", "vN", true, PLUMB_LOOKS, NULL},
    WHOLE_OPERATIONS(PQUEUE_WHOLE),
};

static int64_t pqueue_priority(const struct table *t, uint64_t at)
{
    return (int64_t)t->entries[at].sub;
}

static void pqueue_sift_up(struct table *t, uint32_t at)
{
    struct table_hole hole = table_lift(t, at);
    while (hole.at && (int64_t)hole.entry.sub < pqueue_priority(t, (hole.at - 1) / 2))
        table_fill(t, &hole, (hole.at - 1) / 2);
    table_drop(t, &hole);
}

static void pqueue_sift_down(struct table *t, uint32_t at)
{
    struct table_hole hole = table_lift(t, at);
    for (uint64_t child; (child = 2 * (uint64_t)hole.at + 1) < t->count;) {
        if (child + 1 < t->count && pqueue_priority(t, child + 1) < pqueue_priority(t, child))
            child++;
        if ((int64_t)hole.entry.sub <= pqueue_priority(t, child))
            break;
        table_fill(t, &hole, (uint32_t)child);
    }
    table_drop(t, &hole);
}

static void pqueue_insert(struct table *t, plumb_value arg)
{
    plumb_value priority = arg, value = arg;
    if (plumb_is_array(arg)) {
        priority = plumb_array_item(t->values, arg, 0);
        value = plumb_array_item(t->values, arg, 1);
    }
    uint32_t before = t->count;
    table_add_copy(t, value, (uint64_t)plumb_int_of(t->values, priority));
    if (t->count > before)
        pqueue_sift_up(t, before);
}

/* `at` is of least priority, and so is everything above it: what takes its place only moves down. */
static void pqueue_delete(struct table *t, uint32_t at)
{
    uint32_t before = t->count;
    table_drop_copy(t, at);
    if (t->count < before && at < t->count)
        pqueue_sift_down(t, at);
}

/* The entries of least priority are a subtree at the top of the heap: finds number *left of them. */
static uint32_t pqueue_nth_least(const struct table *t, uint64_t at, unsigned *left)
{
    if (at >= t->count || pqueue_priority(t, at) != pqueue_priority(t, 0))
        return TABLE_NONE;
    if ((*left)-- == 0)
        return (uint32_t)at;
    uint32_t found = pqueue_nth_least(t, 2 * at + 1, left);
    return found != TABLE_NONE ? found : pqueue_nth_least(t, 2 * at + 2, left);
}

/* Outcome `choice` of delete_min and min: an entry of least priority that agrees with the result. */
static uint32_t pqueue_choose(const struct table *t, const struct plumb_call *call, unsigned choice)
{
    if (call->result == PLUMB_ANY)
        return pqueue_nth_least(t, 0, &choice);
    return choice ? TABLE_NONE : table_find(t, call->result, t->entries[0].sub);
}

/* Drained like by delete_min again and again; who only looks may find any order. */
static bool pqueue_whole(struct table *t, enum whole_operation op, const struct plumb_call *call,
                         unsigned choice, plumb_value *result)
{
    return table_whole(t, op == WHOLE_DRAIN ? TABLE_COPIES_BY_SUB : TABLE_COPIES, op, call, choice, result);
}

static bool pqueue_step(void *state, const struct plumb_call *call, unsigned choice, plumb_value *result)
{
    struct table *t = state;
    if (call->op >= PQUEUE_WHOLE)
        return pqueue_whole(t, call->op - PQUEUE_WHOLE, call, choice, result);
    if (call->op == PQUEUE_INSERT) {
        if (choice || !spec_answer(call, PLUMB_OK, result))
            return false;
        pqueue_insert(t, call->arg);
        return true;
    }
    if (!t->count)
        return !choice && spec_answer(call, PLUMB_NONE, result);
    uint32_t at = pqueue_choose(t, call, choice);
    if (at == TABLE_NONE)
        return false;
    spec_answer(call, t->entries[at].key, result);
    if (call->op == PQUEUE_DELETE_MIN)
        pqueue_delete(t, at);
    return true;
}

static void pqueue_print_entry(struct text *out, const struct table *t, const struct table_entry *e)
{
    if (!plumb_is_int(e->key) || plumb_int_of(t->values, e->key) != (int64_t)e->sub)
        text_printf(out, "%lld:", (long long)e->sub);
    value_print(out, t->values, e->key);
    if (e->word > 1)
        text_printf(out, " ×%llu", (unsigned long long)e->word);
}

static size_t pqueue_print(const void *state, char *buffer, size_t size)
{
    return table_print(state, "[]", pqueue_print_entry, buffer, size);
}

#define PQUEUE_MEMBERS                                                                     \
    .name = "pqueue", .summary = "priority queue, the smallest number first", TABLE_STATE, \
    .step = pqueue_step, .effect_free = spec_answers_none, .print = pqueue_print, .deterministic = true

const struct plumb_spec spec_pqueue = {
    .kind = PLUMB_KIND_PQUEUE,
    SPEC_FIRST_OPERATIONS(pqueue_operations, PQUEUE_WHOLE),
    PQUEUE_MEMBERS,
};

const struct plumb_spec spec_pqueue_whole = {SPEC_OPERATIONS(pqueue_operations), PQUEUE_MEMBERS};
