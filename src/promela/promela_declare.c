/* SPDX-License-Identifier: Apache-2.0 */
/* Declarations of variables, and the room they take. */
#include "promela/promela_parser.h"

enum { STATE_MAX = 60000 }; /* bytes: more has no place in a search */

static uint32_t width_of(const struct promela_variable *v)
{
    switch (v->type) {
    case TYPE_SHORT: return 2;
    case TYPE_INT: return 4;
    case TYPE_UNSIGNED: return v->bits <= 8 ? 1 : v->bits <= 16 ? 2 : 4;
    case TYPE_STRUCT: return v->record->size;
    default: return 1;
    }
}

static bool is_type_word(enum promela_keyword w)
{
    return w == WORD_BIT || w == WORD_BOOL || w == WORD_BYTE || w == WORD_SHORT || w == WORD_INT ||
           w == WORD_UNSIGNED || w == WORD_PID || w == WORD_MTYPE;
}

bool starts_declaration(struct parser *p)
{
    return is_type_word(next_word(p)) || find_symbol(p, SYMBOL_RECORD);
}

static enum promela_type type_of_word(enum promela_keyword w)
{
    switch (w) {
    case WORD_BIT:
    case WORD_BOOL: return TYPE_BIT;
    case WORD_SHORT: return TYPE_SHORT;
    case WORD_INT: return TYPE_INT;
    case WORD_UNSIGNED: return TYPE_UNSIGNED;
    default: return TYPE_BYTE;
    }
}

/* The type, as a variable without a name. */
static struct promela_variable parse_type(struct parser *p)
{
    struct promela_symbol *record = find_symbol(p, SYMBOL_RECORD);
    struct promela_variable v = {.count = 1};
    if (record) {
        take(p);
        v.type = TYPE_STRUCT;
        v.record = record->record;
        return v;
    }
    enum promela_keyword w = next_word(p);
    if (!is_type_word(w))
        unexpected(p, "a type");
    take(p);
    v.type = type_of_word(w);
    v.is_mtype = w == WORD_MTYPE;
    if (v.is_mtype && next_is(p, ':'))
        outside(p, next_token(p)->place, "mtypes with a name of their own");
    return v;
}

static void parse_bits(struct parser *p, struct promela_variable *v)
{
    if (v->type != TYPE_UNSIGNED && next_is(p, ':'))
        unexpected(p, "\";\" or \",\"");
    if (v->type != TYPE_UNSIGNED)
        return;
    expect_sign(p, ':', "and a number of bits behind the name of an unsigned variable");
    struct promela_token bits = *next_token(p);
    if (bits.kind != TOKEN_NUMBER || bits.value < 1 || bits.value > 31)
        promela_fail(p->t, PL_MODEL_MEANING, bits.place, "an unsigned variable has 1 to 31 bits");
    take(p);
    v->bits = (uint8_t)bits.value;
}

static void parse_count(struct parser *p, struct promela_variable *v)
{
    if (!accept_sign(p, '['))
        return;
    struct promela_expression *count = parse_constant(p, "the size of an array");
    if (count->value < 1 || count->value > STATE_MAX)
        promela_fail(p->t, PL_MODEL_MEANING, count->place, "an array has 1 to %d elements", STATE_MAX);
    expect_sign(p, ']', "behind the size of the array");
    v->is_array = true;
    v->count = (uint32_t)count->value;
}

/* `{1, 2, 3}`: a value for each element. */
static struct promela_expression *parse_list(struct parser *p, struct promela_variable *v)
{
    struct promela_expression *first = NULL, **end = &first;
    struct promela_place at = take(p).place;
    uint32_t count = 0;
    do {
        *end = parse_constant(p, "an element of an array");
        end = &(*end)->next;
        count++;
    } while (accept_sign(p, ','));
    expect_sign(p, '}', "behind the elements");
    if (!v->is_array || count != v->count)
        promela_fail(p->t, PL_MODEL_MEANING, at, "%u values for %u elements", count, v->count);
    return first;
}

static void parse_initial(struct parser *p, struct promela_variable *v, bool allowed)
{
    struct promela_place at = next_token(p)->place;
    if (!accept_sign(p, '='))
        return;
    if (!allowed)
        outside(p, at, "an initial value here");
    if (v->type == TYPE_STRUCT)
        promela_fail(p->t, PL_MODEL_MEANING, at, "a whole %s has no initial value", v->record->name->text);
    if (next_is(p, '['))
        outside(p, next_token(p)->place, "channels");
    v->initial = next_is(p, '{') ? parse_list(p, v) : parse_expression(p);
}

static struct promela_variable *parse_variable(struct parser *p, const struct promela_variable *type,
                                               struct promela_process_type *owner, bool with_initial,
                                               bool is_field)
{
    struct promela_token name = expect_name(p, "the name of a variable");
    struct promela_variable *v = promela_alloc(p->t, sizeof *v);
    *v = *type;
    v->name = name.name;
    v->place = name.place;
    v->owner = owner;
    parse_bits(p, v);
    parse_count(p, v);
    if (is_field && next_is(p, '='))
        outside(p, next_token(p)->place, "an initial value of a field");
    parse_initial(p, v, with_initial);
    uint64_t size = (uint64_t)width_of(v) * v->count;
    if (size > STATE_MAX)
        promela_fail(p->t, PL_MODEL_MEANING, v->place, "\"%s\" is too large", v->name->text);
    v->size = (uint32_t)size;
    v->holds_items = promela_alloc(p->t, width_of(v));
    return v;
}

static struct promela_variable **end_of(struct promela_variable **list)
{
    while (*list)
        list = &(*list)->next;
    return list;
}

struct promela_variable *parse_declaration(struct parser *p, struct promela_variable **list,
                                           struct promela_process_type *owner, bool with_initial)
{
    bool is_field = !with_initial && !owner;
    struct promela_variable type = parse_type(p), **end = end_of(list), **first = end;
    do {
        struct promela_variable *v = parse_variable(p, &type, owner, with_initial, is_field);
        struct promela_token name = {.kind = TOKEN_NAME, .name = v->name, .place = v->place};
        for (struct promela_variable *other = *list; is_field && other; other = other->next)
            if (other->name == v->name)
                promela_fail(p->t, PL_MODEL_MEANING, v->place, "\"%s\" is declared already", v->name->text);
        if (!is_field)
            declare(p, &name, SYMBOL_VARIABLE)->variable = v;
        *end = v;
        end = &v->next;
    } while (accept_sign(p, ','));
    return *first;
}
