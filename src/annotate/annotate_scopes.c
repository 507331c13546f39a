/* SPDX-License-Identifier: Apache-2.0 */
/* Namespaces, classes and blocks: what an opening brace opens is decided by the tokens since the declaration began. */
#include "annotate/annotate_unit.h"

#include <string.h>

static const char *token_copy(struct unit *u, size_t token)
{
    return arena_copy(&u->arena, u->scan.bytes + unit_token(u, token)->at, unit_token(u, token)->length);
}

/* template <...>: the token after it. */
static size_t skip_angles(const struct unit *u, size_t open, size_t end)
{
    int depth = 0;
    for (size_t i = open; i < end; i = unit_next(u, i)) {
        if (unit_is(u, i, "("))
            i = unit_closing(u, i);
        else if (unit_is(u, i, "<"))
            depth++;
        else if (unit_is(u, i, ">") && --depth == 0)
            return unit_next(u, i);
    }
    return end;
}

static bool is_class_key(const struct unit *u, size_t i)
{
    return unit_is(u, i, "class") || unit_is(u, i, "struct") || unit_is(u, i, "union");
}

/* The name of "class [[x]] A final : B", after its key. */
static const char *class_name(struct unit *u, size_t i, size_t end)
{
    const char *name = "";
    for (; i < end; i = unit_next(u, i)) {
        if (unit_is(u, i, ":") || unit_is(u, i, "<"))
            break;
        if (unit_is(u, i, "(") || unit_is(u, i, "["))
            i = unit_closing(u, i);
        else if (unit_token(u, i)->kind == TOKEN_NAME && !unit_is(u, i, "final") &&
                 !unit_is(u, i, "alignas") && !unit_is(u, i, "__attribute__"))
            name = token_copy(u, i);
    }
    return name;
}

/* Of a head without parentheses and initialisers. */
static bool class_of_head(struct unit *u, size_t i, size_t end, const char **name)
{
    bool found = false;
    for (; i < end; i = unit_next(u, i)) {
        if (unit_is(u, i, "template"))
            i = unit_before(u, skip_angles(u, unit_next(u, i), end));
        else if (unit_is(u, i, "alignas") || unit_is(u, i, "__attribute__"))
            i = unit_closing(u, unit_next(u, i));
        else if (unit_is(u, i, ":") && found)
            return true;
        else if (unit_is(u, i, "(") || unit_is(u, i, "=") || unit_is(u, i, "enum"))
            return false;
        else if (is_class_key(u, i) && !found) {
            found = true;
            *name = class_name(u, unit_next(u, i), end);
        }
    }
    return found;
}

static struct scope scope_of_head(struct unit *u, size_t begin, size_t brace)
{
    struct scope scope = {.kind = SCOPE_BLOCK, .name = ""};
    for (size_t i = begin; i < brace; i = unit_next(u, i)) {
        if (unit_is(u, i, "namespace")) {
            scope.kind = SCOPE_NAMESPACE;
            size_t last = unit_before(u, brace);
            scope.name = last > i ? token_copy(u, last) : "";
            return scope;
        }
    }
    if (unit_is(u, begin, "extern") && unit_next(u, unit_next(u, begin)) == brace) {
        scope.kind = SCOPE_NAMESPACE;
        return scope;
    }
    if (class_of_head(u, begin, brace, &scope.name))
        scope.kind = SCOPE_CLASS;
    return scope;
}

/* A declaration in a class: does it declare a static function? */
static void note_static(struct unit *u, const char *class_name, size_t begin, size_t end)
{
    bool is_static = false;
    for (size_t i = begin; i < end; i = unit_next(u, i)) {
        is_static |= unit_is(u, i, "static");
        size_t next = unit_next(u, i);
        if (unit_token(u, i)->kind == TOKEN_NAME && unit_is(u, next, "(")) {
            if (is_static)
                vec_push(&u->static_members, ((struct static_member){class_name, token_copy(u, i)}));
            return;
        }
    }
}

struct walk {
    VEC(size_t) open; /* scopes */
    size_t head;      /* where the declaration began */
    size_t comment;   /* the next one */
};

static void step(struct unit *u, struct walk *w, size_t i)
{
    size_t now = vec_last(&w->open);
    bool open = unit_is(u, i, "{"), close = unit_is(u, i, "}"), end = unit_is(u, i, ";");
    if ((open || end) && u->scopes.data[now].kind == SCOPE_CLASS)
        note_static(u, u->scopes.data[now].name, w->head, i);
    if (open) {
        struct scope scope = scope_of_head(u, w->head, i);
        scope.parent = now;
        scope.in_function = u->scopes.data[now].in_function || scope.kind == SCOPE_BLOCK;
        vec_push(&w->open, u->scopes.len);
        vec_push(&u->scopes, scope);
    }
    if (close && w->open.len > 1)
        w->open.len--;
    bool access = unit_is(u, i, ":") &&
                  (unit_is(u, unit_before(u, i), "public") || unit_is(u, unit_before(u, i), "private") ||
                   unit_is(u, unit_before(u, i), "protected"));
    if (open || close || end || access)
        w->head = unit_next(u, i);
}

static bool is_shallow(struct unit *u, const struct walk *w, size_t i)
{
    struct place at = unit_place(u, i);
    if (w->open.len > BRACES_MOST)
        unit_error(u, &at, "more than %d braces, one within the other, before an annotation", BRACES_MOST);
    return w->open.len <= BRACES_MOST;
}

bool unit_find_scopes(struct unit *u)
{
    struct walk w = {0};
    bool fine = true;
    vec_push(&u->scopes, ((struct scope){.kind = SCOPE_FILE, .name = ""}));
    vec_push(&w.open, 0);
    w.head = u->scan.tokens.len && unit_token(u, 0)->kind <= TOKEN_MARK ? 0 : unit_next(u, 0);
    for (size_t i = 0; fine && i < u->scan.tokens.len && w.comment < u->comments.len; i++) {
        if (u->comments.data[w.comment].token == i) {
            vec_push(&u->comment_scopes, vec_last(&w.open));
            w.comment++;
        } else if (unit_token(u, i)->kind == TOKEN_MARK) {
            step(u, &w, i);
            fine = is_shallow(u, &w, i);
        }
    }
    vec_free(&w.open);
    return fine;
}
