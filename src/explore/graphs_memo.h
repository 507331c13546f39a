/* SPDX-License-Identifier: Apache-2.0 */
/* Memoised steps. What a thread does next depends on what it has found. While threads share nothing but atomic variables that
 * is what its events found: then what each did is kept, and an execution that consists of such steps need not be run. */
#ifndef EXPLORE_GRAPHS_MEMO_H
#define EXPLORE_GRAPHS_MEMO_H

#include "explore/port.h"

#include <stddef.h>

/* The runner says that threads share nothing else, or no longer. */
void explore_graphs_set_memo(struct explorer *e, bool remember);
bool explore_graphs_fills_memo(const struct explorer *e);  /* is `state` of use in this execution? */
size_t explore_graphs_memo_size(const struct explorer *e); /* how many steps */
/* After `begin`: goes on with memoised steps. True: to the end, and nothing is to be run; false: run it as ever. */
bool explore_graphs_run_memo(struct explorer *e, uint64_t steps_max, enum port_outcome *outcome);
uint32_t explore_graphs_left_out(const struct explorer *e); /* steps in the end that are not in its graph */

/* --- threads that share plain memory, too ----------------------------------------------------------- */

/* What a thread did between two of its steps with eight bytes that others may know, or a block that it allocated. */
struct graphs_touch {
    /* Of the first of the bytes, a multiple of eight; of a block: its address */
    uint64_t address;
    /* what was there before the thread's first access to each byte, and in the end */
    uint64_t before, after;
    uint32_t block;                 /* its size; 0: accesses */
    uint8_t touched, read, written; /* bits: bytes; all that are touched were read or written */
};

enum { GRAPHS_TOUCHES = 24, GRAPHS_BLOCK_MOST = 1024 };
struct graphs_stretch {
    uint32_t count;
    bool is_cut; /* there was more */
    struct graphs_touch touches[GRAPHS_TOUCHES];
};

/* From the next execution on, steps are remembered together with what came before them in these stretches, by thread. The
 * runner fills one in until its thread arrives at its next step, and empties it when that is taken. */
void explore_graphs_remember_memory(struct explorer *e, const struct graphs_stretch *of_threads);
/* Was the byte ever written in a stretch? */
bool explore_graphs_wrote(const struct explorer *e, uint64_t address);

void explore_graphs_again(struct explorer *e); /* the running execution begins once more */

#endif
