/* SPDX-License-Identifier: Apache-2.0 */
#include "report/lanes_layout.h"

#include <stdlib.h>

/* Columns of a bar beside its label: "+- " before, " -+" after. */
enum { BAR_FRAME = 6, BAR_GAP = 2 };

struct lane_event {
    int64_t stamp;
    unsigned rank; /* among the events of one stamp */
    unsigned bar;
    bool returns;
};

/* At one stamp calls come before returns, so that equal stamps overlap. Only where a thread returns and
 * calls at the same stamp its own order stands: these events come in between, in program order. */
enum { RANK_CALL = 0, RANK_TIED = 1, RANK_RETURN = 1000 };

static int compare_bars(const void *left, const void *right, void *values)
{
    const struct report_op *a = ((const struct lane_bar *)left)->op,
                           *b = ((const struct lane_bar *)right)->op;
    int order = plumb_compare(values, a->thread_name, b->thread_name);
    if (order)
        return order;
    if (a->call != b->call)
        return a->call < b->call ? -1 : 1;
    if (a->pending != b->pending)
        return a->pending ? 1 : -1;
    if (!a->pending && a->ret != b->ret)
        return a->ret < b->ret ? -1 : 1;
    return a->id < b->id ? -1 : a->id > b->id;
}

static int compare_events(const void *left, const void *right)
{
    const struct lane_event *a = left, *b = right;
    if (a->stamp != b->stamp)
        return a->stamp < b->stamp ? -1 : 1;
    if (a->rank != b->rank)
        return a->rank < b->rank ? -1 : 1;
    return a->bar < b->bar ? -1 : a->bar > b->bar;
}

static void make_bars(struct lanes_layout *l, const struct report_op *ops, unsigned count,
                      const struct plumb_values *values, unsigned label_most)
{
    l->bar_count = count;
    for (unsigned i = 0; i < count; i++) {
        size_t columns = text_columns(ops[i].label);
        l->bars[i] =
            (struct lane_bar){.op = &ops[i], .label_columns = columns < label_most ? columns : label_most};
    }
    qsort_r(l->bars, count, sizeof *l->bars, compare_bars, (void *)values);
    for (unsigned i = 0; i < count; i++) {
        if (!i || l->bars[i].op->thread_name != l->bars[i - 1].op->thread_name)
            l->lanes[l->lane_count++] = l->bars[i].op;
        l->bars[i].lane = l->lane_count - 1;
    }
}

/* Does bar i begin at the stamp at which the bar before it in its thread ended? */
static bool is_tied(const struct lanes_layout *l, unsigned i)
{
    if (!i || i >= l->bar_count || l->bars[i].lane != l->bars[i - 1].lane || l->bars[i - 1].op->pending)
        return false;
    return l->bars[i - 1].op->ret == l->bars[i].op->call;
}

static void assign_runs(struct lanes_layout *l)
{
    struct lane_event events[LANES_RUNS_MOST];
    unsigned count = 0;
    for (unsigned i = 0; i < l->bar_count; i++) {
        const struct report_op *op = l->bars[i].op;
        unsigned call = is_tied(l, i) ? RANK_TIED + 2 * i : RANK_CALL;
        unsigned ret = is_tied(l, i + 1) ? RANK_TIED + 2 * i + 1 : RANK_RETURN;
        events[count++] = (struct lane_event){op->call, call, i, false};
        if (!op->pending)
            events[count++] = (struct lane_event){op->ret, ret, i, true};
    }
    qsort(events, count, sizeof *events, compare_events);
    unsigned run = 0;
    for (unsigned i = 0; i < count; i++) {
        run += i && events[i].returns != events[i - 1].returns;
        struct lane_bar *bar = &l->bars[events[i].bar];
        *(events[i].returns ? &bar->to : &bar->from) = run;
    }
    l->run_count = run + 1;
    for (unsigned i = 0; i < l->bar_count; i++)
        if (l->bars[i].op->pending)
            l->bars[i].to = l->run_count;
}

static unsigned most(unsigned a, unsigned b)
{
    return a > b ? a : b;
}

static bool block_continues(const struct lanes_layout *l, unsigned first)
{
    for (unsigned i = 0; i < l->bar_count; i++)
        if (l->bars[i].from < first && l->bars[i].to >= first)
            return true;
    return false;
}

/* Puts run `run` into the block: right of the run before it, and far enough right for the labels of
 * the bars that end there. */
static void place_run(const struct lanes_layout *l, struct lane_block *block, unsigned run)
{
    unsigned at = run > block->first ? block->at[run - 1] + BAR_GAP : block_continues(l, run) ? BAR_GAP : 0;
    for (unsigned i = 0; i < l->bar_count; i++) {
        const struct lane_bar *bar = &l->bars[i];
        if (bar->to == run && bar->from >= block->first)
            at = most(at, block->at[bar->from] + (unsigned)bar->label_columns + BAR_FRAME - 1);
    }
    block->at[run] = at;
}

/* Columns of the block when `run` is its last one: bars that stay open need room for their label, too. */
static unsigned block_columns(const struct lanes_layout *l, const struct lane_block *block, unsigned run)
{
    unsigned columns = block->at[run] + 1;
    for (unsigned i = 0; i < l->bar_count; i++) {
        const struct lane_bar *bar = &l->bars[i];
        if (bar->from >= block->first && bar->from <= run && bar->to > run)
            columns = most(columns, block->at[bar->from] + (unsigned)bar->label_columns + BAR_FRAME);
    }
    return columns;
}

/* As many runs from block->first on as the columns allow, and at least one. Even runs are calls: a block
 * had better end before them. */
static void fill_block(const struct lanes_layout *l, struct lane_block *block, unsigned columns)
{
    unsigned run = block->first;
    place_run(l, block, run);
    while (run + 1 < l->run_count) {
        place_run(l, block, run + 1);
        if (block_columns(l, block, run + 1) > columns)
            break;
        run++;
    }
    if (run + 1 < l->run_count && run % 2 == 0 && run > block->first)
        run--;
    block->last = run;
    block->columns = block_columns(l, block, run);
}

void lanes_lay_out(struct lanes_layout *l, const struct report_op *ops, unsigned count,
                   const struct plumb_values *values, unsigned columns, unsigned label_most)
{
    *l = (struct lanes_layout){0};
    make_bars(l, ops, count, values, label_most);
    assign_runs(l);
    for (unsigned run = 0; run < l->run_count; run = l->blocks[l->block_count++].last + 1) {
        l->blocks[l->block_count].first = run;
        fill_block(l, &l->blocks[l->block_count], columns);
    }
}
