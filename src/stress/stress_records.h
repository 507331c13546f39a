/* SPDX-License-Identifier: Apache-2.0 */
/* From what the threads of a program recorded to calls in the tool's own memory. The program may have written over anything:
 * everything is copied first, and believed only if it makes sense. */
#ifndef STRESS_RECORDS_H
#define STRESS_RECORDS_H

#include "base/vec.h"
#include "stress/stress_program.h"

struct stress_call {
    int64_t call, ret;
    plumb_value argument, result; /* of the log's pool */
    uint16_t thread, operation;
    bool pending;
};

/* Calls of a round, segment by segment; in a segment thread by thread, each in its order. */
struct stress_log {
    VEC(struct stress_call) calls;
    struct plumb_values *values;
    bool is_cut;      /* the beginning of the round is not there any more */
    uint64_t dropped; /* how many calls that was */
    /* The last stamp of each slot: stamps of a thread never descend */
    int64_t last[STRESS_SLOTS];
    int64_t latest;    /* of all complete segments */
    char problem[256]; /* what makes no sense; empty: everything does */
    /* Buffers of the reader. */
    VEC(struct stress_record) records;
    VEC(char) area;
};

/* Forgets everything: a round begins. */
void stress_log_begin(struct stress_log *log);
/* Forgets the calls that there are: they are too many to be kept. */
void stress_log_drop(struct stress_log *log);
void stress_log_free(struct stress_log *log);

/* Appends the calls of a bank. `complete`: all have returned; otherwise the last one of a thread may be open. False: `problem` says what
 * makes no sense. */
bool stress_log_read(struct stress_log *log, const struct stress_program *p, uint32_t bank, uint32_t slots,
                     uint32_t operations, bool complete);

/* The value in another pool. */
plumb_value stress_value_copy(const struct plumb_values *from, plumb_value v, struct plumb_values *to);

#endif
