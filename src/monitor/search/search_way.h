/* SPDX-License-Identifier: Apache-2.0 */
/* How the general search goes about it. All zero: exactly. */
#ifndef MONITOR_SEARCH_WAY_H
#define MONITOR_SEARCH_WAY_H

#include "monitor/search/search.h"

struct search_way {
    bool keep_prefix;          /* search_prefix.h */
    struct state_list *finals; /* not null: gets the states of the last level */
    bool unlimited;            /* pending operations may act as often as they like: only a violation counts */
    size_t beam; /* keep only so many nodes of a level; 0: all. A legal order counts; when none is left
                                  after some were dropped, the answer is NONE */
};

enum verdict search_run(const struct part *p, const void *initial, struct budget *budget, struct decision *d,
                        const struct search_way *way);

#endif
