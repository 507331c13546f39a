/* SPDX-License-Identifier: Apache-2.0 */
#include "campaign/task/task_file.h"

#include "base/text.h"
#include "campaign/task/task_property.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

struct task_reader {
    struct task_file *task;
    const char *path;
    char section[32]; /* the last key without indentation */
    uint64_t line;
    struct diagnostic *why;
};

bool task_file_is(const char *path)
{
    size_t length = strlen(path);
    return (length > 4 && strcmp(path + length - 4, ".yml") == 0) ||
           (length > 5 && strcmp(path + length - 5, ".yaml") == 0);
}

#define refuse(r, ...) diagnostic_set((r)->why, PL_TASK, (r)->line, 0, __VA_ARGS__)

/* ------------------------------------------------------------------ parts of lines */

/* Where a comment begins, or the end. */
static char *find_end(char *line)
{
    char quote = 0;
    for (char *at = line; *at; at++) {
        if (quote)
            quote = *at == quote ? 0 : quote;
        else if (*at == '\'' || *at == '"')
            quote = *at;
        else if (*at == '#' && (at == line || at[-1] == ' ' || at[-1] == '\t'))
            return at;
    }
    return line + strlen(line);
}

static char *trim(char *from, char *to)
{
    while (to > from && strchr(" \t\r\n", to[-1]))
        to--;
    *to = 0;
    return from + strspn(from, " \t");
}

/* Without the quotes around it. */
static char *unquote(char *value)
{
    size_t length = strlen(value);
    if (length < 2 || (*value != '\'' && *value != '"') || value[length - 1] != *value)
        return value;
    value[length - 1] = 0;
    return value + 1;
}

/* Divides "key: value"; null: it is none. */
static char *split_key(char *content)
{
    char *colon = strstr(content, ": ");
    size_t length = strlen(content);
    if (!colon && length && content[length - 1] == ':')
        colon = content + length - 1;
    if (!colon)
        return NULL;
    *colon = 0;
    return unquote(colon + 1 + strspn(colon + 1, " \t"));
}

/* ------------------------------------------------------------------ what they mean */

static void set(char **place, const char *value)
{
    free(*place);
    *place = base_strndup(value, strlen(value));
}

/* Names of files begin at the folder of the task. */
static char *find_file(const struct task_reader *r, const char *name)
{
    const char *slash = strrchr(r->path, '/');
    struct text path = {0};
    if (slash && *name != '/')
        text_add(&path, r->path, (size_t)(slash + 1 - r->path));
    text_puts(&path, name);
    return text_take(&path);
}

static void add_file(struct task_reader *r, const char *name)
{
    vec_push(&r->task->files, find_file(r, name));
}

/* "a.c", or "[a.c, b.c]" */
static void add_files(struct task_reader *r, char *value)
{
    size_t length = strlen(value);
    if (*value != '[' || value[length - 1] != ']') {
        add_file(r, value);
        return;
    }
    value[length - 1] = 0;
    for (char *rest = value + 1, *name; (name = strsep(&rest, ","));) {
        name = unquote(trim(name, name + strlen(name)));
        if (*name)
            add_file(r, name);
    }
}

/* "../properties/no-data-race.prp" */
static void name_property(const struct task_reader *r, struct task_property *p, const char *file)
{
    const char *slash = strrchr(file, '/'), *name = slash ? slash + 1 : file;
    const char *dot = strrchr(name, '.');
    free(p->name);
    p->name = base_strndup(name, dot ? (size_t)(dot - name) : strlen(name));
    free(p->file);
    p->file = find_file(r, file);
    p->asks = task_property_read(p->file);
}

static bool expect(struct task_reader *r, struct task_property *p, const char *value)
{
    if (strcmp(value, "true") != 0 && strcmp(value, "false") != 0)
        return refuse(r, "expected_verdict is true or false, not '%.100s'", value);
    p->expected = *value == 't' ? TASK_EXPECTS_TRUE : TASK_EXPECTS_FALSE;
    return true;
}

static bool set_property(struct task_reader *r, const char *key, const char *value)
{
    if (!r->task->properties.len)
        return refuse(r, "'%.100s' belongs to no property: the list has '- property_file: ...'", key);
    struct task_property *p = &vec_last(&r->task->properties);
    if (strcmp(key, "property_file") == 0)
        name_property(r, p, value);
    else if (strcmp(key, "expected_verdict") == 0)
        return expect(r, p, value);
    else if (strcmp(key, "subproperty") == 0)
        set(&p->subproperty, value);
    return true;
}

static bool set_option(struct task_reader *r, const char *key, const char *value)
{
    if (strcmp(key, "language") == 0)
        set(&r->task->language, value);
    if (strcmp(key, "data_model") != 0)
        return true;
    if (strcmp(value, "ILP32") != 0 && strcmp(value, "LP64") != 0)
        return refuse(r, "data_model is ILP32 or LP64, not '%.100s'", value);
    r->task->is_ilp32 = *value == 'I';
    return true;
}

static bool is_in(const struct task_reader *r, const char *section)
{
    return strcmp(r->section, section) == 0;
}

static bool read_top(struct task_reader *r, const char *key, char *value)
{
    snprintf(r->section, sizeof r->section, "%s", key);
    if (is_in(r, "format_version"))
        set(&r->task->version, value);
    if (is_in(r, "input_files") && *value)
        add_files(r, value);
    if ((is_in(r, "properties") || is_in(r, "options")) && *value)
        return refuse(r, "'%.100s' has a line for each of its members", key);
    return true;
}

static bool read_member(struct task_reader *r, char *content)
{
    char *value = split_key(content);
    if (!value)
        return refuse(r, "neither 'key: value' nor an item of a list: '%.100s'", content);
    if (is_in(r, "properties"))
        return set_property(r, content, value);
    return !is_in(r, "options") || set_option(r, content, value);
}

static bool read_item(struct task_reader *r, char *content)
{
    if (is_in(r, "input_files")) {
        add_file(r, unquote(content));
        return true;
    }
    if (!is_in(r, "properties"))
        return true;
    vec_push(&r->task->properties, (struct task_property){0});
    return read_member(r, content);
}

static bool read_line(struct task_reader *r, char *line)
{
    char *content = trim(line, find_end(line));
    if (!*content || strcmp(content, "---") == 0)
        return true;
    if (content[0] == '-' && (content[1] == ' ' || !content[1]))
        return read_item(r, content + 1 + strspn(content + 1, " \t"));
    if (content > line)
        return read_member(r, content);
    char *value = split_key(content);
    return value ? read_top(r, content, value)
                 : refuse(r, "not a line of a task, which has the form 'key: value': '%.100s'", content);
}

/* ------------------------------------------------------------------ the whole */

static bool is_complete(struct task_reader *r)
{
    const struct task_file *t = r->task;
    r->line = 0;
    if (!t->version || strcmp(t->version, "2.0") != 0)
        return refuse(r, "a task of SV-COMP has 'format_version: \"2.0\"'%s%.20s", t->version ? ", not " : "",
                      t->version ? t->version : "");
    if (!t->files.len)
        return refuse(r, "%s", "a task names its program: input_files");
    if (!t->properties.len)
        return refuse(r, "%s", "a task has properties");
    for (size_t k = 0; k < t->properties.len; k++)
        if (!t->properties.data[k].name)
            return refuse(r, "%s", "a property of the task has no property_file");
    return true;
}

bool task_file_read(struct task_file *t, const char *path, struct diagnostic *why)
{
    struct task_reader r = {.task = t, .path = path, .why = why};
    OWNED struct text all = {0};
    *t = (struct task_file){0};
    if (!text_add_written_file(&all, path))
        return diagnostic_set(why, PL_CANNOT_OPEN, 0, 0, "cannot open '%.200s': %s", path, strerror(errno));
    bool fine = true;
    for (char *rest = all.data, *line; fine && rest && (line = strsep(&rest, "\n"));) {
        r.line++;
        fine = read_line(&r, line);
    }
    fine = fine && is_complete(&r);
    snprintf(why->file, sizeof why->file, "%s", path);
    return fine;
}

bool task_is_in_c(const struct task_file *t)
{
    return !t->language || strcmp(t->language, "C") == 0;
}

void task_file_free(struct task_file *t)
{
    for (size_t k = 0; k < t->files.len; k++)
        free(t->files.data[k]);
    for (size_t k = 0; k < t->properties.len; k++) {
        free(t->properties.data[k].name);
        free(t->properties.data[k].file);
        free(t->properties.data[k].subproperty);
    }
    vec_free(&t->files);
    vec_free(&t->properties);
    free(t->language);
    free(t->version);
}
