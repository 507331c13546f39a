/* SPDX-License-Identifier: Apache-2.0 */
/* One question put to the refinement checker, to brute force, and to the plain product: verdicts have to be the same, and so
 * has the number of steps of a shortest counterexample. Whatever differs ends the program. */
#ifndef TESTS_REFINE_CAMPAIGN_H
#define TESTS_REFINE_CAMPAIGN_H

#include "explore/schedules/prng.h"
#include "oracle/refine_product.h"

struct campaign {
    uint64_t seed, count, number; /* the number of the system that is looked at */
    bool verbose;
    const char *folder; /* of models */
    char name[160];     /* of the system */
    uint64_t asked, violated, undecided, same_length, for_good, refused;
};

/* [--count N] [--from I] [--seed S] [--models FOLDER] [-v]; false: something else, and the usage was printed. */
bool campaign_read(struct campaign *c, int argc, char **argv);

void campaign_ask(struct campaign *c, const struct refine_oracle_question *q, struct prng *random);
void campaign_refuse(struct campaign *c, const char *why);
void campaign_report(const struct campaign *c);

#endif
