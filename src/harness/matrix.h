/* SPDX-License-Identifier: Apache-2.0 */
/* Tests as text: `push(1) push(2) => pop | pop push(3) => pop`. Operations of threads are divided by `|`;
 * what comes before the first arrow is done before the threads start, what comes after the last one when they
 * have ended. With one arrow only, the side with a `|` is that of the threads, or else the right one.
 * Arguments are integers, true, false, null and strings; one of several objects is named: `q1.enq(1)`. */
#ifndef HARNESS_MATRIX_H
#define HARNESS_MATRIX_H

#include <plumb.h>

#include "base/diagnostic.h"
#include "base/text.h"
#include "base/vec.h"

/* The operations there are. */
struct matrix_vocabulary {
    const struct plumb_part *const *operations;
    size_t count;
};

struct matrix_op {
    const struct plumb_part *operation;
    const char *text; /* as it stands in the test */
    size_t length;
    struct plumb_argument arguments[PLUMB_ARGUMENTS_MAX];
    plumb_value value; /* the arguments for the history: PLUMB_OK, one value or an array */
};

struct matrix_range {
    uint32_t from, to; /* operations from .. to - 1 */
};

struct matrix {
    VEC(struct matrix_op) ops; /* all of them: of init, the columns, final */
    struct matrix_range init, final;
    VEC(struct matrix_range) columns;
};

/* Texts of arguments stay in `values`. False: *d says what is wrong and in which column of the text. */
bool matrix_parse(struct matrix *m, const char *text, const struct matrix_vocabulary *vocabulary,
                  struct plumb_values *values, struct diagnostic *d);
void matrix_free(struct matrix *m);

/* Reads the arguments of PLUMB_TRY, those of as many calls of `operation` as there are, into `calls`. */
typedef VEC(struct matrix_op) matrix_calls;
bool matrix_parse_calls(matrix_calls *calls, const char *text, const struct plumb_part *operation,
                        struct plumb_values *values, struct diagnostic *d);

/* The values of an integer type, by its letter (plumb_part.types). */
void matrix_type_range(char letter, int64_t *least, int64_t *most);

/* "push(int)" or "q1.enq(int)". */
void matrix_print_operation(struct text *out, const struct plumb_part *operation);

#endif
