/* SPDX-License-Identifier: Apache-2.0 */
/* Commands to be copied into a shell. */
#ifndef BASE_SHELL_WORD_H
#define BASE_SHELL_WORD_H

#include "base/text.h"

/* A space and the word, quoted where needed; safe on a terminal. */
void shell_add_word(struct text *out, const char *word);

/* A space and the name of a file, which may begin like an option. */
void shell_add_file(struct text *out, const char *name);

#endif
