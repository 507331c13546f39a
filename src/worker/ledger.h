/* SPDX-License-Identifier: Apache-2.0 */
/* What the runtime has counted, and is not counted while code of the program runs: a program that changes it there has written
 * over memory that it shares with nobody, and nothing that follows would be a result. */
#ifndef WORKER_LEDGER_H
#define WORKER_LEDGER_H

#include "engine/shared/protocol.h"

/* Before an execution begins, and behind it. */
void ledger_keep(const struct worker_shared *s);
void ledger_compare(struct worker_shared *s);

/* They are this many now, by what the runtime knows itself. */
void ledger_count(uint64_t executions, uint64_t complete, uint64_t blocked);
/* These limits do not count any more. */
void ledger_forget(uint32_t limits);

/* Ends the worker: `what` was changed by something that is not the runtime. */
_Noreturn void ledger_refuse(struct worker_shared *s, const char *what);

#endif
