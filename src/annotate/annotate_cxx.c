/* SPDX-License-Identifier: Apache-2.0 */
/* C++: the body of a function becomes a lambda that is always inlined, and what belongs to the call follows it, in the function, so that
 * members, templates and definitions outside of classes are all the same. The state is a structure at the place of the
 * comment, with the functions of @DefineFunc as its members. */
#include "annotate/annotate_generate.h"

#include <string.h>

/* --- structures ---------------------------------------------------------------------------------- */

/* A function that is static could not use the state. */
static void emit_member_functions(struct emitter *e, const struct code *code)
{
    int depth = 0;
    for (size_t i = 0; i < code->tokens.len; i++) {
        const struct code_token *token = &code->tokens.data[i];
        depth += code_token_is(token, "{") - code_token_is(token, "}");
        if (depth > 0 || !code_token_is(token, "static"))
            emit_tokens(e, code, i, i + 1, NULL);
    }
}

static void emit_codes(struct emitter *e, const struct code *codes, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        emit_code(e, &codes[k], NULL);
        emit_glue(e, &codes[k].at, "; ");
    }
}

static void emit_state_print(struct emitter *e, const struct structure *s)
{
    emit_glue(e, &s->at, "void plumb_print(struct plumb_text *plumb_to) const { (void)plumb_to; ");
    for (size_t k = 0; k < s->variables.len; k++)
        text_printf(&e->out,
                    "plumb_text_add(plumb_to, \"%s%s = \"); plumb_annotated::show(plumb_to, this->%s); ",
                    k ? ", " : "", s->variables.data[k].name, s->variables.data[k].name);
    text_puts(&e->out, "} ");
}

static void emit_description(struct emitter *e, const struct structure *s)
{
    emit_glue(e, &s->at,
              "typedef plumb_annotated::rule_list<%zu> plumb_rules_type; static constexpr plumb_rules_type "
              "plumb_rules() "
              "{ return plumb_rules_type",
              s->rules.len);
    text_puts(&e->out, s->rules.len ? "{{" : "(");
    emit_rules(e, s);
    text_puts(&e->out, s->rules.len ? "}}; } " : "); } ");
    text_puts(&e->out,
              "static constexpr plumb_structure plumb_describe(const plumb_rule *plumb_rules_at) { return "
              "plumb_structure{");
    emit_string(&e->out, s->name);
    text_puts(&e->out, ", ");
    emit_place(e, &s->at);
    text_printf(&e->out,
                ", sizeof(plumb_state_%s), &plumb_annotated::init<plumb_state_%s>, "
                "&plumb_annotated::print<plumb_state_%s>, plumb_rules_at, %zu}; } ",
                s->id, s->id, s->id, s->rules.len);
}

void generate_cxx_structure(struct unit *u, struct structure *s, struct edits *edits)
{
    const struct comment *c = &u->comments.data[s->comment];
    struct emitter *e = edit_at(edits, c->at, c->at + c->length);
    for (size_t k = 0; k < s->variables.len; k++)
        vec_push(&s->renames.list,
                 ((struct rename){s->variables.data[k].name,
                                  unit_print(u, "plumb_s->%s", s->variables.data[k].name)}));
    for (size_t k = 0; k < s->function_names.len; k++)
        vec_push(&s->renames.list,
                 ((struct rename){s->function_names.data[k],
                                  unit_print(u, "plumb_s->%s", s->function_names.data[k])}));
    emit_codes(e, s->structs.data, s->structs.len);
    emit_glue(e, &s->at, "struct plumb_state_%s { ", s->id);
    emit_codes(e, s->variable_code.data, s->variable_code.len);
    for (size_t k = 0; k < s->functions.len; k++)
        emit_member_functions(e, &s->functions.data[k]);
    emit_glue(e, &s->at, "void plumb_init() { ");
    emit_codes(e, s->inits.data, s->inits.len);
    emit_glue(e, &s->at, "} ");
    emit_state_print(e, s);
    emit_description(e, s);
    text_puts(&e->out, "}; ");
}

/* --- the function's type ------------------------------------------------------------------------- */

static const char *type_text(struct unit *u, size_t begin, size_t end)
{
    static const char *const dropped[] = {"static",  "inline",   "virtual",       "explicit",   "friend",
                                          "extern",  "\"C\"",    "__inline",      "__inline__", "_Noreturn",
                                          "\"C++\"", "register", "__extension__", NULL};
    return unit_type_text(u, begin, end, dropped);
}

/* "auto" if the compiler has to find out. */
static const char *result_text(struct unit *u, const struct function *f)
{
    if (f->is_destructor)
        return "void";
    if (f->is_conversion)
        return type_text(u, unit_next(u, f->name), f->open);
    if (f->result_begin)
        return type_text(u, f->result_begin, f->result_end);
    return type_text(u, f->begin, f->name_begin);
}

/* Does it return something, as far as that is not written in its type? */
static bool has_value_return(const struct unit *u, const struct function *f)
{
    for (size_t t = f->body; t < f->body_end; t = unit_next(u, t))
        if (unit_is(u, t, "return") && !unit_is(u, unit_next(u, t), ";"))
            return true;
    return false;
}

static bool is_void(struct unit *u, const struct function *f)
{
    const char *type = result_text(u, f);
    return !strcmp(type, "void") || (!strcmp(type, "auto") && !has_value_return(u, f));
}

static bool is_member(const struct function *f)
{
    return f->class_name && !f->is_static;
}

/* Functions with these cannot be inlined. */
static bool can_be_inlined(const struct unit *u, const struct function *f)
{
    for (size_t t = f->body; t < f->body_end; t = unit_next(u, t))
        if (unit_is(u, t, "setjmp") || unit_is(u, t, "_setjmp") || unit_is(u, t, "__sigsetjmp") ||
            unit_is(u, t, "alloca") || unit_is(u, t, "__builtin_alloca") || unit_is(u, t, "__builtin_setjmp"))
            return false;
    return true;
}

/* --- clauses ------------------------------------------------------------------------------------- */

static bool is_kept(const struct parameter *p)
{
    return p->name && !p->pack;
}

static void emit_locals(struct emitter *e, struct unit *u, const struct interface *i, const struct code *code)
{
    for (size_t k = 0; k < i->function.parameters.len; k++) {
        const struct parameter *p = &i->function.parameters.data[k];
        if (is_kept(p) && code_uses(code, p->text))
            text_printf(&e->out,
                        "decltype(plumb_r->plumb_p_%s.get()) %s = plumb_r->plumb_p_%s.get(); (void)%s; ",
                        p->text, p->text, p->text, p->text);
    }
    if (!is_void(u, &i->function) && code_uses(code, "__RET__"))
        text_puts(
            &e->out,
            "decltype(plumb_r->plumb_result.get()) __RET__ = plumb_r->plumb_result.get(); (void)__RET__; ");
}

static bool uses_this(const struct interface *i)
{
    return is_member(&i->function) &&
           (code_uses(&i->pre, "this") || code_uses(&i->side, "this") || code_uses(&i->post, "this"));
}

static void emit_clause_function(struct emitter *e, struct unit *u, const struct interface *i,
                                 const char *what, const struct code *code, bool condition)
{
    if (!code->given)
        return;
    emit_glue(e, &code->at,
              "static %s plumb_%s(void *plumb_at, void *plumb_in) { plumb_state *plumb_s = "
              "static_cast<plumb_state *>(plumb_at); (void)plumb_s; plumb_record *plumb_r = "
              "static_cast<plumb_record "
              "*>(plumb_in); (void)plumb_r; ",
              condition ? "int" : "void", what);
    emit_locals(e, u, i, code);
    struct renames renames = {0};
    for (size_t k = 0; k < i->structure->renames.list.len; k++)
        vec_push(&renames.list, i->structure->renames.list.data[k]);
    vec_push(&renames.list, ((struct rename){"this", "(plumb_r->plumb_self)"}));
    if (condition)
        text_puts(&e->out, "return (");
    emit_code(e, code, &renames);
    emit_glue(e, &code->at, condition ? ") ? 1 : 0; } " : "; } ");
    vec_free(&renames.list);
}

static void emit_print(struct emitter *e, struct unit *u, const struct interface *i)
{
    const struct function *f = &i->function;
    const char *name = f->class_name && *f->class_name ? f->text + strlen(f->class_name) + 2 : f->text;
    emit_glue(
        e, &i->at,
        "static void plumb_print(const void *plumb_in, struct plumb_text *plumb_to) { const plumb_record "
        "*plumb_r = static_cast<const plumb_record *>(plumb_in); (void)plumb_r; plumb_text_add(plumb_to, "
        "\"%%s(\", \"%s\"); plumb_annotated::arguments plumb_a = {plumb_to, false}; (void)plumb_a; ",
        name);
    for (size_t k = 0; k < f->parameters.len; k++) {
        const struct parameter *p = &f->parameters.data[k];
        if (!is_kept(p))
            continue;
        if (k == 0 && !is_member(f) && !i->object.given)
            text_puts(&e->out, "if (!plumb_first_is_object) ");
        bool seen = interface_needs(i, p->text).seen > 0;
        text_printf(&e->out, "plumb_a.%s(\"%s\", plumb_r->plumb_p_%s%s); ", seen ? "add_seen" : "add",
                    p->text, p->text, seen ? ".get()" : "");
    }
    text_puts(&e->out, "plumb_text_add(plumb_to, \")\"); } ");
    if (!is_void(u, f))
        text_puts(&e->out,
                  "static void plumb_print_result(const void *plumb_in, struct plumb_text *plumb_to) { "
                  "static_cast<const plumb_record *>(plumb_in)->plumb_result.show(plumb_to); } ");
}

static void emit_record(struct emitter *e, struct unit *u, const struct interface *i)
{
    const struct function *f = &i->function;
    emit_glue(e, &i->at, "typedef plumb_state_%s plumb_state; ", i->structure->id);
    if (uses_this(i))
        text_puts(&e->out, "typedef decltype(this) plumb_self_type; ");
    if (!is_void(u, f))
        text_puts(&e->out, "typedef decltype(plumb_body()) plumb_result_type; ");
    if (f->parameters.len && is_kept(&f->parameters.data[0]))
        text_printf(&e->out,
                    "enum { plumb_first_is_object = plumb_annotated::is_object<decltype(%s)>::value }; ",
                    f->parameters.data[0].text);
    text_puts(&e->out, "struct plumb_record { ");
    for (size_t k = 0; k < f->parameters.len; k++) {
        const struct parameter *p = &f->parameters.data[k];
        if (is_kept(p))
            text_printf(&e->out, "plumb_annotated::slot<decltype(%s), %s> plumb_p_%s; ", p->text,
                        interface_needs(i, p->text).used ? "true" : "false", p->text);
    }
    if (!is_void(u, f))
        text_printf(&e->out, "plumb_annotated::result_slot<plumb_result_type, %s> plumb_result; ",
                    interface_needs(i, "__RET__").used ? "true" : "false");
    if (uses_this(i))
        text_puts(&e->out, "plumb_self_type plumb_self; ");
    emit_clause_function(e, u, i, "pre", &i->pre, true);
    emit_clause_function(e, u, i, "side", &i->side, false);
    emit_clause_function(e, u, i, "post", &i->post, true);
    emit_print(e, u, i);
    text_puts(&e->out, "}; ");
}

static void emit_table(struct emitter *e, struct unit *u, const struct interface *i)
{
    emit_name_lists(e, i, "");
    emit_glue(e, &i->at, "static const plumb_interface plumb_described = {\"%s\", ", i->name);
    emit_string(&e->out, i->function.text);
    text_puts(&e->out, ", ");
    emit_place(e, &i->at);
    text_puts(&e->out,
              ", &plumb_annotated::structure_of<plumb_state>::value, sizeof(plumb_record), plumb_points, "
              "plumb_conditions, ");
    emit_clause(e, &i->pre);
    emit_clause(e, &i->side);
    emit_clause(e, &i->post);
    text_printf(&e->out, "%s, %s, %s, &plumb_record::plumb_print, %s, %d, %d}; ",
                i->pre.given ? "&plumb_record::plumb_pre" : "nullptr",
                i->side.given ? "&plumb_record::plumb_side" : "nullptr",
                i->post.given ? "&plumb_record::plumb_post" : "nullptr",
                is_void(u, &i->function) ? "nullptr" : "&plumb_record::plumb_print_result",
                code_uses(&i->side, "__RET__"), code_uses(&i->pre, "__RET__"));
}

/* --- the function -------------------------------------------------------------------------------- */

static void emit_object(struct emitter *e, const struct interface *i)
{
    const struct function *f = &i->function;
    if (i->object.given) {
        text_puts(&e->out, "plumb_object((plumb_quiet(), plumb_annotated::given_object(");
        emit_code(e, &i->object, NULL);
        emit_glue(e, &i->object.at, ")))");
    } else if (is_member(f)) {
        text_puts(&e->out, "static_cast<const void *>(this)");
    } else if (f->parameters.len && is_kept(&f->parameters.data[0])) {
        text_printf(&e->out, "plumb_annotated::default_object<decltype(%s)>(%s)", f->parameters.data[0].text,
                    f->parameters.data[0].text);
    } else {
        text_puts(&e->out, "nullptr");
    }
}

static void emit_pointees(struct emitter *e, struct unit *u, const struct interface *i, bool at_end)
{
    for (size_t k = 0; k < i->function.parameters.len; k++) {
        const struct parameter *p = &i->function.parameters.data[k];
        struct needs needs = is_kept(p) ? interface_needs(i, p->text) : (struct needs){0};
        if (needs.seen || (needs.used && p->reference))
            text_printf(&e->out, "plumb_annotated::keep_seen(plumb_r, plumb_r->plumb_p_%s, %u); ", p->text,
                        needs.seen ? needs.seen : 1);
        if (needs.handed_on)
            text_printf(&e->out, "plumb_annotated::keep_around(plumb_r, plumb_r->plumb_p_%s.get()); ",
                        p->text);
    }
    struct needs result =
        at_end && !is_void(u, &i->function) ? interface_needs(i, "__RET__") : (struct needs){0};
    if (result.seen)
        text_printf(&e->out, "plumb_annotated::keep_pointee(plumb_r, plumb_r->plumb_result.get(), %u); ",
                    result.seen);
    if (result.handed_on)
        text_puts(&e->out, "plumb_annotated::keep_around(plumb_r, plumb_r->plumb_result.get()); ");
    if (uses_this(i) && interface_needs(i, "this").seen)
        text_puts(&e->out, "plumb_annotated::keep_pointee(plumb_r, this, 1); ");
}

static void emit_call_begin(struct emitter *e, struct unit *u, const struct interface *i,
                            const struct place *at)
{
    const struct function *f = &i->function;
    emit_glue(e, at, "plumb_annotated::call plumb_now = {plumb_call_begin(&plumb_described, ");
    emit_object(e, i);
    emit_glue(e, at,
              ")}; plumb_record *plumb_r = static_cast<plumb_record *>(plumb_now.record); if (plumb_r) { ");
    for (size_t k = 0; k < f->parameters.len; k++)
        if (is_kept(&f->parameters.data[k]))
            text_printf(&e->out, "plumb_r->plumb_p_%s.keep(%s); ", f->parameters.data[k].text,
                        f->parameters.data[k].text);
    if (uses_this(i))
        text_puts(&e->out, "plumb_r->plumb_self = this; ");
    emit_pointees(e, u, i, false);
    text_puts(&e->out, "plumb_call_run(plumb_r); } ");
}

/* All names that the id and the conditions use are variables of one block. */
static void emit_call_answers(struct emitter *e, struct unit *u, const struct interface *i,
                              const struct place *at)
{
    struct code all = {0};
    for (size_t n = 0; n < i->call_id.tokens.len; n++)
        vec_push(&all.tokens, i->call_id.tokens.data[n]);
    for (size_t k = 0; k < i->conditions.len; k++) {
        vec_push(&all.tokens, ((struct code_token){.kind = TOKEN_MARK, .text = ";", .length = 1}));
        for (size_t n = 0; n < i->conditions.data[k].code.tokens.len; n++)
            vec_push(&all.tokens, i->conditions.data[k].code.tokens.data[n]);
    }
    emit_glue(e, at, "{ ");
    emit_locals(e, u, i, &all);
    emit_answers(e, i);
    emit_glue(e, at, "} ");
    code_free(&all);
}

static void emit_call_end(struct emitter *e, struct unit *u, const struct interface *i,
                          const struct place *at)
{
    const struct function *f = &i->function;
    const char *type = result_text(u, f);
    size_t length = strlen(type);
    bool moved = length > 2 && !strcmp(type + length - 2, "&&");
    if (is_void(u, f))
        emit_glue(e, at, "plumb_body(); ");
    else
        emit_glue(e, at, "%s plumb_result = plumb_body(); ", type);
    text_puts(&e->out,
              "if (plumb_r) { plumb_call_finish(plumb_r); plumb_u64 plumb_id = 0, plumb_holds = 0; ");
    if (!is_void(u, f))
        text_puts(&e->out, "plumb_r->plumb_result.keep(plumb_result); ");
    emit_pointees(e, u, i, true);
    if (interface_has_id_or_conditions(i))
        emit_call_answers(e, u, i, at);
    emit_glue(e, at, "plumb_now.record = nullptr; plumb_call_end(plumb_r, plumb_id, plumb_holds); } ");
    if (!is_void(u, f) && moved)
        text_printf(&e->out, "return static_cast<%s>(plumb_result); ", type);
    else if (!is_void(u, f))
        text_puts(&e->out, "return plumb_result; ");
}

void generate_cxx_interface(struct unit *u, struct interface *i, struct edits *edits)
{
    const struct function *f = &i->function;
    const struct comment *c = &u->comments.data[i->comment];
    const char *type = result_text(u, f);
    edit_at(edits, c->at, c->at + c->length);
    size_t after = unit_token(u, f->body)->at + 1, before = unit_token(u, f->body_end)->at;
    struct place open = unit_place(u, f->body), close = unit_place(u, f->body_end);
    struct emitter *e = edit_at(edits, after, after);
    emit_glue(e, &open, "auto plumb_body = [&]() %s",
              can_be_inlined(u, f) ? "__attribute__((__always_inline__)) " : "");
    text_printf(&e->out, strcmp(type, "auto") ? "-> %s {" : "{", type);
    e = edit_at(edits, before, before);
    emit_glue(e, &close, "}; ");
    emit_record(e, u, i);
    emit_table(e, u, i);
    emit_call_begin(e, u, i, &close);
    emit_call_end(e, u, i, &close);
}
