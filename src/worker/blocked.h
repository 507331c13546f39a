/* SPDX-License-Identifier: Apache-2.0 */
/* Where a process waits that is asleep in the kernel. */
#ifndef WORKER_BLOCKED_H
#define WORKER_BLOCKED_H

#include <stdbool.h>

struct blocked_place {
    char function[96]; /* that the program called; empty: not known */
    char library[64];
    const void *pc; /* in the program, or null */
};

/* Is this code that the compiler instrumented, and not a library's? */
bool blocked_is_program(const void *pc);

/* In the handler of a signal that has interrupted it. */
void blocked_find(struct blocked_place *place);

#endif
