/* SPDX-License-Identifier: Apache-2.0 */
/* Words that grow without end, by assumption: counters of which only differences matter, and words of which nothing matters. Private to this folder. */
#ifndef PROVE_COUNTERS_H
#define PROVE_COUNTERS_H

#include "prove/prove.h"

/* How counters of a state become those of a form. */
struct prove_shift {
    bool is_on;
    const struct prove_dialect *from, *to;
    int64_t least; /* of the group, from where counters begin */
    int64_t down;  /* by so much all are shifted: a multiple of the step */
};

/* Counters begin where no other number is; what is forgotten is zero. Before variables are kept as they are at first. */
void prove_counters_begin(void);
/* The other way round, for a run. */
void prove_counters_restore(void);
/* All counters are so much further. */
void prove_counters_add(uint64_t difference);
/* How far they can go without an overflow, and where the search has them: a multiple of the step. */
uint64_t prove_counters_most(void);
uint64_t prove_counters_far(void);
/* Has the line such words? */
bool prove_counters_are_in(uint64_t address, uint64_t size);

struct prove_shift prove_counters_look(const struct prove_dialect *from, const struct prove_dialect *to);
/* The word with the counters that it has shifted. */
uint64_t prove_counters_shift(const struct prove_shift *s, uint64_t word);
/* Words of the line at `address` that are forgotten become `dead`. */
void prove_counters_forget(uint64_t address, uint64_t *words, unsigned count, uint64_t dead);

uint32_t prove_counters_step(void);
/* Twins differ: a larger step, for the next search. False: there is none, or the user has chosen one. */
bool prove_counters_step_more(void);
/* Back to the first one. */
void prove_counters_step_least(void);

/* ---- prove_walks.c ---- */

struct prove_form;
/* The assumption, tried from the first state on, where counters are what they are: runs with all of them further by multiples of the step have to
 * be the same. `start` is that state. False: some run is another one, and prove.problem says so. */
bool prove_walks_agree(const struct prove_form *start);

/* ---- prove_items.c ---- */

/* The same of runs with other items than those of the search, and with blocks elsewhere. Numbers that are treated otherwise, each alone, and that items are
 * compared with each other, are noted in prove.shared. */
bool prove_items_agree(const struct prove_form *start);

#endif
