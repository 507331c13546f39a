/* SPDX-License-Identifier: Apache-2.0 */
/* No error is reported before it was seen twice: in a new process, and a history also by the monitor of the tool. */
#ifndef CAMPAIGN_CAMPAIGN_CONFIRM_H
#define CAMPAIGN_CAMPAIGN_CONFIRM_H

#include "pipeline/pipeline.h"
#include "target/target.h"

/* The execution, run again, and its history as the monitor decided it: what reports are made of. */
struct confirmed {
    struct confirmation run; /* run.again: the worker to report from */
    bool is_judged;          /* `history` is filled in */
    struct pipeline_input history;
};

struct confirm_question {
    const struct target_program *program;
    const char *name; /* of the program */
    const struct target_worker *worker;
    const struct worker_finding *finding; /* of its findings; null: the error it ended with */
    /* Run it once more in the order in which it reads best, before its history is judged */
    bool for_display;
};

void campaign_confirm(const struct confirm_question *q, struct confirmed *out);
/* The history alone, of an execution that is shown as it is. */
void campaign_judge_again(const char *name, const struct worker_shared *shared, struct confirmed *out);

void campaign_confirmed_free(struct confirmed *c);

/* After CONFIRM_SAME, of a graph: run.again becomes one that ran it in the order in which it reads best, and without what
 * the error does not need, if that was confirmed, too. Nothing is done again. */
void campaign_order_for_display(const struct target_program *program, struct confirmed *c);

/* The history to explain, or null. */
const struct pipeline_input *campaign_judged(const struct confirmed *c);

/* The limit to name when the error was not confirmed. The caller frees it. */
char *campaign_confirm_limit(uint32_t kind, const struct confirmation *c);

#endif
