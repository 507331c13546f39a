/* SPDX-License-Identifier: Apache-2.0 */
/* An execution as a table: a row per step, a column per thread, the source line at the right.
 *
 * The reader wants to see what happens where threads take turns. A long execution is shown around its switches, its
 * guilty step and its notes; what lies between is counted. Rounds of a loop that are equal in everything shown
 * become one. */
#ifndef REPORT_INTERLEAVING_H
#define REPORT_INTERLEAVING_H

#include "graph/event.h"
#include "report/counterexample.h"

struct interleaving_row {
    uint32_t step;   /* number shown */
    uint32_t from;   /* step that wrote what this one read; 0: not shown */
    uint16_t thread; /* index of `threads` */
    uint8_t kind;    /* enum event_kind */
    uint8_t order;   /* enum memory_order_tag */
    uint8_t size;    /* bytes of the values */
    bool has_value;  /* before and value are known */
    bool guilty;
    uint64_t before, value;               /* as the event has them */
    const char *before_text, *value_text; /* the same in words, or null */
    const char *location;                 /* "s.top", or null */
    const char *operation;                /* calls and returns: "pop() = 1", or null */
    const char *statement;                /* a step of a model: all that is said of it; else null */
    const char *place;                    /* "treiber.c:36", or null */
    const char *note;                     /* "stale: T1 wrote NULL in step 14", or null */
};

struct interleaving {
    const struct interleaving_row *rows;
    size_t count;
    const char *const *threads; /* names */
    size_t thread_count;
    bool plain;        /* show plain accesses, not only those with a note or guilt */
    size_t lines_most; /* 0: forty */
};

/* Adds nothing when there are no rows. */
void interleaving_draw(struct text *out, const struct interleaving *x, const struct report_style *style);

#endif
