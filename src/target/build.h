/* SPDX-License-Identifier: Apache-2.0 */
/* From the user's files to an executable that can be started as a worker. */
#ifndef TARGET_BUILD_H
#define TARGET_BUILD_H

#include "base/diagnostic.h"
#include "target/code/compiled.h"
#include "target/symbols/symbols_variables.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the user named: sources, or one executable that plumb-cc linked. Nothing is owned. */
struct target_source {
    const char *const *files;
    size_t file_count;
    const char *const *flags; /* for the compiler; of an executable: the arguments of its main */
    size_t flag_count;
    uint32_t no_annotations; /* 1: specifications in comments are ignored */
    bool silent;             /* what the compiler says is not printed */
};

struct target_program {
    char *path;
    char *folder;           /* temporary, with the executable in it; null when the user built it */
    const char **arguments; /* of its main, ended by null; null: none */
    /* Fingerprint of code and data: the same when the same sources are built again */
    uint64_t code;
    struct compiled record;
    bool has_own_functions;         /* proved: some of include/plumb/compiled stand for those of libraries */
    struct variable_list variables; /* what library functions may not cross the ends of */
    bool has_foreign;               /* some of its functions have no hooks (target/code/foreign.h) */
    /* Some file's variables on the stack are not filled, so unwritten ones are not noticed */
    bool unfilled;
    char
        *compiled; /* what a verdict says about optimisation, such as "as compiled with -O2"; null: nothing */
};

/* Null, with a diagnostic: PL_CANNOT_OPEN or PL_USAGE when it is about the files named, PL_BUILD when they do not
 * make a program. What the compiler has to say goes to stderr. */
struct target_program *target_build(const struct target_source *source, struct diagnostic *why);
/* The same for a harness on real threads: by the user's compiler, as it is (-O2 -g, then the flags), with libplumb-stress.a;
 * `noise`: with hooks around accesses that may delay. Of the program only the path is filled in. */
struct target_program *target_build_native(const struct target_source *source, bool noise,
                                           struct diagnostic *why);
/* The same for a harness that is proved: -O1 -g, then the flags, with hooks that libplumb-prove.so answers. Its record has the accesses without
 * hook. */
struct target_program *target_build_proved(const struct target_source *source, struct diagnostic *why);
/* Is one of the files C++? Then the C++ compiler builds them all. */
bool target_is_cxx(const struct target_source *source);
void target_program_free(struct target_program *program);

/* Compiles a specification (plumb/spec.h), without instrumentation, to `library`. False, with a diagnostic as above. */
bool target_build_spec(const char *file, const char *library, struct diagnostic *why);

#endif
