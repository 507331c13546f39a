/* SPDX-License-Identifier: Apache-2.0 */
#include "worker/argument_kinds.h"

#include <stdbool.h>
#include <string.h>

static const struct known {
    const char *spec, *operation, *kinds;
} known[] = {
    {"queue", "enq", "v"},
    {"stack", "push", "v"},
    {"deque", "push_front", "v"},
    {"deque", "push_back", "v"},
    {"bag", "add", "v"},
    {"pqueue", "insert", "pv"}, /* or a value alone, which is its priority */
    {"set", "add", "k"},
    {"set", "remove", "k"},
    {"set", "contains", "k"},
    {"multiset", "add", "k"},
    {"multiset", "remove", "k"},
    {"multiset", "count", "k"},
    {"map", "put", "kv"},
    {"map", "get", "k"},
    {"map", "remove", "k"},
    {"map", "put_if_absent", "kv"},
    {"kv", "put", "kv"},
    {"kv", "append", "kv"},
    {"kv", "get", "k"},
    {"register", "write", "k"},
    {"register", "cas", "on"},
    {"counter", "add", "v"},
    {"counter", "fetch_add", "v"},
    {"snapshot", "update", "iv"},
    {"barrier", "wait", "i"},
};

static bool is_spec(const char *text, const char *name)
{
    size_t length = strcspn(text, "( ");
    return strlen(name) == length && strncmp(text, name, length) == 0;
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

void argument_kinds_of(char kinds[PLUMB_ARGUMENTS_MAX + 1], const struct plumb_part *operation,
                       const char *spec)
{
    size_t count = strlen(operation->types);
    const char *found = NULL;
    for (size_t k = 0; k < sizeof known / sizeof *known && !found; k++)
        if (is_spec(spec, known[k].spec) && strcmp(operation->name, known[k].operation) == 0)
            found = known[k].kinds;
    if (!found || strlen(found) < count)
        found = guess(operation, count);
    memcpy(kinds, found, count);
    kinds[count] = 0;
}
