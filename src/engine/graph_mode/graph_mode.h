/* SPDX-License-Identifier: Apache-2.0 */
/* Executions in which an explorer of graphs decides who goes on and what every step finds: before a thread takes
 * its step, memory is made to hold what the step is to find. Happens-before comes from the graph, too. */
#ifndef ENGINE_GRAPH_MODE_H
#define ENGINE_GRAPH_MODE_H

#include "engine/engine.h"
#include "graph/graph.h"

struct thread;

/* Called once, when the explorer is one of graphs. */
void graph_mode_prepare(void);
void graph_mode_begin(void); /* an execution begins */

/* Thread 0 begins, with nothing done yet: which thread stops forever in this execution, and where? Not thread 0 of a test. */
void graph_mode_choose_stop(bool is_test);

/* Leaves the execution so far in the shared memory, as a schedule; of a replay, what is needed to show it. */
void graph_mode_record(void);

/* In a replay: the event of the trace, from 1, that an event of the graph is. 0: there is none, or it was not kept. */
uint32_t graph_mode_event_of(uint32_t event);

/* In a replay: the explorer has decided on a step. */
extern bool graph_mode_relates ENGINE_HIDDEN;
void graph_mode_note_step(void);
void graph_mode_forget_steps(void); /* of the execution before */

/* Which thread goes on; its step finds what it should. Does not return when the execution is over. */
uint32_t graph_mode_choose(void);

/* The current thread is about to access memory of at most eight bytes. If that is recorded and can be repeated right away:
 * its event, to make memory hold what it finds. Null: it is a step like others. */
const struct graph_event *graph_mode_repeat(struct graph_label label, unsigned size, uint64_t address,
                                            uint64_t operand, uint64_t expected, const void *pc);

/* Only where it differs: constants are in memory that cannot be written. */
#define GRAPH_MODE_PUT(size)                                            \
    do {                                                                \
        if (__builtin_memcmp((const void *)address, &value, size) != 0) \
            __builtin_memcpy((void *)address, &value, size);            \
    } while (0)
static inline __attribute__((always_inline)) void graph_mode_put(uint64_t address, unsigned size,
                                                                 event_word value)
{
    switch (size) {
    case 1: GRAPH_MODE_PUT(1); break;
    case 2: GRAPH_MODE_PUT(2); break;
    case 4: GRAPH_MODE_PUT(4); break;
    case 8: GRAPH_MODE_PUT(8); break;
    default: GRAPH_MODE_PUT(size);
    }
}

/* The current thread is about to take a step that needs no waiting: notices loops that only wait. */
void graph_mode_arrive(const void *pc);

/* engine_atomic */
void graph_mode_atomic(enum event_kind kind, uint64_t address, unsigned size, unsigned order, uint64_t before,
                       uint64_t value, const void *pc);

/* As engine_wait_limited: whether the limit expires is decided first. */
bool graph_mode_wait_limited(enum event_kind kind, uint64_t address, bool (*ready)(void *object),
                             void *object, const void *pc);

/* The current thread is about to access memory plainly, or to do something else than that. */
void graph_mode_plain(uint64_t address, size_t size, bool writes, const void *pc);
/* A plain read, while rounds of loops may be removed: is it part of an update, and nothing else is done with what it finds? */
bool graph_mode_only_updates(struct thread *t, uint64_t address, size_t size, const void *pc);
/* The running thread accesses memory, or, of no size, has an effect. */
void graph_mode_note_access(uint64_t address, size_t size);
/* What the running thread did is an event: rounds that only wait end with it. */
void graph_mode_note_event(void);

void graph_mode_settle(void);
void graph_mode_settle_write(void); /* there is one */

/* The current thread is about to write plainly what is not on its stack, having done nothing with an effect since its last read. */
void graph_mode_note_plain_write(struct thread *t, uint64_t address, size_t size, const void *pc);

/* The current thread knows of steps of others, but is not ordered after them, and writes. */
void graph_mode_note_exposed_write(uint64_t address, size_t size, bool atomic);

/* Which parts of memory have locations of the graph, by a few bits of the address, for nearly all plain accesses
 * concern none; whether a plain write to one is still to be reported; and whether the clock of the current thread is
 * still to be learned, for most steps are followed by no plain access. */
enum { GRAPH_MODE_FILTER = 1 << 13 };
struct graph_mode_interest {
    size_t unsettled;
    bool clock_unknown;
    bool all; /* all of it (plain_steps.h) */
    /* With folding, bits: threads of whose steps the current one knows more than it is ordered after */
    uint64_t exposed_to;
    /* No thread has accessed anything but atomic variables and its own stack */
    bool shares_nothing;
    bool shares_stacks; /* a thread has accessed what is on the stack of another */
    bool states;        /* of threads are part of the description of their steps */
    uint64_t filter[GRAPH_MODE_FILTER / 64];
};
extern struct graph_mode_interest graph_mode_interest ENGINE_HIDDEN;

void graph_mode_show_interest(uint64_t address, size_t size);

/* The place of the thread's last access there, of those that are steps; 0: the trace does not go back so far. */
struct graphs_access;
uint64_t graph_mode_find_place(const struct graphs_access *access);

void graph_mode_find_clock(void);
static inline void graph_mode_learn_clock(void)
{
    if (graph_mode_interest.clock_unknown)
        graph_mode_find_clock();
}

/* The execution is run again: something is looked at from now on that was not before. */
_Noreturn void graph_mode_run_again(void);

/* The current thread accesses the stack of another for the first time: the execution is run again, in which plain
 * accesses to stacks are looked at like all others. */
_Noreturn void graph_mode_share_stacks(void);

/* Another thread accesses the stack of this one, perhaps for the first time. Does it ever? */
void graph_mode_note_visit(uint32_t thread);
bool graph_mode_is_visited(uint32_t thread);

void graph_mode_shares(void); /* something else is shared, or may be */

/* May a location of the graph be there? */
static inline bool graph_mode_has_location(uint64_t address, size_t size)
{
    if (size > 64)
        return true;
    for (uint64_t g = address >> 3; g <= (address + size - 1) >> 3; g++)
        if (graph_mode_interest.filter[g / 64 % (GRAPH_MODE_FILTER / 64)] >> g % 64 & 1)
            return true;
    return false;
}

/* Is one there, or a part of it? */
bool graph_mode_is_location(uint64_t address, size_t size);

static inline bool graph_mode_concerns(uint64_t address, size_t size)
{
    return graph_mode_interest.unsettled || graph_mode_interest.all || graph_mode_interest.exposed_to ||
           graph_mode_has_location(address, size);
}

#endif
