/* SPDX-License-Identifier: Apache-2.0 */
/* The tool's side of the memory that workers of one exploration share (engine/shared/work_pool.h). */
#ifndef TARGET_POOL_H
#define TARGET_POOL_H

#include "engine/shared/work_pool.h"

struct target_pool {
    struct pool *shared;
    size_t size;
    uint32_t workers; /* as it was made; what `shared` says the program may have written */
    int descriptor;
};

/* Room for the saved work of a worker. */
static inline char *target_pool_save(const struct target_pool *pool, uint32_t worker)
{
    return (char *)pool->shared + pool_header_size() + pool->workers * POOL_GIFT_ROOM +
           worker * POOL_SAVE_ROOM;
}

/* Null, with errno. `has_saves`: there is room for the work of all workers, to be saved or continued. */
struct target_pool *target_pool_create(uint32_t workers, bool has_saves);
void target_pool_free(struct target_pool *pool);

/* Every worker saves its work after the execution that it is in, and waits. */
void target_pool_ask_to_save(struct target_pool *pool);
/* Have all? Waits at most so long. True, too, when all is over and none will. */
bool target_pool_have_saved(struct target_pool *pool, int milliseconds);
void target_pool_release(struct target_pool *pool);

#endif
