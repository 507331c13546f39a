/* SPDX-License-Identifier: Apache-2.0 */
#include "explain/model/model_steps.h"

#include <inttypes.h>
#include <string.h>

static const struct plumb_operation *operation_of(const struct refine_outcome *o, uint8_t op)
{
    for (uint32_t i = 0; o->spec && i < o->spec->operation_count; i++)
        if (!strcmp(o->spec->operations[i].name, o->system->ops[op]))
            return &o->spec->operations[i];
    return NULL;
}

/* What a number means as an answer depends on the operation; of a model that is a specification nothing is
 * known. */
static bool can_answer(const struct refine_outcome *o, const struct refine_step *step, char letter)
{
    const struct plumb_operation *op = operation_of(o, step->op);
    return op ? strchr(op->results, letter) != NULL : letter == 'k';
}

bool refine_answers_ok(const struct refine_outcome *o, const struct refine_step *step)
{
    return step->value == REFINE_OK && can_answer(o, step, 'k');
}

void refine_add_answer(struct text *out, const struct refine_outcome *o, const struct refine_step *step)
{
    if (refine_answers_ok(o, step))
        text_puts(out, "ok");
    else if (step->value == REFINE_FULL && can_answer(o, step, 'k'))
        text_puts(out, "full");
    else if (step->value == REFINE_NONE && !step->is_integer && can_answer(o, step, 'N'))
        text_puts(out, "empty");
    else if (can_answer(o, step, 'b'))
        text_puts(out, step->value ? "true" : "false");
    else
        text_printf(out, "%" PRId32, step->value);
}

void refine_add_operation(struct text *out, const struct refine_outcome *o, const struct refine_event *e)
{
    text_puts(out, o->system->ops[e->step.op]);
    if (e->step.kind == REFINE_RETURN) {
        text_puts(out, " = ");
        refine_add_answer(out, o, &e->step);
        return;
    }
    text_puts(out, "(");
    for (unsigned i = 0; i < e->step.arg_count; i++)
        text_printf(out, "%s%" PRId32, i ? ", " : "", e->args[i]);
    text_puts(out, ")");
}

bool refine_is_visible(const struct refine_event *e)
{
    return e->step.kind == REFINE_CALL || e->step.kind == REFINE_RETURN;
}

const char *refine_kind_word(const struct refine_event *e)
{
    static const char *const words[] = {"step", "call", "return", "fault"};
    return words[e->step.kind];
}

void refine_add_changes(struct text *out, const struct refine_outcome *o, size_t i)
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

/* A step can be a whole atomic sequence, of which the place is the first statement: that says it all only if
 * it is what made the one change. */
static void add_internal(struct text *out, const struct refine_outcome *o, size_t i)
{
    struct refine_place at = o->system->describe(o->system, o->result->run.data[i].step.place);
    struct text changes = {0};
    refine_add_changes(&changes, o, i);
    bool says_it_all = at.text && is_assignment(at.text) && !(changes.len && strstr(changes.data, ", "));
    if (changes.len && !says_it_all)
        text_puts(out, changes.data);
    else
        text_puts(out, at.text ? at.text : "internal step");
    text_free(&changes);
}

char *refine_step_text(const struct refine_outcome *o, size_t i)
{
    const struct refine_event *e = &o->result->run.data[i];
    struct text t = {0};
    if (refine_is_visible(e)) {
        text_printf(&t, "%s ", refine_kind_word(e));
        refine_add_operation(&t, o, e);
    } else {
        add_internal(&t, o, i);
    }
    return text_take(&t);
}

char *refine_place_text(const struct refine_outcome *o, size_t i)
{
    struct refine_place at = o->system->describe(o->system, o->result->run.data[i].step.place);
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
