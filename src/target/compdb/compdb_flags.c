/* SPDX-License-Identifier: Apache-2.0 */
#include "target/compdb/compdb.h"

#include "base/text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------ words of a command */

void compdb_split_command(struct words *words, const char *command)
{
    struct text word = {0};
    char quote = 0;
    bool open = false;
    for (const char *at = command; *at; at++) {
        bool escapes = *at == '\\' && quote != '\'' && at[1];
        if (escapes && !(quote == '"' && !strchr("\"\\$`", at[1]))) {
            text_add(&word, ++at, 1);
            open = true;
        } else if (*at == quote) {
            quote = 0;
        } else if (!quote && (*at == '\'' || *at == '"')) {
            quote = *at;
            open = true;
        } else if (!quote && isspace((unsigned char)*at)) {
            if (open)
                text_puts(&word, ""), vec_push(&words->list, text_take(&word));
            open = false;
        } else {
            text_add(&word, at, 1);
            open = true;
        }
    }
    if (open)
        text_puts(&word, ""), vec_push(&words->list, text_take(&word));
    text_free(&word);
}

/* ------------------------------------------------------------------ paths */

static char *join(const char *folder, const char *name)
{
    struct text path = {0};
    if (*name != '/')
        text_printf(&path, "%s/", folder);
    text_puts(&path, name);
    return text_take(&path);
}

/* The file itself where it exists, however it is named. */
static char *real(char *path)
{
    char *found = realpath(path, NULL);
    if (!found)
        return path;
    free(path);
    return found;
}

char *compdb_path(const struct compdb_entry *e)
{
    return real(join(e->directory, e->file));
}

/* ------------------------------------------------------------------ which entry */

static const struct compdb_entry *find_file(const struct compdb *db, const char *path)
{
    const struct compdb_entry *found = NULL;
    for (size_t k = 0; k < db->entries.len && !found; k++) {
        char *own = compdb_path(&db->entries.data[k]);
        if (strcmp(own, path) == 0)
            found = &db->entries.data[k];
        free(own);
    }
    return found;
}

/* Without the ending of the name. */
static size_t stem_length(const char *path)
{
    const char *slash = strrchr(path, '/'), *dot = strrchr(path, '.');
    return dot && (!slash || dot > slash) ? (size_t)(dot - path) : strlen(path);
}

/* The source with the name of the header. */
static const struct compdb_entry *find_source_of(const struct compdb *db, const char *header)
{
    const struct compdb_entry *found = NULL;
    size_t length = stem_length(header);
    for (size_t k = 0; k < db->entries.len && !found; k++) {
        char *own = compdb_path(&db->entries.data[k]);
        if (stem_length(own) == length && strncmp(own, header, length) == 0)
            found = &db->entries.data[k];
        free(own);
    }
    return found;
}

static char *folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? base_strndup(path, (size_t)(slash - path)) : base_strndup(".", 1);
}

static const struct compdb_entry *find_in_folder(const struct compdb *db, const char *folder)
{
    const struct compdb_entry *found = NULL;
    for (size_t k = 0; k < db->entries.len && !found; k++) {
        char *own = compdb_path(&db->entries.data[k]), *there = folder_of(own);
        if (strcmp(there, folder) == 0)
            found = &db->entries.data[k];
        free(own);
        free(there);
    }
    return found;
}

/* The name in quotes of an #include; the caller frees it. Null: it is another line. */
static char *included_name(const char *line)
{
    line += strspn(line, " \t");
    if (*line++ != '#')
        return NULL;
    line += strspn(line, " \t");
    if (strncmp(line, "include", 7) != 0)
        return NULL;
    line += 7 + strspn(line + 7, " \t");
    size_t length = *line == '"' ? strcspn(line + 1, "\"\n") : 0;
    return length ? base_strndup(line + 1, length) : NULL;
}

static const struct compdb_entry *find_included(const struct compdb *db, const char *file, const char *folder)
{
    const struct compdb_entry *found = NULL;
    OWNED struct text all = {0};
    if (!text_add_file(&all, file))
        return NULL;
    for (char *rest = all.data, *line; !found && rest && (line = strsep(&rest, "\n"));) {
        char *name = included_name(line);
        char *path = name ? real(join(folder, name)) : NULL;
        if (path)
            found = find_file(db, path);
        if (path && !found)
            found = find_source_of(db, path);
        free(path);
        free(name);
    }
    return found;
}

const struct compdb_entry *compdb_choose(const struct compdb *db, const char *const *files, size_t count,
                                         struct diagnostic *why)
{
    const struct compdb_entry *found = NULL;
    for (size_t k = 0; k < count && !found; k++) {
        char *path = realpath(files[k], NULL);
        found = path ? find_file(db, path) : NULL;
        free(path);
    }
    if (found || !count)
        return found;
    char *path = real(base_strndup(files[0], strlen(files[0]))), *folder = folder_of(path);
    found = find_included(db, path, folder);
    if (!found)
        found = find_in_folder(db, folder);
    if (!found)
        diagnostic_set(why, PL_COMPDB, 0, 0,
                       "'%.120s' has no entry in '%.120s', nor has a file that it includes or one of its "
                       "folder: give the "
                       "flags behind '--'",
                       files[0], db->path);
    free(path);
    free(folder);
    return found;
}

/* ------------------------------------------------------------------ which flags */

/* Options whose next word belongs to them and goes with them. */
static bool drops_two(const char *word)
{
    static const char *const words[] = {"-o", "-MF", "-MT", "-MQ", "-MJ", "--serialize-diagnostics", NULL};
    const char *const *at = words;
    while (*at && strcmp(*at, word) != 0)
        at++;
    return *at;
}

static bool begins(const char *word, const char *with)
{
    return strncmp(word, with, strlen(with)) == 0;
}

static bool drops(const char *word)
{
    static const char *const beginnings[] = {
        "-M",      "-O",        "-o",         "-flto",           "-fno-lto", "-fsanitize",
        "-Werror", "-fprofile", "--coverage", "-ftest-coverage", "-fpch-",   "-Winvalid-pch",
        NULL};
    if (strcmp(word, "-c") == 0 || strcmp(word, "--") == 0)
        return true;
    const char *const *at = beginnings;
    while (*at && !begins(word, *at))
        at++;
    return *at;
}

/* Options with a path, in the same word or in the next. */
static const char *path_option(const char *word)
{
    static const char *const options[] = {"-I",       "-isystem",  "-iquote",  "-idirafter", "-include",
                                          "-imacros", "-isysroot", "-iprefix", "--sysroot=", "-L",
                                          "-F",       "@",         NULL};
    const char *const *at = options;
    while (*at && !begins(word, *at))
        at++;
    return *at;
}

static void add_path(struct words *flags, const char *option, const char *directory, const char *path)
{
    struct text word = {0};
    char *whole = join(directory, path);
    text_printf(&word, "%s%s", option, whole);
    free(whole);
    vec_push(&flags->list, text_take(&word));
}

static bool is_the_file(const struct compdb_entry *e, const char *word)
{
    if (*word == '-')
        return false;
    char *own = compdb_path(e), *named = real(join(e->directory, word));
    bool same = strcmp(own, named) == 0;
    free(own);
    free(named);
    return same;
}

/* The compiler, and what starts it. */
static size_t count_compiler(const struct words *words)
{
    size_t k = 0;
    for (bool launcher = true; launcher && k < words->list.len;) {
        const char *slash = strrchr(words->list.data[k], '/');
        const char *name = slash ? slash + 1 : words->list.data[k];
        launcher = strcmp(name, "ccache") == 0 || strcmp(name, "sccache") == 0 || strcmp(name, "distcc") == 0;
        k++;
    }
    return k;
}

void compdb_add_flags(struct words *flags, const struct compdb_entry *e)
{
    const struct words *from = &e->arguments;
    for (size_t k = count_compiler(from); k < from->list.len; k++) {
        const char *word = from->list.data[k], *option = path_option(word);
        bool alone = option && strcmp(option, word) == 0 && strcmp(option, "@") != 0;
        if (drops_two(word)) {
            k++;
        } else if (drops(word) || is_the_file(e, word)) {
            continue;
        } else if (alone && k + 1 < from->list.len) {
            command_add_word(flags, "%s", word);
            add_path(flags, "", e->directory, from->list.data[++k]);
        } else if (option) {
            add_path(flags, option, e->directory, word + strlen(option));
        } else
            command_add_word(flags, "%s", word);
    }
}
