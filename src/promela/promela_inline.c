/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of inlines: the body is read again with the arguments in place of the parameters. And the text that statements are
 * shown with. */
#include "promela/promela_parser.h"

#include <ctype.h>
#include <string.h>

enum { ARGUMENTS_MAX = 64, INLINED_TOKENS_MAX = 1000000 };

struct arguments {
    const struct promela_token *starts[ARGUMENTS_MAX];
    size_t lengths[ARGUMENTS_MAX];
    uint32_t count;
};

static void read_arguments(struct parser *p, struct arguments *a)
{
    struct promela_token open = expect_sign(p, '(', "behind the name of an inline");
    uint32_t depth = 1;
    const struct promela_token *start = next_token(p);
    while (depth > 0) {
        const struct promela_token *t = next_token(p);
        if (t->kind == TOKEN_END)
            promela_fail(p->t, PL_MODEL_SYNTAX, open.place, "\"(\" without \")\"");
        depth += token_is(t, '(');
        depth -= token_is(t, ')');
        bool ends = depth == 0 || (depth == 1 && token_is(t, ','));
        bool is_none = depth == 0 && a->count == 0 && t == start;
        take(p);
        if (!ends || is_none)
            continue;
        if (a->count == ARGUMENTS_MAX)
            promela_fail(p->t, PL_MODEL_SYNTAX, open.place, "too many arguments");
        if (t == start)
            promela_fail(p->t, PL_MODEL_SYNTAX, t->place, "an argument is missing");
        a->starts[a->count] = start;
        a->lengths[a->count++] = (size_t)(t - start);
        start = t + 1;
    }
}

static int parameter_of(const struct promela_inline *f, const struct promela_token *t)
{
    for (uint32_t i = 0; i < f->parameter_count; i++)
        if (t->kind == TOKEN_NAME && t->name == f->parameters[i])
            return (int)i;
    return -1;
}

/* The tokens of an argument are shown as the parameter: what a reader of the body sees there. */
static void put_argument(promela_tokens *out, const struct promela_token *parameter,
                         const struct promela_token *tokens, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        struct promela_token t = tokens[i];
        t.starts_line = i == 0 && parameter->starts_line;
        t.text_file = parameter->text_file;
        t.start = parameter->start;
        t.end = parameter->end;
        vec_push(out, t);
    }
}

static promela_tokens *substitute(struct parser *p, const struct promela_inline *f, const struct arguments *a)
{
    promela_tokens *out = promela_new_tokens(p->t);
    for (size_t i = 0; i < f->length; i++) {
        const struct promela_token *t = &f->body[i];
        int parameter = parameter_of(f, t);
        if (parameter >= 0) {
            put_argument(out, t, a->starts[parameter], a->lengths[parameter]);
        } else {
            vec_push(out, *t);
            vec_last(out).inlined = p->inlined;
        }
        if (p->inlined_tokens + out->len > INLINED_TOKENS_MAX)
            promela_fail(p->t, PL_MODEL_SYNTAX, t->place, "the inlines expand to too much");
    }
    p->inlined_tokens += out->len;
    struct promela_token end = {.kind = TOKEN_END, .starts_line = true, .place = f->body[f->length].place};
    vec_push(out, end);
    return out;
}

static struct promela_statement *read_body(struct parser *p, struct promela_inline *f,
                                           const struct arguments *a)
{
    uint32_t outer = p->inlined;
    p->inlined = ++p->inline_count;
    struct token_stream body = {.next = substitute(p, f, a)->data, .below = p->stream};
    p->stream = &body;
    f->is_busy = true;
    open_scope(p);
    enter(p);
    struct promela_statement *list = parse_sequence(p, false);
    if (next_token(p)->kind != TOKEN_END)
        unexpected(p, "the end of the inline");
    if (list->labels)
        promela_fail(p->t, PL_MODEL_MEANING, list->labels->place,
                     "a label at the start of an inline: a statement has to be before it");
    leave(p);
    close_scope(p);
    f->is_busy = false;
    p->stream = body.below;
    p->inlined = outer;
    return list;
}

bool parse_inline_call(struct parser *p, struct promela_statement **s)
{
    struct promela_symbol *symbol = find_symbol(p, SYMBOL_INLINE);
    if (!symbol)
        return false;
    struct promela_token name = take(p), close;
    struct promela_inline *f = symbol->body;
    struct arguments a = {.count = 0};
    if (f->is_busy)
        promela_fail(p->t, PL_MODEL_MEANING, name.place, "the inline \"%s\" calls itself", name.name->text);
    read_arguments(p, &a);
    close = p->last;
    if (a.count != f->parameter_count)
        promela_fail(p->t, PL_MODEL_MEANING, name.place, "parameters of %s: %u, arguments here: %u",
                     name.name->text, f->parameter_count, a.count);
    p->at_start = false;
    *s = new_statement(p, STATEMENT_BLOCK, &name);
    (*s)->body = read_body(p, f, &a);
    (*s)->place = add_place(p, &name, &close);
    p->last = close;
    p->last.kind = TOKEN_SIGN;
    p->last.sign = '}'; /* a separator may be missing behind it, as behind a block */
    return true;
}

/* Copies a piece of text on one line, without comments, cut to what fits. */
static void shorten(const char *text, size_t length, char *out, size_t size)
{
    size_t n = 0;
    for (size_t i = 0; i < length && n + 5 < size; i++) {
        if (text[i] == '/' && i + 1 < length && text[i + 1] == '*') {
            const char *end = memmem(text + i + 2, length - i - 2, "*/", 2);
            i = end ? (size_t)(end - text) + 1 : length;
        } else if (text[i] == '/' && i + 1 < length && text[i + 1] == '/') {
            while (i < length && text[i] != '\n')
                i++;
        } else if (!isspace((unsigned char)text[i]) && text[i] != '\\') {
            out[n++] = text[i];
            continue;
        }
        if (n > 0 && out[n - 1] != ' ')
            out[n++] = ' ';
        if (i >= length)
            break;
    }
    while (n > 0 && out[n - 1] == ' ')
        n--;
    memcpy(out + n, n + 5 >= size ? "..." : "", n + 5 >= size ? 4 : 1);
}

uint32_t add_place(struct parser *p, const struct promela_token *first, const struct promela_token *last)
{
    char shown[72];
    const struct promela_file *file = &p->t->files.data[first->text_file];
    uint32_t end = last->text_file == first->text_file && last->end >= first->end ? last->end : first->end;
    shorten(file->text + first->start, end - first->start, shown, sizeof shown);
    struct promela_written w = {first->place, promela_intern(p->t, shown, strlen(shown))->text};
    if (p->m->places.len == 0)
        vec_push(&p->m->places, w); /* number 0 stands for "none yet" */
    vec_push(&p->m->places, w);
    return (uint32_t)(p->m->places.len - 1);
}
