/* SPDX-License-Identifier: Apache-2.0 */
/* Native states in their one form: blocks are numbered by the order in which they are reached from globals and threads, and stand one
 * after the other; items have the numbers of the order in which they are met; threads are sorted. Images are kept once, in parts.
 * Private to this folder. */
#ifndef PROVE_IMAGE_H
#define PROVE_IMAGE_H

#include "prove/prove.h"
#include "refine/intern.h"

/* A state as bytes: what all share, then each thread. */
struct prove_form {
    VEC(uint8_t) shared;
    VEC(uint8_t) threads[PROVE_THREADS_MAX];
};
void prove_form_free(struct prove_form *f);

/* How a state was renamed. */
struct prove_names {
    uint8_t place[PROVE_THREADS_MAX];             /* the new place of each thread */
    uint8_t item_count, old[PROVE_ITEMS_MAX + 1]; /* of each new item: what it was */
    uint32_t numbers[PROVE_BLOCKS_MAX];           /* of each block, from 1; 0: it is gone */
    bool is_all_known;                            /* of each frame it is known what matters */
};

struct prove_images {
    struct intern parts, tuples;
};

/* The present state in the order of threads that `names->place` says, for a dialect. PROVE_UNSURE: it has no such form. */
enum prove_outcome prove_form_write(struct prove_form *f, struct prove_names *names,
                                    const struct prove_dialect *to);
/* The same in the one order, and the usual dialect. */
enum prove_outcome prove_form_make(struct prove_form *f, struct prove_names *names);
/* In a run, in which nothing is renamed: which blocks one thread alone can reach, and which none can. Returns as above; `numbers`
 * (one for each block that is left) says their places in the one form. */
enum prove_outcome prove_run_refresh(uint32_t *numbers);
/* The other way round: it becomes the present state. */
void prove_form_read(const struct prove_form *f, const struct prove_dialect *dialect);

/* In twins, too, dead words are zero. */
extern bool prove_dead_is_zero __attribute__((visibility("hidden")));

bool prove_form_equals(const struct prove_form *a, const struct prove_form *b);
/* The present state, which is a twin's, in an order of threads in which it is the same as the step itself, items included: litter may make another one the
 * least, and of threads that look the same any may be the first. False: there is none. */
bool prove_form_find(const struct prove_form *wanted, struct prove_form *f, struct prove_names *names,
                     bool (*has_same_items)(const struct prove_names *names, const void *context),
                     const void *context);
/* Is the form of a twin that of the step itself? */
bool prove_form_is_same(const struct prove_form *form, const struct prove_form *of_twin,
                        const struct prove_dialect *twin);

/* Which threads may change places: those with the same number. */
extern uint32_t prove_role_of[PROVE_THREADS_MAX] __attribute__((visibility("hidden")));

uint32_t prove_images_add(struct prove_images *x, const struct prove_form *f);
void prove_images_get(const struct prove_images *x, uint32_t number, struct prove_form *f);
size_t prove_images_footprint(const struct prove_images *x);
void prove_images_clear(struct prove_images *x);

/* Where a word is, from the start of the program, whose largest value was a new one so often that it may grow without end; 0: there is none. */
uint64_t prove_lines_growing(uint32_t *values);

/* ---- prove_liveness.c ---- */

/* What matters of a thread: dead words of its stack, from sp on, and dead registers are left out of images. */
struct prove_live {
    uint32_t registers;                                  /* a bit for each saved one */
    uint8_t parts[PROVE_STACK_BYTES / PROVE_FRAME_PART]; /* from sp: 1 live */
};
/* False: of some frame that is not known, and all of it counts. */
bool prove_live_find(unsigned thread, struct prove_live *live);

/* Makes lines of globals that never changed part of images from now on; called when the search begins. */
void prove_globals_begin(void);

#endif
