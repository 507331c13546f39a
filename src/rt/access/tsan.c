/* SPDX-License-Identifier: Apache-2.0 */
/* Plain accesses, as both compilers announce them with -fsanitize=thread. */
#include "engine/engine_quick.h"
#include "engine/memory/frames.h"
#include "engine/memory/undefined_bits.h"
#include "engine/real.h"
#include "rt/hook.h"
#include "rt/access/sections.h"
#include "rt/calls/calls.h"
#include "rt/threads/locks.h"

/* All in one place, so that hook_is_plain knows them. */
#define HOOK EXPORT __attribute__((section("plumb_plain_hooks")))

extern const char __start_plumb_plain_hooks[] __attribute__((visibility("hidden")));
extern const char __stop_plumb_plain_hooks[] __attribute__((visibility("hidden")));

bool hook_is_plain(const void *pc)
{
    const char *at = pc;
    return at >= __start_plumb_plain_hooks && at < __stop_plumb_plain_hooks;
}

HOOK void __tsan_init(void)
{
}

/* The frame pointer of the function that calls a hook lies between its variables and what its caller has on the stack. The
 * function that asks may have been jumped to by the hook, or called. */
static inline __attribute__((always_inline)) uint64_t find_frame_top(uint64_t sp)
{
    uint64_t top = *(const uint64_t *)__builtin_frame_address(0);
    if (top < sp && fiber_has_on_stack(&engine.running->fiber, top))
        top = *(const uint64_t *)top; /* that one was the hook's */
    return top;
}

/* What ended below belonged to functions that were left by longjmp. */
static __attribute__((noinline)) void enter_function(uint64_t sp, const void *pc)
{
    if (sections_exist)
        sections_enter(pc);
    if (engine_active && engine.running->ended_top)
        scopes_drop_below(find_frame_top(sp));
}

static __attribute__((noinline)) void leave_function(uint64_t sp, const void *pc)
{
    if (sections_exist)
        sections_leave(pc);
    if (!engine_active)
        return;
    uint64_t top = find_frame_top(sp);
    objects_check_held((uint64_t)engine.running->fiber.stack, top,
                       "is on the stack of a function that returns", pc);
    frames_note_exit(top, pc);
    if (engine.running->has_visitors)
        frames_leave(top, pc);
    if (engine.running->ended_top)
        scopes_drop_below(top);
    if (calls_watch_stacks)
        calls_end_objects((uint64_t)engine.running->fiber.stack, top);
}

/* A thread that waits is recognised by its stack, too, in which there are holes that keep what calls have left below them. What is jumped
 * to leaves nothing near, whether it happens in this execution or not: when errors are confirmed it does for every access. */
#if defined(__x86_64__)
#define GAP "1032" /* keeps the stack aligned behind a call */
#define FAR(name)                                                                                  \
    __asm__(".pushsection .text, \"ax\", @progbits\n\t.type " #name ", @function\n" #name          \
            ":\n\t.cfi_startproc\n\t"                                                              \
            "lea -" GAP "(%rsp), %rsp\n\t.cfi_adjust_cfa_offset " GAP "\n\tcall " #name "_far\n\t" \
            "lea " GAP "(%rsp), %rsp\n\t.cfi_adjust_cfa_offset -" GAP                              \
            "\n\tret\n\t.cfi_endproc\n\t.size " #name ", .-" #name "\n\t.popsection")
#define FAR_NAME(name) name##_far
#else
#define FAR(name) _Static_assert(1, "")
#define FAR_NAME(name) name
#endif
#define HIDDEN __attribute__((visibility("hidden"), used))

HIDDEN void drop_zones(uint64_t sp);
HIDDEN void FAR_NAME(drop_zones)(uint64_t sp);
FAR(drop_zones);

__attribute__((noinline)) void FAR_NAME(drop_zones)(uint64_t sp)
{
    uint64_t top = find_frame_top(sp);
    if (engine.running->ended_bottom < top)
        scopes_drop_below(top);
}

/* Most functions have no red zones. */
static inline __attribute__((always_inline)) void drop_own_zones(uint64_t sp)
{
    if (engine_active && __builtin_expect(engine.running->ended_top != 0, false))
        drop_zones(sp);
}

HOOK void __tsan_func_entry(void *pc)
{
    if (fold_is_patient && engine_active)
        engine.running->fold.entries++;
    if (__builtin_expect(frames_watch_exits, false))
        enter_function(FRAMES_SP, CALLER);
    else
        drop_own_zones(FRAMES_SP);
}

HOOK void __tsan_func_exit(void)
{
    if (__builtin_expect(frames_watch_exits, false))
        leave_function(FRAMES_SP, CALLER);
    else
        drop_own_zones(FRAMES_SP);
}

/* Variables of blocks whose address escapes: plumb-instrument calls these where clang says that their lifetimes begin and end. */

HOOK void __plumb_scope_begin(size_t size, void *address)
{
    if (engine_active && engine.running->ended_top)
        scopes_enter((uint64_t)address, size);
}
HOOK void __plumb_scope_end(size_t size, void *address)
{
    if (!engine_active)
        return;
    objects_check_held((uint64_t)address, (uint64_t)address + size, "is left with its block", CALLER);
    if (__builtin_expect(engine.running->has_visitors, false))
        frames_leave_range((uint64_t)address, (uint64_t)address + size, CALLER);
    scopes_leave((uint64_t)address, size, CALLER);
    if (calls_watch_stacks)
        calls_end_objects((uint64_t)address, (uint64_t)address + size);
    frames_watch_exits = true;
}

/* A variable on the stack, and the width of the red zone behind it; the one before it has RED_ZONE_MIN bytes. */
HOOK void __plumb_scope_object(size_t size, void *address, const char *name, size_t behind)
{
    if (!engine_active)
        return;
    struct bounded_object object = {(uint64_t)address, size, name};
    scopes_surround(object, RED_ZONE_MIN, behind);
}

/* A variable on the stack that nothing has initialised yet. */
HOOK void __plumb_undefined_declare(size_t size, void *address)
{
    if (engine_active)
        undefined_declare((uint64_t)address, size);
}

/* Copies between memory and a variable whose shadow the compiled code keeps. */
HOOK void __plumb_undefined_get(uint8_t *shadow, const void *from, size_t size)
{
    for (size_t k = 0; k < size; k++)
        shadow[k] = engine_active ? undefined_bits((uint64_t)from + k) : 0;
}
HOOK void __plumb_undefined_put(void *to, const uint8_t *shadow, size_t size)
{
    for (size_t k = 0; k < size && engine_active; k++)
        if (shadow[k])
            undefined_store((uint64_t)to + k, shadow[k], 1);
}

/* An object that the C++ library may write without a word. */
HOOK void __plumb_undefined_define(size_t size, void *address)
{
    undefined_write((uint64_t)address, size);
}

/* Before an access of at most 8 bytes that is not announced by a hook of its own for this: the undefined bits that a read finds,
 * those that a write stores. */
HOOK uint64_t __plumb_undefined_read(void *address, size_t size)
{
    uint64_t shadow = 0;
    if (undefined_is_tracked((uint64_t)address))
        __builtin_memcpy(&shadow, undefined_shadow((uint64_t)address), size < 8 ? size : 8);
    return shadow ? undefined_found((uint64_t)address, shadow, CALLER) : 0;
}
HOOK void __plumb_undefined_write(void *address, uint64_t shadow, size_t size)
{
    if (engine_active)
        undefined_store((uint64_t)address, shadow, size);
}

/* By register, what a call passes and returns with undefined bits: for which function, and which bits. */
struct undefined_values {
    const void *function;
    uint64_t shadows[16];
};
EXPORT struct undefined_values __plumb_undefined_arguments, __plumb_undefined_result;

/* Before main: static variables of a file. */
HOOK void __plumb_note_objects(const struct surrounded_variable *table, size_t count)
{
    undefined_watch();
    if (count)
        red_zones_note(table, count);
}

HOOK void __plumb_note_thread_object(void *address, size_t size, size_t zone, const char *name)
{
    red_zones_note_thread((struct surrounded_variable){(uint64_t)address, size, zone, name});
}

/* The compiled code has found that an access is not inside the variable that it was computed from. */
HOOK void __plumb_bounds_fail(void *address, void *variable, size_t size, size_t length, bool writes,
                              const char *name)
{
    struct bounded_object object = {(uint64_t)variable, size, name};
    if (!engine_active || (uint64_t)address < NEVER_MAPPED)
        return; /* that is a crash */
    const char *where = heap_contains(variable) ? "heap" : "global";
    red_zones_fail(fiber_is_near_stacks((uint64_t)variable) ? "stack" : where, &object,
                   (struct memory_range){(uint64_t)address, length}, writes ? "write" : "read", CALLER);
}

/* `name`: of a local variable; null: what was read last from memory, or one of several. */
HOOK void __plumb_undefined_fail(const char *what, const char *name)
{
    if (engine_active && !name)
        undefined_fail_last(what, CALLER);
    else if (engine_active)
        engine_fail(WORKER_ERROR_UNINITIALISED, 0, CALLER, "%s depends on %s, which was not initialised",
                    what, name);
}

static void access(void *address, size_t size, bool writes, uint64_t sp, const void *pc)
{
    if (!engine_active)
        return;
    frames_check_own((uint64_t)address, size, sp, pc);
    engine_plain_compiled((uint64_t)address, size, writes, pc);
}

static void access_volatile(void *address, size_t size, bool writes, uint64_t sp, const void *pc)
{
    if (!engine_active)
        return;
    frames_check_own((uint64_t)address, size, sp, pc);
    engine_volatile((uint64_t)address, size, writes, pc);
}

/* After all other checks; ranges are copies, which may have bytes that were never written. */
static inline void check_read(const void *address, size_t size, bool writes, const void *pc)
{
    if (!writes && __builtin_expect(heap_may_be_unwritten((uint64_t)address), false))
        engine_check_plain_read((uint64_t)address, size, pc);
}

#define PLAIN(name, how, size, writes)                 \
    HOOK void name(void *address)                      \
    {                                                  \
        how(address, size, writes, FRAMES_SP, CALLER); \
        check_read(address, size, writes, CALLER);     \
    }

/* ------------------------------------------------------------------ what programs do all the time */

HIDDEN void access_uncommon(uint64_t address, size_t size, bool writes, uint64_t sp, const void *pc);
HIDDEN void access_unnoted(uint64_t address, size_t size, bool writes, uint64_t sp, const void *pc);
HIDDEN void FAR_NAME(access_unnoted)(uint64_t address, size_t size, bool writes, uint64_t sp, const void *pc);
HIDDEN void access_first(uint64_t address, size_t size, bool writes, struct shadow_slot *empty,
                         const void *pc);
HIDDEN void FAR_NAME(access_uncommon)(uint64_t address, size_t size, bool writes, uint64_t sp,
                                      const void *pc);
HIDDEN void FAR_NAME(access_first)(uint64_t address, size_t size, bool writes, struct shadow_slot *empty,
                                   const void *pc);
FAR(access_uncommon);
FAR(access_unnoted);
FAR(access_first);

__attribute__((noinline)) void FAR_NAME(access_uncommon)(uint64_t address, size_t size, bool writes,
                                                         uint64_t sp, const void *pc)
{
    access((void *)address, size, writes, sp, pc);
    check_read((const void *)address, size, writes, pc);
}

/* Of a read whose shadow is asked for: what was never written is known by that. */
__attribute__((noinline)) void FAR_NAME(access_unnoted)(uint64_t address, size_t size, bool writes,
                                                        uint64_t sp, const void *pc)
{
    access((void *)address, size, writes, sp, pc);
}

__attribute__((noinline)) void FAR_NAME(access_first)(uint64_t address, size_t size, bool writes,
                                                      struct shadow_slot *empty, const void *pc)
{
    clocks_plain_first(engine.clocks, empty, engine.current, address, size, writes, (uint64_t)pc);
    engine_plain_done(engine.running, address, writes);
}

/* The common case has to keep no registers: all that calls something is jumped to. */
static inline __attribute__((always_inline)) void access_scheduled(uint64_t address, size_t size, bool writes,
                                                                   bool noted, uint64_t sp, const void *pc)
{
    struct thread *t = engine.running;
    struct clocks *c = engine.clocks;
    if (!engine_plain_is_common(t, address, size, sp) || !bytes_in_one_granule(address, size) ||
        (!writes && noted && heap_may_be_unwritten(address))) {
        (noted ? access_uncommon : access_unnoted)(address, size, writes, sp, pc);
        return;
    }
    struct shadow_slot *empty = NULL;
    struct shadow_cell *cell = shadow_find_or(&c->shadow, address >> SHADOW_GRANULE_LOG, &empty);
    if (!cell)
        access_first(address, size, writes, empty, pc);
    else if (!clocks_plain_cell(c, cell, engine.current, address, size, writes, (uint64_t)pc))
        (noted ? access_uncommon : access_unnoted)(address, size, writes, sp, pc);
    else
        engine_plain_done(t, address, writes);
}

#define QUICK(name, size, writes)                                                                          \
    static __attribute__((noinline)) void name##_in_graph_mode(void *address, uint64_t sp, const void *pc) \
    {                                                                                                      \
        engine_plain_graph_mode((uint64_t)address, size, writes, true, sp, pc);                            \
        check_read(address, size, writes, pc);                                                             \
    }                                                                                                      \
    HOOK void name(void *address)                                                                          \
    {                                                                                                      \
        if (!engine_active) {                                                                              \
            if (size > 1) /* not a guard of what headers have */                                           \
                hook_note_before(CALLER);                                                                  \
        } else if (engine_graph_mode)                                                                      \
            name##_in_graph_mode(address, FRAMES_SP, CALLER);                                              \
        else                                                                                               \
            access_scheduled((uint64_t)address, size, writes, true, FRAMES_SP, CALLER);                    \
        if (writes)                                                                                        \
            undefined_write((uint64_t)address, size);                                                      \
    }

/* As plumb-instrument calls them: the undefined bits of what is read or written. */
#define QUICK_SHADOW(bits, size)                                                              \
    HOOK uint##bits##_t __tsan_read##size##_shadow(void *address)                             \
    {                                                                                         \
        if (!engine_active) {                                                                 \
            if (size > 1)                                                                     \
                hook_note_before(CALLER);                                                     \
            return 0;                                                                         \
        }                                                                                     \
        if (engine_graph_mode)                                                                \
            engine_plain_graph_mode((uint64_t)address, size, false, true, FRAMES_SP, CALLER); \
        else                                                                                  \
            access_scheduled((uint64_t)address, size, false, false, FRAMES_SP, CALLER);       \
        return (uint##bits##_t)undefined_read((uint64_t)address, size, CALLER);               \
    }                                                                                         \
    HOOK void __tsan_write##size##_shadow(void *address, uint##bits##_t shadow)               \
    {                                                                                         \
        if (!engine_active)                                                                   \
            shadow = 0; /* what a specification asks for is not looked at */                  \
        else if (engine_graph_mode)                                                           \
            engine_plain_graph_mode((uint64_t)address, size, true, true, FRAMES_SP, CALLER);  \
        else                                                                                  \
            access_scheduled((uint64_t)address, size, true, false, FRAMES_SP, CALLER);        \
        if (__builtin_expect(shadow != 0, false))                                             \
            undefined_store((uint64_t)address, shadow, size);                                 \
        else                                                                                  \
            undefined_write((uint64_t)address, size);                                         \
    }
QUICK_SHADOW(8, 1)
QUICK_SHADOW(16, 2)
QUICK_SHADOW(32, 4)
QUICK_SHADOW(64, 8)

QUICK(__tsan_read1, 1, false)
QUICK(__tsan_read2, 2, false)
QUICK(__tsan_read4, 4, false)
QUICK(__tsan_read8, 8, false)
QUICK(__tsan_write1, 1, true)
QUICK(__tsan_write2, 2, true)
QUICK(__tsan_write4, 4, true)
QUICK(__tsan_write8, 8, true)
PLAIN(__tsan_read16, access, 16, false)
PLAIN(__tsan_write16, access, 16, true)

/* ------------------------------------------------------------------ everything else */

#define PLAIN_SIZES(prefix, how, writes) \
    PLAIN(prefix##1, how, 1, writes)     \
    PLAIN(prefix##2, how, 2, writes)     \
    PLAIN(prefix##4, how, 4, writes)     \
    PLAIN(prefix##8, how, 8, writes)     \
    PLAIN(prefix##16, how, 16, writes)

PLAIN_SIZES(__tsan_volatile_read, access_volatile, false)
PLAIN_SIZES(__tsan_volatile_write, access_volatile, true)
PLAIN_SIZES(__tsan_unaligned_read, access, false)
PLAIN_SIZES(__tsan_unaligned_write, access, true)
PLAIN_SIZES(__tsan_unaligned_volatile_read, access_volatile, false)
PLAIN_SIZES(__tsan_unaligned_volatile_write, access_volatile, true)
PLAIN_SIZES(__tsan_read_write, access, true)
PLAIN_SIZES(__tsan_unaligned_read_write, access, true)

#define PLAIN_PC(name, size, writes)                  \
    HOOK void name(void *address, void *pc)           \
    {                                                 \
        access(address, size, writes, FRAMES_SP, pc); \
        check_read(address, size, writes, pc);        \
    }

PLAIN_PC(__tsan_read1_pc, 1, false)
PLAIN_PC(__tsan_read2_pc, 2, false)
PLAIN_PC(__tsan_read4_pc, 4, false)
PLAIN_PC(__tsan_read8_pc, 8, false)
PLAIN_PC(__tsan_read16_pc, 16, false)
PLAIN_PC(__tsan_write1_pc, 1, true)
PLAIN_PC(__tsan_write2_pc, 2, true)
PLAIN_PC(__tsan_write4_pc, 4, true)
PLAIN_PC(__tsan_write8_pc, 8, true)
PLAIN_PC(__tsan_write16_pc, 16, true)

HOOK void __tsan_read_range(void *address, size_t size)
{
    access(address, size, false, FRAMES_SP, CALLER);
}
HOOK void __tsan_write_range(void *address, size_t size)
{
    access(address, size, true, FRAMES_SP, CALLER);
}
HOOK void __tsan_vptr_read(void **vptr)
{
    access(vptr, sizeof *vptr, false, FRAMES_SP, CALLER);
}

/* Constructors and destructors store the pointer that is there already: no write then. */
HOOK void __tsan_vptr_update(void **vptr, void *value)
{
    if (*vptr != value)
        access(vptr, sizeof *vptr, true, FRAMES_SP, CALLER);
    undefined_write((uint64_t)vptr, sizeof *vptr);
}

HOOK void __tsan_read_range_pc(void *address, size_t size, void *pc)
{
    access(address, size, false, FRAMES_SP, pc);
}
HOOK void __tsan_write_range_pc(void *address, size_t size, void *pc)
{
    access(address, size, true, FRAMES_SP, pc);
}
