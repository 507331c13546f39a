/* SPDX-License-Identifier: Apache-2.0 */
/* A model that is one process, as a sequential object: an operation is its call, everything up to the return, and the
 * return. Private to this folder. */
#ifndef REFINE_MODEL_RUN_H
#define REFINE_MODEL_RUN_H

#include <plumb/spec.h>

#include "refine/intern.h"
#include "refine/system.h"

/* What is seen in the calls of a model. */
struct model_calls {
    uint8_t arg_counts[UINT8_MAX + 1]; /* of each operation */
    bool only_items;                   /* the model never looks into arguments */
};

void model_look(const struct refine_system *s, struct model_calls *calls);

/* All ways in which an operation can end that starts in `state`, between two operations. */
struct model_run {
    const struct refine_system *system;
    const uint8_t *state;
    uint8_t op;
    int32_t args[REFINE_ARGS_MAX];
    const char *problem; /* found: why not all ends are known; null: they are */
    struct intern ends;  /* found: the answer (an int32_t), then the state */
};

void model_run(struct model_run *r);

/* A model that is one process, as a specification like the built-in ones. */

/* The system stays in use. */
struct plumb_spec *model_spec_new(const struct refine_system *s);
/* Why answers of the specification could not be trusted: its model is wrong, or too large. Null: they could. */
const char *model_spec_problem(const struct plumb_spec *spec);

void model_spec_free(struct plumb_spec *spec);

#endif
