/* SPDX-License-Identifier: Apache-2.0 */
/* C: the state and the record of a call are structures at file scope, and clauses are functions there. The function itself
 * stays one: begin and end are put into it, and its returns go to the end. */
#include "annotate/annotate_c_types.h"
#include "annotate/annotate_generate.h"

#include <stdio.h>
#include <string.h>

/* Functions that print a value by its type; anything else is "...". */
#define SHOWN                                                                                            \
    "_Bool: plumb_show_bool, char: plumb_show_char, signed char: plumb_show_signed_char, "               \
    "unsigned char: plumb_show_unsigned_char, short: plumb_show_short, unsigned short: "                 \
    "plumb_show_unsigned_short, "                                                                        \
    "int: plumb_show_int, unsigned int: plumb_show_unsigned, long: plumb_show_long, "                    \
    "unsigned long: plumb_show_unsigned_long, long long: plumb_show_long, "                              \
    "unsigned long long: plumb_show_unsigned_long, float: plumb_show_float, double: plumb_show_double, " \
    "plumb_sequence: plumb_show_sequence, default: plumb_show_other"

static void emit_show(struct emitter *e, const char *value, bool pointer, bool array)
{
    if (array)
        text_printf(
            &e->out,
            "plumb_show_array(plumb_to, %s, sizeof %s / sizeof *%s, sizeof *%s, _Generic((%s[0]), " SHOWN
            ")); ",
            value, value, value, value, value);
    else if (pointer)
        text_printf(&e->out, "plumb_show_pointer(plumb_to, &%s); ", value);
    else
        text_printf(&e->out, "_Generic((%s), " SHOWN ")(plumb_to, &%s); ", value, value);
}

/* --- structures ---------------------------------------------------------------------------------- */

/* Each function of the piece is static. */
static void emit_functions(struct emitter *e, const struct structure *s, const struct code *code)
{
    size_t begin = 0;
    int depth = 0;
    for (size_t i = 0; i < code->tokens.len; i++) {
        const struct code_token *token = &code->tokens.data[i];
        if (i == begin && (code_token_is(token, "static") || code_token_is(token, "inline"))) {
            begin++;
            continue;
        }
        if (i == begin) {
            struct place at = code->at;
            at.line = token->line ? token->line : at.line;
            emit_glue(e, &at, "static __attribute__((__unused__)) ");
        }
        emit_tokens(e, code, i, i + 1, &s->renames);
        depth += code_token_is(token, "{") - code_token_is(token, "}");
        if (depth == 0 && (code_token_is(token, "}") || code_token_is(token, ";")))
            begin = i + 1;
    }
}

static void emit_state(struct emitter *e, const struct structure *s)
{
    for (size_t k = 0; k < s->structs.len; k++) {
        emit_code(e, &s->structs.data[k], NULL);
        emit_glue(e, &s->structs.data[k].at, ";");
    }
    emit_glue(e, &s->at, "struct plumb_state_%s { char plumb_unused; ", s->id);
    for (size_t k = 0; k < s->variable_code.len; k++) {
        emit_code(e, &s->variable_code.data[k], NULL);
        emit_glue(e, &s->variable_code.data[k].at, "; ");
    }
    emit_glue(e, &s->at, "}; static struct plumb_state_%s *plumb_now_%s __attribute__((__unused__)); ", s->id,
              s->id);
    for (size_t k = 0; k < s->functions.len; k++)
        emit_functions(e, s, &s->functions.data[k]);
}

static void emit_state_functions(struct emitter *e, const struct structure *s)
{
    emit_glue(
        e, &s->at,
        "static void plumb_init_%s(void *plumb_at) { plumb_now_%s = (struct plumb_state_%s *)plumb_at; ",
        s->id, s->id, s->id);
    for (size_t k = 0; k < s->inits.len; k++) {
        emit_code(e, &s->inits.data[k], &s->renames);
        emit_glue(e, &s->inits.data[k].at, "; ");
    }
    emit_glue(
        e, &s->at,
        "} static void plumb_print_%s(const void *plumb_at, struct plumb_text *plumb_to) { const struct "
        "plumb_state_%s *plumb_s = (const struct plumb_state_%s *)plumb_at; (void)plumb_s; (void)plumb_to; ",
        s->id, s->id, s->id);
    for (size_t k = 0; k < s->variables.len; k++) {
        const struct variable *v = &s->variables.data[k];
        char value[300];
        snprintf(value, sizeof value, "plumb_s->%s", v->name);
        text_printf(&e->out, "plumb_text_add(plumb_to, \"%s%s = \"); ", k ? ", " : "", v->name);
        emit_show(e, value, v->pointer, v->array);
    }
    text_puts(&e->out, "} ");
}

void generate_c_structure(struct unit *u, struct structure *s, struct edits *edits)
{
    const struct comment *c = &u->comments.data[s->comment];
    struct emitter *e = edit_at(edits, c->at, c->at + c->length);
    for (size_t k = 0; k < s->variables.len; k++)
        vec_push(&s->renames.list,
                 ((struct rename){s->variables.data[k].name,
                                  unit_print(u, "(plumb_now_%s->%s)", s->id, s->variables.data[k].name)}));
    emit_strict(e);
    emit_state(e, s);
    emit_state_functions(e, s);
    emit_lenient(e);
    if (s->rules.len) {
        emit_glue(e, &s->at, "static const struct plumb_rule plumb_rules_%s[] = {", s->id);
        emit_rules(e, s);
        text_puts(&e->out, "}; ");
    }
    emit_glue(e, &s->at,
              "static const struct plumb_structure plumb_structure_%s __attribute__((__unused__)) = {",
              s->id);
    emit_string(&e->out, s->name);
    text_puts(&e->out, ", ");
    emit_place(e, &s->at);
    text_printf(&e->out, ", sizeof(struct plumb_state_%s), plumb_init_%s, plumb_print_%s, ", s->id, s->id,
                s->id);
    if (s->rules.len)
        text_printf(&e->out, "plumb_rules_%s, %zu}; ", s->id, s->rules.len);
    else
        text_puts(&e->out, "0, 0}; ");
}

/* --- clauses ------------------------------------------------------------------------------------- */

/* By the code, or by the type of a parameter that the code uses. */
static bool is_used(const struct unit *u, const struct function *f, const struct code *code, const char *name)
{
    bool used = code_uses(code, name);
    for (size_t k = 0; !used && k < f->parameters.len; k++) {
        const struct parameter *p = &f->parameters.data[k];
        used = p->name && c_is_sized_by(u, p, name) && code_uses(code, p->text);
    }
    return used;
}

/* Parameters and the result, as variables, if the code uses them. */
static void emit_locals(struct emitter *e, struct unit *u, const struct interface *i, const struct code *code)
{
    const struct function *f = &i->function;
    for (size_t k = 0; k < f->parameters.len; k++) {
        const struct parameter *p = &f->parameters.data[k];
        if (!p->name || !is_used(u, f, code, p->text))
            continue;
        if (c_is_sized_by_any(u, f, p))
            text_printf(&e->out, "%s = (void *)plumb_r->%s; ", c_variable_text(u, p), p->text);
        else
            text_printf(&e->out, "__typeof__(plumb_r->%s) %s = plumb_r->%s; ", p->text, p->text, p->text);
        text_printf(&e->out, "(void)%s; ", p->text);
    }
    if (!c_is_void(u, &i->function) && code_uses(code, "__RET__"))
        text_puts(&e->out,
                  "__typeof__(plumb_r->plumb_result) __RET__ = plumb_r->plumb_result; (void)__RET__; ");
}

static void emit_clause_function(struct emitter *e, struct unit *u, const struct interface *i,
                                 const char *what, const struct code *code, bool condition)
{
    if (!code->given)
        return;
    emit_glue(
        e, &code->at,
        "static %s plumb_%s_%s(void *plumb_at, void *plumb_in) { struct plumb_record_%s *plumb_r = (struct "
        "plumb_record_%s *)plumb_in; (void)plumb_r; plumb_now_%s = (struct plumb_state_%s *)plumb_at; ",
        condition ? "int" : "void", what, i->id, i->id, i->id, i->structure->id, i->structure->id);
    emit_locals(e, u, i, code);
    if (condition)
        text_puts(&e->out, "return (");
    emit_code(e, code, &i->structure->renames);
    emit_glue(e, &code->at, condition ? ") ? 1 : 0; } " : "; } ");
}

/* --- printing ------------------------------------------------------------------------------------ */

static bool is_scalar_word(const struct unit *u, size_t t)
{
    static const char *const words[] = {"void",   "char",     "short", "int",  "long",    "float", "double",
                                        "signed", "unsigned", "_Bool", "bool", "_Atomic", "enum",  NULL};
    for (size_t k = 0; words[k]; k++)
        if (unit_is(u, t, words[k]))
            return true;
    return false;
}

/* Is the first parameter the default object? 1: yes, -1: the compiler has to decide, by its type. */
static int is_object(const struct unit *u, const struct function *f)
{
    const struct parameter *p = f->parameters.len ? &f->parameters.data[0] : NULL;
    if (!p || !p->name || !p->pointer || p->array)
        return 0;
    for (size_t t = p->begin; t < p->name; t = unit_next(u, t)) {
        if (is_scalar_word(u, t) || unit_is(u, t, "("))
            return 0;
        if (unit_is(u, t, "struct") || unit_is(u, t, "union"))
            return 1;
    }
    return -1;
}

static void emit_parameter(struct emitter *e, const struct interface *i, const struct parameter *p,
                           bool first)
{
    text_printf(&e->out, "plumb_text_add(plumb_to, \"%s\"); ", first ? "" : ", ");
    if (!p->name) {
        text_puts(&e->out, "plumb_text_add(plumb_to, \"...\"); ");
        return;
    }
    char value[300];
    bool seen = interface_needs(i, p->text).seen > 0;
    snprintf(value, sizeof value, seen ? "(*plumb_r->%s)" : "plumb_r->%s", p->text);
    text_printf(&e->out, "plumb_text_add(plumb_to, \"%s%s = \"); ", seen ? "*" : "", p->text);
    if (seen)
        text_printf(&e->out, "if (!plumb_r->%s) plumb_text_add(plumb_to, \"?\"); else ", p->text);
    emit_show(e, value, !seen && (p->pointer || p->array), false);
}

static void emit_print(struct emitter *e, struct unit *u, const struct interface *i)
{
    const struct function *f = &i->function;
    emit_glue(
        e, &i->at,
        "static void plumb_show_call_%s(const void *plumb_in, struct plumb_text *plumb_to) { const struct "
        "plumb_record_%s *plumb_r = (const struct plumb_record_%s *)plumb_in; (void)plumb_r; "
        "plumb_text_add(plumb_to, \"%%s(\", \"%s\"); ",
        i->id, i->id, i->id, f->text);
    size_t first = !i->object.given && is_object(u, f) ? 1 : 0;
    for (size_t k = first; k < f->parameters.len; k++)
        emit_parameter(e, i, &f->parameters.data[k], k == first);
    text_puts(&e->out, "plumb_text_add(plumb_to, \")\"); } ");
    if (c_is_void(u, f))
        return;
    text_printf(
        &e->out,
        "static void plumb_show_result_%s(const void *plumb_in, struct plumb_text *plumb_to) { const struct "
        "plumb_record_%s *plumb_r = (const struct plumb_record_%s *)plumb_in; ",
        i->id, i->id, i->id);
    bool pointer = c_returns_pointer(u, f);
    emit_show(e, "plumb_r->plumb_result", pointer, false);
    text_puts(&e->out, "} ");
}

/* --- tables -------------------------------------------------------------------------------------- */

static void emit_record(struct emitter *e, struct unit *u, const struct interface *i)
{
    const struct function *f = &i->function;
    emit_glue(e, &i->at, "struct plumb_record_%s { char plumb_unused; ", i->id);
    for (size_t k = 0; k < f->parameters.len; k++)
        if (f->parameters.data[k].name)
            text_printf(&e->out, "%s; ", c_member_text(u, f, &f->parameters.data[k]));
    if (!c_is_void(u, f))
        text_printf(&e->out, "%s plumb_result; ", c_result_text(u, f));
    text_puts(&e->out, "}; ");
}

static void emit_function_name(struct emitter *e, const struct code *code, const char *what, const char *id)
{
    if (code->given)
        text_printf(&e->out, "plumb_%s_%s, ", what, id);
    else
        text_puts(&e->out, "0, ");
}

static void emit_table(struct emitter *e, struct unit *u, const struct interface *i)
{
    char suffix[80];
    snprintf(suffix, sizeof suffix, "_%s", i->id);
    emit_name_lists(e, i, suffix);
    emit_glue(e, &i->at, "static const struct plumb_interface plumb_interface_%s = {\"%s\", \"%s\", ", i->id,
              i->name, i->function.text);
    emit_place(e, &i->at);
    text_printf(
        &e->out,
        ", &plumb_structure_%s, sizeof(struct plumb_record_%s), plumb_points_%s, plumb_conditions_%s, ",
        i->structure->id, i->id, i->id, i->id);
    emit_clause(e, &i->pre);
    emit_clause(e, &i->side);
    emit_clause(e, &i->post);
    emit_function_name(e, &i->pre, "pre", i->id);
    emit_function_name(e, &i->side, "side", i->id);
    emit_function_name(e, &i->post, "post", i->id);
    text_printf(&e->out, "plumb_show_call_%s, ", i->id);
    if (c_is_void(u, &i->function))
        text_puts(&e->out, "0, ");
    else
        text_printf(&e->out, "plumb_show_result_%s, ", i->id);
    text_printf(&e->out, "%d, %d}; ", code_uses(&i->side, "__RET__"), code_uses(&i->pre, "__RET__"));
}

/* --- the function -------------------------------------------------------------------------------- */

static void emit_object(struct emitter *e, struct unit *u, const struct interface *i)
{
    if (i->object.given) {
        text_puts(&e->out, "plumb_object((plumb_quiet(), (const void *)(plumb_address)(");
        emit_code(e, &i->object, NULL);
        emit_glue(e, &i->object.at, ")))");
        return;
    }
    int object = is_object(u, &i->function);
    const char *name = object ? i->function.parameters.data[0].text : "";
    if (object > 0)
        text_printf(&e->out, "(const void *)%s", name);
    else if (object < 0)
        text_printf(&e->out,
                    "(const void *)__builtin_choose_expr(__builtin_classify_type(*%s) == 12 || "
                    "__builtin_classify_type(*%s) == 13, %s, 0)",
                    name, name, name);
    else
        text_puts(&e->out, "0");
}

static void emit_pointee(struct emitter *e, struct needs needs, const char *name)
{
    if (needs.seen)
        text_printf(&e->out,
                    "if (plumb_r->%s) plumb_call_pointee(plumb_r, (const void *)plumb_r->%s, %u * sizeof "
                    "*plumb_r->%s); ",
                    name, name, needs.seen, name);
    if (needs.handed_on)
        text_printf(&e->out,
                    "plumb_call_pointee(plumb_r, (const void *)__builtin_choose_expr("
                    "5 == __builtin_classify_type(plumb_r->%s), plumb_r->%s, 0), 0); ",
                    name, name);
}

static void emit_pointees(struct emitter *e, struct unit *u, const struct interface *i, bool at_end)
{
    for (size_t k = 0; k < i->function.parameters.len; k++) {
        const struct parameter *p = &i->function.parameters.data[k];
        struct needs needs = p->name ? interface_needs(i, p->text) : (struct needs){0};
        if (needs.seen && c_is_sized_by_any(u, &i->function, p))
            needs.seen = 0, needs.handed_on = true;
        emit_pointee(e, needs, p->text);
    }
    if (at_end && !c_is_void(u, &i->function))
        emit_pointee(e, interface_needs(i, "__RET__"), "plumb_result");
}

static void emit_begin(struct unit *u, const struct interface *i, struct edits *edits)
{
    const struct function *f = &i->function;
    size_t after = unit_token(u, f->body)->at + 1;
    struct place at = unit_place(u, f->body);
    struct emitter *e = edit_at(edits, after, after);
    if (!c_is_void(u, f))
        emit_glue(e, &at, "%s plumb_result; ", c_result_text(u, f));
    emit_glue(
        e, &at,
        "struct plumb_record_%s *plumb_r = (struct plumb_record_%s *)plumb_call_begin(&plumb_interface_%s, ",
        i->id, i->id, i->id);
    emit_object(e, u, i);
    emit_glue(e, &at, "); if (plumb_r) { ");
    for (size_t k = 0; k < f->parameters.len; k++)
        if (f->parameters.data[k].name)
            text_printf(&e->out, "plumb_r->%s = %s; ", f->parameters.data[k].text,
                        f->parameters.data[k].text);
    emit_pointees(e, u, i, false);
    text_puts(&e->out, "plumb_call_run(plumb_r); } {");
}

static void emit_end(struct unit *u, const struct interface *i, struct edits *edits)
{
    const struct function *f = &i->function;
    size_t before = unit_token(u, f->body_end)->at;
    struct place at = unit_place(u, f->body_end);
    struct emitter *e = edit_at(edits, before, before);
    emit_glue(e, &at,
              "} plumb_end: __attribute__((__unused__)); if (plumb_r) { plumb_call_finish(plumb_r); "
              "plumb_u64 plumb_id = 0, plumb_holds = 0; ");
    if (!c_is_void(u, f))
        text_puts(&e->out, "plumb_r->plumb_result = plumb_result; ");
    emit_pointees(e, u, i, true);
    if (interface_has_id_or_conditions(i)) {
        struct code all = {0};
        const struct code *codes[1] = {&i->call_id};
        for (size_t n = 0; n < codes[0]->tokens.len; n++)
            vec_push(&all.tokens, codes[0]->tokens.data[n]);
        for (size_t k = 0; k < i->conditions.len; k++) {
            vec_push(&all.tokens, ((struct code_token){.kind = TOKEN_MARK, .text = ";", .length = 1}));
            for (size_t n = 0; n < i->conditions.data[k].code.tokens.len; n++)
                vec_push(&all.tokens, i->conditions.data[k].code.tokens.data[n]);
        }
        text_puts(&e->out, "{ ");
        emit_locals(e, u, i, &all);
        emit_answers(e, i);
        emit_glue(e, &at, "} ");
        code_free(&all);
    }
    emit_glue(e, &at, "plumb_call_end(plumb_r, plumb_id, plumb_holds); } %s",
              c_is_void(u, f) ? "" : "return plumb_result; ");
}

/* return x; becomes an assignment and a jump. */
static void edit_return(struct unit *u, const struct function *f, size_t t, struct edits *edits)
{
    size_t end = unit_next(u, t), last = t;
    for (; end < f->body_end && !unit_is(u, end, ";"); end = unit_next(u, end)) {
        if (unit_is(u, end, "(") || unit_is(u, end, "{") || unit_is(u, end, "["))
            end = unit_closing(u, end);
        last = end;
    }
    struct place at = unit_place(u, t), end_at = unit_place(u, end);
    if (at.column > COLUMNS_MOST) {
        unit_error(u, &at, "a return behind column %d of an annotated function: break the line",
                   COLUMNS_MOST);
        return;
    }
    const struct token *word = unit_token(u, t), *semicolon = unit_token(u, end);
    struct emitter *e = edit_at(edits, word->at, word->at + word->length);
    emit_glue(e, &at, last == t ? "{ " : c_is_void(u, f) ? "{ (" : "{ plumb_result = (");
    e = edit_at(edits, semicolon->at, semicolon->at + 1);
    emit_glue(e, &end_at, last == t ? "goto plumb_end; }" : "); goto plumb_end; }");
}

/* int f(int x) {: a function within the function, which has returns of its own. */
static bool is_inner_function(const struct unit *u, size_t open)
{
    static const char *const words[] = {"if", "while", "for", "switch", "return", "sizeof", "else", "do"};
    size_t name = unit_before(u, open), type = unit_before(u, name);
    if (!unit_is(u, open, "(") || unit_token(u, name)->kind != TOKEN_NAME ||
        !unit_is(u, unit_next(u, unit_closing(u, open)), "{"))
        return false;
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (unit_is(u, name, words[k]) || unit_is(u, type, words[k]))
            return false;
    return unit_token(u, type)->kind == TOKEN_NAME || unit_is(u, type, "*");
}

static void edit_returns(struct unit *u, const struct function *f, struct edits *edits)
{
    for (size_t t = unit_next(u, f->body); t < f->body_end; t = unit_next(u, t)) {
        if (unit_is(u, t, "return"))
            edit_return(u, f, t, edits);
        else if (is_inner_function(u, t))
            t = unit_closing(u, unit_next(u, unit_closing(u, t)));
    }
}

void generate_c_interface(struct unit *u, struct interface *i, struct edits *edits)
{
    const struct comment *c = &u->comments.data[i->comment];
    struct emitter *e = edit_at(edits, c->at, c->at + c->length);
    emit_record(e, u, i);
    emit_strict(e);
    emit_clause_function(e, u, i, "pre", &i->pre, true);
    emit_clause_function(e, u, i, "side", &i->side, false);
    emit_clause_function(e, u, i, "post", &i->post, true);
    emit_lenient(e);
    emit_print(e, u, i);
    emit_table(e, u, i);
    emit_begin(u, i, edits);
    edit_returns(u, &i->function, edits);
    emit_end(u, i, edits);
}
