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
};

/* Adds the edits. Not null: why there are none. */
const char *source_call_change(const struct text *source, const struct source_wish *wish,
                               source_edits *edits);

#endif
