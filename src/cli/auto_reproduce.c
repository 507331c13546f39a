/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/auto_reproduce.h"

#include "base/text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH_MOST = 32 };

struct inlining {
    const struct target_source *source;
    struct text *out;
};

static bool is_macro_or_folder(const char *flag)
{
    return strncmp(flag, "-D", 2) == 0 || strncmp(flag, "-I", 2) == 0;
}

bool auto_is_in_file(const struct target_source *source, size_t i)
{
    const char *before = i ? source->flags[i - 1] : ""; /* "-D NAME" is two words */
    return is_macro_or_folder(source->flags[i]) || (is_macro_or_folder(before) && !before[2]);
}

/* What stands behind -D or -I, in the same word or the next. Null: nothing does, or it is another flag. */
static const char *value_of(const struct target_source *source, size_t i, const char *name)
{
    const char *flag = source->flags[i];
    if (strncmp(flag, name, 2) != 0)
        return NULL;
    if (flag[2])
        return flag + 2;
    return i + 1 < source->flag_count ? source->flags[i + 1] : NULL;
}

/* The name in `#include "name"`, or null. */
static char *included_name(const char *line, size_t length)
{
    const char *end = line + length, *at = line;
    while (at < end && strchr(" \t", *at))
        at++;
    if (at == end || *at++ != '#')
        return NULL;
    while (at < end && strchr(" \t", *at))
        at++;
    if ((size_t)(end - at) < 7 || memcmp(at, "include", 7) != 0)
        return NULL;
    for (at += 7; at < end && strchr(" \t", *at);)
        at++;
    if (at == end || *at != '"')
        return NULL;
    const char *close = memchr(at + 1, '"', (size_t)(end - at - 1));
    return close ? strndup(at + 1, (size_t)(close - at - 1)) : NULL;
}

static char *join(const char *folder, size_t length, const char *name)
{
    struct text path = {0};
    text_add(&path, folder, length);
    text_printf(&path, "%s%s", length && folder[length - 1] != '/' ? "/" : "", name);
    return text_take(&path);
}

/* Where the compiler would find it: beside the file that names it, then in the folders of -I. */
static char *find_included(const struct inlining *in, const char *from, const char *name,
                           struct text *content)
{
    const char *slash = strrchr(from, '/');
    char *path = join(from, slash ? (size_t)(slash - from) + 1 : 0, name);
    if (text_add_file(content, path))
        return path;
    free(path);
    for (size_t i = 0; i < in->source->flag_count; i++) {
        const char *folder = value_of(in->source, i, "-I");
        path = folder ? join(folder, strlen(folder), name) : NULL;
        if (path && text_add_file(content, path))
            return path;
        free(path);
    }
    return NULL;
}

/* The harness' own test: the file gets another one. */
static bool is_test(const char *line, size_t length)
{
    static const char macro[] = "PLUMB_TEST(";
    size_t blank = strspn(line, " \t");
    return length > blank + sizeof macro && strncmp(line + blank, macro, sizeof macro - 1) == 0 &&
           line[length - 1] == ')';
}

static void add_file(const struct inlining *in, const char *path, const char *content, unsigned depth)
{
    for (const char *line = content; *line;) {
        size_t length = strcspn(line, "\n");
        char *name = depth < DEPTH_MOST ? included_name(line, length) : NULL;
        struct text inner = {0};
        char *found = name ? find_included(in, path, name, &inner) : NULL;
        if (found) {
            text_printf(in->out, "/* %s */\n", name);
            add_file(in, found, inner.data, depth + 1);
        } else if (!is_test(line, length)) {
            text_add(in->out, line, length);
            text_puts(in->out, "\n");
        }
        text_free(&inner);
        free(found);
        free(name);
        line += length + (line[length] == '\n');
    }
}

/* -DNAME and -DNAME=VALUE, in one word or two. */
static void add_macros(const struct inlining *in)
{
    for (size_t i = 0; i < in->source->flag_count; i++) {
        const char *macro = value_of(in->source, i, "-D");
        size_t name = macro ? strcspn(macro, "=") : 0;
        if (macro)
            text_printf(in->out, "#define %.*s %s\n", (int)name, macro, macro[name] ? macro + name + 1 : "1");
    }
}

static bool has_macros_only(const struct target_source *s)
{
    for (size_t i = 0; i < s->flag_count; i++)
        if (!auto_is_in_file(s, i))
            return false;
    return true;
}

static void add_head(struct text *out, const char *path, const struct auto_reproduction *r)
{
    text_printf(out, "/* %s\n *\n *     plumb check %s%s", r->summary, path, r->options);
    if (!has_macros_only(r->source)) {
        text_puts(out, " --");
        for (size_t i = 0; i < r->source->flag_count; i++)
            if (!auto_is_in_file(r->source, i))
                text_printf(out, " %s", r->source->flags[i]);
    }
    text_puts(out, "\n */\n");
}

static void add_test(struct text *out, const char *test)
{
    text_puts(out, "\nPLUMB_TEST(\"");
    for (; *test; test++) {
        if (*test == '"' || *test == '\\')
            text_puts(out, "\\");
        text_add(out, test, 1);
    }
    text_puts(out, "\")\n");
}

bool auto_reproduce(const char *path, const struct auto_reproduction *r, struct diagnostic *why)
{
    struct text out = {0};
    struct inlining in = {r->source, &out};
    add_head(&out, path, r);
    add_macros(&in);
    for (size_t i = 0; i < r->source->file_count; i++) {
        struct text content = {0};
        const char *file = r->source->files[i];
        if (!text_add_file(&content, file)) {
            text_free(&out);
            return diagnostic_set(why, PL_CANNOT_OPEN, 0, 0, "cannot read '%s': %s", file, strerror(errno));
        }
        text_printf(&out, "/* %s */\n", file);
        add_file(&in, file, content.data, 0);
        text_free(&content);
    }
    add_test(&out, r->test);
    FILE *file = fopen(path, "we");
    bool written = file && fwrite(out.data, 1, out.len, file) == out.len;
    written = file && fclose(file) == 0 && written;
    text_free(&out);
    return written ||
           diagnostic_set(why, PL_CANNOT_OPEN, 0, 0, "cannot write '%s': %s", path, strerror(errno));
}
