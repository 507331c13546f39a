/* SPDX-License-Identifier: Apache-2.0 */
/* Statements. */
#include "promela/promela_parser.h"

#include <string.h>

struct promela_statement *new_statement(struct parser *p, enum promela_statement_kind kind,
                                        const struct promela_token *first)
{
    struct promela_statement *s = promela_alloc(p->t, sizeof *s);
    s->kind = kind;
    s->at = first->place;
    return s;
}

struct promela_statement *new_assignment(struct parser *p, struct promela_reference *target,
                                         struct promela_expression *value, const struct promela_token *first)
{
    struct promela_statement *s = new_statement(p, STATEMENT_ASSIGN, first);
    s->references[0] = target;
    s->expression = value;
    return s;
}

struct promela_statement *new_option(struct parser *p, struct promela_statement *body,
                                     const struct promela_token *first)
{
    struct promela_statement *s = new_statement(p, STATEMENT_BLOCK, first);
    s->body = body;
    return s;
}

struct promela_statement *parse_block(struct parser *p, const char *where)
{
    struct promela_token open = expect_sign(p, '{', where);
    open_scope(p);
    enter(p);
    struct promela_statement *body = parse_sequence(p, false);
    leave(p);
    close_scope(p);
    if (next_is(p, '}') && body->labels)
        promela_fail(p->t, PL_MODEL_MEANING, body->labels->place,
                     "a label at the start of a block: put it before");
    if (!next_is(p, '}'))
        promela_fail(p->t, PL_MODEL_SYNTAX, next_token(p)->place,
                     "\"}\" expected: the block began in line %u", open.place.line);
    take(p);
    return body;
}

static struct promela_statement *parse_options(struct parser *p, enum promela_statement_kind kind,
                                               const struct promela_token *first)
{
    enum promela_keyword end = kind == STATEMENT_IF ? WORD_FI : WORD_OD;
    struct promela_statement *s = new_statement(p, kind, first), **last = &s->options;
    p->loops += kind == STATEMENT_DO;
    p->choices++;
    while (next_is(p, SIGN2(':', ':'))) {
        struct promela_token start = take(p);
        open_scope(p);
        enter(p);
        *last = new_option(p, parse_sequence(p, false), &start);
        leave(p);
        close_scope(p);
        last = &(*last)->next;
    }
    p->loops -= kind == STATEMENT_DO;
    p->choices--;
    if (!s->options)
        unexpected(p, "\"::\"");
    if (!accept_word(p, end))
        unexpected(p, end == WORD_FI ? "\"::\" or fi" : "\"::\" or od");
    return s;
}

static struct promela_statement *parse_atomic(struct parser *p, enum promela_statement_kind kind,
                                              const struct promela_token *first)
{
    struct promela_statement *s = new_statement(p, kind, first);
    const struct promela_statement *outer = p->d_step;
    uint32_t loops = p->loops;
    p->atomics++;
    if (kind == STATEMENT_D_STEP && !outer) {
        p->d_step = s;
        p->loops = 0;
    }
    s->body = parse_block(p, kind == STATEMENT_ATOMIC ? "behind atomic" : "behind d_step");
    p->d_step = outer;
    p->loops = loops;
    p->atomics--;
    if (kind == STATEMENT_D_STEP && outer)
        s->kind = STATEMENT_BLOCK; /* as in SPIN */
    return s;
}

static uint16_t find_operation(struct parser *p)
{
    const char *name = expect_name(p, "the name of an operation").name->text;
    for (size_t i = 0; i < p->m->operations.len; i++)
        if (strcmp(p->m->operations.data[i], name) == 0)
            return (uint16_t)i;
    if (p->m->operations.len == 250)
        promela_fail(p->t, PL_MODEL_MEANING, p->last.place, "more than 250 operations");
    vec_push(&p->m->operations, name);
    vec_push(&p->m->calls, NULL);
    return (uint16_t)(p->m->operations.len - 1);
}

static void refuse_in_atomic(struct parser *p, const struct promela_token *first)
{
    if (p->atomics)
        promela_fail(p->t, PL_MODEL_MEANING, first->place,
                     "%s inside atomic or d_step: it is a step of its own", first->name->text);
}

static bool accept_underscore(struct parser *p)
{
    const struct promela_token *t = next_token(p);
    bool is = t->kind == TOKEN_NAME && strcmp(t->name->text, "_") == 0;
    if (is)
        take(p);
    return is;
}

/* All calls of an operation have the same number of arguments. */
static void compare_calls(struct parser *p, const struct promela_statement *s)
{
    const struct promela_statement **first = &p->m->calls.data[s->operation];
    if (!*first)
        *first = s;
    if ((*first)->argument_count != s->argument_count)
        promela_fail(p->t, PL_MODEL_MEANING, s->at, "arguments of %s here: %u, but %u in line %u",
                     p->m->operations.data[s->operation], s->argument_count, (*first)->argument_count,
                     (*first)->at.line);
}

static struct promela_statement *parse_call(struct parser *p, uint32_t count,
                                            const struct promela_token *first)
{
    struct promela_statement *s = new_statement(p, STATEMENT_CALL, first);
    refuse_in_atomic(p, first);
    p->process->calls = true;
    expect_sign(p, '(', "behind CALL");
    s->operation = find_operation(p);
    for (uint32_t i = 0; i < count; i++) {
        expect_sign(p, ',', "before the variable that receives the argument");
        if (count == 1 && accept_underscore(p))
            break;
        s->references[s->argument_count++] = parse_reference(p);
    }
    expect_sign(p, ')', "behind the call");
    compare_calls(p, s);
    return s;
}

/* RET(op, value) and POINT(op, value) */
static struct promela_statement *parse_answer(struct parser *p, enum promela_statement_kind kind,
                                              const struct promela_token *first)
{
    struct promela_statement *s = new_statement(p, kind, first);
    if (kind == STATEMENT_RETURN)
        refuse_in_atomic(p, first);
    expect_sign(p, '(', "behind RET or POINT");
    s->operation = find_operation(p);
    expect_sign(p, ',', "before the answer");
    s->expression = parse_expression(p);
    expect_sign(p, ')', "behind the answer");
    if (!p->process->answers)
        p->process->answers = s;
    return s;
}

static struct promela_statement *parse_printf(struct parser *p, const struct promela_token *first)
{
    expect_sign(p, '(', "behind printf");
    if (next_token(p)->kind != TOKEN_STRING)
        unexpected(p, "a string");
    take(p);
    while (accept_sign(p, ','))
        parse_expression(p);
    expect_sign(p, ')', "behind printf");
    return new_statement(p, STATEMENT_PRINT, first);
}

static struct promela_statement *parse_goto(struct parser *p, const struct promela_token *first)
{
    struct promela_statement *s = new_statement(p, STATEMENT_GOTO, first);
    struct promela_token name = expect_name(p, "a label");
    s->target = name.name;
    s->inlined = name.inlined;
    return s;
}

static struct promela_statement *parse_break(struct parser *p, const struct promela_token *first)
{
    if (p->loops == 0)
        promela_fail(p->t, PL_MODEL_MEANING, first->place,
                     p->d_step ? "break would leave the d_step" : "break without a loop around it");
    return new_statement(p, STATEMENT_BREAK, first);
}

static struct promela_statement *parse_run(struct parser *p, const struct promela_token *first)
{
    struct promela_statement *s = new_statement(p, STATEMENT_RUN, first);
    if (!p->process->is_init || p->loops || p->choices || p->d_step || p->process->labels)
        outside(p, first->place,
                "run other than in init, before any label, and in no choice, loop or d_step");
    s->target = expect_name(p, "the name of a process").name;
    expect_sign(p, '(', "behind the name of the process");
    struct promela_expression **end = &s->expression;
    while (!next_is(p, ')')) {
        *end = parse_expression(p);
        end = &(*end)->next;
        if (!next_is(p, ')'))
            expect_sign(p, ',', "between arguments");
    }
    take(p);
    vec_push(&p->m->runs, s);
    return s;
}

/* A condition, an assignment, `v++` or `v--`: all begin like an expression. */
static struct promela_statement *parse_simple(struct parser *p, const struct promela_token *first)
{
    if (accept_underscore(p)) {
        expect_sign(p, '=', "behind \"_\"");
        return new_assignment(p, NULL, parse_expression(p), first);
    }
    struct promela_expression *e = parse_expression(p);
    bool is_target = e->op == OPERATOR_VARIABLE && !token_is(first, '(');
    struct promela_reference *target = e->reference;
    struct promela_expression *one = make_constant(p, 1, first->place);
    if (is_target && accept_sign(p, '='))
        return new_assignment(p, target, parse_expression(p), first);
    if (is_target && accept_sign(p, SIGN2('+', '+')))
        return new_assignment(p, target, make_binary(p, OPERATOR_ADD, e, one, first->place), first);
    if (is_target && accept_sign(p, SIGN2('-', '-')))
        return new_assignment(p, target, make_binary(p, OPERATOR_SUBTRACT, e, one, first->place), first);
    struct promela_statement *s = new_statement(p, STATEMENT_CONDITION, first);
    s->expression = e;
    return s;
}

static struct promela_statement *parse_assert(struct parser *p, const struct promela_token *first)
{
    struct promela_statement *s = new_statement(p, STATEMENT_ASSERT, first);
    s->expression = parse_expression(p);
    return s;
}

static struct promela_statement *parse_plain_block(struct parser *p, const struct promela_token *first)
{
    struct promela_statement *s = new_statement(p, STATEMENT_BLOCK, first);
    s->body = parse_block(p, "");
    return s;
}

static struct promela_statement *parse_printm(struct parser *p, const struct promela_token *first)
{
    expect_sign(p, '(', "behind printm");
    parse_expression(p);
    expect_sign(p, ')', "behind printm");
    return new_statement(p, STATEMENT_PRINT, first);
}

/* Null: the next token is not a word that begins a statement. */
static struct promela_statement *parse_by_word(struct parser *p, const struct promela_token *first)
{
    const struct promela_token *word = next_token(p);
    enum promela_keyword keyword = next_word(p);
    take(p);
    switch (keyword) {
    case WORD_IF: return parse_options(p, STATEMENT_IF, first);
    case WORD_DO: return parse_options(p, STATEMENT_DO, first);
    case WORD_FOR: return parse_for(p, first);
    case WORD_SELECT: return parse_select(p, first);
    case WORD_ATOMIC: return parse_atomic(p, STATEMENT_ATOMIC, first);
    case WORD_D_STEP: return parse_atomic(p, STATEMENT_D_STEP, first);
    case WORD_GOTO: return parse_goto(p, first);
    case WORD_BREAK: return parse_break(p, first);
    case WORD_ELSE: return new_statement(p, STATEMENT_ELSE, first);
    case WORD_ASSERT: return parse_assert(p, first);
    case WORD_PRINTF: return parse_printf(p, first);
    case WORD_PRINTM: return parse_printm(p, first);
    case WORD_RUN: return parse_run(p, first);
    case WORD_CALL: return parse_call(p, 1, first);
    case WORD_CALL2: return parse_call(p, 2, first);
    case WORD_RET: return parse_answer(p, STATEMENT_RETURN, first);
    case WORD_POINT: return parse_answer(p, STATEMENT_POINT, first);
    default: p->stream->next = word; return NULL;
    }
}

/* The label before a statement, or null. */
static struct promela_label *parse_label(struct parser *p)
{
    const struct promela_token *name = next_token(p);
    if (name->kind != TOKEN_NAME || name->name->keyword || !token_is(name + 1, ':'))
        return NULL;
    struct promela_label *label = promela_alloc(p->t, sizeof *label);
    *label = (struct promela_label){.name = name->name,
                                    .place = name->place,
                                    .inlined = name->inlined,
                                    .d_step = p->d_step,
                                    .next = p->process->labels};
    for (struct promela_label *other = p->process->labels; other; other = other->next)
        if (other->name == label->name && other->inlined == label->inlined)
            promela_fail(p->t, PL_MODEL_MEANING, name->place, "the label \"%s\" is there already, in line %u",
                         name->name->text, other->place.line);
    p->process->labels = label;
    take(p);
    take(p);
    return label;
}

static bool ends_sequence(struct parser *p)
{
    enum promela_keyword w = next_word(p);
    return next_token(p)->kind == TOKEN_END || next_is(p, '}') || next_is(p, SIGN2(':', ':')) ||
           w == WORD_FI || w == WORD_OD;
}

/* A label at the end stands for `skip`. */
static struct promela_statement *parse_nothing(struct parser *p, const struct promela_token *label)
{
    struct promela_statement *s = new_statement(p, STATEMENT_CONDITION, label);
    s->expression = make_constant(p, 1, label->place);
    s->place = add_place(p, label, label);
    return s;
}

static struct promela_statement *parse_statement(struct parser *p)
{
    struct promela_label *labels = NULL, *label;
    struct promela_token first = *next_token(p);
    struct promela_statement *s = NULL;
    while ((label = parse_label(p))) {
        label->same_place = labels;
        labels = label;
    }
    if (labels && starts_declaration(p))
        promela_fail(p->t, PL_MODEL_SYNTAX, labels->place, "a label before a declaration");
    struct promela_token start = *next_token(p);
    if (labels && (ends_sequence(p) || next_is(p, ';')))
        s = parse_nothing(p, &first);
    else if (next_is(p, '{'))
        s = parse_plain_block(p, &start);
    else if (!(s = parse_by_word(p, &start)) && !parse_inline_call(p, &s))
        s = parse_simple(p, &start);
    s->labels = labels;
    if (s->place == 0)
        s->place = add_place(p, &start, &p->last);
    return s;
}

/* Variables declared in the middle are set where their declaration stands, as a step. */
static struct promela_statement *parse_late_declaration(struct parser *p)
{
    struct promela_token first = *next_token(p);
    struct promela_variable *v = parse_declaration(p, &p->process->variables, p->process, true);
    struct promela_statement *list = NULL, **end = &list;
    uint32_t place = add_place(p, &first, &p->last);
    for (; v; v = v->next) {
        if (v->is_array || v->type == TYPE_STRUCT)
            outside(p, v->place, "an array or a typedef that is not declared at the start of its process");
        struct promela_reference *r = promela_alloc(p->t, sizeof *r);
        *r = (struct promela_reference){.variable = v, .place = v->place};
        struct promela_expression *value = v->initial ? v->initial : make_constant(p, 0, v->place);
        v->initial = NULL;
        *end = new_assignment(p, r, value, &first);
        (*end)->place = place;
        end = &(*end)->next;
    }
    return list;
}

static struct promela_statement *parse_step(struct parser *p)
{
    if (starts_declaration(p) && p->at_start) {
        parse_declaration(p, &p->process->variables, p->process, true);
        return NULL;
    }
    if (starts_declaration(p))
        return parse_late_declaration(p);
    p->at_start = false;
    return parse_statement(p);
}

/* Between statements: ";" or "->"; a new line, "}" before and "else" before are enough, too. */
static bool separated(struct parser *p)
{
    bool is = next_token(p)->starts_line || token_is(&p->last, '}') ||
              (p->last.kind == TOKEN_NAME && p->last.name->keyword == WORD_ELSE);
    while (accept_sign(p, ';') || accept_sign(p, SIGN2('-', '>')))
        is = true;
    return is;
}

struct promela_statement *parse_sequence(struct parser *p, bool is_process)
{
    struct promela_statement *list = NULL, **end = &list;
    bool at_start = p->at_start;
    p->at_start = is_process;
    if (ends_sequence(p))
        unexpected(p, "a statement");
    do {
        *end = parse_step(p);
        while (*end)
            end = &(*end)->next;
    } while (separated(p) && !ends_sequence(p));
    p->at_start = at_start && is_process;
    if (!ends_sequence(p))
        unexpected(p, "\";\"");
    return list;
}
