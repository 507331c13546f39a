/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/refine_report.h"

#include "base/terminal.h"
#include "cli/check_sources.h"
#include "report/interleaving.h"
#include "report/prose.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Judging a counterexample again takes moments; if not, the reader gets the story without the reasons. */
static const double SECONDS = 20;
enum { BYTES = 1 << 29 };

/* --- steps ---------------------------------------------------------------------------------------------- */

static void add_value(struct text *out, int32_t value)
{
    if (value == REFINE_OK)
        text_puts(out, "ok");
    else if (value == REFINE_FULL)
        text_puts(out, "full");
    else
        text_printf(out, "%" PRId32, value);
}

static const struct plumb_operation *operation_of(const struct refine_outcome *o, uint8_t op)
{
    for (uint32_t i = 0; o->spec && i < o->spec->operation_count; i++)
        if (!strcmp(o->spec->operations[i].name, o->system->ops[op]))
            return &o->spec->operations[i];
    return NULL;
}

/* What a number means as an answer depends on the operation. */
static void add_answer(struct text *out, const struct refine_outcome *o, const struct refine_step *step)
{
    const struct plumb_operation *op = operation_of(o, step->op);
    if (op && step->value == REFINE_NONE && strchr(op->results, 'N'))
        text_puts(out, "empty");
    else if (op && strchr(op->results, 'b'))
        text_puts(out, step->value ? "true" : "false");
    else
        add_value(out, step->value);
}

/* "enq(1)" for a call, "enq = ok" for a return. */
static void add_operation(struct text *out, const struct refine_outcome *o, const struct refine_event *e)
{
    text_puts(out, o->system->ops[e->step.op]);
    if (e->step.kind == REFINE_RETURN) {
        text_puts(out, " = ");
        add_answer(out, o, &e->step);
        return;
    }
    text_puts(out, "(");
    for (unsigned i = 0; i < e->step.arg_count; i++) {
        text_puts(out, i ? ", " : "");
        add_value(out, e->args[i]);
    }
    text_puts(out, ")");
}

static bool is_visible(const struct refine_event *e)
{
    return e->step.kind == REFINE_CALL || e->step.kind == REFINE_RETURN;
}

static const char *kind_word(const struct refine_event *e)
{
    static const char *const words[] = {"step", "call", "return", "fault"};
    return words[e->step.kind];
}

/* What the model's step number i changed; empty if nothing, or if it is not known. */
static void add_changes(struct text *out, const struct refine_outcome *o, size_t i)
{
    const struct refine_system *s = o->system;
    const struct refine_event *e = &o->result->run.data[i];
    char buffer[2000];
    if (!s->changes || !e->state || e->step.kind != REFINE_INTERNAL)
        return;
    uint8_t *before = NEW_ZEROED(uint8_t, s->state_size + 1);
    if (i == 0)
        s->initial(s, before);
    else if (e[-1].state)
        memcpy(before, e[-1].state, s->state_size);
    if (s->changes(s, before, e->state, buffer, sizeof buffer))
        text_puts(out, buffer);
    free(before);
}

/* Is the statement a single assignment? Conditions have only ==, !=, <= and >=. */
static bool is_assignment(const char *text)
{
    for (const char *c = text; *c; c++) {
        if ((c[0] == '+' && c[1] == '+') || (c[0] == '-' && c[1] == '-'))
            return true;
        if (c[0] == '=' && c[1] != '=' && c > text && !strchr("=!<>", c[-1]))
            return true;
    }
    return false;
}

/* A step can be a whole atomic sequence, of which the place is the first statement: that says it all only if it is what
 * made the one change. */
static void add_internal(struct text *out, const struct refine_outcome *o, size_t i)
{
    struct refine_place at = o->system->describe(o->system, o->result->run.data[i].step.place);
    struct text changes = {0};
    add_changes(&changes, o, i);
    bool says_it_all = at.text && is_assignment(at.text) && !(changes.len && strstr(changes.data, ", "));
    if (changes.len && !says_it_all)
        text_puts(out, changes.data);
    else
        text_puts(out, at.text ? at.text : "internal step");
    text_free(&changes);
}

static char *step_text(const struct refine_outcome *o, size_t i)
{
    const struct refine_event *e = &o->result->run.data[i];
    struct text t = {0};
    if (is_visible(e)) {
        text_printf(&t, "%s ", kind_word(e));
        add_operation(&t, o, e);
    } else {
        add_internal(&t, o, i);
    }
    return text_take(&t);
}

static char *place_text(const struct refine_outcome *o, const struct refine_event *e)
{
    struct refine_place at = o->system->describe(o->system, e->step.place);
    struct text t = {0};
    if (!at.file)
        return NULL;
    const char *slash = strrchr(at.file, '/');
    if (!strcmp(at.file, o->system->name))
        text_printf(&t, "line %" PRIu32, at.line);
    else
        text_printf(&t, "%s:%" PRIu32, slash ? slash + 1 : at.file, at.line);
    return text_take(&t);
}

static struct interleaving_row row_of(const struct refine_outcome *o, size_t i)
{
    const struct refine_event *e = &o->result->run.data[i];
    return (struct interleaving_row){
        .step = (uint32_t)i + 1,
        .thread = e->step.thread,
        .kind = is_visible(e) ? EVENT_OP_CALL : EVENT_WRITE,
        .guilty = i + 1 == o->result->run.len,
        .statement = step_text(o, i),
        .place = place_text(o, e),
    };
}

/* The model's own steps, with lines. */
static void add_steps(struct text *out, const struct refine_outcome *o, const struct report_style *style)
{
    size_t count = o->result->run.len;
    struct interleaving_row *rows = NEW_ZEROED(struct interleaving_row, count + 1);
    const char *names[REFINE_NO_THREAD + 1] = {[REFINE_NO_THREAD] = "others"};
    for (size_t i = 0; i < count; i++)
        rows[i] = row_of(o, i);
    struct interleaving x = {
        .rows = rows, .count = count, .threads = names, .thread_count = REFINE_NO_THREAD + 1, .plain = true};
    interleaving_draw(out, &x, style);
    for (size_t i = 0; i < count; i++) {
        free((char *)rows[i].statement);
        free((char *)rows[i].place);
    }
    free(rows);
}

static void add_last_state(struct text *out, const struct refine_outcome *o)
{
    char buffer[2000];
    size_t count = o->result->run.len;
    if (!o->system->print || !count)
        return;
    const uint8_t *state = o->result->run.data[count - 1].state;
    if (!state || !o->system->print(o->system, state, buffer, sizeof buffer))
        return;
    text_puts(out, "  variables then: ");
    struct prose p = {' ', 4, 100, 6, "..."};
    prose_wrap(out, buffer, &p);
}

/* --- the story of operations ----------------------------------------------------------------------------- */

/* The counterexample when no monitor explains it: all operations. */
struct story {
    struct report_counterexample c;
    struct report_op ops[64];
    struct text texts[64], one_line, why, file;
};

static const char *reason_text(const struct refine_outcome *o)
{
    switch (o->result->reason) {
    case REFINE_MODEL_FAULT: return "the model fails";
    case REFINE_DEADLOCK: return "deadlock";
    case REFINE_BAD_ANSWER: return "an answer that the specification never gives";
    case REFINE_BAD_ORDER: return "calls and returns do not match";
    default: break;
    }
    if (o->options->trace)
        return "not a refinement";
    return o->options->quasi ? "not quasi linearizable" : "not linearizable";
}

static void tell_event(struct story *s, const struct refine_outcome *o, size_t i)
{
    const struct refine_event *e = &o->result->run.data[i];
    struct report_op *op = NULL;
    static const char *const threads[] = {"T0", "T1", "T2", "T3", "T4", "T5", "T6", "T7"};
    if (e->step.kind == REFINE_CALL) {
        size_t n = s->c.op_count;
        if (n == sizeof s->ops / sizeof *s->ops)
            return;
        s->ops[n] = (struct report_op){.id = (uint32_t)n,
                                       .thread = threads[e->step.thread % REFINE_THREADS_MAX],
                                       .thread_name = plumb_int(NULL, e->step.thread),
                                       .call = (int64_t)i + 1,
                                       .pending = true,
                                       .name = o->system->ops[e->step.op]};
        add_operation(&s->texts[n], o, e);
        s->c.op_count++;
        return;
    }
    for (size_t k = s->c.op_count; k > 0 && !op; k--)
        if (s->ops[k - 1].pending &&
            !strcmp(s->ops[k - 1].thread, threads[e->step.thread % REFINE_THREADS_MAX]))
            op = &s->ops[k - 1];
    if (!op || (o->result->reason == REFINE_BAD_ORDER && i + 1 == o->result->run.len))
        return;
    op->pending = false;
    op->ret = (int64_t)i + 1;
    op->guilty = i + 1 == o->result->run.len;
    struct text *label = &s->texts[op - s->ops];
    if (e->step.value != REFINE_OK) {
        text_puts(label, " = ");
        add_answer(label, o, &e->step);
    }
}

/* The thread's last call before step number i that did not return. */
static const struct refine_event *open_call(const struct refine_outcome *o, size_t i)
{
    const struct refine_event *run = o->result->run.data;
    for (size_t k = i; k > 0; k--)
        if (run[k - 1].step.thread == run[i].step.thread && is_visible(&run[k - 1]))
            return run[k - 1].step.kind == REFINE_CALL ? &run[k - 1] : NULL;
    return NULL;
}

static void tell_bad_order(struct story *s, const struct refine_outcome *o, size_t i)
{
    const struct refine_step *step = &o->result->run.data[i].step;
    const struct refine_event *open = open_call(o, i);
    text_printf(&s->why, "T%u %s %s, but ", step->thread,
                step->kind == REFINE_CALL ? "calls" : "returns from", o->system->ops[step->op]);
    if (open)
        text_printf(&s->why, "is still in %s.", o->system->ops[open->step.op]);
    else
        text_puts(&s->why, "has not called it.");
}

static void tell_reason(struct story *s, const struct refine_outcome *o)
{
    size_t count = o->result->run.len;
    const struct refine_event *last = count ? &o->result->run.data[count - 1] : NULL;
    text_puts(&s->one_line, reason_text(o));
    if (o->result->reason == REFINE_MODEL_FAULT && last) {
        char *text = step_text(o, count - 1);
        text_printf(&s->one_line, ": %s", text);
        free(text);
    } else if (o->result->reason == REFINE_BAD_ORDER) {
        tell_bad_order(s, o, count - 1);
    } else if (o->result->reason != REFINE_DEADLOCK && last && is_visible(last)) {
        text_puts(&s->one_line, ": ");
        add_operation(&s->one_line, o, last);
        text_puts(&s->one_line,
                  last->step.kind == REFINE_RETURN ? " is impossible" : " can never be explained");
    }
    if (o->options->trace && o->result->reason == REFINE_NO_EXPLANATION)
        text_printf(&s->why, "The specification %s has no run with these calls and returns.",
                    o->options->spec);
    else if (o->result->reason == REFINE_DEADLOCK)
        text_puts(&s->why, "No process can take a step, and not all of them have ended.");
    else if (o->result->reason == REFINE_NO_EXPLANATION)
        text_puts(&s->why,
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

static void tell(struct story *s, const struct refine_outcome *o)
{
    *s = (struct story){0};
    for (size_t i = 0; i < o->result->run.len; i++)
        if (is_visible(&o->result->run.data[i]))
            tell_event(s, o, i);
    tell_reason(s, o);
    for (size_t i = 0; i < s->c.op_count; i++)
        s->ops[i].label = s->texts[i].data;
    add_file(&s->file, o);
    s->c.file = s->file.data;
    s->c.ops = s->ops;
    s->c.total_ops = s->c.op_count;
    s->c.one_line = s->one_line.data;
    s->c.why = s->why.data;
    s->c.stuck = -1;
    s->c.minimal = true;
}

static void free_story(struct story *s)
{
    for (size_t i = 0; i < s->c.op_count; i++)
        text_free(&s->texts[i]);
    text_free(&s->one_line);
    text_free(&s->why);
    text_free(&s->file);
}

/* --- the same, explained by the monitor -------------------------------------------------------------------- */

struct judged {
    struct monitor_input in;
    struct explanation explanation;
    bool explained;
};

/* Lines are those of the model: of the return, or of the call of what never returned. */
static void set_lines(struct judged *j, const struct refine_outcome *o)
{
    struct report_op *ops = (struct report_op *)j->explanation.counterexample.ops;
    for (size_t i = 0; i < j->explanation.counterexample.op_count; i++) {
        size_t at = (size_t)(ops[i].pending ? ops[i].call : ops[i].ret) - 1;
        ops[i].line = o->system->describe(o->system, o->result->run.data[at].step.place).line;
    }
}

static void judge(struct judged *j, const struct refine_outcome *o)
{
    struct monitor_options options = {
        .quiet = true, .time = SECONDS, .memory_limit = BYTES, .quasi = o->options->quasi};
    *j = (struct judged){0};
    if (!o->spec || o->result->reason != REFINE_NO_EXPLANATION)
        return;
    struct history *h = refine_history(o->system, o->result, o->spec, o->options->full == REFINE_FULL_ANY);
    monitor_input_judge_history(&j->in, o->name, h, o->spec, &options);
    if (j->in.error.code || !j->in.result.violation)
        return;
    explain_violation(&j->explanation, &j->in, &options);
    j->explained = true;
    set_lines(j, o);
    j->explanation.counterexample.replay = NULL;
    j->explanation.counterexample.confirmed_by = j->explanation.counterexample.found_by;
    j->explanation.counterexample.found_by = "refinement";
}

static void free_judged(struct judged *j)
{
    if (j->explained)
        explain_free(&j->explanation);
    if (j->in.history)
        monitor_input_free(&j->in);
}

/* --- both ----------------------------------------------------------------------------------------------------- */

void refine_report(struct text *out, const struct refine_outcome *o, const struct report_style *style)
{
    struct judged j;
    struct story s;
    judge(&j, o);
    tell(&s, o);
    report_terminal(out, j.explained ? &j.explanation.counterexample : &s.c, style);
    text_puts(out, "\n");
    add_steps(out, o, style);
    add_last_state(out, o);
    if (o->result->is_longer)
        text_puts(out, "\n  perhaps not the shortest: the search for a shorter run met a limit\n");
    else
        text_printf(out, "\n  shortest: no run of fewer than %zu steps fails\n", o->result->run.len);
    text_printf(out, "  replay: %s\n", o->command);
    free_story(&s);
    free_judged(&j);
}

static void add_json_step(struct json_writer *w, const struct refine_outcome *o, size_t i)
{
    const struct refine_event *e = &o->result->run.data[i];
    struct refine_place at = o->system->describe(o->system, e->step.place);
    char *text = step_text(o, i), buffer[2000];
    struct text changes = {0};
    json_open_object(w);
    json_key(w, "step"), json_uint(w, i + 1);
    if (e->step.thread != REFINE_NO_THREAD)
        json_key(w, "thread"), json_uint(w, e->step.thread);
    json_member(w, "kind", kind_word(e));
    json_member(w, "text", text);
    add_changes(&changes, o, i);
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

void refine_add_json(struct json_writer *w, const struct refine_outcome *o)
{
    struct judged j;
    struct story s;
    struct text rendered = {0};
    judge(&j, o);
    tell(&s, o);
    json_member(w, "error", reason_text(o));
    if (j.explained) {
        report_json(&rendered, &j.explanation.counterexample);
        json_key(w, "counterexample"), json_raw(w, rendered.data);
    } else {
        json_key(w, "counterexample"), json_open_object(w);
        json_member(w, "one_line", s.c.one_line);
        json_member(w, "why", s.c.why);
        json_close_object(w);
    }
    json_key(w, "steps"), json_open_array(w);
    for (size_t i = 0; i < o->result->run.len; i++)
        add_json_step(w, o, i);
    json_close_array(w);
    text_free(&rendered);
    free_story(&s);
    free_judged(&j);
}

/* --- pages, build servers, editors ---------------------------------------------------------------------------- */

static const char *keep(struct arena *arena, char *s)
{
    size_t length = s ? strlen(s) + 1 : 0;
    char *copy = s ? arena_alloc(arena, length) : NULL;
    if (s)
        memcpy(copy, s, length);
    free(s);
    return copy;
}

/* The operation of the history that the step belongs to: stamps are positions in the run, from 1. */
static uint32_t history_op_of(const struct judged *j, size_t i, uint8_t thread)
{
    const struct history *h = j->explained ? j->in.history : NULL;
    for (size_t k = 0; h && k < h->ops.len; k++) {
        const struct history_op *op = &h->ops.data[k];
        if (plumb_int_of(h->values, h->thread_names.data[op->thread]) == thread &&
            op->call <= (int64_t)i + 1 && (op->pending || op->ret >= (int64_t)i + 1))
            return (uint32_t)k;
    }
    return REPORT_NOTHING;
}

static void document_steps(const struct refine_outcome *o, const struct judged *j, struct arena *arena,
                           struct report_execution *x)
{
    size_t count = o->result->run.len;
    struct report_event *events = arena_alloc(arena, count * sizeof *events + 1);
    for (size_t i = 0; i < count; i++) {
        const struct refine_event *e = &o->result->run.data[i];
        struct refine_place at = o->system->describe(o->system, e->step.place);
        char state[2000];
        bool printed =
            o->system->print && e->state && o->system->print(o->system, e->state, state, sizeof state);
        events[i] = (struct report_event){.id = (uint32_t)i + 1,
                                          .thread = e->step.thread,
                                          .kind = kind_word(e),
                                          .text = keep(arena, step_text(o, i)),
                                          .state = printed ? keep(arena, strdup(state)) : NULL,
                                          .place = keep(arena, place_text(o, e)),
                                          .file = at.file && at.line ? at.file : NULL,
                                          .line = at.line,
                                          .other = REPORT_NOTHING,
                                          .op = history_op_of(j, i, e->step.thread),
                                          .newest = REPORT_NOTHING,
                                          .guilty = i + 1 == count};
    }
    *x = (struct report_execution){
        .title = "Model", .events = events, .event_count = count, .steps = count, .phase = "execution"};
    x->file = count ? events[count - 1].file : NULL;
    x->line = count ? events[count - 1].line : 0;
    if (x->file) {
        struct text place = {0};
        text_printf(&place, "%s:%" PRIu32, x->file, x->line);
        x->place = keep(arena, text_take(&place));
    }
    check_sources_read(x, arena);
}

void refine_document(struct report_documents *d, struct report_case *one, const struct refine_outcome *o)
{
    struct judged j;
    struct story s;
    struct arena arena = {0};
    struct report_execution x;
    struct text text = {0};
    struct report_style style = {.columns = 100, .unicode = true};
    judge(&j, o);
    tell(&s, o);
    document_steps(o, &j, &arena, &x);
    refine_report(&text, o, &style);
    if (j.explained && d->html)
        explain_history(&j.explanation, &j.in, false);
    const struct report_counterexample *told = j.explained ? &j.explanation.counterexample : &s.c;
    struct report_counterexample c = {.kind = reason_text(o),
                                      .file = o->name,
                                      .one_line = told->one_line,
                                      .why = told->why,
                                      .confirmed_by = told->confirmed_by,
                                      .replay = o->command,
                                      .explained = j.explained ? told : NULL,
                                      .history = told->history,
                                      .execution = &x};
    const struct report_counterexample *found = &c;
    one->text = text.data;
    one->found = &found;
    one->found_count = 1;
    report_documents_add(d, one);
    text_free(&text);
    arena_free(&arena);
    free_story(&s);
    free_judged(&j);
}
