/* SPDX-License-Identifier: Apache-2.0 */
/* Values and operations as a reader sees them. */
#ifndef HISTORY_VALUE_TEXT_H
#define HISTORY_VALUE_TEXT_H

#include "base/text.h"
#include "history/history.h"

/* JSON: 7, null, true, "a\n", [1,2]; PLUMB_ANY is {"unknown":true}. Control characters, invalid UTF-8
 * and DEL are escaped, so the text is safe on a terminal. */
void value_print(struct text *out, const struct plumb_values *pool, plumb_value v);

/* "enq(7)", "deq() = 7", "deq() = empty" (null result), "put(1, 2)", "read() pending". `name` is the operation's name. */
void value_print_op(struct text *out, const struct plumb_values *pool, const char *name,
                    const struct history_op *op);

#endif
