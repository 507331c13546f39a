/* SPDX-License-Identifier: Apache-2.0 */
/* Which values a container holds (PLUMB_VALUES, --values), and which of them are often forgotten: 0, -1, the least one, equal ones. */
#ifndef HARNESS_SAMPLE_VALUES_H
#define HARNESS_SAMPLE_VALUES_H

#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

struct sample_values {
    int64_t least, most;
    bool distinct; /* none is inside twice */
};

/* "1..", "..9", "-3..3", any with ", distinct" behind it; "" is everything. False: it is none of those. */
bool sample_values_parse(struct sample_values *v, const char *text);

/* For an argument of that type (matrix.h), between PROTOCOL_ELEMENT and PROTOCOL_ELEMENT_END: the first of the usual values, how many there
 * are, and the unusual ones, "~" for equal ones: "1:100:0,-1,-2147483648,~". */
void sample_values_add(struct text *out, const struct sample_values *v, char type);

#endif
