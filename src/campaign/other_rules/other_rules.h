/* SPDX-License-Identifier: Apache-2.0 */
/* Would an error also happen under other rules: another memory model, another specification? All executions are run again. */
#ifndef CAMPAIGN_OTHER_RULES_H
#define CAMPAIGN_OTHER_RULES_H

#include "campaign/campaign_confirm.h"
#include "campaign/campaign_run.h"

enum other_rules_answer {
    RULES_NOT_ASKED,
    RULES_NEVER, /* all executions were run */
    /* It was found and confirmed, or the execution shown is one of the other rules itself */
    RULES_TOO,
    RULES_UNKNOWN, /* `why` */
};

struct other_rules {
    enum other_rules_answer answer;
    uint64_t executions;
    char why[128];
    /* RULES_TOO: the worker that found it, and the execution as confirmed; null: the one that was asked about is as good */
    struct target_worker *worker;
    struct confirmed confirmed;
};

/* `other`: the options with the rules that are asked about; `shown`: the error, as replayed; `cause`: of a finding (error_cause), or null. Takes some
 * seconds at most; `left`: before --time is over. Fills `out`, which is zero. */
void other_rules_ask(const struct target_program *program, struct campaign_options other,
                     const struct worker_shared *shown, const char *cause, double left,
                     struct other_rules *out);

/* What was found is let go; the answer stays. */
void other_rules_free(struct other_rules *rules);

#endif
