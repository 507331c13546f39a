/* SPDX-License-Identifier: Apache-2.0 */
/* A second opinion on an error: the recorded execution runs again in a new process and has to end the same way. What a
 * worker met may be the doing of its earlier executions, of a clock or of an address; what comes again is the
 * program's. */
#ifndef TARGET_CONFIRM_H
#define TARGET_CONFIRM_H

#include "target/process.h"

enum confirm_answer {
    CONFIRM_SAME,         /* the same events, error and history */
    CONFIRM_DIFFERS,      /* the program depends on more than its schedule */
    CONFIRM_NOT_POSSIBLE, /* the execution could not be run again */
    CONFIRM_BROKEN,       /* an internal error */
};

struct confirmation {
    enum confirm_answer answer;
    struct target_worker *again; /* who ran it again, or null; the caller frees it */
    bool is_ordered;             /* `again` ran the steps in the order of display: confirm_for_display */
    char message[320];           /* not the same: what "the execution, run again," did */
};

/* `found` has ended with TARGET_FOUND. The second trace also has the plain accesses to the error's address. */
void confirm_error(const struct target_program *program, const struct target_worker *found,
                   const struct target_watch *watch, struct confirmation *out);

/* The execution that `out` has confirmed ends with threads that are stuck. Do they stay so when they run on, one step each in turn, with
 * the newest values? If not, `out` says so. */
void confirm_stuck(const struct target_program *program, const struct target_worker *found,
                   const struct target_watch *watch, struct confirmation *out);

/* The same for one of the findings of a worker. */
void confirm_finding(const struct target_program *program, const struct target_worker *worker,
                     const struct worker_finding *f, const struct target_watch *watch,
                     struct confirmation *out);

/* Runs the execution of `again`, one of a graph that was confirmed, in the order in which it reads best. Null: it cannot be run so, or
 * run so it is not the same thread by thread (with DISPLAY_CAUSES: as far as it goes) or does not end with the same error. */
struct target_worker *confirm_for_display(const struct target_program *program,
                                          const struct target_worker *again, unsigned display,
                                          const struct target_watch *watch);

/* Are these the same execution with the same end? Plain accesses are passed over. False: `message` says what `again`
 * did instead. */
bool confirm_same_execution(const struct worker_shared *found, const struct worker_shared *again,
                            char *message, size_t room);

#endif
