/* SPDX-License-Identifier: Apache-2.0 */
/* A failing test as one C or C++ file: the user's files, macros and the test itself. */
#ifndef AUTOTEST_AUTO_REPRODUCE_H
#define AUTOTEST_AUTO_REPRODUCE_H

#include "base/text.h"
#include "base/vec.h"
#include "target/build.h"

/* What the file has of what its sources need. */
enum auto_copying {
    /* everything that stands in folders of the user: files beside it, those of -I; and macros */
    AUTO_COPY_INCLUDED,
    AUTO_COPY_SOURCES, /* the named files only: the flags say where the rest is */
    AUTO_COPYINGS
};

struct auto_reproduction {
    const struct target_source *source;
    enum auto_copying copying;
    const char *test;
    const char *summary; /* a clause: what is wrong */
    const char *command; /* that fails the same way, in this folder */
};

/* The flags that the file is built with; free them and the list. */
struct auto_flags {
    VEC(char *) list;
};
struct auto_flags auto_flags_for(const struct target_source *source, enum auto_copying copying);
void auto_flags_free(struct auto_flags *flags);

/* False: *why says why. */
bool auto_reproduce(const char *path, const struct auto_reproduction *r, struct diagnostic *why);

#endif
