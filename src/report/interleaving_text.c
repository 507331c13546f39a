/* SPDX-License-Identifier: Apache-2.0 */
#include "report/interleaving_text.h"

#include "base/terminal.h"
#include "report/prose.h"

#include <inttypes.h>

enum { KIND_COLUMNS = 8 }; /* kind and memory order, so that locations stand below each other */

const char *report_ellipsis(const struct report_style *style)
{
    return style->unicode ? "…" : "..";
}

void interleaving_thread_name(uint32_t thread, struct text *out)
{
    if (thread == REPORT_NOTHING)
        text_puts(out, "others");
    else
        text_printf(out, "T%" PRIu32, thread);
}

static void add_location(const struct report_event *r, struct text *out)
{
    terminal_add_safe(out, r->location ? r->location : "?");
}

/* "R acq   s.top = node#1 (from 7)" */
static void add_access(const struct report_event *r, const char *arrow, bool brief, struct text *out)
{
    size_t start = out->len;
    text_printf(out, "%s%s%s", r->kind, r->order ? " " : "", r->order ? r->order : "");
    size_t columns = out->len - start;
    text_repeat(out, " ", columns < KIND_COLUMNS ? KIND_COLUMNS - columns : 1);
    add_location(r, out);
    if (!r->found && !r->written)
        return;
    bool both = r->found && r->written;
    text_puts(out, both ? ": " : " = ");
    terminal_add_safe(out, r->found ? r->found : r->written);
    text_puts(out, both ? arrow : "");
    terminal_add_safe(out, both ? r->written : "");
    if (r->stale && r->source && !r->source_plain && !r->guilty && !brief)
        text_printf(out, " (from %" PRIu32 ")", r->source);
}

static void add_other(const struct report_event *r, bool brief, struct text *out)
{
    text_puts(out, r->kind);
    if (r->event == EVENT_FENCE && r->order)
        text_printf(out, " %s", r->order);
    if (r->other != REPORT_NOTHING) {
        text_puts(out, " ");
        interleaving_thread_name(r->other, out);
    }
    if (r->location) {
        text_puts(out, r->event == EVENT_FREE ? "(" : " ");
        add_location(r, out);
        text_puts(out, r->event == EVENT_FREE ? ")" : "");
    }
    if (r->function && !brief) {
        text_puts(out, " in ");
        terminal_add_safe(out, r->function);
    }
    if (r->operation) {
        text_puts(out, " ");
        terminal_add_safe(out, r->operation);
        terminal_add_safe(out, r->answer ? r->answer : "");
    }
}

static bool is_access(unsigned kind)
{
    return kind == EVENT_READ || kind == EVENT_WRITE || kind == EVENT_UPDATE || kind == EVENT_CAS_FAILED ||
           kind == EVENT_PLAIN_READ || kind == EVENT_PLAIN_WRITE;
}

void interleaving_step_text(const struct report_event *r, const struct report_style *style, bool named,
                            bool brief, struct text *out)
{
    if (named) {
        interleaving_thread_name(r->thread, out);
        text_puts(out, ": ");
    }
    if (r->text)
        terminal_add_safe(out, r->text);
    else if (is_access(r->event))
        add_access(r, style->unicode ? " → " : " -> ", brief, out);
    else
        add_other(r, brief, out);
}

static void add_number_word(struct text *out, size_t n)
{
    static const char *const words[] = {"no", "one", "two", "three", "four", "five", "six", "seven", "eight"};
    if (n < sizeof words / sizeof *words)
        text_puts(out, words[n]);
    else
        prose_number(out, n);
}

void interleaving_fold_text(const struct interleaving *x, const struct interleaving_line *line,
                            const struct report_style *style, struct text *out)
{
    const char *plural = line->steps == 1 ? "" : "s";
    if (line->kind == INTERLEAVING_LOOP) {
        text_puts(out, style->unicode ? "(×" : "(x");
        prose_number(out, line->times);
        text_puts(out, " the same ");
        if (line->steps > 1) {
            add_number_word(out, line->steps);
            text_puts(out, " ");
        }
        text_printf(out, "step%s)", plural);
        return;
    }
    text_printf(out, "%s ", report_ellipsis(style));
    prose_number(out, line->steps);
    const char *which = line->kind == INTERLEAVING_EARLIER ? " earlier"
                        : line->kind == INTERLEAVING_LATER ? " later"
                                                           : "";
    text_printf(out, "%s step%s", which, plural);
    if (line->kind == INTERLEAVING_SKIPPED) {
        text_puts(out, " of ");
        interleaving_thread_name(x->events[line->row].thread, out);
    }
}
