/* SPDX-License-Identifier: Apache-2.0 */
/* Input as whole lines: bytes that were read already, then what a file still has; or memory alone. */
#ifndef HISTORY_LINE_INPUT_H
#define HISTORY_LINE_INPUT_H

#include "base/diagnostic.h"

#include <stdbool.h>
#include <stddef.h>

struct line_input {
    const char *head; /* bytes to read first */
    size_t head_left;
    int fd;
    bool is_memory; /* the head is all there is */
    /* Whole lines and the start of the next one. JSONL_SLACK more bytes are allocated, and always
     * initialised. */
    char *data;
    size_t len, cap;
    size_t searched;            /* so many of them have no line end */
    const uint64_t *line_count; /* lines that were taken, for messages */
};

void line_input_free(struct line_input *in);

/* Reads more bytes; *more is false at the end. False: *d says why. */
bool line_input_read(struct line_input *in, bool *more, struct diagnostic *d);

/* The end of the last whole line, or null. */
const char *line_input_end(struct line_input *in);
/* Drops the bytes before `end`, which line_input_end gave. */
void line_input_drop(struct line_input *in, const char *end);
/* At the end of the input: a last line without line end gets one. Null: there is none. */
const char *line_input_last(struct line_input *in);

/* Hands all lines to `take`, some at a time. */
bool line_input_each(struct line_input *in, bool (*take)(void *context, const char *first, const char *end),
                     void *context, struct diagnostic *d);

#endif
