/* SPDX-License-Identifier: Apache-2.0 */
/* All final states of a litmus test, and its answer in the words of herd7. */
#ifndef LITMUS_OUTCOMES_H
#define LITMUS_OUTCOMES_H

#include "base/budget.h"
#include "graph/model.h"
#include "litmus/litmus.h"

struct outcomes {
    const struct litmus_test *test;
    size_t width;                /* values of a state: what is printed of the observed places */
    VEC(int64_t) states;         /* all different, ascending, one after the other */
    uint64_t positive, negative; /* executions whose final state satisfies the proposition, or does not */
    uint64_t filtered;           /* executions that the filter leaves out */
    uint64_t blocked;            /* executions in which a wait found a value that leads nowhere */
    uint64_t stuck;              /* executions in which a thread waits forever; they have no final state */
    uint64_t races;              /* executions with a data race: the test means nothing then */
    struct litmus_place race;    /* the location of the first */
    const char *limit;           /* what kept executions from being looked at; null: nothing */
};

/* Explores every execution. Data races are judged by the memory orders as written, in sc with every atomic
 * operation as seq_cst; tso, a model of machines, has none. */
void outcomes_explore(struct outcomes *o, const struct litmus_test *t, const struct memory_model *model,
                      struct budget *budget);
void outcomes_free(struct outcomes *o);

size_t outcomes_count(const struct outcomes *o);

/* Whether the condition, quantifier included, is true of the executions looked at. */
bool outcomes_ok(const struct outcomes *o);

/* Whether executions that were not looked at could change that. */
bool outcomes_are_open(const struct outcomes *o);

/* Whether the behaviour of the test is undefined. */
bool outcomes_are_undefined(const struct outcomes *o);

const char *outcomes_observation(const struct outcomes *o); /* Sometimes, Never, Always */

void outcomes_print(struct text *out, const struct outcomes *o);

#endif
