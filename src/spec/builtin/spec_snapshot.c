/* SPDX-License-Identifier: Apache-2.0 */
/* snapshot: cells that are written one by one and read all at once.
 *
 * The table holds the cells that differ from the initial value; table.extra
 * is how many cells a scan has to show at least. */
#include "base/memory.h"
#include "history/value_text.h"
#include "spec/builtin/builtin.h"

enum { SNAPSHOT_UPDATE, SNAPSHOT_SCAN };

/* A scan of more cells is not written out when its answer is not known. */
#define SNAPSHOT_LONGEST 65536

static const struct plumb_operation snapshot_operations[] = {
    [SNAPSHOT_UPDATE] = {"update", "nv", "k", false, PLUMB_NO_ROLE, "iv"},
    [SNAPSHOT_SCAN] = {"scan", "", "a", true, PLUMB_NO_ROLE, NULL},
};

static plumb_value snapshot_cell(const struct table *t, uint64_t i)
{
    uint32_t at = table_find(t, plumb_int(t->values, (int64_t)i), 0);
    return at == TABLE_NONE ? t->initial : t->entries[at].word;
}

static void snapshot_update(struct table *t, plumb_value index, plumb_value v)
{
    uint64_t needed = (uint64_t)plumb_int_of(t->values, index) + 1;
    if (t->extra < needed)
        t->extra = needed;
    uint32_t at = table_find(t, index, 0);
    if (at != TABLE_NONE && v == t->initial)
        table_remove(t, at);
    else if (at != TABLE_NONE)
        table_set(t, at, v);
    else if (v != t->initial)
        table_insert(t, index, 0, v);
}

static bool snapshot_shows(const struct table *t, plumb_value seen)
{
    if (!plumb_is_array(seen))
        return false;
    size_t count = plumb_array_count(t->values, seen);
    if (count < t->extra)
        return false;
    for (size_t i = 0; i < count; i++)
        if (plumb_array_item(t->values, seen, i) != snapshot_cell(t, i))
            return false;
    return true;
}

static plumb_value snapshot_scan(const struct table *t)
{
    if (t->extra > SNAPSHOT_LONGEST)
        return PLUMB_ANY;
    OWNED plumb_value *cells = NEW_ARRAY(plumb_value, t->extra);
    for (size_t i = 0; i < t->extra; i++)
        cells[i] = snapshot_cell(t, i);
    return plumb_array(t->values, cells, t->extra);
}

static bool snapshot_step(void *state, const struct plumb_call *call, unsigned choice, plumb_value *result)
{
    struct table *t = state;
    if (choice)
        return false;
    if (call->op == SNAPSHOT_SCAN) {
        if (call->result == PLUMB_ANY)
            return spec_answer(call, snapshot_scan(t), result);
        return snapshot_shows(t, call->result) && spec_answer(call, call->result, result);
    }
    if (!spec_answer(call, PLUMB_OK, result))
        return false;
    snapshot_update(t, plumb_array_item(t->values, call->arg, 0), plumb_array_item(t->values, call->arg, 1));
    return true;
}

static size_t snapshot_print(const void *state, char *buffer, size_t size)
{
    const struct table *t = state;
    struct text out = {0};
    text_puts(&out, "[");
    for (uint64_t i = 0; i < t->extra && i < SPEC_PRINT_MAX; i++) {
        text_puts(&out, i ? ", " : "");
        value_print(&out, t->values, snapshot_cell(t, i));
    }
    if (t->extra > SPEC_PRINT_MAX)
        text_printf(&out, ", …, +%llu more", (unsigned long long)(t->extra - SPEC_PRINT_MAX));
    text_puts(&out, "]");
    return spec_print_end(&out, buffer, size);
}

const struct plumb_spec spec_snapshot = {
    .name = "snapshot",
    .summary = "cells that are read all at once",
    SPEC_OPERATIONS(snapshot_operations),
    TABLE_STATE,
    .step = snapshot_step,
    .valid_initial = cell_initial_is_any,
    .print = snapshot_print,
    .deterministic = true,
};
