/* SPDX-License-Identifier: Apache-2.0 */
/* An execution graph in a form that does not depend on who made it nor in which order: for each thread its
 * steps, for each cell the order of its writes. The cells of a location are as large as the smallest access to it: a read has
 * one write for each of its cells. A write is known as (thread, how many writes the thread has
 * made before). The two halves of an update are two steps. */
#ifndef TESTS_ORACLE_GRAPH_VIEW_H
#define TESTS_ORACLE_GRAPH_VIEW_H

#include "litmus/program.h"

enum { VIEW_THREADS = PROGRAM_THREADS_MAX + 1, VIEW_INITIAL = 0xffff, VIEW_CELLS = 4 };

struct view_write {
    uint16_t thread; /* VIEW_INITIAL: the value before all writes */
    uint16_t number;
};

struct view_step {
    char kind;  /* R W F Begin End Create Join ?(choice) */
    bool waits; /* R: the thread goes no further with this value */
    bool fails; /* R: a weak CAS, although it found what it expected */
    uint32_t location;
    uint8_t cell, cells; /* of the location: the first, and how many */
    int64_t value;
    struct view_write from[VIEW_CELLS]; /* R */
};

struct view {
    uint32_t thread_count; /* of the port: main included */
    VEC(struct view_step) threads[VIEW_THREADS];
    VEC(struct view_write) order[PROGRAM_LOCATIONS_MAX][VIEW_CELLS];
};

/* How many cells the location has in all executions of the program. */
unsigned view_cells(const struct program *p, uint32_t location);
/* The step gets the cells of an access to these bytes. */
void view_set_cells(struct view_step *s, const struct program *p, uint32_t location, unsigned offset,
                    unsigned size);

void view_clear(struct view *v);
void view_free(struct view *v);

/* Without the reads that wait when `strip`; thread t is called `names[t]` (null: t). */
uint64_t view_hash(const struct view *v, bool strip, const uint16_t *names);

/* The last values of the program's locations. */
void view_last_values(const struct view *v, const struct program *p, int64_t *last);

/* Registers and last values, with threads called as above. */
uint64_t view_state_hash(const struct program *p, const int64_t (*registers)[PROGRAM_REGISTERS_MAX],
                         const int64_t *last, const uint16_t *names);

void view_print(const struct view *v);

#endif
