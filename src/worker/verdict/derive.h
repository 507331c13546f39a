/* SPDX-License-Identifier: Apache-2.0 */
/* A derived specification: the serial histories of the test, found by running its operations one after the other in
 * every order (Line-Up, phase 1), or read from a file. Operations of objects without a specification are all of
 * one object. */
#ifndef WORKER_DERIVE_H
#define WORKER_DERIVE_H

#include "base/text.h"
#include "engine/shared/protocol.h"
#include "history/history.h"
#include "spec/serial/serial.h"

#include <plumb/spec.h>

struct derivation {
    struct serials serials;
    struct arena names; /* of operations, when they were read from a file */
    /* Index in serials of each operation of the test; SERIAL_NO_THREAD: not of this object */
    VEC(uint32_t) thread_of;
    struct serials whole; /* the same with the operations of all objects, when there are others */
    VEC(uint32_t) thread_of_whole;
    bool is_part;
    VEC(struct serial_step) steps;
};

/* The operations of one serial execution as they returned; `called`: the one that did not, or UINT32_MAX. */
struct derived_execution {
    const uint32_t *returned;
    const plumb_value *results;
    size_t count;
    uint32_t called;
};

/* The test, operation by operation in the order of their numbers. `thread`: its name in serials. */
void derive_begin(struct derivation *d, struct plumb_values *values);
void derive_add_op(struct derivation *d, uint32_t thread, const char *name, plumb_value arg, bool counts);

/* Is there anything to derive? */
bool derive_is_needed(const struct derivation *d);

void derive_execution(struct derivation *d, const struct derived_execution *x);

/* Reads the file instead. False: *why says why not. */
bool derive_read(struct derivation *d, const char *path, struct diagnostic *why);

/* All histories are there: counts, the file that was asked for. False: *why says what is wrong with the file. */
bool derive_end(struct derivation *d, struct worker_shared *shared, struct diagnostic *why);

/* Are there two histories that differ only in what their last operation answered? Then shared->error says so. */
bool derive_find_difference(const struct derivation *d,
                            struct text *out); /* in words; false: there is none */
bool derive_is_nondeterministic(const struct derivation *d, struct worker_shared *shared);

/* False: they would not, if operations of objects with a specification were taken into account: these are no others. */
bool derive_stands_alone(const struct derivation *d);

#endif
