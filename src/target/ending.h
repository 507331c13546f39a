/* SPDX-License-Identifier: Apache-2.0 */
/* What the end of a worker process means. */
#ifndef TARGET_ENDING_H
#define TARGET_ENDING_H

#include "target/process.h"

/* Why we killed it, if we did. */
enum ending_cause { ENDING_ITSELF, ENDING_STALLED, ENDING_STOPPED };

/* How the process ended: the facts. */
struct ending_facts {
    int exit_code; /* -1: by a signal */
    int signal;    /* 0: by itself */
    enum ending_cause cause;
    const struct worker_config *asked;
    uint64_t key;       /* seal/sign_off.h */
    const char *output; /* the end of what it printed */
    size_t output_length;
};

/* Fills in the shared error when the worker had no time to. */
struct target_end ending_judge(struct worker_shared *shared, const struct ending_facts *facts);

/* Brings counts and texts within bounds: a program under test can write anywhere. */
void ending_repair(struct worker_shared *shared);

#endif
