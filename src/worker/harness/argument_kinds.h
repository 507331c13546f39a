/* SPDX-License-Identifier: Apache-2.0 */
/* What the arguments of an operation are for, so that calls of generated tests meet: two calls with different keys
 * have nothing to do with each other, and two elements with the same value cannot be distinguished. */
#ifndef WORKER_ARGUMENT_KINDS_H
#define WORKER_ARGUMENT_KINDS_H

#include <plumb.h>

enum argument_kind {
    ARGUMENT_KEY = 'k',      /* few different ones: calls should meet */
    ARGUMENT_SOME_KEY = 'a', /* perhaps one */
    ARGUMENT_INDEX = 'i',    /* the same, from 0 */
    ARGUMENT_FRESH = 'v',    /* an element: each has its own */
    ARGUMENT_PRIORITY = 'p', /* the same, but their order matters: rising or falling */
    ARGUMENT_VALUE = 'x',    /* perhaps an element, perhaps something that should meet others */
    ARGUMENT_OLD = 'o',      /* what is expected, so that it can be there; the next one is ARGUMENT_NEW */
    ARGUMENT_NEW = 'n',
};

/* A letter for each argument. `spec`: the name of a specification, perhaps with an initial value behind it, or empty; those of your
 * own and derived ones are as good as unknown. */
void argument_kinds_of(char kinds[PLUMB_ARGUMENTS_MAX + 1], const struct plumb_part *operation,
                       const char *spec);

#endif
