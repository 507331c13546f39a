/* SPDX-License-Identifier: Apache-2.0 */
/* A quasi factor, read. */
#ifndef SPEC_QUASI_FACTOR_H
#define SPEC_QUASI_FACTOR_H

#include <plumb/spec.h>

enum { QUASI_CLASSES = 16, QUASI_NO_CLASS = 255, QUASI_FACTOR_MOST = 1000 };

struct quasi_factor {
    uint32_t most[QUASI_CLASSES]; /* places that an operation of the class may be away */
    uint32_t classes;
    bool whole; /* nothing may be appended */
    /* By operation, for answers that are something, and for "empty". */
    uint8_t (*class_of)[2];
};

/* Of a text that was checked. The array is the caller's. */
void quasi_factor_read(struct quasi_factor *f, const char *text, const struct plumb_spec *spec);

#endif
