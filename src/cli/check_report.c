/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/check_report.h"

#include "base/diagnostic.h"
#include "base/memory.h"
#include "base/terminal.h"
#include "base/vec.h"
#include "cli/check_events.h"
#include "cli/check_marks.h"
#include "cli/check_stale.h"
#include "cli/check_unordered.h"
#include "cli/check_story.h"
#include "graph/model.h"
#include "report/interleaving.h"
#include "report/prose.h"
#include "target/symbols/symbols.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const char *word, *text;
} error_kinds[] = {
#define X(name, word, text) {word, text},
    WORKER_ERRORS(X)
#undef X
};

enum { ERROR_KINDS = sizeof error_kinds / sizeof *error_kinds };

const char *check_error_word(uint32_t kind)
{
    return kind < ERROR_KINDS ? error_kinds[kind].word : "unknown";
}

const char *check_error_text(uint32_t kind)
{
    return kind < ERROR_KINDS ? error_kinds[kind].text : "unknown error";
}

const char *check_phase_word(uint32_t phase)
{
    switch (phase) {
    case WORKER_STARTING:
    case WORKER_PREPARING: return "start";
    case WORKER_SETUP: return "setup";
    default: return "execution";
    }
}

/* ------------------------------------------------------------------ rows of the interleaving */

struct rows {
    const struct worker_shared *shared;
    const struct check_story *story;
    struct symbols *symbols;
    struct arena arena; /* of all texts */
    VEC(struct interleaving_row) rows;
};

static const char *keep_text(struct rows *r, struct text *t)
{
    return t->len ? text_keep(t, &r->arena) : NULL;
}

static bool has_value(const struct event *e)
{
    return e->kind == EVENT_READ || e->kind == EVENT_WRITE || e->kind == EVENT_UPDATE ||
           e->kind == EVENT_CAS_FAILED;
}

/* The operation, and what it answered when it returns. */
static const char *operation_label(struct rows *r, const struct event *e)
{
    struct text t = {0};
    check_events_operation(r->shared, e, &t);
    if (e->kind == EVENT_OP_RETURN)
        check_story_add_answer(r->story, (uint32_t)e->value, &t);
    const char *label = keep_text(r, &t);
    text_free(&t);
    return label;
}

static void add_row(struct rows *r, const struct event *e, uint32_t step)
{
    struct text t = {0};
    struct interleaving_row row = {.step = step,
                                   .thread = e->thread,
                                   .kind = e->kind,
                                   .order = e->order,
                                   .size = e->size,
                                   .has_value = has_value(e),
                                   .before = e->before,
                                   .value = e->value};
    if (e->kind == EVENT_ALLOC)
        symbols_add_heap(r->symbols, e->address, e->value, e->pc);
    if (e->address && e->kind != EVENT_JOIN)
        symbols_location(r->symbols, e->address, e->size, &t);
    row.location = keep_text(r, &t);
    if (row.has_value) {
        symbols_value(r->symbols, e->address, e->size, e->before, &t);
        row.before_text = keep_text(r, &t);
        symbols_value(r->symbols, e->address, e->size, e->value, &t);
        row.value_text = keep_text(r, &t);
    }
    if (e->pc)
        symbols_add_place(r->symbols, e->pc, &t);
    row.place = keep_text(r, &t);
    if (e->kind == EVENT_OP_CALL || e->kind == EVENT_OP_RETURN)
        row.operation = operation_label(r, e);
    vec_push(&r->rows, row);
    text_free(&t);
}

/* The last row is that of event k. */
static void mark_row(struct rows *r, const struct check_marks *m, uint32_t k)
{
    struct interleaving_row *row = &vec_last(&r->rows);
    const struct worker_relation *relation = check_relation(r->shared, k);
    struct text t = {0};
    row->guilty = k == m->first || k == m->last;
    if (check_events_note(r->shared, r->symbols, m, k, &t))
        row->note = keep_text(r, &t);
    if (relation && relation->stale && !row->guilty && k != m->freed)
        row->from = relation->source_plain ? 0 : relation->source;
    text_free(&t);
}

static void add_rows(struct rows *r)
{
    const struct worker_shared *s = r->shared;
    struct check_marks marks = check_marks_find(s);
    for (uint32_t k = 0; k < s->event_count; k++) {
        if (s->events[k].kind == EVENT_ALLOC)
            symbols_add_heap(r->symbols, s->events[k].address, s->events[k].value, s->events[k].pc);
        if (!check_events_is_shown(s, k))
            continue;
        add_row(r, &s->events[k], check_events_step(s, k));
        mark_row(r, &marks, k);
    }
}

static void add_interleaving(struct text *out, struct symbols *symbols, const struct check_story *story,
                             const struct report_style *style)
{
    const struct worker_shared *s = story->shared;
    struct rows r = {.shared = s, .symbols = symbols, .story = story};
    add_rows(&r);
    const char *names[64];
    char texts[64][8];
    for (uint32_t t = 0; t < 64; t++) {
        snprintf(texts[t], sizeof texts[t], "T%u", t);
        names[t] = texts[t];
    }
    struct interleaving x = {.rows = r.rows.data,
                             .count = r.rows.len,
                             .threads = names,
                             .plain = true, /* the trace has those that were asked for */
                             .thread_count = s->thread_count < 64 ? s->thread_count : 64};
    if (x.count)
        text_puts(out, "\n");
    interleaving_draw(out, &x, style);
    if (s->events_lost)
        text_printf(out, "  of %" PRIu64 " steps, those from %u to %" PRIu64 " were not kept\n",
                    (uint64_t)s->event_count + s->events_lost, PROTOCOL_EVENTS_FIRST + 1,
                    (uint64_t)PROTOCOL_EVENTS_FIRST + s->events_lost);
    vec_free(&r.rows);
    arena_free(&r.arena);
}

/* ------------------------------------------------------------------ the whole report */

struct symbols *check_report_symbols(const struct worker_shared *s)
{
    struct diagnostic ignored = {0};
    return symbols_open(s->modules, s->module_count, &ignored);
}

static void add_stack(struct text *out, struct symbols *symbols, const struct worker_stack *stack)
{
    for (uint32_t k = 0; k < stack->count && k < PROTOCOL_STACK; k++) {
        struct symbol_place place = {0};
        symbols_line(symbols, stack->pcs[k], &place);
        text_printf(out, k ? "      by " : "    T%u ", stack->thread);
        text_puts(out, place.at.function ? place.at.function : "?");
        text_puts(out, " at ");
        symbols_add_place(symbols, stack->pcs[k], out);
        text_puts(out, "\n");
    }
}

static const char *phase_text(uint32_t phase)
{
    switch (phase) {
    case WORKER_STARTING:
    case WORKER_PREPARING: return " before main";
    case WORKER_SETUP: return " in the set-up of the harness";
    default: return "";
    }
}

/* "  message.", in as many lines as it takes. */
static void add_message(struct text *out, struct symbols *symbols, const struct worker_error *error,
                        const struct report_style *style)
{
    struct prose prose = {.separator = ' ', .indent = 2, .columns = style->columns, .lines_max = SIZE_MAX};
    struct text t = {0};
    terminal_add_safe(&t, error->message);
    if (error->kind == WORKER_ERROR_RACE) {
        text_puts(&t, ": ");
        if (*error->object)
            terminal_add_safe(&t, error->object);
        else
            symbols_location(symbols, error->address, 0, &t);
    }
    text_puts(&t, ".");
    text_repeat(out, " ", prose.indent);
    prose_wrap(out, t.data, &prose);
    text_free(&t);
}

uint64_t check_report_find_place(struct symbols *symbols, const struct worker_stack *stack)
{
    struct symbol_place place;
    for (uint32_t k = 0; k < stack->count && k < PROTOCOL_STACK; k++)
        if (symbols_line(symbols, stack->pcs[k], &place))
            return stack->pcs[k];
    return stack->count ? stack->pcs[0] : 0;
}

void check_report_add_headline(struct text *out, const struct worker_shared *s)
{
    bool serial = s->error.kind == WORKER_ERROR_NONDETERMINISTIC; /* the memory model has no part in it */
    text_printf(out, "%s%s", check_error_text(s->error.kind), phase_text(s->error.phase));
    if (model_find(s->config.memory) && !serial)
        text_printf(out, " under %s", model_find(s->config.memory)->name);
    else if (s->config.all_seq_cst && !serial)
        text_puts(out, " under sc");
}

static void add_headline(struct text *out, const char *name, struct symbols *symbols,
                         const struct worker_shared *s, const struct report_style *style)
{
    const struct worker_stack *stack = &s->error.stacks[0];
    size_t start = out->len;
    if (stack->count)
        symbols_add_place(symbols, check_report_find_place(symbols, stack), out);
    if (out->len == start)
        text_puts(out, name);
    text_puts(out, ": error: ");
    check_report_add_headline(out, s);
    text_printf(out, " [PL%04d]\n",
                s->error.kind == WORKER_ERROR_UNINITIALISED ? PL_UNINITIALISED : PL_EXECUTION);
    add_message(out, symbols, &s->error, style);
}

/* Why the memory model allows what is marked as stale. */
static void add_stale(struct text *out, struct symbols *symbols, const struct worker_shared *s,
                      const struct report_style *style)
{
    bool too_long = s->events_lost || s->event_count > PROTOCOL_RELATIONS;
    if (model_find(s->config.memory) && too_long && !s->relation_count)
        text_puts(out, "\n  The execution is too long to mark its stale reads.\n");
    struct text why = {0};
    struct prose p = {' ', 2, style->columns, 8, style->unicode ? "…" : ".."};
    check_unordered_explain(s, symbols, &why);
    check_stale_explain(s, symbols, &why);
    for (char *line = why.data, *end; line && *line; line = end + 1) {
        end = strchr(line, '\n');
        *end = 0;
        text_puts(out, line == why.data ? "\n  " : "  ");
        prose_wrap(out, line, &p);
    }
    text_free(&why);
}

void check_report_error(struct text *out, const char *name, const struct worker_shared *shared,
                        const struct report_style *style)
{
    struct symbols *symbols = check_report_symbols(shared);
    struct check_story story;
    if (check_story_open(&story, name, shared, symbols))
        report_terminal(out, &story.explanation.counterexample, style);
    for (uint32_t k = 0; k < shared->event_count; k++)
        if (shared->events[k].kind == EVENT_ALLOC)
            symbols_add_heap(symbols, shared->events[k].address, shared->events[k].value,
                             shared->events[k].pc);
    if (!shared->history_length)
        add_headline(out, name, symbols, shared, style);
    for (uint32_t k = 0; k < shared->error.stack_count && k < 2; k++)
        add_stack(out, symbols, &shared->error.stacks[k]);
    symbols_forget_memory(symbols);
    add_interleaving(out, symbols, &story, style);
    add_stale(out, symbols, shared, style);
    check_story_close(&story);
    symbols_close(symbols);
}

static char *take_place(struct symbols *symbols, uint64_t pc)
{
    struct text t = {0};
    if (pc)
        symbols_add_place(symbols, pc, &t);
    symbols_close(symbols);
    return t.len ? text_take(&t) : NULL;
}

char *check_report_code_function(const struct worker_shared *shared, uint64_t pc)
{
    struct symbols *symbols = check_report_symbols(shared);
    struct symbol_place place = {0};
    struct text t = {0};
    symbols_line(symbols, pc, &place);
    if (place.at.function)
        text_printf(&t, "%s at ", place.at.function);
    symbols_add_place(symbols, pc, &t);
    symbols_close(symbols);
    return text_take(&t);
}

char *check_report_code_place(const struct worker_shared *shared, uint64_t pc)
{
    return take_place(check_report_symbols(shared), pc);
}

char *check_report_place(const struct worker_shared *shared)
{
    struct symbols *symbols = check_report_symbols(shared);
    return take_place(symbols, check_report_find_place(symbols, &shared->error.stacks[0]));
}
