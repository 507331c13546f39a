/* SPDX-License-Identifier: Apache-2.0 */
#include "worker/harness/invocations.h"

#include "engine/shared/protocol.h"
#include "harness/sample_kinds.h"
#include "history/value_text.h"
#include "spec/holding.h"
#include "spec/roles.h"
#include "worker/harness/harness_state.h"

#include <stdlib.h>
#include <string.h>

/* --- calls ------------------------------------------------------------------------------------------ */

static void add_name(struct text *out, const struct plumb_part *o)
{
    text_printf(out, "%s%s%s", o->object, *o->object ? "." : "", o->name);
}

/* What its thread holds then, and the roles that may call it, where there are any. */
static void add_end(struct text *out, const struct plumb_part *o)
{
    struct spec_holding holding = spec_holding_of(harness_spec_of(o), o->name);
    if (holding.hold)
        text_printf(out, PROTOCOL_HOLDS "%c%s%s%s:%u", holding.hold, holding.nests ? "*" : "",
                    holding.shared ? "&" : "", o->object, holding.part);
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
    long initial;     /* what SAMPLE_OLD may expect at first */
    unsigned truths;  /* bit i: the i-th bool */
    unsigned variant; /* 1: the second of two calls with the same keys */
    bool contains;    /* the object is a container, */
    struct sample_values values;
};

/* Texts are all alike. */
static void add_fresh(struct text *out, const struct open_call *c, char type)
{
    if (!c->contains || type == 's') {
        text_puts(out, PROTOCOL_ANY_ARGUMENT);
        return;
    }
    text_puts(out, PROTOCOL_ELEMENT);
    sample_values_add(out, &c->values, type);
    text_puts(out, PROTOCOL_ELEMENT_END);
}

static void add_argument(struct text *out, const struct open_call *c, char kind, char type)
{
    switch ((enum sample_kind)kind) {
    case SAMPLE_KEY: text_puts(out, PROTOCOL_KEY); break;
    case SAMPLE_SOME_KEY: text_puts(out, PROTOCOL_SOME_KEY); break;
    case SAMPLE_INDEX: text_puts(out, PROTOCOL_INDEX); break;
    case SAMPLE_PRIORITY: text_puts(out, c->variant ? PROTOCOL_FALLING : PROTOCOL_ANY_ARGUMENT); break;
    case SAMPLE_VALUE: text_puts(out, PROTOCOL_SOME_VALUE); break;
    case SAMPLE_OLD: text_printf(out, "%ld", c->variant ? c->initial + 1 : c->initial); break;
    case SAMPLE_NEW: text_printf(out, "%ld", c->variant ? c->initial + 2 : c->initial + 1); break;
    case SAMPLE_FRESH: add_fresh(out, c, type); break;
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
        add_argument(out, c, c->kinds[i], types[i]);
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
    sample_kinds_find(kinds, o, spec);
    for (const char *type = o->types; *type; type++)
        bools += *type == 'b';
    struct open_call c = {.operation = o,
                          .kinds = kinds,
                          .initial = initial_value(spec),
                          .contains = sample_is_container(spec),
                          .values = harness_values_of(o)};
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
