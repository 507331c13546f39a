/* SPDX-License-Identifier: Apache-2.0 */
/* What every replaced function needs. While engine_active is false (before the first execution, inside
 * the runtime itself, in a program that was started without plumb) a hook calls the function it replaces. */
#ifndef RT_HOOK_H
#define RT_HOOK_H

#include "engine/engine.h"
#include "engine/real.h"

#define EXPORT __attribute__((visibility("default")))

/* The program accesses memory here while nothing is looked at: until it is asked for, that is before main. */
void hook_note_before(const void *pc);
/* Was there such an access, by a constructor of the program's own? */
bool hook_ran_before(void);

/* The place in the program that called the function this is written in. */
#define CALLER __builtin_return_address(0)

/* The function of that name behind ours. */
void *hook_find_next(const char *name);
#define NEXT(name)                                                    \
    ({                                                                \
        static __typeof__(&name) next_function;                       \
        if (!next_function)                                           \
            next_function = (__typeof__(&name))hook_find_next(#name); \
        next_function;                                                \
    })

/* The program's calls of `name` come here. Inside of an execution the function is `expression`, elsewhere the one that it
 * replaces. Its parameters come last. */
#define REPLACE(type, name, arguments, expression, ...) \
    REPLACE_WHERE(engine_active, type, name, arguments, expression, __VA_ARGS__)
#define REPLACE_WHERE(condition, type, name, arguments, expression, ...) \
    EXPORT type name(__VA_ARGS__)                                        \
    {                                                                    \
        return condition ? (expression) : NEXT(name) arguments;          \
    }

/* The same with a body, which follows. It is inlined, so that CALLER is the same there. Functions that stand for others need not
 * use all of their parameters. */
#pragma GCC diagnostic ignored "-Wunused-parameter"
#define REPLACE_BY(type, name, arguments, ...)                                    \
    static inline __attribute__((always_inline)) type name##_inside(__VA_ARGS__); \
    REPLACE(type, name, arguments, name##_inside arguments, __VA_ARGS__)          \
    static inline type name##_inside(__VA_ARGS__)

/* The same for functions that an execution may not call. */
#define REFUSE(type, name, arguments, what, ...) \
    EXPORT type name(__VA_ARGS__)                \
    {                                            \
        if (engine_active)                       \
            engine_give_up(CALLER, "%s", what);  \
        return NEXT(name) arguments;             \
    }

/* Does the program itself (or its C++ library) read or write here? */
static inline bool hook_is_watched(const void *pc)
{
    return engine_active && snapshot_is_program(pc);
}

/* A plain read of so many bytes because of what they hold: a string. */
void hook_read_string(const void *from, size_t size, const void *pc);
void hook_read_text(const void *from, size_t size, const void *pc); /* some of it may decide nothing */

/* `what` has written there already. Where accesses are steps that ends the execution: a write has to be announced before it
 * happens, and where or how much it is was not known then. */
void hook_check_late_write(const char *what, uint64_t address, size_t size, const void *pc);

/* Code of the C++ library: its own variables live on from one execution to the next. */
bool hook_is_library_code(const void *pc);

/* Is the place in a hook of a plain access, or of a function's ends? They return nothing. */
bool hook_is_plain(const void *pc);

enum { ORDER_MASK = 0x7fff }; /* gcc adds hardware lock elision bits above */

/* Orders below it are taken as they are: ORDER_SEQ_CST + 1, or 0 where calls may have others than written. */
extern unsigned hook_order_limit;
unsigned hook_order_beyond(unsigned order, bool failure, const void *pc);
/* A comparison fails: its order for that is met. */
void hook_note_failure(int order, const void *pc);
/* Calls have the orders that the configuration gives them. */
void hook_orders_prepare(struct worker_shared *shared);

/* The memory order of the call that returns to `pc`; `failure`: of a comparison that fails. */
static inline unsigned hook_order(int order, bool failure, const void *pc)
{
    unsigned o = (unsigned)order & ORDER_MASK;
    return __builtin_expect(o < hook_order_limit, true) ? o : hook_order_beyond(o, failure, pc);
}

/* The updates, spelled as the compilers spell them. */
enum {
    OPERATION_exchange = OPERATION_EXCHANGE,
    OPERATION_fetch_add = OPERATION_ADD,
    OPERATION_fetch_sub = OPERATION_SUB,
    OPERATION_fetch_and = OPERATION_AND,
    OPERATION_fetch_or = OPERATION_OR,
    OPERATION_fetch_xor = OPERATION_XOR,
    OPERATION_fetch_nand = OPERATION_NAND,
};

/* A number of the current execution. Objects that carry another one are as good as new: memory that the
 * engine does not put back may hold them. */
extern uint32_t hook_stamp;

#endif
