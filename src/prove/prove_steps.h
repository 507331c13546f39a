/* SPDX-License-Identifier: Apache-2.0 */
/* A native step from the state that is being expanded, and its twin. Private to this folder. */
#ifndef PROVE_STEPS_H
#define PROVE_STEPS_H

#include "prove/prove_system.h"

/* CALLED and RETURNING are on the way: nothing else can happen there. So a call is as late and a return as early as can be, which
 * leaves the fewest orders to explain a history. */
enum phase { BETWEEN, CALLED, RETURNING };

enum { VECTOR_ITEMS = 64 };

struct vector {
    uint32_t image;
    uint8_t phase, thread, op;
    uint8_t inside; /* additions called, less removals returned */
    int32_t number; /* RETURNING: the answer, unless it is an item */
    uint8_t is_item, is_number, is_bad, drops;
    uint8_t args[REFINE_ARGS_MAX];    /* CALLED: arguments; RETURNING: the item */
    uint8_t holds[PROVE_THREADS_MAX]; /* what each thread has acquired: a bit for each pair of operations */
    uint8_t items[VECTOR_ITEMS];      /* the checker's names of the image's items 1, 2, ... */
};

/* The state that is being expanded. */
extern struct prove_from {
    struct vector vector;
    struct prove_form form, twin;
    struct prove_names twin_names;
    unsigned items;
    uint32_t blocks; /* when the twin was made */
    bool has_twin;
    const struct prove_dialect *dialect; /* of the twin */
} prove_from __attribute__((visibility("hidden")));

/* One of the ways in which a thread goes on. */
struct way {
    unsigned thread, choice; /* choice 0: no block is used again */
    unsigned choices;        /* found out: how many there are */
    uint32_t reused;         /* the block of that choice */
    uint32_t woken;          /* the thread that a signal wakes; UINT32_MAX: none */
    uint32_t stores;         /* found out: in its buffer */
    bool drains;             /* instead: a store of its buffer reaches memory */
    bool is_waiting;         /* for a signal: it is woken for no reason */
};

/* What a native step came to, in names that do not depend on the dialect. */
struct arrival {
    enum prove_outcome outcome;
    bool has_returned;
    struct prove_reply reply;
    unsigned item; /* of the answer: an item of `from`, or the one after them, the argument */
    struct prove_form form;
    uint32_t image;           /* which is that form */
    struct prove_names names; /* `old` are items of `from` */
};

/* There is no *holds* from now on. */
void prove_be_unsure(const char *why);

/* The state becomes the present one. */
void prove_load(void);
struct prove_result prove_run_way(struct way *w);
void prove_arrive(struct arrival *a, struct prove_result r, unsigned op);
/* The same with other names: unsure if that leads elsewhere. */
void prove_compare_twin(const struct arrival *a, struct way *w, unsigned op);
/* Calls the operation with some arguments, up to its first step. */
struct prove_result prove_begin_call(unsigned thread, unsigned op, const uint8_t *args);

#endif
