/* SPDX-License-Identifier: Apache-2.0 */
/* The words of a task's program, without those of system headers: what its text says of the data model and of how
 * reach_error ends. */
#ifndef CAMPAIGN_TASK_WORDS_H
#define CAMPAIGN_TASK_WORDS_H

#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>

struct task_word {
    const char *text; /* in the file's own bytes, not terminated */
    uint32_t length, line;
    bool is_preprocessed; /* from a file that names the headers that are in it */
};

/* Identifiers, and single characters of all else but blanks; texts in quotes are one word, a quote. */
struct task_words {
    VEC(struct task_word) list;
    VEC(char *) files;
};

/* False: the file cannot be read. */
bool task_words_add(struct task_words *w, const char *file);
void task_words_free(struct task_words *w);

/* A word whose meaning, or size, is another one with ILP32 than with LP64; null: there is none. */
const struct task_word *task_words_find_model(const struct task_words *w);

/* A word of that name; null: there is none. */
const struct task_word *task_words_find(const struct task_words *w, const char *name);

/* Is the function not defined here, or is its body one call that ends the program, and that no compiler leaves out?
 * `no_assertions`: NDEBUG is defined; the text itself may say so, too. */
bool task_words_ends(const struct task_words *w, const char *function, bool no_assertions);

#endif
