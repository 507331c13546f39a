/* SPDX-License-Identifier: Apache-2.0 */
/* What the arguments of operations are for, so that generated calls meet: two calls with different keys have nothing to do with
 * each other, and two elements with the same value cannot be distinguished. */
#ifndef HARNESS_SAMPLE_KINDS_H
#define HARNESS_SAMPLE_KINDS_H

#include <plumb.h>

#include <stdbool.h>
#include <stdint.h>

enum sample_kind {
    SAMPLE_KEY = 'k',      /* few different ones: calls should meet */
    SAMPLE_SOME_KEY = 'a', /* perhaps one */
    SAMPLE_INDEX = 'i',    /* the same, from 0 */
    SAMPLE_FRESH = 'v',    /* an element: each has its own */
    SAMPLE_PRIORITY = 'p', /* the same, but their order matters: rising or falling */
    SAMPLE_VALUE = 'x',    /* perhaps an element, perhaps something that should meet others */
    /* What is expected, so that it can be there; the next one is SAMPLE_NEW */
    SAMPLE_OLD = 'o',
    SAMPLE_NEW = 'n',
};

/* A letter for each argument. `spec`: the name of a specification, perhaps with an initial value behind it, or empty; those of your
 * own and derived ones are as good as unknown, unless they say it (plumb_operation.samples). */
void sample_kinds_find(char kinds[PLUMB_ARGUMENTS_MAX + 1], const struct plumb_part *operation,
                       const char *spec);

/* Does the object hold what is SAMPLE_FRESH, whatever it is? A counter does not. */
bool sample_is_container(const char *spec);

#endif
