/* SPDX-License-Identifier: Apache-2.0 */
/* A failing test as one C or C++ file: the user's files with what they include, macros and the test itself. */
#ifndef AUTOTEST_AUTO_REPRODUCE_H
#define AUTOTEST_AUTO_REPRODUCE_H

#include "base/text.h"
#include "target/build.h"

struct auto_reproduction {
    const struct target_source *source;
    const char *test;
    const char *summary; /* a clause: what is wrong */
    const char *options; /* of `plumb check`, besides the file; may be empty */
};

/* Is flag number i in the file, as a macro or as what it lets the compiler find? Then it is not needed to build it. */
bool auto_is_in_file(const struct target_source *source, size_t i);

/* Behind the command that checks the file: `--` and the flags that are not in it, if there are any. */
void auto_add_flags(struct text *command, const struct target_source *source);

/* False: *why says why. */
bool auto_reproduce(const char *path, const struct auto_reproduction *r, struct diagnostic *why);

#endif
