/* SPDX-License-Identifier: Apache-2.0 */
/* Hands out the work of one command to processes that work for it, and joins what comes of it. Everything that is not done is here at
 * any time, also what somebody works on: a process that dies loses nothing, and the state is a file. It knows nothing of how
 * requests and answers travel. docs/internals/explore/clusters.md */
#ifndef CAMPAIGN_COORDINATOR_H
#define CAMPAIGN_COORDINATOR_H

#include "campaign/cluster/cluster_frames.h"
#include "campaign/cluster/shard_record.h"
#include "target/checkpoint.h"

enum coordinator_state {
    COORDINATOR_WORKS,
    COORDINATOR_DONE,     /* nothing is left, or an error was found */
    COORDINATOR_CUT,      /* work is left that no process survives: the checkpoint is kept */
    COORDINATOR_FAILED,   /* `why` */
    COORDINATOR_GIVEN_UP, /* one process, which knows all, has to do it: LIMIT_PART */
};

struct coordinator_piece {
    char *bytes;
    size_t size;
    uint32_t milliseconds; /* that it may take; 0: the usual */
    uint32_t tries;
};

/* What a process has to do: some pieces, or tests. */
struct coordinator_task {
    bool is_busy, is_root;
    uint32_t tries;  /* processes that died, since the last answer */
    uint64_t number; /* of the tests */
    VEC(struct coordinator_piece) pieces;
};

struct coordinator {
    enum coordinator_state state;
    bool is_auto; /* tests, not pieces */
    uint64_t ranks;
    struct coordinator_task *tasks; /* by rank */
    /* What the pieces have in common */
    uint64_t code, options, layout;
    VEC(struct pool_object) objects;
    VEC(struct coordinator_piece) pieces; /* to be done */
    bool has_begun;                       /* there are pieces, or the first tests were run */
    bool has_answers;                     /* in this process */
    VEC(uint8_t) tests;                   /* of shard k: done, or with somebody, or 0 */
    struct shard_record total;
    shard_texts reasons; /* COORDINATOR_CUT: why */
    struct diagnostic why;
};

void coordinator_begin(struct coordinator *c, uint64_t ranks, bool is_auto);
/* A request for a process that has nothing to do, as bytes. False: there is nothing for it, for now or at all. */
bool coordinator_next(struct coordinator *c, uint64_t rank, struct text *request);
void coordinator_answer(struct coordinator *c, uint64_t rank, const struct text *answer);
/* The process is gone. Its work is done again, by any; what died three times is left over: COORDINATOR_CUT. */
void coordinator_lose(struct coordinator *c, uint64_t rank);

/* The state as bytes, and back. False: the file is of something else. */
void coordinator_save(const struct coordinator *c, struct text *out);
bool coordinator_load(struct coordinator *c, const char *bytes, size_t length);
void coordinator_free(struct coordinator *c);

#endif
