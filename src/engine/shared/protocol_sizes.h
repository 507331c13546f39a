/* SPDX-License-Identifier: Apache-2.0 */
/* Names and sizes of what the tool and a worker process share (protocol.h). */
#ifndef ENGINE_PROTOCOL_SIZES_H
#define ENGINE_PROTOCOL_SIZES_H

#include "graph/compare/conflicts.h"

#define PROTOCOL_MAGIC 0x31424d554c50u /* "PLUMB1" */
/* In a list of calls: arguments that were not named. */
#define PROTOCOL_ANY_ARGUMENT "\x01" /* a value that no other call of the test has */
#define PROTOCOL_KEY "\x02"          /* 1 or 2 */
#define PROTOCOL_INDEX "\x03"        /* 0 or 1 */
#define PROTOCOL_SOME_KEY "\x07"     /* as PROTOCOL_KEY; in larger tests also 0 */
#define PROTOCOL_FALLING "\x04"      /* as PROTOCOL_ANY_ARGUMENT, each less than those before */
#define PROTOCOL_SOME_VALUE \
    "\x05" /* in small tests a value of its own, in larger ones perhaps one that others have */
/* As PROTOCOL_ANY_ARGUMENT, of a container; some tests have other values there (harness/sample_values.h), which stand before the end */
#define PROTOCOL_ELEMENT "\x0e"
#define PROTOCOL_ELEMENT_END "\x0f"
#define PROTOCOL_NONDET "0,1,-1,2,min,max" /* values of __VERIFIER_nondet_*, unless others are asked for */
#define PROTOCOL_ROLES "\x06" /* behind a call: the roles that may call it, in hexadecimal digits */
/* Behind a call, before its roles: what its thread holds then ("+lock:0"), perhaps ("?lock:0"), or must have held ("-lock:0"); "+*lock:0": it may take it again. */
#define PROTOCOL_HOLDS "\x08"
#define PROTOCOL_VARIABLE "PLUMB_WORKER"
#define PROTOCOL_BLOCKED_SIGNAL 23 /* SIGURG: asks a worker that is asleep where it is */

enum {
    /* Events kept of one execution: of a longer one the first and the last half as many, and how many lie between. */
    PROTOCOL_EVENTS = 1 << 16,
    PROTOCOL_EVENTS_FIRST = PROTOCOL_EVENTS / 2,
    PROTOCOL_SCHEDULE = 1 << 18, /* choices kept of one execution; later ones are counted */
    PROTOCOL_HISTORY = 1 << 18,  /* bytes of a history as JSON lines */
    PROTOCOL_STACK = 32,         /* return addresses of a call stack */
    PROTOCOL_TEST = 1 << 13,
    PROTOCOL_PATH = 1 << 10,
    PROTOCOL_RELATIONS = 1 << 14, /* events about which the graph is asked; none of a longer execution */
    PROTOCOL_DISPLAY = 1 << 16,   /* choices of an execution in the order for display */
    PROTOCOL_GRAPH_THREADS = 32,
    PROTOCOL_COMPUTE_MS = 2000, /* the usual compute_ms */
    PROTOCOL_FINDINGS = 256,    /* causes of errors that are distinguished */
    PROTOCOL_PLACES = 8,        /* in the code that belong to a cause */
    PROTOCOL_STORIES = 1 << 20, /* choices of all findings together */
    PROTOCOL_CYCLE = GRAPH_CYCLE_MAX,
    PROTOCOL_UNSEEN = 64,    /* functions that are named */
    PROTOCOL_UNWRITTEN = 16, /* places of reads that are named */
    PROTOCOL_CALLS = 64,     /* annotated calls, or operations, of one execution */
    PROTOCOL_ORDERS = 4096,  /* calls of atomic accesses whose memory orders are others than written */
    /* places of the first execution of which it is known how often it came there */
    PROTOCOL_VISITS = 1024,
    PROTOCOL_LOOPS = 64,   /* places at which threads were stopped */
    PROTOCOL_ROUNDS = 4,   /* threads that go round forever and are named with their loops */
    PROTOCOL_WAITS = 8,    /* threads of a deadlock that are named */
    PROTOCOL_ROUND = 16,   /* places of such a loop */
    PROTOCOL_CALLERS = 16, /* of the function that an event is in */
    PROTOCOL_EARLY = 256,  /* blocks that were allocated before main */
    PROTOCOL_ARRAYS = 64,  /* arrays of variable length of a replay */
    PROTOCOL_SAVED = 5,    /* registers that calls keep, besides the frame pointer */
    PROTOCOL_WORDS = 32,   /* of a frame, below its frame pointer */
};

enum { HEAP_FILLING = 0xa5 }; /* every byte of a new block */
/* Every byte of a variable on the stack that its declaration does not initialise: -ftrivial-auto-var-init=pattern. */
enum { STACK_FILLING_GCC = 0xfe, STACK_FILLING_CLANG = 0xaa };

#endif
