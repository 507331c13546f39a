/* SPDX-License-Identifier: Apache-2.0 */
/* What the program under test says about its harness: its parts, its objects with their specifications, its operations. */
#ifndef STRESS_HARNESS_H
#define STRESS_HARNESS_H

#include <plumb.h>
#include <plumb/spec.h>

#include "base/diagnostic.h"
#include "base/memory.h"
#include "base/vec.h"

struct stress_object {
    const char *name;              /* "": the one without name */
    const struct plumb_spec *spec; /* null: it has none */
    const char *spec_text;         /* as it is named, for commands: "semaphore(3)"; "" */
};

struct stress_operation {
    const struct plumb_part *part;
    uint32_t object;
    const struct plumb_operation *specified; /* what the specification says of it; null: it has none */
};

/* Operations are in the order of the list, which is that of records. */
struct stress_harness {
    struct arena arena; /* texts and parts */
    VEC(const struct plumb_part *) parts;
    VEC(struct stress_operation) operations;
    VEC(struct stress_object) objects;
};

/* Reads the list that a program made, and finds the specifications; `spec`: that of --spec, or null. False: *d says what is
 * wrong with the harness. The list may be anything. */
bool stress_harness_read(struct stress_harness *h, const char *list, size_t size, const char *spec,
                         struct diagnostic *d);
void stress_harness_free(struct stress_harness *h);

/* "enq" or "q1.enq". */
const char *stress_operation_name(struct stress_harness *h, uint32_t operation);

/* Has any object a specification? Have all? */
bool stress_harness_is_judged(const struct stress_harness *h);
bool stress_harness_is_judged_wholly(const struct stress_harness *h);

#endif
