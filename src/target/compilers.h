/* SPDX-License-Identifier: Apache-2.0 */
/* Which compilers build programs under test: those of --cc and --cxx, else of PLUMB_CC and PLUMB_CXX, else clang where plumb-instrument
 * is installed, else cc and c++. A compiler of one language stands for that of the other: gcc for g++, clang++-19 for clang-19. */
#ifndef TARGET_COMPILERS_H
#define TARGET_COMPILERS_H

#include "base/text.h"

#include <stdbool.h>

/* What the user wants by name, such as "ccache gcc", which is kept. Null: nothing is said about it. */
void compilers_choose(const char *cc, const char *cxx);

/* The C or C++ compiler; may have several words. */
const char *compiler_name(bool cxx);

/* Adds the options that choose these compilers, unless they are the ones without any choice. */
void compilers_add_options(struct text *command);

#endif
