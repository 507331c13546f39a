/* SPDX-License-Identifier: Apache-2.0 */
/* Runs from the first state as it really is, and the same ones in a disguise that the program must not see through: counters that are further, items that
 * are other numbers, blocks elsewhere. */
#ifndef PROVE_PROVE_WALK_H
#define PROVE_PROVE_WALK_H

#include "prove/prove_image.h"

enum {
    WALK_STEPS = 160, /* usually */
    WALK_STEPS_MOST = 4000,
    WALK_ITEMS = 320, /* more than a walk is given */
};

enum walk_items {
    ITEMS_COUNTED,   /* n, n + 1, n + 2, ... */
    ITEMS_SEARCHED,  /* those of the search */
    ITEMS_ONE,       /* the same, but the second is n */
    ITEMS_SCATTERED, /* bits of all kinds, from n on */
    ITEMS_THIN,      /* with 3, 4, 5, ... bits, in places that depend on n */
    ITEMS_SHIFTED,   /* 1, 2, 3, ... times 2^n */
    ITEMS_LADDER,    /* `by`, 2 by, 4 by, ... more than n */
    ITEMS_SAME,      /* those of the search, but all are the first, */
    ITEMS_TWO,       /* or the first or the second */
};

struct walk_disguise {
    uint64_t further; /* counters */
    enum walk_items items;
    int64_t n, by;
    bool is_blurred; /* which item is answered does not matter */
    uint64_t blocks; /* new ones are so much further */
};

/* What one walk did, step by step; the program's answers and places are in it, its data is not. */
struct walk {
    uint64_t steps[WALK_STEPS_MOST];
    unsigned count;
    bool has_ended; /* its last step is none from which it goes on */
};

/* Walks with the same number have the same schedule. Steps are not merged. */
void prove_walk(const struct prove_form *start, unsigned number, const struct walk_disguise *d,
                unsigned steps, struct walk *out);
bool prove_walk_is_same(const struct walk *a, const struct walk *b);

/* Items as the search, or ITEMS_SCATTERED, numbers them. */
int64_t prove_searched_item(unsigned item);
int64_t prove_scattered_item(unsigned item);

#endif
