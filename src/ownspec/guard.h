/* SPDX-License-Identifier: Apache-2.0 */
/* Work with a specification from a C file. It is the user's code: it may crash, or not come back. So all of the work is
 * done by a child, which compiles the file, loads it and tries its laws first; the parent only watches. */
#ifndef OWNSPEC_GUARD_H
#define OWNSPEC_GUARD_H

#include "base/diagnostic.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Does `--spec spec` name a C file? Null does not. */
bool guard_is_file(const char *spec);

struct guard_task {
    const char *spec; /* the C file, as the user wrote it */
    double time;      /* --time; 0: no limit */
    /* In the child, which loads the specification itself. The answer is its exit status. */
    int (*run)(void *context);
    void *context;
};

enum guard_ending {
    GUARD_FINISHED, /* `run` returned */
    GUARD_EXITED,   /* something called exit before that */
    /* A function of the specification had not returned at the end of the time */
    GUARD_TIMED_OUT,
    GUARD_FAILED, /* it crashed, or does not come back */
};

struct guard_outcome {
    enum guard_ending ending;
    int status;            /* GUARD_FINISHED, GUARD_EXITED: the child's */
    const char *function;  /* of the specification, in which the child ended; null: in none */
    struct diagnostic why; /* GUARD_EXITED, GUARD_TIMED_OUT, GUARD_FAILED */
    /* Of guard_begin. */
    char input[256];
    uint64_t behind;
    int status_before;
};

/* Runs `task->run` in a child. False: *d says why there is none. What `run` changes in memory is lost. */
bool guard_run(const struct guard_task *task, struct guard_outcome *o, struct diagnostic *d);

/* Builds the C file, adds its specification (spec/registry.h) and tries the laws, in this process. False: *d says what is
 * wrong. */
bool guard_load(const char *spec, struct diagnostic *d);

/* For `run`: from now on it is about this input, and has so many seconds (0: no limit). `behind` others follow, and those
 * before came to `status`: the outcome has it, too, if the child does not get any further. */
void guard_begin(const char *input, double seconds, size_t behind, int status);

/* For `run`: what the C file was compiled to; null when there is none. */
const char *guard_library(void);

#endif
