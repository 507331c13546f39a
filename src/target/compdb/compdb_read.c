/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a compilation database: an array of objects whose members are strings, or arrays of them. */
#include "target/compdb/compdb.h"

#include "base/large_file.h"
#include "base/text.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

struct compdb_scanner {
    const char *begin, *at;
    struct diagnostic *why;
};

static bool refuse(struct compdb_scanner *s, const char *expected)
{
    uint64_t line = 1;
    for (const char *p = s->begin; p < s->at; p++)
        line += *p == '\n';
    return diagnostic_set(s->why, PL_COMPDB, line, 0, "not a compilation database: expected %s", expected);
}

static void skip_blanks(struct compdb_scanner *s)
{
    while (isspace((unsigned char)*s->at))
        s->at++;
}

static bool accept(struct compdb_scanner *s, char c)
{
    skip_blanks(s);
    if (*s->at != c)
        return false;
    s->at++;
    return true;
}

/* ------------------------------------------------------------------ strings */

static void add_utf8(struct text *out, unsigned code)
{
    char bytes[3] = {(char)code};
    size_t length = 1;
    if (code >= 0x800) {
        bytes[0] = (char)(0xe0 | code >> 12);
        bytes[1] = (char)(0x80 | (code >> 6 & 0x3f));
        bytes[2] = (char)(0x80 | (code & 0x3f));
        length = 3;
    } else if (code >= 0x80) {
        bytes[0] = (char)(0xc0 | code >> 6);
        bytes[1] = (char)(0x80 | (code & 0x3f));
        length = 2;
    }
    text_add(out, bytes, length);
}

/* Behind the backslash. Paths beyond the first plane of Unicode are written as they are, not escaped. */
static bool scan_escape(struct compdb_scanner *s, struct text *out)
{
    static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
    unsigned code;
    const char *found = *s->at ? strchr(from, *s->at) : NULL;
    if (found) {
        text_add(out, &to[found - from], 1);
        s->at++;
        return true;
    }
    if (*s->at != 'u' || strspn(s->at + 1, "0123456789abcdefABCDEF") < 4 ||
        sscanf(s->at + 1, "%4x", &code) != 1)
        return refuse(s, "an escape of JSON");
    add_utf8(out, code);
    s->at += 5;
    return true;
}

static bool scan_string(struct compdb_scanner *s, struct text *out)
{
    if (!accept(s, '"'))
        return refuse(s, "a string");
    text_puts(out, "");
    while (*s->at != '"') {
        if (!*s->at)
            return refuse(s, "the end of a string");
        if (*s->at == '\\') {
            s->at++;
            if (!scan_escape(s, out))
                return false;
        } else
            text_add(out, s->at++, 1);
    }
    s->at++;
    return true;
}

/* ------------------------------------------------------------------ entries */

static bool scan_words(struct compdb_scanner *s, struct words *words)
{
    if (!accept(s, '['))
        return refuse(s, "an array of strings");
    if (accept(s, ']'))
        return true;
    do {
        struct text word = {0};
        bool fine = scan_string(s, &word);
        vec_push(&words->list, text_take(&word));
        if (!fine)
            return false;
    } while (accept(s, ','));
    return accept(s, ']') || refuse(s, "',' or ']'");
}

static void set(char **place, struct text *value)
{
    free(*place);
    *place = text_take(value);
}

static bool scan_member(struct compdb_scanner *s, struct compdb_entry *e)
{
    OWNED struct text name = {0}, value = {0};
    if (!scan_string(s, &name))
        return false;
    if (!accept(s, ':'))
        return refuse(s, "':'");
    if (strcmp(name.data, "arguments") == 0)
        return scan_words(s, &e->arguments);
    if (!scan_string(s, &value))
        return false;
    if (strcmp(name.data, "directory") == 0)
        set(&e->directory, &value);
    else if (strcmp(name.data, "file") == 0)
        set(&e->file, &value);
    else if (strcmp(name.data, "command") == 0 && !e->arguments.list.len)
        compdb_split_command(&e->arguments, value.data);
    return true;
}

static bool scan_entry(struct compdb_scanner *s, struct compdb_entry *e)
{
    if (!accept(s, '{'))
        return refuse(s, "an object");
    do {
        if (!scan_member(s, e))
            return false;
    } while (accept(s, ','));
    if (!accept(s, '}'))
        return refuse(s, "',' or '}'");
    return (e->directory && e->file && e->arguments.list.len) ||
           refuse(s, "entries with directory, file, and command or arguments");
}

static bool scan_entries(struct compdb_scanner *s, struct compdb *db)
{
    if (!accept(s, '['))
        return refuse(s, "an array");
    if (accept(s, ']'))
        return true;
    do {
        vec_push(&db->entries, (struct compdb_entry){0});
        if (!scan_entry(s, &vec_last(&db->entries)))
            return false;
    } while (accept(s, ','));
    return accept(s, ']') || refuse(s, "',' or ']'");
}

/* ------------------------------------------------------------------ the whole */

bool compdb_read(struct compdb *db, const char *place, struct diagnostic *why)
{
    OWNED struct text all = {0};
    struct text path = {0};
    struct stat status;
    *db = (struct compdb){0};
    text_puts(&path, place);
    if (stat(place, &status) == 0 && S_ISDIR(status.st_mode))
        text_puts(&path, "/compile_commands.json");
    db->path = text_take(&path);
    if (!text_add_large_file(&all, db->path))
        return diagnostic_set(why, PL_CANNOT_OPEN, 0, 0, "cannot open '%.200s': %s", db->path,
                              large_file_error(errno));
    text_puts(&all, "");
    struct compdb_scanner s = {.begin = all.data, .at = all.data, .why = why};
    if (scan_entries(&s, db))
        return true;
    snprintf(why->file, sizeof why->file, "%s", db->path);
    return false;
}

void compdb_free(struct compdb *db)
{
    for (size_t k = 0; k < db->entries.len; k++) {
        free(db->entries.data[k].directory);
        free(db->entries.data[k].file);
        command_free(&db->entries.data[k].arguments);
    }
    vec_free(&db->entries);
    free(db->path);
}
