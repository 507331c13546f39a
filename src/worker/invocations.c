/* SPDX-License-Identifier: Apache-2.0 */
#include "worker/invocations.h"

#include "engine/protocol.h"
#include "history/value_text.h"

#include <string.h>

static void add_name(struct text *out, const struct plumb_part *o)
{
    text_printf(out, "%s%s%s", o->object, *o->object ? "." : "", o->name);
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
    text_puts(out, ")\n");
}

static void add_tried(struct text *out, const struct plumb_part *operation, const struct plumb_part *try,
                      struct plumb_values *values)
{
    struct diagnostic d = {0};
    matrix_calls calls = {0};
    if (matrix_parse_calls(&calls, try->text, operation, values, &d))
        for (size_t i = 0; i < calls.len; i++)
            add_call(out, &calls.data[i], values);
    vec_free(&calls);
}

/* Every combination of true and false; other arguments are left open. Bit i of `truths`: the i-th bool. */
static void add_open_call(struct text *out, const struct plumb_part *o, unsigned truths)
{
    add_name(out, o);
    for (const char *type = o->types; *type; type++) {
        text_puts(out, type == o->types ? "(" : ",");
        if (*type == 'b') {
            text_puts(out, truths & 1 ? "true" : "false");
            truths >>= 1;
        } else {
            text_puts(out, *type == 's' ? "\"" PROTOCOL_ANY_ARGUMENT "\"" : PROTOCOL_ANY_ARGUMENT);
        }
    }
    text_puts(out, *o->types ? ")\n" : "\n");
}

static void add_open(struct text *out, const struct plumb_part *o)
{
    unsigned bools = 0;
    for (const char *type = o->types; *type; type++)
        bools += *type == 'b';
    for (unsigned truths = 0; truths < 1u << bools; truths++)
        add_open_call(out, o, truths);
}

void invocations_list(struct text *out, const struct matrix_vocabulary *operations,
                      const struct plumb_part *const *tries, size_t try_count, struct plumb_values *values)
{
    for (size_t i = 0; i < operations->count; i++) {
        const struct plumb_part *o = operations->operations[i], *try = NULL;
        for (size_t k = 0; k < try_count; k++)
            if (strcmp(tries[k]->object, o->object) == 0 && strcmp(tries[k]->name, o->name) == 0)
                try = tries[k];
        if (try)
            add_tried(out, o, try, values);
        else
            add_open(out, o);
    }
}
