/* SPDX-License-Identifier: Apache-2.0 */
/* Which comments are annotations, and their pieces. */
#include "annotate/annotate_unit.h"
#include "base/options.h"

#include <ctype.h>
#include <string.h>

const char *const annotate_words[WORDS] = {
    "Structure_Define",
    "DeclareStruct",
    "DeclareVar",
    "InitVar",
    "DefineFunc",
    "Happens_Before",
    "Interface",
    "Method",
    "Ordering_Point_Set",
    "HB_Condition",
    "ID",
    "Object",
    "PreCondition",
    "SideEffect",
    "PostCondition",
    "Potential_Ordering_Point",
    "Ordering_Point_Check",
    "Ordering_Point_Label_Check",
    "Ordering_Point_Clear",
    "Potential_Ordering_Point_Label",
    "Label",
};

/* --- without decoration -------------------------------------------------------------------------- */

static void blank(char *from, size_t count)
{
    memset(from, ' ', count);
}

/* Lines of a block that all begin with a star: is this one decoration? */
static bool is_decoration(const char *star, const char *end)
{
    return star + 1 >= end || isspace((unsigned char)star[1]) || star[1] == '@' || star[1] == '/';
}

/* The first character of the line after `at` that is no space; null: there are no more lines. */
static char *next_line(char *at, char *end)
{
    char *newline = memchr(at, '\n', (size_t)(end - at));
    if (!newline)
        return NULL;
    char *first = newline + 1;
    while (first < end && (*first == ' ' || *first == '\t'))
        first++;
    return first;
}

static bool all_lines_have_stars(char *text, char *end)
{
    for (char *line = next_line(text, end); line; line = next_line(line, end))
        if (line < end && *line != '*' && *line != '\n' && *line != '\r')
            return false;
    return true;
}

static void clean_block(char *text, size_t length)
{
    char *end = text + length;
    size_t open = length > 4 && (text[2] == '*' || text[2] == '!') ? 3 : 2;
    bool closed = length >= open + 2 && text[length - 1] == '/' && text[length - 2] == '*';
    if (closed)
        blank(end - 2, 2);
    for (char *star = end - 3; closed && star >= text + open && *star == '*'; star--)
        *star = ' ';
    blank(text, open);
    if (!all_lines_have_stars(text, end))
        return;
    for (char *line = next_line(text, end); line; line = next_line(line, end))
        if (line < end && *line == '*' && is_decoration(line, end))
            *line = ' ';
}

/* What continues a line, in a macro's comment as clang writes it. */
static void clean_continuations(char *text, size_t length)
{
    for (char *at = text; (at = memchr(at, '\\', (size_t)(text + length - at))); at++) {
        size_t blanks = strspn(at + 1, " \t\r");
        if (at[1 + blanks] == '\n')
            *at = ' ';
    }
}

static void clean_lines(char *text, size_t length)
{
    char *end = text + length;
    for (char *line = text; line; line = next_line(line, end)) {
        char *at = line;
        while (at < end && *at == '/')
            *at++ = ' ';
        if (at < end && at > line && *at == '!')
            *at = ' ';
    }
}

/* --- words --------------------------------------------------------------------------------------- */

static size_t word_length(const char *at, const char *end)
{
    size_t n = 0;
    while (at + n < end && (isalnum((unsigned char)at[n]) || at[n] == '_'))
        n++;
    return n;
}

static enum word known_word(const char *at, size_t length)
{
    for (int w = 0; w < WORDS; w++)
        if (strlen(annotate_words[w]) == length && !memcmp(annotate_words[w], at, length))
            return (enum word)w;
    return isupper((unsigned char)*at) ? WORD_WRONG : WORD_OTHER;
}

/* Does this word make the comment an annotation? Others use some of these words, too, and text may speak of it within a line. */
static bool is_opening(enum word word, const char *after, const char *end, bool line_start)
{
    bool colon = after < end && *after == ':';
    if (word == WORD_INTERFACE || word == WORD_METHOD)
        return colon && line_start;
    if (!colon && !line_start)
        return false;
    return word < WORDS && word != WORD_ID && word != WORD_OBJECT && word != WORD_LABEL;
}

/* A misspelt annotation: nothing else in the comment may be one. */
static bool is_nearly_opening(const char *at, size_t length)
{
    char word[40];
    if (length < 6 || length >= sizeof word || !isupper((unsigned char)*at) || at[length] != ':')
        return false;
    memcpy(word, at, length);
    word[length] = 0;
    return options_nearest(word, annotate_words, WORDS) != NULL;
}

static bool is_line_start(const char *text, const char *at)
{
    while (at > text && (at[-1] == ' ' || at[-1] == '\t'))
        at--;
    return at == text || at[-1] == '\n';
}

/* Calls of a word in the comment: an at-sign outside of a string. Null: there are no more. */
static const char *next_at(const char *text, const char *from, const char *end)
{
    bool quoted = false;
    for (const char *at = from; at < end; at++) {
        if (*at == '\n')
            quoted = false;
        if (*at == '"')
            quoted = !quoted;
        if (*at == '\\' && quoted)
            at++;
        else if (*at == '@' && !quoted && (at == text || !isalnum((unsigned char)at[-1])))
            return at;
    }
    return NULL;
}

static bool is_ours(const char *text, size_t length)
{
    const char *end = text + length;
    for (const char *at = text; (at = next_at(text, at, end)); at++) {
        size_t word = word_length(at + 1, end);
        bool line_start = is_line_start(text, at);
        if (word && (is_opening(known_word(at + 1, word), at + 1 + word, end, line_start) ||
                     (line_start && is_nearly_opening(at + 1, word))))
            return true;
    }
    return false;
}

static void add_pieces(struct unit *u, struct comment *c)
{
    const char *text = c->text, *end = text + c->length;
    for (const char *at = text; (at = next_at(text, at, end)); at++) {
        size_t length = word_length(at + 1, end);
        enum word word = length ? known_word(at + 1, length) : WORD_OTHER;
        if (!length || (word == WORD_OTHER && !is_line_start(text, at)))
            continue;
        if (c->pieces.len)
            vec_last(&c->pieces).end = (size_t)(at - text);
        size_t begin = (size_t)(at - text) + 1 + length;
        begin += begin < c->length && text[begin] == ':';
        struct piece piece = {word, scan_place(&u->scan, c->at + (size_t)(at - text)), begin, c->length};
        vec_push(&c->pieces, piece);
        u->annotations += word < WORDS;
        if (word == WORD_WRONG) {
            char *wrong = arena_copy(&u->arena, at + 1, length);
            const char *nearest = options_nearest(wrong, annotate_words, WORDS);
            unit_error(u, &piece.at, "there is no annotation @%s%s%s%s", wrong,
                       nearest ? "; did you mean @" : "", nearest ? nearest : "", nearest ? "?" : "");
        }
    }
}

/* --- comments ------------------------------------------------------------------------------------ */

static bool is_line_comment(const struct unit *u, size_t token)
{
    return token < u->scan.tokens.len && unit_token(u, token)->kind == TOKEN_COMMENT &&
           u->scan.bytes[unit_token(u, token)->at + 1] == '/';
}

/* Do only a line's end and spaces lie between them? */
static bool follows(const struct unit *u, size_t token)
{
    size_t at = unit_token(u, token)->at + unit_token(u, token)->length, lines = 0;
    for (; at < unit_token(u, token + 1)->at; at++)
        lines += u->scan.bytes[at] == '\n';
    return lines == 1;
}

static void find_one(struct unit *u, size_t *token)
{
    struct comment c = {.token = *token, .tokens = 1, .at = unit_token(u, *token)->at};
    bool lines = is_line_comment(u, *token);
    while (lines && is_line_comment(u, *token + 1) && follows(u, *token))
        ++*token, c.tokens++;
    c.length = unit_token(u, *token)->at + unit_token(u, *token)->length - c.at;
    if (!memchr(u->scan.bytes + c.at, '@', c.length))
        return;
    c.text = arena_copy(&u->arena, u->scan.bytes + c.at, c.length);
    clean_continuations(c.text, c.length);
    if (lines)
        clean_lines(c.text, c.length);
    else
        clean_block(c.text, c.length);
    if (!is_ours(c.text, c.length))
        return;
    add_pieces(u, &c);
    vec_push(&u->comments, c);
}

void unit_find_comments(struct unit *u)
{
    for (size_t i = 0; i < u->scan.tokens.len; i++)
        if (unit_token(u, i)->kind == TOKEN_COMMENT)
            find_one(u, &i);
}
