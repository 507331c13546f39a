/* SPDX-License-Identifier: Apache-2.0 */
/* Reads histories as JSON lines, one operation a line:
 *   {"thread":1,"op":"enq","arg":7,"call":3,"return":9}
 * The reader is a strict scanner over a small buffer: memory does not grow with
 * the file beyond the operations themselves. */
#ifndef HISTORY_JSONL_H
#define HISTORY_JSONL_H

#include "history/history.h"

#include <stdio.h>

/* Appends all operations of `fd` to `h`. False: *d says where and why. */
bool jsonl_read(struct history *h, int fd, struct diagnostic *d);

/* The same when `length` bytes of it were read already. */
bool jsonl_read_rest(struct history *h, const char *bytes, size_t length, int fd, struct diagnostic *d);

/* The same from memory, for tests and fuzzing. */
bool jsonl_read_memory(struct history *h, const char *bytes, size_t length, struct diagnostic *d);

/* Writes one operation as a line. */
void jsonl_write_op(FILE *out, const struct history *h, size_t index);

#endif
