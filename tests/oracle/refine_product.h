/* SPDX-License-Identifier: Apache-2.0 */
/* Refinement decided for good, for small systems with arguments from a small range: beside each state of the system the set of
 * everything that the relaxed specification can have done. The plainest way there is: sets of structures, compared byte by
 * byte; no reduction of any kind. For queues, stacks and priority queues whose removals may be relaxed (reading CC). */
#ifndef TESTS_ORACLE_REFINE_PRODUCT_H
#define TESTS_ORACLE_REFINE_PRODUCT_H

#include "oracle/refine_oracle.h"

struct refine_product_answer {
    bool violated;
    bool gave_up;   /* more pairs than `most`, or a specification that outgrew its structure */
    uint32_t steps; /* of a shortest wrong run */
    uint64_t pairs;
};

/* Uses of the question: system, spec, quasi (of the removal alone), capacity, full, free_values; `most` limits pairs. */
struct refine_product_answer refine_product(const struct refine_oracle_question *q);

#endif
