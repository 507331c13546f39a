/* SPDX-License-Identifier: Apache-2.0 */
/* The result of a question: the one form it has, from the algorithm to the report. */
#ifndef BASE_VERDICT_H
#define BASE_VERDICT_H

enum verdict {
    VERDICT_HOLDS,
    VERDICT_VIOLATED,
    VERDICT_INCONCLUSIVE, /* a limit was met, which is named with it */
    VERDICT_SURVIVED,     /* nothing was found in a sample */
    VERDICT_NONE,         /* the input was wrong, or could not be run: a diagnostic says why */
};

/* "holds", "violated", "inconclusive", "survived"; "error" for none. */
const char *verdict_name(enum verdict v);

#endif
