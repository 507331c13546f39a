/* SPDX-License-Identifier: Apache-2.0 */
#include "refine/product/product.h"

static bool is_known(const struct product *p, uint32_t state, uint32_t set)
{
    for (uint32_t i = p->first.data[state]; i != PRODUCT_NO_NODE; i = p->nodes.data[i].next)
        if (explanations_include(p->explanations, p->nodes.data[i].set, set))
            return true;
    return false;
}

static bool is_new_pair(struct product *p, uint32_t state, uint32_t set)
{
    uint32_t *number = hash_map_at(&p->pairs, (uint64_t)state << 32 | set);
    bool is_new = *number == HASH_NO_NUMBER;
    *number = 0;
    return is_new;
}

bool antichain_admits(struct product *p, uint32_t state, uint32_t set, uint32_t level_end)
{
    if (p->keeps_all)
        return is_new_pair(p, state, set);
    if (is_known(p, state, set))
        return false;
    uint32_t *link = &p->first.data[state];
    while (*link != PRODUCT_NO_NODE) {
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
