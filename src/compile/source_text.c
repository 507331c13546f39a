/* SPDX-License-Identifier: Apache-2.0 */
#include "compile/source_text.h"

#include <ctype.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

bool source_text_open(struct source_text *text, const char *path)
{
    struct stat facts;
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    *text = (struct source_text){.data = ""};
    bool is_file = file >= 0 && fstat(file, &facts) == 0 && S_ISREG(facts.st_mode);
    if (is_file && facts.st_size > 0) {
        void *bytes = mmap(NULL, (size_t)facts.st_size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, file, 0);
        is_file = bytes != MAP_FAILED;
        if (is_file)
            *text = (struct source_text){bytes, (size_t)facts.st_size};
    }
    if (file >= 0)
        close(file);
    return is_file;
}

void source_text_close(struct source_text *text)
{
    if (text->len)
        munmap((void *)text->data, text->len);
}

/* --- words --------------------------------------------------------------------------------------- */

static bool begins_with(const char *at, const char *end, const char *word)
{
    size_t length = strlen(word);
    return (size_t)(end - at) >= length && memcmp(at, word, length) == 0;
}

/* The next annotation from `at` on; null: none. */
static const char *find_annotation(const char *at, const char *end)
{
    static const char *const words[] = {
        "Structure_Define", "Interface",     "Method",     "Ordering_Point_", "Potential_Ordering_Point",
        "HB_Condition",     "PreCondition",  "SideEffect", "PostCondition",   "Happens_Before",
        "DeclareVar",       "DeclareStruct", "InitVar",    "DefineFunc"};
    while (at < end && (at = memchr(at, '@', (size_t)(end - at)))) {
        at++;
        for (size_t k = 0; k < sizeof words / sizeof *words; k++)
            if (begins_with(at, end, words[k]))
                return at;
    }
    return NULL;
}

bool source_text_has_annotation(const struct source_text *text)
{
    return find_annotation(text->data, text->data + text->len);
}

static const char *start_of_line(const char *begin, const char *at)
{
    const char *end_before = memrchr(begin, '\n', (size_t)(at - begin));
    return end_before ? end_before + 1 : begin;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static bool is_definition(const char *at, const char *end)
{
    while (at < end && is_blank(*at))
        at++;
    if (at == end || *at++ != '#')
        return false;
    while (at < end && is_blank(*at))
        at++;
    return begins_with(at, end, "define");
}

/* Does the line before this one end with a backslash? */
static bool is_continued(const char *begin, const char *line)
{
    const char *at = line > begin ? line - 1 : line;
    while (at > begin && (is_blank(at[-1]) || at[-1] == '\r'))
        at--;
    return at > begin && at[-1] == '\\';
}

bool source_text_defines_annotation(const struct source_text *text)
{
    const char *end = text->data + text->len;
    for (const char *at = text->data; (at = find_annotation(at, end));) {
        const char *line = start_of_line(text->data, at);
        while (!is_definition(line, end) && is_continued(text->data, line))
            line = start_of_line(text->data, line - 1);
        if (is_definition(line, end))
            return true;
    }
    return false;
}

bool source_text_means_names(const struct source_text *text)
{
    static const char atomic[] = "__VERIFIER_atomic_", assume[] = "assume_abort_if_not";
    const char *end = text->data + text->len, *at = text->data;
    if (memmem(at, text->len, assume, strlen(assume)))
        return true;
    while ((at = memmem(at, (size_t)(end - at), atomic, strlen(atomic)))) {
        at += strlen(atomic);
        if (at < end && isalnum((unsigned char)*at))
            return true;
    }
    return false;
}

/* --- headers that are compiled already ----------------------------------------------------------- */

static bool has_compiled(const char *folder, size_t length, const char *name, size_t name_length)
{
    OWNED char *path = word_print("%.*s/%.*s.gch", (int)length, folder, (int)name_length, name);
    return access(path, F_OK) == 0;
}

/* One line of the source. */
static bool includes_compiled(const char *line, const char *end, const char *path,
                              const struct words *folders)
{
    size_t length = (size_t)(end - line);
    const char *sign = memchr(line, '#', length);
    if (!sign || (!memmem(sign, (size_t)(end - sign), "include", 7) &&
                  !memmem(sign, (size_t)(end - sign), "import", 6)))
        return false;
    const char *name = line, *slash = strrchr(path, '/');
    while (name < end && *name != '"' && *name != '<')
        name++;
    const char *stop = ++name;
    while (stop < end && *stop != '"' && *stop != '>')
        stop++;
    if (stop >= end || stop == name)
        return true; /* the name comes from a macro */
    size_t size = (size_t)(stop - name);
    bool compiled = has_compiled(slash ? path : ".", slash ? (size_t)(slash - path) : 1, name, size) ||
                    has_compiled(".", 1, name, size) || has_compiled("", 0, name, size);
    for (size_t i = 0; i < folders->list.len; i++)
        compiled |= has_compiled(folders->list.data[i], strlen(folders->list.data[i]), name, size);
    return compiled;
}

bool source_text_may_use_compiled(const struct source_text *text, const char *path,
                                  const struct words *folders)
{
    const char *end = text->data + text->len;
    if (memmem(text->data, text->len, "%:", 2) || memmem(text->data, text->len, "\?\?=", 3))
        return true;
    for (const char *line = text->data; line < end;) {
        const char *stop = memchr(line, '\n', (size_t)(end - line));
        stop = stop ? stop : end;
        if (includes_compiled(line, stop, path, folders))
            return true;
        line = stop + 1;
    }
    return false;
}

/* --- lists of headers ---------------------------------------------------------------------------- */

/* The next name, with make's quotes undone; *at stands behind it. */
static char *read_name(const char **at)
{
    struct text name = {0};
    for (; **at && !isspace((unsigned char)**at); ++*at) {
        const char *c = *at;
        if ((c[0] == '\\' && (c[1] == ' ' || c[1] == '#')) || (c[0] == '$' && c[1] == '$'))
            c = ++*at;
        text_add(&name, c, 1);
    }
    return text_take(&name);
}

bool dependency_list_read(const char *list, struct words *files)
{
    size_t length = strlen(list);
    if (!text_starts_with(list, "x:") || list[length - 1] != '\n' || list[length - 2] == '\\')
        return false;
    for (const char *at = list + 2; *at;) {
        if (isspace((unsigned char)*at)) {
            at++;
        } else if (at[0] == '\\' && at[1] == '\n') {
            at += 2;
        } else {
            char *name = read_name(&at);
            if (access(name, R_OK) != 0)
                return false;
            words_add(files, name);
        }
    }
    return files->list.len > 0;
}
