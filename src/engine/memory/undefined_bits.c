/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/memory/undefined_bits.h"

#include "base/memory.h"
#include "engine/engine_state.h"
#include "engine/graph_mode/graph_mode.h"
#include "engine/graph_mode/plain_steps.h"
#include "engine/memory/frames.h"
#include "engine/real.h"

#include <sys/mman.h>

enum { STACKS_SPAN = 1 << 30 }; /* more than all stacks have */

#define KEPT_FROM (HEAP_BASE + ((uint64_t)(HEAP_LANES - 1) << HEAP_LANE_LOG))

uint64_t undefined_heap, undefined_stacks;
bool undefined_some;

static uint64_t bottoms[THREADS_MAX]; /* of what is undefined on a thread's stack; 0: nothing */
static uint64_t with_bottoms;         /* a bit for each */
static uint64_t last_found;           /* the place */
static bool kept_has_some;            /* among blocks that live on from one execution to the next */

void undefined_watch(void)
{
    enum { SHADOW_FLAGS = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE };
    const uint64_t heap = (uint64_t)HEAP_LANES << HEAP_LANE_LOG;
    if (undefined_heap)
        return;
    if (mmap(undefined_shadow(HEAP_BASE), heap, PROT_READ | PROT_WRITE, SHADOW_FLAGS, -1, 0) == MAP_FAILED ||
        mmap(undefined_shadow(FIBER_BASE), STACKS_SPAN, PROT_READ | PROT_WRITE, SHADOW_FLAGS, -1, 0) ==
            MAP_FAILED)
        base_out_of_memory(); /* the address space is limited */
    undefined_heap = heap;
    undefined_stacks = STACKS_SPAN;
}

/* Where plain accesses are steps the graph knows what they find, and it is not asked. */
uint64_t undefined_found(uint64_t address, uint64_t shadow, const void *pc)
{
    if (!engine_active || plain_steps_on)
        return 0;
    last_found = address;
    if (engine.refuses_unwritten)
        engine_check_plain_read(address, 1, pc);
    return shadow;
}

void undefined_write_many(uint64_t address, size_t size)
{
    real.memset(undefined_shadow(address), 0, size);
}

static void note_undefined(uint64_t address)
{
    undefined_some = true;
    kept_has_some |= address >= KEPT_FROM;
    if (!fiber_is_near_stacks(address))
        return;
    uint32_t owner = engine.current;
    for (uint32_t k = 0; !fiber_has_on_stack(&engine.threads[owner].fiber, address); owner = k++)
        if (k == engine.count)
            return;
    if (!bottoms[owner] || address < bottoms[owner])
        bottoms[owner] = address;
    with_bottoms |= UINT64_C(1) << owner;
}

void undefined_declare(uint64_t address, size_t size)
{
    if (!undefined_is_tracked(address) || engine.shared->has_foreign)
        return;
    note_undefined(address);
    real.memset(undefined_shadow(address), 0xff, size);
}

/* What others find there is more than its value, by which executions that are not run are known. */
static void note_stored(uint64_t address)
{
    note_undefined(address);
    if (engine_graph_mode && !fiber_is_near_stacks(address))
        graph_mode_shares();
}

void undefined_store(uint64_t address, uint64_t shadow, size_t size)
{
    if (!undefined_is_tracked(address))
        return;
    if (shadow)
        note_stored(address);
    real.memcpy(undefined_shadow(address), &shadow, size);
}

void undefined_copy(uint64_t to, uint64_t from, size_t size)
{
    if (!undefined_is_tracked(to) || !size)
        return;
    if (undefined_is_tracked(from) && undefined_first(from, size)) {
        note_stored(to);
        real.memmove(undefined_shadow(to), undefined_shadow(from), size);
    } else {
        undefined_write_many(to, size);
    }
}

uint8_t *undefined_keep(uint64_t from, size_t size)
{
    if (!undefined_first(from, size))
        return NULL;
    uint8_t *kept = NEW_ARRAY(uint8_t, size);
    return real.memcpy(kept, undefined_shadow(from), size);
}

void undefined_put(uint64_t to, uint8_t *kept, size_t size)
{
    if (kept && undefined_is_tracked(to)) {
        note_undefined(to);
        real.memcpy(undefined_shadow(to), kept, size);
    }
    free(kept);
}

uint64_t undefined_first(uint64_t address, size_t size)
{
    const uint8_t *shadow = undefined_shadow(address);
    if (!undefined_is_tracked(address) || !engine_active || plain_steps_on)
        return 0;
    for (size_t k = 0; k < size; k++)
        if (shadow[k])
            return address + k;
    return 0;
}

bool undefined_is_no_padding(uint64_t address, size_t size)
{
    enum { PADDING_MAX = 15 };
    size_t run = 0;
    for (size_t k = 0; k < size && run <= PADDING_MAX; k++)
        run = undefined_bits(address + k) ? run + 1 : 0;
    return run > PADDING_MAX || (run && run == size);
}

void undefined_drop_below(uint32_t thread, uint64_t sp)
{
    uint64_t bottom = bottoms[thread];
    const struct fiber *f = &engine.threads[thread].fiber;
    if (!bottom || bottom >= sp || sp - (uint64_t)f->stack > f->stack_size)
        return; /* the last: on a stack that the program has made */
    undefined_write_many(bottom, sp - bottom);
    bottoms[thread] = sp;
}

static void forget_stacks(void)
{
    for (; with_bottoms; with_bottoms &= with_bottoms - 1) {
        uint32_t k = (uint32_t)__builtin_ctzll(with_bottoms);
        const struct fiber *f = &engine.threads[k].fiber;
        undefined_drop_below(k, (uint64_t)f->stack + f->stack_size);
        bottoms[k] = 0;
    }
}

/* Pages of zeros take the place of what is there. */
static void clear_heap(uint64_t from, uint64_t size)
{
    madvise(undefined_shadow(from), size, MADV_DONTNEED);
}

void undefined_forget(void)
{
    if (!undefined_some)
        return;
    forget_stacks();
    clear_heap(HEAP_BASE, undefined_heap);
    undefined_some = kept_has_some = false;
}

void undefined_reset(void)
{
    if (!undefined_some)
        return;
    forget_stacks();
    if (kept_has_some)
        clear_heap(KEPT_FROM, UINT64_C(1) << HEAP_LANE_LOG);
    kept_has_some = false;
    last_found = 0;
}

/* ------------------------------------------------------------------- errors */

/* A variable whose red zones are known. */
static const char *name_variable(uint64_t address)
{
    for (uint32_t k = 0; k < engine.count; k++) {
        const char *name =
            fiber_has_on_stack(&engine.threads[k].fiber, address) ? scopes_name(k, address) : NULL;
        if (name)
            return name;
    }
    return "a local variable";
}

void undefined_fail(const char *what, uint64_t address, const void *pc)
{
    if (fiber_is_near_stacks(address))
        engine_fail(WORKER_ERROR_UNINITIALISED, 0, pc, "%s depends on %s, which was not initialised", what,
                    name_variable(address));
    heap_name_allocation(address);
    engine_fail(WORKER_ERROR_UNINITIALISED, address, pc,
                "%s depends on memory of the heap that was never written", what);
}

void undefined_fail_last(const char *what, const void *pc)
{
    if (last_found)
        undefined_fail(what, last_found, pc);
    engine_fail(WORKER_ERROR_UNINITIALISED, 0, pc,
                "%s depends on a local variable, which was not initialised", what);
}
