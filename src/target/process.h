/* SPDX-License-Identifier: Apache-2.0 */
/* Worker processes: started, watched, and what their end means. */
#ifndef TARGET_PROCESS_H
#define TARGET_PROCESS_H

#include "engine/shared/protocol.h"
#include "target/build.h"

struct target_worker;
struct target_pool;

struct target_run {
    struct worker_config config;          /* magic and schedule_count are filled in */
    const struct schedule_step *schedule; /* replay: at most PROTOCOL_SCHEDULE steps */
    uint32_t schedule_count;
    const struct target_pool *pool;   /* what it shares with other workers; or null */
    const struct fold_places *places; /* for config.fold, or null */
    const struct worker_loops *loops; /* with config.first_known */
};

/* What an end means for the verdict. */
enum target_outcome {
    TARGET_RUNNING,  /* not ended yet */
    TARGET_FINISHED, /* everything asked for was run */
    TARGET_FOUND,    /* an error of the program; the shared memory has it */
    TARGET_REFUSED,  /* plumb cannot run this program; `message` says why */
    /* The program did something that plumb cannot follow; `message` says what */
    TARGET_UNSEEN,
    TARGET_STUCK,   /* killed because it made no progress */
    TARGET_STOPPED, /* killed because time was up or somebody asked for it */
    TARGET_LOST,    /* killed from outside, or the system had no memory left */
    TARGET_BROKEN,  /* an internal error */
};

struct target_end {
    enum target_outcome outcome;
    enum worker_state state; /* what it was doing */
    int exit_code;           /* -1: ended by a signal */
    int signal;              /* 0: ended by itself */
    char message[512];       /* one sentence; empty when it finished or was stopped */
};

/* Starts `program` in a process group of its own: no standard input, output kept, no address randomization where
 * the system allows that, no core file. Null, with a diagnostic (PL_CANNOT_RUN). */
struct target_worker *target_start(const struct target_program *program, const struct target_run *run,
                                   struct diagnostic *why);

struct target_watch {
    double deadline; /* base_now() at which all is stopped; 0: never */
    /* A worker without progress for so long is killed (later if it got little processor time); 0: 10 */
    double stall_seconds;
    /* Called about every 100 ms; false: stop everything. May be null. */
    bool (*progress)(void *context);
    void *context;
};

/* Waits until one of the workers ends and returns it; each is returned once, stopped ones too. Null: all were. */
struct target_worker *target_wait(struct target_worker *const *workers, size_t count,
                                  const struct target_watch *watch);

/* Kills a worker that is still running; its outcome is TARGET_STOPPED unless it had ended by itself. */
void target_stop(struct target_worker *worker);
void target_free(struct target_worker *worker);

const struct target_end *target_end_of(const struct target_worker *worker);

/* What it was asked, whatever the program wrote over that since. */
const struct worker_config *target_config(const struct target_worker *worker);

/* Live while the worker runs. After its end all counts are within bounds and all texts terminated, whatever the
 * program wrote over them. */
struct worker_shared *target_shared(const struct target_worker *worker);

/* Runs the same execution again: that of a worker that has ended. Refers to its schedule. */
struct target_run target_replay_of(const struct worker_shared *found);

/* The last 64 KiB of what the program printed; *lost: bytes before that. Valid until the next call. */
const char *target_output(struct target_worker *worker, size_t *length, uint64_t *lost);

/* "SIGSEGV", or "SIG35" when it has no name. */
void target_signal_name(int number, char *buffer, size_t size);

/* --- under gdb, on the user's terminal --- */

/* Runs gdb with `options` (`count` words) on the program until its user leaves it. The worker's memory after that,
 * within bounds, for target_debug_free; null, with a diagnostic (PL_CANNOT_RUN): gdb or what it needs is missing. */
struct worker_shared *target_debug(const struct target_program *program, const struct target_run *run,
                                   char *const *options, size_t count, struct diagnostic *why);
void target_debug_free(struct worker_shared *shared);
/* The same for a program that finds the memory file by another variable of the environment. */
bool target_debug_memory(const struct target_program *program, const char *variable, int memory,
                         char *const *options, size_t count, struct diagnostic *why);

#endif
