/* SPDX-License-Identifier: Apache-2.0 */
#include "promela/promela_tokens.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "base/text.h"

void promela_text_open(struct promela_text *t, struct diagnostic *d)
{
    memset(t, 0, sizeof *t);
    t->diagnostic = d;
    t->name_mask = 1023;
    t->names = NEW_ZEROED(struct promela_name *, t->name_mask + 1);
}

void promela_text_free(struct promela_text *t)
{
    for (size_t i = 0; i < t->files.len; i++) {
        free(t->files.data[i].path);
        free(t->files.data[i].text);
    }
    for (size_t i = 0; i < t->scratch.len; i++) {
        vec_free(t->scratch.data[i]);
        free(t->scratch.data[i]);
    }
    vec_free(&t->files);
    vec_free(&t->scratch);
    vec_free(&t->tokens);
    free(t->names);
    arena_free(&t->arena);
}

void promela_fail(struct promela_text *t, int code, struct promela_place at, const char *format, ...)
{
    va_list args;
    char message[sizeof t->diagnostic->message];
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    diagnostic_set(t->diagnostic, code, at.line, at.column, "%s", message);
    if (at.file < t->files.len)
        snprintf(t->diagnostic->file, sizeof t->diagnostic->file, "%s", t->files.data[at.file].path);
    longjmp(t->on_error, 1);
}

void *promela_alloc(struct promela_text *t, size_t size)
{
    return memset(arena_alloc(&t->arena, size), 0, size);
}

static void grow_names(struct promela_text *t)
{
    uint32_t mask = t->name_mask * 2 + 1;
    struct promela_name **names = NEW_ZEROED(struct promela_name *, mask + 1);
    for (uint32_t i = 0; i <= t->name_mask; i++) {
        while (t->names[i]) {
            struct promela_name *n = t->names[i];
            t->names[i] = n->next;
            uint64_t slot = hash_bytes(n->text, n->length) & mask;
            n->next = names[slot];
            names[slot] = n;
        }
    }
    free(t->names);
    t->names = names;
    t->name_mask = mask;
}

struct promela_name *promela_intern(struct promela_text *t, const char *text, size_t length)
{
    uint64_t hash = hash_bytes(text, length);
    for (struct promela_name *n = t->names[hash & t->name_mask]; n; n = n->next)
        if (n->length == length && memcmp(n->text, text, length) == 0)
            return n;
    if (t->name_count++ > t->name_mask)
        grow_names(t);
    struct promela_name *n = promela_alloc(t, sizeof *n);
    char *copy = promela_alloc(t, length + 1);
    memcpy(copy, text, length);
    n->text = copy;
    n->length = (uint32_t)length;
    n->next = t->names[hash & t->name_mask];
    t->names[hash & t->name_mask] = n;
    return n;
}

promela_tokens *promela_new_tokens(struct promela_text *t)
{
    promela_tokens *tokens = NEW(promela_tokens);
    vec_reserve(tokens, 4); /* never a null pointer */
    vec_push(&t->scratch, tokens);
    return tokens;
}

uint16_t promela_add_file(struct promela_text *t, const char *path, const char *text, size_t length)
{
    struct promela_file file = {base_strndup(path, strlen(path)), base_strndup(text, length), length};
    vec_push(&t->files, file);
    return (uint16_t)(t->files.len - 1);
}

/* A path that is not absolute is relative to the folder of the file that names it. */
static char *path_beside(const char *includer, const char *path)
{
    const char *slash = strrchr(includer, '/');
    struct text joined = {0};
    if (path[0] != '/' && slash)
        text_add(&joined, includer, (size_t)(slash - includer) + 1);
    text_puts(&joined, path);
    return text_take(&joined);
}

uint16_t promela_open_file(struct promela_text *t, const char *path, const struct promela_token *includer)
{
    struct promela_place nowhere = {UINT16_MAX, 0, 0}, at = includer ? includer->place : nowhere;
    if (t->files.len >= 1000)
        promela_fail(t, PL_MODEL_SYNTAX, at, "more than 1000 files are included");
    char *full = path_beside(includer ? t->files.data[at.file].path : "", path);
    struct text content = {0};
    bool read = text_add_written_file(&content, full);
    int error = errno;
    if (read) {
        uint16_t file = promela_add_file(t, full, content.data ? content.data : "", content.len);
        text_free(&content);
        free(full);
        return file;
    }
    char reason[400];
    snprintf(reason, sizeof reason, "cannot read %.300s: %s", full, strerror(error));
    text_free(&content);
    free(full);
    promela_fail(t, PL_CANNOT_OPEN, at, "%s", reason);
}
