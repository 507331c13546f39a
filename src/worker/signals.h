/* SPDX-License-Identifier: Apache-2.0 */
/* Crashes and endless loops of the program under test, turned into errors. */
#ifndef WORKER_SIGNALS_H
#define WORKER_SIGNALS_H

#include "engine/shared/protocol.h"

#include <stdbool.h>
#include <stdint.h>
#include <ucontext.h>

void signals_install(struct worker_shared *shared);

/* Where a process waits that is asleep in the kernel. */

struct blocked_place {
    char function[96]; /* that the program called; empty: not known */
    char library[64];
    const void *pc; /* in the program, or null */
};

/* Is this code that the compiler instrumented, and not a library's? */
bool blocked_is_program(const void *pc);

/* In the handler of a signal that has interrupted it. */
void blocked_find(struct blocked_place *place);

/* Does a thread that computes without a visible step do so forever? No other thread runs meanwhile: what it does
 * next depends on its registers, its stack and memory alone. When it is in the same state a second time it will
 * be so again and again. To see that, its instructions are run one by one for a while.
 * docs/internals/engine/engine.md has the argument. Only on x86-64: elsewhere the answer is never known. */

enum endless_answer {
    ENDLESS_SEARCHING,
    ENDLESS_UNKNOWN, /* it changed something, or no state came again: the search is over */
    ENDLESS_AGAIN,   /* the state came again */
    ENDLESS_NO_EXIT, /* whatever the state is, no instruction of the loop leads out of it */
};

/* Starts a search at the interrupted instruction: from now on each one, up to so many, ends in a SIGTRAP. */
void endless_begin(ucontext_t *context, uint32_t instructions);
bool endless_is_searching(void);

/* To be called at each SIGTRAP. */
enum endless_answer endless_step(ucontext_t *context);

/* The same for an instruction of a hook's own, which is no part of a round. False: it is not in a hook, or there were enough. */
bool endless_skip(void);

/* Gives the search up. */
void endless_stop(ucontext_t *context);

/* Instructions of one round. */
uint32_t endless_period(void);
/* An instruction of the loop, the same one in every run. */
const void *endless_place(void);
bool endless_reads(void); /* memory, in a round, plainly */

#endif
