/* SPDX-License-Identifier: Apache-2.0 */
/* Quasi linearizability word for word: every order that the history allows, everything that may be appended to it, and
 * every permutation of that within the distance. Shares nothing with the product but values. */
#ifndef TESTS_ORACLE_QUASI_ORACLE_H
#define TESTS_ORACLE_QUASI_ORACLE_H

#include "oracle/oracle.h"

enum { QUASI_WORD = 16, QUASI_ORACLE_CLASSES = 4, QUASI_NAMES = 64, QUASI_EXACT = -1 };

struct quasi_question {
    const struct oracle_spec *spec;
    struct plumb_values *values;
    uint32_t distance[QUASI_ORACLE_CLASSES];
    int class_of[QUASI_NAMES][2]; /* by name, and whether null was answered; QUASI_EXACT: never moves */
    /* Everything that may be appended, with its result, and how many of it. */
    struct oracle_call appendable[QUASI_WORD];
    uint32_t appendable_count, append_most;
    /* Results that a pending operation may have had. */
    plumb_value results[QUASI_WORD];
    uint32_t result_count;
};

/* Is the sequence of calls, with their results, quasi linearizable? */
bool quasi_oracle_word(const struct quasi_question *q, const struct oracle_call *word, uint32_t count);

/* Is the history? before[i]: operations that precede i, as bits. Pending ones may be left out. */
bool quasi_oracle_history(const struct quasi_question *q, const struct oracle_call *ops, uint32_t count,
                          uint32_t completed, const uint32_t *before);

#endif
