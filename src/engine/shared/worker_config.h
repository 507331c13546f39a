/* SPDX-License-Identifier: Apache-2.0 */
/* What the tool asks of a worker process: the first part of what they share (protocol.h). */
#ifndef ENGINE_WORKER_CONFIG_H
#define ENGINE_WORKER_CONFIG_H

#include "engine/shared/protocol_sizes.h"

#include <stdbool.h>
#include <stdint.h>

/* GUIDED: one execution, as near to a schedule as the program allows; `schedule` is what was done, as usual */
enum worker_mode { WORKER_GRAPH, WORKER_RANDOM, WORKER_PCT, WORKER_DFS, WORKER_REPLAY, WORKER_GUIDED };

/* What may happen and rarely does: tried only when asked for. */
enum worker_choice {
    CHOICE_SPURIOUS = 1,       /* a wait returns without a wake-up */
    CHOICE_WEAK_CAS = 2,       /* a weak CAS fails although it found what it expected */
    CHOICE_REUSE = 4,          /* malloc returns memory that was freed before */
    CHOICE_RACES = 8,          /* a race is no error: a plain read finds what others write */
    CHOICE_VOLATILE = 16,      /* volatile accesses are relaxed atomic ones */
    CHOICE_UNINITIALISED = 32, /* a plain read of the heap, too, has to find something written */
};

/* Races that are kept among the findings while the program goes on. */
enum worker_races {
    RACES_UNKEPT,
    RACES_BY_PLACES,   /* each pair of places once */
    RACES_BY_LOCATION, /* each pair of places and address once */
};

/* The one that a replay is to end with; all zero: none. Places are relative to the program. */
struct worker_race {
    uint64_t places[2], address;
};

/* What else is asked about each execution, besides whether it is wrong. */
enum worker_comparison {
    COMPARE_CONFLICTS = 1, /* is it conflict serializable? */
    COMPARE_WEAK = 2,      /* is it sequentially consistent? */
};

/* Serial executions of a test: its operations one after the other. What they answer may be the specification. */
enum worker_serial {
    SERIAL_NOT,
    SERIAL_EXECUTION, /* the execution is such a one */
    SERIAL_ALL,       /* all of them, and nothing else: the error is found by comparing them */
    SERIAL_GRAPH,     /* as SERIAL_EXECUTION, of an exploration of graphs */
};

/* Estimates of the number of executions, by random descents. */
enum worker_estimates {
    ESTIMATES_NONE,
    ESTIMATES_LATER, /* once there have been many executions, and now and then */
    ESTIMATES_ONLY,  /* some descents, and nothing else is run */
};

/* What is counted of the test's histories: the different ones, each judged once, or (to compare) as often as executions
 * show them. */
enum worker_count { COUNT_NOTHING, COUNT_DIFFERENT, COUNT_REPEATED };

/* Executions that need not be run (explore/graphs_memo.h): they are not; they are all the same, and must come to the same end; nothing
 * is remembered. */
enum worker_memo { MEMO_USED, MEMO_COMPARED, MEMO_NOT };

/* Which rules of synchronization count; the positions of the words of --sync. */
enum worker_sync { SYNC_DEFAULT, SYNC_ALL, SYNC_NONE };

enum worker_list {
    LIST_NOTHING,
    LIST_CALLS, /* those that tests are made of, in `operations` */
    LIST_TEST,  /* the harness' own test, if none was named, in config.test */
};

/* Memory orders of one call of an atomic access or a fence, instead of those that it is made with. */
struct worker_order {
    uint64_t pc;            /* where it returns to, from the start of the program */
    uint8_t order, failure; /* enum memory_order_tag; ORDER_PLAIN: as written */
};

/* Which threads do the same: those with the same code and argument; columns of a test that put in different items, too. */
enum worker_symmetry { SYMMETRY_NOT, SYMMETRY_OF_THREADS, SYMMETRY_OF_ITEMS };

/* --progress: of an exploration it is kept how often each thread could stop; in another one threads do. */
enum worker_progress { PROGRESS_NOT, PROGRESS_COUNTS, PROGRESS_STOPS };

/* Rounds of retry loops: all of them happen; all of them happen until there is one that need not; they need not. */
enum worker_fold { WORKER_FOLDS_NOT, WORKER_LOOKS_FOR_FOLDS, WORKER_IS_PATIENT, WORKER_FOLDS };

struct worker_config {
    uint64_t magic;
    uint32_t mode; /* enum worker_mode */
    uint32_t pct_depth;
    uint32_t preemptions; /* dfs; UINT32_MAX: any number */
    uint32_t step_limit;  /* events of one execution before it is cut */
    uint32_t compute_ms;  /* processor time that a thread may take without a step; 0: the usual */
    uint32_t leaks;       /* report memory that is never freed */
    uint32_t all_events;  /* replay: keep plain accesses in the trace too */
    /* Replay: one watches; nothing may depend on time, each thread is a real one */
    uint32_t debugger;
    uint32_t choices;     /* bits: enum worker_choice */
    uint64_t watched;     /* of the plain accesses, keep only those of this byte; 0: all */
    uint64_t judge_bytes; /* what the search for one history's order may keep; 0: the usual */
    uint64_t seed, first, runs;
    uint64_t executions_max; /* graph, dfs: 0: all */
    /* Graph: number of this worker among those that share a pool (engine/shared/work_pool.h) */
    uint32_t worker;
    uint32_t pool_descriptor;
    uint64_t pool_size; /* 0: there is no pool */
    uint32_t estimates; /* graph: enum worker_estimates */
    /* Graph: how much more often than in the first execution a thread may take a step at one place; 0: any number */
    uint32_t loops;
    /* With loops: a thread goes on for so many more steps at the place, in which its reads find what they found before */
    uint32_t sticky;
    uint32_t first_known; /* graph: how often that is is in `loops` of the shared memory */
    uint32_t suspects;    /* graph: all ends when a loop seems to have no end (LIMIT_SUSPECTED) */
    /* Graph: of executions that differ only in the names of equal threads, one; enum worker_symmetry */
    uint32_t symmetry;
    /* Graph: a thread is held when it comes to a state once more than this; 0: live states are not wanted */
    uint32_t returns;
    uint32_t progress; /* graph, and replay of one: enum worker_progress */
    uint32_t beyond;   /* replay: steps that stuck threads take beyond the end, to see whether they are */
    /* PROGRESS_STOPS: so many threads, in so many places each (worker_shared.published) */
    uint32_t stop_threads;
    uint16_t stops[PROTOCOL_GRAPH_THREADS];
    uint32_t fold; /* graph: enum worker_fold; see `folding` */
    /* but those in which the thread learns that operations of others have ended */
    uint32_t fold_unknowing;
    char memory[16];         /* graph, and replay of one: the memory model */
    uint64_t expected_hash;  /* replay: of the events; 0: not known */
    uint32_t schedule_count; /* replay: choices in `schedule` */
    uint32_t client_fixed;   /* tests are judged as they stand, not for every client */
    uint32_t sync;           /* enum worker_sync: rules of synchronization; of tests, by graph under rc11 */
    uint32_t all_seq_cst;    /* schedules: every atomic counts as seq_cst, as in the memory model sc */
    /* enum worker_count: histories of the test are counted instead of reported */
    uint32_t count;
    uint32_t list;                    /* enum worker_list: what to list, instead of running anything */
    uint32_t all_errors;              /* go on after an error: `findings` has them */
    uint32_t races;                   /* enum worker_races, with CHOICE_RACES */
    struct worker_race race;          /* replay, with `races` */
    uint32_t histories;               /* enum ordering_mode: specifications in comments */
    uint32_t compare;                 /* bits: enum worker_comparison; of tests, by graph */
    uint32_t errors_passed;           /* replay: so many errors come before the one to stop at */
    uint32_t memo;                    /* graph: enum worker_memo */
    uint32_t serial;                  /* enum worker_serial; set by a worker that runs them first */
    char serials_in[PROTOCOL_PATH];   /* file of serial histories to judge by; empty: the test's own */
    char serials_out[PROTOCOL_PATH];  /* where to write them; empty: nowhere */
    uint32_t wants_serials;           /* that file was asked for: there have to be some */
    char test[PROTOCOL_TEST];         /* matrix of harness operations; empty: run main */
    char spec[PROTOCOL_PATH];         /* overrides the harness' own: a name or a C file; empty: not */
    char spec_library[PROTOCOL_PATH]; /* what the C file was compiled to; empty: `spec` is a name */
    /* Values of __VERIFIER_nondet_*: numbers, min, max; empty: PROTOCOL_NONDET */
    char nondet[256];
    char values[64]; /* LIST_CALLS: --values, instead of PLUMB_VALUES */
    char quasi[64];  /* quasi factor (spec/quasi/spec_quasi.h); empty: linearizability */
    uint32_t order_count;
    /* Which of `orders` happen, and how they were written, is kept in `orders_seen` */
    uint32_t watch_orders;
    struct worker_order orders[PROTOCOL_ORDERS]; /* by pc */
};

/* Is the execution at hand a serial one? */
static inline bool worker_is_serial(const struct worker_config *c)
{
    return c->serial == SERIAL_EXECUTION || c->serial == SERIAL_GRAPH;
}

#endif
