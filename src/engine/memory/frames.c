/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/memory/frames.h"

#include "base/vec.h"
#include "engine/engine_quick.h"
#include "explore/graphs_memory.h"

/* An access of another thread to the stack of this one: has to happen before the function returns. */
struct foreign_access {
    uint64_t address, pc;
    uint32_t thread;
    int32_t clock;
    bool atomic;
};

/* A function of the thread has returned: what lay below `top` was gone then. */
struct left_frame {
    uint64_t top, pc;
    int32_t clock;
};

static VEC(struct foreign_access) accesses[THREADS_MAX];
static VEC(struct left_frame) left_frames[THREADS_MAX]; /* highest first, which are the oldest */
bool frames_watch_exits, frames_watch_all_exits;

void frames_reset(void)
{
    frames_watch_exits = frames_watch_all_exits || !engine_graph_mode;
}

void frames_begin(struct thread *t)
{
    uint32_t number = (uint32_t)(t - engine.threads);
    vec_clear(&accesses[number]);
    vec_clear(&left_frames[number]);
    scopes_clear(number);
    t->has_visitors = false;
    t->left_size = 0;
    t->stub_sp = t->stub_frame = t->stub_caller = 0;
    t->program_sp = (uint64_t)t->fiber.stack + t->fiber.stack_size;
}

/* Calls that lead through a stub of imports.c leave their stack pointer; whether it is that of the step is seen from the
 * return address that lies there. Of the running thread only a lower one is known. */
static uint64_t find_sp(const struct thread *t)
{
    uint64_t found;
    if (t == engine.running)
        return FRAMES_SP;
    if (!fiber_has_on_stack(&t->fiber, t->stub_sp))
        return t->program_sp;
    __builtin_memcpy(&found, (const void *)t->stub_sp, sizeof found);
    uint64_t sp = t->stub_sp + sizeof found;
    return found == t->pc && sp > t->program_sp ? sp : t->program_sp;
}

static void check_scopes(uint32_t owner, uint64_t address, size_t size, const void *pc)
{
    const struct ended_scope *ended =
        engine.threads[owner].ended_top ? scopes_find(owner, address, size) : NULL;
    if (!ended)
        return;
    if (ended->zone.name)
        red_zones_fail("stack", &ended->zone, (struct memory_range){address, size}, "access", pc);
    engine_name_second(owner, (const void *)ended->pc);
    engine_fail(WORKER_ERROR_USE_AFTER_RETURN, address, pc,
                "access of %zu byte%s to a variable of T%u whose block was left", size, size == 1 ? "" : "s",
                owner);
}

void frames_examine_own(uint64_t address, size_t size, uint64_t sp, const void *pc)
{
    if (!frames_is_dead(engine.running, address, sp)) {
        check_scopes(engine.current, address, size, pc);
        return;
    }
    engine_fail(WORKER_ERROR_USE_AFTER_RETURN, address, pc,
                "access of %zu byte%s to the stack of a function that has returned", size,
                size == 1 ? "" : "s");
}

static uint32_t find_owner(uint64_t address)
{
    uint32_t t = 0;
    while (t < engine.count &&
           !(engine.threads[t].has_fiber && fiber_owns(&engine.threads[t].fiber, address)))
        t++;
    return t;
}

void frames_note_exit(uint64_t top, const void *pc)
{
    uint32_t me = engine.current;
    if (!fiber_has_on_stack(&engine.running->fiber, top))
        return;
    while (left_frames[me].len && vec_last(&left_frames[me]).top <= top)
        left_frames[me].len--;
    vec_push(&left_frames[me], ((struct left_frame){top, (uint64_t)pc, engine_now()}));
}

/* A return is like a free, and a later function reuses the place. A thread that has the new address is ordered after that return. */
static void check_known(uint32_t owner, uint64_t address, size_t size, const void *pc)
{
    size_t k = left_frames[owner].len;
    while (k > 0 && left_frames[owner].data[k - 1].top <= address)
        k--;
    if (k == 0 || engine_knows(owner, left_frames[owner].data[k - 1].clock))
        return;
    engine_name_second(owner, (const void *)left_frames[owner].data[k - 1].pc);
    engine_fail(
        WORKER_ERROR_USE_AFTER_RETURN, address, pc,
        "access of %zu byte%s to the stack of T%u, where the function has returned, and nothing orders "
        "this after the return",
        size, size == 1 ? "" : "s", owner);
}

/* Dead is what lies below the stack pointer, unless the thread runs on a stack of its own making. */
static void check_alive(uint32_t owner, uint64_t address, size_t size, const void *pc)
{
    const struct thread *t = &engine.threads[owner];
    bool is_local = !fiber_has_on_stack(&t->fiber, address);
    if (!(engine.alive & thread_bit(owner)) && is_local)
        engine_fail(WORKER_ERROR_USE_AFTER_RETURN, address, pc,
                    "access of %zu byte%s to a thread-local variable of T%u, which has ended", size,
                    size == 1 ? "" : "s", owner);
    if (!(engine.alive & thread_bit(owner)))
        engine_fail(WORKER_ERROR_USE_AFTER_RETURN, address, pc,
                    "access of %zu byte%s to the stack of T%u, which has ended", size, size == 1 ? "" : "s",
                    owner);
    if (!is_local && (frames_is_dead(t, address, find_sp(t)) || address - t->left_from < t->left_size))
        engine_fail(WORKER_ERROR_USE_AFTER_RETURN, address, pc,
                    "access of %zu byte%s to the stack of T%u, where the function has returned", size,
                    size == 1 ? "" : "s", owner);
    if (!is_local)
        check_known(owner, address, size, pc);
    check_scopes(owner, address, size, pc);
}

/* An atomic access of a graph is an event that others can know; a plain one is known by the event after it. */
static struct foreign_access describe_access(uint64_t address, bool atomic, const void *pc)
{
    int32_t now = engine_now();
    return (struct foreign_access){address, (uint64_t)pc, engine.current, now - (atomic && engine_graph_mode),
                                   atomic};
}

static void remember(uint32_t owner, struct foreign_access a)
{
    struct thread *t = &engine.threads[owner];
    bool is_first = !frames_watch_all_exits;
    t->has_visitors = frames_watch_exits = frames_watch_all_exits = true;
    if (engine_graph_mode && is_first)
        graph_mode_run_again(); /* returns before this one matter, too */
    if (engine_graph_mode)
        graph_mode_note_visit(owner);
    for (size_t k = 0; k < accesses[owner].len; k++)
        if (accesses[owner].data[k].address == a.address && accesses[owner].data[k].thread == a.thread &&
            accesses[owner].data[k].atomic == a.atomic) {
            accesses[owner].data[k] = a;
            return;
        }
    vec_push(&accesses[owner], a);
}

void frames_check_other(uint64_t address, size_t size, bool atomic, const void *pc)
{
    if (fiber_owns(&engine.running->fiber, address)) { /* a thread-local variable of its own */
        red_zones_check_thread(engine.running->fiber.tls, address, size, pc);
        return;
    }
    uint32_t owner = find_owner(address);
    if (owner == engine.count)
        return;
    if (!fiber_has_on_stack(&engine.threads[owner].fiber, address))
        red_zones_check_thread(engine.threads[owner].fiber.tls, address, size, pc);
    check_alive(owner, address, size, pc);
    remember(owner, describe_access(address, atomic, pc));
}

void frames_check_object(uint64_t address, size_t size, const void *pc)
{
    uint32_t owner = find_owner(address);
    if (owner == engine.current)
        check_scopes(owner, address, size, pc);
    else if (owner != engine.count)
        check_alive(owner, address, size, pc);
}

void frames_check_alive(uint64_t address, size_t size, const void *pc)
{
    uint32_t owner = find_owner(address);
    if (owner != engine.count)
        check_alive(owner, address, size, pc);
}

/* What the owner has read there tells it that the access is over, whatever the order that it asked for: what it writes there next
 * comes after, as all writes of one location. */
static bool was_seen(const struct foreign_access *a)
{
    return a->atomic && engine_graph_mode &&
           explore_graphs_has_read(engine.explorer, engine.current, a->address, a->thread,
                                   (uint32_t)a->clock - 1);
}

/* In a schedule it has read the newest value. */
void frames_see_visitors(uint64_t address)
{
    uint32_t me = engine.current;
    size_t kept = 0;
    for (size_t k = 0; k < accesses[me].len; k++)
        if (accesses[me].data[k].address != address || !accesses[me].data[k].atomic)
            accesses[me].data[kept++] = accesses[me].data[k];
    accesses[me].len = kept;
    engine.running->has_visitors = kept;
}

static _Noreturn void fail_unordered(const struct foreign_access *a, bool is_block, const void *pc)
{
    uint32_t me = engine.current;
    engine_name_second(a->thread, (const void *)a->pc);
    if (!fiber_has_on_stack(&engine.running->fiber, a->address))
        engine_fail(WORKER_ERROR_USE_AFTER_RETURN, a->address, pc,
                    "T%u ends, and nothing orders this after the access of T%u to its thread-local variable",
                    me, a->thread);
    engine_fail(WORKER_ERROR_USE_AFTER_RETURN, a->address, pc,
                "T%u %s, and nothing orders this after the access of T%u to its stack", me,
                is_block ? "leaves a block" : "returns from a function", a->thread);
}

static void forget_visitors(uint64_t from, uint64_t to, bool is_block, const void *pc)
{
    uint32_t me = engine.current;
    size_t kept = 0;
    for (size_t k = 0; k < accesses[me].len; k++) {
        struct foreign_access a = accesses[me].data[k];
        if (a.address < from || a.address >= to ||
            (to != UINT64_MAX && !fiber_has_on_stack(&engine.running->fiber, a.address)))
            accesses[me].data[kept++] = a;
        else if (!engine_knows(a.thread, a.clock) && !was_seen(&a))
            fail_unordered(&a, is_block, pc);
    }
    accesses[me].len = kept;
    engine.running->has_visitors = kept;
}

void frames_leave(uint64_t sp, const void *pc)
{
    forget_visitors(0, sp, false, pc);
}

void frames_leave_range(uint64_t from, uint64_t to, const void *pc)
{
    forget_visitors(from, to, true, pc);
}

void engine_leave_main(const void *from, size_t size)
{
    engine.running->left_from = (uint64_t)from;
    engine.running->left_size = size;
    scopes_leave((uint64_t)from, size, NULL); /* for handlers of exit, which this thread itself runs */
}

void frames_end_thread(void)
{
    if (engine.running->has_visitors)
        frames_leave(UINT64_MAX, NULL);
}
