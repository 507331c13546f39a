/* SPDX-License-Identifier: Apache-2.0 */
/* The function that an interface describes: what stands between the comment and the body. */
#include "annotate/annotate_unit.h"

#include <string.h>

static bool is_any(const struct unit *u, size_t i, const char *const *words)
{
    for (; *words; words++)
        if (unit_is(u, i, *words))
            return true;
    return false;
}

/* Words with parentheses that are no function's. */
static bool takes_parentheses(const struct unit *u, size_t i)
{
    static const char *const words[] = {"__attribute__", "__attribute", "alignas",  "_Alignas", "decltype",
                                        "__typeof__",    "typeof",      "noexcept", "explicit", "__decltype",
                                        "requires",      "_Atomic",     "throw",    "asm",      "__asm__",
                                        "__asm",         NULL};
    return is_any(u, i, words);
}

static size_t skip_template(const struct unit *u, size_t i)
{
    while (unit_is(u, i, "template") && unit_is(u, unit_next(u, i), "<")) {
        int depth = 0;
        for (i = unit_next(u, i); i < u->scan.tokens.len; i = unit_next(u, i)) {
            if (unit_is(u, i, "("))
                i = unit_closing(u, i);
            depth += unit_is(u, i, "<") - unit_is(u, i, ">");
            if (depth <= 0)
                break;
        }
        i = unit_next(u, i);
    }
    return i;
}

static bool wrong(struct unit *u, const struct interface *i, const char *why)
{
    unit_error(u, &i->at, "@Interface %s: %s", i->name ? i->name : "", why);
    return false;
}

static bool ends_search(const struct unit *u, size_t t)
{
    return t >= u->scan.tokens.len || unit_is(u, t, ";") || unit_is(u, t, "{") || unit_is(u, t, "}") ||
           unit_is(u, t, "=");
}

/* operator==, operator(), operator bool: the parenthesis of the parameters. */
static size_t operator_parameters(const struct unit *u, size_t t, struct function *f)
{
    size_t after = unit_next(u, t);
    if (unit_is(u, after, "(")) /* operator() */
        return unit_next(u, unit_closing(u, after));
    f->is_conversion =
        unit_token(u, after)->kind == TOKEN_NAME && !unit_is(u, after, "new") && !unit_is(u, after, "delete");
    while (!ends_search(u, after) && !unit_is(u, after, "("))
        after = unit_next(u, after);
    while (unit_is(u, after, "=")) /* operator=, operator== */
        after = unit_next(u, after);
    return after;
}

static bool is_type_word(const struct unit *u, size_t i)
{
    return unit_is_type_word(u->scan.bytes + unit_token(u, i)->at, unit_token(u, i)->length);
}

/* The name and the parameters' parenthesis. */
static bool find_name(struct unit *u, const struct interface *i, struct function *f)
{
    for (size_t t = f->begin; !ends_search(u, t); t = unit_next(u, t)) {
        size_t next = unit_next(u, t);
        if (takes_parentheses(u, t) && unit_is(u, next, "(")) {
            t = unit_closing(u, next);
        } else if (unit_is(u, t, "[")) {
            t = unit_closing(u, t);
        } else if (unit_is(u, t, "operator")) {
            f->name = t;
            f->open = operator_parameters(u, t, f);
            return unit_is(u, f->open, "(") || wrong(u, i, "its function is not understood");
        } else if (unit_is(u, t, "(")) {
            return wrong(u, i, "its function is not understood; use a typedef for the type it returns");
        } else if (unit_token(u, t)->kind == TOKEN_NAME && unit_is(u, next, "(") && !is_type_word(u, t)) {
            f->name = t;
            f->open = next;
            return true;
        }
    }
    return wrong(u, i, "no function definition follows");
}

/* A::B<x>::name: back to A. */
static void find_qualification(struct unit *u, struct function *f)
{
    size_t at = f->name, before = unit_before(u, at);
    if (unit_is(u, before, "~")) {
        f->is_destructor = true;
        at = before;
        before = unit_before(u, at);
    }
    f->name_begin = at;
    while (before != SIZE_MAX && before >= f->begin && unit_is(u, before, "::")) {
        size_t scope = unit_before(u, before);
        int depth = 0;
        while (scope != SIZE_MAX && scope >= f->begin && (unit_is(u, scope, ">") || depth > 0)) {
            depth += unit_is(u, scope, ">") - unit_is(u, scope, "<");
            scope = unit_before(u, scope);
        }
        f->name_begin = before;
        if (scope == SIZE_MAX || scope < f->begin || unit_token(u, scope)->kind != TOKEN_NAME)
            break;
        if (!f->class_name)
            f->class_name =
                arena_copy(&u->arena, u->scan.bytes + unit_token(u, scope)->at, unit_token(u, scope)->length);
        f->name_begin = scope;
        before = unit_before(u, scope);
    }
}

/* --- parameters ---------------------------------------------------------------------------------- */

/* The name is the last one before the end, a bracket or a default value, or follows a star within parentheses. */
static void name_parameter(struct unit *u, struct parameter *p)
{
    size_t last = 0, names = 0;
    int angles = 0;
    for (size_t t = p->begin; t < p->end; t = unit_next(u, t)) {
        if (unit_is(u, t, "=") && angles == 0)
            break;
        angles += unit_is(u, t, "<") - unit_is(u, t, ">");
        if (angles > 0)
            continue;
        p->pointer |= unit_is(u, t, "*");
        p->reference |= unit_is(u, t, "&") || unit_is(u, t, "&&");
        p->constant |= unit_is(u, t, "const");
        p->pack |= unit_is(u, t, "...");
        if (takes_parentheses(u, t) && unit_is(u, unit_next(u, t), "(")) {
            t = unit_closing(u, unit_next(u, t));
            names++;
        } else if (unit_is(u, t, "[")) {
            p->array |= !unit_is(u, unit_next(u, t), "[");
            t = unit_closing(u, t);
        } else if (unit_is(u, t, "(") &&
                   (unit_is(u, unit_next(u, t), "*") || unit_is(u, unit_next(u, t), "&"))) {
            size_t close = unit_closing(u, t), inner = unit_before(u, close);
            last = unit_token(u, inner)->kind == TOKEN_NAME ? inner : 0;
            p->pointer = true;
            p->name = last;
            return;
        } else if (unit_is(u, t, "(") && names > 1 && last) { /* a function, which is a pointer to it */
            p->pointer = true;
            p->name = last;
            return;
        } else if (unit_token(u, t)->kind == TOKEN_NAME) {
            names++;
            bool qualified = unit_is(u, unit_before(u, t), "::");
            last = is_type_word(u, t) || qualified ? 0 : t;
        } else if (!unit_is(u, t, "[")) {
            last = 0;
        }
    }
    p->name = names > 1 ? last : 0;
}

static void add_parameter(struct unit *u, struct function *f, size_t begin, size_t end)
{
    if (begin >= end || (unit_is(u, begin, "void") && unit_next(u, begin) == end))
        return;
    struct parameter p = {.begin = begin, .end = end};
    name_parameter(u, &p);
    if (p.name)
        p.text =
            arena_copy(&u->arena, u->scan.bytes + unit_token(u, p.name)->at, unit_token(u, p.name)->length);
    vec_push(&f->parameters, p);
}

static void read_parameters(struct unit *u, struct function *f)
{
    int angles = 0;
    size_t begin = unit_next(u, f->open);
    for (size_t t = begin; t < f->close; t = unit_next(u, t)) {
        if (unit_is(u, t, "(") || unit_is(u, t, "[") || unit_is(u, t, "{"))
            t = unit_closing(u, t);
        angles += unit_is(u, t, "<") - unit_is(u, t, ">");
        if (unit_is(u, t, ",") && angles == 0) {
            add_parameter(u, f, begin, t);
            begin = unit_next(u, t);
        }
    }
    add_parameter(u, f, begin, f->close);
}

/* --- after them ---------------------------------------------------------------------------------- */

static bool find_body(struct unit *u, const struct interface *i, struct function *f)
{
    for (size_t t = unit_next(u, f->close); t < u->scan.tokens.len; t = unit_next(u, t)) {
        if (unit_is(u, t, "{")) {
            f->body = t;
            f->body_end = unit_closing(u, t);
            if (f->result_begin)
                f->result_end = t;
            return f->body_end < u->scan.tokens.len || wrong(u, i, "its function does not end");
        }
        if (unit_is(u, t, ";"))
            return wrong(u, i,
                         u->scan.language == ANNOTATE_C && unit_before(u, t) != f->close
                             ? "no function definition follows, or one in the old style"
                             : "a declaration follows; it belongs before the function's definition");
        if (unit_is(u, t, "="))
            return wrong(u, i, "its function has no body");
        if (unit_is(u, t, ":"))
            return wrong(u, i, "a constructor cannot be an interface");
        if (unit_is(u, t, "try"))
            return wrong(u, i, "its function's body must not be a try block");
        if (unit_is(u, t, "->"))
            f->result_begin = unit_next(u, t);
        else if (unit_is(u, t, "(") || unit_is(u, t, "["))
            t = unit_closing(u, t);
        else if (u->scan.language == ANNOTATE_C && unit_token(u, t)->kind == TOKEN_NAME &&
                 !takes_parentheses(u, t))
            return wrong(u, i, "parameters of a function in the old style");
    }
    return wrong(u, i, "no function definition follows");
}

static bool has_word(const struct unit *u, size_t begin, size_t end, const char *word)
{
    for (size_t t = begin; t < end; t = unit_next(u, t))
        if (unit_is(u, t, word))
            return true;
    return false;
}

static bool is_supported(struct unit *u, const struct interface *i, const struct function *f)
{
    if (has_word(u, unit_next(u, f->open), f->close, "...") && u->scan.language == ANNOTATE_C)
        return wrong(u, i, "a function with variable arguments cannot be an interface");
    if (has_word(u, f->begin, f->name, "constexpr") || has_word(u, f->begin, f->name, "consteval"))
        return wrong(u, i, "a constexpr function cannot be an interface");
    if (f->begin == f->name_begin && !f->is_conversion && !f->is_destructor)
        return wrong(u, i,
                     u->scan.language == ANNOTATE_C ? "its function has no type"
                                                    : "a constructor cannot be an interface");
    if (has_word(u, f->body, f->body_end, "co_await") || has_word(u, f->body, f->body_end, "co_return") ||
        has_word(u, f->body, f->body_end, "co_yield"))
        return wrong(u, i, "a coroutine cannot be an interface");
    return true;
}

static bool is_static_member(const struct unit *u, const struct function *f)
{
    for (size_t k = 0; f->class_name && k < u->static_members.len; k++)
        if (!strcmp(u->static_members.data[k].class_name, f->class_name) &&
            unit_is(u, f->name, u->static_members.data[k].name))
            return true;
    return false;
}

/* The class around it, or the one before its name if that is known to be one. */
static void find_class(struct unit *u, const struct interface *i, struct function *f)
{
    const struct scope *scope = &u->scopes.data[i->scope];
    if (scope->kind == SCOPE_CLASS && !has_word(u, f->begin, f->name, "friend"))
        f->class_name = scope->name;
    bool known = scope->kind == SCOPE_CLASS && f->class_name;
    for (size_t k = 0; f->class_name && !known && k < u->scopes.len; k++)
        known = u->scopes.data[k].kind == SCOPE_CLASS && !strcmp(u->scopes.data[k].name, f->class_name);
    if (!known)
        f->class_name = NULL;
    f->is_static = has_word(u, f->begin, f->name, "static") || is_static_member(u, f);
    struct text text = {0};
    if (f->class_name && *f->class_name)
        text_printf(&text, "%s::", f->class_name);
    size_t begin = f->is_destructor ? unit_before(u, f->name) : f->name;
    for (size_t t = begin; t < f->open; t = unit_next(u, t)) {
        const struct token *token = unit_token(u, t);
        text_add(&text, u->scan.bytes + token->at, token->length);
        if (unit_is(u, t, "operator") && unit_token(u, unit_next(u, t))->kind == TOKEN_NAME)
            text_puts(&text, " ");
    }
    f->text = text_keep(&text, &u->arena);
}

bool unit_find_function(struct unit *u, struct interface *i)
{
    struct function *f = &i->function;
    const struct comment *c = &u->comments.data[i->comment];
    size_t first = unit_next(u, c->token + c->tokens - 1);
    while (unit_is(u, unit_next(u, first), ":") &&
           (unit_is(u, first, "public") || unit_is(u, first, "private") || unit_is(u, first, "protected")))
        first = unit_next(u, unit_next(u, first));
    f->begin = skip_template(u, first);
    if (u->scopes.data[i->scope].kind == SCOPE_BLOCK)
        return wrong(u, i, "an interface belongs outside of functions, before its function's definition");
    if (!find_name(u, i, f))
        return false;
    f->close = unit_closing(u, f->open);
    if (f->close >= u->scan.tokens.len)
        return wrong(u, i, "its function's parameters do not end");
    find_qualification(u, f);
    read_parameters(u, f);
    if (f->parameters.len > NAMES_MOST)
        return wrong(u, i, "its function has more than 128 parameters");
    if (!find_body(u, i, f) || !is_supported(u, i, f))
        return false;
    find_class(u, i, f);
    return true;
}
