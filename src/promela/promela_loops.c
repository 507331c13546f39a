/* SPDX-License-Identifier: Apache-2.0 */
/* `for`, and `select` between bounds that are not constant, become the loops that they are in SPIN. */
#include "promela/promela_parser.h"

enum { SELECT_ONE_STEP = 33 }; /* up to so many values SPIN chooses in one step */

static struct promela_statement *chain(struct promela_statement *a, struct promela_statement *b)
{
    a->next = b;
    return a;
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

struct promela_statement *parse_select(struct parser *p, const struct promela_token *first)
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

struct promela_statement *parse_for(struct parser *p, const struct promela_token *first)
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
