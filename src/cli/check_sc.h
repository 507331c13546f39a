/* SPDX-License-Identifier: Apache-2.0 */
/* Would an error of a weak memory model also happen if the program were sequentially consistent? */
#ifndef CLI_CHECK_SC_H
#define CLI_CHECK_SC_H

#include "cli/check_run.h"

enum check_sc_answer {
    SC_NOT_ASKED,
    SC_NEVER,   /* all executions were run */
    SC_TOO,     /* it was found and confirmed, or the execution shown is sequentially consistent itself */
    SC_UNKNOWN, /* `why` */
};

struct check_sc {
    enum check_sc_answer answer;
    uint64_t executions;
    char why[128];
};

/* `shown`: the error, as replayed; `cause`: of a finding (check_cause), or null. Takes some seconds at most; `left`: before --time is over. */
void check_sc_ask(const struct target_program *program, const struct check_options *options,
                  const struct worker_shared *shown, const char *cause, double left, struct check_sc *out);

/* "Under sc this error does not happen (all 12 executions)." Adds nothing when it was not asked. */
void check_sc_add_text(const struct check_sc *sc, struct text *out);

/* For JSON: "never", "too", "unknown", or null. */
const char *check_sc_word(const struct check_sc *sc);

#endif
