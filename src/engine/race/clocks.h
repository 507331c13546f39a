/* SPDX-License-Identifier: Apache-2.0 */
/* Happens-before of one execution, by vector clocks, and the races it exposes. Knows nothing of fibers or
 * schedules: fed with events in the order in which they happen.
 *
 * Rules (C11 as in RC11, synchronizes-with with C++20 release sequences): a release store or RMW publishes the
 * thread's clock in the location's message; a relaxed store publishes the clock of the last release fence;
 * an RMW continues the message it read; an acquire load takes the message, a relaxed one keeps it for the next
 * acquire fence. Plain accesses that are not ordered by happens-before, at least one of them a write, race;
 * so do a plain and an atomic access, at least one of them a write. Locks, create, join and the like use sync objects.
 *
 * All state is of one execution: clocks_reset is cheap (stamps, no clearing). */
#ifndef ENGINE_CLOCKS_H
#define ENGINE_CLOCKS_H

#include "graph/event.h"

#include <stdbool.h>
#include <stddef.h>

enum { CLOCKS_THREADS_MAX = 64 };

struct clocks;

struct clocks *clocks_create(void);
void clocks_destroy(struct clocks *c);
void clocks_reset(struct clocks *c); /* a new execution begins with thread 0 */

/* Thread `child` begins with what `parent` has done so far. */
void clocks_fork(struct clocks *c, uint32_t parent, uint32_t child);
/* `waiter` learns everything `ended` did. */
void clocks_join(struct clocks *c, uint32_t waiter, uint32_t ended);

/* Mutexes and other objects, by address: release publishes, acquire takes all that was published there. */
void clocks_acquire(struct clocks *c, uint32_t thread, uint64_t object);
void clocks_release(struct clocks *c, uint32_t thread, uint64_t object);

/* Two accesses that race; `first` happened earlier in this execution. */
struct race {
    uint64_t address;
    uint32_t first_thread, second_thread;
    uint64_t first_pc, second_pc;
    bool first_writes, second_writes, first_atomic, second_atomic;
    bool first_allocates; /* the first is the allocation of the block */
    bool second_uses;     /* the second is the use of a synchronization object */
    uint8_t first_size, second_size;
};

/* From now on an access that races is recorded, too, and clocks_next_race returns the others it races with. Otherwise an
 * execution is of no use after a race. */
void clocks_go_on(struct clocks *c);
bool clocks_next_race(struct clocks *c, struct race *r);

/* Each returns false when the access races with an earlier one; *r says with which. */
bool clocks_plain(struct clocks *c, uint32_t thread, uint64_t address, size_t size, bool writes, uint64_t pc,
                  struct race *r);
/* An atomic access: `kind` is EVENT_READ, EVENT_WRITE, EVENT_UPDATE or EVENT_CAS_FAILED. */
bool clocks_atomic(struct clocks *c, uint32_t thread, enum event_kind kind, uint64_t address, size_t size,
                   unsigned order, uint64_t pc, struct race *r);
void clocks_fence(struct clocks *c, uint32_t thread, unsigned order);

/* For executions whose happens-before is known otherwise: `events` says for each thread how many of its events happen
 * before the thread's next one, or are its own so far; accesses made now come after them. `width` is a multiple of 4,
 * and there is nothing of threads above. Then atomic accesses leave nothing here, and fences, locks and the like
 * stay out: happens-before alone decides about them.
 *
 *     void clocks_set(struct clocks *c, uint32_t thread, const uint16_t *events, uint32_t width);
 *
 * is in clocks_quick.h, to be inlined. */

/* Does an atomic access that leaves nothing race with an earlier plain one? False when it does. */
bool clocks_check_atomic(struct clocks *c, uint32_t thread, uint64_t address, size_t size, bool writes,
                         uint64_t pc, struct race *r);

/* The same, of a synchronization object's use. If it is `noted` it counts as a read of the first byte: an access that
 * frees or destroys the object has to be ordered after it. */
bool clocks_use_object(struct clocks *c, uint32_t thread, uint64_t address, size_t size, bool noted,
                       uint64_t pc, struct race *r);

/* The same, of an atomic access that leaves a record: where plain accesses are events. It is the thread's last event,
 * or the `next`. */
bool clocks_record_atomic(struct clocks *c, uint32_t thread, uint64_t address, size_t size, bool writes,
                          bool next, uint64_t pc, struct race *r);

/* The thread's clock; an event of `other` at `clock` happens before what the thread does now. */
int32_t clocks_now(struct clocks *c, uint32_t thread);
bool clocks_includes(struct clocks *c, uint32_t thread, uint32_t other, int32_t clock);

/* Did any byte of it get written in this execution? */
bool clocks_was_written(struct clocks *c, uint64_t address, size_t size);
/* By something else than plain writes at `pc`, or than any? */
#define CLOCKS_ANY_PLAIN (UINT64_MAX - 1)
bool clocks_was_written_elsewhere(struct clocks *c, uint64_t address, size_t size, uint64_t pc);

/* Memory that was freed and is given out again starts afresh. */
void clocks_forget(struct clocks *c, uint64_t address, size_t size);

#endif
