/* SPDX-License-Identifier: Apache-2.0 */
/* The live state of a thread at its steps (port_action.live), for rounds of loops that others can see: docs/internals/explore/loops.md.
 * Wanted only where the configuration has `returns`. */
#ifndef ENGINE_LIVE_H
#define ENGINE_LIVE_H

#include "engine/loop/spin.h"
#include "engine/loop/undo.h"
#include "explore/port.h"

extern bool live_wanted __attribute__((visibility("hidden")));

/* Executions that are to be the same in every step begin with the same stacks, too: whether a thread has come back to where it was, and
 * waits, may depend on words that nothing was written to. */
extern bool live_compared __attribute__((visibility("hidden")));

/* Counts what a thread changed for good and no step shows: states before and after it are different ones. */
struct live {
    uint64_t changes;
    /* what a function of the library still knows that its steps do not show (engine_note_inside) */
    uint64_t inside;
    uint64_t modes; /* of floating-point arithmetic, with its flags, when it last stopped */
    /* its state at one of the sleeps and yields that were its last steps, 0: at none; and how many came after the first */
    uint64_t asleep, sleeps;
};

/* Threads share the processor's, so each one's are kept for it: the other's are no part of what it does, nor of its state. */
static inline uint64_t live_modes(void)
{
#if defined(__x86_64__)
    uint16_t word;
    __asm__ volatile("fnstcw %0" : "=m"(word));
    return __builtin_ia32_stmxcsr() | (uint64_t)word << 32;
#else
    return 0;
#endif
}

static inline void live_set_modes(uint64_t modes)
{
#if defined(__x86_64__)
    uint64_t now = live_modes();
    uint16_t word = (uint16_t)(modes >> 32);
    if ((uint32_t)modes != (uint32_t)now)
        __builtin_ia32_ldmxcsr((uint32_t)modes);
    if (word != now >> 32)
        __asm__ volatile("fldcw %0" ::"m"(word));
#else
    (void)modes;
#endif
}

/* Those of the thread that ran last: the processor's, when another one goes on. */
extern uint64_t live_left __attribute__((visibility("hidden")));

/* A thread begins: the first one with the modes of the program's start, others with those of the one that creates them. */
void live_begin(struct live *l, const struct spin *s, bool is_first);

/* Where it is when it arrives at a step by a call that returns to pc. 0: not known, the program's own code did not make it. */
uint64_t live_state(const struct live *l, const struct spin *s, const struct undo *u,
                    const struct port_action *step, uint64_t pc);

/* Words of frames that nothing was written to hold what was on the stack before: what earlier executions left there, or the
 * runtime itself, which does not do the same when steps are repeated. A state is to depend on what the thread did alone, so both are
 * wiped: before it starts, and what lies below the caller when the thread goes on. */
void live_clean_below(const struct spin *s);

#endif
