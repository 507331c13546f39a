/* SPDX-License-Identifier: Apache-2.0 */
/* Which rows of an interleaving are shown; private to its drawing. */
#ifndef REPORT_INTERLEAVING_FOLD_H
#define REPORT_INTERLEAVING_FOLD_H

#include "report/interleaving.h"

enum interleaving_line_kind {
    INTERLEAVING_ROW,
    INTERLEAVING_SWITCH,
    INTERLEAVING_LOOP,    /* the `steps` rows above happened `times` times in all */
    INTERLEAVING_SKIPPED, /* `steps` rows of the thread */
    INTERLEAVING_EARLIER, /* `steps` rows of any thread, before those that are shown */
    INTERLEAVING_LATER,   /* at the end */
};

struct interleaving_line {
    enum interleaving_line_kind kind;
    size_t row; /* one of the rows that the line is about */
    size_t steps, times;
};

struct interleaving_lines {
    struct interleaving_line *data;
    size_t len, cap;
};

/* The lines to draw; the caller frees `data`. */
struct interleaving_lines interleaving_fold(const struct interleaving *x);

#endif
