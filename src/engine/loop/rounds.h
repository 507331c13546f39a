/* SPDX-License-Identifier: Apache-2.0 */
/* Loops that only wait, for executions in which an explorer of graphs decides what is read. There the question is
 * asked before every read, not after some rounds: a thread that arrives at a read with the registers, the
 * stack and the step that it had at one of its last reads, having changed nothing since, is where it was then, whatever
 * those reads found. See spin.h for how registers are caught and what counts as a change. With folding, the same is asked
 * about those values that still matter (fold.h). */
#ifndef ENGINE_ROUNDS_H
#define ENGINE_ROUNDS_H

#include "engine/loop/fold.h"
#include "engine/loop/spin.h"
#include "engine/loop/undo.h"
#include "explore/port.h"

enum {
    ROUNDS_KEPT = 64,
    ROUNDS_FOLDED = 8, /* rounds of fewer reads may be folded */
    ROUNDS_STACK_MOST = 1 << 12
};

struct round_mark {
    struct spin_entry entry;
    struct port_action step;  /* its arguments are in registers that no call preserves */
    uint64_t state;           /* hash of it all, if it is wanted */
    struct hash_wide changes; /* of plain memory, since its last effect */
    bool again;               /* it was in this state before */
    /* So many arrivals before this came after plain reads, or writes, of what other threads may know */
    uint32_t looked, changed;
    uint32_t length;                 /* of the stack, from entry.sp to its base */
    uint32_t updates, reads, writes; /* of the thread's fold_watch at that time */
    uint32_t arrival;                /* the number of this one */
    uint64_t call;                   /* of the runtime by the program, that it is part of */
    uint32_t entries;                /* of functions, before it */
    uint64_t highest_end;            /* of its writes to its own stack since then */
    const struct fold_place *place;
};

struct rounds {
    uint32_t next, kept; /* a ring: the newest is before `next` */
    /* Of the last round that folds: the thread's own frames end there, of which it is known what matters */
    uint64_t frames_end;
    bool same;       /* and the thread came back to the same values, it carried none */
    bool patient;    /* the last arrival: nothing but its patience is less than at the one before */
    uint64_t filter; /* a bit for some of the places and locations */
    uint32_t looked, changed;
    struct round_mark marks[ROUNDS_KEPT];
    char stacks[ROUNDS_KEPT][ROUNDS_STACK_MOST];
};

/* The thread that arrives. */
struct rounds_thread {
    struct spin *spin;
    struct fold_watch *fold;
    struct undo *undo;
};

/* Which rounds have to be taken twice before the thread is held. */
enum rounds_twice {
    ROUNDS_ONCE,
    ROUNDS_PLAIN, /* with plain accesses to what other threads may know */
    ROUNDS_LONG,  /* and those of several reads */
};

/* The thread arrives at a read. How many of its last reads were a round that led nowhere; 0: none. `*folds`: only some
 * values that no longer matter are different. */
uint32_t rounds_arrive(struct rounds *r, struct rounds_thread t, const struct port_action *step, uint64_t pc,
                       enum rounds_twice twice, bool *folds);

/* Of a round that only waits: is there a read in it that is not the one by which its loop ends, so that others may race with
 * no other but this? */
bool rounds_may_race(const struct rounds *r, uint32_t round);

/* The thread did something with an effect, or others may know what it wrote. */
void rounds_forget(struct rounds *r, struct undo *u);

/* Were all its reads atomic ones, but for those of its own frame? */
bool rounds_read_atomically(const struct rounds *r, const struct fold_watch *f, uint32_t round);

/* The round, which began at this event of the thread, need not have happened: what it read, knowing of so many events of each
 * thread. A frame of which others cannot know does not count. `only_atomic`: others like it may not be run. */
void rounds_note_reads(const struct rounds *r, const struct fold_watch *f, uint32_t round,
                       struct fold_position at, const uint8_t *known, bool only_atomic);

/* The thread arrives at a step that writes, or has arrived at a read that was no such round. Hash of everything that decides
 * what it does from there on, but for what others share with it, and what the step finds; 0: not known. */
uint64_t rounds_state(struct rounds *r, const struct spin *s, const struct port_action *step, uint64_t pc);

#endif
