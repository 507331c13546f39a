/* SPDX-License-Identifier: Apache-2.0 */
#include "report/lanes.h"

#include "report/lanes_layout.h"
#include "report/prose.h"

enum { ROWS_MOST = 16, LABEL_MOST = 32, NAME_MOST = 16, MARGIN = 2, MARK_LEAST = 2 };

/* How bars are drawn: the two kinds differ without colour, too. */
struct bar_style {
    const char *begin, *end, *line, *open;
};

struct pen {
    struct text *out;
    const struct lanes_layout *layout;
    const struct report_style *style;
    unsigned name_columns;
    const char *guilt; /* what is said of a guilty operation */
};

static const struct bar_style *style_of_bar(const struct pen *pen, bool guilty)
{
    static const struct bar_style ascii = {"|", "|", "-", "."}, ascii_guilty = {"|", "|", "=", "."};
    static const struct bar_style drawn = {"├", "┤", "─", "⋯"}, drawn_guilty = {"╞", "╡", "═", "⋯"};
    if (pen->style->unicode)
        return guilty ? &drawn_guilty : &drawn;
    return guilty ? &ascii_guilty : &ascii;
}

static const char *ellipsis(const struct report_style *style)
{
    return style->unicode ? "…" : "..";
}

static void add_label(struct pen *pen, const struct lane_bar *bar, const char *line)
{
    bool red = bar->op->guilty && pen->style->color;
    struct text label = {0};
    prose_clip_middle(&label, bar->op->label, bar->label_columns, ellipsis(pen->style));
    text_printf(pen->out, "%s%s%s", red ? " \033[1;31m" : " ", label.data, red ? "\033[0m " : " ");
    /* What was cut can be a little shorter than it might be. */
    text_repeat(pen->out, line, bar->label_columns - text_columns(label.data));
    text_free(&label);
}

/* Draws the part of a bar that the block shows, from column `left` to `right`. */
static void draw_bar(struct pen *pen, const struct lane_bar *bar, const struct lane_block *block,
                     unsigned left, unsigned right)
{
    const struct bar_style *s = style_of_bar(pen, bar->op->guilty);
    bool begins = bar->from >= block->first, ends = bar->to <= block->last;
    bool fades = bar->op->pending && block->last + 1 == pen->layout->run_count;
    unsigned columns = right - left + 1, text = (unsigned)bar->label_columns + 2;
    unsigned label_at = columns >= text + 4 ? (columns - text) / 2 : columns;
    for (unsigned i = 0; i < columns; i++) {
        if (i == label_at) {
            add_label(pen, bar, s->line);
            i += text - 1;
        } else if (i == 0 && begins) {
            text_puts(pen->out, s->begin);
        } else if (i == columns - 1 && (ends || fades)) {
            text_puts(pen->out, ends ? s->end : s->open);
        } else {
            text_puts(pen->out, s->line);
        }
    }
}

/* Marks the guilty bar, which ends left of column `at`, on a row of `columns`. */
static void draw_mark(struct pen *pen, const char *sign, unsigned at, unsigned columns)
{
    const char *word = pen->guilt;
    text_puts(pen->out, pen->style->color ? "\033[1;31m" : "");
    text_puts(pen->out, sign);
    if (at + text_columns(sign) + text_columns(word) <= columns)
        text_puts(pen->out, word);
    text_puts(pen->out, pen->style->color ? "\033[0m" : "");
}

/* Behind the guilty bar if it is the row's last one, else below it. `guilty` is its first column, `end` the
 * column behind it, `at` the end of the row. */
static void mark_row(struct pen *pen, unsigned guilty, unsigned end, unsigned at)
{
    unsigned columns = pen->style->columns - 2 * MARGIN - pen->name_columns;
    if (at == end) {
        draw_mark(pen, pen->style->unicode ? " ◀" : " !", at, columns);
        return;
    }
    text_puts(pen->out, "\n");
    text_repeat(pen->out, " ", 2 * MARGIN + pen->name_columns + guilty);
    draw_mark(pen, pen->style->unicode ? "▲" : "^", guilty, columns);
}

static bool lane_shows(const struct lanes_layout *l, unsigned lane, const struct lane_block *block)
{
    for (unsigned i = 0; i < l->bar_count; i++)
        if (l->bars[i].lane == lane && lanes_bar_in_block(&l->bars[i], block))
            return true;
    return false;
}

static void draw_name(struct pen *pen, const char *thread)
{
    struct text name = {0};
    prose_clip_middle(&name, thread, NAME_MOST, ellipsis(pen->style));
    text_printf(pen->out, "%*s%s", MARGIN, "", name.data);
    text_repeat(pen->out, " ", pen->name_columns - text_columns(name.data) + MARGIN);
    text_free(&name);
}

static void draw_row(struct pen *pen, unsigned lane, const struct lane_block *block)
{
    const struct lanes_layout *l = pen->layout;
    draw_name(pen, l->lanes[lane]->thread);
    unsigned at = 0, guilty = 0, guilty_end = 0;
    for (unsigned i = 0; i < l->bar_count; i++) {
        const struct lane_bar *bar = &l->bars[i];
        if (bar->lane != lane || !lanes_bar_in_block(bar, block))
            continue;
        unsigned left = bar->from >= block->first ? block->at[bar->from] : 0;
        unsigned right = bar->to <= block->last ? block->at[bar->to] : block->columns - 1;
        if (left < at || right < left)
            continue;
        text_repeat(pen->out, " ", left - at);
        draw_bar(pen, bar, block, left, right);
        at = right + 1;
        if (bar->op->guilty && (bar->to <= block->last || block->last + 1 == l->run_count)) {
            guilty = left;
            guilty_end = at;
        }
    }
    if (guilty_end)
        mark_row(pen, guilty, guilty_end, at);
    text_puts(pen->out, "\n");
}

static void draw_blocks(struct pen *pen)
{
    const struct lanes_layout *l = pen->layout;
    for (unsigned b = 0; b < l->block_count; b++) {
        if (b)
            text_printf(pen->out, "%*s%s\n", MARGIN, "", pen->style->unicode ? "⋯ later" : ".. later");
        for (unsigned lane = 0; lane < l->lane_count; lane++)
            if (lane_shows(l, lane, &l->blocks[b]))
                draw_row(pen, lane, &l->blocks[b]);
    }
}

static unsigned rows_of_layout(const struct lanes_layout *l)
{
    unsigned rows = l->block_count - 1;
    for (unsigned b = 0; b < l->block_count; b++)
        for (unsigned lane = 0; lane < l->lane_count; lane++)
            rows += lane_shows(l, lane, &l->blocks[b]);
    return rows;
}

static unsigned name_columns(const struct report_op *ops, size_t count)
{
    size_t columns = 0;
    for (size_t i = 0; i < count; i++) {
        size_t c = text_columns(ops[i].thread);
        columns = c > columns ? c : columns;
    }
    return columns > NAME_MOST ? NAME_MOST : (unsigned)columns;
}

static size_t guilty_position(const struct report_counterexample *c)
{
    for (size_t i = 0; i < c->op_count; i++)
        if (c->ops[i].guilty)
            return i;
    return c->op_count - 1;
}

/* The first of `count` neighbouring operations with the guilty one among them, three quarters before it. */
static size_t window_start(const struct report_counterexample *c, unsigned count)
{
    size_t guilty = guilty_position(c), before = count * 3 / 4;
    size_t start = guilty > before ? guilty - before : 0;
    return start + count > c->op_count ? c->op_count - count : start;
}

static void draw_rest(struct pen *pen, size_t left_out)
{
    struct text line = {0};
    text_printf(&line, "%*s%s and ", MARGIN, "", ellipsis(pen->style));
    prose_number(&line, left_out);
    text_printf(&line, " more operation%s (--json has all)", left_out == 1 ? "" : "s");
    prose_clip(pen->out, line.data, pen->style->columns, ellipsis(pen->style));
    text_puts(pen->out, "\n");
    text_free(&line);
}

void lanes_draw(struct text *out, const struct report_counterexample *c, const struct report_style *style)
{
    if (!c->op_count)
        return;
    struct lanes_layout layout;
    /* Where no history was judged, the program stopped there. */
    struct pen pen = {out, &layout, style, name_columns(c->ops, c->op_count),
                      c->kind && !c->found_by && !c->spec ? "" : " impossible"};
    unsigned columns = style->columns - 2 * MARGIN - pen.name_columns - MARK_LEAST;
    unsigned label_most = columns - 8 < LABEL_MOST ? columns - 8 : LABEL_MOST;
    unsigned count = c->op_count < LANES_OPS_MOST ? (unsigned)c->op_count : LANES_OPS_MOST;
    for (;; count--) {
        lanes_lay_out(&layout, c->ops + window_start(c, count), count, c->values, columns, label_most);
        if (count == 1 || rows_of_layout(&layout) <= ROWS_MOST)
            break;
    }
    draw_blocks(&pen);
    if (count < c->op_count)
        draw_rest(&pen, c->op_count - count);
}
