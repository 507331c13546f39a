/* SPDX-License-Identifier: Apache-2.0 */
/* Operations of a container that cannot matter any more. docs/internals/streams.md gives the argument. */
#ifndef MONITOR_STREAM_FORGET_H
#define MONITOR_STREAM_FORGET_H

#include "monitor/stream/stream_part.h"

/* Forgets operations of a queue, stack, priority queue or bag, so that whatever comes has a legal order with those that
 * are left exactly if it has one with all. Those that are left may be narrowed to the moments at which they
 * can have acted. They have a legal order, and what is called from now on is called after all returns. Open operations
 * stay. Returns how many were forgotten. */
size_t stream_part_forget(struct stream_part *p, const struct history *names,
                          const struct plumb_spec_options *options);

#endif
