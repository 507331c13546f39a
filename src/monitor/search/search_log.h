/* SPDX-License-Identifier: Apache-2.0 */
/* The step log: the order of operations behind every node, as a tree of
 * entries that point to their predecessor. What all living nodes have in common moves
 * to the witness, so the log stays small however long the history is. */
#ifndef MONITOR_SEARCH_LOG_H
#define MONITOR_SEARCH_LOG_H

#include "monitor/part.h"
#include "monitor/search/search_level.h"

#define LOG_ROOT UINT32_MAX

struct log_entry {
    uint32_t op, parent; /* the parent is an earlier entry or LOG_ROOT */
};

struct step_log {
    struct account *account;
    struct log_entry *entries;
    uint32_t *marks; /* scratch of log_collect, one per entry */
    size_t len, cap, collect_at;
};

void log_init(struct step_log *log, struct account *account);
void log_free(struct step_log *log);

/* The entry of `op` after `parent`. A spent budget makes the answer meaningless. */
uint32_t log_append(struct step_log *log, uint32_t parent, uint32_t op);

/* Appends the order that ends in `entry` to the decision's witness and empties the log. */
void log_flush(struct step_log *log, uint32_t entry, struct decision *d);

/* Moves the common beginning of all orders to the witness and forgets dead entries, when it is time to. */
void log_collect(struct step_log *log, struct level *level, struct decision *d);

#endif
