/* SPDX-License-Identifier: Apache-2.0 */
#ifndef EXPLORE_GRAPHS_RECORD_H
#define EXPLORE_GRAPHS_RECORD_H

#include "explore/graphs/graphs_state.h"

/* May the explorer go on from this graph, which bytes from elsewhere made, if no alternative cuts off events up to `kept`? And with
 * this alternative of it? */
bool graphs_record_is_sound(const struct graph *g, uint32_t revisited, uint32_t kept);
bool graphs_record_has_item(const struct graph *g, const struct graphs_item *item);

#endif
