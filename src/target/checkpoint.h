/* SPDX-License-Identifier: Apache-2.0 */
/* The state of an exploration of graphs, between executions, as a file: what was counted and what is left to do. It is
 * of use to the same build of the tool and the same program with the same options only; all that is in the file. */
#ifndef TARGET_CHECKPOINT_H
#define TARGET_CHECKPOINT_H

#include "base/diagnostic.h"
#include "base/text.h"
#include "base/vec.h"
#include "engine/shared/work_pool.h"
#include "engine/shared/protocol.h"

#include <stdbool.h>

struct target_pool;

struct checkpoint_counts {
    uint64_t executions, complete, blocked, refuted, cut, steps, undecided, revisits;
    uint64_t unsupported_pc;
    uint32_t limits; /* enum worker_limit */
    char unsupported[128];
};

struct checkpoint {
    uint64_t code;    /* fingerprint of the program */
    uint64_t options; /* checkpoint_options */
    uint64_t layout;  /* see struct pool */
    struct checkpoint_counts counts;
    VEC(struct pool_object) objects;
    VEC(uint64_t) part_sizes; /* of the work that is left: as many bytes of each worker */
    VEC(char) bytes;
};

/* Only one run at a time may use a checkpoint. False: another one does. */
struct checkpoint_lock {
    bool is_held;
    int file;
    struct text path;
};
bool checkpoint_lock(struct checkpoint_lock *l, const char *path, struct diagnostic *why);
void checkpoint_unlock(struct checkpoint_lock *l);

/* A hash of what decides which executions there are. */
uint64_t checkpoint_options(const struct worker_config *config);

/* Takes the work that all workers have saved. False: they were about to begin again, or it is too large. */
bool checkpoint_collect(struct checkpoint *c, struct target_pool *pool);
/* Takes the pieces into which the first worker has divided all work: a part of bytes each. */
void checkpoint_collect_pieces(struct checkpoint *c, struct target_pool *pool);
/* Keeps every `count`-th part, from number `first`. */
void checkpoint_keep_every(struct checkpoint *c, uint64_t first, uint64_t count);
/* A hash of the work and of what was counted before it. */
uint64_t checkpoint_digest(const struct checkpoint *c);
/* Gives it to the workers of a pool that is not in use yet. False: it is too large. */
bool checkpoint_distribute(const struct checkpoint *c, struct target_pool *pool);

/* The bytes of the file. */
void checkpoint_print(const struct checkpoint *c, struct text *out);
bool checkpoint_parse(struct checkpoint *c, const char *bytes, size_t length, struct diagnostic *why);
/* Replaces a file at once, or leaves it as it is: false, with errno. */
bool checkpoint_replace_file(const char *path, const struct text *bytes);

/* Replaces the file at once, or leaves it as it is. */
bool checkpoint_write(const struct checkpoint *c, const char *path, struct diagnostic *why);
/* False without a diagnostic: there is no such file. */
bool checkpoint_read_bytes(struct text *t, const char *path, struct diagnostic *why);
bool checkpoint_read(struct checkpoint *c, const char *path, struct diagnostic *why);
void checkpoint_free(struct checkpoint *c);

#endif
