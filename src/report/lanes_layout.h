/* SPDX-License-Identifier: Apache-2.0 */
/* Where the bars of the lanes go; private to the drawing of lanes. */
#ifndef REPORT_LANES_LAYOUT_H
#define REPORT_LANES_LAYOUT_H

#include "report/counterexample.h"

enum { LANES_OPS_MOST = 20, LANES_RUNS_MOST = 2 * LANES_OPS_MOST };

/* A run: neighbouring calls or neighbouring returns, which share a column. */
struct lane_bar {
    const struct report_op *op;
    size_t label_columns;
    unsigned lane;
    unsigned from, to; /* runs of call and return; to == run_count when pending */
};

/* The runs [first, last] in one block of rows. */
struct lane_block {
    unsigned first, last;
    unsigned columns;             /* of the widest row */
    unsigned at[LANES_RUNS_MOST]; /* column of each of its runs */
};

struct lanes_layout {
    struct lane_bar bars[LANES_OPS_MOST]; /* by lane, then by time */
    unsigned bar_count;
    const struct report_op *lanes[LANES_OPS_MOST]; /* some operation of each thread, by thread name */
    unsigned lane_count;
    unsigned run_count;
    struct lane_block blocks[LANES_RUNS_MOST];
    unsigned block_count;
};

/* Lays out `count` (1 to LANES_OPS_MOST) operations in blocks of at most `columns` columns; labels may be
 * `label_most` wide, at most columns - 8. */
void lanes_lay_out(struct lanes_layout *l, const struct report_op *ops, unsigned count,
                   const struct plumb_values *values, unsigned columns, unsigned label_most);

/* Does the bar show in the block? */
static inline bool lanes_bar_in_block(const struct lane_bar *bar, const struct lane_block *block)
{
    return bar->from <= block->last && bar->to >= block->first;
}

#endif
