/* SPDX-License-Identifier: Apache-2.0 */
/* Would an error of a weak memory model also happen if the program were sequentially consistent, or release sequences were those
 * of C11? Or if the object's operations were allowed to fail in every state? */
#ifndef CAMPAIGN_UNDER_STRONGER_H
#define CAMPAIGN_UNDER_STRONGER_H

#include "campaign/campaign_confirm.h"
#include "campaign/campaign_run.h"

enum under_stronger_answer {
    SC_NOT_ASKED,
    SC_NEVER, /* all executions were run */
    /* It was found and confirmed, or the execution shown is sequentially consistent itself */
    SC_TOO,
    SC_UNKNOWN, /* `why` */
};

struct under_stronger {
    enum under_stronger_answer answer;
    uint64_t executions;
    char why[128];
    char weak[128]; /* under_weak_ask: that specification */
    /* SC_TOO: the worker that found it, and the execution as confirmed; null: the one that was asked about is as good */
    struct target_worker *worker;
    struct confirmed confirmed;
};

/* `shown`: the error, as replayed; `cause`: of a finding (error_cause), or null. Takes some seconds at most; `left`: before --time is over. */
void under_sc_ask(const struct target_program *program, const struct campaign_options *options,
                  const struct worker_shared *shown, const char *cause, double left,
                  struct under_stronger *out);

/* The same for the release sequences of C11, of an error under those of C++20. Not asked where no store of the execution continues
 * one: then it is an execution of both. */
void under_c11_ask(const struct target_program *program, const struct campaign_options *options,
                   const struct worker_shared *shown, const char *cause, double left,
                   struct under_stronger *out);

/* Of a history that is not linearizable, and has operations that failed: is the test right by the weak variant of its specification,
 * whose operations may fail in every state? `judges`: the specification (worker_shared.judges). */
void under_weak_ask(const struct target_program *program, const struct campaign_options *options,
                    const struct worker_shared *shown, const char *judges, double left,
                    struct under_stronger *out);

void under_stronger_free(struct under_stronger *sc);

/* "Under sc this error does not happen (all 12 executions)." Adds nothing when it was not asked. */
void under_sc_add_text(const struct under_stronger *sc, struct text *out);

/* Only what was seen: that it does not happen. */
void under_c11_add_text(const struct under_stronger *c11, struct text *out);

void under_weak_add_text(const struct under_stronger *weak, struct text *out);

/* For JSON: "never", "too", "unknown", or null. */
const char *under_stronger_word(const struct under_stronger *sc);

#endif
