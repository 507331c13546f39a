/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of words, from which commands are made. What a word is made of lives as long as the process, which is short. */
#ifndef COMPILE_WORD_LIST_H
#define COMPILE_WORD_LIST_H

#include "base/text.h"
#include "base/vec.h"

struct words {
    VEC(const char *) list;
};

static inline void words_add(struct words *words, const char *word)
{
    vec_push(&words->list, word);
}

static inline void words_add_all(struct words *words, const struct words *more)
{
    for (size_t i = 0; i < more->list.len; i++)
        vec_push(&words->list, more->list.data[i]);
}

static inline void words_add_array(struct words *words, const char *const *array, size_t count)
{
    for (size_t i = 0; i < count; i++)
        vec_push(&words->list, array[i]);
}
#define WORDS_ADD(words, ...)                                  \
    words_add_array(words, (const char *const[]){__VA_ARGS__}, \
                    sizeof((const char *[]){__VA_ARGS__}) / sizeof(char *))

/* A new string. */
char *word_print(const char *format, ...) __attribute__((format(printf, 1, 2)));

static inline _Bool word_ends_with(const char *word, const char *end)
{
    size_t length = strlen(word), wanted = strlen(end);
    return length >= wanted && strcmp(word + length - wanted, end) == 0;
}

#endif
