/* SPDX-License-Identifier: Apache-2.0 */
/* What plumb-cc adds to a compilation, and why: docs/internals/engine/compiling.md. */
#ifndef COMPILE_FLAGS_H
#define COMPILE_FLAGS_H

#include "compile/compiler.h"

struct flags {
    struct words first, last; /* the user's options stand between them */
    struct words instrument;  /* the second step, for clang */
    const char *prefix;       /* -B with the beginning of plumb-as; null: no assembly can be marked */
    const char *ignored;      /* recorded where annotations are ignored; it changes nothing */
};

struct flags flags_choose(const struct command_line *line, const struct compiler *compiler,
                          const struct homes *homes, const char *headers);

/* Options by which functions that gcc would make instructions of stay calls, for `plumb prove`. */
void flags_add_calls(struct words *words);

#endif
