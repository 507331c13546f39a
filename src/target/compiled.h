/* SPDX-License-Identifier: Apache-2.0 */
/* How a program was compiled, as its object files record it (-frecord-gcc-switches, which plumb-cc passes). */
#ifndef TARGET_COMPILED_H
#define TARGET_COMPILED_H

#include <stdbool.h>
#include <stddef.h>

enum { COMPILED_LEVELS = 8, COMPILED_LEVEL_SIZE = 8 };

struct compiled {
    bool every_access;                                 /* of the source happens in some file */
    bool by_gcc, by_clang;                             /* some file was compiled */
    bool unfilled;                                     /* some file's variables are not filled: unwritten ones are not noticed */
    char levels[COMPILED_LEVELS][COMPILED_LEVEL_SIZE]; /* of the others, such as -O2; each once */
    size_t level_count;
};

/* Adds what one compilation recorded: its options, between spaces. Files that are not instrumented do not count. */
void compiled_add_record(struct compiled *c, const char *record);

/* What a verdict has to say about it, such as "as compiled with -O2"; null: nothing, every access happens. Owned. */
char *compiled_describe(const struct compiled *c);

/* The accesses that the compilers at hand never announce, whatever the options; null: not known which compilers. */
const char *compiled_unannounced(const struct compiled *c);

/* What an executable file records. */
struct compiled compiled_read_file(const char *path);

#endif
