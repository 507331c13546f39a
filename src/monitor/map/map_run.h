/* SPDX-License-Identifier: Apache-2.0 */
/* What map.c knows about one key of a map, for the search of map_search.c.
 * docs/internals/monitor/map.md. */
#ifndef MONITOR_MAP_RUN_H
#define MONITOR_MAP_RUN_H

#include "monitor/register/register_run.h"

enum map_state { MAP_ABSENT, MAP_PRESENT };

/* What operations besides put and get of a value do or need. */
enum map_kind { MAP_OTHER, MAP_PUTS_IF_ABSENT, MAP_REMOVES, MAP_NEEDS_ABSENT, MAP_NEEDS_PRESENT };

struct map_run {
    struct register_run blocks; /* of the values; questions about presence are its extras */
    uint32_t op_remove, op_put_if_absent;
    uint8_t *kind; /* by operation: enum map_kind */
};

/* Does the block begin with put_if_absent? */
static inline bool map_is_conditional(const struct map_run *m, uint32_t block)
{
    return m->kind[m->blocks.values.data[block].writer] == MAP_PUTS_IF_ABSENT;
}

/* A block or a removal enters the order. */
struct map_step {
    uint32_t op;     /* the removal, or the operation of the block that returns first */
    uint32_t event;  /* when */
    uint32_t before; /* the step before it, or NONE */
};

/* The block of an operation, or its value if it is a write that no operation saw. */
static inline uint32_t map_block_of(const struct map_run *m, uint32_t op)
{
    uint32_t value = m->blocks.value_of[op];
    return m->blocks.values.data[value].root == NONE ? value : m->blocks.values.data[value].root;
}

/* The operation of the block that is called last. */
uint32_t map_last_call(const struct map_run *m, uint32_t block);

/* Finds an order of blocks and removals in which every question can be placed (map_search.c); it is left in
 * m->blocks.order. The reason why not, or null. */
const char *map_search(struct map_run *m, struct budget *budget);

/* Leaves the order that the steps up to `last` stand for in m->blocks.order (map_order.c). */
void map_build_order(struct map_run *m, struct map_step *log, uint32_t last);

#endif
