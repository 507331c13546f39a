/* SPDX-License-Identifier: Apache-2.0 */
#include "target/worker_memory.h"

#include "base/check.h"
#include "target/launch.h"
#include "seal/sealed_memory.h"
#include "target/pool.h"

#include <string.h>
#include <sys/mman.h>

int worker_memory_create(void)
{
    return launch_move_up(sealed_memory_create("plumb-worker", sizeof(struct worker_shared)));
}

static void fill_places(struct fold_places *to, const struct fold_places *from)
{
    to->count = from->count;
    to->call_count = from->call_count;
    to->update_count = from->update_count;
    memcpy(to->updates, from->updates, from->update_count * sizeof *from->updates);
    memcpy(to->list, from->list, from->count * sizeof *from->list);
    memcpy(to->calls, from->calls, from->call_count * sizeof *from->calls);
}

static void fill(struct worker_shared *shared, const struct target_run *run)
{
    CHECK(run->schedule_count <= PROTOCOL_SCHEDULE);
    shared->config = run->config;
    shared->config.magic = PROTOCOL_MAGIC;
    shared->config.schedule_count = run->schedule_count;
    shared->config.pool_size = run->pool ? run->pool->size : 0;
    shared->config.pool_descriptor = POOL_DESCRIPTOR;
    if (run->places)
        fill_places(&shared->folding.places, run->places);
    if (run->config.first_known) {
        shared->loops.first_count = run->loops->first_count;
        memcpy(shared->loops.first, run->loops->first, sizeof shared->loops.first);
        memcpy(shared->loops.used_places, run->loops->used_places, sizeof shared->loops.used_places);
    }
    if (run->schedule_count)
        memcpy(shared->schedule, run->schedule, run->schedule_count * sizeof *run->schedule);
}

static void fill_variables(struct variables *to, const struct variable_list *from)
{
    to->count = (uint32_t)from->all.len;
    to->static_count = from->static_count;
    to->thread_count = from->thread_count;
    to->lost = from->lost;
    if (from->all.len)
        memcpy(to->list, from->all.data, from->all.len * sizeof *from->all.data);
}

struct worker_shared *worker_memory_map(int memory, const struct target_program *program,
                                        const struct target_run *run)
{
    void *mapped = mmap(NULL, sizeof(struct worker_shared), PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0);
    if (mapped == MAP_FAILED)
        return NULL;
    struct worker_shared *shared = mapped;
    fill(shared, run);
    fill_variables(&shared->variables, &program->variables);
    shared->has_foreign = program->has_foreign;
    return shared;
}

void worker_memory_unmap(struct worker_shared *shared)
{
    if (shared)
        munmap(shared, sizeof *shared);
}
