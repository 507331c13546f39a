/* SPDX-License-Identifier: Apache-2.0 */
/* --sandbox: what a program under test may not do to the world, by a filter of system calls that it and its children never lose:
 * write, make, remove or change files; open sockets; signal or look into other processes. SECURITY.md tells users. */
#ifndef TARGET_SANDBOX_H
#define TARGET_SANDBOX_H

#include "base/diagnostic.h"

#include <stdbool.h>

/* From now on every program that is launched is confined. False: this system cannot do that. */
bool sandbox_begin(struct diagnostic *why);

/* In the child, between fork and exec. False, with errno: it is not confined, and must not run. */
bool sandbox_enter(void);

#endif
