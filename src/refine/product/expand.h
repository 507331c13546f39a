/* SPDX-License-Identifier: Apache-2.0 */
/* The steps from a state, with every choice of arguments, each with the state it leads to in its one form and with what
 * it means to the explanations. Private to this folder. */
#ifndef REFINE_EXPAND_H
#define REFINE_EXPAND_H

#include "refine/product/canon.h"
#include "refine/product/explanations.h"
#include "refine/refine.h"

struct successor {
    uint32_t node; /* the one that was expanded */
    uint16_t step, choice;
    uint8_t outcome; /* enum successor_outcome */
    bool is_quiet;   /* the explanations stay as they are */
    bool is_alone;   /* a local step that went first, and others were left out */
    struct action action;
};

enum successor_outcome {
    SUCCESSOR_STATE,
    SUCCESSOR_FAULT,
    SUCCESSOR_STUCK,      /* an error if the operation may not wait: asked later, of the explanations */
    SUCCESSOR_DEADLOCK,   /* not a step: there is none */
    SUCCESSOR_MANY,       /* not a step: there are more than successor.step can number */
    SUCCESSOR_BAD_ANSWER, /* that the operation never gives */
    /* A call with an operation open, or a return without: found later, by the explanations */
    SUCCESSOR_BAD_ORDER,
    SUCCESSOR_LONG,     /* a step that has no end that we see */
    SUCCESSOR_NUMBER,   /* an answer that is too large for us */
    SUCCESSOR_ARGUMENT, /* arguments that are too many, too few, or cannot be named */
    SUCCESSOR_NAMES,    /* more items than names */
};

/* What all expanders share. */
struct expand_settings {
    const struct refine_system *system;
    const struct canon *canon;
    struct machine *machine;
    const uint8_t *op_of;      /* the machine's number of each operation of the system */
    const uint8_t *arg_counts; /* of the machine's operations */
    uint32_t free_values;      /* 0: items are new */
    bool use_points, reduces, deadlock;
    bool full_is_free; /* additions may always answer "full" */
};

struct expander {
    const struct expand_settings *settings;
    struct refine_steps steps;
    uint8_t *scratch;
    VEC(struct successor) successors;
    VEC(uint8_t) states; /* of each successor */
};

void expander_init(struct expander *x, const struct expand_settings *settings);
void expander_free(struct expander *x);
void expander_clear(struct expander *x);

/* BY_RANK: where new items can be among those of a set: the system's number of items below each gap. */
struct expand_gaps {
    unsigned count;
    uint8_t below[RENAMING_ITEMS_MAX + 2];
};

/* Appends. `gaps` is null unless items are named by rank. */
void expand_node(struct expander *x, uint32_t node, const uint8_t *state, const struct expand_gaps *gaps);

/* A single one of them, appended; then `names` says how the state was renamed, and the state before that is `raw`. */
void expand_one(struct expander *x, const uint8_t *state, const struct expand_gaps *gaps, uint16_t step,
                uint16_t choice, struct canon_names *names, uint8_t *raw, int32_t *args);

#endif
