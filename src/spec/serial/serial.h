/* SPDX-License-Identifier: Apache-2.0 */
/* The serial histories of one test: what its operations answer when they run one after the other. A specification that
 * does not have to be written (Line-Up, phase 1); spec_derived makes a plumb_spec of them.
 *
 * They are a tree. An edge says which thread went on, with the next of its operations, and what that answered. A thread
 * that waits forever is noted where it does. Once complete, the tree is folded: places with equal futures become one. */
#ifndef SPEC_SERIAL_H
#define SPEC_SERIAL_H

#include "base/hash.h"
#include "base/vec.h"
#include "history/history.h"

#include <plumb/value.h>
#include <plumb/spec.h>

enum { SERIAL_THREADS_MAX = 64, SERIAL_ROOT = 0 };
#define SERIAL_NOWHERE UINT32_MAX
#define SERIAL_NO_THREAD UINT32_MAX

/* An operation of the test. */
struct serial_op {
    const char *name;
    plumb_value arg; /* PLUMB_OK: none */
};

struct serial_thread {
    /* 0: the one that runs what comes first and last; columns are numbered from 1 */
    uint32_t name;
    VEC(struct serial_op) ops;
};

struct serial_step {
    uint32_t thread; /* index */
    plumb_value result;
};

struct serial_edge {
    plumb_value result;
    uint32_t thread, to, next;
};

struct serial_node {
    uint64_t waits; /* bit t: the next operation of thread t waits forever */
    uint32_t edges; /* the first, or SERIAL_NOWHERE */
    uint32_t ends;  /* 1: a history is complete here */
};

struct serials {
    struct plumb_values *values; /* of arguments and results; not owned */
    VEC(struct serial_thread) threads;
    VEC(struct serial_node) nodes; /* a node comes before those it leads to */
    VEC(struct serial_edge) edges;
    uint64_t complete, stuck; /* different histories */
};

void serials_init(struct serials *s, struct plumb_values *values);
void serials_free(struct serials *s);

/* Threads first, each with its operations in order; names have to stay. */
uint32_t serials_add_thread(struct serials *s, uint32_t name);
/* The one of this name, or SERIAL_NO_THREAD. */
uint32_t serials_find_thread(const struct serials *s, int64_t name);
void serials_add_op(struct serials *s, uint32_t thread, const char *name, plumb_value arg);

/* One history; `waiting`: who waited forever at its end, or SERIAL_NO_THREAD. True: it is new. */
bool serials_add(struct serials *s, const struct serial_step *steps, size_t count, uint32_t waiting);

/* Where the thread's next operation leads, with this result (PLUMB_ANY: the choice-th one); SERIAL_NOWHERE: nowhere. */
uint32_t serials_follow(const struct serials *s, uint32_t node, uint32_t thread, plumb_value result,
                        unsigned choice, plumb_value *answer);

/* Merges places with equal futures; nothing can be added any more. */
void serials_fold(struct serials *s);

/* The first place where one and the same operation may answer differently, or answer or wait: two histories that differ in
 * their last operation only. */
struct serial_difference {
    VEC(struct serial_step) before;
    uint32_t thread;
    plumb_value first, second;
    bool second_waits;
};
bool serials_find_difference(const struct serials *s, struct serial_difference *d);

/* Calls `visit` with every history. */
typedef void serials_visitor(void *context, const struct serial_step *steps, size_t count, uint32_t waiting);
void serials_visit(const struct serials *s, serials_visitor *visit, void *context);

/* The specification that the serial histories of a test are. It distinguishes operations by the thread that calls
 * them: each thread calls those of the test, in their order. */
#define SPEC_DERIVED_NAME "serial run"

/* The specification of `s`, which stays in use; there is one at a time. Threads of `h` are known by their
 * names, integers as in the test. */
const struct plumb_spec *spec_derived(const struct serials *s, struct history *h);

#endif
