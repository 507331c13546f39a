/* SPDX-License-Identifier: Apache-2.0 */
/* Every execution graph of a program exactly once: TruSt (Kokologiannakis, Marmanis, Gladstein, Vafeiadis,
 * POPL 2022), with rules for locks and awaits. docs/internals/graphs.md has the algorithm and its invariants. */
#ifndef EXPLORE_GRAPHS_H
#define EXPLORE_GRAPHS_H

#include "explore/port.h"
#include "graph/graph.h"
#include "graph/model.h"

struct graphs_settings {
    const struct memory_model *model;
    uint64_t executions_max; /* 0: any number; then the exploration ends with `was_bounded` */
    bool symmetry;           /* of executions that differ only in the names of equal threads, one */
    bool base_rule_only;     /* blocked reads are ordinary reads: for tests */
    bool weak_cas;           /* what has PORT_WEAK may fail for no reason */
    /* Every plain read of what another thread wrote is told with explore_graphs_plain_found (or there are none).
     * Otherwise a loop that waits is known to wait in vain only for one past of the value it finds: more blocked executions. */
    bool plain_reads_noted;
    bool fold_unknowing;     /* PORT_FOLDS counts only where the round told the thread nothing about others */
    uint64_t scheduler_seed; /* 0: lowest thread first; else a random order of insertion, for tests */
};

struct graphs_counts {
    uint64_t complete;  /* graphs in which every thread ended */
    uint64_t blocked;   /* graphs that went nowhere */
    uint64_t folded;    /* graphs that others cover: PORT_FOLDS */
    uint64_t stuck;     /* what is left waits for ever */
    uint64_t revisits;  /* frames made by backward revisits */
    uint64_t dead_ends; /* alternatives that no consistent graph continues; never run */
    uint64_t replays;   /* executions begun */
    uint64_t restarts;  /* everything begun again: an address turned out not to be a mutex only */
    bool folded_news;   /* a folded round told its thread something about others */
    bool weak, seq_cst; /* there were such accesses, or seq_cst fences */
};

struct explorer *explore_graphs(const struct graphs_settings *settings);

const struct graphs_counts *explore_graphs_counts(const struct explorer *e);

bool explore_graphs_was_bounded(const struct explorer *e); /* executions_max was met */

/* The last execution was broken off, because something was learnt in it about loops that wait, and is begun again with
 * that: it does not count. */
bool explore_graphs_repeats(const struct explorer *e);

void explore_graphs_again(struct explorer *e); /* the running execution begins once more */

/* The graph of the running, or last, execution. */
const struct graph *explore_graphs_current(const struct explorer *e);

/* Objects are locations of their own in it: no address of memory has this bit. */
#define GRAPHS_OBJECT (UINT64_C(1) << 63)

/* The next step of a thread is this access to memory, of at most eight bytes. Null: ask `advance`. Otherwise it is the next
 * recorded step of the thread, it is `foretold` that the thread changes something with it or later, and it has just
 * been repeated; the event is its first. */
struct graphs_step {
    struct graph_label label;
    uint16_t thread;
    uint8_t size;
};
struct graphs_repeated {
    const struct graph_event *event;
    bool foretold; /* so is the next one */
};
struct graphs_repeated explore_graphs_repeat(struct explorer *e, struct graphs_step step, uint64_t address,
                                             uint64_t operand, uint64_t expected);

/* What a thread does next depends on what it has found. While threads share nothing but atomic variables that is what
 * its events found: then what each did is remembered, and an execution that consists of such steps need not be run.
 * The runner says that it is so, or is no longer. */
void explore_graphs_remember(struct explorer *e, bool remember);
bool explore_graphs_learns(const struct explorer *e);       /* is `state` of use in this execution? */
size_t explore_graphs_remembered(const struct explorer *e); /* how many steps */
/* After `begin`: goes on with what is remembered. True: to the end, and nothing is to be run; false: run it as ever. */
bool explore_graphs_foresee(struct explorer *e, uint64_t steps_max, enum port_outcome *outcome);

/* What happens before the next step of a thread: for each thread, how many of its events, its own included. For races.
 * `width`: how many threads are told about, a multiple of 4; there is nothing of others. */
const uint16_t *explore_graphs_clock(const struct explorer *e, uint32_t thread, uint32_t *width);

/* The threads (bits) with steps that are causes of the thread's next step and do not happen before it; and of one of
 * them, which: events [from, to) in its order. */
uint64_t explore_graphs_exposed(const struct explorer *e, uint32_t thread);
void explore_graphs_exposed_to(const struct explorer *e, uint32_t thread, uint32_t other, uint32_t *from,
                               uint32_t *to);

/* The number among the events of a thread of the first of its last reads, and of its next step. How many events of
 * another thread are causes of its last step. */
uint32_t explore_graphs_position(const struct explorer *e, uint32_t thread, uint32_t reads);
uint32_t explore_graphs_known(const struct explorer *e, uint32_t thread, uint32_t other);
/* The same, of events that can be causes of what others do (others than reads, that is): of the thread so far, and of another
 * one. A plain access is between two of them, wherever reads are folded. */
uint32_t explore_graphs_told(const struct explorer *e, uint32_t thread);
uint32_t explore_graphs_known_telling(const struct explorer *e, uint32_t thread, uint32_t other);

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
/* Has another thread taken a step at the synchronization object that does not happen before the next step of the thread?
 * Then *user is that thread. */
bool explore_graphs_object_in_use(const struct explorer *e, uint32_t thread, uint64_t address,
                                  uint32_t *user);
/* Where the value comes from that the last step of the thread, an atomic access, has read. */
enum graphs_source { GRAPHS_FROM_STEP, GRAPHS_FROM_PLAIN_WRITE, GRAPHS_FROM_INITIAL };
enum graphs_source explore_graphs_source(const struct explorer *e, uint32_t thread);

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

/* A plain write that has happened, as a step of its own (enum operation: STORE; failure_order: ORDER_PLAIN, see
 * graphs_is_told). It is added at once: whoever went on in between would change nothing. What is wrong with it, if anything,
 * is said by the next `advance`. */
void explore_graphs_store(struct explorer *e, const struct port_action *a);

/* What has to be known about memory from the beginning of every execution on, for plain accesses that are steps:
 * whoever finds it out late (explore_graphs_find_out) ends the execution, and everything begins again. */
enum graphs_fact {
    GRAPHS_BOUNDARY = 1, /* some access begins or ends here, so that ranges are cut here */
    GRAPHS_SHARED = 2,   /* the eight bytes here are a thread's own by their place, but others access them */
};
bool explore_graphs_knows(const struct explorer *e, enum graphs_fact fact, uint64_t address);
void explore_graphs_find_out(struct explorer *e, enum graphs_fact fact, uint64_t address);

/* A plain read of the thread found something that another thread wrote: a hash of address and value. */
void explore_graphs_plain_found(struct explorer *e, uint32_t thread, uint64_t hash);

/* The running execution so far, to be followed later. The number of steps, of which at most `room` were stored. */
uint32_t explore_graphs_schedule(const struct explorer *e, struct schedule_step *steps, uint32_t room);
/* The same execution in the order in which it is best told: few reads of something else than the newest write, few
 * switches. `causes_only`: only its last event and what that depends on. 0: too long for this, or for `room`. */
uint32_t explore_graphs_best_schedule(const struct explorer *e, bool causes_only, struct schedule_step *steps,
                                      uint32_t room);
struct explorer *explore_graphs_follow(const struct memory_model *model, const struct schedule_step *steps,
                                       uint32_t count);
bool explore_graphs_diverged(
    const struct explorer *e); /* the program did something else than the recorded one */

/* What the graph says about a step of the running execution. Steps are numbered from 1 in the order in which they happened;
 * 0: the initial value, or nothing. */
struct graphs_relation {
    uint32_t thread;
    bool reads, writes;
    bool plain;      /* a plain write, not a step of its own */
    uint32_t source; /* reads: what it reads from */
    uint32_t newest; /* reads, writes: the newest write of the location so far, this one included */
    uint32_t place;  /* writes: in the modification order of the whole execution, from 1 */
    uint32_t
        before[GRAPH_THREADS_MAX]; /* the last step of each thread that happens before it; its own: itself */
};
uint32_t explore_graphs_step_count(const struct explorer *e);
void explore_graphs_relate(const struct explorer *e, struct graphs_relation *relations); /* by number - 1 */

/* The program asked for something that is different for threads that do the same (`thread` is one of them): its number,
 * say. Symmetry is of no use then. */
/* When the execution is told, operation a returns before b is called, by bit b of row a (numbers below 64). Null: nobody
 * minds. Must stay. */
void explore_graphs_set_client(struct explorer *e, const uint64_t *precedes);

void explore_graphs_tells_apart(struct explorer *e, uint32_t thread);

bool explore_graphs_gave_up_symmetry(const struct explorer *e); /* it was asked for, and was of no use */

/* What made `advance` answer PORT_STOP_LIMIT or PORT_STOP_DIVERGED, as a phrase; null: nothing. */
#define GRAPHS_MIXED_SIZES "mixed-size atomics"
const char *explore_graphs_limit(const struct explorer *e);

/* Gives away part of the work: the oldest alternative not yet taken, as bytes that explore_graphs_take accepts in
 * another process running the same program. 0: nothing to give. The buffer is the explorer's. */
size_t explore_graphs_give(struct explorer *e, const void **bytes);
bool explore_graphs_take(struct explorer *e, const void *bytes, size_t size);
size_t explore_graphs_left(const struct explorer *e); /* how many alternatives are not yet taken */

/* Which addresses are under the rule for mutexes has to be the same for all who share work. An explorer tells what it
 * knows about synchronization objects (`changes` goes up when there is news) and is told when another one knows better:
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

/* All work that is left, for a checkpoint: `give` repeated without forgetting it, and what was learnt about loops that
 * wait. Between two executions: the running one is not included. */
size_t explore_graphs_save(struct explorer *e, const void **bytes);

/* Estimate of the number of executions from random descents: mean and standard error of `samples` so far; the
 * explorer must have been made for this (scheduler_seed != 0 plays no role). */
struct explorer *explore_graphs_estimate(const struct graphs_settings *settings, uint64_t seed,
                                         uint64_t samples);
void explore_graphs_estimated(const struct explorer *e, double *mean, double *error);

#endif
