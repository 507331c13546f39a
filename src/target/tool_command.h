/* SPDX-License-Identifier: Apache-2.0 */
/* Commands of compilers that the tool runs, and where it finds what they need. */
#ifndef TARGET_TOOL_COMMAND_H
#define TARGET_TOOL_COMMAND_H

#include "base/vec.h"
#include "target/build.h"

/* A command line or an environment: its strings are owned, the last pointer is null once it is closed. */
struct words {
    VEC(char *) list;
};

/* `format` has one %s, for `text`. */
void command_add_word(struct words *words, const char *format, const char *text);
void command_free(struct words *words);

/* The words of compiler_name. */
void command_add_compiler(struct words *command, bool cxx);

struct words command_environment(const struct target_source *source, const char *folder,
                                 const char *runtime_folder);

/* In a closed environment. Null: as it is. */
void command_set_variable(struct words *environment, const char *name, const char *value);

/* Runs a command with its output on our stderr, or nowhere. Its exit code; -1: it has none. It is killed at the deadline. */
int command_run(const struct words *command, const struct words *environment, bool silent);

/* The folder of this very program; that of the public headers, where plumb-cc looks, too. Null: not found. */
char *command_own_folder(void);
char *command_find_headers(const char *folder);
/* A program or script of that name beside the program in this folder, or in the build or sources that it belongs to; X_OK: to be run; R_OK: to be read by
 * another program. Null: not found. */
char *command_find_tool(const char *folder, const char *name, int how);

bool command_has_suffix(const char *file, const char *suffix);

/* False: the folder of this program could not be found. */
bool command_fail_homeless(struct diagnostic *why);

/* False, with a diagnostic about the file. */
bool command_fail(struct diagnostic *why, const char *file, int code, const char *message);

/* The same, after command_run has failed: that, or that there was no time for it. */
bool command_fail_to_build(struct diagnostic *why, const char *file, const char *message);

/* The same, of a file that could not be opened just now (errno). */
bool command_cannot_open(struct diagnostic *why, const char *file);

/* Can a compiler of C or C++ take the file, which exists? False: *why says what it is. */
bool command_takes_file(const char *file, struct diagnostic *why);

#endif
