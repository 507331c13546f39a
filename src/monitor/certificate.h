/* SPDX-License-Identifier: Apache-2.0 */
/* The certificate checker: the last word before "holds". It shares no code
 * with the algorithms, knows nothing of ranks, and works on raw stamps. */
#ifndef MONITOR_CERTIFICATE_H
#define MONITOR_CERTIFICATE_H

#include <plumb/spec.h>

#include "history/history.h"

/* Scratch memory for checks on one history. */
struct certificate;

struct certificate *certificate_create(const struct history *h);
void certificate_destroy(struct certificate *c);

/* Is `order` (indices into the history) a legal sequence of the specification that contains each completed
 * operation of `members` exactly once, pending ones at most once and nothing else, and respects real-time
 * and program order? Null on success, else what is wrong (static text). `members` null: all operations.
 * Costs time in proportion to the members, not to the history. */
const char *certificate_check(struct certificate *c, const struct plumb_spec *spec,
                              const struct plumb_spec_options *options, const uint32_t *members,
                              size_t member_count, const uint32_t *order, size_t order_count);

/* The same without a specification: are these the operations, in an order that agrees with time? */
const char *certificate_check_order(struct certificate *c, const uint32_t *members, size_t member_count,
                                    const uint32_t *order, size_t order_count);

#endif
