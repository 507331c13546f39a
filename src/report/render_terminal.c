/* SPDX-License-Identifier: Apache-2.0 */
#include "report/counterexample.h"

#include "base/terminal.h"
#include "report/calls_draw.h"
#include "report/interleaving.h"
#include "report/lanes.h"
#include "report/prose.h"

#include <inttypes.h>
#include <string.h>

enum {
    INDENT = 2,
    WHY_LINES = 5,
    ORDER_LINES = 5,
    REMARK_LINES = 8,
    STEPS_MOST = 12,
    STEP_LABEL_MOST = 32,
    STATE_MOST = 40,
};

struct render {
    struct text *out;
    const struct report_counterexample *c;
    const struct report_style *style;
    const char *more;
};

static void set_color(const struct render *r, const char *code)
{
    if (r->style->color)
        text_printf(r->out, "\033[%sm", code);
}

/* Ends colour inside the last line, so that the text still ends where a line does. */
static void end_color(const struct render *r)
{
    if (!r->style->color)
        return;
    r->out->len--;
    text_puts(r->out, "\033[0m\n");
}

static const struct report_op *guilty_op(const struct report_counterexample *c)
{
    for (size_t i = 0; i < c->op_count; i++)
        if (c->ops[i].guilty)
            return &c->ops[i];
    return NULL;
}

/* The form of compilers, which editors can follow. */
static void add_headline(const struct render *r)
{
    const struct report_op *guilty = guilty_op(r->c);
    set_color(r, "1");
    terminal_add_safe(r->out, guilty && guilty->place ? guilty->place : r->c->file);
    if (guilty && guilty->line)
        text_printf(r->out, ":%" PRIu64, guilty->line);
    text_puts(r->out, ": ");
    set_color(r, "1;31");
    text_puts(r->out, "error: ");
    set_color(r, "0");
    set_color(r, "1");
    text_puts(r->out, r->c->one_line);
    set_color(r, "0");
    text_printf(r->out, " [PL%04d]\n", r->c->code ? r->c->code : PL_NOT_LINEARIZABLE);
}

static void add_paragraph(const struct render *r, const char *s, char separator, size_t lines)
{
    struct prose p = {separator, INDENT, r->style->columns, lines, r->more};
    text_repeat(r->out, " ", INDENT);
    prose_wrap(r->out, s, &p);
}

/* "object q1, key 7", when there are several; and where the history starts, if not at the beginning. */
static void add_place(const struct render *r)
{
    struct text place = {0};
    if (r->c->object)
        text_printf(&place, "object %s", r->c->object);
    if (r->c->key)
        text_printf(&place, "%skey %s", place.len ? ", " : "", r->c->key);
    if (r->c->earlier) {
        text_puts(&place, place.len ? ", after " : "after ");
        prose_number(&place, r->c->earlier);
        text_puts(&place, " earlier operations, whose every legal order ends in ");
        prose_clip(&place, r->c->initial_state, STATE_MOST, r->more);
    }
    if (place.len) {
        text_puts(&place, ":");
        add_paragraph(r, place.data, ' ', 2);
    }
    text_free(&place);
}

/* Thread names distinguish operations that read the same. */
static bool label_is_shared(const struct report_counterexample *c, size_t op)
{
    for (size_t i = 0; i < c->op_count; i++)
        if (i != op && !strcmp(c->ops[i].label, c->ops[op].label))
            return true;
    return false;
}

static void add_step_label(const struct render *r, struct text *steps, size_t op)
{
    if (label_is_shared(r->c, op))
        text_printf(steps, "%s ", r->c->ops[op].thread);
    prose_clip_middle(steps, r->c->ops[op].label, STEP_LABEL_MOST, r->more);
}

/* Lines may break between any two words. */
static void add_words(struct text *steps, const char *words)
{
    for (const char *s = words; s && *s; s++)
        text_add(steps, *s == ' ' ? "\n" : s, 1);
}

/* The steps from number `first` on, as pieces divided by line ends, between which lines may break. */
static void collect_steps(const struct render *r, const struct report_attempt *a, size_t first,
                          struct text *steps)
{
    const char *arrow = r->style->unicode ? " →\n" : " ->\n";
    if (first)
        text_printf(steps, "%s %zu earlier%s", r->more, first, arrow);
    for (size_t i = first; i < a->legal_count; i++) {
        add_step_label(r, steps, a->legal[i].op);
        text_puts(steps, *a->legal[i].state ? " " : "");
        prose_clip(steps, a->legal[i].state, STATE_MOST, r->more);
        if (i + 1 < a->legal_count || a->stuck >= 0)
            text_puts(steps, arrow);
    }
    if (a->stuck >= 0) {
        add_step_label(r, steps, (size_t)a->stuck);
        text_puts(steps, r->style->unicode ? " ✗\n" : " X\n");
    }
    add_words(steps, a->stuck_why);
}

static size_t count_lines(const char *s)
{
    size_t lines = 0;
    for (; *s; s++)
        lines += *s == '\n';
    return lines;
}

static void add_order_from(const struct render *r, const char *title, const struct report_attempt *a,
                           size_t first)
{
    const struct report_counterexample *c = r->c;
    struct text steps = {0};
    add_words(&steps, title);
    if (!c->initial_is_usual && c->initial_state && *c->initial_state) {
        text_puts(&steps, "\nfrom\n");
        prose_clip(&steps, c->initial_state, STATE_MOST, r->more);
    }
    text_puts(&steps, ":\n");
    collect_steps(r, a, first, &steps);
    add_paragraph(r, steps.data, '\n', ORDER_LINES + 1);
    text_free(&steps);
}

/* The end, where it gets stuck, is what matters: steps are left out at the beginning until the rest fits. */
static void add_order(const struct render *r, const char *title, const struct report_attempt *a)
{
    size_t first = a->legal_count > STEPS_MOST ? a->legal_count - STEPS_MOST : 0, start = r->out->len;
    add_order_from(r, title, a, first);
    while (first < a->legal_count && count_lines(r->out->data + start) > ORDER_LINES) {
        r->out->len = start;
        add_order_from(r, title, a, ++first);
    }
}

static void add_legal_order(const struct render *r)
{
    const struct report_counterexample *c = r->c;
    struct report_attempt longest = {
        .legal = c->legal, .legal_count = c->legal_count, .stuck = c->stuck, .stuck_why = c->stuck_why};
    if (c->legal_count || c->stuck >= 0)
        add_order(r, c->legal_count ? "longest legal order" : "no legal order begins", &longest);
}

/* The order that only time speaks against. */
static void add_untimely(const struct render *r)
{
    const struct report_counterexample *c = r->c;
    struct text steps = {0};
    if (!c->untimely_count || c->untimely_count > STEPS_MOST)
        return;
    add_words(&steps, "these answers fit another order:\n");
    for (size_t i = 0; i < c->untimely_count; i++) {
        add_step_label(r, &steps, c->untimely[i]);
        text_puts(&steps, i + 1 < c->untimely_count ? r->style->unicode ? " →\n" : " ->\n" : ",\nbut\n");
    }
    add_step_label(r, &steps, c->too_late);
    add_words(&steps, " had returned before ");
    add_step_label(r, &steps, c->too_early);
    add_words(&steps, " was called");
    add_paragraph(r, steps.data, '\n', ORDER_LINES);
    text_free(&steps);
}

/* Why the other orders do not help either. */
static void add_others(const struct render *r)
{
    const struct report_counterexample *c = r->c;
    if (!c->tells_others)
        return;
    for (size_t i = 0; i < c->other_count; i++)
        add_order(r, "another attempt", &c->others[i]);
    if (c->attempts_are_all && c->other_count)
        add_paragraph(r, "every order fails in one of these ways", ' ', 2);
    add_untimely(r);
}

enum { LEFT_OUT_NAMED = 4 };

/* Operations that had not returned and make no difference. */
static void add_left_out(const struct render *r)
{
    struct text line = {0};
    size_t count = r->c->left_out_count;
    prose_number(&line, count);
    text_printf(&line, " more operation%s had not returned by then", count == 1 ? "" : "s");
    for (size_t i = 0; i < count && count <= LEFT_OUT_NAMED; i++)
        text_printf(&line, "%s%s", i ? ", " : " (", r->c->left_out[i].label);
    text_printf(&line, "%s: with or without %s no order is legal", count <= LEFT_OUT_NAMED ? ")" : "",
                count == 1 ? "it" : "any of them");
    add_paragraph(r, line.data, ' ', WHY_LINES);
    text_free(&line);
}

static void add_moment(const struct render *r)
{
    struct text last = {0}, first = {0};
    report_moment_lines(r->c, &last, &first);
    add_paragraph(r, last.data, ' ', 2);
    if (first.len)
        add_paragraph(r, first.data, ' ', 2);
    text_free(&last);
    text_free(&first);
}

static void add_spec(const struct render *r)
{
    struct text line = {0};
    if (r->c->judged_by)
        text_printf(&line, "judged by %s", r->c->judged_by);
    else
        text_printf(&line, "judged as a%s %s%s", strchr("aeiou", r->c->spec[0]) ? "n" : "", r->c->spec,
                    r->c->spec_inferred ? " (inferred from the operations; --spec names another)" : "");
    add_paragraph(r, line.data, ' ', 2);
    text_free(&line);
}

static void add_origin(const struct render *r)
{
    const struct report_counterexample *c = r->c;
    struct text line = {0};
    if (c->found_by)
        text_printf(&line, "found by %s", c->found_by);
    if (c->confirmed_by)
        text_printf(&line, "%sconfirmed by %s", line.len ? ", " : "", c->confirmed_by);
    if (c->excerpt) {
        text_puts(&line, line.len ? "; excerpt of " : "excerpt of ");
        prose_number(&line, c->total_ops);
        text_puts(&line, " operations");
    } else if (c->total_ops > c->op_count) {
        text_puts(&line, line.len ? "; shrunk from " : "shrunk from ");
        prose_number(&line, c->total_ops);
        text_puts(&line, " to ");
        prose_number(&line, c->op_count);
        text_printf(&line, " operation%s", c->op_count == 1 ? "" : "s");
        if (!c->minimal)
            text_puts(&line, " (fewer may do)");
    }
    if (line.len)
        add_paragraph(r, line.data, ' ', 2);
    text_free(&line);
}

/* --- the execution ------------------------------------------------------------------------------ */

/* What each thread of a deadlock waits for, on a line of its own. */
static void add_waits(const struct render *r)
{
    const struct report_execution *x = r->c->execution;
    struct prose p = {' ', 2 * INDENT, r->style->columns, SIZE_MAX, r->more};
    for (size_t k = 0; k < x->wait_count; k++) {
        struct text line = {0};
        terminal_add_safe(&line, x->waits[k]);
        text_repeat(r->out, " ", p.indent);
        prose_wrap(r->out, line.data, &p);
        text_free(&line);
    }
}

/* What is wrong with an execution that is not about a history. */
static void add_error(const struct render *r)
{
    const struct report_counterexample *c = r->c;
    struct text why = {0};
    terminal_add_safe(r->out, c->execution->place ? c->execution->place : c->file);
    text_printf(r->out, ": error: %s [PL%04d]\n", c->one_line, c->code);
    terminal_add_safe(&why, c->execution->wait_count ? c->execution->waits_begin : c->why);
    text_puts(&why, c->execution->wait_count ? ":" : ".");
    add_paragraph(r, why.data, ' ', SIZE_MAX);
    text_free(&why);
    add_waits(r);
}

static void add_stack(const struct render *r, const struct report_stack *s)
{
    for (size_t k = 0; k < s->count; k++) {
        text_printf(r->out, k ? "      by " : "    T%" PRIu32 " ", s->thread);
        text_printf(r->out, "%s\n", s->frames[k]);
    }
}

static void add_remarks(const struct render *r)
{
    const struct report_execution *x = r->c->execution;
    for (size_t k = 0; k < x->remark_count; k++) {
        text_puts(r->out, k ? "" : "\n");
        add_paragraph(r, x->remarks[k], ' ', REMARK_LINES);
    }
}

static void add_execution(const struct render *r)
{
    const struct report_execution *x = r->c->execution;
    if (x->calls)
        calls_draw(r->out, x->calls, r->style);
    for (size_t k = 0; k < x->stack_count && !x->calls; k++)
        add_stack(r, &x->stacks[k]);
    text_puts(r->out, x->event_count ? "\n" : "");
    struct interleaving table = {.events = x->events,
                                 .count = x->event_count,
                                 .cited = x->cited,
                                 .cited_count = x->cited_count,
                                 .is_full = r->style->full,
                                 .around = r->style->around};
    interleaving_draw(r->out, &table, r->style);
    if (x->left_out)
        text_printf(r->out, "  of %" PRIu64 " steps, those from %" PRIu64 " to %" PRIu64 " were not kept\n",
                    x->steps, x->left_out_from, x->left_out_from + x->left_out - 1);
    add_remarks(r);
}

/* --- all together ------------------------------------------------------------------------------- */

static void add_history(const struct render *r)
{
    const struct report_counterexample *c = r->c;
    add_headline(r);
    if (c->why)
        add_paragraph(r, c->why, ' ', WHY_LINES);
    text_puts(r->out, "\n");
    add_place(r);
    lanes_draw(r->out, c, r->style);
    add_legal_order(r);
    add_others(r);
    if (c->left_out_count)
        add_left_out(r);
    if (c->moment)
        add_moment(r);
    text_puts(r->out, "\n");
    set_color(r, "2");
    if (c->spec)
        add_spec(r);
    add_origin(r);
    /* Never wrapped: it is there to be copied. */
    if (c->replay)
        text_printf(r->out, "  replay: %s\n", c->replay);
    end_color(r);
}

void report_terminal(struct text *out, const struct report_counterexample *c,
                     const struct report_style *style)
{
    struct render r = {out, c->explained ? c->explained : c, style, style->unicode ? "…" : ".."};
    if (c->explained || !c->execution)
        add_history(&r);
    else
        add_error(&r);
    r.c = c;
    if (c->execution)
        add_execution(&r);
}
