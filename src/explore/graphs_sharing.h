/* SPDX-License-Identifier: Apache-2.0 */
/* One exploration by several processes that run the same program, or by one that goes on later: work as bytes, and what all of
 * them have to agree on. docs/internals/explore/sharing.md */
#ifndef EXPLORE_GRAPHS_SHARING_H
#define EXPLORE_GRAPHS_SHARING_H

#include "explore/port.h"

#include <stddef.h>

/* Gives away part of the work: the oldest alternative not yet taken, as bytes that explore_graphs_take accepts in
 * another process running the same program. 0: nothing to give. The buffer is the explorer's. */
size_t explore_graphs_give(struct explorer *e, const void **bytes);
bool explore_graphs_take(struct explorer *e, const void *bytes, size_t size);
size_t explore_graphs_left(const struct explorer *e); /* how many alternatives are not yet taken */

/* All work that is left, for a checkpoint: `give` repeated without forgetting it, and what was learnt about loops that
 * wait. Between two executions: the running one is not included. */
size_t explore_graphs_save(struct explorer *e, const void **bytes);

/* Which addresses are under the rule for mutexes has to be the same for all who share work. An explorer says what it
 * knows about synchronization objects (`changes` goes up when there is news) and is given what another one found out:
 * then all drop what they have, and one of them begins again. */
struct graphs_object {
    uint64_t address;
    bool locked;   /* the rule was used */
    bool no_mutex; /* the rule does not hold */
};
uint64_t explore_graphs_object_changes(const struct explorer *e);
/* The object with number `*next` or a later one; `*next` goes on behind it. False: there are no more. */
bool explore_graphs_next_object(const struct explorer *e, size_t *next, struct graphs_object *object);
void explore_graphs_no_mutex(struct explorer *e, uint64_t address);
void explore_graphs_begin_again(struct explorer *e); /* with the next execution */
bool explore_graphs_begins_again(const struct explorer *e);
void explore_graphs_drop(struct explorer *e); /* no work is left, nothing was counted */

/* What was found out about loops that wait, as it came, and what others have: without it each has blocked executions
 * of its own, nothing worse. */
size_t explore_graphs_learnt(const struct explorer *e, const uint64_t **histories);
void explore_graphs_learn(struct explorer *e, uint64_t history);

#endif
