/* SPDX-License-Identifier: Apache-2.0 */
/* Uses of stack variables whose function has returned, or whose thread has ended. What lies below the stack pointer of the
 * program is dead; a return has to come after all accesses of other threads. Private to the engine and its hooks. */
#ifndef ENGINE_FRAMES_H
#define ENGINE_FRAMES_H

#include "engine/engine_state.h"
#include "engine/memory/red_zones.h"

#include <stdint.h>
#include <stddef.h>

/* The stack pointer of the program in a function that it calls, or that is inlined there. */
#define FRAMES_SP ((uint64_t)__builtin_dwarf_cfa())

/* Fails when the current thread, with its stack pointer at `sp`, accesses something dead on its own stack. */
void frames_examine_own(uint64_t address, size_t size, uint64_t sp, const void *pc);

/* It lies below that stack pointer of the thread. */
static inline bool frames_is_dead(const struct thread *t, uint64_t address, uint64_t sp)
{
    uint64_t stack = (uint64_t)t->fiber.stack, size = t->fiber.stack_size;
    return __builtin_expect(address < sp, false) && address >= stack && sp - stack < size;
}

/* Or it may be a variable whose block was left. `sp` may be 0, if it is not known. */
static inline bool frames_may_be_dead(const struct thread *t, uint64_t address, uint64_t sp)
{
    return frames_is_dead(t, address, sp > t->ended_top ? sp : t->ended_top);
}

static inline void frames_check_own(uint64_t address, size_t size, uint64_t sp, const void *pc)
{
    if (frames_may_be_dead(engine.running, address, sp))
        frames_examine_own(address, size, sp, pc);
}

/* It is not on the stack of the current thread, but near stacks. */
void frames_check_other(uint64_t address, size_t size, bool atomic, const void *pc);
static inline void frames_check_foreign(const struct thread *t, uint64_t address, size_t size, bool atomic,
                                        const void *pc)
{
    if (__builtin_expect(fiber_is_near_stacks(address), false) && !fiber_has_on_stack(&t->fiber, address))
        frames_check_other(address, size, atomic, pc);
}
/* Schedules: the running thread has read atomically there, on its own stack. */
void frames_see_visitors(uint64_t address);
void frames_check_object(uint64_t address, size_t size,
                         const void *pc); /* a synchronization object is used */

/* Fails when a function or thread that has ended owned this memory, whichever thread accesses it. At a step only. */
void frames_check_alive(uint64_t address, size_t size, const void *pc);

/* The current thread is about to be suspended; a function of the engine whose frame begins at `sp` does it. */
static inline void frames_note(struct thread *t, uint64_t sp)
{
    t->program_sp = sp;
    t->stub_sp = spin_watch.sp;
    t->stub_frame = spin_watch.frame;
    t->stub_caller = spin_watch.caller;
}

/* The current thread returns from the function whose frame lies below `top`: at each return while they are watched. */
void frames_note_exit(uint64_t top, const void *pc);

/* The function returns to one whose stack ends at `sp`; the thread ends. */
void frames_leave(uint64_t sp, const void *pc);
void frames_leave_range(uint64_t from, uint64_t to, const void *pc); /* a block with that variable is left */
void frames_end_thread(void);

void frames_begin(struct thread *t); /* a thread begins */
void frames_reset(void);             /* an execution begins */

/* Returns of functions matter, since a block was left; or always do: the stack of some thread was accessed by another, in an execution before at least. */
extern bool frames_watch_exits ENGINE_HIDDEN, frames_watch_all_exits ENGINE_HIDDEN;

/* Variables on the stack whose block was left while their function goes on: dead until the block is entered again. Compilers that
 * mark where blocks begin and end do so by hooks (src/rt/access/tsan.c). Private to the engine and its hooks. */

struct ended_scope {
    uint64_t from, to;
    uint64_t pc;                /* where the block was left */
    struct bounded_object zone; /* with a name: of a variable that lives, this is a red zone */
};

void scopes_clear(uint32_t thread); /* it begins */

/* Of the running thread; memory that is not on its stack is left alone. */
void scopes_enter(uint64_t address, size_t size);
void scopes_leave(uint64_t address, size_t size, const void *pc);

/* A variable begins to live, with red zones on both sides. */
void scopes_surround(struct bounded_object object, uint64_t before, uint64_t behind);

/* The running thread's frames below `sp` are others than before, or none. */
void scopes_drop_below(uint64_t sp);

/* The dead variable of `thread` that has some of these bytes; null: there is none. */
/* The variable with red zones there, or null. */
const char *scopes_name(uint32_t thread, uint64_t address);
const struct ended_scope *scopes_find(uint32_t thread, uint64_t address, size_t size);

#endif
