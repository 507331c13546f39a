/* SPDX-License-Identifier: Apache-2.0 */
/* Statements. `for`, and `select` between bounds that are not constant, become the loops that they are in SPIN. */
#include "refine/promela_parser.h"

#include <string.h>

enum { SELECT_ONE_STEP = 33 }; /* up to so many values SPIN chooses in one step */

struct promela_statement *new_statement(struct parser *p, enum promela_statement_kind kind,
                                        const struct promela_token *first)
{
    struct promela_statement *s = promela_alloc(p->t, sizeof *s);
    s->kind = kind;
    s->at = first->place;
    return s;
}

static struct promela_statement *new_assignment(struct parser *p, struct promela_reference *target,
                                                struct promela_expression *value,
                                                const struct promela_token *first)
{
    struct promela_statement *s = new_statement(p, STATEMENT_ASSIGN, first);
    s->references[0] = target;
    s->expression = value;
    return s;
}

static struct promela_statement *chain(struct promela_statement *a, struct promela_statement *b)
{
    a->next = b;
    return a;
}

static struct promela_statement *new_option(struct parser *p, struct promela_statement *body,
                                            const struct promela_token *first)
{
    struct promela_statement *s = new_statement(p, STATEMENT_BLOCK, first);
    s->body = body;
    return s;
}

/* v = low; do :: v `test` high -> body; v++ :: [else ->] break od */
static struct promela_statement *make_loop(struct parser *p, struct promela_reference *v,
                                           struct promela_expression *low, struct promela_expression *high,
                                           struct promela_statement *body, const struct promela_token *first)
{
    bool is_select = body == NULL;
    struct promela_place at = first->place;
    struct promela_statement *test = new_statement(p, STATEMENT_CONDITION, first);
    test->expression =
        make_binary(p, is_select ? OPERATOR_LESS : OPERATOR_LESS_EQUAL, make_use(p, v), high, at);
    struct promela_expression *more =
        make_binary(p, OPERATOR_ADD, make_use(p, v), make_constant(p, 1, at), at);
    struct promela_statement *step = new_assignment(p, v, more, first), *end = test;
    end->next = body;
    while (end->next)
        end = end->next;
    end->next = step;
    struct promela_statement *leave_loop = new_statement(p, STATEMENT_BREAK, first);
    if (!is_select)
        leave_loop = chain(new_statement(p, STATEMENT_ELSE, first), leave_loop);
    struct promela_statement *loop = new_statement(p, STATEMENT_DO, first);
    loop->options = chain(new_option(p, test, first), new_option(p, leave_loop, first));
    struct promela_statement *whole = new_statement(p, STATEMENT_BLOCK, first);
    whole->body = chain(new_assignment(p, v, low, first), loop);
    return whole;
}

/* Parts that the parser made itself are shown as the text they stand for. */
static void set_places(struct promela_statement *list, uint32_t place)
{
    for (struct promela_statement *s = list; s; s = s->next) {
        if (s->place == 0)
            s->place = place;
        set_places(s->body, place);
        set_places(s->options, place);
    }
}

static struct promela_reference *parse_loop_variable(struct parser *p)
{
    struct promela_place at = next_token(p)->place;
    if (find_symbol(p, SYMBOL_VARIABLE) && (find_symbol(p, SYMBOL_VARIABLE)->variable->is_array ||
                                            find_symbol(p, SYMBOL_VARIABLE)->variable->record))
        promela_fail(p->t, PL_MODEL_MEANING, at, "a plain variable is needed here");
    return parse_reference(p);
}

static void parse_range(struct parser *p, struct promela_expression **low, struct promela_expression **high)
{
    int32_t a, b;
    *low = parse_expression(p);
    expect_sign(p, SIGN2('.', '.'), "between the bounds");
    *high = parse_expression(p);
    if (promela_constant_value(*low, &a) && promela_constant_value(*high, &b) && a > b)
        promela_fail(p->t, PL_MODEL_MEANING, (*low)->place, "the first bound exceeds the second");
}

static struct promela_statement *parse_select(struct parser *p, const struct promela_token *first)
{
    struct promela_expression *low, *high;
    int32_t a, b;
    expect_sign(p, '(', "behind select");
    struct promela_reference *v = parse_loop_variable(p);
    expect_sign(p, ':', "behind the variable");
    parse_range(p, &low, &high);
    expect_sign(p, ')', "behind the bounds");
    bool one_step = promela_constant_value(low, &a) && promela_constant_value(high, &b) &&
                    (int64_t)b - a < SELECT_ONE_STEP;
    if (!one_step) {
        struct promela_statement *loop = make_loop(p, v, low, high, NULL, first);
        set_places(loop, add_place(p, first, &p->last));
        return loop;
    }
    struct promela_statement *s = new_statement(p, STATEMENT_SELECT, first);
    s->references[0] = v;
    s->low = a;
    s->high = b;
    return s;
}

static struct promela_statement *parse_block(struct parser *p, const char *where)
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

/* for (v in array): from 0 to the last index. */
static void parse_array_range(struct parser *p, struct promela_expression **low,
                              struct promela_expression **high)
{
    struct promela_symbol *array = find_symbol(p, SYMBOL_VARIABLE);
    struct promela_place at = next_token(p)->place;
    if (!array || !array->variable->is_array)
        promela_fail(p->t, PL_MODEL_MEANING, at, "an array is needed here");
    take(p);
    *low = make_constant(p, 0, at);
    *high = make_constant(p, (int32_t)array->variable->count - 1, at);
}

static struct promela_statement *parse_for(struct parser *p, const struct promela_token *first)
{
    struct promela_expression *low, *high;
    expect_sign(p, '(', "behind for");
    struct promela_reference *v = parse_loop_variable(p);
    if (accept_word(p, WORD_IN)) {
        parse_array_range(p, &low, &high);
    } else {
        expect_sign(p, ':', "behind the variable");
        parse_range(p, &low, &high);
    }
    struct promela_token last = expect_sign(p, ')', "behind the bounds");
    accept_sign(p, ';');
    p->loops++;
    struct promela_statement *body = parse_block(p, "before the body of the loop");
    p->loops--;
    struct promela_statement *loop = make_loop(p, v, low, high, body, first);
    set_places(loop, add_place(p, first, &last));
    return loop;
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

static struct promela_statement *parse_by_word(struct parser *p, const struct promela_token *first)
{
    switch (take(p).name->keyword) {
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
    case WORD_RUN: return parse_run(p, first);
    case WORD_CALL: return parse_call(p, 1, first);
    case WORD_CALL2: return parse_call(p, 2, first);
    case WORD_RET: return parse_answer(p, STATEMENT_RETURN, first);
    case WORD_POINT: return parse_answer(p, STATEMENT_POINT, first);
    default: break;
    }
    /* printm(x) */
    expect_sign(p, '(', "behind printm");
    parse_expression(p);
    expect_sign(p, ')', "behind printm");
    return new_statement(p, STATEMENT_PRINT, first);
}

static bool is_statement_word(enum promela_keyword w)
{
    switch (w) {
    case WORD_IF:
    case WORD_DO:
    case WORD_FOR:
    case WORD_SELECT:
    case WORD_ATOMIC:
    case WORD_D_STEP:
    case WORD_GOTO:
    case WORD_BREAK:
    case WORD_ELSE:
    case WORD_ASSERT:
    case WORD_PRINTF:
    case WORD_PRINTM:
    case WORD_RUN:
    case WORD_CALL:
    case WORD_CALL2:
    case WORD_RET:
    case WORD_POINT: return true;
    default: return false;
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
    else if (is_statement_word(next_word(p)))
        s = parse_by_word(p, &start);
    else if (!parse_inline_call(p, &s))
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
