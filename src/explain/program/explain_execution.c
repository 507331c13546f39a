/* SPDX-License-Identifier: Apache-2.0 */
#include "explain/program/explain_execution.h"

#include "base/diagnostic.h"
#include "base/terminal.h"
#include "explain/program/explain_calls.h"
#include "explain/program/explain_error.h"
#include "explain/program/explain_events.h"
#include "explain/program/explain_memory.h"
#include "explain/program/explain_reason.h"
#include "explain/program/explain_sources.h"
#include "explain/program/explain_waits.h"
#include "graph/model.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------ the error */

static void find_place(struct explained_execution *s, struct symbols *symbols,
                       const struct worker_shared *shared)
{
    const struct worker_stack *stack = &shared->error.stacks[0];
    struct symbol_place place = {0};
    struct text t = {0};
    uint64_t pc = explain_find_place(symbols, stack);
    if (pc)
        symbols_add_place(symbols, pc, &t);
    if (t.len)
        s->execution.place = text_keep(&t, &s->arena);
    text_free(&t);
    if (pc && symbols_line(symbols, pc, &place) && place.shown.file && place.shown.line) {
        text_puts(&t, place.shown.file);
        s->execution.file = text_keep(&t, &s->arena);
        s->execution.line = place.shown.line;
    }
}

/* What the macros of plumb.h make of parts of a harness has their names. */
static void add_function(const char *function, struct text *out)
{
    static const struct {
        const char *prefix, *word;
    } parts[] = {{"plumb_op_op_", "operation "}, {"plumb_op_on_", "operation "}, {"plumb_body_", ""}};
    for (size_t k = 0; function && k < sizeof parts / sizeof *parts; k++)
        if (strncmp(function, parts[k].prefix, strlen(parts[k].prefix)) == 0) {
            const char *name = function + strlen(parts[k].prefix);
            text_printf(out, "%s%.*s", parts[k].word, (int)strcspn(name, "("), name);
            return;
        }
    text_puts(out, function ? function : "?");
}

static const char *name_frame(struct explained_execution *s, struct symbols *symbols, uint64_t pc)
{
    struct symbol_place place = {0};
    struct text t = {0};
    symbols_line(symbols, pc, &place);
    add_function(place.shown.function, &t);
    text_puts(&t, " at ");
    symbols_add_place(symbols, pc, &t);
    return text_keep(&t, &s->arena);
}

/* The frame that calls an operation, and what calls that, are ours. */
static size_t count_own(struct symbols *symbols, const uint64_t *pcs, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        struct symbol_place place = {0};
        if (symbols_line(symbols, pcs[i], &place) && place.at.function &&
            strncmp(place.at.function, "plumb_run_", strlen("plumb_run_")) == 0)
            return i;
    }
    return count;
}

/* Does the frame say where in the user's program it is? What std::thread calls between does not. */
static bool is_of_user(struct symbols *symbols, uint64_t pc)
{
    struct symbol_place place = {0};
    return symbols_line(symbols, pc, &place) && place.at.file && place.at.line && !place.library;
}

/* How many innermost frames are of libraries without lines; 0 if all are. */
static size_t count_foreign(struct symbols *symbols, const uint64_t *pcs, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct symbol_place place = {0};
        if (symbols_line(symbols, pcs[i], &place) && place.at.file && place.at.line)
            return i;
    }
    return 0;
}

static void find_stacks(struct explained_execution *s, struct symbols *symbols,
                        const struct worker_error *error)
{
    enum { STACKS = sizeof error->stacks / sizeof *error->stacks };
    struct report_stack *stacks = arena_alloc(&s->arena, STACKS * sizeof *stacks);
    s->execution.stacks = stacks;
    for (uint32_t k = 0; k < error->stack_count && k < STACKS; k++) {
        const struct worker_stack *from = &error->stacks[k];
        size_t count = from->count < PROTOCOL_STACK ? from->count : PROTOCOL_STACK;
        size_t first = count_foreign(symbols, from->pcs, count);
        count = first + count_own(symbols, from->pcs + first, count - first);
        const char **frames = arena_alloc(&s->arena, (count - first) * sizeof *frames + 1);
        size_t kept = 0;
        for (size_t i = first; i < count; i++)
            if (i == first || is_of_user(symbols, from->pcs[i]))
                frames[kept++] = name_frame(s, symbols, from->pcs[i]);
        stacks[s->execution.stack_count++] = (struct report_stack){from->thread, frames, kept};
    }
}

/* Why the memory model allows what is marked as stale, and why nothing orders the accesses of a race. */
static void find_remarks(struct explained_execution *s, struct story *t)
{
    const struct worker_shared *shared = t->shared;
    bool too_long = shared->events_lost || shared->event_count > PROTOCOL_RELATIONS;
    if (model_find(shared->config.memory) && too_long && !shared->relation_count)
        story_say(t, "The execution is too long to mark its stale reads.\n");
    explain_unordered(t);
    explain_waits_signals(t);
    explain_memory_pointer(t);
    explain_calls_remark(&s->execution, t);
    explain_changes_remark(t, &s->test, &s->execution);
    explain_stale_explain(t);
    size_t count = 0;
    for (size_t k = 0; k < t->text.len; k++)
        count += t->text.data[k] == '\n';
    char *lines = text_keep(&t->text, &s->arena);
    const char **remarks = arena_alloc(&s->arena, count * sizeof *remarks + 1);
    for (size_t k = 0; k < count; k++) {
        remarks[k] = lines;
        lines += strcspn(lines, "\n");
        *lines++ = 0;
    }
    s->execution.remarks = remarks;
    s->execution.remark_count = count;
}

static void take_cited(struct explained_execution *s, const struct story *t)
{
    uint32_t *cited = arena_alloc(&s->arena, t->cited.len * sizeof *cited + 1);
    if (t->cited.len)
        memcpy(cited, t->cited.data, t->cited.len * sizeof *cited);
    s->execution.cited = cited;
    s->execution.cited_count = t->cited.len;
}

/* ------------------------------------------------------------------ together */

static void take_history(struct explained_execution *s, bool pictures)
{
    struct explanation *e = &s->test.explanation;
    if (pictures)
        explain_history(e, s->test.judged, false);
    s->counterexample.explained = &e->counterexample;
    s->counterexample.history = e->counterexample.history;
    s->counterexample.one_line = e->counterexample.one_line;
}

/* After the events were walked, too. */
static void take_headline(struct explained_execution *s, struct symbols *symbols,
                          const struct worker_shared *shared)
{
    struct text t = {0};
    explain_add_headline(&t, shared, symbols);
    s->counterexample.one_line = text_keep(&t, &s->arena);
}

static void fill_counterexample(struct explained_execution *s, const char *name,
                                const struct worker_shared *shared)
{
    struct report_counterexample *c = &s->counterexample;
    c->kind = error_word(shared->error.kind);
    c->code = shared->error.kind == WORKER_ERROR_UNINITIALISED ? PL_UNINITIALISED
                                                               : explain_calls_code(shared->error.kind);
    c->file = name;
    c->confirmed_by = shared->history_length  ? "replay in a new process, monitor"
                      : shared->judged_partly ? "replay in a new process, another search"
                                              : "replay in a new process";
    c->execution = &s->execution;
}

void explain_execution(struct explained_execution *s, const char *name, const struct worker_shared *shared,
                       const struct pipeline_input *judged, bool pictures)
{
    struct symbols *symbols = explain_symbols(shared);
    struct story story = {.shared = shared, .symbols = symbols};
    *s = (struct explained_execution){0};
    struct report_execution *x = &s->execution;
    x->phase = phase_word(shared->error.phase);
    x->steps = (uint64_t)shared->event_count + shared->events_lost;
    if (explain_test_open(&s->test, shared, judged, symbols))
        take_history(s, pictures);
    explain_events_collect(&story, &s->test, &s->arena, x);
    if (!s->counterexample.explained)
        take_headline(s, symbols, shared);
    if (shared->error.kind == WORKER_ERROR_DEADLOCK)
        explain_waits_list(&story, &s->arena, x);
    explain_reason(&story);
    s->counterexample.why = text_keep(&story.text, &s->arena);
    find_place(s, symbols, shared);
    explain_calls_collect(shared, symbols, &s->arena, x);
    find_stacks(s, symbols, &shared->error);
    find_remarks(s, &story);
    take_cited(s, &story);
    if (pictures)
        explain_sources(x, &s->arena);
    fill_counterexample(s, name, shared);
    story_free(&story);
    symbols_close(symbols);
}

/* ------------------------------------------------------------------ what it printed */

static bool ends_itself(enum worker_error_kind kind)
{
    return kind == WORKER_ERROR_EXIT || kind == WORKER_ERROR_ABORT || kind == WORKER_ERROR_EXCEPTION;
}

/* Where the last `lines` lines begin that are not empty. */
static const char *last_lines(const char *output, const char *end, unsigned lines)
{
    const char *from = end;
    for (const char *at = end; at > output && lines; at--) {
        bool begins = at - 1 == output || at[-2] == '\n';
        if (begins && at[-1] != '\n') {
            from = at - 1;
            lines--;
        }
    }
    return from;
}

/* "first", "second" */
static void add_lines(struct text *t, const char *from, const char *end)
{
    enum { MOST = 200 }; /* bytes of a line */
    const char *divider = "";
    while (from < end) {
        const char *stop = memchr(from, '\n', (size_t)(end - from));
        size_t length = (size_t)((stop ? stop : end) - from);
        if (length) {
            struct text line = {0};
            text_add(&line, from, length < MOST ? length : MOST);
            text_printf(t, "%s\"", divider);
            terminal_add_safe(t, line.data);
            text_printf(t, "%s\"", length > MOST ? "..." : "");
            text_free(&line);
            divider = ", ";
        }
        from += length + 1;
    }
}

static void add_remark(struct explained_execution *s, struct text *remark)
{
    struct report_execution *x = &s->execution;
    const char **remarks = arena_alloc(&s->arena, (x->remark_count + 1) * sizeof *remarks);
    for (size_t k = 0; k < x->remark_count; k++)
        remarks[k] = x->remarks[k];
    remarks[x->remark_count++] = text_keep(remark, &s->arena);
    x->remarks = remarks;
}

void explain_execution_add_output(struct explained_execution *s, struct target_worker *worker)
{
    enum { LINES = 3 };
    size_t length;
    uint64_t lost;
    const char *output = target_output(worker, &length, &lost), *end = output + length;
    struct text t = {0};
    const char *from = last_lines(output, end, LINES);
    if (!ends_itself(target_shared(worker)->error.kind) || from == end)
        return;
    text_puts(&t, from == output && !lost ? "It printed " : "The last that it printed is ");
    add_lines(&t, from, end);
    text_puts(&t, ".");
    add_remark(s, &t);
}

void explain_execution_free(struct explained_execution *s)
{
    explain_test_close(&s->test);
    arena_free(&s->arena);
}
