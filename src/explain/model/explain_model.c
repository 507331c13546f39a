/* SPDX-License-Identifier: Apache-2.0 */
#include "explain/model/explain_model.h"

#include "explain/program/explain_sources.h"

#include <inttypes.h>
#include <string.h>

/* Judging a counterexample again takes moments; if not, the reader gets the story without the reasons. */
static const double SECONDS = 20;
enum { BYTES = 1 << 29 };

/* --- all operations
 * -------------------------------------------------------------------------------------- */

/* While operations are collected: the text of each, complete when it has returned. */
struct collecting {
    const struct refine_outcome *o;
    struct arena *arena;
    struct report_op *ops;
    struct text *labels;
    size_t count;
};

static void add_call(struct collecting *t, const struct refine_event *e, size_t i)
{
    struct text thread = {0};
    text_printf(&thread, "T%u", e->step.thread);
    refine_add_operation(&t->labels[t->count], t->o, e);
    t->ops[t->count] = (struct report_op){.id = (uint32_t)t->count,
                                          .thread = text_keep(&thread, t->arena),
                                          .thread_name = plumb_int(NULL, e->step.thread),
                                          .call = (int64_t)i + 1,
                                          .pending = true,
                                          .name = t->o->system->ops[e->step.op]};
    t->count++;
}

static struct report_op *open_operation(const struct collecting *t, uint8_t thread)
{
    for (size_t k = t->count; k > 0; k--)
        if (t->ops[k - 1].pending && plumb_int_of(NULL, t->ops[k - 1].thread_name) == thread)
            return &t->ops[k - 1];
    return NULL;
}

static void add_return(struct collecting *t, const struct refine_event *e, size_t i)
{
    bool is_last = i + 1 == t->o->result->run.len;
    struct report_op *op = open_operation(t, e->step.thread);
    if (!op || (t->o->result->reason == REFINE_BAD_ORDER && is_last))
        return;
    op->pending = false;
    op->ret = (int64_t)i + 1;
    op->guilty = is_last;
    if (refine_answers_ok(t->o, &e->step))
        return;
    struct text *label = &t->labels[op - t->ops];
    text_puts(label, " = ");
    refine_add_answer(label, t->o, &e->step);
}

static void collect_operations(struct report_counterexample *c, const struct refine_outcome *o,
                               struct arena *arena)
{
    size_t most = o->result->run.len;
    struct collecting t = {.o = o, .arena = arena, .labels = NEW_ZEROED(struct text, most + 1)};
    t.ops = arena_alloc(arena, (most + 1) * sizeof *t.ops);
    for (size_t i = 0; i < most; i++) {
        const struct refine_event *e = &o->result->run.data[i];
        if (e->step.kind == REFINE_CALL)
            add_call(&t, e, i);
        else if (e->step.kind == REFINE_RETURN)
            add_return(&t, e, i);
    }
    for (size_t i = 0; i < t.count; i++)
        t.ops[i].label = text_keep(&t.labels[i], arena);
    free(t.labels);
    c->ops = t.ops;
    c->op_count = c->total_ops = t.count;
}

/* --- what is wrong
 * ----------------------------------------------------------------------------------------- */

static const char *reason_text(const struct refine_outcome *o)
{
    switch (o->result->reason) {
    case REFINE_MODEL_FAULT: return o->is_program ? "the program fails" : "the model fails";
    case REFINE_DEADLOCK: return "deadlock";
    case REFINE_BAD_ANSWER: return "an answer that the specification never gives";
    case REFINE_BAD_ORDER: return "calls and returns do not match";
    default: break;
    }
    if (o->trace)
        return "not a refinement";
    return o->quasi ? "not quasi linearizable" : "not linearizable";
}

/* The thread's last call before step number i that did not return. */
static const struct refine_event *open_call(const struct refine_outcome *o, size_t i)
{
    const struct refine_event *run = o->result->run.data;
    for (size_t k = i; k > 0; k--)
        if (run[k - 1].step.thread == run[i].step.thread && refine_is_visible(&run[k - 1]))
            return run[k - 1].step.kind == REFINE_CALL ? &run[k - 1] : NULL;
    return NULL;
}

static void add_bad_order(struct text *why, const struct refine_outcome *o, size_t i)
{
    const struct refine_step *step = &o->result->run.data[i].step;
    const struct refine_event *open = open_call(o, i);
    text_printf(why, "T%u %s %s, but ", step->thread, step->kind == REFINE_CALL ? "calls" : "returns from",
                o->system->ops[step->op]);
    if (open)
        text_printf(why, "is still in %s.", o->system->ops[open->step.op]);
    else
        text_puts(why, "has not called it.");
}

/* "not linearizable: deq = 2 is impossible" */
static void add_line(struct text *line, const struct refine_outcome *o)
{
    size_t count = o->result->run.len;
    const struct refine_event *last = count ? &o->result->run.data[count - 1] : NULL;
    text_puts(line, reason_text(o));
    if (o->result->reason == REFINE_MODEL_FAULT && last) {
        char *text = refine_step_text(o, count - 1);
        text_printf(line, ": %s", text);
        free(text);
    } else if (o->result->reason != REFINE_BAD_ORDER && o->result->reason != REFINE_DEADLOCK && last &&
               refine_is_visible(last)) {
        text_puts(line, ": ");
        refine_add_operation(line, o, last);
        text_puts(line, last->step.kind == REFINE_RETURN ? " is impossible" : " can never be explained");
    }
}

static void add_why(struct text *why, const struct refine_outcome *o)
{
    if (o->result->reason == REFINE_BAD_ORDER)
        add_bad_order(why, o, o->result->run.len - 1);
    else if (o->result->reason == REFINE_DEADLOCK)
        text_puts(why, o->is_program ? "Every thread waits for a mutex that another one has."
                                     : "No process can take a step, and not all of them have ended.");
    else if (o->result->reason == REFINE_NO_EXPLANATION && o->trace)
        text_printf(why, "The specification %s has no run with these calls and returns.", o->specification);
    else if (o->result->reason == REFINE_NO_EXPLANATION)
        text_puts(why,
                  "Whichever order the operations took effect in, the specification does not answer so.");
}

/* The model's file, and the line where the run ends. */
static void add_file(struct text *out, const struct refine_outcome *o)
{
    size_t count = o->result->run.len;
    struct refine_place at = {0};
    if (count)
        at = o->system->describe(o->system, o->result->run.data[count - 1].step.place);
    text_puts(out, at.file ? at.file : o->name);
    if (at.line)
        text_printf(out, ":%" PRIu32, at.line);
}

static void explain_plainly(struct explained_model *s, const struct refine_outcome *o)
{
    struct report_counterexample *c = &s->plain;
    struct text line = {0}, why = {0}, file = {0};
    collect_operations(c, o, &s->arena);
    add_line(&line, o);
    add_why(&why, o);
    add_file(&file, o);
    c->file = text_keep(&file, &s->arena);
    c->one_line = text_keep(&line, &s->arena);
    c->why = why.len ? text_keep(&why, &s->arena) : NULL;
    c->stuck = -1;
    c->minimal = true;
}

/* --- the same, explained by the monitor ----------------------------------------------------------------- */

/* Lines are those of the model: of the return, or of the call of what never returned. */
static void set_lines(struct explained_model *s, const struct refine_outcome *o)
{
    struct report_op *ops = (struct report_op *)s->explanation.counterexample.ops;
    for (size_t i = 0; i < s->explanation.counterexample.op_count; i++) {
        size_t at = (size_t)(ops[i].pending ? ops[i].call : ops[i].ret) - 1;
        ops[i].line = o->system->describe(o->system, o->result->run.data[at].step.place).line;
    }
}

static void judge(struct explained_model *s, const struct refine_outcome *o)
{
    struct pipeline_question question = {
        .time = SECONDS, .memory_limit = BYTES, .quasi = o->quasi, .reading = o->reading};
    if (!o->spec || o->result->reason != REFINE_NO_EXPLANATION)
        return;
    struct history *h = refine_history(o->system, o->result, o->spec, o->full_any);
    pipeline_judge_history(&s->in, o->name, h, o->spec, &question);
    if (s->in.error.code || !s->in.result.violation)
        return;
    explain_violation(&s->explanation, &s->in, NULL);
    s->by_monitor = true;
    set_lines(s, o);
    s->explanation.counterexample.confirmed_by = s->explanation.counterexample.found_by;
    s->explanation.counterexample.found_by = "refinement";
}

/* --- the run
 * --------------------------------------------------------------------------------------------- */

/* The operation of the history that the step belongs to: stamps are positions in the run, from 1. */
static uint32_t find_operation(const struct explained_model *s, size_t i, uint8_t thread)
{
    const struct history *h = s->by_monitor ? s->in.history : NULL;
    for (size_t k = 0; h && k < h->ops.len; k++) {
        const struct history_op *op = history_at(h, k);
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

static const char *changes_of(const struct refine_outcome *o, size_t i, struct arena *arena)
{
    struct text changes = {0};
    refine_add_changes(&changes, o, i);
    return changes.len ? text_keep(&changes, arena) : NULL;
}

static const char *state_after(const struct refine_outcome *o, size_t i, struct arena *arena)
{
    const struct refine_system *s = o->system;
    const uint8_t *state = o->result->run.data[i].state;
    char buffer[2000];
    bool printed = s->print && state && s->print(s, state, buffer, sizeof buffer);
    return printed ? arena_copy(arena, buffer, strlen(buffer)) : NULL;
}

static struct report_event explain_step(struct explained_model *s, const struct refine_outcome *o, size_t i)
{
    const struct refine_event *e = &o->result->run.data[i];
    struct refine_place at = o->system->describe(o->system, e->step.place);
    bool other = e->step.thread == REFINE_NO_THREAD;
    return (struct report_event){.id = (uint32_t)i + 1,
                                 .thread = other ? REPORT_NOTHING : e->step.thread,
                                 .kind = refine_kind_word(e),
                                 .text = keep(refine_step_text(o, i), &s->arena),
                                 .changes = changes_of(o, i, &s->arena),
                                 .state = state_after(o, i, &s->arena),
                                 .place = keep(refine_place_text(o, i), &s->arena),
                                 .file = at.file && at.line ? at.file : NULL,
                                 .line = at.line,
                                 .other = REPORT_NOTHING,
                                 .op = find_operation(s, i, e->step.thread),
                                 .newest = REPORT_NOTHING,
                                 .guilty = i + 1 == o->result->run.len};
}

static void explain_run(struct explained_model *s, const struct refine_outcome *o, bool pictures)
{
    size_t count = o->result->run.len;
    struct report_execution *x = &s->execution;
    struct report_event *events = arena_alloc(&s->arena, count * sizeof *events + 1);
    for (size_t i = 0; i < count; i++)
        events[i] = explain_step(s, o, i);
    *x = (struct report_execution){.title = o->is_program ? "Program" : "Model",
                                   .events = events,
                                   .event_count = count,
                                   .steps = count,
                                   .phase = "execution"};
    x->file = count ? events[count - 1].file : NULL;
    x->line = count ? events[count - 1].line : 0;
    if (x->file) {
        struct text place = {0};
        text_printf(&place, "%s:%" PRIu32, x->file, x->line);
        x->place = text_keep(&place, &s->arena);
    }
    if (pictures)
        explain_sources(x, &s->arena);
}

/* --- together
 * -------------------------------------------------------------------------------------------- */

void explain_model(struct explained_model *s, const struct refine_outcome *o, bool pictures)
{
    *s = (struct explained_model){0};
    judge(s, o);
    if (!s->by_monitor)
        explain_plainly(s, o);
    explain_run(s, o, pictures);
    if (s->by_monitor && pictures)
        explain_history(&s->explanation, &s->in, false);
    const struct report_counterexample *explained =
        s->by_monitor ? &s->explanation.counterexample : &s->plain;
    s->counterexample = (struct report_counterexample){.kind = reason_text(o),
                                                       .file = o->name,
                                                       .one_line = explained->one_line,
                                                       .why = explained->why,
                                                       .confirmed_by = explained->confirmed_by,
                                                       .replay = o->command,
                                                       .explained = explained,
                                                       .history = explained->history,
                                                       .execution = &s->execution};
}

void explain_model_free(struct explained_model *s)
{
    if (s->by_monitor)
        explain_free(&s->explanation);
    if (s->in.history)
        pipeline_free(&s->in);
    arena_free(&s->arena);
}
