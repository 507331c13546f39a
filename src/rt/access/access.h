/* SPDX-License-Identifier: Apache-2.0 */
/* What every atomic access begins with, compiled or written in assembly: the step is announced, and comes back when it
 * is the thread's turn and memory holds what the access is to find. */
#ifndef RT_ACCESS_H
#define RT_ACCESS_H

#include "engine/engine_quick.h"
#include "engine/graph_mode/contents.h"
#include "rt/hook.h"

static inline uint64_t access_low(event_word v)
{
    return (uint64_t)v;
}

/* What an access does, for those who want to know before. */
struct access {
    enum operation operation;
    unsigned order, failure_order;
    event_word operand, expected;
    bool weak;
};

/* In an exploration of graphs nearly all steps are repeated ones. */
static inline __attribute__((always_inline)) bool access_repeat(enum event_kind kind, uint64_t address,
                                                                unsigned size, struct access a,
                                                                const void *pc)
{
    if (size > sizeof(uint64_t))
        return false;
    struct graph_label label = {(uint8_t)kind, (uint8_t)a.operation, (uint8_t)a.order,
                                (uint8_t)a.failure_order};
    const struct graph_event *found =
        graph_mode_repeat(label, size, address, access_low(a.operand), access_low(a.expected), pc);
    if (found && kind != EVENT_WRITE)
        graph_mode_put(address, size, found->value);
    return found;
}

static inline __attribute__((always_inline)) void access_begin(enum event_kind kind,
                                                               const volatile void *address, unsigned size,
                                                               struct access a, const void *pc)
{
    if (__builtin_expect(fiber_is_near_stacks((uint64_t)address), false) && engine_graph_mode &&
        kind != EVENT_WRITE)
        contents_look_for_unannounced((uint64_t)address, size, pc);
    if (!engine_graph_mode || !access_repeat(kind, (uint64_t)address, size, a, pc)) {
        engine_describe_access(a.operation, a.order, a.failure_order, a.operand, a.expected);
        if (a.weak)
            engine_describe_weak((uint64_t)address, pc);
        engine_step_inline(kind, (uint64_t)address, size, pc);
    }
    if (!engine_is_checked((uint64_t)address)) {
        red_zones_check((uint64_t)address, size, "atomic access", pc);
        return;
    }
    heap_check((uint64_t)address, size, pc);
    frames_check_own((uint64_t)address, size, FRAMES_SP, pc);
}

#endif
