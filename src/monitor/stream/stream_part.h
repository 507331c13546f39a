/* SPDX-License-Identifier: Apache-2.0 */
/* One object of a stream, or one key of it: the states it may have had at a moment of rest, and the operations since. */
#ifndef MONITOR_STREAM_PART_H
#define MONITOR_STREAM_PART_H

#include "monitor/monitor.h"
#include "monitor/search/search.h"

struct stream_part {
    const struct plumb_spec *spec;
    uint32_t object;
    plumb_value key;            /* PLUMB_OK: the object is not split */
    struct state_list states;   /* possible at the last cut; none: the initial state */
    VEC(struct history_op) ops; /* called since then; bound; open ones are pending */
    VEC(uint64_t) lines;        /* of their calls */
    VEC(int64_t) empty_from;    /* a removal that answers "empty" cannot have acted before; queues */
    uint64_t settled;           /* operations before the cut, or forgotten since */
    uint64_t removed_unknown;   /* containers: removals whose answer is not known */
    int64_t size;               /* containers: items that are inside when nothing is open */
    size_t check_at, cut_at;    /* numbers of operations at which it is worth looking again */
    int64_t last_return;
    uint32_t open;
    bool in_use, lost, resting, touched;
};

/* A specification that starts in `state`. */
struct stream_resumed {
    struct plumb_spec spec; /* first: the functions get a pointer to it */
    const void *state;
};

struct plumb_spec stream_resume(const struct plumb_spec *spec);

/* Is the part a container, in which every addition adds one item and every removal that is not "empty" takes one? */
bool stream_part_counts(const struct stream_part *p);

/* What the completed operation does to the number of items. */
int stream_part_growth(const struct stream_part *p, const struct history_op *op);

/* The operations since the cut as a history, which borrows them. */
struct history stream_part_history(const struct stream_part *p, const struct history *names);

/* Adds an operation that has been called; takes the answer of the one at `index`. */
void stream_part_call(struct stream_part *p, const struct history_op *op, uint64_t line);
void stream_part_return(struct stream_part *p, uint32_t index, const struct history_op *op);

/* "the object "q", key 7, was not at rest for 9 operations": why it is not followed any more. */
void stream_part_print_loss(const struct stream_part *p, const struct history *names, struct text *out);

/* The operations since the cut, from each state that is possible there. VIOLATED: from none of them is there a legal
 * order, and *which is the state that *out is about; null: the initial one. */
enum verdict stream_part_judge(const struct stream_part *p, const struct history *names,
                               const struct plumb_spec_options *options, struct budget *budget,
                               const void **which, struct monitor_result *out);

/* Every state in which a legal order of all operations can end. No operation is open. False: too many, or the budget
 * does not allow to find out. */
bool stream_part_ends(const struct stream_part *p, const struct history *names,
                      const struct plumb_spec_options *options, struct budget *budget,
                      struct state_list *ends);

/* Starts anew in `states`, which is taken over; the initial state alone becomes an empty list. */
void stream_part_cut(struct stream_part *p, const struct plumb_spec_options *options,
                     struct state_list states);

void stream_part_free(struct stream_part *p);

/* Operations of a container that cannot matter any more. docs/internals/monitor/streams.md gives the argument. */

/* Forgets operations of a queue, stack, priority queue or bag, so that whatever comes has a legal order with those that
 * are left exactly if it has one with all. Those that are left may be narrowed to the moments at which they
 * can have acted. They have a legal order, and what is called from now on is called after all returns. Open operations
 * stay. Returns how many were forgotten. */
size_t stream_part_forget(struct stream_part *p, const struct history *names,
                          const struct plumb_spec_options *options);

#endif
