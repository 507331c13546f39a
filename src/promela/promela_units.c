/* SPDX-License-Identifier: Apache-2.0 */
/* The program: types, variables, inlines, processes. */
#include "promela/promela_parser.h"

#include <string.h>

static const struct {
    const char *text;
    enum promela_keyword word;
} words[] = {
    {"active", WORD_ACTIVE},
    {"assert", WORD_ASSERT},
    {"atomic", WORD_ATOMIC},
    {"bit", WORD_BIT},
    {"bool", WORD_BOOL},
    {"break", WORD_BREAK},
    {"byte", WORD_BYTE},
    {"CALL", WORD_CALL},
    {"CALL2", WORD_CALL2},
    {"do", WORD_DO},
    {"d_step", WORD_D_STEP},
    {"else", WORD_ELSE},
    {"false", WORD_FALSE},
    {"fi", WORD_FI},
    {"for", WORD_FOR},
    {"goto", WORD_GOTO},
    {"if", WORD_IF},
    {"in", WORD_IN},
    {"init", WORD_INIT},
    {"inline", WORD_INLINE},
    {"int", WORD_INT},
    {"mtype", WORD_MTYPE},
    {"od", WORD_OD},
    {"pid", WORD_PID},
    {"POINT", WORD_POINT},
    {"printf", WORD_PRINTF},
    {"printm", WORD_PRINTM},
    {"proctype", WORD_PROCTYPE},
    {"RET", WORD_RET},
    {"run", WORD_RUN},
    {"select", WORD_SELECT},
    {"SEQUENTIAL", WORD_SEQUENTIAL},
    {"short", WORD_SHORT},
    {"skip", WORD_SKIP},
    {"true", WORD_TRUE},
    {"typedef", WORD_TYPEDEF},
    {"unsigned", WORD_UNSIGNED},
};

/* Words of Promela that the subset lacks. */
static const char *const outside_words[] = {
    "D_proctype", "c_code",       "c_decl", "c_expr",       "c_state", "c_track",  "chan",     "empty",
    "enabled",    "eval",         "full",   "get_priority", "hidden",  "len",      "local",    "ltl",
    "nempty",     "never",        "nfull",  "notrace",      "of",      "pc_value", "priority", "provided",
    "return",     "set_priority", "show",   "timeout",      "trace",   "unless",   "xr",       "xs"};

static void name_words(struct promela_text *t)
{
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        promela_intern(t, words[i].text, strlen(words[i].text))->keyword = (int)words[i].word;
    for (size_t i = 0; i < sizeof outside_words / sizeof *outside_words; i++)
        promela_intern(t, outside_words[i], strlen(outside_words[i]))->keyword = WORD_OUTSIDE;
}

/* mtype = { a, b, c }: as in SPIN the last one has the lowest number. */
static void parse_mtype_names(struct parser *p)
{
    take(p);
    struct promela_token first = expect_sign(p, '{', "before the names");
    uint32_t from = (uint32_t)p->m->mtypes.len, count = 0;
    struct promela_symbol *names = NULL;
    while (!next_is(p, '}')) {
        if (accept_sign(p, ','))
            continue;
        struct promela_token name = expect_name(p, "a name");
        names = declare(p, &name, SYMBOL_MTYPE);
        names->value = (int32_t)(from + ++count);
        vec_push(&p->m->mtypes, name.name);
    }
    take(p);
    if (count == 0)
        promela_fail(p->t, PL_MODEL_SYNTAX, first.place, "an mtype needs a name");
    if (p->m->mtypes.len > 255)
        promela_fail(p->t, PL_MODEL_MEANING, first.place, "more than 255 names of mtypes");
    for (uint32_t i = 0; i < count; i++)
        p->m->mtypes.data[from + i]->symbol->value = (int32_t)(from + count - i);
    for (uint32_t i = 0; i < count / 2; i++) {
        struct promela_name *swap = p->m->mtypes.data[from + i];
        p->m->mtypes.data[from + i] = p->m->mtypes.data[from + count - 1 - i];
        p->m->mtypes.data[from + count - 1 - i] = swap;
    }
}

/* `mtype = { ... }`, `mtype { ... }` or a declaration of variables. */
static bool parse_mtype(struct parser *p)
{
    const struct promela_token *next = next_token(p) + 1;
    if (next_word(p) != WORD_MTYPE || (!token_is(next, '=') && !token_is(next, '{')))
        return false;
    if (token_is(next, '='))
        take(p);
    parse_mtype_names(p);
    return true;
}

static void parse_typedef(struct parser *p)
{
    take(p);
    struct promela_token name = expect_name(p, "the name of a type");
    struct promela_record *r = promela_alloc(p->t, sizeof *r);
    r->name = name.name;
    expect_sign(p, '{', "before the fields");
    do {
        if (next_is(p, '}'))
            break;
        parse_declaration(p, &r->fields, NULL, false);
    } while (accept_sign(p, ';'));
    expect_sign(p, '}', "behind the fields");
    if (!r->fields)
        promela_fail(p->t, PL_MODEL_SYNTAX, name.place, "a type without fields");
    uint64_t size = 0;
    for (struct promela_variable *v = r->fields; v; v = v->next) {
        v->offset = (uint32_t)size;
        size += v->size;
    }
    if (size > 60000)
        promela_fail(p->t, PL_MODEL_MEANING, name.place, "\"%s\" is too large", name.name->text);
    r->size = (uint32_t)size;
    r->next = p->m->records;
    p->m->records = r;
    declare(p, &name, SYMBOL_RECORD)->record = r; /* behind its fields: it cannot contain itself */
}

static void parse_globals(struct parser *p)
{
    parse_declaration(p, &p->m->globals, NULL, true);
}

static void parse_inline_parameters(struct parser *p, struct promela_inline *f)
{
    struct promela_name *names[64];
    expect_sign(p, '(', "before the parameters");
    while (!next_is(p, ')')) {
        if (f->parameter_count == sizeof names / sizeof *names)
            promela_fail(p->t, PL_MODEL_SYNTAX, next_token(p)->place, "too many parameters");
        names[f->parameter_count++] = expect_name(p, "the name of a parameter").name;
        if (!next_is(p, ')'))
            expect_sign(p, ',', "between parameters");
    }
    take(p);
    f->parameters = promela_alloc(p->t, sizeof names);
    memcpy(f->parameters, names, sizeof names);
}

/* The body is kept as tokens: each call reads it again, with its arguments. */
static void parse_inline(struct parser *p)
{
    take(p);
    struct promela_token name = expect_name(p, "the name of an inline");
    struct promela_inline *f = promela_alloc(p->t, sizeof *f);
    f->name = name.name;
    parse_inline_parameters(p, f);
    struct promela_token open = expect_sign(p, '{', "before the body");
    f->body = next_token(p);
    for (uint32_t depth = 1;;) {
        const struct promela_token *t = next_token(p);
        if (t->kind == TOKEN_END)
            promela_fail(p->t, PL_MODEL_SYNTAX, open.place, "\"{\" without \"}\"");
        depth += token_is(t, '{');
        depth -= token_is(t, '}');
        take(p);
        if (depth == 0)
            break;
        f->length++;
    }
    declare(p, &name, SYMBOL_INLINE)->body = f;
}

static uint32_t parse_active(struct parser *p)
{
    if (!accept_word(p, WORD_ACTIVE))
        return 0;
    if (!accept_sign(p, '['))
        return 1;
    struct promela_expression *count = parse_constant(p, "the number of processes");
    if (count->value < 0 || count->value > 255)
        promela_fail(p->t, PL_MODEL_MEANING, count->place, "there are at most 255 processes");
    expect_sign(p, ']', "behind the number of processes");
    return (uint32_t)count->value;
}

static void parse_parameters(struct parser *p, struct promela_process_type *type)
{
    expect_sign(p, '(', "before the parameters");
    while (!next_is(p, ')')) {
        struct promela_variable *v = parse_declaration(p, &type->variables, type, false);
        for (; v; v = v->next) {
            if (v->is_array || v->type == TYPE_STRUCT)
                outside(p, v->place, "a parameter that is an array or a typedef");
            type->parameter_count++;
        }
        if (!next_is(p, ')'))
            expect_sign(p, ';', "between parameters");
    }
    take(p);
}

static uint32_t lay_out(struct promela_variable *list, uint32_t *count)
{
    uint64_t size = 0;
    for (struct promela_variable *v = list; v; v = v->next) {
        v->offset = (uint32_t)size;
        v->number = (*count)++;
        size += v->size;
        if (size > UINT32_MAX / 2)
            return UINT32_MAX;
    }
    return (uint32_t)size;
}

static void add_type(struct promela_model *m, struct promela_process_type *type)
{
    struct promela_process_type **end = &m->types;
    while (*end)
        end = &(*end)->next;
    *end = type;
}

static void parse_body(struct parser *p, struct promela_process_type *type)
{
    if (next_word(p) == WORD_OUTSIDE)
        unexpected(p, "\"{\"");
    expect_sign(p, '{', "before the body");
    p->at_start = true;
    type->body = parse_sequence(p, true);
    expect_sign(p, '}', "behind the body");
    if (type->answers && !type->calls)
        promela_fail(p->t, PL_MODEL_MEANING, type->answers->at, "an answer in a process that calls nothing");
    type->frame = lay_out(type->variables, &type->variable_count);
    close_scope(p);
    p->process = NULL;
    add_type(p->m, type);
}

static void parse_process(struct parser *p)
{
    struct promela_process_type *type = promela_alloc(p->t, sizeof *type);
    type->is_sequential = accept_word(p, WORD_SEQUENTIAL);
    type->active = parse_active(p);
    if (!accept_word(p, WORD_PROCTYPE))
        unexpected(p, "proctype");
    struct promela_token name = expect_name(p, "the name of a process");
    type->name = name.name;
    type->place = name.place;
    declare(p, &name, SYMBOL_PROCESS)->process = type;
    p->process = type;
    open_scope(p);
    parse_parameters(p, type);
    parse_body(p, type);
}

static void parse_init(struct parser *p)
{
    struct promela_process_type *type = promela_alloc(p->t, sizeof *type);
    type->name = promela_intern(p->t, "init", 4);
    type->place = take(p).place;
    type->is_init = true;
    type->active = 1;
    for (struct promela_process_type *other = p->m->types; other; other = other->next)
        if (other->is_init)
            promela_fail(p->t, PL_MODEL_MEANING, type->place, "there is an init already, in line %u",
                         other->place.line);
    p->process = type;
    open_scope(p);
    parse_body(p, type);
}

static void parse_unit(struct parser *p)
{
    if (accept_sign(p, ';') || accept_sign(p, SIGN2('-', '>')) || parse_mtype(p))
        return;
    switch (next_word(p)) {
    case WORD_TYPEDEF: parse_typedef(p); break;
    case WORD_INLINE: parse_inline(p); break;
    case WORD_INIT: parse_init(p); break;
    case WORD_ACTIVE:
    case WORD_SEQUENTIAL:
    case WORD_PROCTYPE: parse_process(p); break;
    default:
        if (!starts_declaration(p))
            unexpected(p, "a declaration");
        parse_globals(p);
    }
}

void promela_parse(struct promela_model *m)
{
    struct token_stream file = {.next = m->text.tokens.data};
    struct parser p = {.m = m, .t = &m->text, .stream = &file};
    name_words(&m->text);
    while (next_token(&p)->kind != TOKEN_END)
        parse_unit(&p);
    m->globals_size = lay_out(m->globals, &m->global_count);
}
