/* SPDX-License-Identifier: Apache-2.0 */
/* Fibers: program threads that the engine switches by hand. Each borrows the thread-local storage of a
 * real, parked thread, so that errno, thread_local, stdio and exceptions work as usual. */
#ifndef ENGINE_FIBER_H
#define ENGINE_FIBER_H

#include <semaphore.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fiber {
    void *sp;      /* saved stack pointer while it does not run */
    uintptr_t tls; /* value of the thread register */
    char *stack;   /* lowest usable byte; a guard lies below */
    size_t stack_size;
    sem_t turn;        /* FIBER_ON_THREAD only: posted when it may go on */
    int kernel_thread; /* the same: the number that the system gave it */
};

/* How the thread register is changed; or, for a debugger, each fiber runs on the thread it else borrows from. */
enum fiber_way { FIBER_BY_KERNEL, FIBER_DIRECT, FIBER_NOT, FIBER_ON_THREAD };
extern enum fiber_way fiber_way __attribute__((visibility("hidden")));
void fiber_jump(void **save_sp, void *load_sp, uintptr_t tls, enum fiber_way way);
void fiber_hand_over(struct fiber *from, struct fiber *to);

/* Stops `from` and continues `to`; returns when something switches back to `from`. */
static inline void fiber_switch(struct fiber *from, struct fiber *to)
{
    if (__builtin_expect(fiber_way == FIBER_ON_THREAD, false))
        fiber_hand_over(from, to);
    else
        fiber_jump(&from->sp, to->sp, to->tls, fiber_way);
}

/* Makes `f` start in entry(argument) at its next switch, on a fresh stack. entry must not return. */
void fiber_prepare(struct fiber *f, void (*entry)(void *argument), void *argument);

/* The stack of the calling thread as a fiber to come back to. */
void fiber_adopt_caller(struct fiber *f);

/* From now on fibers have their own thread-local storage. It costs as much as the rest of a switch, and
 * many programs do not use any. */
void fiber_switch_storage(void);

/* From now on each fiber runs on a thread of its own, one at a time, on the same stacks as ever: a debugger then
 * finds registers, call stacks and thread-local variables where it looks for them. For one execution: a fiber
 * that has run cannot be prepared again. */
void fiber_use_threads(void);

/* Gives `f` a stack and the storage of a newly parked thread, at addresses that depend on nothing but `number`.
 * False: the system refuses. */
bool fiber_create(struct fiber *f, uint32_t number);

/* Where stacks are, unless the system had no room there. */
#define FIBER_BASE UINT64_C(0x690000000000)
#define FIBER_ROOM UINT64_C(0x10000000000)
static inline bool fiber_is_near_stacks(uint64_t address)
{
    return address - FIBER_BASE < FIBER_ROOM;
}

static inline bool fiber_has_on_stack(const struct fiber *f, uint64_t address)
{
    return address - (uint64_t)f->stack < f->stack_size;
}

/* On its stack, or among its thread-local variables? */
bool fiber_owns(const struct fiber *f, uint64_t address);

/* Does `address` lie in the guard below the stack of `f`? */
bool fiber_is_guard(const struct fiber *f, uint64_t address);

/* Puts the program's thread-local variables back to their initial values. */
void fiber_reset_storage(struct fiber *f);

#endif
