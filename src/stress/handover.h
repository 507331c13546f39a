/* SPDX-License-Identifier: Apache-2.0 */
/* A violation of a run on real threads is handed over to the explorer: its operations become a test, of which every execution is run. Where
 * that one holds (the core of a history need not be all that led to it), tests that `plumb auto` makes follow. What fails there has an
 * explanation step by step. */
#ifndef STRESS_HANDOVER_H
#define STRESS_HANDOVER_H

#include "autotest/autotest.h"
#include "campaign/campaign.h"
#include "report/counterexample.h"

struct handover {
    /* What is asked. */
    struct operand_list files;
    struct target_source source;
    const char *spec, *quasi; /* of the command line, or null */
    const char *out;          /* folder for the trace of what fails; null: the current one */
    uint64_t keys;            /* numbers up to this one are keys and keep their value */
    uint64_t seed;
    double seconds; /* in all */

    /* The answer. */
    char *made;              /* the test that the violation was made into; null: it has no operations */
    struct campaign *failed; /* of a test that is violated; null: none was found */
    bool is_made;            /* it is the one that was made, or what is left of it, not one of plumb auto */
    bool was_cut;            /* time was up before all smaller ones had been tried */
    uint64_t tests;          /* that were explored */
    uint64_t undecided;      /* of these: not to their end */
    char *undecided_why;     /* of the first one, or null */
    char *not_run;           /* why the explorer cannot run the program; or null */
};

/* The operations as a test: those before all others and those after all others are done by the main thread. False: they are of too many
 * threads, or there are none. */
bool handover_make_test(struct auto_words *w, const struct report_counterexample *c, uint64_t keys);

/* `c` null: the program crashed or hangs, and there is no history to make a test of. */
void handover_explore(struct handover *h, const struct report_counterexample *c);
void handover_free(struct handover *h);

#endif
