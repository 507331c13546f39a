/* SPDX-License-Identifier: Apache-2.0 */
/* How a program was compiled, as its object files record it (-frecord-gcc-switches, which plumb-cc passes). */
#ifndef TARGET_COMPILED_H
#define TARGET_COMPILED_H

#include "base/vec.h"

#include <stdbool.h>
#include <stddef.h>

enum { COMPILED_LEVELS = 8, COMPILED_LEVEL_SIZE = 8 };

/* Where the program accesses memory and the compiler announces nothing. */
struct compiled_place {
    const char *kind; /* of access, such as "the order of non-temporal stores" */
    char *file;
    unsigned long line;
};

struct compiled {
    bool every_access; /* of the source happens in some file */
    bool by_gcc;       /* some file was compiled */
    bool by_clang;     /* some file, with LLVM's own instrumentation */
    bool by_rustc;     /* some file */
    bool in_steps;     /* some file by clang and plumb-instrument */
    bool has_others;   /* some file has hooks that plumb-instrument did not put there */
    bool has_classes;  /* gcc compiled some file of C++ */
    bool unheeded;     /* specifications in comments of some file were ignored */
    bool unfilled;     /* some file's variables are not filled: unwritten ones are not noticed */
    bool without_lto;  /* of some optimised file: plumb-cc left -flto out */
    char levels[COMPILED_LEVELS][COMPILED_LEVEL_SIZE]; /* of the others, such as -O2; each once */
    size_t level_count;
    VEC(struct compiled_place) places; /* by kind, file and line; each once */
};

/* Adds what one compilation recorded: its options, between spaces. Files that are not instrumented do not count. */
void compiled_add_record(struct compiled *c, const char *record);

/* What a verdict has to say about it, such as "as compiled with -O2"; null: nothing, every access happens. Owned. */
char *compiled_describe(const struct compiled *c);

/* What hooks of compilers do not show, whatever the options, for the line of the verdict: "with gcc: folded expressions, ..."; null: nothing.
 * `is_proved`: what `plumb prove` would have to know. Owned. */
char *compiled_unshown(const struct compiled *c, bool is_proved);

/* Memory errors that plumb-instrument does not show; null: it was not there. */
const char *compiled_memory(const struct compiled *c);

/* Adds what an executable file records. False: it cannot be read. */
bool compiled_read_file(struct compiled *c, const char *path);

void compiled_free(struct compiled *c);

#endif
