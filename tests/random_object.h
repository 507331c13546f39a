/* SPDX-License-Identifier: Apache-2.0 */
/* Systems whose operations are one step between their call and their return: a table says what an operation does to the
 * contents of a container, and what it answers. Containers that are right or relaxed, with a few entries of the table
 * changed at random. */
#ifndef TESTS_RANDOM_OBJECT_H
#define TESTS_RANDOM_OBJECT_H

#include "explore/prng.h"
#include "refine/system.h"

enum { OBJECT_VALUES = 3, OBJECT_ITEMS = 3, OBJECT_CONTENTS = 40, OBJECT_OUTCOMES = 4 };

struct object_outcome {
    uint8_t next, result;
};

struct object_entry {
    uint32_t count;
    struct object_outcome outcomes[OBJECT_OUTCOMES];
};

struct object_contents {
    uint8_t count, items[OBJECT_ITEMS];
};

struct random_object {
    struct refine_system system;
    struct refine_location args[REFINE_THREADS_MAX];
    uint32_t offsets[REFINE_THREADS_MAX];
    const char *ops[2]; /* the addition, the removal */
    const char *spec;
    uint32_t values, capacity;
    uint32_t contents_count;
    struct object_contents contents[OBJECT_CONTENTS];
    struct object_entry add[OBJECT_CONTENTS][OBJECT_VALUES + 1], remove[OBJECT_CONTENTS];
};

/* `spec`: queue, stack or pqueue. */
void random_object_make(struct random_object *o, const char *spec, uint32_t threads, uint32_t values,
                        uint32_t capacity, struct prng *random);

#endif
