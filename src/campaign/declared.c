/* SPDX-License-Identifier: Apache-2.0 */
#include "campaign/declared.h"

#include "base/text.h"
#include "explain/program/explain_error.h"
#include "engine/engine.h"
#include "target/symbols/symbols.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------ lines that declare */

/* How long the word is that ends before `end`. */
static size_t word_before(const char *line, size_t end)
{
    size_t k = end;
    while (k && (isalnum((unsigned char)line[k - 1]) || line[k - 1] == '_'))
        k--;
    return end - k;
}

/* Parentheses of a type or an attribute, which begin at `at`: where they end; `at` if they are others. */
static size_t skip_specifier(const char *line, size_t at, size_t end)
{
    static const char *const words[] = {"_Atomic",  "_Alignas",      "alignas",   "typeof", "__typeof__",
                                        "decltype", "__attribute__", "__aligned", NULL};
    size_t length = word_before(line, at), depth = 0, k = at;
    const char *const *w = words;
    while (*w && (strlen(*w) != length || strncmp(*w, line + at - length, length) != 0))
        w++;
    if (!*w)
        return at;
    do {
        depth += line[k] == '(';
        depth -= line[k] == ')';
    } while (++k < end && depth);
    return k;
}

/* An initialiser, an assignment and a call each have a parenthesis, a brace or a sign of equality. */
bool declared_line(const char *line, size_t length)
{
    const char *comment = memmem(line, length, "//", 2), *other = memmem(line, length, "/*", 2);
    if (other && (!comment || other < comment))
        comment = other;
    size_t end = comment ? (size_t)(comment - line) : length, k = 0;
    while (k < end && !memchr("={)}", line[k], 4)) {
        size_t next = line[k] == '(' ? skip_specifier(line, k, end) : k + 1;
        if (next == k)
            return false;
        k = next;
    }
    return k >= end && (memchr(line, ';', end) || memchr(line, ',', end));
}

static bool declares(const char *source, uint32_t line)
{
    while (source && --line)
        source = (source = strchr(source, '\n')) ? source + 1 : NULL;
    return source && declared_line(source, strcspn(source, "\n"));
}

/* ------------------------------------------------------------------ numbers */

/* The first bytes of a number. */
static bool is_filling(uint64_t value, uint32_t size)
{
    return engine_is_filling(&value, size < sizeof value ? size : sizeof value);
}

bool declared_unnumbered(const char *source, uint32_t size)
{
    for (const char *at = source; *at;) {
        bool begins = isdigit((unsigned char)*at) && !word_before(source, (size_t)(at - source));
        char *end = (char *)at + 1;
        uint64_t value = begins ? strtoull(at, &end, 0) : 0;
        if (begins && (is_filling(value, size) || is_filling(-value, size) || is_filling(~value, size)))
            return false;
        at = end;
    }
    return true;
}

/* ------------------------------------------------------------------ */

static const struct event *find_last_write(const struct worker_shared *s)
{
    const struct event *last = NULL;
    for (uint32_t k = 0; k < s->event_count; k++)
        if (s->events[k].kind == EVENT_PLAIN_WRITE)
            last = &s->events[k];
    return last;
}

bool declared_only(const struct worker_shared *s)
{
    const struct event *last = find_last_write(s);
    struct symbols *symbols = explain_symbols(s);
    struct symbol_place place = {0};
    struct text source = {0};
    bool declared = false;
    symbols_line(symbols, last ? last->pc : explain_find_place(symbols, &s->error.stacks[0]), &place);
    /* of many events the last ones are not in order */
    if (!s->events_lost && place.at.file && place.at.line && text_add_file(&source, place.at.file) &&
        source.len)
        declared =
            last ? declares(source.data, place.at.line) : declared_unnumbered(source.data, s->error.filled);
    text_free(&source);
    symbols_close(symbols);
    return declared;
}
