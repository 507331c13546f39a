/* SPDX-License-Identifier: Apache-2.0 */
/* Atomic instructions that are not announced. */
#ifndef TARGET_ASSEMBLY_H
#define TARGET_ASSEMBLY_H

#include "target/code/foreign.h"

/* In a program built by plumb-cc every atomic access of C and C++ is a call, and inline assembly is marked and run by the
 * runtime. What is left was assembled by others: "lock xadd in push (ring.s:12) and 2 more", to be freed; null: nothing is
 * left. Asks objdump, which every compiler's installation has; when it cannot say, that is reported instead: nothing may go
 * unseen. Functions without any hook, which plumb-cc did not compile, are added to `foreign`, to be freed. */
char *assembly_find_unseen(const char *path, struct foreign *foreign);

#endif
