/* SPDX-License-Identifier: Apache-2.0 */
/* The certificate checker of quasi linearizability: the last word before "holds". It shares no code with the algorithms
 * and takes the definition (spec/quasi/spec_quasi.h) word for word. */
#ifndef MONITOR_QUASI_CERTIFICATE_H
#define MONITOR_QUASI_CERTIFICATE_H

#include <plumb/spec.h>

#include "history/history.h"
#include "spec/quasi/spec_quasi.h"

/* Two sequences: p, of which the first `operations` are those of a history in the given order and the rest is appended; and
 * q, which has at place k what p has at place q[k]. Results of pending operations are what they are said to be in p. */
struct quasi_certificate {
    const struct history *history;
    const uint32_t *order; /* indices into the history */
    const struct plumb_call *p;
    const uint32_t *q;
    size_t operations, length;
    bool complete; /* nothing may be appended */
};

/* Null when q shows that p is quasi linearizable, else what is wrong (static text). That p agrees with time and has all
 * operations is checked elsewhere (certificate_check_order). */
const char *quasi_certificate_check(const struct quasi_certificate *c, const struct plumb_spec *base,
                                    const struct plumb_spec_options *options,
                                    const struct quasi_factor *factor);

#endif
