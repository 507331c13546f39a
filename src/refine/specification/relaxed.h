/* SPDX-License-Identifier: Apache-2.0 */
/* R for containers whose items are all different: queue, stack and priority queue, with removals up to `factor` places
 * away from where they belong; and registers, which hold one item. docs/internals/refine.md has the construction. Private to this folder. */
#ifndef REFINE_RELAXED_H
#define REFINE_RELAXED_H

#include "refine/specification/machine.h"
#include "refine/refine.h"

enum relaxed_order { RELAXED_QUEUE, RELAXED_STACK, RELAXED_PQUEUE, RELAXED_REGISTER };
enum relaxed_verb { RELAXED_ADD, RELAXED_REMOVE, RELAXED_LOOK };
enum { RELAXED_FACTOR_MOST = 100, RELAXED_ITEMS_MOST = 120 };

struct relaxed_settings {
    enum relaxed_order order;
    uint32_t factor;   /* K */
    uint32_t capacity; /* 0: unbounded */
    enum refine_full full;
    bool is_complete;                         /* reading C: nothing can be appended to a history */
    enum relaxed_verb verbs[MACHINE_OPS_MAX]; /* of each operation */
};

struct machine *relaxed_new(const struct relaxed_settings *settings);

#endif
