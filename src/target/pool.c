/* SPDX-License-Identifier: Apache-2.0 */
#include "target/launch.h"
#include "target/pool.h"

#include "base/budget.h"
#include "base/check.h"
#include "base/memory.h"
#include "seal/sealed_memory.h"
#include "target/worker_memory.h"

#include <errno.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>

static bool map_pool(struct target_pool *pool)
{
    pool->descriptor = launch_move_up(sealed_memory_create("plumb-pool", pool->size));
    if (pool->descriptor < 0)
        return false;
    void *memory =
        mmap(NULL, pool->size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, pool->descriptor, 0);
    pool->shared = memory == MAP_FAILED ? NULL : memory;
    return pool->shared;
}

struct target_pool *target_pool_create(uint32_t workers, bool has_saves)
{
    CHECK(workers <= POOL_WORKERS);
    struct target_pool *pool = NEW(struct target_pool);
    pool->size = pool_size(workers, has_saves);
    pool->workers = workers;
    if (!map_pool(pool)) {
        int error = errno;
        target_pool_free(pool);
        errno = error;
        return NULL;
    }
    pool->shared->workers = workers;
    pool->shared->has_saves = has_saves;
    return pool;
}

void target_pool_free(struct target_pool *pool)
{
    if (!pool)
        return;
    if (pool->shared)
        munmap(pool->shared, pool->size);
    if (pool->descriptor >= 0)
        close(pool->descriptor);
    free(pool);
}

static uint32_t load(const uint32_t *word)
{
    return __atomic_load_n(word, __ATOMIC_SEQ_CST);
}

static void wake(uint32_t *word)
{
    syscall(SYS_futex, word, FUTEX_WAKE, INT32_MAX, NULL, NULL, 0);
}

void target_pool_ask_to_save(struct target_pool *pool)
{
    struct pool *p = pool->shared;
    __atomic_store_n(&p->save_count, 0, __ATOMIC_SEQ_CST);
    __atomic_add_fetch(&p->save_wanted, 1, __ATOMIC_SEQ_CST);
    for (uint32_t k = 0; k < pool->workers; k++) {
        __atomic_add_fetch(&p->boxes[k].bell, 1, __ATOMIC_SEQ_CST);
        wake(&p->boxes[k].bell);
    }
}

bool target_pool_have_saved(struct target_pool *pool, int milliseconds)
{
    struct pool *p = pool->shared;
    double end = base_now() + milliseconds / 1000.0;
    for (;;) {
        uint32_t saved = load(&p->save_count);
        if (saved + load(&p->absent) >= pool->workers || load(&p->over) != POOL_GOES_ON)
            return true;
        double left = end - base_now();
        if (left <= 0)
            return false;
        const struct timespec most = {.tv_nsec = left < 0.01 ? (long)(left * 1e9) : 10000000};
        syscall(SYS_futex, &p->save_count, FUTEX_WAIT, saved, &most, NULL, 0);
    }
}

void target_pool_release(struct target_pool *pool)
{
    struct pool *p = pool->shared;
    __atomic_store_n(&p->save_released, load(&p->save_wanted), __ATOMIC_SEQ_CST);
    wake(&p->save_released);
}
