/* SPDX-License-Identifier: Apache-2.0 */
/* Do the argument and result of a recorded operation have the kind its
 * specification describes (the letters of struct plumb_operation)?
 *
 * Values fall into a few classes, and letters never distinguish two values of one
 * class. So what an operation accepts is a set of classes, which is
 * found once; after that an operation of a history costs two tests of a bit. */
#ifndef SPEC_SHAPE_H
#define SPEC_SHAPE_H

#include <plumb/spec.h>

#include "base/text.h"
#include "history/history.h"

enum shape_class {
    SHAPE_NULL,
    SHAPE_BOOL,
    SHAPE_STRING,
    SHAPE_NEGATIVE, /* integers: SHAPE_COUNT - 1 */
    SHAPE_COUNT,
    SHAPE_ARRAY,
    SHAPE_OK,
    SHAPE_ANY,
    SHAPE_CLASSES,

    /* Arguments that are arrays of two items have a class for each two classes of items. No letter accepts
     * a marker as an item, so there both markers count as SHAPE_OK: all classes fit a word of bits. */
    SHAPE_ITEM_CLASSES = SHAPE_ANY,
    SHAPE_ARG_CLASSES = SHAPE_CLASSES + SHAPE_ITEM_CLASSES * SHAPE_ITEM_CLASSES
};

struct shape {
    const struct plumb_operation *operation;
    uint64_t args;   /* a bit for each class of arguments that is accepted */
    uint8_t results; /* the same for results; SHAPE_ANY always is */
    bool deep;       /* classes do not say enough about arguments: see shape_deep_fits */
    bool transaction;
};

struct shape shape_of(const struct plumb_operation *o);

static inline unsigned shape_small_class(plumb_value v)
{
    return SHAPE_COUNT - (unsigned)(v >> 63);
}

static inline unsigned shape_special_class(plumb_value v)
{
    switch (v) {
    case PLUMB_NONE: return SHAPE_NULL;
    case PLUMB_FALSE:
    case PLUMB_TRUE: return SHAPE_BOOL;
    case PLUMB_OK: return SHAPE_OK;
    default: return SHAPE_ANY;
    }
}

static inline unsigned shape_class_of(const struct plumb_values *values, plumb_value v)
{
    static const uint8_t by_tag[8] = {
        [PLUMB_TAG_STRING] = SHAPE_STRING,
        [PLUMB_TAG_ARRAY] = SHAPE_ARRAY,
        [PLUMB_TAG_PAIR] = SHAPE_ARRAY,
        [PLUMB_TAG_KEYED] = SHAPE_ARRAY,
    };
    enum plumb_tag tag = plumb_tag_of(v);
    if (tag == PLUMB_TAG_SMALL)
        return shape_small_class(v);
    if (tag == PLUMB_TAG_WIDE)
        return plumb_wide_int_of(values, v) < 0 ? SHAPE_NEGATIVE : SHAPE_COUNT;
    return tag == PLUMB_TAG_SPECIAL ? shape_special_class(v) : by_tag[tag];
}

static inline unsigned shape_pair_class(unsigned first, unsigned second)
{
    first = first < SHAPE_OK ? first : SHAPE_OK;
    second = second < SHAPE_OK ? second : SHAPE_OK;
    return SHAPE_CLASSES + first * SHAPE_ITEM_CLASSES + second;
}

static inline unsigned shape_arg_class(const struct plumb_values *values, plumb_value arg)
{
    if (plumb_tag_of(arg) == PLUMB_TAG_PAIR)
        return shape_pair_class(shape_small_class(plumb_array_item(values, arg, 0)),
                                shape_small_class(plumb_array_item(values, arg, 1)));
    if (!plumb_is_array(arg) || plumb_array_count(values, arg) != 2)
        return shape_class_of(values, arg);
    return shape_pair_class(shape_class_of(values, plumb_array_item(values, arg, 0)),
                            shape_class_of(values, plumb_array_item(values, arg, 1)));
}

static inline unsigned shape_result_class(const struct plumb_values *values, const struct history_op *op)
{
    return op->pending ? SHAPE_ANY : shape_class_of(values, op->result);
}

/* Item by item: for more than two arguments, and for one of two that may be a pair itself. */
bool shape_deep_fits(const struct shape *s, const struct plumb_values *values, plumb_value arg);

static inline bool shape_arg_fits(const struct shape *s, const struct plumb_values *values, plumb_value arg)
{
    return (s->args >> shape_arg_class(values, arg) & 1) && (!s->deep || shape_deep_fits(s, values, arg));
}

bool shape_result_fits(const struct shape *s, const struct plumb_values *values, const struct history_op *op);

/* Many additions that always succeed answer true: that is a plain ok. */
static inline bool shape_true_is_ok(const struct plumb_operation *o)
{
    return o->role == PLUMB_ADDS && o->results[0] == 'k' && !o->results[1];
}

static inline plumb_value shape_plain_result(const struct plumb_operation *o, plumb_value result)
{
    return result == PLUMB_TRUE && shape_true_is_ok(o) ? PLUMB_OK : result;
}

static inline __attribute__((always_inline)) bool shape_fits(const struct shape *s,
                                                             const struct plumb_values *values,
                                                             const struct history_op *op)
{
    return shape_arg_fits(s, values, op->arg) &&
           (s->transaction ? shape_result_fits(s, values, op)
                           : s->results >> shape_result_class(values, op) & 1);
}

/* Says why `op`, which does not fit, does not. */
void shape_explain(struct text *out, const struct shape *s, const struct plumb_values *values,
                   const struct history_op *op);

/* A name from the input, made harmless and short. */
void shape_print_name(struct text *out, const char *name);

#endif
