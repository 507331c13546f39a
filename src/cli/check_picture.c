/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/check_picture.h"

#include "base/vec.h"
#include "cli/check_events.h"
#include "cli/check_report.h"
#include "cli/check_sources.h"
#include "cli/check_stale.h"
#include "cli/check_unordered.h"

#include <string.h>

/* ------------------------------------------------------------------ the error */

static void tell_place(struct check_picture *s, struct symbols *symbols, const struct worker_shared *shared)
{
    const struct worker_stack *stack = &shared->error.stacks[0];
    struct symbol_place place = {0};
    struct text t = {0};
    uint64_t pc = check_report_find_place(symbols, stack);
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

/* After the events were walked, so that memory of the heap has its names. */
static void tell_why(struct check_picture *s, struct symbols *symbols, const struct worker_shared *shared)
{
    struct text t = {0};
    text_puts(&t, shared->error.message);
    if (shared->error.kind == WORKER_ERROR_RACE) {
        text_puts(&t, ": ");
        symbols_location(symbols, shared->error.address, 0, &t);
    }
    s->counterexample.why = text_keep(&t, &s->arena);
}

static void tell_remarks(struct check_picture *s, struct symbols *symbols, const struct worker_shared *shared)
{
    struct text t = {0};
    check_unordered_explain(shared, symbols, &t);
    check_stale_explain(shared, symbols, &t);
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

/* ------------------------------------------------------------------ the history */

/* Steps of a thread from the call of an operation of the history to its return are the operation's. */
static void tell_operations(struct check_picture *s, const struct worker_shared *shared)
{
    enum { THREADS = 256 };
    struct report_event *events = (struct report_event *)s->execution.events;
    uint32_t current[THREADS], k = 0;
    memset(current, 0xff, sizeof current);
    for (size_t n = 0; n < s->execution.event_count; n++) {
        while (check_events_step(shared, k) < events[n].id)
            k++;
        const struct event *e = &shared->events[k];
        if (e->kind == EVENT_OP_CALL)
            current[e->thread % THREADS] = e->value < STORY_OPS ? s->story.op_of[e->value] : REPORT_NOTHING;
        events[n].op = current[e->thread % THREADS];
        if (e->kind == EVENT_OP_RETURN)
            current[e->thread % THREADS] = REPORT_NOTHING;
    }
}

static void tell_history(struct check_picture *s, const struct worker_shared *shared, bool pictures)
{
    struct explanation *e = &s->story.explanation;
    if (pictures)
        explain_history(e, &s->story.in, false);
    s->counterexample.explained = &e->counterexample;
    s->counterexample.history = e->counterexample.history;
    s->counterexample.one_line = e->counterexample.one_line;
    tell_operations(s, shared);
}

/* ------------------------------------------------------------------ together */

static void tell_headline(struct check_picture *s, const struct worker_shared *shared)
{
    struct text t = {0};
    check_report_add_headline(&t, shared);
    s->counterexample.one_line = text_keep(&t, &s->arena);
}

void check_picture_tell(struct check_picture *s, const char *name, const struct worker_shared *shared,
                        bool pictures)
{
    struct symbols *symbols = check_report_symbols(shared);
    *s = (struct check_picture){0};
    struct report_execution *x = &s->execution;
    x->phase = check_phase_word(shared->error.phase);
    x->steps = (uint64_t)shared->event_count + shared->events_lost;
    check_events_collect(shared, symbols, &s->arena, x);
    if (check_story_open(&s->story, name, shared, symbols))
        tell_history(s, shared, pictures);
    else
        tell_headline(s, shared);
    tell_why(s, symbols, shared);
    tell_place(s, symbols, shared);
    tell_remarks(s, symbols, shared);
    if (pictures)
        check_sources_read(x, &s->arena);
    s->counterexample.kind = check_error_word(shared->error.kind);
    s->counterexample.file = name;
    s->counterexample.confirmed_by = shared->history_length  ? "replay in a new process, monitor"
                                     : shared->judged_partly ? "replay in a new process, another search"
                                                             : "replay in a new process";
    s->counterexample.execution = x;
    symbols_close(symbols);
}

void check_picture_tell_error(struct check_picture *s, const struct check *c, const struct check_error *e,
                              bool pictures)
{
    check_picture_tell(s, c->files.data[0], target_shared(e->confirmation.again), pictures);
    struct report_execution *x = &s->execution;
    x->number = e->number;
    x->executions = check_lists_errors(&c->options) ? e->executions : 0;
    if (!e->confirmation.told)
        x->steps = e->steps;
    bool serial = e->error->kind == WORKER_ERROR_NONDETERMINISTIC; /* the memory model has no part in it */
    if ((c->options.mode == WORKER_GRAPH || c->interleaved) && !serial)
        x->memory = check_memory_name(&c->options);
    x->under_sc = check_sc_word(&e->sc);
    x->trace = e->trace;
}

void check_picture_free(struct check_picture *s)
{
    check_story_close(&s->story);
    arena_free(&s->arena);
}
