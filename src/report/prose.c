/* SPDX-License-Identifier: Apache-2.0 */
#include "report/prose.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Bytes of the first characters of s[0..length) that need at most `columns` columns. */
static size_t bytes_of_columns(const char *s, size_t length, size_t columns)
{
    size_t i = 0, wide;
    while (i < length) {
        size_t bytes = text_character(s + i, length - i, &wide);
        if (wide > columns)
            break;
        columns -= wide;
        i += bytes;
    }
    return i;
}

/* Where the last characters that need at most `columns` columns begin; never with a mark that combines. */
static size_t start_of_columns(const char *s, size_t length, size_t columns)
{
    size_t rest = text_columns_of(s, length), i = 0, wide;
    while (i < length) {
        size_t bytes = text_character(s + i, length - i, &wide);
        if (rest <= columns && wide)
            break;
        rest -= wide;
        i += bytes;
    }
    return i;
}

void prose_clip(struct text *out, const char *s, size_t columns, const char *more)
{
    if (text_columns(s) <= columns) {
        text_puts(out, s);
        return;
    }
    size_t kept = columns > text_columns(more) ? columns - text_columns(more) : 0;
    text_add(out, s, bytes_of_columns(s, strlen(s), kept));
    text_puts(out, more);
}

void prose_clip_middle(struct text *out, const char *s, size_t columns, const char *more)
{
    size_t length = strlen(s);
    if (text_columns(s) <= columns) {
        text_puts(out, s);
        return;
    }
    size_t kept = columns > text_columns(more) ? columns - text_columns(more) : 0;
    size_t head = bytes_of_columns(s, length, kept - kept / 2), tail = start_of_columns(s, length, kept / 2);
    /* Dots of an earlier cut beside this one say nothing more. */
    while (head && s[head - 1] == '.')
        head--;
    tail += strspn(s + tail, ".");
    text_add(out, s, head);
    text_puts(out, more);
    text_puts(out, s + tail);
}

struct wrapping {
    struct text *out;
    const struct prose *p;
    size_t at, lines;
};

/* Goes to the next line; false when there may be none. */
static bool next_line(struct wrapping *w)
{
    if (w->lines == w->p->lines_max) {
        text_puts(w->out, w->p->more);
        return false;
    }
    w->lines++;
    text_puts(w->out, "\n");
    text_repeat(w->out, " ", w->p->indent);
    w->at = w->p->indent;
    return true;
}

/* Adds one piece where the line has room for it, else on the next line, cut if it is too wide for any. */
static bool add_piece(struct wrapping *w, const char *s, size_t length)
{
    size_t columns = text_columns_of(s, length);
    /* The last line that is allowed keeps room for the mark that the text was cut. */
    size_t room = w->p->columns - (w->lines == w->p->lines_max ? 1 + text_columns(w->p->more) : 0);
    bool line_is_new = w->at == w->p->indent;
    if (!line_is_new && w->at + 1 + columns > room) {
        if (!next_line(w))
            return false;
        return add_piece(w, s, length);
    }
    if (!line_is_new) {
        text_puts(w->out, " ");
        w->at++;
    }
    size_t fits = bytes_of_columns(s, length, room - w->at);
    text_add(w->out, s, fits);
    w->at += text_columns_of(s, fits);
    return fits == length || (next_line(w) && add_piece(w, s + fits, length - fits));
}

void prose_wrap(struct text *out, const char *s, const struct prose *p)
{
    struct wrapping w = {.out = out, .p = p, .at = p->indent, .lines = 1};
    while (*s) {
        const char *end = strchrnul(s, p->separator);
        if (end > s && !add_piece(&w, s, (size_t)(end - s)))
            break;
        s = *end ? end + 1 : end;
    }
    text_puts(out, "\n");
}

void prose_number(struct text *out, uint64_t n)
{
    char digits[24];
    int length = snprintf(digits, sizeof digits, "%" PRIu64, n);
    for (int i = 0; i < length; i++) {
        if (i && (length - i) % 3 == 0)
            text_puts(out, ",");
        text_add(out, digits + i, 1);
    }
}
