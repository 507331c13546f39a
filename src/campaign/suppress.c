/* SPDX-License-Identifier: Apache-2.0 */
#include "campaign/suppress.h"

#include "base/terminal.h"
#include "explain/program/explain_error.h"

#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* In the order of enum suppress_kind. */
static const char *const kind_words[] = {"race:variable", "race:function", "race:file"};
enum { KINDS = sizeof kind_words / sizeof *kind_words };

/* ------------------------------------------------------------------ reading */

struct place {
    const char *file; /* null: the command line */
    uint64_t line;
};

static bool fail(struct diagnostic *why, struct place at, size_t column, const char *message)
{
    if (at.file)
        snprintf(why->file, sizeof why->file, "%s", at.file);
    return diagnostic_set(why, at.file ? PL_SUPPRESSION : PL_USAGE, at.line, at.file ? column + 1 : 0, "%s%s",
                          at.file ? "" : "--suppress: ", message);
}

static int find_kind(const char *word, size_t length)
{
    for (int k = 0; k < KINDS; k++)
        if (strlen(kind_words[k]) == length && strncmp(word, kind_words[k], length) == 0)
            return k;
    return -1;
}

static size_t count_spaces(const char *text, size_t length)
{
    size_t k = 0;
    while (k < length && isspace((unsigned char)text[k]))
        k++;
    return k;
}

/* One line, without its end. */
static bool read_rule(struct suppressions *s, const char *text, size_t length, struct place at,
                      struct diagnostic *why)
{
    const char *comment = memchr(text, '#', length);
    length = comment ? (size_t)(comment - text) : length;
    while (length && isspace((unsigned char)text[length - 1]))
        length--;
    size_t from = count_spaces(text, length), end = from;
    if (from == length)
        return true;
    while (end < length && !isspace((unsigned char)text[end]))
        end++;
    int kind = find_kind(text + from, end - from);
    if (kind < 0)
        return fail(why, at, from, "a rule begins with race:variable, race:function or race:file");
    size_t name = end + count_spaces(text + end, length - end);
    if (name == length)
        return fail(why, at, length, "the name is missing");
    for (size_t k = name; k < length; k++)
        if (kind != SUPPRESS_FILE && isspace((unsigned char)text[k]))
            return fail(why, at, k, "a rule has one name");
    vec_push(&s->rules, ((struct suppression){.kind = (enum suppress_kind)kind,
                                              .name = arena_copy(&s->strings, text + name, length - name),
                                              .file = at.file,
                                              .line = at.line}));
    return true;
}

bool suppress_parse(struct suppressions *s, const char *file, const char *text, struct diagnostic *why)
{
    struct place at = {file, 0};
    while (*text) {
        size_t length = strcspn(text, "\n");
        at.line++;
        if (!read_rule(s, text, length, at, why))
            return false;
        text += length + (text[length] == '\n');
    }
    return true;
}

static bool read_file(struct suppressions *s, const char *path, struct diagnostic *why)
{
    struct text t = {0};
    if (!text_add_written_file(&t, path)) {
        snprintf(why->file, sizeof why->file, "%s", path);
        return diagnostic_set(why, PL_CANNOT_OPEN, 0, 0, "cannot be read: %s", strerror(errno));
    }
    bool fine = suppress_parse(s, path, t.len ? t.data : "", why);
    text_free(&t);
    return fine;
}

bool suppress_read(struct suppressions *s, const struct operand_list *words, struct diagnostic *why)
{
    for (size_t k = 0; k < words->len; k++) {
        const char *word = words->data[k];
        bool is_rule = strncmp(word, "race:", 5) == 0;
        if (is_rule ? read_rule(s, word, strlen(word), (struct place){0}, why) : read_file(s, word, why))
            continue;
        return false;
    }
    return true;
}

void suppress_free(struct suppressions *s)
{
    vec_free(&s->rules);
    vec_free(&s->races);
    arena_free(&s->strings);
}

/* ------------------------------------------------------------------ matching */

static bool matches(const char *name, const char *pattern)
{
    return name && fnmatch(pattern, name, 0) == 0;
}

/* "node#2.next" is a "node.next". */
static char *without_numbers(const char *location)
{
    struct text t = {0};
    text_puts(&t, "");
    for (const char *c = location; *c; c++) {
        if (*c == '#' && isdigit((unsigned char)c[1]))
            c += 1 + strspn(c + 1, "0123456789");
        if (!*c)
            break;
        text_add(&t, c, 1);
    }
    return text_take(&t);
}

/* Also what lies inside: members, elements. */
static bool matches_part(char *name, const char *pattern)
{
    if (matches(name, pattern))
        return true;
    for (size_t k = strlen(name); k-- > 1;) {
        bool ends = strchr(".[+", name[k]) != NULL;
        if (!ends)
            continue;
        name[k] = 0;
        if (matches(name, pattern))
            return true;
    }
    return false;
}

bool suppress_matches_variable(const char *location, const char *name)
{
    if (strncmp(location, "0x", 2) == 0) /* nothing is known about it */
        return false;
    char *plain = without_numbers(location);
    bool same = matches_part(plain, name);
    free(plain);
    return same;
}

static bool is_in_function(const struct symbol_place *at, const char *name)
{
    for (uint32_t k = 0; k < at->frame_count; k++)
        if (matches(at->frames[k].function, name))
            return true;
    return matches(at->at.function, name);
}

static bool is_in_file(const struct symbol_place *at, const char *pattern)
{
    const char *file = at->at.file, *slash = file ? strrchr(file, '/') : NULL;
    return matches(file, pattern) || (slash && matches(slash + 1, pattern));
}

struct raced {
    struct text location;
    struct symbol_place at[2];
};

static const char *place_text(const struct symbol_place *at)
{
    return at->at.file ? at->at.file : at->at.function ? at->at.function : "";
}

static bool falls_under(const struct suppression *rule, const struct raced *r)
{
    switch (rule->kind) {
    case SUPPRESS_VARIABLE: return r->location.len && suppress_matches_variable(r->location.data, rule->name);
    case SUPPRESS_FUNCTION:
        return is_in_function(&r->at[0], rule->name) || is_in_function(&r->at[1], rule->name);
    default: return is_in_file(&r->at[0], rule->name) || is_in_file(&r->at[1], rule->name);
    }
}

/* Tests, and executions with other blocks and elements, have the same race: it counts once. */
static void count(struct suppressions *s, struct suppression *rule, const struct raced *r)
{
    struct text key = {0};
    int later = strcmp(place_text(&r->at[0]), place_text(&r->at[1])) > 0;
    char *name = without_numbers(r->location.len ? r->location.data : "");
    text_printf(&key, "%.*s", (int)strcspn(name, "["), name);
    for (int k = 0; k < 2; k++)
        text_printf(&key, " %s:%" PRIu32, place_text(&r->at[k ^ later]), r->at[k ^ later].at.line);
    free(name);
    for (size_t k = 0; k < s->races.len; k++)
        if (strcmp(s->races.data[k], key.data) == 0) {
            text_free(&key);
            return;
        }
    vec_push(&s->races, arena_copy(&s->strings, key.data, key.len));
    text_free(&key);
    rule->matched++;
}

bool suppress_race(struct suppressions *s, struct symbols *symbols, const struct worker_error *race)
{
    struct raced r = {0};
    struct suppression *found = NULL;
    if (*race->object)
        text_puts(&r.location, race->object);
    else
        symbols_location(symbols, race->address, 0, &r.location);
    for (uint32_t k = 0; k < race->stack_count && k < 2; k++)
        symbols_line(symbols, explain_find_place(symbols, &race->stacks[k]), &r.at[k]);
    for (size_t k = 0; !found && k < s->rules.len; k++)
        if (falls_under(&s->rules.data[k], &r))
            found = &s->rules.data[k];
    if (found)
        count(s, found, &r);
    text_free(&r.location);
    return found != NULL;
}

void suppress_add_text(struct text *out, const struct suppression *rule)
{
    text_printf(out, "%s ", kind_words[rule->kind]);
    terminal_add_safe(out, rule->name);
    if (rule->file)
        text_puts(out, " ("), terminal_add_safe(out, rule->file),
            text_printf(out, ":%" PRIu64 ")", rule->line);
}
