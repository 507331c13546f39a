/* SPDX-License-Identifier: Apache-2.0 */
#include "annotate/annotate_scan.h"

#include <ctype.h>
#include <string.h>

bool is_name_start(char c)
{
    return isalpha((unsigned char)c) || c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

bool is_name_char(char c)
{
    return is_name_start(c) || isdigit((unsigned char)c);
}

bool scan_token_is(const char *bytes, const struct token *token, const char *word)
{
    return token->kind != TOKEN_COMMENT && token->kind != TOKEN_DIRECTIVE && strlen(word) == token->length &&
           !memcmp(bytes + token->at, word, token->length);
}

/* --- one token ----------------------------------------------------------------------------------- */

static size_t end_of_line(const char *bytes, size_t at, size_t end)
{
    const char *newline = memchr(bytes + at, '\n', end - at);
    return newline ? (size_t)(newline - bytes) : end;
}

static size_t end_of_comment(const char *bytes, size_t at, size_t end)
{
    if (bytes[at + 1] == '/')
        return end_of_line(bytes, at, end);
    const char *close = memmem(bytes + at + 2, end - at - 2, "*/", 2);
    return close ? (size_t)(close - bytes) + 2 : end;
}

static size_t end_of_quoted(const char *bytes, size_t at, size_t end)
{
    char quote = bytes[at++];
    while (at < end && bytes[at] != quote && bytes[at] != '\n')
        at += bytes[at] == '\\' && at + 1 < end ? 2 : 1;
    return at < end && bytes[at] == quote ? at + 1 : at;
}

/* R"x(...)x" */
static size_t end_of_raw(const char *bytes, size_t at, size_t end)
{
    enum { DELIMITER_MOST = 16 };
    size_t near = end - at < DELIMITER_MOST + 2 ? end - at : DELIMITER_MOST + 2;
    const char *open = memchr(bytes + at, '(', near);
    size_t length = open ? (size_t)(open - bytes) - at - 1 : 0;
    if (!open)
        return end_of_quoted(bytes, at, end);
    char close[20] = ")";
    memcpy(close + 1, bytes + at + 1, length);
    close[length + 1] = '"';
    const char *found = memmem(open, end - (size_t)(open - bytes), close, length + 2);
    return found ? (size_t)(found - bytes) + length + 2 : end;
}

/* A comment in it may have lines of its own. */
static size_t end_of_directive(const char *bytes, size_t at, size_t end)
{
    while (at < end && bytes[at] != '\n') {
        bool comment = bytes[at] == '/' && at + 1 < end && (bytes[at + 1] == '*' || bytes[at + 1] == '/');
        bool quoted = bytes[at] == '"' || bytes[at] == '\'';
        at = comment ? end_of_comment(bytes, at, end) : quoted ? end_of_quoted(bytes, at, end) : at + 1;
    }
    return at;
}

static size_t end_of_number(const char *bytes, size_t at, size_t end)
{
    for (; at < end; at++) {
        char c = bytes[at], before = at ? (char)tolower((unsigned char)bytes[at - 1]) : 0;
        bool sign = (c == '+' || c == '-') && (before == 'e' || before == 'p');
        bool separator = c == '\'' && at + 1 < end && is_name_char(bytes[at + 1]);
        if (!is_name_char(c) && c != '.' && !sign && !separator)
            break;
    }
    return at;
}

/* A name, or a string with a prefix. */
static size_t end_of_name(const char *bytes, size_t at, size_t end, enum annotate_language language,
                          enum token_kind *kind)
{
    size_t start = at;
    while (at < end && is_name_char(bytes[at]))
        at++;
    *kind = TOKEN_NAME;
    if (at == end || (bytes[at] != '"' && bytes[at] != '\'') || at - start > 3)
        return at;
    bool raw = bytes[at - 1] == 'R' && bytes[at] == '"' && language == ANNOTATE_CXX;
    for (size_t i = start; i < at - raw; i++)
        if (!strchr("uUL8", bytes[i]))
            return at;
    *kind = TOKEN_STRING;
    return raw ? end_of_raw(bytes, at, end) : end_of_quoted(bytes, at, end);
}

/* Only the marks of several characters that matter: one by one they would be something else. */
static size_t length_of_mark(const char *bytes, size_t at, size_t end)
{
    static const char *const marks[] = {"...", "<<=", "->*", "->", "::", "++", "--", "<<",
                                        "<=",  ">=",  "==",  "!=", "&&", "||", "+=", "-=",
                                        "*=",  "/=",  "%=",  "&=", "|=", "^=", "##"};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        size_t length = strlen(marks[i]);
        if (at + length <= end && !memcmp(bytes + at, marks[i], length))
            return length;
    }
    return 1;
}

static size_t end_of_token(const char *bytes, size_t at, size_t end, enum annotate_language language,
                           enum token_kind *kind)
{
    char c = bytes[at], next = at + 1 < end ? bytes[at + 1] : 0;
    if (c == '/' && (next == '/' || next == '*')) {
        *kind = TOKEN_COMMENT;
        return end_of_comment(bytes, at, end);
    }
    if (is_name_start(c))
        return end_of_name(bytes, at, end, language, kind);
    if (isdigit((unsigned char)c) || (c == '.' && isdigit((unsigned char)next))) {
        *kind = TOKEN_NUMBER;
        return end_of_number(bytes, at, end);
    }
    *kind = c == '"' || c == '\'' ? TOKEN_STRING : TOKEN_MARK;
    return *kind == TOKEN_STRING ? end_of_quoted(bytes, at, end) : at + length_of_mark(bytes, at, end);
}

bool scan_next(const char *bytes, size_t end, size_t *at, bool line_start, enum annotate_language language,
               struct token *found)
{
    while (*at < end && isspace((unsigned char)bytes[*at])) {
        line_start |= bytes[*at] == '\n';
        ++*at;
    }
    if (*at >= end)
        return false;
    found->at = *at;
    if (line_start && bytes[*at] == '#') {
        found->kind = TOKEN_DIRECTIVE;
        *at = end_of_directive(bytes, *at, end);
    } else {
        *at = end_of_token(bytes, *at, end, language, &found->kind);
    }
    found->length = *at - found->at;
    return true;
}

/* --- a whole text -------------------------------------------------------------------------------- */

/* # 12 "x.c" 2 3 */
static void note_marker(struct scan *scan, const struct token *token, struct arena *arena)
{
    enum { FILE_MOST = 4096 }; /* markers repeat it */
    const char *at = scan->bytes + token->at + 1, *end = scan->bytes + token->at + token->length;
    while (at < end && isspace((unsigned char)*at))
        at++;
    struct line_marker marker = {.at = token->at + token->length + 1};
    if (at == end || !isdigit((unsigned char)*at))
        return;
    for (; at < end && isdigit((unsigned char)*at); at++)
        marker.line = marker.line * 10 + (unsigned)(*at - '0');
    const char *open = memchr(at, '"', (size_t)(end - at));
    const char *close = open ? memrchr(open + 1, '"', (size_t)(end - open - 1)) : NULL;
    if (!close || close - open > FILE_MOST)
        return;
    marker.file = arena_copy(arena, open + 1, (size_t)(close - open - 1));
    marker.system = memchr(close, '3', (size_t)(end - close)) != NULL;
    vec_push(&scan->markers, marker);
}

static void find_lines(struct scan *scan)
{
    const char *at = scan->bytes, *end = at + scan->length;
    for (; at < end && (at = memchr(at, '\n', (size_t)(end - at))); at++)
        vec_push(&scan->lines, (size_t)(at - scan->bytes) + 1);
}

void scan_text(struct scan *scan, struct arena *arena)
{
    size_t at = 0;
    struct token token;
    bool line_start = true;
    find_lines(scan);
    vec_push(&scan->markers, ((struct line_marker){.line = 1, .file = "<stdin>"}));
    while (scan_next(scan->bytes, scan->length, &at, line_start, scan->language, &token)) {
        vec_push(&scan->tokens, token);
        if (token.kind == TOKEN_DIRECTIVE)
            note_marker(scan, &token, arena);
        line_start = false;
    }
}

void scan_free(struct scan *scan)
{
    vec_free(&scan->tokens);
    vec_free(&scan->markers);
    vec_free(&scan->lines);
}

/* How many lines but the first begin at or before this place. */
static size_t count_lines(const struct scan *scan, size_t at)
{
    size_t low = 0, high = scan->lines.len;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (scan->lines.data[middle] <= at)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

struct place scan_place(const struct scan *scan, size_t at)
{
    size_t low = 0, high = scan->markers.len;
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        if (scan->markers.data[middle].at <= at)
            low = middle;
        else
            high = middle;
    }
    const struct line_marker *marker = &scan->markers.data[low];
    size_t before = count_lines(scan, marker->at), here = count_lines(scan, at);
    size_t start = here > before ? scan->lines.data[here - 1] : marker->at;
    return (struct place){.file = marker->file,
                          .line = marker->line + (unsigned)(here - before),
                          .column = (unsigned)(at > start ? at - start : 0) + 1,
                          .system = marker->system};
}
