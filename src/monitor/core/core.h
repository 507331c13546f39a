/* SPDX-License-Identifier: Apache-2.0 */
/* Cores: the smallest part of a history that already has no legal order.
 *
 * Only deletions that cannot turn a legal history into an illegal one are tried, so a violated core implies a
 * violated history: single operations that change no state; for containers, all operations on one value;
 * for registers, all operations on one written value. The result is minimal under these
 * (docs/internals/cores.md). */
#ifndef MONITOR_CORE_H
#define MONITOR_CORE_H

#include "monitor/deciders.h"

/* Shrinks the violated part `*p` in place (it is replaced by a restriction of it and must be freed). `fast` decides
 * candidates where it can, the general search elsewhere. `initial`: the part starts from this state (may be null);
 * then only reads and, of a register, writes are deleted. Returns whether the result is known to be minimal: work is bounded
 * on very large cores. */
bool core_minimise(struct part *p, const void *initial, decider *fast, struct budget *budget);

#endif
