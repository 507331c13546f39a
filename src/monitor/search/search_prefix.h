/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MONITOR_SEARCH_PREFIX_H
#define MONITOR_SEARCH_PREFIX_H

#include "monitor/search/search.h"

/* search_decide that always leaves a legal order in the witness: when the part is not linearizable one for
 * the events before the failing return, when the budget is spent one for some beginning. */
enum verdict search_prefix(const struct part *p, const void *initial, struct budget *budget,
                           struct decision *d);

/* The same for parts with many pending operations of which only the last return is impossible: a legal order up to
 * there. False: none was found, and the witness is empty. */
bool search_prefix_quickly(const struct part *p, const void *initial, struct budget *budget,
                           struct decision *d);

#endif
