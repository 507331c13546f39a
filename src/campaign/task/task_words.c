/* SPDX-License-Identifier: Apache-2.0 */
#include "campaign/task/task_words.h"

#include "base/text.h"

#include <ctype.h>
#include <string.h>

/* ------------------------------------------------------------------ reading */

struct word_scanner {
    struct task_words *words;
    const char *at;
    uint32_t line;
    bool is_system, is_preprocessed; /* a line before said so: # 12 "/usr/include/stdio.h" 1 3 4 */
};

static const char *end_of_line(const char *at)
{
    return at + strcspn(at, "\n");
}

/* A line that begins with '#': of the preprocessor, to it or by it. Directives are words like all else. */
static bool skip_marker(struct word_scanner *s)
{
    const char *at = s->at + 1 + strspn(s->at + 1, " \t"), *end = end_of_line(at);
    const char *quote = isdigit((unsigned char)*at) ? memchr(at, '"', (size_t)(end - at)) : NULL;
    if (!quote)
        return false;
    const char *flags = quote + 1;
    while (flags < end && *flags != '"')
        flags++;
    s->is_preprocessed = true;
    s->is_system = memchr(flags, '3', (size_t)(end - flags)) != NULL;
    s->at = end;
    return true;
}

static void skip_comment(struct word_scanner *s)
{
    const char *end = s->at[1] == '/' ? end_of_line(s->at) : strstr(s->at + 2, "*/");
    end = !end ? s->at + strlen(s->at) : s->at[1] == '/' ? end : end + 2;
    for (; s->at < end; s->at++)
        s->line += *s->at == '\n';
}

static size_t quoted_length(const char *from)
{
    const char *at = from + 1;
    while (*at && *at != *from && *at != '\n')
        at += *at == '\\' && at[1] ? 2 : 1;
    return (size_t)(at - from) + (*at == *from);
}

static size_t word_length(const char *at)
{
    size_t length = 0;
    if (*at == '"' || *at == '\'')
        return quoted_length(at);
    while (isalnum((unsigned char)at[length]) || at[length] == '_')
        length++;
    return length ? length : 1;
}

static void scan_word(struct word_scanner *s)
{
    struct task_word w = {s->at, (uint32_t)word_length(s->at), s->line, s->is_preprocessed};
    s->at += w.length;
    w.length = *w.text == '"' || *w.text == '\'' ? 1 : w.length;
    if (!s->is_system)
        vec_push(&s->words->list, w);
}

static void scan(struct word_scanner *s)
{
    const char *begin = s->at;
    while (*s->at) {
        bool begins = s->at == begin || s->at[-1] == '\n';
        if (*s->at == '\n')
            s->line++, s->at++;
        else if (isspace((unsigned char)*s->at))
            s->at++;
        else if (*s->at == '/' && (s->at[1] == '/' || s->at[1] == '*'))
            skip_comment(s);
        else if (!(begins && *s->at == '#' && skip_marker(s)))
            scan_word(s);
    }
}

bool task_words_add(struct task_words *w, const char *file)
{
    struct text all = {0};
    if (!text_add_file(&all, file)) {
        text_free(&all);
        return false;
    }
    text_puts(&all, "");
    vec_push(&w->files, text_take(&all));
    scan(&(struct word_scanner){.words = w, .at = vec_last(&w->files), .line = 1});
    return true;
}

void task_words_free(struct task_words *w)
{
    for (size_t k = 0; k < w->files.len; k++)
        free(w->files.data[k]);
    vec_free(&w->files);
    vec_free(&w->list);
}

/* ------------------------------------------------------------------ looking for words */

static bool is_word(const struct task_word *w, const char *name)
{
    return strlen(name) == w->length && memcmp(w->text, name, w->length) == 0;
}

static bool is_one_of(const struct task_word *w, const char *const *names)
{
    while (*names && !is_word(w, *names))
        names++;
    return *names;
}

const struct task_word *task_words_find(const struct task_words *w, const char *name)
{
    for (size_t k = 0; k < w->list.len; k++)
        if (is_word(&w->list.data[k], name))
            return &w->list.data[k];
    return NULL;
}

/* `long long` has 64 bits in both. */
static bool is_one_long(const struct task_words *w, size_t k)
{
    const struct task_word *words = w->list.data;
    return is_word(&words[k], "long") && !(k > 0 && is_word(&words[k - 1], "long")) &&
           !(k + 1 < w->list.len && is_word(&words[k + 1], "long"));
}

/* A size that only says how much memory is meant is the right one in either model. */
static bool measures_memory(const struct task_words *w, size_t k)
{
    static const char *const takers[] = {"malloc", "calloc", "realloc", "memset", "memcpy", "alloca", NULL};
    for (size_t i = k; i-- > 0 && w->list.data[i].line == w->list.data[k].line;)
        if (is_one_of(&w->list.data[i], takers))
            return true;
    return false;
}

/* 1UL has another size, 1ULL has not. */
static bool is_long_number(const struct task_word *w)
{
    unsigned count = 0;
    for (uint32_t i = 0; i < w->length; i++)
        count += w->text[i] == 'l' || w->text[i] == 'L';
    return isdigit((unsigned char)*w->text) && count == 1;
}

/* (char *)&s.member - (char *)&s, and what is done to memory with a number for its size. */
static bool looks_at_bytes(const struct task_words *w, size_t k)
{
    static const char *const blocks[] = {"memset", "memcpy", "memmove", "memcmp", "bzero", "bcopy", NULL};
    const struct task_word *words = w->list.data;
    if (k + 2 < w->list.len && is_word(&words[k], "char") && is_word(&words[k + 1], "*") &&
        is_word(&words[k + 2], ")"))
        return true;
    bool measured = false;
    for (size_t i = k; i < w->list.len && words[i].line == words[k].line; i++)
        measured |= is_word(&words[i], "sizeof");
    return is_one_of(&words[k], blocks) && !measured;
}

static bool depends_on_model(const struct task_words *w, size_t k)
{
    static const char *const others[] = {"offsetof",    "__builtin_offsetof",
                                         "_Alignof",    "alignof",
                                         "__alignof__", "__alignof",
                                         "union",       "typeof",
                                         "__typeof__",  "__typeof",
                                         "auto",        "__auto_type",
                                         "strlen",      "strnlen",
                                         "LONG_MAX",    "LONG_MIN",
                                         "ULONG_MAX",   "SIZE_MAX",
                                         "SSIZE_MAX",   "PTRDIFF_MAX",
                                         "PTRDIFF_MIN", "INTPTR_MAX",
                                         "INTPTR_MIN",  "UINTPTR_MAX",
                                         "LONG_WIDTH",  "__LONG_MAX__",
                                         "__LP64__",    "__x86_64__",
                                         "strtol",      "strtoul",
                                         NULL};
    static const char *const types[] = {"size_t",      "ssize_t",  "ptrdiff_t", "intptr_t", "uintptr_t",
                                        "off_t",       "time_t",   "clock_t",   "intmax_t", "uintmax_t",
                                        "suseconds_t", "timespec", "timeval",   NULL};
    /* in a preprocessed file they have the size of the other model, which the runtime's may exceed */
    static const char *const objects[] = {"sem_t",          "pthread_rwlock_t",    "pthread_barrier_t",
                                          "pthread_attr_t", "pthread_mutexattr_t", NULL};
    const struct task_word *word = &w->list.data[k];
    return is_one_long(w, k) || is_one_of(word, types) || is_one_of(word, others) || is_long_number(word) ||
           looks_at_bytes(w, k) || (word->is_preprocessed && is_one_of(word, objects)) ||
           (is_word(word, "sizeof") && !measures_memory(w, k));
}

const struct task_word *task_words_find_model(const struct task_words *w)
{
    for (size_t k = 0; k < w->list.len; k++)
        if (depends_on_model(w, k))
            return &w->list.data[k];
    return NULL;
}

/* ------------------------------------------------------------------ a function that ends the program */

/* The word behind the bracket that closes the one at `k`. */
static size_t skip_brackets(const struct task_words *w, size_t k)
{
    size_t depth = 0;
    for (; k < w->list.len; k++) {
        char c = *w->list.data[k].text;
        depth += c == '(' || c == '{';
        depth -= (c == ')' || c == '}') && depth > 0;
        if (!depth)
            return k + 1;
    }
    return k;
}

/* "{ abort(); }", "{ assert(0); }", "{ __assert_fail("0", "a.c", 3, "f"); }", with a cast to void perhaps */
static bool body_ends(const struct task_words *w, size_t k, bool no_assertions)
{
    static const char *const ends[] = {"abort",    "assert",           "__assert_fail",
                                       "__assert", "__VERIFIER_error", NULL};
    const struct task_word *words = w->list.data;
    if (k + 3 < w->list.len && is_word(&words[k], "(") && is_word(&words[k + 1], "void"))
        k += 3;
    if (k >= w->list.len || !is_one_of(&words[k], ends))
        return false;
    bool asserts = is_word(&words[k], "assert");
    return !asserts || (!no_assertions && k + 2 < w->list.len && is_word(&words[k + 2], "0"));
}

/* Calls of such a function may be left out. */
static bool has_pure_functions(const struct task_words *w)
{
    static const char *const names[] = {"pure", "__pure__", "__const__", "unsequenced", "reproducible", NULL};
    const struct task_word *words = w->list.data;
    for (size_t k = 0; k < w->list.len; k++)
        if (is_one_of(&words[k], names) ||
            (k > 0 && is_word(&words[k], "const") && is_word(&words[k - 1], "(") && k + 1 < w->list.len &&
             is_word(&words[k + 1], ")")))
            return true;
    return false;
}

bool task_words_ends(const struct task_words *w, const char *function, bool no_assertions)
{
    no_assertions |= task_words_find(w, "NDEBUG") != NULL;
    if (has_pure_functions(w))
        return false;
    for (size_t k = 0; k + 1 < w->list.len; k++) {
        if (!is_word(&w->list.data[k], function) || *w->list.data[k + 1].text != '(')
            continue;
        size_t after = skip_brackets(w, k + 1);
        if (after < w->list.len && *w->list.data[after].text == '{')
            return body_ends(w, after + 1, no_assertions);
    }
    return true;
}
