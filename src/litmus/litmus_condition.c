/* SPDX-License-Identifier: Apache-2.0 */
/* The question at the end of a test: what is printed, what counts, what is asked. */
#include "litmus/litmus_parser.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static uint32_t parse_formula(struct parser *p, unsigned level);

static uint32_t add_formula(struct parser *p, struct litmus_formula f)
{
    vec_push(&p->test->formulas, f);
    return (uint32_t)p->test->formulas.len - 1;
}

/* ------------------------------------------------------------------ places */

static bool is_same_place(struct litmus_place a, struct litmus_place b)
{
    return a.thread == b.thread && a.number == b.number;
}

static void observe(struct parser *p, struct litmus_place place)
{
    struct litmus_test *t = p->test;
    place.printed = !p->in_filter;
    for (size_t k = 0; k < t->observed.len; k++) {
        if (is_same_place(t->observed.data[k], place)) {
            t->observed.data[k].printed |= place.printed;
            return;
        }
    }
    vec_push(&t->observed, place);
}

static struct litmus_place parse_register(struct parser *p, const struct token *at)
{
    struct litmus_place place = {0};
    parser_step(p);
    parser_expect(p, ":");
    struct token name = parser_expect_name(p, "a register");
    if (p->failed)
        return place;
    if (at->value >= p->test->program.thread_count) {
        parser_error_at(p, at, "there is no thread P%" PRId64, at->value);
        return place;
    }
    place.thread = (int32_t)at->value;
    place.number = parser_find_register(p, (uint32_t)at->value, &name);
    if (place.number == PROGRAM_REGISTERS_MAX)
        parser_error_at(p, &name, "P%" PRId64 " has no variable of this name", at->value);
    return place;
}

static struct litmus_place parse_place(struct parser *p)
{
    struct token at = p->token;
    if (at.kind == TOKEN_NUMBER)
        return parse_register(p, &at);
    bool bracket = parser_accept(p, "[");
    struct token name = parser_expect_name(p, "a register or a location");
    if (bracket)
        parser_expect(p, "]");
    struct litmus_place place = {.thread = -1, .number = parser_find_location(p, &name)};
    if (place.number == PROGRAM_LOCATIONS_MAX)
        parser_error_at(p, &name, "there is no location of this name");
    return place;
}

static int compare_places(const void *one, const void *other, void *context)
{
    const struct litmus_place *a = one, *b = other;
    /* Locations, -1, come last. */
    if (a->thread != b->thread)
        return (uint32_t)a->thread < (uint32_t)b->thread ? -1 : 1;
    return strcmp(litmus_place_name(context, *a), litmus_place_name(context, *b));
}

/* ------------------------------------------------------------------ formulas */

static uint32_t parse_atom(struct parser *p)
{
    if (parser_accept(p, "true"))
        return add_formula(p, (struct litmus_formula){.kind = FORMULA_TRUE});
    if (parser_accept(p, "false"))
        return add_formula(p, (struct litmus_formula){.kind = FORMULA_FALSE});
    struct litmus_formula atom = {.kind = FORMULA_ATOM, .place = parse_place(p)};
    parser_expect(p, "=");
    atom.value = parser_expect_value(p);
    if (!p->failed)
        observe(p, atom.place);
    return p->failed ? 0 : add_formula(p, atom);
}

static uint32_t parse_operand(struct parser *p)
{
    if (p->test->formulas.len > PARSER_SIZE_MAX)
        return parser_unsupported(p, &p->token, "the condition is too large");
    if (parser_accept(p, "~") || parser_accept(p, "not")) {
        uint32_t negated = parse_formula(p, UINT32_MAX);
        return add_formula(p, (struct litmus_formula){.kind = FORMULA_NOT, .left = negated});
    }
    if (parser_accept(p, "(")) {
        uint32_t inside = parse_formula(p, 0);
        parser_expect(p, ")");
        return inside;
    }
    return parse_atom(p);
}

static const struct {
    const char *text;
    enum litmus_formula_kind kind;
} connectives[] = {{"=>", FORMULA_IMPLIES}, {"\\/", FORMULA_OR}, {"/\\", FORMULA_AND}};

enum { CONNECTIVES = sizeof connectives / sizeof *connectives };

static uint32_t parse_level(struct parser *p, unsigned level)
{
    if (level >= CONNECTIVES)
        return parse_operand(p);
    uint32_t left = parse_level(p, level + 1);
    while (parser_accept(p, connectives[level].text)) {
        /* Only the arrow associates to the right. */
        uint32_t right = level == 0 ? parse_formula(p, 0) : parse_level(p, level + 1);
        left = add_formula(
            p, (struct litmus_formula){.kind = connectives[level].kind, .left = left, .right = right});
    }
    return left;
}

static uint32_t parse_formula(struct parser *p, unsigned level)
{
    uint32_t f = parser_enter(p) ? parse_level(p, level) : 0;
    parser_leave(p);
    return f;
}

/* ------------------------------------------------------------------ the question */

static void parse_locations(struct parser *p)
{
    parser_expect(p, "[");
    while (!p->failed && !parser_sees(p, "]")) {
        struct litmus_place place = parse_place(p);
        if (!p->failed)
            observe(p, place);
        if (!parser_sees(p, "]"))
            parser_expect(p, ";");
    }
    parser_expect(p, "]");
}

static bool accept_quantifier(struct parser *p)
{
    if (parser_accept(p, "exists")) {
        p->test->quantifier = LITMUS_EXISTS;
        return true;
    }
    if (parser_accept(p, "forall")) {
        p->test->quantifier = LITMUS_FORALL;
        return true;
    }
    if (!parser_accept(p, "~"))
        return false;
    parser_expect(p, "exists");
    p->test->quantifier = LITMUS_NOT_EXISTS;
    return true;
}

static void parse_filter(struct parser *p)
{
    if (p->test->filter != LITMUS_NO_FORMULA)
        parser_error_at(p, &p->token, "a second filter");
    p->in_filter = true;
    p->test->filter = parse_formula(p, 0);
    p->in_filter = false;
}

void parser_question(struct parser *p)
{
    struct litmus_test *t = p->test;
    for (bool more = true; more && !p->failed;) {
        if (parser_accept(p, "locations"))
            parse_locations(p);
        else if (parser_accept(p, "filter"))
            parse_filter(p);
        else
            more = false;
    }
    t->condition_line = p->token.line;
    if (accept_quantifier(p)) {
        t->condition = parse_formula(p, 0);
    } else {
        t->quantifier = LITMUS_FORALL;
        t->condition = add_formula(p, (struct litmus_formula){.kind = FORMULA_TRUE});
    }
    if (!p->failed && p->token.kind != TOKEN_END)
        parser_error_at(p, &p->token,
                        "expected a condition, such as 'exists (0:r0=1 /\\ [x]=2)', or the end");
    if (!p->failed && t->observed.len)
        qsort_r(t->observed.data, t->observed.len, sizeof *t->observed.data, compare_places, t);
}

/* ------------------------------------------------------------------ use */

const char *litmus_place_name(const struct litmus_test *t, struct litmus_place place)
{
    return place.thread < 0 ? t->locations[place.number] : t->registers[place.thread][place.number];
}

static int64_t value_of(const struct litmus_test *t, struct litmus_place place, const int64_t *state)
{
    size_t k = 0;
    while (!is_same_place(t->observed.data[k], place))
        k++;
    return state[k];
}

bool litmus_holds(const struct litmus_test *t, uint32_t formula, const int64_t *state)
{
    const struct litmus_formula *f = &t->formulas.data[formula];
    switch (f->kind) {
    case FORMULA_TRUE: return true;
    case FORMULA_FALSE: return false;
    case FORMULA_ATOM: return value_of(t, f->place, state) == f->value;
    case FORMULA_AND: return litmus_holds(t, f->left, state) && litmus_holds(t, f->right, state);
    case FORMULA_OR: return litmus_holds(t, f->left, state) || litmus_holds(t, f->right, state);
    case FORMULA_IMPLIES: return !litmus_holds(t, f->left, state) || litmus_holds(t, f->right, state);
    case FORMULA_NOT: return !litmus_holds(t, f->left, state);
    }
    return false;
}

void litmus_print_value(struct text *out, const struct litmus_test *t, struct litmus_place place,
                        int64_t value)
{
    if (place.thread < 0)
        text_printf(out, "[%s]=%" PRId64, litmus_place_name(t, place), value);
    else
        text_printf(out, "%d:%s=%" PRId64, place.thread, litmus_place_name(t, place), value);
}

static void print_formula(struct text *out, const struct litmus_test *t, uint32_t formula,
                          enum litmus_formula_kind around)
{
    const struct litmus_formula *f = &t->formulas.data[formula];
    if (f->kind == FORMULA_ATOM) {
        litmus_print_value(out, t, f->place, f->value);
    } else if (f->kind == FORMULA_TRUE || f->kind == FORMULA_FALSE) {
        text_puts(out, f->kind == FORMULA_TRUE ? "true" : "false");
    } else if (f->kind == FORMULA_NOT) {
        text_puts(out, "not (");
        print_formula(out, t, f->left, FORMULA_NOT);
        text_puts(out, ")");
    } else {
        bool open = around != FORMULA_NOT && (around != f->kind || around == FORMULA_IMPLIES);
        text_puts(out, open ? "(" : "");
        print_formula(out, t, f->left, f->kind);
        text_puts(out, f->kind == FORMULA_AND ? " /\\ " : f->kind == FORMULA_OR ? " \\/ " : " => ");
        print_formula(out, t, f->right, f->kind);
        text_puts(out, open ? ")" : "");
    }
}

void litmus_print_condition(struct text *out, const struct litmus_test *t)
{
    static const char *const words[] = {"exists", "~exists", "forall"};
    text_printf(out, "%s (", words[t->quantifier]);
    print_formula(out, t, t->condition, FORMULA_NOT);
    text_puts(out, ")");
}
