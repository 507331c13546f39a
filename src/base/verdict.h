/* SPDX-License-Identifier: Apache-2.0 */
/* The result of a question: the one form it has, from the algorithm to the report. */
#ifndef BASE_VERDICT_H
#define BASE_VERDICT_H

enum verdict {
    /* Nothing was decided: the input was wrong or could not be run (a diagnostic says why), or the algorithm
     * that was asked does not decide such inputs. A structure that is all zero has this one, and never
     * "holds" by mistake. */
    VERDICT_NONE,
    VERDICT_HOLDS,
    VERDICT_VIOLATED,
    VERDICT_INCONCLUSIVE, /* a limit was met, which is named with it */
    VERDICT_SURVIVED,     /* nothing was found in a sample */
};

/* "holds", "violated", "inconclusive", "survived"; "error" for none. */
const char *verdict_name(enum verdict v);

#endif
