/* SPDX-License-Identifier: Apache-2.0 */
/* What is known about memory in all executions. Whether plain accesses are steps, and of which size, must be the same in every
 * execution, or their graphs would not be graphs of one program. */
#include "explore/graphs_state.h"

static uint64_t key_of(enum graphs_fact fact, uint64_t address)
{
    return GRAPHS_OBJECT | GRAPHS_FACT | (uint64_t)fact << 56 | address;
}

bool explore_graphs_knows(const struct explorer *e, enum graphs_fact fact, uint64_t address)
{
    const struct graphs *x = graphs_of(e);
    uint32_t site = hash_map_get(&x->site_numbers, key_of(fact, address));
    return site != HASH_NO_NUMBER && x->sites.data[site].no_mutex;
}

void explore_graphs_find_out(struct explorer *e, enum graphs_fact fact, uint64_t address)
{
    struct graphs *x = graphs_of(e);
    uint32_t site = graphs_site_at(x, key_of(fact, address)); /* may move the sites */
    x->sites.data[site].locked = true;
    graphs_give_up_mutex(x, site);
}
