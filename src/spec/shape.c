/* SPDX-License-Identifier: Apache-2.0 */
#include "spec/shape.h"

#include "history/value_text.h"

#include <ctype.h>
#include <string.h>

static bool shape_is_value(plumb_value v)
{
    return v != PLUMB_OK && v != PLUMB_ANY;
}

static bool shape_is_element(plumb_value v)
{
    return shape_is_value(v) && v != PLUMB_NONE;
}

static bool shape_is_prioritised(const struct plumb_values *values, plumb_value v)
{
    if (plumb_tag_of(v) != PLUMB_TAG_ARRAY)
        return plumb_is_int(v);
    size_t count;
    const plumb_value *items = plumb_array_of(values, v, &count);
    return count == 2 && plumb_is_int(items[0]) && shape_is_element(items[1]);
}

static bool shape_one_arg_fits(const struct plumb_values *values, char letter, plumb_value v)
{
    switch (letter) {
    case 'v':
        return shape_is_value(v);
    case 'e':
        return shape_is_element(v);
    case 'i':
        return plumb_is_int(v);
    case 'n':
        return plumb_is_int(v) && plumb_int_of(values, v) >= 0;
    case 's':
        return plumb_tag_of(v) == PLUMB_TAG_STRING;
    case 'p':
        return shape_is_prioritised(values, v);
    default:
        return false;
    }
}

bool shape_arg_fits(const struct plumb_values *values, const struct plumb_operation *o, plumb_value arg)
{
    size_t arity = strlen(o->args);
    if (arity == 0)
        return arg == PLUMB_OK || arg == PLUMB_NONE;
    if (arity == 1)
        return shape_one_arg_fits(values, o->args[0], arg);
    if (plumb_tag_of(arg) != PLUMB_TAG_ARRAY)
        return false;
    size_t count;
    const plumb_value *items = plumb_array_of(values, arg, &count);
    if (count != arity)
        return false;
    for (size_t i = 0; i < arity; i++)
        if (!shape_one_arg_fits(values, o->args[i], items[i]))
            return false;
    return true;
}

static bool shape_one_result_fits(char letter, plumb_value v)
{
    switch (letter) {
    case 'v':
        return shape_is_value(v);
    case 'N':
        return v == PLUMB_NONE;
    case 'b':
        return plumb_is_bool(v);
    case 'i':
        return plumb_is_int(v);
    case 's':
        return plumb_tag_of(v) == PLUMB_TAG_STRING;
    case 'a':
        return plumb_tag_of(v) == PLUMB_TAG_ARRAY;
    case 'k':
        return v == PLUMB_OK || v == PLUMB_NONE;
    default:
        return false;
    }
}

bool shape_result_fits(const struct plumb_operation *o, const struct history_op *op)
{
    if (op->pending || op->result == PLUMB_ANY)
        return true;
    for (const char *letter = o->results; *letter; letter++)
        if (shape_one_result_fits(*letter, op->result))
            return true;
    return false;
}

/* Words for the letters. */

static const char *shape_arg_words(char letter)
{
    switch (letter) {
    case 'v':
        return "a value";
    case 'e':
        return "a value other than null";
    case 'i':
        return "an integer";
    case 'n':
        return "an integer >= 0";
    case 's':
        return "a string";
    default:
        return "an integer, or [integer, value] with a value other than null";
    }
}

static const char *shape_result_words(char letter)
{
    switch (letter) {
    case 'v':
        return "a value";
    case 'N':
        return "null";
    case 'b':
        return "true or false";
    case 'i':
        return "an integer";
    case 's':
        return "a string";
    case 'a':
        return "an array";
    default:
        return "no result";
    }
}

/* A value of the input, cut off: messages have a limited length and end with what was expected. */
static void shape_print_value(struct text *out, const struct plumb_values *values, plumb_value v)
{
    enum { LONGEST = 60 };
    struct text whole = {0};
    value_print(&whole, values, v);
    size_t kept = whole.len;
    if (kept > LONGEST)
        for (kept = LONGEST; kept && ((unsigned char)whole.data[kept] & 0xc0) == 0x80;)
            kept--;
    text_add(out, whole.data, kept);
    text_puts(out, kept < whole.len ? "…" : "");
    text_free(&whole);
}

static void shape_explain_arg(struct text *out, const struct plumb_values *values,
                              const struct plumb_operation *o, plumb_value arg)
{
    size_t arity = strlen(o->args);
    if (arity == 0) {
        text_printf(out, "%s takes no argument", o->name);
    } else {
        text_printf(out, "%s needs the argument %s", o->name, arity > 1 ? "[" : "");
        for (size_t i = 0; i < arity; i++)
            text_printf(out, "%s%s", i ? ", " : "", shape_arg_words(o->args[i]));
        text_puts(out, arity > 1 ? "]" : "");
    }
    if (arg != PLUMB_OK) {
        text_puts(out, ", not ");
        shape_print_value(out, values, arg);
    }
}

static void shape_explain_result(struct text *out, const struct plumb_values *values,
                                 const struct plumb_operation *o, plumb_value result)
{
    if (result == PLUMB_OK) {
        text_printf(out, "%s needs a result: ", o->name);
    } else {
        text_printf(out, "%s cannot have the result ", o->name);
        shape_print_value(out, values, result);
        text_puts(out, "; it answers ");
    }
    for (const char *letter = o->results; *letter; letter++)
        text_printf(out, "%s, ", shape_result_words(*letter));
    text_puts(out, "or {\"unknown\":true}");
}

void shape_explain(struct text *out, const struct plumb_values *values, const struct plumb_operation *o,
                   const struct history_op *op)
{
    if (!shape_arg_fits(values, o, op->arg))
        shape_explain_arg(out, values, o, op->arg);
    else
        shape_explain_result(out, values, o, op->result);
}

void shape_print_name(struct text *out, const char *name)
{
    enum { LONGEST = 40 };
    for (size_t i = 0; name[i] && i < LONGEST; i++)
        text_printf(out, "%c", isprint((unsigned char)name[i]) ? name[i] : '?');
    if (strlen(name) > LONGEST)
        text_puts(out, "…");
}
