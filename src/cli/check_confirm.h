/* SPDX-License-Identifier: Apache-2.0 */
/* No error is told before it was seen twice: in a new process, and a history also by the monitor of the tool. */
#ifndef CLI_CHECK_CONFIRM_H
#define CLI_CHECK_CONFIRM_H

#include "target/target.h"

/* Runs the execution of `found` again. out->again is the worker to report from. */
void check_confirm(const struct target_program *program, const struct target_worker *found,
                   struct confirmation *out);

/* The same for a finding. */
void check_confirm_finding(const struct target_program *program, const struct target_worker *worker,
                           const struct worker_finding *finding, struct confirmation *out);

/* After CONFIRM_SAME, of a graph: `again` becomes one that ran it in the order in which it is best told, and without what
 * the error does not need, if that was confirmed, too. */
void check_confirm_tell(const struct target_program *program, struct confirmation *c);

/* The limit to name when the error was not confirmed. The caller frees it. */
char *check_confirm_limit(uint32_t kind, const struct confirmation *c);

#endif
