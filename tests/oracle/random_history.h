/* SPDX-License-Identifier: Apache-2.0 */
/* Small random histories for differential tests: about half of them linearizable, with ties in time,
 * pending operations, unknown results, repeated and unique values, one or two objects. */
#ifndef TESTS_RANDOM_HISTORY_H
#define TESTS_RANDOM_HISTORY_H

#include "oracle.h"

/* Fills the empty history `h`. The same arguments give the same history. Returns the initial value to
 * use, PLUMB_OK for none. */
plumb_value random_history(struct history *h, const struct oracle_spec *spec, uint64_t seed);

#endif
