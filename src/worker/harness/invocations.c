/* SPDX-License-Identifier: Apache-2.0 */
#include "worker/harness/invocations.h"

#include "engine/shared/protocol.h"
#include "history/value_text.h"
#include "spec/registry.h"
#include "spec/roles.h"
#include "worker/harness/harness_state.h"

#include <stdlib.h>
#include <string.h>

/* --- what arguments are for ------------------------------------------------------------------------- */

/* So that calls of generated tests meet: two calls with different keys have nothing to do with each other, and two elements with
 * the same value cannot be distinguished. */
enum argument_kind {
    ARGUMENT_KEY = 'k',      /* few different ones: calls should meet */
    ARGUMENT_SOME_KEY = 'a', /* perhaps one */
    ARGUMENT_INDEX = 'i',    /* the same, from 0 */
    ARGUMENT_FRESH = 'v',    /* an element: each has its own */
    ARGUMENT_PRIORITY = 'p', /* the same, but their order matters: rising or falling */
    ARGUMENT_VALUE = 'x',    /* perhaps an element, perhaps something that should meet others */
    /* What is expected, so that it can be there; the next one is ARGUMENT_NEW */
    ARGUMENT_OLD = 'o',
    ARGUMENT_NEW = 'n',
};

/* Of a specification with this name, perhaps with an initial value behind it. Null: it does not say. */
static const char *samples_of(const char *text, const char *operation)
{
    char name[64];
    size_t length = strcspn(text, "( ");
    if (length >= sizeof name)
        return NULL;
    memcpy(name, text, length);
    name[length] = 0;
    const struct plumb_spec *spec = spec_find(name);
    uint32_t number = spec ? spec_operation(spec, operation) : UINT32_MAX;
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

/* A letter for each argument. `spec`: the name of a specification, perhaps with an initial value behind it, or empty; those of your
 * own and derived ones are as good as unknown. */
static void find_argument_kinds(char kinds[PLUMB_ARGUMENTS_MAX + 1], const struct plumb_part *operation,
                                const char *spec)
{
    size_t count = strlen(operation->types);
    const char *found = samples_of(spec, operation->name);
    if (!found || strlen(found) < count)
        found = guess(operation, count);
    memcpy(kinds, found, count);
    kinds[count] = 0;
}

/* --- calls ------------------------------------------------------------------------------------------ */

static void add_name(struct text *out, const struct plumb_part *o)
{
    text_printf(out, "%s%s%s", o->object, *o->object ? "." : "", o->name);
}

/* The roles that may call it, where there are any. */
static void add_end(struct text *out, const struct plumb_part *o)
{
    uint32_t roles = harness_roles_of(o);
    if (roles != ROLES_ANY)
        text_printf(out, PROTOCOL_ROLES "%x", roles);
    text_puts(out, "\n");
}

static void add_call(struct text *out, const struct matrix_op *call, struct plumb_values *values)
{
    const struct plumb_part *o = call->operation;
    size_t count = strlen(o->types);
    add_name(out, o);
    text_puts(out, "(");
    for (size_t i = 0; i < count; i++) {
        plumb_value v = count > 1 ? plumb_array_item(values, call->value, i) : call->value;
        text_puts(out, i ? "," : "");
        value_print(out, values, v);
    }
    text_puts(out, ")");
    add_end(out, o);
}

static void add_tried(struct text *out, const struct plumb_part *operation, const struct plumb_part *try,
                      struct plumb_values *values)
{
    struct diagnostic d = {0};
    OWNED matrix_calls calls = {0};
    if (matrix_parse_calls(&calls, try->text, operation, values, &d))
        for (size_t i = 0; i < calls.len; i++)
            add_call(out, &calls.data[i], values);
}

struct open_call {
    const struct plumb_part *operation;
    const char *kinds;
    long initial;     /* what ARGUMENT_OLD may expect at first */
    unsigned truths;  /* bit i: the i-th bool */
    unsigned variant; /* 1: the second of two calls with the same keys */
};

static void add_argument(struct text *out, const struct open_call *c, char kind)
{
    switch ((enum argument_kind)kind) {
    case ARGUMENT_KEY: text_puts(out, PROTOCOL_KEY); break;
    case ARGUMENT_SOME_KEY: text_puts(out, PROTOCOL_SOME_KEY); break;
    case ARGUMENT_INDEX: text_puts(out, PROTOCOL_INDEX); break;
    case ARGUMENT_PRIORITY: text_puts(out, c->variant ? PROTOCOL_FALLING : PROTOCOL_ANY_ARGUMENT); break;
    case ARGUMENT_VALUE: text_puts(out, PROTOCOL_SOME_VALUE); break;
    case ARGUMENT_OLD: text_printf(out, "%ld", c->variant ? c->initial + 1 : c->initial); break;
    case ARGUMENT_NEW: text_printf(out, "%ld", c->variant ? c->initial + 2 : c->initial + 1); break;
    case ARGUMENT_FRESH: text_puts(out, PROTOCOL_ANY_ARGUMENT); break;
    }
}

/* Every combination of true and false; other arguments are left open, but for those that have to fit each other. */
static void add_open_call(struct text *out, const struct open_call *c)
{
    const char *types = c->operation->types;
    unsigned truths = c->truths;
    add_name(out, c->operation);
    for (size_t i = 0; types[i]; i++) {
        text_puts(out, i == 0 ? "(" : ",");
        if (types[i] == 'b') {
            text_puts(out, truths & 1 ? "true" : "false");
            truths >>= 1;
            continue;
        }
        text_puts(out, types[i] == 's' ? "\"" : "");
        add_argument(out, c, c->kinds[i]);
        text_puts(out, types[i] == 's' ? "\"" : "");
    }
    text_puts(out, *types ? ")" : "");
    add_end(out, c->operation);
}

/* The value behind the name of a specification, as in register(5). */
static long initial_value(const char *spec)
{
    const char *value = strchr(spec, '(');
    return value ? strtol(value + 1, NULL, 0) : 0;
}

static void add_open(struct text *out, const struct plumb_part *o, const char *spec)
{
    char kinds[PLUMB_ARGUMENTS_MAX + 1];
    unsigned bools = 0;
    find_argument_kinds(kinds, o, spec);
    for (const char *type = o->types; *type; type++)
        bools += *type == 'b';
    struct open_call c = {.operation = o, .kinds = kinds, .initial = initial_value(spec)};
    unsigned variants = strpbrk(kinds, "op") ? 2 : 1;
    for (c.truths = 0; c.truths < 1u << bools; c.truths++)
        for (c.variant = 0; c.variant < variants; c.variant++)
            add_open_call(out, &c);
}

void invocations_list(struct text *out, const struct matrix_vocabulary *operations,
                      const struct plumb_part *const *tries, size_t try_count,
                      const char *(*spec_of)(const struct plumb_part *), struct plumb_values *values)
{
    for (size_t i = 0; i < operations->count; i++) {
        const struct plumb_part *o = operations->operations[i], *try = NULL;
        for (size_t k = 0; k < try_count; k++)
            if (strcmp(tries[k]->object, o->object) == 0 && strcmp(tries[k]->name, o->name) == 0)
                try = tries[k];
        if (try)
            add_tried(out, o, try, values);
        else
            add_open(out, o, spec_of(o));
    }
}
