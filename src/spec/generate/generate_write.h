/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the lines of a history that is made up: events of a stream one by one, or whole operations. Their time is a counter. */
#ifndef SPEC_GENERATE_WRITE_H
#define SPEC_GENERATE_WRITE_H

#include "base/text.h"
#include "plumb/spec.h"

#include <stdio.h>

struct writer {
    const struct plumb_values *values;
    FILE *file;
    struct text text;   /* lines not written yet */
    uint64_t clock;     /* calls and returns so far */
    double rate, start; /* events per second of a stream; 0: as fast as possible */
    uint64_t events;
};

void writer_call(struct writer *w, uint32_t thread, const char *name, plumb_value arg);
void writer_return(struct writer *w, uint32_t thread, plumb_value result);

/* An operation that was called at `called` returns now. */
void writer_op(struct writer *w, uint32_t thread, const char *name, plumb_value arg, plumb_value result,
               uint64_t called);

void writer_flush(struct writer *w);

#endif
