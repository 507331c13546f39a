/* SPDX-License-Identifier: Apache-2.0 */
#include "refine/antichain.h"

static bool is_known(const struct product *p, uint32_t state, uint32_t set)
{
    for (uint32_t i = p->first.data[state]; i != PRODUCT_NO_NODE; i = p->nodes.data[i].next)
        if (p->nodes.data[i].set == set ||
            (!p->keeps_all && explanations_include(p->explanations, p->nodes.data[i].set, set)))
            return true;
    return false;
}

bool antichain_admits(struct product *p, uint32_t state, uint32_t set, uint32_t level_end)
{
    if (is_known(p, state, set))
        return false;
    uint32_t *link = &p->first.data[state];
    while (*link != PRODUCT_NO_NODE && !p->keeps_all) {
        struct product_node *node = &p->nodes.data[*link];
        if (explanations_include(p->explanations, set, node->set)) {
            if (*link >= level_end)
                p->needless.data[*link] = 1;
            *link = node->next;
        } else {
            link = &node->next;
        }
    }
    return true;
}
