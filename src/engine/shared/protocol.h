/* SPDX-License-Identifier: Apache-2.0 */
/* What the tool and a worker process share: one memory file, mapped by both. The tool fills in `config` and starts
 * the program under test with its descriptor number in the environment variable PLUMB_WORKER; the worker fills in
 * the rest as it goes, so that whatever happens to it, the tool finds the execution that was running. */
#ifndef ENGINE_PROTOCOL_H
#define ENGINE_PROTOCOL_H

#include "engine/loop/fold.h"
#include "engine/shared/worker_config.h"
#include "explore/graphs.h"
#include "explore/port.h"
#include "graph/compare/conflicts.h"
#include "graph/event.h"
#include "seal/sign_off.h"

#include <stdint.h>

/* text for reports; a stable word for tests and JSON */
#define WORKER_ERRORS(X)                                                        \
    X(NONE, "none", "")                                                         \
    X(RACE, "race", "data race")                                                \
    X(USE_AFTER_FREE, "use-after-free", "use after free")                       \
    X(USE_AFTER_RETURN, "use-after-return", "use of a dead stack frame")        \
    X(DOUBLE_FREE, "double-free", "double free")                                \
    X(BAD_FREE, "invalid-free", "invalid free")                                 \
    X(UNINITIALISED, "uninitialised", "read of uninitialised memory")           \
    X(UNLOCK, "unlock-not-held", "unlock of a mutex that is not held")          \
    X(DESTROY, "destroy-in-use", "destroyed while in use")                      \
    X(MISUSE, "misuse", "wrong use of a synchronization object")                \
    X(DEADLOCK, "deadlock", "deadlock")                                         \
    X(PROGRESS, "not-non-blocking", "not non-blocking")                         \
    X(ASSERT, "assert", "assertion failed")                                     \
    X(ABORT, "abort", "abort")                                                  \
    X(EXCEPTION, "exception", "uncaught exception")                             \
    X(OUT_OF_BOUNDS, "out-of-bounds", "access out of bounds")                   \
    X(UNDEFINED, "undefined", "undefined behaviour")                            \
    X(CRASH, "crash", "crash")                                                  \
    X(STACK_OVERFLOW, "stack-overflow", "stack overflow")                       \
    X(RUNAWAY, "runaway", "a loop that does not end")                           \
    X(LEAK, "leak", "memory is never freed")                                    \
    X(EXIT, "exit", "unexpected exit")                                          \
    X(INVARIANT, "invariant", "an invariant of the harness does not hold")      \
    X(NONDETERMINISTIC, "nondeterministic", "operations are not deterministic") \
    X(NOT_LINEARIZABLE, "not-linearizable", "not linearizable")                 \
    X(POINTS, "ordering-points", "ordering points contradict each other")       \
    X(CONDITION, "condition", "a condition of the specification does not hold") \
    X(SYNC, "synchronization", "a call does not happen before another")

enum worker_error_kind {
#define X(name, word, text) WORKER_ERROR_##name,
    WORKER_ERRORS(X)
#undef X
        WORKER_ERROR_COUNT
};

struct worker_stack {
    uint32_t thread;
    uint32_t count;
    uint64_t pcs[PROTOCOL_STACK]; /* innermost first, return addresses */
};

/* The last round of a thread that goes round forever: its places, each once. */
struct worker_round {
    uint32_t thread, count;
    uint64_t pcs[PROTOCOL_ROUND];
};

/* Why a thread of a deadlock does not go on. */
enum worker_waiting {
    WAITING_AT_STEP,    /* that cannot happen; which one is in `step` */
    WAITING_FOR_LOCK,   /* that `other` holds */
    WAITING_FOR_THREAD, /* `other`, to end */
    WAITING_FOR_WAKE,
    WAITING_IN_ROUND, /* it goes round forever */
    WAITING_IN_SPIN,  /* the same; no other thread changes what it reads */
    WAITING_REFUTED,  /* an assumption does not hold */
    WAITING_AFTER_ERROR,
};

struct worker_wait {
    uint32_t thread, why; /* enum worker_waiting */
    uint32_t other, step; /* step: enum event_kind */
    uint64_t address;     /* of the lock, the condition variable, ...; or 0 */
    uint64_t pc;          /* where it waits */
};

/* A thread that stops forever, for which others should not wait. */
struct worker_victim {
    uint32_t thread;    /* its number and one; 0: none */
    uint32_t step;      /* enum event_kind: the one it would take next */
    uint64_t pc;        /* of its last step; 0: it has taken none */
    char operation[48]; /* of the thread that waits, if it is one of a test; terminated */
};

struct worker_error {
    uint32_t kind;  /* enum worker_error_kind */
    uint32_t phase; /* enum worker_state in which it happened */
    /* 1, or 2 when two threads are involved; of a deadlock as many as wait for each other */
    uint32_t stack_count;
    /* Uninitialised reads: so many bytes of a stack hold what the compiler fills it with, or the program. Out of
     * bounds: so many bytes of the block are unused capacity of a container */
    uint32_t filled;
    uint32_t frees;    /* race: the second access is the free of the block */
    uint64_t address;  /* of what it is about, or 0 */
    char message[512]; /* one sentence, without place */
    char object[96];   /* what is at `address`, if it belongs to a library; or empty */
    struct worker_stack stacks[PROTOCOL_WAITS];
    /* Deadlock: the threads, one that is on a cycle first, each followed by the one it waits for */
    uint32_t wait_count, waits_left_out;
    struct worker_wait waits[PROTOCOL_WAITS];
    uint32_t round_count; /* deadlock: of the threads that go round forever */
    struct worker_round rounds[PROTOCOL_ROUNDS];
    struct worker_victim victim; /* not non-blocking: the thread that stops */
};

/* Where the worker stands; the last value says what it was doing when it died. */
enum worker_state {
    WORKER_STARTING,  /* before the runtime took over */
    WORKER_PREPARING, /* constructors, snapshot */
    WORKER_SETUP,     /* harness set-up */
    WORKER_RUNNING,   /* an execution */
    WORKER_JUDGING,   /* our own code */
    WORKER_DONE,      /* everything asked for was run */
    WORKER_FOUND,     /* stopped at an error */
    WORKER_REFUSED,   /* cannot run: `error.message` says why (no events, no operations, ...) */
    /* Stopped in an execution of which the end is not in sight: `error.message` */
    WORKER_GAVE_UP,
    WORKER_OVERWRITTEN, /* the program wrote over what the runtime keeps: `error.message` */
};

/* With WORKER_REFUSED: what is wrong. */
enum worker_refusal {
    REFUSED_PROGRAM,    /* the program, the harness or the test */
    REFUSED_ANNOTATION, /* a specification in comments */
    REFUSED_CODE,       /* code of such a specification crashed, or did not end */
};

struct worker_module {
    uint64_t base; /* load address */
    char path[248];
};

/* What the graph says about an event. Events are numbered from 1; 0: the initial value, or nothing. */
struct worker_relation {
    uint8_t reads, writes;
    uint8_t stale;                           /* not the newest value is read; not the newest write is made */
    uint8_t source_plain, newest_plain;      /* that write is a plain one, which has no event of its own */
    uint32_t source;                         /* reads: the event that wrote it */
    uint32_t newest;                         /* the newest write of the location so far, this one included */
    uint32_t place;                          /* writes: in the modification order, from 1 */
    uint32_t before[PROTOCOL_GRAPH_THREADS]; /* the last event of each thread that happens before it */
};

/* The same execution, in the order for display. */
enum { DISPLAY_CAUSES, DISPLAY_ALL, DISPLAYS }; /* only the error and its causes; everything */
struct worker_display {
    uint32_t count; /* 0: there is none */
    struct schedule_step schedule[PROTOCOL_DISPLAY];
};

/* Errors with the same cause (engine/error/findings.h), and the shortest execution with one. */
struct worker_finding {
    /* A hash; of a history of its operations and results, the same in every process */
    uint64_t cause;
    uint64_t executions; /* with such an error */
    uint64_t run;        /* the last one counted */
    uint64_t number;     /* of the one that is kept, from 1 */
    uint64_t event_hash; /* of that one, and so on */
    uint64_t steps;
    uint32_t errors_passed; /* errors of other threads came before */
    uint32_t story;         /* where its choices begin in `stories`; UINT32_MAX: they were too many */
    uint32_t choice_count;
    uint32_t place_count;
    uint64_t places[PROTOCOL_PLACES]; /* race: of both accesses; deadlock: where threads wait */
    struct worker_error error;
};

/* A struct graph_cycle, as it can be shown when the graph is gone. */
struct worker_cycle {
    uint32_t count; /* 0: none was found, or it is too long */
    struct worker_cycle_step {
        uint64_t address;
        uint32_t op; /* number in the test; UINT32_MAX: none */
        uint16_t thread;
        uint8_t kind; /* enum event_kind */
        uint8_t size;
        uint8_t relation; /* to the next: enum graph_relation */
    } steps[PROTOCOL_CYCLE];
};

/* A call of an annotated function, or of an operation, as reports show it. */
struct worker_call {
    char text[160];  /* "deq() = 1" */
    char state[160]; /* of the sequential object after it, where the order below has it */
    uint64_t pc;     /* a place in the function, as in events; 0: none */
    uint32_t thread;
    /* Events before which it begins and after which it ends; end 0: it has no result */
    uint32_t begin, end;
};

/* Why the execution contradicts a specification with ordering points, or a rule of synchronization. */
struct worker_calls {
    uint32_t count; /* 0: the error is of another kind */
    uint32_t order_count;
    uint32_t order[PROTOCOL_CALLS]; /* the longest legal order; or the cycle */
    uint32_t failed;                /* the call whose condition fails, or that should be later */
    uint32_t earlier;               /* synchronization: the one that should happen before it */
    /* Synchronization: the write and the read (events) that would have to be release and acquire; 0: no such pair */
    uint32_t release, acquire;
    uint32_t release_is_strong, acquire_is_strong; /* 1: it is already, or a fence beside it is */
    char clause[512];                              /* the condition or the rule, as the user wrote it */
    char values[512];                              /* "__RET__ = 0, q = [1]" */
    char file[PROTOCOL_PATH];
    uint32_t line, column; /* of the condition, or the rule */
    char initial[160];     /* the state before all calls */
    struct worker_call calls[PROTOCOL_CALLS];
};

/* What there was to judge by specifications in comments. */
struct worker_annotated {
    uint32_t exists;                     /* the program has annotated functions */
    volatile uint64_t executions, calls; /* that were judged */
    volatile uint64_t undetermined;      /* executions: an order of the calls is legal, another one is not */
    uint32_t structures;
    char interfaces[1024]; /* that were called, a line each; terminated */
    char pair[2][64];      /* of the first undetermined one: two calls without order; or empty */
};

/* Named as a function that is not examined: what the program's constructors do. */
#define WORKER_BEFORE_MAIN "constructors, before main"

/* A function that was called in an execution and of which nothing is known. */
struct worker_unseen {
    char library[48];
    char function[144];
};

/* A place of the program (a return address), and how often a thread came there. */
struct worker_visits {
    uint64_t pc;
    uint32_t count, thread;
};

/* Loops of which no end is in sight (engine/loop/loops.h). */
struct worker_loops {
    uint32_t first_count;         /* in the first execution, by the thread that came there most often */
    uint32_t met_count;           /* with LIMIT_LOOPS: where threads were stopped, after so many visits */
    uint32_t met_lost;            /* there were more */
    struct worker_visits suspect; /* with LIMIT_SUSPECTED */
    /* with LIMIT_RETURNS or LIMIT_ENDLESS: the first such thread, after so many returns */
    struct worker_visits held;
    /* graphs_counts: of all workers together */
    uint64_t held_places[GRAPHS_PLACES], known_places[GRAPHS_PLACES];
    uint64_t used_places[GRAPHS_PLACES]; /* known_places of explorations before this one */
    /* with LIMIT_STEPS: where a thread of the first such execution came most often */
    uint64_t cut_pc;
    struct worker_visits first[PROTOCOL_VISITS], met[PROTOCOL_LOOPS];
};

/* Executions of which that was asked which config.compare says. */
struct worker_compared {
    uint64_t executions;
    uint64_t not_serializable, false_alarms; /* of these, linearizable ones */
    uint64_t reasons[CONFLICT_REASON_COUNT]; /* of false alarms */
    uint64_t not_sequential;
    uint64_t too_large;               /* more operations than can be distinguished */
    struct worker_cycle serializable; /* why the first false alarm is not; or else the first that is not */
    struct worker_cycle sequential;
};

struct worker_counted {
    volatile uint64_t histories, wrong; /* different ones; of these, not linearizable */
    volatile uint64_t orders;           /* of their operations, that agree with time */
    volatile uint64_t met, orders_met;  /* COUNT_REPEATED: the same for all that were met */
};

/* Variables of the program, as its symbols and debug information have them. The tool makes the list (target/symbols/symbols_variables.h), the
 * runtime holds against it what functions of libraries access (engine/memory/variable_bounds.h). Addresses are those of the file. */
enum { VARIABLES_MOST = 1 << 16, VARIABLES_NAME = 32 };

/* One that is static, a thread's own, or one on the stack of a function by whose frame pointer it is found. */
struct variable {
    uint64_t function, function_end; /* code; of the others 0 */
    uint64_t from, to;               /* the part of it in which the variable lives */
    /* Address, or distance from the thread pointer, or from the frame pointer */
    int64_t at;
    uint64_t size;             /* 0: stands for a function that has none */
    char name[VARIABLES_NAME]; /* terminated */
};

/* First the static ones by address, then those that each thread has (x86-64), then those of functions by code. */
struct variables {
    uint32_t static_count, thread_count, count; /* `count`: of all */
    uint32_t lost;                              /* there were more */
    struct variable list[VARIABLES_MOST];
};

/* What is known of an event besides, for its readers. */
struct worker_origin {
    uint64_t callers[PROTOCOL_CALLERS]; /* return addresses in the program, innermost first; 0: no more */
    /* Its address is on a stack: a place in the function in whose frame, and where that ends. Or owner_pc is 0: in the
     * storage of the thread with this thread pointer. Both 0: neither. */
    uint64_t owner_pc, owner_top;
    uint32_t owner; /* the thread */
    uint64_t high;  /* of 16 bytes: the second word of what the event wrote, or else found */
};

/* A block that was allocated before main, and by whom: return addresses in the program, innermost first; 0: no more. */
struct worker_early_block {
    uint64_t address, size;
    uint64_t callers[PROTOCOL_CALLERS];
};

/* An array of variable length, where its declaration fills it, and what its function computed its bounds from. */
struct worker_array {
    uint64_t address, size;
    uint64_t pc, top;               /* where in the function, and where the frame ends */
    uint32_t event;                 /* the first one after it */
    uint64_t saved[PROTOCOL_SAVED]; /* x86-64: rbx, r12 to r15 */
    uint64_t words[PROTOCOL_WORDS]; /* by address; the last one is below the saved frame pointer */
};

/* When invariants of the harness are evaluated, besides the end of each execution. */
enum worker_invariant { INVARIANT_ENDS = 1, INVARIANT_BETWEEN_CALLS = 2, INVARIANT_STEPS = 4 };

struct worker_shared {
    struct worker_config config;
    struct sign_off sign_off; /* of what follows: worker_result.h */
    volatile uint32_t state;                                     /* enum worker_state */
    uint32_t thread_count;                                       /* of the current execution */
    volatile uint64_t executions, complete, blocked, cut, steps; /* steps: events in all executions */
    volatile uint64_t refuted;                       /* of these, with an assumption that failed */
    volatile uint64_t folded;                        /* graph: left to executions without a round */
    volatile uint64_t undecided;                     /* histories on which the monitor gave up */
    volatile uint64_t serial_complete, serial_stuck; /* different serial histories of the test */
    volatile double serial_seconds;
    struct worker_counted counted; /* config.count */
    volatile uint64_t revisits;    /* graph: made by writes that came later */
    volatile uint64_t not_run;     /* graph: of the executions, those whose steps were all remembered */
    /* config.progress: how many of its events others can observe, by thread, at most; graph */
    uint16_t published[PROTOCOL_GRAPH_THREADS];
    volatile uint64_t beats;                  /* of a worker that waits for work */
    volatile double estimate, estimate_error; /* executions in all, by random descents; 0: not known */
    struct worker_compared compared;
    uint32_t event_count, events_lost;
    uint32_t choice_count, choices_lost;
    uint64_t event_hash; /* of the current execution, plain accesses left out */
    struct worker_error error;
    uint32_t limits;       /* bits: enum worker_limit */
    char unsupported[128]; /* with LIMIT_UNSUPPORTED: the first such thing; terminated */
    uint64_t unsupported_pc;
    /* Instructions of inline assembly that answer by themselves, such as rdtsc, and were run; and functions whose answer the system
     * decides, and the runtime in executions. */
    uint32_t answer_count;
    bool answers_lost; /* there were more */
    struct worker_answer {
        uint64_t pc;
        char name[32];
        bool is_given; /* by the runtime: the same each time an execution is run */
    } answers[64];
    char unpredictable[320];   /* with LIMIT_DISTURBED: which answer differed, and when */
    char unpredictable_by[32]; /* the function that did it, at unpredictable_pc; empty: not known */
    uint64_t unpredictable_pc;
    /* With LIMIT_NONDETERMINISM: the first call that looked at the time; terminated; empty: none */
    char clock_function[32];
    uint64_t clock_pc;
    struct worker_loops loops;
    uint32_t is_blocked; /* with WORKER_GAVE_UP: in the kernel */
    /* Where plain reads found memory of the heap that was never written; not with CHOICE_UNINITIALISED. */
    uint32_t unwritten_count, unwritten_lost;
    uint64_t unwritten[PROTOCOL_UNWRITTEN];
    uint32_t unseen_count, unseen_lost;
    struct worker_unseen unseen[PROTOCOL_UNSEEN];
    uint32_t module_count;
    struct worker_module modules[16];   /* program and its libraries, to find source lines */
    char operations[2 * PROTOCOL_TEST]; /* of the test, by number, a line each: "push(1)"; terminated */
    /* Replay: what its operations answered, a line each: "2 = empty"; terminated */
    char answered[2 * PROTOCOL_TEST];
    uint32_t synchronizes; /* operations of the test are judged by rules of synchronization */
    uint32_t could_meet;   /* the test has several threads that call operations, by graph */
    /* Two operations of different threads accessed one location, and one of them wrote */
    uint32_t met;
    char values[128];      /* LIST_CALLS: what the harness or --values says of elements; empty: nothing */
    uint32_t single_roles; /* LIST_CALLS: bits of the roles that are for one thread */
    /* LIST_CALLS: an object is not declared, and nothing else says how to judge it */
    uint32_t is_unspecified;
    /* With WORKER_REFUSED: no test to generate: it says nothing about quasi linearizability, or breaks a
     * role */
    uint32_t ill_formed;
    /* With WORKER_REFUSED: the program has operations, or means to have them */
    uint32_t invariants; /* of the harness: bits of enum worker_invariant */
    uint32_t is_harness;
    char refused_file[256]; /* with WORKER_REFUSED: what is wrong stands there; empty: in no file */
    uint32_t refused_line, refused_column; /* column 0: not known */
    uint32_t refused_by;                   /* enum worker_refusal */
    uint32_t judged_partly;                /* not linearizable for clients whose orders no history shows */
    /* Names of the specifications of the test, a line each; terminated; empty: none */
    char judges[512];
    char judged_by[64]; /* the specification of the history below */
    uint32_t history_length;
    char history[PROTOCOL_HISTORY];
    /* Of the history of a test without specification whose operations wait forever */
    uint32_t stuck_length;
    char stuck_history[1 << 14];
    struct schedule_step schedule[PROTOCOL_SCHEDULE]; /* replay: what to do; else what was done */
    /* While the worker runs, the second half is a ring once it is full; the tool finds it in order. */
    struct event events[PROTOCOL_EVENTS];
    struct worker_origin origins[PROTOCOL_EVENTS]; /* replay: of the events */
    uint32_t early_count;                          /* replay; later ones are not kept, here and there */
    struct worker_early_block early[PROTOCOL_EARLY];
    uint32_t array_count;
    struct worker_array arrays[PROTOCOL_ARRAYS];
    /* Replay of a graph: */
    uint32_t relation_count; /* 0: not known; else as many as events */
    struct worker_relation relations[PROTOCOL_RELATIONS];
    struct worker_display displays[DISPLAYS];
    /* all_errors: */
    volatile uint64_t failed; /* executions with an error */
    uint64_t findings_lost;   /* errors with a cause for which there was no room */
    uint32_t finding_count, story_used;
    struct worker_finding findings[PROTOCOL_FINDINGS];
    struct schedule_step stories[PROTOCOL_STORIES];
    struct fold_shared folding;
    struct worker_annotated annotated;
    struct worker_calls calls; /* errors of specifications in comments, and of synchronization */
    /* Of config.orders, with watch_orders: bits of the orders as written, and of those for failures */
    uint8_t orders_seen[PROTOCOL_ORDERS][2];
    struct variables variables; /* of the program */
    bool has_foreign;           /* some code of the program has no hooks: what it writes is not known */
};

/* Things met that were not, or not wholly, looked at. LIMITS_NAMED_ONLY are no reason against "holds": they are
 * behaviours that were not asked for, or that the compiler hid; they are named with the result. */
enum worker_limit {
    LIMIT_STEPS = 1, /* an execution was cut at step_limit */
    LIMIT_PREEMPTIONS = 2,
    LIMIT_SPURIOUS = 4,           /* a wait that might have returned without a wake-up */
    LIMIT_MIXED_SIZE = 32,        /* graph: atomics of different sizes overlap; LIMIT_UNSUPPORTED, too */
    LIMIT_THREADS = 64,           /* more threads than can be tracked */
    LIMIT_WEAK_CAS = 128,         /* a weak CAS that might have failed */
    LIMIT_WEAK_LOST = 256,        /* a CAS of which the compiler did not say whether it is weak */
    LIMIT_IN_A_ROW = 512,         /* something spurious was not tried twice in a row */
    LIMIT_REUSE = 1024,           /* malloc might have returned memory that was freed before */
    LIMIT_UNSUPPORTED = 2048,     /* an execution was cut at something the runtime cannot do */
    LIMIT_UNDECIDED = 4096,       /* the monitor gave up on a history */
    LIMIT_EXECUTIONS = 8192,      /* there were more executions than asked for */
    LIMIT_NONDETERMINISM = 16384, /* an execution that was repeated became another one */
    LIMIT_LOOPS = 32768,          /* a thread was not let on: `loops.met` */
    LIMIT_SUSPECTED = 1 << 21,    /* all was ended at a loop that seems to have no end: `loops.suspect` */
    LIMIT_ENDLESS = 1 << 23,      /* threads seemed to go round forever: `loops.held` */
    LIMIT_RETURNS = 1 << 22,      /* a thread was held, and others may have seen its rounds: config.returns */
    LIMIT_FOLDING = 524288,       /* a race with what a folded round read was perhaps not seen */
    LIMIT_AFTER_RACE = 65536,     /* what comes after a data race was not followed */
    LIMIT_SYMMETRY = 131072,      /* symmetry was given up: threads that do the same can be distinguished */
    LIMIT_RACES = 262144,         /* a race was met where plain accesses are no steps */
    LIMIT_DISTURBED = 67108864,   /* serial answers depend on a clock or on addresses: `unpredictable` */
    LIMIT_TIMES = 134217728,      /* which of several threads looks at the clock first was not tried */
    LIMIT_CHANCE = 268435456,     /* random numbers were given out, the same in each execution */
    LIMIT_VALUES = 33554432,      /* __VERIFIER_nondet_*: of all values of a type only config.nondet */
    LIMIT_PART = 536870912,       /* what a part of an exploration found out the other parts have to know */
    LIMIT_OPERATIONS = 16777216,  /* a test of more operations than are judged */
    LIMIT_CALLS = 8,              /* annotated calls of an execution were not judged */
    LIMIT_MARKS = 16,             /* rounds of waiting loops with annotated calls or points in them */
    LIMIT_PENDING = 1048576,      /* an annotated call without result has an effect that uses it */
    LIMIT_SERIAL = 1073741824,    /* a serial execution was cut at step_limit: there is no specification */
    LIMIT_READ_AGAIN = 1U << 31,  /* a read lock was taken again, and another thread locks it for writing */
    LIMITS_NAMED_ONLY = LIMIT_SPURIOUS | LIMIT_WEAK_CAS | LIMIT_WEAK_LOST | LIMIT_IN_A_ROW | LIMIT_REUSE |
                        LIMIT_SYMMETRY | LIMIT_TIMES | LIMIT_CHANCE | LIMIT_READ_AGAIN,
};

#endif
