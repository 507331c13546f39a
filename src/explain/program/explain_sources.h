/* SPDX-License-Identifier: Apache-2.0 */
/* The source files that steps of an execution are in, to be shown beside them. */
#ifndef EXPLAIN_EXPLAIN_SOURCES_H
#define EXPLAIN_EXPLAIN_SOURCES_H

#include "base/memory.h"
#include "report/counterexample.h"

/* Fills in x->sources. Files that cannot be read are left out, and so are parts of long ones where no step
 * is. */
void explain_sources(struct report_execution *x, struct arena *arena);

#endif
