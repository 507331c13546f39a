/* SPDX-License-Identifier: Apache-2.0 */
/* Operations on everything inside of a container: how many, all of them, none any more. */
#include "base/memory.h"
#include "spec/builtin/builtin.h"

#include <stdlib.h>

/* More items are not written out when the answer is not known. */
enum { LISTED_MOST = 65536 };

static int compare_values(const struct plumb_values *values, const struct whole_item *a,
                          const struct whole_item *b)
{
    if (a->rank != b->rank)
        return a->rank < b->rank ? -1 : 1;
    return plumb_compare(values, a->value, b->value);
}

static int compare_items(const void *a, const void *b, void *values)
{
    return compare_values(values, a, b);
}

static struct whole_item *list_sorted(const struct whole *w)
{
    struct whole_item *items = NEW_ARRAY(struct whole_item, w->size + 1);
    w->list(w, items);
    qsort_r(items, w->size, sizeof *items, compare_items, w->values);
    return items;
}

/* The array may have items of one rank in any order. */
static bool is_listed(const struct whole *w, plumb_value array)
{
    if (!plumb_is_array(array) || plumb_array_count(w->values, array) != w->size)
        return false;
    OWNED struct whole_item *inside = list_sorted(w), *seen = NEW_ARRAY(struct whole_item, w->size + 1);
    for (size_t i = 0; i < w->size; i++)
        seen[i] = (struct whole_item){inside[i].rank, plumb_array_item(w->values, array, i)};
    qsort_r(seen, w->size, sizeof *seen, compare_items, w->values);
    bool same = true;
    for (size_t i = 0; i < w->size && same; i++)
        same = inside[i].value == seen[i].value;
    return same;
}

static plumb_value list_of(const struct whole *w)
{
    if (w->size > LISTED_MOST)
        return PLUMB_ANY;
    OWNED struct whole_item *inside = list_sorted(w);
    OWNED plumb_value *values = NEW_ARRAY(plumb_value, w->size + 1);
    for (size_t i = 0; i < w->size; i++)
        values[i] = inside[i].value;
    return plumb_array(w->values, values, w->size);
}

static bool answer_list(const struct whole *w, const struct plumb_call *call, plumb_value *result)
{
    if (call->result != PLUMB_ANY)
        return is_listed(w, call->result) && spec_answer(call, call->result, result);
    return !result || spec_answer(call, list_of(w), result);
}

bool whole_answer(const struct whole *w, enum whole_operation op, const struct plumb_call *call,
                  plumb_value *result)
{
    switch (op) {
    case WHOLE_SIZE: return spec_answer(call, plumb_int(w->values, (int64_t)w->size), result);
    case WHOLE_IS_EMPTY: return spec_answer(call, plumb_bool(!w->size), result);
    case WHOLE_CLEAR: return spec_answer(call, PLUMB_OK, result);
    default: return answer_list(w, call, result);
    }
}

/* ---- tables ---- */

static uint64_t copies_of(const struct table *t, enum table_items items, uint32_t at)
{
    return items == TABLE_COPIES || items == TABLE_COPIES_BY_SUB ? t->entries[at].word : 1;
}

static void list_table(const struct whole *w, struct whole_item *out)
{
    const struct table *t = w->state;
    enum table_items items = w->how;
    for (uint32_t i = 0; i < t->count; i++) {
        const struct table_entry *e = &t->entries[i];
        struct whole_item item = {items == TABLE_COPIES_BY_SUB ? (int64_t)e->sub : 0, e->key};
        if (items == TABLE_PAIRS)
            item.value = plumb_array(t->values, (plumb_value[]){e->key, e->word}, 2);
        for (uint64_t left = copies_of(t, items, i); left; left--)
            *out++ = item;
    }
}

bool table_whole(struct table *t, enum table_items items, enum whole_operation op,
                 const struct plumb_call *call, unsigned choice, plumb_value *result)
{
    struct whole w = {.values = t->values, .state = t, .list = list_table, .how = items};
    for (uint32_t i = 0; i < t->count; i++)
        w.size += copies_of(t, items, i);
    if (choice || !whole_answer(&w, op, call, result))
        return false;
    if (whole_empties(op))
        table_clear(t);
    return true;
}
