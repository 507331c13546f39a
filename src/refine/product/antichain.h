/* SPDX-License-Identifier: Apache-2.0 */
/* Of all sets of explanations beside a state only the smallest are needed: what the explanations of a set can follow, those
 * of a larger one can, too. Private to this folder. */
#ifndef REFINE_ANTICHAIN_H
#define REFINE_ANTICHAIN_H

#include "refine/product/product.h"

/* Is the set none that is needless beside the state? Then larger ones become so: those beyond `level_end`, which are as far
 * from the start as this one, are not even expanded. Nearer ones are, because what they lead to may be nearer, too. */
bool antichain_admits(struct product *p, uint32_t state, uint32_t set, uint32_t level_end);

#endif
