/* SPDX-License-Identifier: Apache-2.0 */
/* A violation of a model, explained: by the monitor, which judges the operations of the run as a history, where it can;
 * otherwise by its operations alone. */
#ifndef CLI_REFINE_STORY_H
#define CLI_REFINE_STORY_H

#include "explain/explain.h"
#include "cli/refine_steps.h"

struct refine_story {
    const char *error;                        /* "not linearizable" */
    const struct report_counterexample *told; /* one of the two below */
    bool explained;                           /* by the monitor */
    struct pipeline_input in;
    struct explanation explanation;
    struct report_counterexample plain;
    struct arena arena;
};

/* Tells what a violated check found. The outcome has to outlive the story. */
void refine_story_tell(struct refine_story *s, const struct refine_outcome *o);
void refine_story_free(struct refine_story *s);

#endif
