/* SPDX-License-Identifier: Apache-2.0 */
/* Reads of memory that was never written. */
#include "engine/engine_quick.h"
#include "engine/graph_mode/plain_steps.h"
#include "explore/graphs_memory.h"

/* The initial value of a location on a stack, or a plain write to it, which may be the compiler's filling: the confirmation of the
 * error looks at where that write is. */
static bool read_nothing_of_stack(uint64_t address, size_t size)
{
    if (!engine_is_stack(address))
        return false;
    if (engine_graph_mode)
        return explore_graphs_source(engine.explorer, engine.current) != GRAPHS_FROM_STEP;
    return !clocks_was_written_elsewhere(engine.clocks, address, size, CLOCKS_ANY_PLAIN);
}

static bool was_written_plainly(uint64_t address, size_t size)
{
    const void *filled = heap_filled_again(address);
    return clocks_was_written_elsewhere(engine.clocks, address, size, filled ? (uint64_t)filled : UINT64_MAX);
}

bool engine_was_written(uint64_t address)
{
    return *(const uint8_t *)address != HEAP_FILLING || plain_steps_on || !heap_is_left_to_program(address) ||
           (engine_graph_mode && graph_mode_has_location(address, 1)) || was_written_plainly(address, 1);
}

bool engine_read_nothing(uint64_t address, size_t size)
{
    if (*(const uint8_t *)address != HEAP_FILLING)
        return read_nothing_of_stack(address, size);
    if (!heap_contains((const void *)address) || !heap_is_left_to_program(address))
        return false;
    if (!engine_graph_mode)
        return !clocks_was_written(engine.clocks, address, size);
    enum graphs_source source = explore_graphs_source(engine.explorer, engine.current);
    if (source == GRAPHS_FROM_STEP)
        return false;
    if (plain_steps_on && source == GRAPHS_FROM_INITIAL)
        return !plain_was_initially_written(address, size);
    if (plain_steps_on && !heap_filled_again(address))
        return false;
    return !was_written_plainly(address, size);
}

/* A race with the allocation is reported first. */
void engine_check_written(uint64_t address, size_t size, const void *pc)
{
    if (!engine_read_nothing(address, size))
        return;
    engine_check_known_quick(address, size, false, true, pc);
    engine.shared->error.filled = heap_contains((const void *)address) ? 0 : (uint32_t)size;
    engine_fail(WORKER_ERROR_UNINITIALISED, address, pc,
                "an atomic access reads %zu byte%s of the %s that %s never written", size,
                size == 1 ? "" : "s", heap_contains((const void *)address) ? "heap" : "stack",
                size == 1 ? "was" : "were");
}

static void note_unwritten(uint64_t pc)
{
    struct worker_shared *s = engine.shared;
    for (uint32_t k = 0; k < s->unwritten_count; k++)
        if (s->unwritten[k] == pc)
            return;
    if (s->unwritten_count == PROTOCOL_UNWRITTEN)
        s->unwritten_lost = true;
    else
        s->unwritten[s->unwritten_count++] = pc;
}

/* The value may decide nothing, as that of a member that is copied and not used, so this is no error unless it was asked for.
 * Where plain accesses are steps it is the graph that knows, and it is not asked; nor where atomic ones are, too. */
void engine_check_plain_read(uint64_t address, size_t size, const void *pc)
{
    if (!engine_active || plain_steps_on || !heap_may_be_unwritten(address) ||
        !heap_is_left_to_program(address) || !engine_is_filling((const void *)address, size) ||
        (engine_graph_mode && graph_mode_is_location(address, size)) || was_written_plainly(address, size))
        return;
    if (!engine.refuses_unwritten) {
        note_unwritten((uint64_t)pc);
        return;
    }
    engine_fail(WORKER_ERROR_UNINITIALISED, address, pc,
                "a plain access reads %zu byte%s of the heap that %s never written", size,
                size == 1 ? "" : "s", size == 1 ? "was" : "were");
}
