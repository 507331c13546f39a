/* SPDX-License-Identifier: Apache-2.0 */
/* Standard trace refinement: is every sequence of calls and returns of one system also one of another? The paper's
 * algorithm 1, with the specification made deterministic on the fly. */
#ifndef REFINE_TRACE_H
#define REFINE_TRACE_H

#include "refine/refine.h"

/* Uses of the settings: free_values, jobs, memory_limit, seconds, stop, progress, plain. */
bool refine_trace(const struct refine_system *impl, const struct refine_system *spec,
                  const struct refine_settings *settings, struct refine_result *r, struct diagnostic *d);

#endif
