/* SPDX-License-Identifier: Apache-2.0 */
/* Text that fits: clipping, wrapping and numbers for readers. Input is UTF-8 without control
 * characters. */
#ifndef REPORT_PROSE_H
#define REPORT_PROSE_H

#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

/* Adds at most `columns` columns of `s`; what is cut away is replaced by `more`. */
void prose_clip(struct text *out, const char *s, size_t columns, const char *more);

/* The same, but cuts in the middle: what names that begin alike differ in is often their end. */
void prose_clip_middle(struct text *out, const char *s, size_t columns, const char *more);

struct prose {
    /* Where lines may break: ' ' for words; any other one is printed as a space */
    char separator;
    /* The indent of every line; for the first one the caller has written as many columns */
    size_t indent;
    size_t columns;
    size_t lines_max;
    const char *more; /* ends the text when lines_max cuts it */
};

/* Adds `s` in lines. A piece without separator that is wider than a line is cut where the line ends. */
void prose_wrap(struct text *out, const char *s, const struct prose *p);

/* 1234567 as 1,234,567. */
void prose_number(struct text *out, uint64_t n);

#endif
