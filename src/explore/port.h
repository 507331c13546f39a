/* SPDX-License-Identifier: Apache-2.0 */
/* The port between the runner of a program (the engine, the interpreter of litmus tests, a script in tests) and the explorer,
 * which decides which execution comes next. The runner asks; the explorer answers and never looks at the program. */
#ifndef EXPLORE_PORT_H
#define EXPLORE_PORT_H

#include "graph/event.h"
#include "graph/operation.h"

#include <stdbool.h>
#include <stdint.h>

/* The next step of a thread. Threads are numbered from 0 in the order of creation. Explorers of schedules need
 * only the first four; explorers of graphs need all. */
struct port_action {
    /* The address of the location or object; JOIN: the thread waited for; CREATE: nothing */
    uint64_t address;
    uint16_t thread;
    uint8_t kind; /* enum event_kind; UPDATE for a CAS that may fail */
    uint8_t size;
    uint8_t order, failure_order; /* enum memory_order_tag */
    uint8_t operation;            /* enum operation */
    uint8_t flags;                /* enum port_flag */
    /* PORT_SPINS, PORT_FOLDS: so many last reads of the thread were the round that led nowhere */
    uint32_t round;
    /* PORT_FOLDS: the round read nothing plainly but what is its thread's own */
    bool only_atomic;
    /* PORT_FOLDS: the thread is where it was, with all that matters, not where it would be had it found something else */
    bool same;
    /* A load, or an update that always writes: the thread makes no use of what it finds */
    bool unused;
    /* The thread has accessed nothing plainly since its step before, and had no other effect */
    bool quiet;
    /* The thread is in the midst of something that happens as a whole: it does not stop forever here */
    bool within;
    /* A load that its thread repeats until its patience ends: it may as well find what the one before found */
    bool patient;
    /* A thread beyond a bound of the runner: executions in which the read finds something else are not asked for */
    bool sticky;
    /* Hash of all that decides what the thread does next, but for what it finds; 0: not known */
    uint64_t state;
    /* The same of what is still of use to it, with the plain memory that it changed and did not restore: two arrivals of a
     * thread with the same number are one state (docs/internals/explore/loops.md); 0: not known */
    uint64_t live;
    event_word operand, expected; /* CREATE, JOIN, END: see below */
};

/* CREATE: `operand` is the same for threads that do the same (0: this one is like no other). JOIN: `operand` is 1 if what the
 * thread returned is wanted. Both: `expected` is 1 if the thread accessed nothing since its step before. END: `operand` is 1 if
 * the process ends with it, whatever the other threads were about to do. */

enum port_flag {
    PORT_LIMITED = 1,  /* a wait with a time limit: stuck there is not stuck forever */
    PORT_ASSUMES = 2,  /* when impossible, this execution does not exist */
    PORT_WEAK = 4,     /* a CAS that may fail for no reason */
    PORT_BOUNDED = 32, /* the thread has met a bound of the runner: it goes no further */
    PORT_FAILED = 64,  /* and so, with PORT_BOUNDED, does one that made an error */
    /* A synchronization object: another location than memory of the same address */
    PORT_OBJECT = 16,
    /* Its last reads were a round that need not have happened: executions without it cover this one */
    PORT_FOLDS = 128,
    /* The thread is in a loop that only waits: it is where it was before its last reads */
    PORT_SPINS = 8,
};

/* How an execution ended. */
enum port_outcome {
    PORT_COMPLETE, /* every thread finished */
    PORT_BLOCKED,  /* the rest waits forever (spin loops, deadlock) */
    PORT_ERROR,    /* an error was found */
    PORT_CUT,      /* a bound was met */
};

enum { PORT_STOP = 0xffffffff };

/* What `advance` decided. */
struct port_answer {
    bool reads; /* the location holds `found` when the step looks */
    event_word found;
    /* CREATE: the number of the new thread; operation_picks: the pick, OPERATION_NO_PICK: none; PORT_STOP_LIMIT: whose
     * step met it, if any one did */
    uint32_t thread;
    bool fails; /* PORT_WEAK: although it finds what it expects */
    /* The thread's recorded steps change something after this one: it is not waiting so far */
    bool effect_ahead;
    enum port_stop {
        /* Nothing is wrong, but this execution goes nowhere (stale reads, assumptions) */
        PORT_STOP_BLOCKED,
        PORT_STOP_STUCK, /* what is left waits forever */
        /* The program did something else than before: not a function of its schedule */
        PORT_STOP_DIVERGED,
        PORT_STOP_LIMIT, /* a bound or something unsupported was met: see the explorer */
        /* An error stopped a thread earlier than before: after a race, that depends on the order */
        PORT_STOP_FAILED,
        PORT_STOP_FOLDED, /* another execution covers this one */
        /* A thread was to stop forever: all others have ended, but for those that wait for its end */
        PORT_STOP_OTHERS_ENDED,
    } why;
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

    /* Explorers of graphs only (null otherwise): decides the next step and what it finds. `next` are the
     * next steps of threads, by number; `waiting` has a bit for each that has not ended, `running` went last. The answer
     * is a thread, or PORT_STOP. */
    uint32_t (*advance)(struct explorer *e, const struct port_action *next, uint64_t waiting,
                        uint32_t running, struct port_answer *answer);
    /* Theirs only, too: does the wait with a time limit expire that the running thread comes to? */
    bool (*expires)(struct explorer *e);
};

struct explorer {
    const struct explorer_class *class;
    /* Set by the runner for explorers of graphs: what the location of `step` holds when no step has touched it before. */
    event_word (*peek)(void *context, const struct port_action *step);
    void *peek_context;
};

/* A recorded execution: every answer given by choose (as a thread) and branch, in order. */
struct schedule_step {
    uint16_t kind; /* enum schedule_kind */
    uint16_t answer;
};

/* What the answer is, with the letter that marks it in files. The first two are all that schedules need. */
#define SCHEDULE_KINDS(X)                                                                         \
    X(THREAD, "")   /* who goes on */                                                             \
    X(BRANCH, "b")  /* the way taken */                                                           \
    X(READS, "r")   /* the step (from 1; 0: none) whose write the step before reads */            \
    X(FOLLOWS, "f") /* the step whose write comes right before that of the step before */         \
    X(PICKS, "w")   /* which of several the step before picks: the thread it wakes, or creates */ \
    X(FAILS, "x")   /* the step before, a weak CAS, fails for no reason */                        \
    X(KNOWS, "k")   /* a quarter of what is known about memory, before everything else */         \
    X(STOP, "s")    /* no thread goes on: enum port_stop */

enum schedule_kind {
#define X(name, letter) SCHEDULE_##name,
    SCHEDULE_KINDS(X)
#undef X
        SCHEDULE_KIND_COUNT
};

#endif
