/* SPDX-License-Identifier: Apache-2.0 */
/* An execution of a test as it might have come out of an explorer: operations, the steps of their threads, what each
 * read reads and the order of the writes of each location. Sketches are made at random or by hand, turned into execution
 * graphs, and judged slowly. */
#ifndef TESTS_ORACLE_SKETCH_H
#define TESTS_ORACLE_SKETCH_H

#include "graph/model.h"
#include "oracle/oracle.h"

enum {
    SKETCH_EVENTS = 128,
    SKETCH_OPS = 10,
    SKETCH_LOCATIONS = 3,
    SKETCH_THREADS = 6, /* main is thread 0 */
    SKETCH_INITIAL = -1,
};

enum sketch_kind {
    SKETCH_CALL,
    SKETCH_RETURN,
    SKETCH_READ,
    SKETCH_WRITE,
    SKETCH_UPDATE,
    SKETCH_FENCE,
    SKETCH_CREATE,
    SKETCH_BEGIN,
    SKETCH_END,
    SKETCH_JOIN
};

struct sketch_event {
    uint8_t kind, thread, location, order;
    uint8_t other; /* CALL, RETURN: the operation; CREATE, JOIN: the thread */
    int16_t from;  /* READ, UPDATE: event, or SKETCH_INITIAL */
};

struct sketch_op {
    const char *name;
    plumb_value arg, result;
    uint8_t thread, object;
    bool called, returned;
};

enum sketch_ending { SKETCH_ENDED, SKETCH_STUCK, SKETCH_CUT };

struct sketch {
    const char *spec;
    enum sketch_ending ending;
    uint32_t op_count, count;
    struct sketch_op ops[SKETCH_OPS];
    struct sketch_event events[SKETCH_EVENTS];   /* those of a thread in program order; causes first */
    uint8_t mo[SKETCH_LOCATIONS][SKETCH_EVENTS]; /* writes and updates of each location, in order */
    uint32_t mo_count[SKETCH_LOCATIONS];
};

/* The graph of the execution of a client that also synchronizes: for each bit b of orders[a], by a location of its own,
 * written after a returns and read before b is called. Null: causes would be their own causes. `orders` null: none.
 * `seed`: in which order of insertion (0: that of the sketch as far as possible). */
struct graph *sketch_graph(const struct sketch *s, const struct memory_model *m, const uint64_t *orders,
                           uint64_t seed);

/* Is it linearizable for every client? By trying all orders that clients could add, with the axioms of the model
 * in full. -1: too many. */
int sketch_holds(const struct sketch *s, const struct memory_model *m, struct plumb_values *values);

/* The same in sequential consistency, by trying all interleavings. */
int sketch_holds_interleaved(const struct sketch *s, struct plumb_values *values);

/* A random one. Sequential: each read finds the last write; else consistent in the model `m`. */
struct sketch_wishes {
    const struct memory_model *model;
    const char *spec;
    uint32_t ops_most, threads_most;
    uint32_t objects;
};
bool sketch_random(struct sketch *s, const struct sketch_wishes *w, struct plumb_values *values,
                   uint64_t *seed);

void sketch_print(const struct sketch *s, const struct plumb_values *values);

#endif
