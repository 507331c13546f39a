/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/refine_report.h"

#include "cli/check_sources.h"
#include "cli/refine_steps.h"

#include <inttypes.h>
#include <string.h>

void refine_report(struct text *out, const struct refine_outcome *o, const struct refine_story *s,
                   const struct report_style *style)
{
    report_terminal(out, s->told, style);
    text_puts(out, "\n");
    refine_add_steps(out, o, style);
    refine_add_last_state(out, o);
    if (o->result->is_longer)
        text_puts(out, "\n  perhaps not the shortest: the search for a shorter run met a limit\n");
    else
        text_printf(out, "\n  shortest: no run of fewer than %zu steps fails\n", o->result->run.len);
    text_printf(out, "  replay: %s\n", o->command);
}

/* --- JSON ------------------------------------------------------------------------------------------------ */

static void add_json_step(struct json_writer *w, const struct refine_outcome *o, size_t i)
{
    const struct refine_event *e = &o->result->run.data[i];
    struct refine_place at = o->system->describe(o->system, e->step.place);
    char *text = refine_step_text(o, i), buffer[2000];
    struct text changes = {0};
    json_open_object(w);
    json_key(w, "step"), json_uint(w, i + 1);
    if (e->step.thread != REFINE_NO_THREAD)
        json_key(w, "thread"), json_uint(w, e->step.thread);
    json_member(w, "kind", refine_kind_word(e));
    json_member(w, "text", text);
    refine_add_changes(&changes, o, i);
    if (changes.len)
        json_member(w, "changes", changes.data);
    if (at.file) {
        json_member(w, "file", at.file);
        json_key(w, "line"), json_uint(w, at.line);
    }
    if (o->system->print && e->state && o->system->print(o->system, e->state, buffer, sizeof buffer))
        json_member(w, "state", buffer);
    json_close_object(w);
    text_free(&changes);
    free(text);
}

static void add_json_counterexample(struct json_writer *w, const struct refine_outcome *o,
                                    const struct refine_story *s)
{
    const struct report_counterexample plain = {.kind = s->error,
                                                .file = o->name,
                                                .one_line = s->told->one_line,
                                                .why = s->told->why,
                                                .replay = o->command};
    struct text rendered = {0};
    report_json(&rendered, s->explained ? s->told : &plain);
    json_key(w, "counterexample"), json_raw(w, rendered.data);
    text_free(&rendered);
}

void refine_add_json(struct json_writer *w, const struct refine_outcome *o, const struct refine_story *s)
{
    json_member(w, "error", s->error);
    add_json_counterexample(w, o, s);
    json_key(w, "steps"), json_open_array(w);
    for (size_t i = 0; i < o->result->run.len; i++)
        add_json_step(w, o, i);
    json_close_array(w);
}

/* --- pages, build servers, editors ---------------------------------------------------------------------- */

/* The operation of the history that the step belongs to: stamps are positions in the run, from 1. */
static uint32_t history_op_of(const struct refine_story *s, size_t i, uint8_t thread)
{
    const struct history *h = s->explained ? s->in.history : NULL;
    for (size_t k = 0; h && k < h->ops.len; k++) {
        const struct history_op *op = &h->ops.data[k];
        if (plumb_int_of(h->values, h->thread_names.data[op->thread]) == thread &&
            op->call <= (int64_t)i + 1 && (op->pending || op->ret >= (int64_t)i + 1))
            return (uint32_t)k;
    }
    return REPORT_NOTHING;
}

/* Moves a string, or null, into the arena. */
static const char *keep(char *string, struct arena *arena)
{
    const char *kept = string ? arena_copy(arena, string, strlen(string)) : NULL;
    free(string);
    return kept;
}

static const char *state_after(const struct refine_outcome *o, size_t i, struct arena *arena)
{
    const struct refine_system *s = o->system;
    const uint8_t *state = o->result->run.data[i].state;
    char buffer[2000];
    bool printed = s->print && state && s->print(s, state, buffer, sizeof buffer);
    return printed ? arena_copy(arena, buffer, strlen(buffer)) : NULL;
}

static struct report_event document_step(const struct refine_outcome *o, const struct refine_story *s,
                                         size_t i, struct arena *arena)
{
    const struct refine_event *e = &o->result->run.data[i];
    struct refine_place at = o->system->describe(o->system, e->step.place);
    return (struct report_event){.id = (uint32_t)i + 1,
                                 .thread =
                                     e->step.thread == REFINE_NO_THREAD ? REPORT_NOTHING : e->step.thread,
                                 .kind = refine_kind_word(e),
                                 .text = keep(refine_step_text(o, i), arena),
                                 .state = state_after(o, i, arena),
                                 .place = keep(refine_place_text(o, i), arena),
                                 .file = at.file && at.line ? at.file : NULL,
                                 .line = at.line,
                                 .other = REPORT_NOTHING,
                                 .op = history_op_of(s, i, e->step.thread),
                                 .newest = REPORT_NOTHING,
                                 .guilty = i + 1 == o->result->run.len};
}

static void document_steps(const struct refine_outcome *o, const struct refine_story *s, struct arena *arena,
                           struct report_execution *x)
{
    size_t count = o->result->run.len;
    struct report_event *events = arena_alloc(arena, count * sizeof *events + 1);
    for (size_t i = 0; i < count; i++)
        events[i] = document_step(o, s, i, arena);
    *x = (struct report_execution){
        .title = "Model", .events = events, .event_count = count, .steps = count, .phase = "execution"};
    x->file = count ? events[count - 1].file : NULL;
    x->line = count ? events[count - 1].line : 0;
    if (x->file) {
        struct text place = {0};
        text_printf(&place, "%s:%" PRIu32, x->file, x->line);
        x->place = text_keep(&place, arena);
    }
    check_sources_read(x, arena);
}

void refine_document(struct report_documents *d, struct report_case *one, const struct refine_outcome *o,
                     struct refine_story *s)
{
    struct arena arena = {0};
    struct report_execution x;
    struct text text = {0};
    struct report_style style = {.columns = 100, .unicode = true};
    document_steps(o, s, &arena, &x);
    refine_report(&text, o, s, &style);
    if (s->explained && d->html)
        explain_history(&s->explanation, &s->in, false);
    struct report_counterexample c = {.kind = s->error,
                                      .file = o->name,
                                      .one_line = s->told->one_line,
                                      .why = s->told->why,
                                      .confirmed_by = s->told->confirmed_by,
                                      .replay = o->command,
                                      .explained = s->explained ? s->told : NULL,
                                      .history = s->told->history,
                                      .execution = &x};
    const struct report_counterexample *found = &c;
    one->text = text.data;
    one->found = &found;
    one->found_count = 1;
    report_documents_add(d, one);
    text_free(&text);
    arena_free(&arena);
}
