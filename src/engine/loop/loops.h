/* SPDX-License-Identifier: Apache-2.0 */
/* Loops of which no end is in sight, in explorations of graphs: how often threads come to the same step of the program (a place, by return
 * address) in one execution. An execution that is much longer than the first, because a thread comes to a place much more often, is
 * suspected (config.suspects): the tool then begins again with a bound (config.loops). docs/internals/explore/loops.md has the whole. */
#ifndef ENGINE_LOOPS_H
#define ENGINE_LOOPS_H

#include <stdbool.h>
#include <stdint.h>

struct worker_round;

struct loops_watch {
    bool bounds;    /* visits are counted, and there is a bound on them */
    uint32_t floor; /* an execution with at most so many steps left is looked at */
};

extern struct loops_watch loops_watch __attribute__((visibility("hidden")));

/* The explorer is one of graphs. */
void loops_prepare(void);
void loops_reset(void); /* a new execution */

/* With `bounds`: the current thread has come to its next step. True: for the last time, it goes no further. */
bool loops_met_bound(void);
/* ... it repeats a step, which met no bound before. */
void loops_note_repeated(uint64_t pc);

/* The execution is long: does not return if it ends here. */
void loops_look(void);
/* The execution is cut at the step limit: of the first such one, where a thread came most often. */
void loops_note_cut(void);
/* It cannot go on: the explorer keeps no longer ones. Ends it if a loop is to blame, with the suspicion or silently. */
void loops_blame(void);

/* The execution between these is the first one: nothing is suspected but that it has no end. */
void loops_begin_first(void);
void loops_end_first(void);
bool loops_is_first(void); /* does it run? */

/* The thread is held where it is, in the running execution; GRAPH_NONE: none is. */
void loops_see_held(uint32_t thread);
/* The execution that has ended is the first for which it is not known that this does not matter. */
void loops_note_held(void);

/* The places that the thread has come to since it was last where it is, as far as its events are kept. None: it was not there before. */
void loops_find_round(uint32_t thread, struct worker_round *out);

/* Samples of an estimate are cut where executions would be suspected, and nothing is said. */
void loops_sample(bool samples);

/* An execution of so many steps, which was not run, is longer than is usual. */
bool loops_is_long(uint64_t steps);

#endif
