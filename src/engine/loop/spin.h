/* SPDX-License-Identifier: Apache-2.0 */
/* Loops that only wait. A thread that comes back to the same atomic read with the same registers and the
 * same stack, having changed nothing in between, will do so again until something it read has another
 * value: it need not run before that. Private to the engine; docs/internals/engine/engine.md has the argument.
 *
 * The search for such a loop is Brent's: one read is marked and compared with the later ones; the mark
 * moves on after 1, 2, 4, ... reads. Registers and stack are looked at only when the marked place reads
 * the marked location again. */
#ifndef ENGINE_SPIN_H
#define ENGINE_SPIN_H

#include "base/vec.h"
#include "explore/port.h"

#include <stdbool.h>
#include <stdint.h>

/* Explorers of graphs mark no place (rounds.h): registers are kept at every call of a thread, unless this is its mark_pc. */
enum { SPIN_UNWATCHED = 1 };

enum { SPIN_LOCATIONS = 64, SPIN_OWN_WRITES = 16 };

/* The program's side of a call into the runtime, written by spin_enter: everything a call preserves. */
struct spin_entry {
    uint64_t pc, sp; /* where the call returns to, and the stack pointer there */
#if defined(__x86_64__)
    uint64_t registers[7]; /* rbx rbp r12 r13 r14 r15, the floating-point modes */
    /* Inline assembly: hash of the registers that no call preserves and that matter; else 0 */
    uint64_t others;
    /* Some of these may hold what hooks left there: not the same in every execution */
    uint64_t unsure;
#else
    uint64_t registers[19]; /* x19 to x29, d8 to d15 */
#endif
};

/* Something that was read in a round, and what was found. */
struct spin_location {
    uint64_t address, size;
    uint64_t content[2];
};

struct spin_range {
    uint64_t address, size;
};

struct spin {
    union { /* first, then `entry` and `calls`: imports.c and spin_enter.S write them */
        struct {
            uint32_t reads;     /* since the thread changed something */
            uint32_t recording; /* `saved` holds the marked state, `locations` what was read since */
        };
        uint64_t since_effect; /* both at once */
    };
    struct spin_entry entry; /* of the last call from the marked place */
    uint64_t calls;          /* for which it was filled in, so far */
    uint64_t mark_pc, mark_address, mark_value;
    uint32_t next_mark; /* the number of the read that becomes the mark */
    uint32_t tries;
    uint32_t location_count;
    /* Plainly, where it may have been in vain (engine_note_plain_write); no effect yet */
    bool wrote;
    /* Before since_effect was set to watch for the next one (engine_watch_effects) */
    bool had_effect;
    uint32_t last_round; /* so many of the locations belong to the round that led to the wait */
    struct spin_location locations[SPIN_LOCATIONS];
    uint32_t own_write_count;
    struct spin_range own_writes[SPIN_OWN_WRITES]; /* what the round wrote on the thread's own stack */
    struct spin_entry saved;
    VEC(char) saved_stack; /* from saved.sp to stack_base */
    uint64_t stack_base;
};

/* The running thread, and its mark_pc; the stack pointer at the last call through a stub, on its return address. */
extern struct spin_watch {
    struct spin *current;
    uint64_t pc;
    uint64_t sp;
    uint64_t frame, caller; /* frame pointer and return address then; x86-64 only */
} spin_watch __attribute__((visibility("hidden")));

/* What a stub does: the program called a function that keeps its frame pointer at `frame`, and then where to return. */
static inline void spin_note_call(const uint64_t *frame)
{
#if defined(__x86_64__)
    spin_watch.frame = frame[0];
    spin_watch.caller = frame[1];
    spin_watch.sp = (uint64_t)(frame + 1);
#else
    (void)frame;
#endif
}

static inline void spin_switch(struct spin *to)
{
    spin_watch.current = to;
    spin_watch.pc = to->mark_pc;
}

/* The thread did something that others, or a later round, can see. */
static inline void spin_effect(struct spin *s)
{
    s->since_effect = 0;
}

/* While recording: an access that may find what other threads wrote, a plain one on the thread's own
 * stack. */
void spin_record(struct spin *s, uint64_t address, uint64_t size);
void spin_record_own(struct spin *s, uint64_t address, uint64_t size, bool writes);

/* The marked place was reached again. True: this thread has to wait. */
bool spin_visit(struct spin *s, uint64_t address, unsigned size, uint64_t value);

/* An access of the running thread that changed nothing. True: this thread has to wait. */
static inline bool spin_read(uint64_t address, unsigned size, uint64_t value, uint64_t pc)
{
    struct spin *s = spin_watch.current;
    uint32_t n = ++s->reads;
    if (__builtin_expect(s->recording, false))
        spin_record(s, address, size);
    if (n > 1 && pc == s->mark_pc && address == s->mark_address)
        return spin_visit(s, address, size, value);
    if (n == 1 || n >= s->next_mark) {
        s->recording = 0;
        spin_watch.pc = s->mark_pc = pc;
        s->mark_address = address;
        s->mark_value = value;
        s->next_mark = 2 * n;
    }
    return false;
}

/* Has something changed that the thread waits for? */
bool spin_is_over(const struct spin *s);

/* The wait is over: the next round begins where it stopped. */
void spin_continue(struct spin *s);

/* Where a thread is at its next step, after a call from the marked place: the step, the registers that a call preserves, and the
 * stack. */
uint64_t spin_hash(const struct spin *s, const struct port_action *step);
uint64_t spin_hash_step(const struct port_action *step); /* the step alone */

/* Called instead of the runtime's functions by a call from the marked place: fills in `entry` of the spin
 * (%r11, x17) and goes on with the function (%r10, x16). */
void spin_enter(void);

#endif
