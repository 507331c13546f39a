/* SPDX-License-Identifier: Apache-2.0 */
/* Characters to tokens. Comments and line continuations are blank space, as in C. */
#include "promela/promela_tokens.h"

#include <ctype.h>
#include <string.h>

struct scanner {
    struct promela_text *t;
    uint16_t file;
    const char *text, *next, *end, *line_start;
    uint32_t line;
    bool starts_line, after_space;
};

static struct promela_place here(const struct scanner *s)
{
    return (struct promela_place){s->file, s->line, (uint32_t)(s->next - s->line_start) + 1};
}

static bool at(const struct scanner *s, const char *text)
{
    size_t length = strlen(text);
    return (size_t)(s->end - s->next) >= length && memcmp(s->next, text, length) == 0;
}

static void pass_newline(struct scanner *s)
{
    s->next++;
    s->line++;
    s->line_start = s->next;
}

static void skip_comment(struct scanner *s)
{
    struct promela_place start = here(s);
    for (s->next += 2; !at(s, "*/");) {
        if (s->next == s->end)
            promela_fail(s->t, PL_MODEL_SYNTAX, start, "a comment without an end");
        if (*s->next == '\n')
            pass_newline(s);
        else
            s->next++;
    }
    s->next += 2;
}

static void skip_line_comment(struct scanner *s)
{
    while (s->next < s->end && *s->next != '\n') {
        if (at(s, "\\\n")) {
            s->next++;
            pass_newline(s);
        } else {
            s->next++;
        }
    }
}

static void skip_blank(struct scanner *s)
{
    for (; s->next < s->end; s->after_space = true) {
        if (*s->next == '\n') {
            pass_newline(s);
            s->starts_line = true;
        } else if (at(s, "\\\n")) {
            s->next++;
            pass_newline(s);
        } else if (at(s, "\\\r\n")) {
            s->next += 2;
            pass_newline(s);
        } else if (isspace((unsigned char)*s->next)) {
            s->next++;
        } else if (at(s, "/*")) {
            skip_comment(s);
        } else if (at(s, "//")) {
            skip_line_comment(s);
        } else {
            return;
        }
    }
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static size_t scan_name(struct scanner *s, struct promela_token *token)
{
    size_t n = 0;
    while (s->next + n < s->end && is_word(s->next[n]))
        n++;
    token->kind = TOKEN_NAME;
    token->name = promela_intern(s->t, s->next, n);
    return n;
}

static size_t scan_number(struct scanner *s, struct promela_token *token)
{
    int64_t value = 0;
    size_t n = 0;
    for (; s->next + n < s->end && isdigit((unsigned char)s->next[n]); n++) {
        value = value * 10 + (s->next[n] - '0');
        if (value > INT32_MAX)
            promela_fail(s->t, PL_MODEL_SYNTAX, token->place, "a number beyond 32 bits");
    }
    if (s->next + n < s->end && is_word(s->next[n]))
        promela_fail(s->t, PL_MODEL_SYNTAX, token->place, "not a number: numbers are decimal");
    token->kind = TOKEN_NUMBER;
    token->value = (int32_t)value;
    return n;
}

static size_t scan_string(struct scanner *s, struct promela_token *token)
{
    for (size_t n = 1; s->next + n < s->end && s->next[n] != '\n'; n++) {
        if (s->next[n] == '\\' && s->next + n + 1 < s->end && s->next[n + 1] != '\n') {
            n++;
        } else if (s->next[n] == '"') {
            token->kind = TOKEN_STRING;
            token->name = promela_intern(s->t, s->next + 1, n - 1);
            return n + 1;
        }
    }
    promela_fail(s->t, PL_MODEL_SYNTAX, token->place, "a string without an end");
}

static size_t scan_character(struct scanner *s, struct promela_token *token)
{
    static const char letters[] = "ntrf0\\'\"", meanings[] = "\n\t\r\f\0\\'\"";
    size_t left = (size_t)(s->end - s->next);
    token->kind = TOKEN_NUMBER;
    if (left >= 3 && s->next[1] != '\\' && s->next[1] != '\n' && s->next[2] == '\'') {
        token->value = (unsigned char)s->next[1];
        return 3;
    }
    const char *letter = left >= 4 && s->next[1] == '\\' && s->next[2] ? strchr(letters, s->next[2]) : NULL;
    if (!letter || s->next[3] != '\'')
        promela_fail(s->t, PL_MODEL_SYNTAX, token->place, "not a character");
    token->value = (unsigned char)meanings[letter - letters];
    return 4;
}

static size_t scan_sign(struct scanner *s, struct promela_token *token)
{
    static const char *const pairs[] = {
        "->", "::", "..", "++", "--", "==", "!=", "<=", ">=", "<<", ">>", "&&", "||", "??", "!!", "##"};
    token->kind = TOKEN_SIGN;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        if (at(s, pairs[i])) {
            token->sign = SIGN2(pairs[i][0], pairs[i][1]);
            return 2;
        }
    }
    if (*s->next == '\0' || !strchr("(){}[];,:=<>!~&|^+-*/%?.#@", *s->next))
        promela_fail(s->t, PL_MODEL_SYNTAX, token->place, "a character that has no meaning here");
    token->sign = (uint8_t)*s->next;
    return 1;
}

static size_t scan_token(struct scanner *s, struct promela_token *token)
{
    char c = *s->next;
    if (isdigit((unsigned char)c))
        return scan_number(s, token);
    if (is_word(c))
        return scan_name(s, token);
    if (c == '"')
        return scan_string(s, token);
    if (c == '\'')
        return scan_character(s, token);
    return scan_sign(s, token);
}

void promela_scan(struct promela_text *t, uint16_t file, promela_tokens *out)
{
    const struct promela_file *f = &t->files.data[file];
    struct scanner s = {t, file, f->text, f->text, f->text + f->length, f->text, 1, true, false};
    for (;;) {
        s.after_space = false;
        skip_blank(&s);
        if (s.next == s.end)
            break;
        struct promela_token token = {.starts_line = s.starts_line,
                                      .after_space = s.after_space,
                                      .place = here(&s),
                                      .text_file = file,
                                      .start = (uint32_t)(s.next - s.text)};
        s.next += scan_token(&s, &token);
        token.end = (uint32_t)(s.next - s.text);
        s.starts_line = false;
        vec_push(out, token);
        if (out->len > PROMELA_TOKENS_MAX)
            promela_fail(t, PL_MODEL_SYNTAX, token.place, "the file is too large");
    }
    struct promela_token end = {.kind = TOKEN_END,
                                .starts_line = true,
                                .place = here(&s),
                                .text_file = file,
                                .start = (uint32_t)f->length,
                                .end = (uint32_t)f->length};
    vec_push(out, end);
}
