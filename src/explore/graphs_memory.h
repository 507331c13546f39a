/* SPDX-License-Identifier: Apache-2.0 */
/* What the running execution's graph says about memory, for a runner whose program has plain accesses: what happens before a
 * thread's next step, what a plain access finds, and what is known about addresses in all executions. */
#ifndef EXPLORE_GRAPHS_MEMORY_H
#define EXPLORE_GRAPHS_MEMORY_H

#include "explore/port.h"

#include <stddef.h>

/* Objects are locations of their own in a graph: no address of memory has this bit. */
#define GRAPHS_OBJECT (UINT64_C(1) << 63)

/* --- happens-before --------------------------------------------------------------------------------- */

/* What happens before the next step of a thread: for each thread, how many of its events, its own included. For races.
 * `width`: of how many threads, a multiple of 4; there is nothing of others. */
const uint16_t *explore_graphs_clock(const struct explorer *e, uint32_t thread, uint32_t *width);

/* The threads (bits) with steps that are causes of the thread's next step and do not happen before it; and of one of
 * them, which: events [from, to) in its order. */
uint64_t explore_graphs_exposed(const struct explorer *e, uint32_t thread);
void explore_graphs_exposed_to(const struct explorer *e, uint32_t thread, uint32_t other, uint32_t *from,
                               uint32_t *to);

/* Other threads (bits) that may take steps, or have, which do not happen before the next step of the thread nor after it: all
 * but those that have ended before, and if there is no such thread none that has yet to be created. */
uint32_t explore_graphs_unfinished(const struct explorer *e, uint32_t thread);

/* The number among the events of a thread of the first of its last reads, and of its next step. How many events of
 * another thread are causes of its last step. */
uint32_t explore_graphs_position(const struct explorer *e, uint32_t thread, uint32_t reads);
uint32_t explore_graphs_known(const struct explorer *e, uint32_t thread, uint32_t other);
/* The same, of published events only (those that can be causes of what others do: not reads): of the thread so far, and of
 * another one. A plain access is between two of them, wherever reads are folded. */
uint32_t explore_graphs_published(const struct explorer *e, uint32_t thread);
uint32_t explore_graphs_known_published(const struct explorer *e, uint32_t thread, uint32_t other);

/* An atomic access that has happened, and that does not happen before the next step of the thread, to memory that
 * overlaps [address, address + size); for `writes` any, else a write. False: there is none. */
struct graphs_access {
    uint64_t address;
    uint32_t thread;
    uint8_t size;
    bool writes;
};
bool explore_graphs_unordered(const struct explorer *e, uint32_t thread, uint64_t address, size_t size,
                              bool writes, struct graphs_access *found);
/* Has there been an atomic access to the location, which the graph knows? */
bool explore_graphs_was_accessed(const struct explorer *e, uint64_t address);
/* The same, in whatever execution so far. */
bool explore_graphs_ever_accessed(const struct explorer *e, uint64_t address, uint64_t size);
/* Has another thread taken a step at a synchronization object in [from, end) that does not happen before the next step of the
 * thread? Then *user is that thread, and *object the one with the lowest address. */
bool explore_graphs_object_in_use(const struct explorer *e, uint32_t thread, uint64_t from, uint64_t end,
                                  uint64_t *object, uint32_t *user);
/* The last atomic access of the thread, or step at a synchronization object: its number among the events of the thread, of an
 * update that of its read. UINT32_MAX: there was none. */
uint32_t explore_graphs_last_access(const struct explorer *e, uint32_t thread);
/* Where the value comes from that the last step of the thread, an atomic access, has read. */
enum graphs_source { GRAPHS_FROM_STEP, GRAPHS_FROM_PLAIN_WRITE, GRAPHS_FROM_INITIAL };
enum graphs_source explore_graphs_source(const struct explorer *e, uint32_t thread);

/* Has the thread read, with an atomic access to this location, what `other` wrote there with its event `from` or a later one? */
bool explore_graphs_has_read(const struct explorer *e, uint32_t thread, uint64_t address, uint32_t other,
                             uint32_t from);

/* --- plain accesses --------------------------------------------------------------------------------- */

/* The lowest location of memory (not of objects) in the graph that overlaps [from, end). False: there is none. */
bool explore_graphs_next_location(const struct explorer *e, uint64_t from, uint64_t end, uint64_t *address,
                                  unsigned *size);
/* The thread begins anew with all objects of the graph in [from, end): they have this value now. */
void explore_graphs_restart_objects(struct explorer *e, uint32_t thread, uint64_t from, uint64_t end,
                                    event_word value);

/* The thread wrote `value` with a plain access to a location that atomic steps have touched. */
void explore_graphs_plain_write(struct explorer *e, uint32_t thread, uint64_t address, unsigned size,
                                event_word value);
/* What a plain access of the thread finds there: the newest write that happens before it. False: the graph
 * does not know the location. */
bool explore_graphs_plain_read(const struct explorer *e, uint32_t thread, uint64_t address, unsigned size,
                               event_word *value);
/* A hash of the addresses and values of the thread's plain reads since its last step. */
void explore_graphs_plain_found(struct explorer *e, uint32_t thread, uint64_t hash);

/* A plain write that has happened, as a step of its own (enum operation: STORE; failure_order: ORDER_PLAIN, see
 * graphs_is_deferred). It is added at once: a step of another thread in between would change nothing. What is wrong with it,
 * if anything, is said by the next `advance`. */
void explore_graphs_store(struct explorer *e, const struct port_action *a);

/* What has to be known about memory from the beginning of every execution on, for plain accesses that are steps, and for rounds
 * of loops: if it is found out late (explore_graphs_find_out), the execution ends, and everything begins again. */
enum graphs_fact {
    GRAPHS_BOUNDARY = 1, /* some access begins or ends here, so that ranges are cut here */
    /* The eight bytes here are a thread's own by their place, but others access them */
    GRAPHS_SHARED = 2,
    /* At 0: a thread that knew of steps of others, but was not ordered after them, wrote plainly where atomic accesses were */
    GRAPHS_OVERWRITTEN = 3,
    GRAPHS_VISITED = 4, /* at the number of a thread: others access its stack */
    /* Atomic accesses of different sizes overlap. At a multiple of 16: in the 16 bytes from here on; elsewhere: some write to such
     * memory begins or ends here */
    GRAPHS_CUT = 5,
    /* at 0: a thread makes use of what it finds on the clock, so that it matters how much time has passed */
    GRAPHS_TIMED = 6,
    GRAPHS_MARKED = 7, /* at 0: what happens before marks matters */
    /* At the address of a location, with an order of loads: some of these wait in loops */
    GRAPHS_AWAITED = 8,
    /* At the number of a kind of things outside of memory: threads use it without order, so that its uses are steps */
    GRAPHS_OUTSIDE = 9,
};
/* Do atomic accesses of different sizes overlap anywhere, as far as is known? */
bool explore_graphs_has_mixed(const struct explorer *e);
bool explore_graphs_knows(const struct explorer *e, enum graphs_fact fact, uint64_t address);
void explore_graphs_find_out(struct explorer *e, enum graphs_fact fact, uint64_t address);

/* With `returns`: the thread accesses memory plainly, or, if there is no size, has an effect that is not seen in full. */
void explore_graphs_plain_access(struct explorer *e, uint32_t thread, uint64_t address, size_t size);
/* Was there no use of it in explorations before this one? */
bool explore_graphs_is_unread(const struct explorer *e, uint64_t address, size_t size);
/* A plain write by an update that makes no other use of what it finds: no part of the thread's state. */
void explore_graphs_plain_count(struct explorer *e, uint32_t thread, uint64_t address, size_t size);

#endif
