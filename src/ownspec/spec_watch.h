/* SPDX-License-Identifier: Apache-2.0 */
/* A specification of the user's whose every call is noted in memory that another process sees: which of its
 * functions each thread is in. So the process that watches knows where it crashed, and that it does not come back. */
#ifndef OWNSPEC_SPEC_WATCH_H
#define OWNSPEC_SPEC_WATCH_H

#include <plumb/spec.h>

#include <stdatomic.h>

#define SPEC_FUNCTIONS(X) \
    X(init)               \
    X(destroy)            \
    X(clone)              \
    X(hash) X(equal) X(step) X(blocks) X(accept) X(effect_free) X(key) X(valid_initial) X(print) X(footprint)

enum spec_function {
    IN_NONE,
#define X(name) IN_##name,
    SPEC_FUNCTIONS(X)
#undef X
        IN_CONSTRUCTOR, /* while the file is loaded */
};

enum { SPEC_WATCH_THREADS = 128 };

struct spec_watch_thread {
    _Atomic uint32_t function; /* enum spec_function */
    _Atomic uint64_t calls;    /* so far */
};

struct spec_watch {
    _Atomic uint32_t thread_count;
    struct spec_watch_thread threads[SPEC_WATCH_THREADS];
};

/* A specification that does what `spec` does and notes it in `watch`. At most one. */
const struct plumb_spec *spec_watch(const struct plumb_spec *spec, struct spec_watch *watch);

/* What runs the constructors of the file is between the two: before there is anything to watch. */
void spec_watch_begin_loading(struct spec_watch *watch);
void spec_watch_end_loading(void);

const char *spec_watch_name(uint32_t function); /* "step" */

#endif
