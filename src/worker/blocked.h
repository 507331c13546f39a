/* SPDX-License-Identifier: Apache-2.0 */
/* Where a process waits that is asleep in the kernel. */
#ifndef WORKER_BLOCKED_H
#define WORKER_BLOCKED_H

struct blocked_place {
    char function[96]; /* that the program called; empty: not known */
    char library[64];
    const void *pc; /* in the program, or null */
};

/* In the handler of a signal that has interrupted it. */
void blocked_find(struct blocked_place *place);

#endif
