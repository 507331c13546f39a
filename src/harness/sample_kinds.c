/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/sample_kinds.h"

#include "spec/aliases.h"
#include "spec/registry.h"

#include <string.h>

/* The one with this name, without what stands behind it. */
static const struct plumb_spec *find_root(const char *text)
{
    char name[64];
    size_t length = strcspn(text, "( ");
    if (length >= sizeof name)
        return NULL;
    memcpy(name, text, length);
    name[length] = 0;
    return spec_find(name);
}

bool sample_is_container(const char *spec)
{
    const struct plumb_spec *root = find_root(spec);
    return root && (spec_is_container(root) || root->kind == PLUMB_KIND_MAP);
}

/* Of a specification with this name, perhaps with an initial value behind it. Null: it does not say. */
static const char *samples_of(const char *text, const char *operation)
{
    const struct plumb_spec *spec = find_root(text);
    uint32_t number = spec ? spec_operation_meant(spec, operation) : UINT32_MAX;
    return number != UINT32_MAX ? spec->operations[number].samples : NULL;
}

/* Names under which people know the comparison that replaces. */
static bool compares(const char *name)
{
    static const char *const parts[] = {"cas", "compare", "cmpxchg", "replace", "test_and_set"};
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
        if (strstr(name, parts[k]))
            return true;
    return false;
}

static const char *guess(const struct plumb_part *operation, size_t count)
{
    bool replaces = compares(operation->name) && !strchr(operation->types, 'b');
    if (count == 3)
        return replaces ? "aon" : "axx";
    return count == 2 && replaces ? "on" : "ax";
}

void sample_kinds_find(char kinds[PLUMB_ARGUMENTS_MAX + 1], const struct plumb_part *operation,
                       const char *spec)
{
    size_t count = strlen(operation->types);
    const char *found = samples_of(spec, operation->name);
    if (!found || strlen(found) < count)
        found = guess(operation, count);
    memcpy(kinds, found, count);
    kinds[count] = 0;
}
