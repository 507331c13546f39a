/* SPDX-License-Identifier: Apache-2.0 */
/* The certificate checker: the last word before "holds". It shares no code
 * with the algorithms, knows nothing of ranks, and works on raw stamps. */
#ifndef MONITOR_CERTIFICATE_H
#define MONITOR_CERTIFICATE_H

#include <plumb/spec.h>

#include "history/history.h"

/* Is `order` (indices into the history) a legal sequence of the specification that contains each completed
 * operation of `members` exactly once, pending ones at most once and nothing else, and respects real-time
 * and program order? `members` null: all operations. Null on success, else what is wrong (static text). */
const char *certificate_check(const struct history *h, const struct plumb_spec *spec,
                              const struct plumb_spec_options *options, const uint32_t *members,
                              size_t member_count, const uint32_t *order, size_t order_count);

#endif
