/* SPDX-License-Identifier: Apache-2.0 */
#include "orders/source_call.h"

#include "campaign/order_sites.h"

#include <ctype.h>
#include <string.h>

enum { ARGUMENTS_MOST = 8 };

struct argument {
    size_t from, to; /* without space around it */
};

struct call {
    size_t name_from, name_to; /* of what is called, without what stands before it */
    size_t open, close;        /* its parentheses */
    struct argument arguments[ARGUMENTS_MOST];
    size_t count;
    bool is_member; /* behind '.' or '->' */
};

/* ------------------------------------------------------------------ tokens */

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Behind a text, a character or a comment that begins there; the same place if none does. */
static size_t skip_quoted(const struct text *t, size_t at)
{
    const char *s = t->data;
    if (s[at] == '/' && at + 1 < t->len && (s[at + 1] == '/' || s[at + 1] == '*')) {
        const char *end = strstr(s + at + 2, s[at + 1] == '/' ? "\n" : "*/");
        return end ? (size_t)(end - s) + (s[at + 1] == '/' ? 1 : 2) : t->len;
    }
    if (s[at] != '"' && s[at] != '\'')
        return at;
    size_t end = at + 1;
    while (end < t->len && s[end] != s[at])
        end += s[end] == '\\' ? 2 : 1;
    return end < t->len ? end + 1 : t->len;
}

static size_t skip_space(const struct text *t, size_t at)
{
    while (at < t->len && isspace((unsigned char)t->data[at]))
        at++;
    return at;
}

static bool find_position(const struct text *t, uint32_t line, uint32_t column, size_t *at)
{
    const char *p = t->data;
    for (uint32_t k = 1; k < line && p; k++)
        p = (p = strchr(p, '\n')) ? p + 1 : NULL;
    if (!p || !column)
        return false;
    *at = (size_t)(p - t->data) + column - 1;
    return *at < t->len && !memchr(p, '\n', column - 1);
}

/* ------------------------------------------------------------------ the call */

/* From the parenthesis on. */
static bool read_arguments(const struct text *t, struct call *c)
{
    unsigned depth = 0;
    size_t from = c->open + 1;
    for (size_t at = c->open, next; at < t->len; at = next) {
        next = skip_quoted(t, at);
        if (next > at)
            continue;
        next = at + 1;
        char s = t->data[at];
        depth += s == '(' || s == '[' || s == '{';
        if (s == ')' || s == ']' || s == '}')
            depth--;
        if (depth > 1 || (s != ',' && depth > 0))
            continue;
        if (c->count == ARGUMENTS_MOST)
            return false;
        size_t first = skip_space(t, from), last = at;
        while (last > first && isspace((unsigned char)t->data[last - 1]))
            last--;
        if (last > first || s == ',')
            c->arguments[c->count++] = (struct argument){first, last};
        from = at + 1;
        c->close = at;
        if (depth == 0)
            return true;
    }
    return false;
}

/* The compilers name the start of the function's name, or its parenthesis. */
static bool read_call(const struct text *t, size_t at, struct call *c)
{
    *c = (struct call){0};
    size_t name = at;
    if (t->data[at] == '(') {
        name = at;
        while (name > 0 && isspace((unsigned char)t->data[name - 1]))
            name--;
        c->name_to = name;
        while (name > 0 && is_word(t->data[name - 1]))
            name--;
        c->name_from = name;
        c->open = at;
    } else if (is_word(t->data[at])) {
        size_t end = at;
        for (;;) { /* past namespaces and objects, to the last name */
            c->name_from = end;
            while (end < t->len && is_word(t->data[end]))
                end++;
            c->name_to = end;
            bool scope = strncmp(t->data + end, "::", 2) == 0 || strncmp(t->data + end, "->", 2) == 0;
            if (!scope && t->data[end] != '.')
                break;
            end += scope ? 2 : 1;
        }
        c->open = skip_space(t, end);
    } else
        return false;
    size_t before = c->name_from;
    c->is_member = before > 0 && (t->data[before - 1] == '.' ||
                                  (before > 1 && strncmp(t->data + before - 2, "->", 2) == 0));
    return c->name_to > c->name_from && c->open < t->len && t->data[c->open] == '(' && read_arguments(t, c);
}

/* ------------------------------------------------------------------ orders in it */

/* How an order is written: what stands before its word. */
static const char *const spellings[] = {"std::memory_order_", "std::memory_order::", "memory_order_",
                                        "memory_order::", "__ATOMIC_"};

/* The number of the spelling, or -1: the argument is no literal order. */
static int spelling_of(const struct text *t, const struct argument *a)
{
    for (size_t k = 0; k < sizeof spellings / sizeof *spellings; k++) {
        size_t length = strlen(spellings[k]);
        if (a->to - a->from <= length || strncmp(t->data + a->from, spellings[k], length) != 0)
            continue;
        char word[16] = "";
        size_t rest = a->to - a->from - length;
        for (size_t i = 0; i < rest && i + 1 < sizeof word; i++)
            word[i] = (char)tolower((unsigned char)t->data[a->from + length + i]);
        if (rest < sizeof word && order_of_word(word, rest) != ORDER_PLAIN)
            return (int)k;
    }
    return -1;
}

static void add_order(struct text *out, int spelling, unsigned order)
{
    text_puts(out, spellings[spelling]);
    for (const char *c = order_word(order); *c; c++) {
        char sign = strcmp(spellings[spelling], "__ATOMIC_") == 0 ? (char)toupper((unsigned char)*c) : *c;
        text_add(out, &sign, 1);
    }
}

static void push_edit(source_edits *edits, size_t from, size_t to, struct text *text)
{
    vec_push(edits, ((struct source_edit){from, to, text_take(text)}));
}

static void replace(const struct text *t, const struct argument *a, unsigned order, source_edits *edits)
{
    struct text text = {0};
    add_order(&text, spelling_of(t, a), order);
    push_edit(edits, a->from, a->to, &text);
}

/* What a comparison that names one order has when it fails. */
static unsigned derived_failure(unsigned order)
{
    return order == ORDER_ACQ_REL ? ORDER_ACQUIRE : order == ORDER_RELEASE ? ORDER_RELAXED : order;
}

static const char *change_literals(const struct text *t, const struct source_wish *wish, const struct call *c,
                                   source_edits *edits)
{
    const struct argument *last = &c->arguments[c->count - 1];
    if (wish->kind != ATOMIC_CAS) {
        replace(t, last, wish->order, edits);
        return NULL;
    }
    if (c->count > 1 && spelling_of(t, last - 1) >= 0) {
        replace(t, last - 1, wish->order, edits);
        replace(t, last, wish->failure, edits);
        return NULL;
    }
    if (derived_failure(wish->order) == wish->failure) {
        replace(t, last, wish->order, edits);
        return NULL;
    }
    struct text text = {0};
    add_order(&text, spelling_of(t, last), wish->order);
    text_puts(&text, ", ");
    add_order(&text, spelling_of(t, last), wish->failure);
    push_edit(edits, last->from, last->to, &text);
    return NULL;
}

/* ------------------------------------------------------------------ calls without an order */

static bool begins(const struct text *t, const struct call *c, const char *prefix)
{
    size_t length = strlen(prefix);
    return c->name_to - c->name_from >= length && strncmp(t->data + c->name_from, prefix, length) == 0;
}

static bool is_operation(const struct text *t, const struct call *c, size_t skip)
{
    static const char *const names[] = {"load",
                                        "store",
                                        "exchange",
                                        "compare_exchange_strong",
                                        "compare_exchange_weak",
                                        "fetch_add",
                                        "fetch_sub",
                                        "fetch_and",
                                        "fetch_or",
                                        "fetch_xor",
                                        "flag_test_and_set",
                                        "flag_clear",
                                        "test_and_set",
                                        "clear",
                                        "test"};
    size_t length = c->name_to - c->name_from - skip;
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (strlen(names[k]) == length && strncmp(t->data + c->name_from + skip, names[k], length) == 0)
            return true;
    return false;
}

static const char *add_orders(const struct text *t, const struct source_wish *wish, const struct call *c,
                              source_edits *edits)
{
    static const char prefix[] = "atomic_", suffix[] = "_explicit";
    enum { CXX = 0, C = 2 }; /* spellings */
    bool function = !c->is_member && begins(t, c, prefix) && is_operation(t, c, strlen(prefix));
    bool member = c->is_member && is_operation(t, c, 0);
    bool cxx = member || (c->name_from > 1 && strncmp(t->data + c->name_from - 2, "::", 2) == 0);
    struct text text = {0};
    if (!function && !member)
        return "no literal order stands there";
    if (function) {
        text_puts(&text, suffix);
        push_edit(edits, c->name_to, c->name_to, &text);
    }
    text_puts(&text, c->count ? ", " : "");
    add_order(&text, cxx ? CXX : C, wish->order);
    if (wish->kind == ATOMIC_CAS) {
        text_puts(&text, ", ");
        add_order(&text, cxx ? CXX : C, wish->failure);
    }
    push_edit(edits, c->close, c->close, &text);
    return NULL;
}

const char *source_call_change(const struct text *source, const struct source_wish *wish, source_edits *edits)
{
    struct call c;
    size_t at;
    if (!source->data || !find_position(source, wish->line, wish->column, &at))
        return "the place in the source is not known";
    if (!read_call(source, at, &c))
        return "an operator has no literal order";
    if (wish->order > ORDER_SEQ_CST || (wish->kind == ATOMIC_CAS && wish->failure > ORDER_SEQ_CST))
        return "one of its orders is not a constant";
    if (c.count && spelling_of(source, &c.arguments[c.count - 1]) >= 0)
        return change_literals(source, wish, &c, edits);
    return add_orders(source, wish, &c, edits);
}
