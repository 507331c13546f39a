/* SPDX-License-Identifier: Apache-2.0 */
/* A call of an atomic operation in the text of a source file, and what has to change for other memory orders. */
#ifndef ORDERS_SOURCE_CALL_H
#define ORDERS_SOURCE_CALL_H

#include "base/text.h"
#include "base/vec.h"
#include "target/code/atomic_calls.h"

/* [from, to) becomes `text`, which is owned. */
struct source_edit {
    size_t from, to;
    char *text;
};
typedef VEC(struct source_edit) source_edits;

struct source_wish {
    enum atomic_kind kind;
    uint32_t line, column;
    unsigned order, failure; /* as they shall be (enum memory_order_tag); failure: of comparisons */
    unsigned written,
        written_failure;  /* as they are; ORDER_PLAIN: not known. Other orders belong to other sites. */
    const size_t *others; /* where other sites stand */
    size_t other_count;
};

/* The place of a line and column, from 1. False: there is no such place. */
bool source_call_find(const struct text *source, uint32_t line, uint32_t column, size_t *at);

/* Adds the edits of all calls of the site: the one that stands there, if it is such an operation, and those in its parentheses that
 * have no place of their own. Not null: why there are none. */
const char *source_call_change(const struct text *source, const struct source_wish *wish,
                               source_edits *edits);

#endif
