/* SPDX-License-Identifier: Apache-2.0 */
/* A run that goes on, as its parts share it. */
#ifndef STRESS_STATE_H
#define STRESS_STATE_H

#include "stress/stress.h"
#include "stress/stress_recorder.h"
#include "stress/stress_rounds.h"

struct stress_state {
    struct stress_run *run;
    struct target_program *built;
    struct stress_layout layout;
    struct stress_program program;
    struct stress_plan *plan;
    struct stress_schedule schedule;
    struct stress_question question;
    struct stress_recorder *recorder; /* or null */
    uint32_t rounds_of_process;       /* that it was asked to run */

    struct stress_round round;
    struct stress_log log;            /* of the round that goes on */
    uint64_t round_calls;             /* that it has had so far */
    struct stress_account account;    /* of the last one that has ended */
    struct stress_follower *follower; /* of a long one */
    /* The one before, which is judged while the next one goes on. */
    struct stress_round before;
    struct stress_log log_before;
    bool has_before;

    double started, deadline; /* deadline 0: none */
    double stamps_per_second;
    /* Of the watchdog. */
    uint64_t progress;
    double progress_time, progress_processor;
    double looked, quiet; /* the last look, and the time without progress that counts */
    double next_beat;
};

/* What a round came to. */
enum stress_ending {
    STRESS_ENDED,
    STRESS_DIED,        /* the process ended, or a signal did so */
    STRESS_NO_PROGRESS, /* no call returned for too long */
    STRESS_UNABLE,      /* the system has no room for its threads */
    STRESS_SENSELESS,   /* what it recorded makes no sense: log.problem */
    STRESS_DECIDED,     /* there is nothing more to be learnt: the follower has a verdict */
    STRESS_STOPPED,     /* somebody wants the verdict so far */
};

/* --- stress_process.c: the process and its rounds --- */

/* Starts the program and gives it the plan; makes that first, when there is none. False: after an error, or with a finding. */
bool stress_start_program(struct stress_state *s);
void stress_begin_round(struct stress_state *s, uint64_t number);
/* Until the round has ended; its calls are in the log then. */
enum stress_ending stress_follow_round(struct stress_state *s);
bool stress_is_stopped(const struct stress_state *s);

/* --- stress_verdict.c: what it comes to --- */

/* Judges the round before. False: there is a finding, or an error. */
bool stress_judge_before(struct stress_state *s);
/* The follower's verdict on the round that has ended, was stopped, or was given up by the follower. False: as above. */
bool stress_judge_long(struct stress_state *s, enum stress_ending ending);
/* Without a verdict. */
void stress_drop_follower(struct stress_state *s);
/* What the end of the process, a hang or nonsense means. True: the run goes on, with a new process. */
bool stress_conclude_ending(struct stress_state *s, enum stress_ending ending);
/* The invariant was false. */
void stress_conclude_invariant(struct stress_state *s);

/* --- stress_save.c: histories as files --- */

/* Writes the operations of the object to the file for violations, or, if they are many, to a binary one beside it: its name, which the
 * caller frees. Null: it cannot be written. */
char *stress_save_history(const struct stress_state *s, const struct stress_log *log, uint32_t object);

#endif
