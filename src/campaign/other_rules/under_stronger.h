/* SPDX-License-Identifier: Apache-2.0 */
/* Would an error of a weak memory model also happen if the program were sequentially consistent, or release sequences were those
 * of C11? */
#ifndef CAMPAIGN_UNDER_STRONGER_H
#define CAMPAIGN_UNDER_STRONGER_H

#include "campaign/other_rules/other_rules.h"

/* As other_rules_ask. Not asked where the execution that is shown is one of sc itself. */
void under_sc_ask(const struct target_program *program, const struct campaign_options *options,
                  const struct worker_shared *shown, const char *cause, double left, struct other_rules *out);

/* The same for the release sequences of C11, of an error under those of C++20. Not asked where no store of the execution continues
 * one: then it is an execution of both. */
void under_c11_ask(const struct target_program *program, const struct campaign_options *options,
                   const struct worker_shared *shown, const char *cause, double left,
                   struct other_rules *out);

/* "Under sc this error does not happen (all 12 executions)." Adds nothing when it was not asked. */
void under_sc_add_text(const struct other_rules *sc, struct text *out);

/* Only what was seen: that it does not happen. */
void under_c11_add_text(const struct other_rules *c11, struct text *out);

/* For JSON: "never", "too", "unknown", or null. */
const char *under_stronger_word(const struct other_rules *sc);

#endif
