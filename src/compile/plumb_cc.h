/* SPDX-License-Identifier: Apache-2.0 */
/* One run of plumb-cc. */
#ifndef COMPILE_PLUMB_CC_H
#define COMPILE_PLUMB_CC_H

#include "compile/flags.h"
#include "compile/wrapper_process.h"

struct compilation {
    struct command_line line;
    struct compiler compiler;
    struct homes homes;
    struct flags flags;
    const char *library, *headers;
};

/* The exit codes of plumb-cc: as compilers have them, and of mistakes in annotations. */
enum { WRAPPER_ERROR = 1, WRAPPER_ANNOTATIONS = 2 };

/* Are these sources compiled in steps of our own, with -c or -S? Else the command is passed on as it is. */
bool compile_has_steps(const struct compilation *c);
/* -c or -S. */
void compile_files(struct compilation *c);
/* The sources of a command that links: the objects lie in the folder of the process. */
void compile_for_link(struct compilation *c);
const char *compile_object(size_t source);

/* Has this source annotations? Translates it, or notes that they are ignored. */
void annotations_translate(struct compilation *c, size_t number);

/* The options of the user without those for the list of headers, and without -c and -S. */
struct words options_of_code(const struct command_line *line);

int link_program(const struct compilation *c);

#endif
