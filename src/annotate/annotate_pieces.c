/* SPDX-License-Identifier: Apache-2.0 */
/* Pieces of comments become structures, interfaces and points. */
#include "annotate/annotate_unit.h"
#include "base/hash.h"

#include <ctype.h>
#include <string.h>

/* --- code ---------------------------------------------------------------------------------------- */

static const char *in_one_line(struct unit *u, const char *from, const char *end)
{
    struct text text = {0};
    bool space = false;
    for (; from < end; from++) {
        if (isspace((unsigned char)*from)) {
            space = text.len > 0;
            continue;
        }
        if (space)
            text_puts(&text, " ");
        space = false;
        text_add(&text, from, 1);
    }
    return text.len ? text_keep(&text, &u->arena) : "";
}

struct code code_read(struct unit *u, const struct comment *comment, size_t begin, size_t end)
{
    struct code code = {.given = true, .text = in_one_line(u, comment->text + begin, comment->text + end)};
    size_t at = begin, before = begin;
    struct token token;
    while (scan_next(comment->text, end, &at, false, u->scan.language, &token)) {
        if (token.kind == TOKEN_COMMENT)
            continue;
        struct place place = scan_place(&u->scan, comment->at + token.at);
        if (!code.tokens.len)
            code.at = place;
        vec_push(&code.tokens, ((struct code_token){.kind = token.kind,
                                                    .space = token.at > before,
                                                    .line = place.line,
                                                    .column = place.column,
                                                    .text = comment->text + token.at,
                                                    .length = token.length}));
        before = at;
    }
    if (!code.tokens.len)
        code.at = scan_place(&u->scan, comment->at + begin);
    return code;
}

static struct place place_of(const struct code *code, size_t i)
{
    struct place place = code->at;
    if (i < code->tokens.len && code->tokens.data[i].line) {
        place.line = code->tokens.data[i].line;
        place.column = code->tokens.data[i].column;
    }
    return place;
}

static bool check_brackets(struct unit *u, const struct code *code)
{
    VEC(size_t) open = {0};
    bool fine = true;
    for (size_t i = 0; fine && i < code->tokens.len; i++) {
        const struct code_token *token = &code->tokens.data[i];
        if (token->kind != TOKEN_MARK || token->length != 1 || !strchr("()[]{}", *token->text))
            continue;
        const char *pair = strchr("()[]{}", *token->text);
        if (strchr("([{", *token->text)) {
            vec_push(&open, i);
        } else if (!open.len || *code->tokens.data[vec_pop(&open)].text != pair[-1]) {
            struct place at = place_of(code, i);
            unit_error(u, &at, "unbalanced '%c'", *token->text);
            fine = false;
        }
    }
    if (fine && open.len) {
        struct place at = place_of(code, vec_last(&open));
        unit_error(u, &at, "unbalanced '%c'", *code->tokens.data[vec_last(&open)].text);
        fine = false;
    }
    vec_free(&open);
    return fine;
}

static bool check_strings(struct unit *u, const struct code *code)
{
    for (size_t i = 0; i < code->tokens.len; i++) {
        const struct code_token *token = &code->tokens.data[i];
        char quote = token->length ? token->text[token->length - 1] : 0;
        if (token->kind == TOKEN_STRING && (token->length < 2 || (quote != '"' && quote != '\''))) {
            struct place at = place_of(code, i);
            unit_error(u, &at, "a quote is not closed");
            return false;
        }
    }
    return true;
}

/* Code of a piece, with macros expanded. */
static bool take_code(struct unit *u, const struct comment *c, const struct piece *p, struct code *code)
{
    *code = code_read(u, c, p->begin, p->end);
    if (!code->tokens.len) {
        unit_error(u, &p->at, "@%s has no code", annotate_words[p->word]);
        return false;
    }
    if (!check_strings(u, code) || !check_brackets(u, code))
        return false;
    const char *why = macros_expand(&u->macros, c->at, code, &u->arena);
    if (!why && code->tokens.len > WORDS_MOST)
        why = "more than 20000 words";
    if (why)
        unit_error(u, &p->at, "@%s: %s", annotate_words[p->word], why);
    return !why;
}

/* Conditions only look: what the user wrote (not what macros are made of) assigns nothing, but to variables of its own in braces. */
static bool check_assignments(struct unit *u, const struct piece *p, const struct code *code)
{
    static const char *const marks[] = {
        "=", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="};
    int depth = 0;
    for (size_t i = 0; i < code->tokens.len; i++) {
        const struct code_token *token = &code->tokens.data[i];
        depth += (code_token_is(token, "{") || code_token_is(token, "[")) -
                 (code_token_is(token, "}") || code_token_is(token, "]"));
        for (size_t k = 0; depth == 0 && token->line && k < sizeof marks / sizeof *marks; k++) {
            if (token->kind != TOKEN_MARK || !code_token_is(token, marks[k]))
                continue;
            struct place at = place_of(code, i);
            unit_error(u, &at, "@%s changes something: '%s'%s", annotate_words[p->word], marks[k],
                       k ? "" : "; did you mean '=='?");
            return false;
        }
    }
    return true;
}

static bool take_expression(struct unit *u, const struct comment *c, const struct piece *p, struct code *code)
{
    if (!take_code(u, c, p, code))
        return false;
    while (code->tokens.len && code_token_is(&vec_last(&code->tokens), ";"))
        code->tokens.len--;
    int depth = 0;
    for (size_t i = 0; i < code->tokens.len; i++) {
        const struct code_token *token = &code->tokens.data[i];
        depth += (code_token_is(token, "{") || code_token_is(token, "(")) -
                 (code_token_is(token, "}") || code_token_is(token, ")"));
        if (depth == 0 && code_token_is(token, ";")) {
            struct place at = place_of(code, i);
            unit_error(u, &at, "@%s is one expression, without ';' in it", annotate_words[p->word]);
            return false;
        }
    }
    if (!code->tokens.len)
        unit_error(u, &p->at, "@%s has no code", annotate_words[p->word]);
    return code->tokens.len > 0 && check_assignments(u, p, code);
}

static const char *name_at(struct unit *u, const struct code *code, size_t i)
{
    if (i >= code->tokens.len || code->tokens.data[i].kind != TOKEN_NAME)
        return NULL;
    return arena_copy(&u->arena, code->tokens.data[i].text, code->tokens.data[i].length);
}

/* One name and nothing else. */
static bool take_name(struct unit *u, const struct comment *c, const struct piece *p,
                      struct named_place *name)
{
    struct code code = code_read(u, c, p->begin, p->end);
    name->at = p->at;
    name->name = name_at(u, &code, 0);
    bool fine = name->name && code.tokens.len == 1;
    struct place at = code.tokens.len ? place_of(&code, name->name ? 1 : 0) : p->at;
    if (!fine)
        unit_error(u, &at, "@%s is followed by one name%s", annotate_words[p->word],
                   name->name ? ", not more" : "");
    code_free(&code);
    return fine;
}

/* --- structures ---------------------------------------------------------------------------------- */

static const char *make_id(struct unit *u, const struct place *at)
{
    return unit_print(u, "%u_%u_%08x", at->line, at->column,
                      (unsigned)hash_bytes(at->file, strlen(at->file)));
}

static void misplaced(struct unit *u, const struct piece *p, const char *where)
{
    unit_error(u, &p->at, "@%s does not belong to %s", annotate_words[p->word], where);
}

static void read_structure_piece(struct unit *u, struct structure *s, const struct comment *c,
                                 const struct piece *p)
{
    struct code code = {0};
    bool fine = take_code(u, c, p, &code);
    switch (p->word) {
    case WORD_DECLARE_STRUCT: vec_push(&s->structs, code); return;
    case WORD_DECLARE_VAR:
        vec_push(&s->variable_code, code);
        if (fine)
            structure_read_variables(u, s, &code);
        return;
    case WORD_INIT_VAR: vec_push(&s->inits, code); return;
    case WORD_DEFINE_FUNC:
        vec_push(&s->functions, code);
        if (fine)
            structure_read_functions(u, s, &code);
        return;
    default:
        if (fine)
            structure_read_rules(u, s, &code);
        code_free(&code);
    }
}

static void read_structure(struct unit *u, size_t number)
{
    const struct comment *c = &u->comments.data[number];
    const struct piece *first = &c->pieces.data[0];
    struct structure *s = NEW(struct structure);
    s->at = first->at;
    s->comment = number;
    s->scope = u->comment_scopes.data[number];
    s->id = make_id(u, &s->at);
    vec_push(&u->structures, s);
    for (size_t i = 0; i < c->pieces.len; i++) {
        const struct piece *p = &c->pieces.data[i];
        if (p->word > WORD_STRUCTURE && p->word <= WORD_HAPPENS_BEFORE)
            read_structure_piece(u, s, c, p);
        else if (i && p->word < WORDS)
            misplaced(u, p, "@Structure_Define");
    }
    struct named_place name = {.name = ""};
    if (*in_one_line(u, c->text + first->begin, c->text + first->end) && take_name(u, c, first, &name))
        s->name = name.name;
}

/* --- interfaces ---------------------------------------------------------------------------------- */

static void read_points(struct unit *u, struct interface *x, const struct comment *c, const struct piece *p)
{
    struct code code = code_read(u, c, p->begin, p->end);
    if (x->points.len)
        unit_error(u, &p->at, "@%s is given twice", annotate_words[p->word]);
    for (size_t i = 0;; i += 2) {
        struct named_place label = {name_at(u, &code, i), place_of(&code, i)};
        if (!label.name) {
            unit_error(u, code.tokens.len ? &label.at : &p->at, "@%s is followed by labels: A | B",
                       annotate_words[p->word]);
            break;
        }
        if (++u->labels > LABELS_MOST) {
            unit_error(u, &label.at, "more than %d labels in sets", LABELS_MOST);
            break;
        }
        for (size_t k = 0; k < x->points.len; k++)
            if (!strcmp(x->points.data[k].name, label.name))
                unit_error(u, &label.at, "the label %s is named twice", label.name);
        vec_push(&x->points, label);
        if (i + 1 >= code.tokens.len)
            break;
        if (!code_token_is(&code.tokens.data[i + 1], "|")) {
            struct place at = place_of(&code, i + 1);
            unit_error(u, &at, "expected '|' between labels");
            break;
        }
    }
    code_free(&code);
}

static void read_condition(struct unit *u, struct interface *x, const struct comment *c,
                           const struct piece *p)
{
    struct condition condition = {.name = {.at = p->at}};
    struct code all = code_read(u, c, p->begin, p->end);
    condition.name.name = name_at(u, &all, 0);
    bool fine = condition.name.name && all.tokens.len > 1 && code_token_is(&all.tokens.data[1], "::");
    if (!fine)
        unit_error(u, &p->at, "@HB_Condition is followed by a name, '::' and an expression");
    struct piece rest = *p;
    if (fine)
        rest.begin = (size_t)(all.tokens.data[1].text - c->text) + 2;
    code_free(&all);
    if (!fine || !take_expression(u, c, &rest, &condition.code)) {
        code_free(&condition.code);
        return;
    }
    for (size_t k = 0; k < x->conditions.len; k++)
        if (!strcmp(x->conditions.data[k].name.name, condition.name.name))
            unit_error(u, &p->at, "the condition %s is defined twice", condition.name.name);
    if (x->conditions.len == 64) {
        unit_error(u, &p->at, "an interface has at most 64 conditions");
        code_free(&condition.code);
        return;
    }
    vec_push(&x->conditions, condition);
}

static struct code *clause_of(struct interface *x, enum word word)
{
    switch (word) {
    case WORD_ID: return &x->call_id;
    case WORD_OBJECT: return &x->object;
    case WORD_PRE: return &x->pre;
    case WORD_SIDE: return &x->side;
    default: return &x->post;
    }
}

static void read_clause(struct unit *u, struct interface *x, const struct comment *c, const struct piece *p)
{
    struct code *code = clause_of(x, p->word);
    if (code->given) {
        unit_error(u, &p->at, "@%s is given twice", annotate_words[p->word]);
        return;
    }
    if (p->word == WORD_SIDE)
        take_code(u, c, p, code);
    else
        take_expression(u, c, p, code);
}

static void read_interface(struct unit *u, size_t number)
{
    const struct comment *c = &u->comments.data[number];
    struct interface *x = NEW(struct interface);
    struct named_place name = {0};
    x->at = c->pieces.data[0].at;
    x->comment = number;
    x->scope = u->comment_scopes.data[number];
    x->id = make_id(u, &x->at);
    take_name(u, c, &c->pieces.data[0], &name);
    x->name = name.name ? name.name : "";
    vec_push(&u->interfaces, x);
    bool has_set = false;
    for (size_t i = 1; i < c->pieces.len; i++) {
        const struct piece *p = &c->pieces.data[i];
        has_set |= p->word == WORD_POINT_SET;
        if (p->word == WORD_POINT_SET)
            read_points(u, x, c, p);
        else if (p->word == WORD_HB_CONDITION)
            read_condition(u, x, c, p);
        else if (p->word >= WORD_ID && p->word <= WORD_POST)
            read_clause(u, x, c, p);
        else if (p->word < WORDS)
            misplaced(u, p, "@Interface");
    }
    if (!has_set)
        unit_error(u, &x->at, "@%s %s has no @Ordering_Point_Set", annotate_words[c->pieces.data[0].word],
                   x->name);
}

/* --- points -------------------------------------------------------------------------------------- */

static bool is_point(enum word word)
{
    return word >= WORD_POTENTIAL && word <= WORD_CLEAR;
}

static void check_point(struct unit *u, const struct point *p)
{
    if (!p->label.name && p->word != WORD_CLEAR)
        unit_error(u, &p->at, "@%s has no @Label", annotate_words[p->word]);
    if (!p->potential.name && p->word == WORD_CHECK)
        unit_error(u, &p->at, "@%s has no @Potential_Ordering_Point_Label", annotate_words[p->word]);
}

/* A point becomes a statement: it has to stand between two. */
static void check_position(struct unit *u, size_t number, const struct point *p)
{
    const struct comment *c = &u->comments.data[number];
    size_t before = unit_before(u, c->token), after = unit_next(u, c->token + c->tokens - 1);
    if (!u->scopes.data[p->scope].in_function || u->scopes.data[p->scope].kind == SCOPE_CLASS)
        unit_error(u, &p->at, "@%s stands outside of a function", annotate_words[p->word]);
    else if (before == SIZE_MAX || !(unit_is(u, before, ";") || unit_is(u, before, "{") ||
                                     unit_is(u, before, "}") || unit_is(u, before, ":")))
        unit_error(u, &p->at, "@%s stands within a statement; it belongs between two (are braces missing?)",
                   annotate_words[p->word]);
    else if (unit_is(u, after, "else"))
        unit_error(u, &p->at, "@%s stands before an else; it belongs between two statements",
                   annotate_words[p->word]);
}

static void read_point_piece(struct unit *u, struct point *point, const struct comment *c,
                             const struct piece *p)
{
    struct named_place *name = p->word == WORD_LABEL ? &point->label : &point->potential;
    if (p->word != WORD_LABEL && p->word != WORD_POTENTIAL_LABEL)
        misplaced(u, p, "an ordering point");
    else if (p->word == WORD_POTENTIAL_LABEL && point->word != WORD_CHECK)
        unit_error(u, &p->at, "@%s belongs to @Ordering_Point_Check alone", annotate_words[p->word]);
    else if (name->name)
        unit_error(u, &p->at, "@%s is given twice", annotate_words[p->word]);
    else
        take_name(u, c, p, name);
}

static void read_point_comment(struct unit *u, size_t number)
{
    const struct comment *c = &u->comments.data[number];
    struct point *point = NULL;
    for (size_t i = 0; i < c->pieces.len; i++) {
        const struct piece *p = &c->pieces.data[i];
        if (p->word >= WORDS)
            continue;
        if (!is_point(p->word)) {
            read_point_piece(u, point, c, p);
            continue;
        }
        if (point)
            check_point(u, point);
        point = NEW(struct point);
        point->word = p->word;
        point->at = p->at;
        point->comment = number;
        point->scope = u->comment_scopes.data[number];
        vec_push(&u->points, point);
        take_expression(u, c, p, &point->condition);
    }
    check_point(u, point);
    check_position(u, number, point);
}

/* --- comments ------------------------------------------------------------------------------------ */

/* Documentation before our words does not count, nor words that are no words. */
static void drop_first(struct comment *c)
{
    size_t others = 0;
    while (others < c->pieces.len && c->pieces.data[others].word >= WORDS)
        others++;
    memmove(c->pieces.data, c->pieces.data + others, (c->pieces.len - others) * sizeof *c->pieces.data);
    c->pieces.len -= others;
}

static void read_comment(struct unit *u, size_t number)
{
    struct comment *c = &u->comments.data[number];
    drop_first(c);
    if (!c->pieces.len)
        return;
    const struct piece *first = &c->pieces.data[0];
    if (first->word == WORD_STRUCTURE)
        read_structure(u, number);
    else if (first->word == WORD_INTERFACE || first->word == WORD_METHOD)
        read_interface(u, number);
    else if (is_point(first->word))
        read_point_comment(u, number);
    else if (first->word <= WORD_HAPPENS_BEFORE)
        unit_error(u, &first->at, "@%s without @Structure_Define before it in the comment",
                   annotate_words[first->word]);
    else if (first->word <= WORD_POST)
        unit_error(u, &first->at, "@%s without @Interface before it in the comment",
                   annotate_words[first->word]);
    else
        unit_error(u, &first->at, "@%s without an ordering point before it in the comment",
                   annotate_words[first->word]);
}

/* What follows an annotation is moved to its own column by as many blanks. */
static bool is_in_short_line(struct unit *u, const struct comment *c)
{
    for (size_t k = 0; k < c->pieces.len; k++)
        if (c->pieces.data[k].word < WORDS && c->pieces.data[k].at.column > COLUMNS_MOST) {
            unit_error(u, &c->pieces.data[k].at, "an annotation behind column %d: break the line",
                       COLUMNS_MOST);
            return false;
        }
    return true;
}

bool unit_read_pieces(struct unit *u)
{
    bool fine = u->annotations <= ANNOTATIONS_MOST;
    if (!fine)
        unit_error(u, &u->comments.data[0].pieces.data[0].at,
                   "%zu annotations in one file with its headers: at most %d are read", u->annotations,
                   ANNOTATIONS_MOST);
    for (size_t i = 0; fine && i < u->comments.len; i++)
        fine = is_in_short_line(u, &u->comments.data[i]);
    for (size_t i = 0; fine && i < u->comments.len; i++)
        read_comment(u, i);
    return fine;
}
