/* SPDX-License-Identifier: Apache-2.0 */
/* The process of a harness on real threads, and the memory that it shares with the tool (native/stress_shared.h). */
#ifndef STRESS_PROGRAM_H
#define STRESS_PROGRAM_H

#include "base/diagnostic.h"
#include "native/stress_shared.h"
#include "target/launch.h"

/* How much there is to record in. Kept here, because what the memory says of it may be overwritten. */
struct stress_layout {
    uint32_t slots, capacity;
    uint64_t area_size;
};

struct stress_program {
    struct stress_layout layout;
    struct stress_shared *shared; /* null: there is none */
    size_t size;
    uint64_t key; /* with which it signs */
    pid_t pid;
    struct launch_output output;
    bool has_ended;
    int exit_code, signal; /* of one that has: -1 and 0 where there is none */
};

/* Starts it; its list is not there yet. False: *why (PL_CANNOT_RUN). */
bool stress_program_start(struct stress_program *p, const char *path, const struct stress_layout *layout,
                          struct diagnostic *why);

/* Sleeps until `beats` is another number than `seen`, the process has ended, a signal came, or that many seconds are over. Reads what
 * it prints, and notes its end. */
void stress_program_wait(struct stress_program *p, uint32_t seen, double seconds);

/* Looks whether it has ended. */
bool stress_program_look(struct stress_program *p);

/* Kills it with all that it started. The memory and what it printed stay. */
void stress_program_kill(struct stress_program *p);
void stress_program_free(struct stress_program *p);

/* The process that runs the round: the one that was started, or a child of it. */
pid_t stress_program_runner(const struct stress_program *p);

/* Did the runtime sign that, or has the program set it? */
bool stress_program_has_signed(const struct stress_program *p, const void *bytes, size_t size);

/* Changes one of the tool's futexes. */
void stress_program_set(struct stress_program *p, _Atomic uint32_t *word, uint32_t value);

/* Where the records and the area of a slot's bank are. */
const struct stress_record *stress_program_records(const struct stress_program *p, uint32_t slot,
                                                   uint32_t bank);
const char *stress_program_area(const struct stress_program *p, uint32_t slot, uint32_t bank);

#endif
