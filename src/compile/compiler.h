/* SPDX-License-Identifier: Apache-2.0 */
/* The compiler behind plumb-cc, and the parts of Plumbline around it. */
#ifndef COMPILE_COMPILER_H
#define COMPILE_COMPILER_H

#include "compile/command_line.h"

struct compiler {
    struct words command; /* it may have several words, such as "ccache gcc" */
    bool clang, x86;      /* its code is for x86-64 */
    unsigned version;     /* of gcc; 0: not known */
    bool is_native;       /* it compiles for this machine, without words about that */
};

/* Folders that plumb-cc may have been started from: as called, and behind symbolic links; null: /proc is not mounted. */
struct homes {
    const char *called, *real;
};

struct homes homes_find(const char *called);
/* $PLUMB_CC or $PLUMB_CXX; else clang, where it is installed and plumb-instrument is built; else cc. */
struct compiler compiler_find(struct command_line *line, const struct homes *homes);
/* Fills in what the compiler is. */
void compiler_know(struct compiler *compiler, const struct command_line *line);

/* The folder of libplumb-rt.so, or where it would be; that of plumb/value.h. */
const char *homes_library(const struct homes *homes);
const char *homes_headers(const struct homes *homes);
/* A program beside this one, in the installation or the build; null: not found. */
const char *homes_tool(const struct homes *homes, const char *name);

/* The path of a program that PATH has; null: it has none. */
const char *path_find(const char *name);

#endif
