/* SPDX-License-Identifier: Apache-2.0 */
/* A harness as the refinement checker sees it (refine/system.h): a state is the number of an image and the names of its items.
 * Private to this folder. */
#ifndef PROVE_SYSTEM_H
#define PROVE_SYSTEM_H

#include "prove/prove_image.h"
#include "refine/system.h"

/* The answer of an operation, as the checker has it. */
struct prove_reply {
    bool is_item, is_number;
    bool is_bad; /* an answer that the operation never gives */
    bool drops;  /* one item less is inside than was counted when it was called */
    /* unless it is an item or bad: REFINE_OK and so on; -1: too large for the checker */
    int32_t number;
};

struct prove_search {
    struct prove_images images;
    uint64_t steps, twins; /* native ones */
    bool has_cut;          /* calls were left out because of the bound on items */
    bool is_unsure;        /* `why` */
    char why[PROVE_MESSAGE];
    volatile int stop; /* what the checker looks at */
    /* States from which nothing returns, which an earlier search has found (prove_hung.h) */
    bool reports_hung;
    bool has_unlike_twin; /* then is_unsure */
    uint64_t restart_at;  /* images: then the search begins again; 0: not needed */
};
extern struct prove_search prove_search __attribute__((visibility("hidden")));

/* The present native state is the first one. Valid until the next. */
const struct refine_system *prove_system_begin(void);

/* Fills in arguments of the call that led there, as the checker does. */
void prove_system_choose(uint8_t *state);

/* After a search: are there states from which no open operation returns? */
bool prove_system_find_hung(void);

/* The form of the first state. */
const struct prove_form *prove_system_first(void);

/* Are its answers numbers of what serial runs answered? */
bool prove_is_numbered(unsigned op);
/* Does it answer values that operations were given? */
bool prove_answers_items(unsigned op);
/* `item` is the number of a native item, if it is one. */
struct prove_reply prove_reply_of(unsigned op, plumb_value value, unsigned *item);

#endif
