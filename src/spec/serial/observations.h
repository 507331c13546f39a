/* SPDX-License-Identifier: Apache-2.0 */
/* The serial histories of a test as a file, in the form of Line-Up's figure 7: histories in which every operation answers
 * the same are one <observation>.
 *
 *     <observation>
 *       <thread id="A">1 2</thread>
 *       <thread id="B">3B</thread>
 *       <op id="1" name="add">value="200"</op>
 *       <op id="2" name="size">result="1"</op>
 *       <op id="3" name="take" />
 *       <history>1[ ]1 2[ ]2 3[ #</history>
 *     </observation>
 *
 * Behind the observations, <violation> has a history that none of them explains, in the same form; it need not be
 * serial: 1[ 2[ ]1 ]2. It is there for people, and passed over when the file is read.
 *
 * Threads are A, B, ...; `init` is the one that runs what comes first and last. B marks an operation that waits forever, # a
 * history that ends so. Values are written as in histories (JSON). */
#ifndef SPEC_OBSERVATIONS_H
#define SPEC_OBSERVATIONS_H

#include "base/diagnostic.h"
#include "base/memory.h"
#include "base/text.h"
#include "history/history.h"
#include "spec/serial/serial.h"

#include <stdio.h>

void observations_write(FILE *out, const struct serials *s);

/* Adds threads, operations and the one history `h`, whose names are not bound, each line after `indent`. Pending operations are
 * those that wait. False: *d says what is wrong with it. */
bool observations_add_history(struct text *out, const struct history *h, const char *indent,
                              struct diagnostic *d);

/* Adds such a history, with the indent OBSERVATIONS_INDENT, to what observations_write has written. False: that is not what the
 * text is. */
#define OBSERVATIONS_INDENT "    "
bool observations_add_violation(struct text *file, const struct text *history);

/* `known`: `s` has the threads and operations of the test, and what is read has to fit them; otherwise they are taken
 * from the file. Their names are kept in `names`. False: *d says where and why. */
bool observations_read(struct serials *s, bool known, struct arena *names, const char *bytes, size_t length,
                       struct diagnostic *d);

/* Pieces of the file. */

/* "init", "A", "B", ... */
void observations_add_thread_name(struct text *out, uint32_t name);

/* One line. `answer`: PLUMB_ANY of one that waits. */
void observations_add_op(struct text *out, const struct plumb_values *values, uint32_t number,
                         const struct serial_op *op, plumb_value answer);

#endif
