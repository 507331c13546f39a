/* SPDX-License-Identifier: Apache-2.0 */
#include "orders/source_call.h"

#include "campaign/order_sites.h"

#include <ctype.h>
#include <stdlib.h>
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

/* A digit separator of C++: the quote in 1'000. */
static bool is_separator(const struct text *t, size_t at)
{
    size_t from = at;
    while (from > 0 && (is_word(t->data[from - 1]) || t->data[from - 1] == '\''))
        from--;
    return from < at && isdigit((unsigned char)t->data[from]);
}

/* Behind R"x( ... )x", whose first quote stands there. */
static size_t skip_raw(const struct text *t, size_t at)
{
    const char *open = strchr(t->data + at, '(');
    struct text end = {0};
    if (!open)
        return t->len;
    text_puts(&end, ")");
    text_add(&end, t->data + at + 1, (size_t)(open - (t->data + at + 1)));
    text_puts(&end, "\"");
    const char *found = strstr(open, end.data);
    size_t behind = found ? (size_t)(found - t->data) + end.len : t->len;
    text_free(&end);
    return behind;
}

/* Behind a text, a character or a comment that begins there; the same place if none does. */
static size_t skip_quoted(const struct text *t, size_t at)
{
    const char *s = t->data;
    if (s[at] == '/' && at + 1 < t->len && (s[at + 1] == '/' || s[at + 1] == '*')) {
        const char *end = strstr(s + at + 2, s[at + 1] == '/' ? "\n" : "*/");
        return end ? (size_t)(end - s) + (s[at + 1] == '/' ? 1 : 2) : t->len;
    }
    if (s[at] == '"' && at > 0 && s[at - 1] == 'R')
        return skip_raw(t, at);
    if ((s[at] != '"' && s[at] != '\'') || (s[at] == '\'' && is_separator(t, at)))
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

bool source_call_find(const struct text *t, uint32_t line, uint32_t column, size_t *at)
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

/* ------------------------------------------------------------------ which operation it is */

static bool strip_front(const char **name, size_t *length, const char *prefix)
{
    size_t n = strlen(prefix);
    if (*length <= n || strncmp(*name, prefix, n) != 0)
        return false;
    *name += n;
    *length -= n;
    return true;
}

static bool strip_back(const char *name, size_t *length, const char *suffix)
{
    size_t n = strlen(suffix);
    if (*length <= n || strncmp(name + *length - n, suffix, n) != 0)
        return false;
    *length -= n;
    return true;
}

static bool is_name(const char *name, size_t length, const char *other)
{
    return strlen(other) == length && strncmp(name, other, length) == 0;
}

static bool find_kind(const char *name, size_t length, enum atomic_kind *kind)
{
    static const struct {
        const char *name;
        enum atomic_kind kind;
    } names[] = {
        {"load", ATOMIC_LOAD},
        {"test", ATOMIC_LOAD},
        {"wait", ATOMIC_LOAD},
        {"store", ATOMIC_STORE},
        {"clear", ATOMIC_STORE},
        {"exchange", ATOMIC_UPDATE},
        {"test_and_set", ATOMIC_UPDATE},
        {"compare_exchange", ATOMIC_CAS},
        {"compare_exchange_strong", ATOMIC_CAS},
        {"compare_exchange_weak", ATOMIC_CAS},
        {"thread_fence", ATOMIC_FENCE},
    };
    *kind = ATOMIC_UPDATE;
    if (strip_front(&name, &length, "fetch_") || strip_back(name, &length, "_fetch"))
        return true;
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (is_name(name, length, names[k].name)) {
            *kind = names[k].kind;
            return true;
        }
    return false;
}

/* Is it an atomic operation that says its order itself, and no macro or function of the user's? */
static bool operation_of(const struct text *t, const struct call *c, enum atomic_kind *kind)
{
    const char *name = t->data + c->name_from;
    size_t length = c->name_to - c->name_from;
    if (c->is_member)
        return find_kind(name, length, kind);
    if (strip_front(&name, &length, "atomic_") || strip_front(&name, &length, "__c11_atomic_"))
        strip_back(name, &length, "_explicit");
    else if (strip_front(&name, &length, "__atomic_"))
        strip_back(name, &length, "_n");
    else
        return false;
    strip_front(&name, &length, "flag_");
    return find_kind(name, length, kind);
}

/* ------------------------------------------------------------------ orders in it */

/* How an order is written: what stands before its word. */
static const char *const spellings[] = {"std::memory_order_", "std::memory_order::", "memory_order_",
                                        "memory_order::", "__ATOMIC_"};

/* The number of the spelling, or -1: the argument is no literal order. */
static int spelling_of(const struct text *t, const struct argument *a, unsigned *order)
{
    for (size_t k = 0; k < sizeof spellings / sizeof *spellings; k++) {
        size_t length = strlen(spellings[k]);
        if (a->to - a->from <= length || strncmp(t->data + a->from, spellings[k], length) != 0)
            continue;
        char word[16] = "";
        size_t rest = a->to - a->from - length;
        for (size_t i = 0; i < rest && i + 1 < sizeof word; i++)
            word[i] = (char)tolower((unsigned char)t->data[a->from + length + i]);
        *order = rest < sizeof word ? order_of_word(word, rest) : ORDER_PLAIN;
        if (*order != ORDER_PLAIN)
            return (int)k;
    }
    return -1;
}

/* A literal order that is the one as written, as far as that is known. */
static bool is_literal(const struct text *t, const struct argument *a, unsigned written)
{
    unsigned order;
    return spelling_of(t, a, &order) >= 0 && (written == ORDER_PLAIN || written == order);
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
    unsigned before;
    add_order(&text, spelling_of(t, a, &before), order);
    push_edit(edits, a->from, a->to, &text);
}

/* What a comparison that names one order has when it fails. */
static unsigned derived_failure(unsigned order)
{
    return order == ORDER_ACQ_REL ? ORDER_ACQUIRE : order == ORDER_RELEASE ? ORDER_RELAXED : order;
}

/* x.compare_exchange_weak(e, v, order) of C++. */
static bool names_one_order(const struct text *t, const struct call *c, const struct source_wish *wish)
{
    enum { ARGUMENTS = 3 };
    return c->is_member && c->count == ARGUMENTS &&
           is_literal(t, &c->arguments[c->count - 1], wish->written) &&
           (wish->written_failure == ORDER_PLAIN || wish->written_failure == derived_failure(wish->written));
}

static bool change_comparison(const struct text *t, const struct source_wish *wish, const struct call *c,
                              source_edits *edits)
{
    const struct argument *last = &c->arguments[c->count - 1];
    if (names_one_order(t, c, wish)) {
        struct text text = {0};
        unsigned before;
        int spelling = spelling_of(t, last, &before);
        add_order(&text, spelling, wish->order);
        if (derived_failure(wish->order) != wish->failure) {
            text_puts(&text, ", ");
            add_order(&text, spelling, wish->failure);
        }
        push_edit(edits, last->from, last->to, &text);
        return true;
    }
    if (c->count < 2 || !is_literal(t, last - 1, wish->written) ||
        !is_literal(t, last, wish->written_failure))
        return false;
    replace(t, last - 1, wish->order, edits);
    replace(t, last, wish->failure, edits);
    return true;
}

/* ------------------------------------------------------------------ calls without an order */

static bool is_default(unsigned order)
{
    return order == ORDER_SEQ_CST || order == ORDER_PLAIN;
}

/* How many arguments it has when it names no order; of functions one is the object. */
static size_t count_without_orders(const struct text *t, const struct call *c, enum atomic_kind kind)
{
    static const size_t counts[] = {
        [ATOMIC_LOAD] = 0, [ATOMIC_STORE] = 1, [ATOMIC_UPDATE] = 1, [ATOMIC_CAS] = 2, [ATOMIC_FENCE] = 0};
    const char *name = t->data + c->name_from;
    size_t length = c->name_to - c->name_from;
    bool flag = strip_back(name, &length, "test_and_set") || strip_back(name, &length, "clear") ||
                is_name(name, length, "test_and_set") || is_name(name, length, "clear");
    bool waits = is_name(name, length, "wait") || strip_back(name, &length, "_wait");
    return (flag ? 0 : counts[kind] + waits) + !c->is_member;
}

static bool add_orders(const struct text *t, const struct source_wish *wish, const struct call *c,
                       source_edits *edits)
{
    static const char prefix[] = "atomic_", suffix[] = "_explicit";
    enum { CXX = 0, C = 2 }; /* spellings */
    const char *name = t->data + c->name_from;
    size_t length = c->name_to - c->name_from;
    bool function = !c->is_member && strncmp(name, prefix, strlen(prefix)) == 0;
    bool cxx = c->is_member || (c->name_from > 1 && strncmp(name - 2, "::", 2) == 0);
    struct text text = {0};
    if ((!function && !c->is_member) || strip_back(name, &length, suffix) || wish->kind == ATOMIC_FENCE ||
        c->count != count_without_orders(t, c, wish->kind) || !is_default(wish->written) ||
        (wish->kind == ATOMIC_CAS && !is_default(wish->written_failure)))
        return false;
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
    return true;
}

/* ------------------------------------------------------------------ the calls of a site */

/* The order of another site stands there; or of which nothing can be said. */
enum change { CHANGED, ANOTHER_ORDER, NO_LITERAL };

static enum change change_call(const struct text *t, const struct source_wish *wish, const struct call *c,
                               source_edits *edits)
{
    const struct argument *last = &c->arguments[c->count ? c->count - 1 : 0];
    unsigned order;
    if (!c->count || spelling_of(t, last, &order) < 0)
        return add_orders(t, wish, c, edits) ? CHANGED : NO_LITERAL;
    if (wish->kind == ATOMIC_CAS)
        return change_comparison(t, wish, c, edits) ? CHANGED : NO_LITERAL;
    if (!is_literal(t, last, wish->written))
        return ANOTHER_ORDER;
    replace(t, last, wish->order, edits);
    return CHANGED;
}

static bool has_own_site(const struct source_wish *wish, const struct call *c)
{
    for (size_t k = 0; k < wish->other_count; k++)
        if (wish->others[k] >= c->name_from && wish->others[k] <= c->open)
            return true;
    return false;
}

static bool is_call_at(const struct text *t, size_t at, struct call *c)
{
    return is_word(t->data[at]) && (at == 0 || !is_word(t->data[at - 1])) &&
           !isdigit((unsigned char)t->data[at]) && read_call(t, at, c);
}

/* Counts what became of it, if it is such an operation. */
static void change_one(const struct text *t, const struct source_wish *wish, const struct call *c,
                       source_edits *edits, size_t counts[])
{
    enum atomic_kind kind;
    if (operation_of(t, c, &kind) && kind == wish->kind)
        counts[change_call(t, wish, c, edits)]++;
}

/* gcc gives calls that are arguments of a call the place of that one, and to all calls in the arguments of a macro that of its name:
 * these have no site of their own. */
static void change_inside(const struct text *t, const struct source_wish *wish, const struct call *outer,
                          source_edits *edits, size_t counts[])
{
    for (size_t at = outer->open + 1, next; at < outer->close; at = next) {
        struct call c;
        next = skip_quoted(t, at);
        if (next > at)
            continue;
        next = at + 1;
        if (!is_call_at(t, at, &c))
            continue;
        next = c.open + 1;
        if (!has_own_site(wish, &c))
            change_one(t, wish, &c, edits, counts);
    }
}

static void drop_edits(source_edits *edits, size_t count)
{
    while (edits->len > count)
        free(edits->data[--edits->len].text);
}

const char *source_call_change(const struct text *source, const struct source_wish *wish, source_edits *edits)
{
    struct call c;
    size_t at, counts[NO_LITERAL + 1] = {0}, before = edits->len;
    if (!source->data || !source_call_find(source, wish->line, wish->column, &at))
        return "the place in the source is not known";
    if (!read_call(source, at, &c))
        return "an operator has no literal order";
    if (wish->order > ORDER_SEQ_CST || (wish->kind == ATOMIC_CAS && wish->failure > ORDER_SEQ_CST))
        return "one of its orders is not a constant";
    change_one(source, wish, &c, edits, counts);
    change_inside(source, wish, &c, edits, counts);
    if (counts[CHANGED] && !counts[NO_LITERAL])
        return NULL;
    drop_edits(edits, before);
    return "no literal order stands there";
}
