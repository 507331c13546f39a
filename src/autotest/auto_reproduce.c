/* SPDX-License-Identifier: Apache-2.0 */
#include "autotest/auto_reproduce.h"

#include "base/deadline.h"
#include "base/shell_word.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { DEPTH_MOST = 200, BYTES_MOST = 4 << 20 };

/* A file that is to be included once. */
struct once {
    char *path;
    bool is_in;   /* where no condition can leave it out */
    bool is_open; /* it is being copied */
};

struct inlining {
    const struct target_source *source;
    enum auto_copying copying;
    struct text *out;
    VEC(struct once) once;
};

/* A file that is being copied. */
struct copied {
    const char *path;
    unsigned depth;
    int conditions;      /* that this line depends on, without those below */
    bool is_conditional; /* of an include that a condition may leave out */
};

static bool is_macro_or_folder(const char *flag)
{
    return strncmp(flag, "-D", 2) == 0 || strncmp(flag, "-I", 2) == 0;
}

/* Is flag number i in the file, as a macro or as what it lets the compiler find? Then it is not needed to build it. */
static bool is_in_file(const struct target_source *source, size_t i)
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

static const char *skip_blanks(const char *at, const char *end)
{
    while (at < end && strchr(" \t", *at))
        at++;
    return at;
}

/* What follows `#name` in the line, or null if it is another one. */
static const char *behind_directive(const char *line, const char *end, const char *name)
{
    size_t length = strlen(name);
    const char *at = skip_blanks(line, end);
    if (at == end || *at != '#')
        return NULL;
    at = skip_blanks(at + 1, end);
    bool is_it = (size_t)(end - at) >= length && memcmp(at, name, length) == 0;
    return is_it ? skip_blanks(at + length, end) : NULL;
}

/* The name in `#include "name"` or `#include <name>`, or null. */
static char *included_name(const char *line, size_t length, bool *angled)
{
    const char *end = line + length, *at = behind_directive(line, end, "include");
    if (!at || at == end || (*at != '"' && *at != '<'))
        return NULL;
    *angled = *at == '<';
    const char *close = memchr(at + 1, *angled ? '>' : '"', (size_t)(end - at - 1));
    return close ? strndup(at + 1, (size_t)(close - at - 1)) : NULL;
}

/* `plumb check` has these. */
static bool is_of_plumbline(const char *name)
{
    return strcmp(name, "plumb.h") == 0 || strncmp(name, "plumb/", 6) == 0;
}

static char *join(const char *folder, size_t length, const char *name)
{
    struct text path = {0};
    text_add(&path, folder, length);
    text_printf(&path, "%s%s", length && folder[length - 1] != '/' ? "/" : "", name);
    return text_take(&path);
}

/* Where the compiler would find it: beside the file that names it, unless that says <name>, then in the folders of -I. */
static char *find_included(const struct inlining *in, const char *from, const char *name, bool angled,
                           struct text *content)
{
    const char *slash = strrchr(from, '/');
    char *path = angled ? NULL : join(from, slash ? (size_t)(slash - from) + 1 : 0, name);
    if (path && text_add_file(content, path))
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

static bool is_once(const char *line, size_t length)
{
    const char *at = behind_directive(line, line + length, "pragma");
    return at && (size_t)(line + length - at) >= 4 && memcmp(at, "once", 4) == 0;
}

/* The harness' own test: the file gets another one. At most a ';' and a comment follow it on the line. */
static bool is_test(const char *line, size_t length)
{
    static const char macro[] = "PLUMB_TEST(";
    const char *end = line + length, *at = skip_blanks(line, end), *close = NULL;
    if ((size_t)(end - at) < sizeof macro || memcmp(at, macro, sizeof macro - 1) != 0)
        return false;
    for (const char *quote = at; (quote = memchr(quote, '"', (size_t)(end - quote))); quote++)
        if (quote + 1 < end && quote[1] == ')')
            close = quote + 2;
    while (close && close < end && strchr(" \t\r;", *close))
        close++;
    return close && (close == end || *close == '/');
}

/* The first directive of the text, or its end. */
static const char *next_directive(const char *line)
{
    while (*line && !behind_directive(line, line + strcspn(line, "\n"), ""))
        line += strcspn(line, "\n"), line += *line == '\n';
    return line;
}

/* `#ifndef NAME` in one line, `#define NAME` in the next directive. */
static bool is_guard(const char *line)
{
    size_t length = strcspn(line, "\n");
    const char *next = next_directive(line + length + (line[length] == '\n'));
    const char *tested = behind_directive(line, line + length, "ifndef");
    const char *made = behind_directive(next, next + strcspn(next, "\n"), "define");
    size_t name = tested ? strcspn(tested, " \t\r\n/") : 0;
    return name && made && strncmp(tested, made, name) == 0 && strcspn(made, " \t\r\n/") == name;
}

static bool has_pragma_once(const char *content)
{
    for (const char *line = next_directive(content); *line; line = next_directive(line)) {
        size_t length = strcspn(line, "\n");
        if (is_once(line, length))
            return true;
        line += length;
    }
    return false;
}

/* The number of the file, which is to be included once, among these; SIZE_MAX: it may be included often. A guard stands before every other
 * directive. */
static size_t number_of_once(struct inlining *in, const char *path, const char *content)
{
    bool once = is_guard(next_directive(content)) || has_pragma_once(content);
    char *real = once ? realpath(path, NULL) : NULL;
    if (!real)
        return SIZE_MAX;
    for (size_t i = 0; i < in->once.len; i++) {
        if (strcmp(in->once.data[i].path, real) == 0) {
            free(real);
            return i;
        }
    }
    vec_push(&in->once, ((struct once){.path = real}));
    return in->once.len - 1;
}

static void add_file(struct inlining *in, struct copied *c, const char *content);

/* Files that include each other would be copied again and again: what is in already, or being copied, is left out. What a condition may
 * leave out where it is may be needed elsewhere. */
static void add_included(struct inlining *in, const struct copied *from, const char *name, const char *path,
                         const char *content)
{
    size_t number = number_of_once(in, path, content);
    bool once = number != SIZE_MAX, pragma = once && !is_guard(next_directive(content));
    struct copied c = {.path = path,
                       .depth = from->depth + 1,
                       .conditions = once && !pragma ? -1 : 0, /* its guard is none */
                       .is_conditional = from->is_conditional || from->conditions > 0};
    if (once && (in->once.data[number].is_in || in->once.data[number].is_open))
        return;
    text_printf(in->out, "/* %s */\n", name);
    if (once)
        in->once.data[number].is_open = true;
    if (pragma)
        text_printf(in->out, "#ifndef PLUMB_ONCE_%zu\n#define PLUMB_ONCE_%zu\n", number, number);
    add_file(in, &c, content);
    text_puts(in->out, pragma ? "#endif\n" : "");
    if (once)
        in->once.data[number].is_open = false;
    if (once)
        in->once.data[number].is_in = !c.is_conditional;
}

/* Below which conditions does the next line stand? */
static void count_conditions(struct copied *c, const char *line, size_t length)
{
    const char *end = line + length;
    if (behind_directive(line, end, "if")) /* ifdef and ifndef, too */
        c->conditions++;
    else if (behind_directive(line, end, "endif"))
        c->conditions--;
}

static bool has_room(const struct inlining *in)
{
    return in->out->len <= BYTES_MOST && !deadline_passed();
}

static void add_file(struct inlining *in, struct copied *c, const char *content)
{
    for (const char *line = content; *line && has_room(in);) {
        size_t length = strcspn(line, "\n");
        bool copied = in->copying == AUTO_COPY_INCLUDED && c->depth < DEPTH_MOST, angled = false;
        char *name = copied ? included_name(line, length, &angled) : NULL;
        struct text inner = {0};
        bool sought = name && !is_of_plumbline(name);
        char *found = sought ? find_included(in, c->path, name, angled, &inner) : NULL;
        count_conditions(c, line, length);
        if (found) {
            add_included(in, c, name, found, inner.data);
        } else if (!is_test(line, length) && !is_once(line, length)) {
            text_add(in->out, line, length);
            text_puts(in->out, "\n");
        }
        text_free(&inner);
        free(found);
        free(name);
        line += length + (line[length] == '\n');
    }
}

/* -DNAME and -DNAME=VALUE, in one word or two. The last of several counts, unless --golden-define has one. */
static void add_macros(const struct inlining *in)
{
    for (size_t i = in->source->flag_count; i-- > 0;) {
        const char *macro = value_of(in->source, i, "-D");
        if (!macro)
            continue;
        size_t name = strcspn(macro, "=(");
        size_t head = strcspn(macro, "="); /* with parameters, if there are any */
        text_printf(in->out, "#ifndef %.*s\n", (int)name, macro);
        text_printf(in->out, "#define %.*s %s\n", (int)head, macro, macro[head] ? macro + head + 1 : "1");
        text_puts(in->out, "#endif\n");
    }
}

/* Without its last name: "src" of "src/queue.c". */
static char *folder_of(const char *file)
{
    const char *slash = strrchr(file, '/');
    return slash ? strndup(file, slash == file ? 1 : (size_t)(slash - file)) : strdup(".");
}

struct auto_flags auto_flags_for(const struct target_source *source, enum auto_copying copying)
{
    struct auto_flags flags = {0};
    for (size_t i = 0; i < source->flag_count; i++)
        if (copying == AUTO_COPY_SOURCES || !is_in_file(source, i))
            vec_push(&flags.list, strdup(source->flags[i]));
    for (size_t i = 0; copying == AUTO_COPY_SOURCES && i < source->file_count; i++) {
        vec_push(&flags.list, strdup("-iquote"));
        vec_push(&flags.list, folder_of(source->files[i]));
    }
    return flags;
}

void auto_flags_free(struct auto_flags *flags)
{
    for (size_t i = 0; i < flags->list.len; i++)
        free(flags->list.data[i]);
    vec_free(&flags->list);
}

/* Names in the command start from the current folder. */
static void add_head(struct text *out, const struct auto_reproduction *r)
{
    OWNED char *folder = get_current_dir_name();
    text_printf(out, "/* %s\n *\n *     ", r->summary);
    if (folder) {
        text_puts(out, "cd");
        shell_add_word(out, folder);
        text_puts(out, " && ");
    }
    text_printf(out, "%s\n */\n", r->command);
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

static bool add_files(struct inlining *in, struct diagnostic *why)
{
    for (size_t i = 0; i < in->source->file_count; i++) {
        struct text content = {0};
        const char *file = in->source->files[i];
        if (!text_add_file(&content, file))
            return diagnostic_set(why, PL_CANNOT_OPEN, 0, 0, "cannot read '%s': %s", file, strerror(errno));
        text_printf(in->out, "/* %s */\n", file);
        add_file(in, &(struct copied){.path = file}, content.data);
        text_free(&content);
    }
    if (deadline_passed())
        return diagnostic_set(why, PL_TIME, 0, 0, "time limit met");
    return in->out->len <= BYTES_MOST ||
           diagnostic_set(why, PL_CANNOT_RUN, 0, 0, "as one file the program has more than %d MiB",
                          BYTES_MOST >> 20);
}

static bool write_file(const char *path, const struct text *content, struct diagnostic *why)
{
    FILE *file = fopen(path, "we");
    bool written = file && fwrite(content->data, 1, content->len, file) == content->len;
    written = file && fclose(file) == 0 && written;
    return written ||
           diagnostic_set(why, PL_CANNOT_OPEN, 0, 0, "cannot write '%s': %s", path, strerror(errno));
}

bool auto_reproduce(const char *path, const struct auto_reproduction *r, struct diagnostic *why)
{
    struct text out = {0};
    struct inlining in = {.source = r->source, .copying = r->copying, .out = &out};
    add_head(&out, r);
    if (r->copying == AUTO_COPY_INCLUDED)
        add_macros(&in);
    bool fine = add_files(&in, why);
    add_test(&out, r->test);
    fine = fine && write_file(path, &out, why);
    for (size_t i = 0; i < in.once.len; i++)
        free(in.once.data[i].path);
    vec_free(&in.once);
    text_free(&out);
    return fine;
}
