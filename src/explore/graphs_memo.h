/* SPDX-License-Identifier: Apache-2.0 */
/* Memoised steps. What a thread does next depends on what it has found. While threads share nothing but atomic variables that
 * is what its events found: then what each did is kept, and an execution that consists of such steps need not be run. */
#ifndef EXPLORE_GRAPHS_MEMO_H
#define EXPLORE_GRAPHS_MEMO_H

#include "explore/port.h"

#include <stddef.h>

/* The runner says that threads share nothing else, or no longer. */
void explore_graphs_set_memo(struct explorer *e, bool remember);
bool explore_graphs_fills_memo(const struct explorer *e);  /* is `state` of use in this execution? */
size_t explore_graphs_memo_size(const struct explorer *e); /* how many steps */
/* After `begin`: goes on with memoised steps. True: to the end, and nothing is to be run; false: run it as ever. */
bool explore_graphs_run_memo(struct explorer *e, uint64_t steps_max, enum port_outcome *outcome);

void explore_graphs_again(struct explorer *e); /* the running execution begins once more */

#endif
