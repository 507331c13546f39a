/* SPDX-License-Identifier: Apache-2.0 */
#include "report/calls_draw.h"

#include "base/terminal.h"
#include "report/prose.h"

#include <stdio.h>
#include <string.h>

enum { INDENT = 2, NUMBER = 6, ROWS_MOST = 12, LABEL_MOST = 34, CLAUSE_LINES = 4 };

struct drawing {
    struct text *out;
    const struct report_calls *c;
    const struct report_style *style;
    const char *more;
};

/* Adds columns of `s`, and spaces up to `width`. */
static void add_cell(const struct drawing *d, const char *s, size_t width)
{
    size_t start = d->out->len;
    prose_clip_middle(d->out, s, width, d->more);
    size_t columns = d->out->len > start ? text_columns(d->out->data + start) : 0;
    text_repeat(d->out, " ", columns < width ? width - columns : 0);
}

/* Without spaces at its end. */
static void end_line(const struct drawing *d)
{
    while (d->out->len && d->out->data[d->out->len - 1] == ' ')
        d->out->len--;
    text_puts(d->out, "\n");
}

/* ------------------------------------------------------------------ the clause */

/* "  condition  __RET__ == front(q)", in a few lines. */
static void add_fact(const struct drawing *d, const char *name, const char *words)
{
    struct text safe = {0};
    size_t indent = INDENT + text_columns("condition") + 2;
    if (!words)
        return;
    terminal_add_safe(&safe, words);
    struct prose p = {' ', indent, d->style->columns, CLAUSE_LINES, d->more};
    text_repeat(d->out, " ", INDENT);
    add_cell(d, name, indent - INDENT);
    prose_wrap(d->out, safe.data, &p);
    text_free(&safe);
}

/* ------------------------------------------------------------------ orders */

static void name_call(const struct report_call *call, struct text *out)
{
    text_printf(out, "T%u ", call->thread);
    terminal_add_safe(out, call->label);
}

static size_t label_columns(const struct drawing *d)
{
    size_t widest = 0;
    for (size_t k = 0; k <= d->c->order_count; k++) {
        struct text t = {0};
        name_call(&d->c->calls[k < d->c->order_count ? d->c->order[k] : d->c->failed], &t);
        widest = text_columns(t.data) > widest ? text_columns(t.data) : widest;
        text_free(&t);
    }
    return widest < LABEL_MOST ? widest : LABEL_MOST;
}

static void add_number(const struct drawing *d, const char *number)
{
    size_t columns = text_columns(number);
    text_repeat(d->out, " ", columns < NUMBER ? NUMBER - columns : 0);
    text_printf(d->out, "%s  ", number);
}

/* "    2  T1 enq(2)     q = [1, 2]" */
static void add_row(const struct drawing *d, const char *number, uint32_t call, const char *state,
                    size_t width)
{
    struct text name = {0}, safe = {0};
    size_t left = NUMBER + 2 + width + 2, room = d->style->columns > left ? d->style->columns - left : 1;
    name_call(&d->c->calls[call], &name);
    terminal_add_safe(&safe, state ? state : "");
    add_number(d, number);
    add_cell(d, name.data, width);
    text_puts(d->out, "  ");
    prose_clip_middle(d->out, safe.data ? safe.data : "", room, d->more); /* of a place the line counts */
    end_line(d);
    text_free(&name);
    text_free(&safe);
}

static void add_title(const struct drawing *d)
{
    const struct report_calls *c = d->c;
    struct text safe = {0};
    text_printf(d->out, "  %s",
                !c->order_count ? "no legal order begins"
                : c->every      ? "an order that is legal up to there"
                                : "longest legal order");
    if (c->initial) {
        terminal_add_safe(&safe, c->initial);
        text_puts(d->out, ", from ");
        prose_clip(d->out, safe.data, d->style->columns - 44, d->more);
    }
    text_puts(d->out, ":\n");
    text_free(&safe);
}

/* The end, where it fails, is what matters. */
static void add_order(const struct drawing *d)
{
    const struct report_calls *c = d->c;
    size_t first = c->order_count > ROWS_MOST ? c->order_count - ROWS_MOST : 0, width = label_columns(d);
    add_title(d);
    if (first) {
        add_number(d, d->more);
        text_printf(d->out, "%zu earlier\n", first);
    }
    for (size_t k = first; k < c->order_count; k++) {
        char number[24];
        snprintf(number, sizeof number, "%zu", k + 1);
        add_row(d, number, c->order[k], c->calls[c->order[k]].state, width);
    }
    add_row(d, d->style->unicode ? "✗" : "X", c->failed, c->values ? "" : "cannot follow", width);
}

static void add_cycle(const struct drawing *d)
{
    const struct report_calls *c = d->c;
    size_t width = label_columns(d);
    struct prose p = {' ', INDENT, d->style->columns, 3, d->more};
    text_repeat(d->out, " ", INDENT);
    prose_wrap(d->out, "by their ordering points, each of these calls is before the next:", &p);
    for (size_t k = 0; k <= c->order_count && k <= ROWS_MOST && c->order_count; k++)
        add_row(d, k ? d->style->unicode ? "→" : "->" : "", c->order[k % c->order_count],
                c->calls[c->order[k % c->order_count]].place, width);
}

/* ------------------------------------------------------------------ the arrow that is missing */

/* One line of the picture: the earlier call at the left, the later one at the right. */
static void add_sides(const struct drawing *d, const char *left, const char *middle, const char *right)
{
    size_t arrow = 9, width = (d->style->columns - 2 * INDENT - arrow - 2) / 2;
    text_repeat(d->out, " ", 2 * INDENT);
    add_cell(d, left, width);
    text_puts(d->out, " ");
    add_cell(d, middle, arrow);
    text_puts(d->out, " ");
    add_cell(d, right, width);
    end_line(d);
}

static void describe_access(const struct report_event *e, struct text *out)
{
    const char *value = e->written ? e->written : e->found;
    bool updates = e->found && e->written; /* both values have no room */
    text_printf(out, "%u: %s%s%s", e->id, e->kind, e->order ? " " : "", e->order ? e->order : "");
    if (e->location) {
        text_puts(out, " ");
        terminal_add_safe(out, e->location);
    }
    if (value && !updates)
        text_printf(out, " = %s", value);
}

static void add_accesses(const struct drawing *d, const char *arrow)
{
    const struct report_event *w = d->c->release, *r = d->c->acquire;
    struct text left = {0}, right = {0};
    describe_access(w, &left);
    describe_access(r, &right);
    add_sides(d, left.data, arrow, right.data);
    if (w->place || r->place)
        add_sides(d, w->place ? w->place : "", "", r->place ? r->place : "");
    add_sides(d, d->c->release_lacks ? "has to be release" : "is release", "",
              d->c->acquire_lacks ? "has to be acquire" : "is acquire");
    text_free(&left);
    text_free(&right);
}

static void add_missing_arrow(const struct drawing *d)
{
    const struct report_calls *c = d->c;
    const char *arrow = d->style->unicode ? "╌╌╌ ✗ ╌╌▶" : "- - X - >";
    const char *from = c->calls[c->earlier].place, *to = c->calls[c->failed].place;
    struct text left = {0}, right = {0};
    name_call(&c->calls[c->earlier], &left);
    name_call(&c->calls[c->failed], &right);
    text_puts(d->out, "\n");
    if (c->release && c->acquire) {
        add_sides(d, left.data, "", right.data);
        add_accesses(d, arrow);
    } else {
        add_sides(d, left.data, arrow, right.data);
        if (from || to)
            add_sides(d, from ? from : "", "", to ? to : "");
    }
    text_free(&left);
    text_free(&right);
}

void calls_draw(struct text *out, const struct report_calls *c, const struct report_style *style)
{
    struct drawing d = {out, c, style, style->unicode ? "…" : ".."};
    add_fact(&d, c->kind == REPORT_SYNC ? "rule" : "condition", c->clause);
    add_fact(&d, c->kind == REPORT_CYCLE ? "points" : "values", c->values);
    if (c->kind == REPORT_CYCLE)
        add_cycle(&d);
    else if (c->kind == REPORT_CONDITION)
        add_order(&d);
    else
        add_missing_arrow(&d);
}
