/* SPDX-License-Identifier: Apache-2.0 */
/* The source files that steps of an execution are in, to be shown beside them. */
#ifndef CLI_CHECK_SOURCES_H
#define CLI_CHECK_SOURCES_H

#include "base/memory.h"
#include "report/counterexample.h"

/* Fills in x->sources. Files that cannot be read are left out, and so are parts of long ones where no step is. */
void check_sources_read(struct report_execution *x, struct arena *arena);

#endif
