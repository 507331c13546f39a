/* SPDX-License-Identifier: Apache-2.0 */
/* Values and operations as a reader sees them. */
#ifndef HISTORY_VALUE_TEXT_H
#define HISTORY_VALUE_TEXT_H

#include "base/text.h"
#include "history/history.h"

/* JSON: 7, null, true, "a\n", [1,2]; PLUMB_ANY is {"unknown":true}. Control characters, invalid UTF-8
 * and DEL are escaped, so the text is safe on a terminal. */
void value_print(struct text *out, const struct plumb_values *pool, plumb_value v);

void value_print_int(struct text *out, int64_t i);

/* Any bytes as a JSON string, with the same escapes. */
void value_print_string(struct text *out, const char *bytes, size_t length);

/* value_print, for lines and sentences: of a long value about 40 columns, its beginning and its end. */
void value_print_short(struct text *out, const struct plumb_values *pool, plumb_value v);

/* Length of the valid UTF-8 sequence at `bytes`, of which `left` > 0 may be read; 0: there is none. */
size_t value_utf8_length(const char *bytes, size_t left);

/* "enq(7)", "deq() = 7", "deq() = empty" (null result), "read() pending", with short values. `name` is the
 * operation's name. An array is one argument, "enq([1,2])", unless the operation has `several_arguments`:
 * "put(1, 2)". */
void value_print_op(struct text *out, const struct plumb_values *pool, const char *name,
                    bool several_arguments, const struct history_op *op);

/* " = 5"; nothing for a plain "ok". */
void value_print_result(struct text *out, const struct plumb_values *pool, plumb_value result);

#endif
