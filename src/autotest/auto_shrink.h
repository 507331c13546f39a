/* SPDX-License-Identifier: Apache-2.0 */
/* The smallest test that still fails: operations, then threads, then what comes before and after are left out as long
 * as it does. */
#ifndef AUTOTEST_AUTO_SHRINK_H
#define AUTOTEST_AUTO_SHRINK_H

#include "autotest/auto_run.h"
#include "autotest/auto_tests.h"

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

struct auto_shrinking {
    unsigned tried; /* smaller tests */
    bool cut;       /* time was up before all had been tried */
};

/* Each smaller test is run by `runner`, whose options have no --init and --final. */
struct auto_shrinking auto_shrink(struct auto_words *w, const struct auto_runner *runner);

#endif
