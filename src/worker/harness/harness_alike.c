/* SPDX-License-Identifier: Apache-2.0 */
/* Columns of a test that do the same, for --symmetry. */
#include "worker/harness/harness_state.h"

#include "base/hash.h"
#include "engine/shared/protocol.h"
#include "harness/sample_kinds.h"
#include "spec/registry.h"

#include <string.h>

static bool is_same_argument(const struct plumb_argument *a, const struct plumb_argument *b)
{
    return a->text && b->text ? strcmp(a->text, b->text) == 0
                              : !a->text && !b->text && a->number == b->number;
}

static size_t count_argument(const struct plumb_argument *argument)
{
    size_t count = 0;
    for (size_t i = 0; i < harness.matrix.ops.len; i++) {
        const struct matrix_op *op = &harness.matrix.ops.data[i];
        size_t arguments = strlen(op->operation->types);
        for (size_t k = 0; k < arguments; k++)
            count += is_same_argument(&op->arguments[k], argument);
    }
    return count;
}

/* Items are named by the built-in specifications that only hand them on. */
static void find_kinds(char kinds[PLUMB_ARGUMENTS_MAX + 1], const struct plumb_part *operation)
{
    const struct worker_config *c = &harness.shared->config;
    const char *name = *c->serials_in || c->serial != SERIAL_NOT ? "" : harness_spec_of(operation);
    const struct plumb_spec *spec = *name ? spec_find(name) : NULL;
    *kinds = 0;
    if (c->symmetry == SYMMETRY_OF_ITEMS && spec && spec_is_container(spec))
        sample_kinds_find(kinds, operation, name);
}

/* An item that is in no other place of the test could as well have the name of another such item. */
static uint64_t hash_operation(const struct matrix_op *op)
{
    char kinds[PLUMB_ARGUMENTS_MAX + 1];
    find_kinds(kinds, op->operation);
    uint64_t hash = (uint64_t)(uintptr_t)op->operation;
    bool items = false;
    for (size_t k = 0; kinds[k]; k++) {
        bool item = kinds[k] == SAMPLE_FRESH && count_argument(&op->arguments[k]) == 1;
        const struct plumb_argument *a = &op->arguments[k];
        hash = hash_combine(hash, item      ? 0
                                  : a->text ? hash_bytes(a->text, strlen(a->text))
                                            : hash_word((uint64_t)a->number));
        items |= item;
    }
    return items ? hash : hash_combine((uint64_t)(uintptr_t)op->operation, hash_bytes(op->text, op->length));
}

static uint64_t hash_column(struct matrix_range range)
{
    uint64_t hash = 1;
    for (uint32_t i = range.from; i < range.to; i++)
        hash = hash_combine(hash, hash_operation(&harness.matrix.ops.data[i]));
    return hash | 1;
}

void harness_find_alike(void)
{
    for (size_t k = 0; k < harness.matrix.columns.len; k++)
        harness.alike[k] = hash_column(harness.matrix.columns.data[k]);
}
