/* SPDX-License-Identifier: Apache-2.0 */
/* What the filter of --sandbox answers: for every number of a system call, and for arguments that matter. */
#ifndef SUPPORT_SANDBOX_LIST_H
#define SUPPORT_SANDBOX_LIST_H

#include "target/sandbox_filter.h"

#include <linux/audit.h>
#include <stdio.h>

#if defined(__x86_64__)
#define SANDBOX_LIST_ARCHITECTURE AUDIT_ARCH_X86_64
#else
#define SANDBOX_LIST_ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

enum { SANDBOX_LIST_NUMBERS = 1024, SANDBOX_LIST_ARGUMENTS = 6 };

/* 0: permitted; else the error that the call ends with. `process` is the number of the caller. */
int sandbox_list_answer(const struct sandbox_filter *f, uint32_t architecture, uint32_t call,
                        const uint64_t *arguments);

/* A line for each number that is not simply unknown (ENOSYS). "63 permitted": whatever the arguments are. "56 by arguments": some are,
 * and calls of it follow at the end. */
void sandbox_list_print(FILE *to, bool scoped);

#endif
