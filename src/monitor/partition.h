/* SPDX-License-Identifier: Apache-2.0 */
/* Splits a part into classes (objects, keys) that are decided one by one; each keeps the order of
 * time of its own events. All classes together cost one pass and one set of arrays. */
#ifndef MONITOR_PARTITION_H
#define MONITOR_PARTITION_H

#include "monitor/part.h"

struct partition {
    const struct part *whole;
    uint32_t count;     /* classes */
    uint32_t *first_op; /* per class, and the end: its operations in the arrays below */
    uint32_t *first_event;
    uint32_t *member; /* index in the whole part */
    uint32_t *ops;    /* index in the history */
    uint32_t *call, *ret, *event, *after;
};

/* class_of[i] < count for each operation of `whole`, which must outlive the partition. */
void partition_split(struct partition *p, const struct part *whole, const uint32_t *class_of, uint32_t count);
void partition_free(struct partition *p);

/* Class number k as a part; not to be freed, valid as long as the partition. */
struct part partition_get(const struct partition *p, uint32_t k);

/* Numbers the keys of all operations; returns how many there are. `class_of` has room for all operations. */
uint32_t partition_by_key(const struct part *whole, uint32_t *class_of);

#endif
