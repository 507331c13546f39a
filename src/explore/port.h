/* SPDX-License-Identifier: Apache-2.0 */
/* The port between whoever runs a program (the engine, or a script in tests) and whoever decides which
 * execution comes next. The runner asks; the explorer answers and never looks at the program. */
#ifndef EXPLORE_PORT_H
#define EXPLORE_PORT_H

#include "graph/event.h"

#include <stdbool.h>
#include <stdint.h>

/* The next step of a thread that can take it. Threads are numbered from 0 in the order of creation. */
struct port_action {
    uint64_t address;
    uint16_t thread;
    uint8_t kind; /* enum event_kind */
    uint8_t size;
};

/* How an execution ended. */
enum port_outcome {
    PORT_COMPLETE, /* every thread finished */
    PORT_BLOCKED,  /* the rest waits for ever (spin loops, deadlock) */
    PORT_ERROR,    /* an error was found */
    PORT_CUT,      /* a bound was met */
};

struct explorer;

struct explorer_class {
    const char *name;

    /* Starts the next execution. False: all wanted executions are done. */
    bool (*begin)(struct explorer *e);

    /* Which of `count` >= 1 enabled actions (ascending by thread) happens now. `running`: index of the thread that took
     * the last step, or UINT32_MAX when it cannot go on. Asked only when count >= 2. */
    uint32_t (*choose)(struct explorer *e, const struct port_action *enabled, uint32_t count,
                       uint32_t running);

    /* A choice of the program itself (does the timed wait expire? does the weak CAS fail?): 0 .. ways - 1; 0 is
     * the ordinary course. */
    uint32_t (*branch)(struct explorer *e, uint32_t ways);

    void (*end)(struct explorer *e, enum port_outcome outcome);
    void (*destroy)(struct explorer *e);
};

struct explorer {
    const struct explorer_class *class;
};

/* A recorded execution: every answer given by choose (as a thread) and branch, in order. */
struct schedule_step {
    uint16_t is_branch;
    uint16_t answer; /* thread, or way */
};

#endif
