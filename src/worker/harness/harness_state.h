/* SPDX-License-Identifier: Apache-2.0 */
/* The harness of the program under test, as its parts share it. */
#ifndef WORKER_HARNESS_STATE_H
#define WORKER_HARNESS_STATE_H

#include "base/vec.h"
#include "engine/race/clocks.h"
#include "worker/verdict/derive.h"
#include "worker/harness/harness.h"
#include "harness/matrix.h"
#include "harness/sample_values.h"

#include <plumb.h>

typedef VEC(const struct plumb_part *) harness_parts;

struct harness {
    struct worker_shared *shared;
    harness_parts parts;
    harness_parts operations; /* of the parts */
    struct history *history;  /* its values are those of arguments and results */
    struct matrix matrix;
    VEC(const struct plumb_spec *) specs; /* one per object of the history; null: derived */
    struct derivation derivation;
    uint32_t within[CLOCKS_THREADS_MAX]; /* 1 + the number of the operation that the thread is in; 0: none */
    enum harness_perturbation perturbation;
    uint64_t alike[CLOCKS_THREADS_MAX]; /* of columns: the same, and not 0, for those that do the same */
    bool stuck_legally; /* the execution that has ended: some operations wait forever, and may */
    bool serial;        /* operations run one after the other */
    /* In this execution some thread makes not all of its calls (harness_stops_here); of each column: the first that it did not make */
    bool is_cut;
    uint32_t reached[CLOCKS_THREADS_MAX];
    uint32_t turn; /* serial: the column that may call an operation */
    /* In graphs: semaphores, one for each column; only their addresses matter */
    uint64_t turns[CLOCKS_THREADS_MAX];
    uint64_t left;                          /* serial: bits of columns that have operations left */
    uint32_t column_of[CLOCKS_THREADS_MAX]; /* of a thread, from 1; 0: none */
};
extern struct harness harness __attribute__((visibility("hidden")));

struct plumb_values *harness_values(void);

/* The part of that kind and name, or null. */
const struct plumb_part *harness_find_part(enum plumb_part_kind kind, const char *object, const char *name);

/* Any part: where a harness without operations is. Null: the program is none. */
const struct plumb_part *harness_any_part(void);

/* As harness_refuse; what is wrong stands at the part (or null). */
_Noreturn void harness_refuse_at(const struct plumb_part *part, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The same for an operation of the test: its number, from 1, is the line of the diagnostic. */
_Noreturn void harness_refuse_operation(const struct diagnostic *d);

/* Ends the worker when parts contradict each other. */
void harness_check_parts(void);

/* The roles that the operation belongs to, or ROLES_ANY; those that are for one thread; ends the worker when the role names
 * something that does not exist, and when the test gives roles to threads that may not have them. */
uint32_t harness_roles_of(const struct plumb_part *operation);
uint32_t harness_single_roles(void);
void harness_check_role(const struct plumb_part *role);
void harness_check_test_roles(const struct plumb_part *own);

/* Ends the worker when the rule (PLUMB_SYNC) names something that does not exist; the rules of the harness, for the test. */
void harness_check_sync(const struct plumb_part *rule);
void harness_read_sync(void);

/* The specification that an operation is judged by, as the harness or the command line names it, or "". */
const char *harness_spec_of(const struct plumb_part *operation);

/* A place in the part's code: lines are looked up one byte before it. */
const void *harness_place_of(const struct plumb_part *part);

/* Ends the worker when the invariant is for no such moment. */
void harness_check_invariant(const struct plumb_part *part);
/* Those that do not hold end the execution. At its end; when no call is open, after the first and final ones before these; after every
 * step from now on, or not any more. */
void harness_check_end(void);
void harness_check_between(uint32_t of_init, uint32_t of_end);
void harness_watch_steps(bool watch);
/* Are there any for between calls? Then every thread may stop before each of its calls, so that all the others that begin end: there is
 * such an execution for every state in which no call is open. */
bool harness_looks_between(void);
bool harness_stops_here(uint32_t column, uint32_t number);

/* The values that the object of the operation holds (PLUMB_VALUES, --values). Ends the worker when they are wrong. */
struct sample_values harness_values_of(const struct plumb_part *operation);
void harness_check_values(const struct plumb_part *part);

/* Columns do the same if they have the same text, and with SYMMETRY_OF_ITEMS if they differ in items only. */
void harness_find_alike(void);

/* Lists for the tool the calls that tests can be made of, and ends the worker. */
_Noreturn void harness_list_calls(void);

#endif
