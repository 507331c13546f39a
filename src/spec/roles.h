/* SPDX-License-Identifier: Apache-2.0 */
/* Roles of threads: sets are words with a bit for each role. */
#ifndef SPEC_ROLES_H
#define SPEC_ROLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ROLES_MAX = 31 };
#define ROLES_ANY UINT32_MAX /* of an operation that is everybody's */

/* Can each thread have a role out of `allowed[thread]`, with no two in one of the roles `single`? A thread that may have any
 * (ROLES_ANY) needs none. */
bool roles_can_share(const uint32_t *allowed, size_t threads, uint32_t single);

#endif
