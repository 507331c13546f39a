/* SPDX-License-Identifier: Apache-2.0 */
/* What other checkers would say about all tests of `plumb auto` together. */
#ifndef AUTOTEST_AUTO_COMPARE_H
#define AUTOTEST_AUTO_COMPARE_H

#include "autotest/auto_run.h"

struct auto_compared {
    struct worker_compared sum;
    uint64_t races;    /* tests that failed because of one */
    char *conflicting; /* the first test with an execution that is not serializable, or null */
    char *weak;        /* and with one that is not sequentially consistent */
};

void auto_compare_note(struct auto_compared *c, const char *test, const struct auto_result *r);

/* Counts, and where to look: `plumb check` tells more about one test. */
void auto_compare_add_text(struct text *out, const struct auto_compared *c, const struct campaign_options *o);
void auto_compare_free(struct auto_compared *c);

#endif
