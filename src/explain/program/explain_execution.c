/* SPDX-License-Identifier: Apache-2.0 */
#include "explain/program/explain_execution.h"

#include "base/diagnostic.h"
#include "explain/program/explain_calls.h"
#include "explain/program/explain_error.h"
#include "explain/program/explain_events.h"
#include "explain/program/explain_sources.h"
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
    if (pc && symbols_line(symbols, pc, &place) && place.at.file && place.at.line) {
        text_puts(&t, place.at.file);
        s->execution.file = text_keep(&t, &s->arena);
        s->execution.line = place.at.line;
    }
}

/* " at ring.c:41..44": the lines of the loop that are in the file of the step where the thread is. */
static void add_lines(struct symbols *symbols, const struct worker_round *r, struct text *out)
{
    struct symbol_place at, place;
    if (!r->count || !symbols_line(symbols, r->pcs[r->count - 1], &at) || !at.at.file || !at.at.line)
        return;
    char *file = strdup(at.at.file);
    uint32_t first = at.at.line, last = first;
    for (uint32_t k = 0; k < r->count; k++)
        if (symbols_line(symbols, r->pcs[k], &place) && place.at.file && strcmp(place.at.file, file) == 0) {
            first = place.at.line && place.at.line < first ? place.at.line : first;
            last = place.at.line > last ? place.at.line : last;
        }
    text_printf(out, " at %s:%" PRIu32, file, first);
    if (last > first)
        text_printf(out, "..%" PRIu32, last);
    free(file);
}

/* The message names threads that go round for ever; here their loops get their names. */
static void add_loops(struct symbols *symbols, const struct worker_error *error, struct text *out)
{
    const char *rest = error->message;
    for (uint32_t k = 0; k < error->round_count; k++) {
        char words[48];
        snprintf(words, sizeof words, "T%" PRIu32 " goes round for ever", error->rounds[k].thread);
        const char *found = strstr(rest, words);
        if (!found)
            continue;
        found += strlen(words);
        text_add(out, rest, (size_t)(found - rest));
        add_lines(symbols, &error->rounds[k], out);
        rest = found;
    }
    text_puts(out, rest);
}

/* After the events were walked, so that memory of the heap has its names. */
static const char *find_reason(struct explained_execution *s, struct symbols *symbols,
                               const struct worker_error *error)
{
    struct text t = {0};
    if (explain_calls_code(error->kind) != PL_EXECUTION)
        explain_name_pointers(symbols, error->message, strnlen(error->message, sizeof error->message), &t);
    else
        add_loops(symbols, error, &t);
    if (error->kind == WORKER_ERROR_RACE) {
        text_puts(&t, ": ");
        if (*error->object)
            text_puts(&t, error->object);
        else
            symbols_location(symbols, error->address, 0, &t);
    }
    return text_keep(&t, &s->arena);
}

static const char *name_frame(struct explained_execution *s, struct symbols *symbols, uint64_t pc)
{
    struct symbol_place place = {0};
    struct text t = {0};
    symbols_line(symbols, pc, &place);
    text_printf(&t, "%s at ", place.at.function ? place.at.function : "?");
    symbols_add_place(symbols, pc, &t);
    return text_keep(&t, &s->arena);
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
        const char **frames = arena_alloc(&s->arena, count * sizeof *frames + 1);
        for (size_t i = 0; i < count; i++)
            frames[i] = name_frame(s, symbols, from->pcs[i]);
        stacks[s->execution.stack_count++] = (struct report_stack){from->thread, frames, count};
    }
}

/* Why the memory model allows what is marked as stale, and why nothing orders the accesses of a race. */
static void find_remarks(struct explained_execution *s, struct symbols *symbols,
                         const struct worker_shared *shared)
{
    struct text t = {0};
    bool too_long = shared->events_lost || shared->event_count > PROTOCOL_RELATIONS;
    if (model_find(shared->config.memory) && too_long && !shared->relation_count)
        text_puts(&t, "The execution is too long to mark its stale reads.\n");
    explain_unordered(shared, symbols, &t);
    explain_calls_remark(&s->execution, &t);
    explain_stale_explain(shared, symbols, &t);
    size_t count = 0;
    for (size_t k = 0; k < t.len; k++)
        count += t.data[k] == '\n';
    char *lines = (char *)text_keep(&t, &s->arena);
    const char **remarks = arena_alloc(&s->arena, count * sizeof *remarks + 1);
    for (size_t k = 0; k < count; k++) {
        remarks[k] = lines;
        lines += strcspn(lines, "\n");
        *lines++ = 0;
    }
    s->execution.remarks = remarks;
    s->execution.remark_count = count;
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
    *s = (struct explained_execution){0};
    struct report_execution *x = &s->execution;
    x->phase = phase_word(shared->error.phase);
    x->steps = (uint64_t)shared->event_count + shared->events_lost;
    if (explain_test_open(&s->test, shared, judged, symbols))
        take_history(s, pictures);
    explain_events_collect(shared, symbols, &s->test, &s->arena, x);
    if (!s->counterexample.explained)
        take_headline(s, symbols, shared);
    s->counterexample.why = find_reason(s, symbols, &shared->error);
    find_place(s, symbols, shared);
    explain_calls_collect(shared, symbols, &s->arena, x);
    find_stacks(s, symbols, &shared->error);
    find_remarks(s, symbols, shared);
    if (pictures)
        explain_sources(x, &s->arena);
    fill_counterexample(s, name, shared);
    symbols_close(symbols);
}

void explain_execution_free(struct explained_execution *s)
{
    explain_test_close(&s->test);
    arena_free(&s->arena);
}
