/* SPDX-License-Identifier: Apache-2.0 */
/* The stacks of the threads of a running process, taken from outside: of one that crashed or hangs. */
#ifndef TARGET_STACKS_H
#define TARGET_STACKS_H

#include "base/diagnostic.h"
#include "base/vec.h"
#include "target/symbols/symbols.h"

#include <sys/types.h>

enum { TARGET_FRAMES_MOST = 64 };

struct target_stack {
    pid_t tid;
    uint32_t count;
    /* As symbols_line wants them, the innermost first. Of a thread in the handler of a signal: from where the signal came */
    uint64_t pcs[TARGET_FRAMES_MOST];
};

struct target_stacks {
    VEC(struct target_stack) threads;
    struct symbols *symbols; /* of the process's files */
};

/* Stops the threads of `pid`, a child of ours, for as long as it takes. False: *why says why; what could be taken is there. */
bool target_stacks_take(struct target_stacks *stacks, pid_t pid, struct diagnostic *why);
void target_stacks_free(struct target_stacks *stacks);

/* Of thread `tid`; null: unknown. */
const struct target_stack *target_stacks_of(const struct target_stacks *stacks, pid_t tid);

/* "push at queue.c:12", an inlined function too, for each frame whose place in the source is known and that is not in a header of a
 * library; if there is none, whatever is known. Appends owned strings. */
typedef VEC(char *) target_frames;
void target_stacks_describe(const struct target_stacks *stacks, const struct target_stack *stack,
                            target_frames *out);

#endif
