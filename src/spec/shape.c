/* SPDX-License-Identifier: Apache-2.0 */
#include "spec/shape.h"

#include "history/value_text.h"
#include "spec/transaction.h"

#include <ctype.h>
#include <string.h>

#define CLASS(name) (1u << SHAPE_##name)

enum {
    SHAPE_INTEGERS = CLASS(NEGATIVE) | CLASS(COUNT),
    SHAPE_ELEMENTS = CLASS(BOOL) | CLASS(STRING) | SHAPE_INTEGERS | CLASS(ARRAY),
    SHAPE_EVERYTHING = (1 << SHAPE_CLASSES) - 1,
};

static unsigned shape_letter_classes(char letter)
{
    switch (letter) {
    case 'v': return SHAPE_ELEMENTS | CLASS(NULL);
    case 'e': return SHAPE_ELEMENTS;
    case 'i': return SHAPE_INTEGERS;
    case 'n': return CLASS(COUNT);
    case 'p': return SHAPE_INTEGERS; /* and pairs */
    case 's': return CLASS(STRING);
    case 'b': return CLASS(BOOL);
    case 'a': return CLASS(ARRAY);
    case 'N': return CLASS(NULL);
    case 'k': return CLASS(OK) | CLASS(NULL);
    default: return 0;
    }
}

static uint64_t shape_pairs(unsigned first, unsigned second)
{
    uint64_t pairs = 0;
    for (unsigned a = 0; a < SHAPE_ITEM_CLASSES; a++)
        for (unsigned b = 0; b < SHAPE_ITEM_CLASSES; b++)
            if ((first >> a & 1) && (second >> b & 1))
                pairs |= (uint64_t)1 << shape_pair_class(a, b);
    return pairs;
}

static uint64_t shape_one_arg(char letter)
{
    unsigned classes = shape_letter_classes(letter);
    if (letter == 't')
        return CLASS(ARRAY) | shape_pairs(CLASS(ARRAY), CLASS(ARRAY));
    if (letter == 'p')
        return classes | shape_pairs(SHAPE_INTEGERS, SHAPE_ELEMENTS);
    return classes | (classes & CLASS(ARRAY) ? shape_pairs(SHAPE_EVERYTHING, SHAPE_EVERYTHING) : 0);
}

struct shape shape_of(const struct plumb_operation *o)
{
    struct shape s = {.operation = o, .results = CLASS(ANY)};
    for (const char *letter = o->results; *letter; letter++)
        s.results |= (uint8_t)shape_letter_classes(*letter);
    size_t arity = strlen(o->args);
    s.transaction = !strcmp(o->args, "t");
    s.deep = arity > 2 || (arity == 2 && strchr(o->args, 'p')) || s.transaction;
    if (s.deep && !s.transaction)
        s.args = shape_one_arg('a');
    else if (arity == 2)
        s.args = shape_pairs(shape_letter_classes(o->args[0]), shape_letter_classes(o->args[1]));
    else
        s.args = arity ? shape_one_arg(o->args[0]) : CLASS(OK) | CLASS(NULL);
    return s;
}

bool shape_deep_fits(const struct shape *s, const struct plumb_values *values, plumb_value arg)
{
    const char *letters = s->operation->args;
    size_t arity = strlen(letters);
    if (s->transaction)
        return transaction_is_one(values, arg);
    if (plumb_array_count(values, arg) != arity)
        return false;
    for (size_t i = 0; i < arity; i++)
        if (!(shape_one_arg(letters[i]) >> shape_arg_class(values, plumb_array_item(values, arg, i)) & 1))
            return false;
    return true;
}

bool shape_result_fits(const struct shape *s, const struct plumb_values *values, const struct history_op *op)
{
    if (!(s->results >> shape_result_class(values, op) & 1))
        return false;
    return !s->transaction || op->pending || !plumb_is_array(op->result) ||
           transaction_answers(values, op->arg, op->result);
}

/* Words for the letters. */

static const char *shape_arg_words(char letter)
{
    switch (letter) {
    case 'v': return "a value";
    case 'e': return "a value other than null";
    case 'i': return "an integer";
    case 'n': return "an integer >= 0";
    case 's': return "a string";
    case 't': return "[[\"r\", key, null], [\"w\", key, value], ...]";
    default: return "an integer, or [integer, value] with a value other than null";
    }
}

static const char *shape_result_words(char letter)
{
    switch (letter) {
    case 'v': return "a value";
    case 'N': return "null";
    case 'b': return "true or false";
    case 'i': return "an integer";
    case 's': return "a string";
    case 'a': return "an array";
    default: return "no result";
    }
}

/* A value of the input, cut off: messages have a limited length and end with what was expected. */
static void shape_print_value(struct text *out, const struct plumb_values *values, plumb_value v)
{
    enum { LONGEST = 60 };
    OWNED struct text whole = {0};
    value_print(&whole, values, v);
    size_t kept = whole.len;
    if (kept > LONGEST)
        for (kept = LONGEST; kept && ((unsigned char)whole.data[kept] & 0xc0) == 0x80;)
            kept--;
    text_add(out, whole.data, kept);
    text_puts(out, kept < whole.len ? "…" : "");
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
        text_printf(out, "%s, ",
                    *o->args == 't' && *letter == 'a' ? "its argument with what it read"
                                                      : shape_result_words(*letter));
    if (shape_true_is_ok(o))
        text_puts(out, "true, ");
    text_puts(out, "or {\"unknown\":true}");
}

void shape_explain(struct text *out, const struct shape *s, const struct plumb_values *values,
                   const struct history_op *op)
{
    if (!shape_arg_fits(s, values, op->arg))
        shape_explain_arg(out, values, s->operation, op->arg);
    else
        shape_explain_result(out, values, s->operation, op->result);
}

void shape_print_name(struct text *out, const char *name)
{
    enum { LONGEST = 40 };
    for (size_t i = 0; name[i] && i < LONGEST; i++)
        text_printf(out, "%c", isprint((unsigned char)name[i]) ? name[i] : '?');
    if (strlen(name) > LONGEST)
        text_puts(out, "…");
}
