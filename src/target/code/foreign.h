/* SPDX-License-Identifier: Apache-2.0 */
/* What plumb-cc did not compile: assembly, objects and static libraries that were linked into the program. */
#ifndef TARGET_FOREIGN_H
#define TARGET_FOREIGN_H

#include "base/vec.h"

struct foreign {
    /* Every atomic access of C and C++ is a call, and inline assembly is marked and run by the runtime. What is left:
     * "lock xadd in push (ring.s:12) and 2 more", for the caller to free; null: nothing is left. When the code cannot be
     * read, that is said instead: nothing may go unseen. */
    char *atomics;
    /* The first instruction that asks for the time, for random numbers or the system: "rdtsc in read"; null: none */
    char *query;
    VEC(char *) functions; /* that access memory and call no hook (x86-64) */
};

struct foreign foreign_find(const char *path);
void foreign_free(struct foreign *f); /* not `atomics` */

#endif
