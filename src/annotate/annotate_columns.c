/* SPDX-License-Identifier: Apache-2.0 */
/* gcc marks what macros of system headers expand to (# 31 "x.c" 3 4, within x.c) and lets its text run on: columns mean nothing there,
 * although memory orders are known by them. Here each of its tokens stands in the macro's own column, as when the compiler expands it. */
#include "annotate/annotate_unit.h"

#include <string.h>

struct columns {
    const struct scan *scan;
    struct text *out;
    size_t copied;      /* of the text */
    size_t marker;      /* the one before the token */
    const char *file;   /* that was entered last */
    bool is_users;      /* it is no system header */
    const char *suffix; /* of the marker: "x.c" 3 4 */
    size_t suffix_length;
    bool expansion;  /* the tokens are a macro's */
    bool after_mark; /* the last of them is one */
    unsigned line;   /* of its last token */
    unsigned column; /* of all of them; 0: not known yet */
};

static void copy(struct columns *c, size_t until)
{
    if (until > c->copied)
        text_add(c->out, c->scan->bytes + c->copied, until - c->copied);
    c->copied = until;
}

/* # 1 "x.h" 1: a header begins; # 7 "x.c" 2: it has ended. */
static bool is_entry(const struct columns *c, const struct line_marker *m)
{
    const char *flags = c->suffix + strlen(m->file) + 2, *end = c->suffix + c->suffix_length;
    bool flag = flags + 1 < end && (flags[1] == '1' || flags[1] == '2');
    return flag || !c->file || strcmp(c->file, m->file) != 0;
}

/* Behind an expansion gcc leaves out a column. */
static void enter_region(struct columns *c, const struct token *token)
{
    const struct line_marker *m = &c->scan->markers.data[c->marker];
    c->suffix = memchr(c->scan->bytes + token->at, '"', token->length);
    c->suffix_length = (size_t)(c->scan->bytes + token->at + token->length - c->suffix);
    bool was = c->expansion, entry = is_entry(c, m);
    if (entry) {
        c->file = m->file;
        c->is_users = !m->system;
    }
    c->expansion = !entry && c->is_users && m->system;
    c->after_mark = false;
    c->column = 0;
    if (was && !c->expansion && !entry && m->line == c->line)
        text_puts(c->out, " ");
}

static void copy_directive(struct columns *c, const struct token *token)
{
    size_t next = c->marker + 1, end = token->at + token->length;
    if (c->expansion) {
        text_puts(c->out, "\n");
        c->copied = token->at;
    }
    copy(c, end < c->scan->length ? end + 1 : end);
    if (next < c->scan->markers.len && c->scan->markers.data[next].at == end + 1) {
        c->marker = next;
        enter_region(c, token);
    }
}

/* Marks stay together as they are: >> is two tokens in C++. */
static void copy_expanded(struct columns *c, const struct token *token)
{
    struct place place = scan_place(c->scan, token->at);
    if (c->after_mark && token->kind == TOKEN_MARK && token->at == c->copied) {
        copy(c, token->at + token->length);
        return;
    }
    c->after_mark = token->kind == TOKEN_MARK;
    if (!c->column)
        c->column = place.column < COLUMNS_MOST ? place.column + 1 : COLUMNS_MOST;
    c->line = place.line;
    text_printf(c->out, "\n# %u %.*s\n", place.line, (int)c->suffix_length, c->suffix);
    text_repeat(c->out, " ", c->column - 1);
    text_add(c->out, c->scan->bytes + token->at, token->length);
    c->copied = token->at + token->length;
}

void columns_restore(const struct scan *scan, struct text *to)
{
    struct columns c = {.scan = scan, .out = to};
    for (size_t i = 0; i < scan->tokens.len; i++) {
        const struct token *token = &scan->tokens.data[i];
        if (token->kind == TOKEN_DIRECTIVE)
            copy_directive(&c, token);
        else if (c.expansion)
            copy_expanded(&c, token);
        else
            copy(&c, token->at + token->length);
    }
    copy(&c, scan->length);
}
