/* SPDX-License-Identifier: Apache-2.0 */
/* Flags for a harness from the compilation database of a build (compile_commands.json). */
#ifndef TARGET_COMPDB_H
#define TARGET_COMPDB_H

#include "base/diagnostic.h"
#include "target/tool_command.h"

/* How a file of the build is compiled. Strings are owned. */
struct compdb_entry {
    char *directory, *file; /* as written */
    struct words arguments; /* the first is the compiler */
};

struct compdb {
    char *path; /* of the database */
    VEC(struct compdb_entry) entries;
};

/* `place`: the database, or the folder that it is in. To be freed, whatever the answer. */
bool compdb_read(struct compdb *db, const char *place, struct diagnostic *why);
void compdb_free(struct compdb *db);

/* The entry of one of the files; else of a source that the first of them includes, or whose header it includes; else of the first
 * source in its folder. Null, with a diagnostic: there is none. */
const struct compdb_entry *compdb_choose(const struct compdb *db, const char *const *files, size_t count,
                                         struct diagnostic *why);

/* Adds its flags that say what the program is: without the compiler, the file, outputs, dependencies, optimisation, sanitizers and
 * warnings as errors. Paths are absolute, as the build ran in another folder. */
void compdb_add_flags(struct words *flags, const struct compdb_entry *e);

/* Where the entry's file is; the caller frees it. */
char *compdb_path(const struct compdb_entry *e);

/* The words of a command line as a shell divides it: blanks, quotes, backslashes. */
void compdb_split_command(struct words *words, const char *command);

#endif
