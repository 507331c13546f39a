/* SPDX-License-Identifier: Apache-2.0 */
/* Which variables can hold items, that is arguments of operations, and does the model do more with items than copy them,
 * answer them and compare them with NONE? If it does, it may behave differently for different items, and they cannot be
 * renamed. Flow insensitive: a variable holds items if it does so anywhere. */
#include "promela/promela_code.h"
#include "promela/promela_parser.h"

#include <stdarg.h>
#include <stdio.h>

/* What is expected of a value. */
enum use { USE_NUMBER, USE_TRUTH, USE_ANY };

struct finder {
    struct promela_system *s;
    bool changed;
    void (*visit)(struct finder *f, const struct promela_statement *st);
};

static uint8_t *items_of(const struct promela_reference *r)
{
    uint8_t *items = r->variable->holds_items;
    for (; r->field; r = r->field)
        items += r->field->variable->offset;
    return items;
}

static const struct promela_variable *leaf_of(const struct promela_reference *r)
{
    while (r->field)
        r = r->field;
    return r->variable;
}

/* Can it be an item, by copying? */
static bool is_item(const struct promela_expression *e)
{
    if (e->op == OPERATOR_VARIABLE)
        return *items_of(e->reference);
    return e->op == OPERATOR_CONDITIONAL && (is_item(e->right) || is_item(e->other));
}

static bool is_none(const struct promela_expression *e)
{
    int32_t value;
    return promela_constant_value(e, &value) && value == REFINE_NONE;
}

static void walk(struct finder *f, const struct promela_statement *list)
{
    for (const struct promela_statement *s = list; s; s = s->next) {
        f->visit(f, s);
        walk(f, s->body);
        walk(f, s->options);
    }
}

static bool is_used(const struct promela_system *s, const struct promela_process_type *type)
{
    for (size_t i = 0; i < s->processes.len; i++)
        if (s->processes.data[i].type == type)
            return true;
    return false;
}

static void walk_all(struct finder *f)
{
    for (const struct promela_process_type *t = f->s->model.types; t; t = t->next)
        if (is_used(f->s, t))
            walk(f, t->body);
}

static const struct promela_variable *parameters_of(const struct finder *f,
                                                    const struct promela_statement *run)
{
    return f->s->processes.data[run->instance].type->variables;
}

/* --- where items go ------------------------------------------------------------------------------- */

static void mark(struct finder *f, uint8_t *items)
{
    f->changed |= !*items;
    *items = 1;
}

static void spread(struct finder *f, const struct promela_statement *st)
{
    for (uint32_t i = 0; st->kind == STATEMENT_CALL && i < st->argument_count; i++)
        mark(f, items_of(st->references[i]));
    if (st->kind == STATEMENT_ASSIGN && st->references[0] && is_item(st->expression))
        mark(f, items_of(st->references[0]));
    if (st->kind != STATEMENT_RUN)
        return;
    const struct promela_variable *v = parameters_of(f, st);
    for (const struct promela_expression *e = st->expression; e; e = e->next, v = v->next)
        if (is_item(e))
            mark(f, v->holds_items);
}

/* Initial values may copy what was set before. */
static void spread_initial(struct finder *f, const struct promela_variable *list)
{
    for (const struct promela_variable *v = list; v; v = v->next)
        if (v->initial && is_item(v->initial))
            mark(f, v->holds_items);
}

/* --- what is done with them ----------------------------------------------------------------------- */

__attribute__((format(printf, 4, 5))) static void object(struct finder *f, struct promela_place at,
                                                         bool only_unordered, const char *format, ...)
{
    struct diagnostic *both[] = {&f->s->items, &f->s->ordered_items};
    for (int i = 0; i < (only_unordered ? 1 : 2); i++) {
        va_list args;
        char message[sizeof both[i]->message];
        if (both[i]->code)
            continue;
        va_start(args, format);
        vsnprintf(message, sizeof message, format, args);
        va_end(args);
        diagnostic_set(both[i], PL_MODEL_ITEMS, at.line, at.column, "%s", message);
        snprintf(both[i]->file, sizeof both[i]->file, "%s", f->s->model.text.files.data[at.file].path);
    }
}

static void check(struct finder *f, const struct promela_expression *e, enum use use);

static void check_indexes(struct finder *f, const struct promela_reference *r)
{
    for (; r; r = r->field)
        if (r->index)
            check(f, r->index, USE_NUMBER);
}

/* Both sides of a comparison, of which one may be an item. */
static void check_comparison(struct finder *f, const struct promela_expression *e)
{
    bool equality = e->op == OPERATOR_EQUAL || e->op == OPERATOR_UNEQUAL;
    bool left = is_item(e->left), right = is_item(e->right);
    bool with_none = is_none(e->left) || is_none(e->right);
    if (left || right) {
        if (equality && !with_none)
            object(f, e->place, false, "an item is compared with something other than NONE");
        if (!equality && !with_none && !(left && right))
            object(f, e->place, false, "an item is compared with a number");
        else if (!equality)
            object(f, e->place, true, "items are compared by their order");
    }
    check(f, e->left, left ? USE_ANY : USE_NUMBER);
    check(f, e->right, right ? USE_ANY : USE_NUMBER);
}

static void check(struct finder *f, const struct promela_expression *e, enum use use)
{
    if (!e)
        return;
    switch (e->op) {
    case OPERATOR_CONSTANT:
    case OPERATOR_PID: break;
    case OPERATOR_VARIABLE:
        check_indexes(f, e->reference);
        if (use == USE_NUMBER && is_item(e))
            object(f, e->place, false, "\"%s\" holds items, and is used as a number",
                   leaf_of(e->reference)->name->text);
        break;
    case OPERATOR_CONDITIONAL:
        check(f, e->left, USE_TRUTH);
        check(f, e->right, use);
        check(f, e->other, use);
        break;
    case OPERATOR_NOT:
    case OPERATOR_AND:
    case OPERATOR_OR:
        check(f, e->left, USE_TRUTH);
        check(f, e->right, USE_TRUTH);
        break;
    case OPERATOR_EQUAL:
    case OPERATOR_UNEQUAL:
    case OPERATOR_LESS:
    case OPERATOR_GREATER:
    case OPERATOR_LESS_EQUAL:
    case OPERATOR_GREATER_EQUAL: check_comparison(f, e); break;
    default: check(f, e->left, USE_NUMBER); check(f, e->right, USE_NUMBER);
    }
}

/* A value for a variable that holds items: an item, or NONE. */
static void check_received(struct finder *f, const struct promela_expression *e,
                           const struct promela_variable *v)
{
    if (e->op == OPERATOR_CONDITIONAL) {
        check(f, e->left, USE_TRUTH);
        check_received(f, e->right, v);
        check_received(f, e->other, v);
        return;
    }
    if (!is_item(e) && !is_none(e))
        object(f, e->place, false, "\"%s\" holds items, and here receives something else", v->name->text);
    check(f, e, USE_ANY);
}

static void check_target(struct finder *f, const struct promela_statement *st)
{
    const struct promela_reference *r = st->references[0];
    check_indexes(f, r);
    if (st->kind == STATEMENT_SELECT && *items_of(r))
        object(f, st->at, false, "\"%s\" holds items, and here receives a number", leaf_of(r)->name->text);
    if (st->kind != STATEMENT_ASSIGN)
        return;
    if (r && *items_of(r))
        check_received(f, st->expression, leaf_of(r));
    else
        check(f, st->expression, r ? USE_NUMBER : USE_ANY);
}

static void check_run(struct finder *f, const struct promela_statement *st)
{
    const struct promela_variable *v = parameters_of(f, st);
    for (const struct promela_expression *e = st->expression; e; e = e->next, v = v->next) {
        if (*v->holds_items)
            check_received(f, e, v);
        else
            check(f, e, USE_NUMBER);
    }
}

/* Is it an item or NONE, whatever is chosen? */
static bool is_item_or_none(const struct promela_expression *e)
{
    if (e->op == OPERATOR_CONDITIONAL)
        return is_item_or_none(e->right) && is_item_or_none(e->other);
    return is_item(e) || is_none(e);
}

static void check_answer(struct finder *f, const struct promela_statement *st)
{
    struct promela_answers *a = &f->s->answers.data[st->operation];
    a->items |= is_item(st->expression);
    if (!a->numbers.line && !is_item_or_none(st->expression))
        a->numbers = st->expression->place;
    check(f, st->expression, USE_ANY);
}

static void check_statement(struct finder *f, const struct promela_statement *st)
{
    switch (st->kind) {
    case STATEMENT_SELECT:
    case STATEMENT_ASSIGN: check_target(f, st); break;
    case STATEMENT_RUN: check_run(f, st); break;
    case STATEMENT_CALL:
        check_indexes(f, st->references[0]);
        check_indexes(f, st->references[1]);
        break;
    case STATEMENT_RETURN:
    case STATEMENT_POINT: check_answer(f, st); break;
    default: check(f, st->expression, USE_TRUTH);
    }
}

/* Initial values, and room for 1 to 253. */
static void check_variables(struct finder *f, const struct promela_variable *v, const uint8_t *items)
{
    for (; v; v = v->next) {
        const uint8_t *own = items ? items + v->offset : v->holds_items;
        if (v->type == TYPE_STRUCT) {
            check_variables(f, v->record->fields, own);
            continue;
        }
        if (*own && (v->type == TYPE_BIT || (v->type == TYPE_UNSIGNED && v->bits < 8)))
            object(f, v->place, false, "\"%s\" holds items, and has less than 8 bits", v->name->text);
        for (const struct promela_expression *e = v->initial; e; e = e->next) {
            if (*own)
                check_received(f, e, v);
            else
                check(f, e, USE_NUMBER);
        }
    }
}

void promela_find_items(struct promela_system *s)
{
    struct finder f = {.s = s, .visit = spread};
    do {
        f.changed = false;
        walk_all(&f);
        spread_initial(&f, s->model.globals);
        for (const struct promela_process_type *t = s->model.types; t; t = t->next)
            spread_initial(&f, t->variables);
    } while (f.changed);
    for (size_t i = 0; i < s->model.operations.len; i++)
        vec_push(&s->answers, (struct promela_answers){0});
    f.visit = check_statement;
    walk_all(&f);
    check_variables(&f, s->model.globals, NULL);
    for (const struct promela_process_type *t = s->model.types; t; t = t->next)
        if (is_used(s, t))
            check_variables(&f, t->variables, NULL);
    for (size_t i = 0; i < s->locations.len; i++)
        s->locations.data[i].is_data = *s->location_items.data[i];
}

bool promela_is_data_independent(const struct refine_system *system, bool ordered, struct diagnostic *d)
{
    const struct promela_system *s = promela_of(system);
    const struct diagnostic *why = ordered ? &s->ordered_items : &s->items;
    if (why->code)
        *d = *why;
    return why->code == 0;
}

static void report_number(const struct promela_system *s, uint32_t op, struct diagnostic *d)
{
    struct promela_place at = s->answers.data[op].numbers;
    diagnostic_set(d, PL_MODEL_ITEMS, at.line, at.column,
                   "%s answers something that is neither an item nor NONE", s->model.operations.data[op]);
    snprintf(d->file, sizeof d->file, "%s", s->model.text.files.data[at.file].path);
}

bool promela_answers_items(const struct refine_system *system, uint32_t op, struct diagnostic *d)
{
    const struct promela_system *s = promela_of(system);
    if (s->answers.data[op].numbers.line)
        report_number(s, op, d);
    return !s->answers.data[op].numbers.line;
}

bool promela_answers_numbers(const struct refine_system *system, uint32_t op)
{
    return !promela_of(system)->answers.data[op].items;
}
