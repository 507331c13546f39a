/* SPDX-License-Identifier: Apache-2.0 */
/* The counterexample structure of an error of a program under test. */
#ifndef CLI_CHECK_PICTURE_H
#define CLI_CHECK_PICTURE_H

#include "cli/check.h"
#include "cli/check_story.h"

struct check_picture {
    struct report_counterexample counterexample;
    struct report_execution execution;
    struct arena arena;
    struct check_story story; /* of a history that is not linearizable */
};

/* Tells the error in `shared`. `pictures`: with the history and the sources. To be freed, and not to be copied. */
void check_picture_tell(struct check_picture *s, const char *name, const struct worker_shared *shared,
                        bool pictures);

/* The same for an error of `plumb check`, with what is known about it. */
void check_picture_tell_error(struct check_picture *s, const struct check *c, const struct check_error *e,
                              bool pictures);

void check_picture_free(struct check_picture *s);

#endif
