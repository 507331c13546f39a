/* SPDX-License-Identifier: Apache-2.0 */
#include "annotate/annotate_generate.h"

#include <string.h>

static void add_need(struct needs *needs, const struct code *code, const char *name)
{
    unsigned seen = code_looks_through(code, name);
    needs->used |= code_uses(code, name);
    needs->seen = seen > needs->seen ? seen : needs->seen;
    needs->handed_on |= code_hands_on(code, name);
}

struct needs interface_needs(const struct interface *i, const char *name)
{
    struct needs needs = {0}, at_once = {0};
    add_need(&needs, &i->pre, name);
    add_need(&needs, &i->side, name);
    add_need(&needs, &i->post, name);
    add_need(&at_once, &i->call_id, name);
    for (size_t k = 0; k < i->conditions.len; k++)
        add_need(&at_once, &i->conditions.data[k].code, name);
    needs.used |= at_once.used;
    return needs;
}

bool interface_has_id_or_conditions(const struct interface *i)
{
    return i->call_id.given || i->conditions.len;
}

void emit_place(struct emitter *e, const struct place *at)
{
    text_printf(&e->out, "{\"%s\", %u, %u}", at->file, at->line, at->column);
}

void emit_name_lists(struct emitter *e, const struct interface *i, const char *suffix)
{
    emit_glue(e, &i->at, "static const char *const plumb_points%s[] = {", suffix);
    for (size_t k = 0; k < i->points.len; k++)
        text_printf(&e->out, "\"%s\", ", i->points.data[k].name);
    text_printf(&e->out, "0}; static const char *const plumb_conditions%s[] = {", suffix);
    for (size_t k = 0; k < i->conditions.len; k++)
        text_printf(&e->out, "\"%s\", ", i->conditions.data[k].name.name);
    text_puts(&e->out, "0}; ");
}

static void emit_optional(struct emitter *e, const char *name)
{
    text_printf(&e->out, name ? "\"%s\", " : "0, ", name);
}

void emit_rules(struct emitter *e, const struct structure *s)
{
    for (size_t k = 0; k < s->rules.len; k++) {
        const struct rule *r = &s->rules.data[k];
        text_puts(&e->out, "{");
        emit_optional(e, r->from.name);
        emit_optional(e, r->from_condition.name);
        emit_optional(e, r->to.name);
        emit_optional(e, r->to_condition.name);
        emit_place(e, &r->from.at);
        text_puts(&e->out, "}, ");
    }
}

void emit_clause(struct emitter *e, const struct code *code)
{
    if (!code->given) {
        text_puts(&e->out, "{0, {0, 0, 0}}, ");
        return;
    }
    text_puts(&e->out, "{");
    emit_string(&e->out, code->text);
    text_puts(&e->out, ", ");
    emit_place(e, &code->at);
    text_puts(&e->out, "}, ");
}

void emit_answers(struct emitter *e, const struct interface *i)
{
    if (i->call_id.given) {
        emit_glue(e, &i->call_id.at, "plumb_id = (plumb_u64)(");
        emit_code(e, &i->call_id, NULL);
        emit_glue(e, &i->call_id.at, "); ");
    }
    for (size_t k = 0; k < i->conditions.len; k++) {
        const struct code *code = &i->conditions.data[k].code;
        emit_glue(e, &code->at, "if (");
        emit_code(e, code, NULL);
        emit_glue(e, &code->at, ") plumb_holds |= (plumb_u64)1 << %zu; ", k);
    }
}
