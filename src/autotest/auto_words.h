/* SPDX-License-Identifier: Apache-2.0 */
/* A test as words. */
#ifndef AUTOTEST_AUTO_WORDS_H
#define AUTOTEST_AUTO_WORDS_H

#include "autotest/auto_tests.h"

/* A call ends at the first space outside of parentheses and texts. */
const char *auto_call_end(const char *at);

/* Calls as text. */
typedef VEC(char *) auto_list;

/* A test in words, whose arguments stay as they are. */
struct auto_words {
    auto_list columns[AUTO_COLUMNS_MAX];
    uint32_t column_count;
    auto_list init, final;
};

void auto_words_of(struct auto_words *w, const struct auto_test *t, const auto_calls *calls, const char *init,
                   const char *final);
void auto_words_free(struct auto_words *w);

/* "push(1) => pop | pop => get"; the ends only if there are any. */
char *auto_words_text(const struct auto_words *w);

#endif
