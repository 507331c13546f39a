/* SPDX-License-Identifier: Apache-2.0 */
/* Operations that are only for a thread that has called another one before: a lock is released by its holder. */
#ifndef SPEC_HOLDING_H
#define SPEC_HOLDING_H

#include <stdint.h>

/* 1: the operation of the built-in specification makes its thread a holder, -1: only a holder may call it, 0: neither, as far as is
 * known before it answers. `part`: of what, if there are several such pairs. */
int spec_holding(const char *spec, const char *operation, uint32_t *part);

#endif
