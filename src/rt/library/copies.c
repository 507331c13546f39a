/* SPDX-License-Identifier: Apache-2.0 */
/* Functions that copy and compare memory, which the C++ library and compilers call, too: the compiler does not announce
 * what they access. For all others see library.h. */
#include "base/hash.h"
#include "engine/engine_quick.h"
#include "engine/error/origins.h"
#include "engine/graph_mode/plain_steps.h"
#include "engine/memory/frames.h"
#include "engine/memory/undefined_bits.h"
#include "engine/loop/spin.h"
#include "rt/hook.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

/* Without real.* (the first calls come while the program is being loaded) a simple loop has to do. */
static void *copy_forward(void *to, const void *from, size_t size)
{
    char *t = to;
    for (const char *f = from; size > 0; size--)
        *(volatile char *)t++ = *f++;
    return to;
}

/* memcpy, memmove and memset are called without a stub (engine/code/imports.c), which would leave where the program's stack is. */
#define FRAME __builtin_frame_address(0)

static void announce_copy(void *to, const void *from, size_t size, const uint64_t *frame, uint64_t sp,
                          const void *pc)
{
    if (!engine_active)
        hook_note_before(pc);
    if (engine_active && size && snapshot_is_program(pc)) {
        spin_note_call(frame);
        frames_check_own((uint64_t)from, size, sp, pc);
        frames_check_own((uint64_t)to, size, sp, pc);
        engine_plain((uint64_t)from, size, false, pc);
        uint8_t *undefined = undefined_keep((uint64_t)from, size);
        engine_plain((uint64_t)to, size, true, pc);
        undefined_put((uint64_t)to, undefined, size);
    }
}

static void announce_filling(void *to, size_t size, const uint64_t *frame, uint64_t sp, const void *pc)
{
    if (!engine_active)
        hook_note_before(pc);
    if (size && hook_is_watched(pc)) {
        spin_note_call(frame);
        frames_check_own((uint64_t)to, size, sp, pc);
        engine_plain((uint64_t)to, size, true, pc);
    }
}

/* Compilers copy an object to itself with memcpy, too. */
static void check_overlap(const char *function, const void *to, const void *from, size_t size, const void *pc)
{
    uintptr_t a = (uintptr_t)to, b = (uintptr_t)from;
    if (a != b && (a < b ? b - a : a - b) < size && hook_is_watched(pc))
        engine_fail(WORKER_ERROR_UNDEFINED, (uint64_t)to, pc, "%s of %zu bytes between places that overlap",
                    function, size);
}

EXPORT void *memcpy(void *restrict to, const void *restrict from, size_t size)
{
    check_overlap("memcpy", to, from, size, CALLER);
    announce_copy(to, from, size, FRAME, FRAMES_SP, CALLER);
    return real.memcpy ? real.memcpy(to, from, size) : copy_forward(to, from, size);
}

EXPORT void *memmove(void *to, const void *from, size_t size)
{
    announce_copy(to, from, size, FRAME, FRAMES_SP, CALLER);
    if (!real.memcpy)
        real_resolve();
    return real.memmove(to, from, size);
}

/* gcc has such a call for the declaration of an array of variable length. */
static void note_array(const void *to, int byte, size_t size, const void *pc)
{
    if (byte == STACK_FILLING_GCC && engine.is_shown && size && engine_is_own_stack((uint64_t)to) &&
        hook_is_watched(pc))
        origins_note_array(engine.shared, (uint64_t)to, size, (uint64_t)pc);
}

EXPORT void *memset(void *to, int byte, size_t size)
{
    announce_filling(to, size, FRAME, FRAMES_SP, CALLER);
    note_array(to, byte, size, CALLER);
    if (real.memcpy)
        return real.memset(to, byte, size);
    for (char *t = to; size > 0; size--)
        *(volatile char *)t++ = (char)byte;
    return to;
}

EXPORT void *__tsan_memcpy(void *to, const void *from, size_t size)
{
    check_overlap("memcpy", to, from, size, CALLER);
    announce_copy(to, from, size, FRAME, FRAMES_SP, CALLER);
    return real.memcpy(to, from, size);
}
EXPORT void *__tsan_memmove(void *to, const void *from, size_t size)
{
    announce_copy(to, from, size, FRAME, FRAMES_SP, CALLER);
    return real.memmove(to, from, size);
}
EXPORT void *__tsan_memset(void *to, int byte, size_t size)
{
    announce_filling(to, size, FRAME, FRAMES_SP, CALLER);
    return real.memset(to, byte, size);
}

EXPORT void *mempcpy(void *restrict to, const void *restrict from, size_t size)
{
    check_overlap("mempcpy", to, from, size, CALLER);
    announce_copy(to, from, size, FRAME, FRAMES_SP, CALLER);
    return (char *)real.memcpy(to, from, size) + size;
}

EXPORT void bcopy(const void *from, void *to, size_t size)
{
    announce_copy(to, from, size, FRAME, FRAMES_SP, CALLER);
    NEXT(memmove)(to, from, size);
}

EXPORT void bzero(void *to, size_t size)
{
    announce_filling(to, size, FRAME, FRAMES_SP, CALLER);
    NEXT(memset)(to, 0, size);
}

/* ------------------------------------------------------------------ reading strings */

static void announce_read(const void *from, size_t size, const void *pc)
{
    if (!size || !hook_is_watched(pc))
        return;
    engine_plain((uint64_t)from, size, false, pc);
    if (heap_may_be_unwritten((uint64_t)from))
        engine_check_plain_read((uint64_t)from, size, pc);
}

/* What a function does depends on what it reads there. */
static void check_defined(const void *from, size_t size, const void *pc)
{
    uint64_t first = undefined_first((uint64_t)from, size);
    if (first)
        undefined_fail("what a library function does", first, pc);
}

/* It depends on the bytes up to the first two that differ in a defined bit. */
static void check_compared(const void *a, const void *b, size_t size, const void *pc)
{
    const uint8_t *first = a, *second = b;
    for (size_t k = 0; k < size && hook_is_watched(pc); k++) {
        uint8_t unknown = undefined_bits((uint64_t)(first + k)) | undefined_bits((uint64_t)(second + k));
        if ((first[k] ^ second[k]) & ~unknown)
            return;
        if (unknown) {
            check_defined(first + k, 1, pc);
            check_defined(second + k, 1, pc);
        }
        if (first[k] != second[k])
            return;
    }
}

void hook_read_string(const void *from, size_t size, const void *pc)
{
    check_defined(from, size, pc);
    hook_read_text(from, size, pc);
}

/* Where accesses are steps, what is found may be another string than the one that was measured. */
void hook_read_text(const void *from, size_t size, const void *pc)
{
    bool may_change = engine_allows_races();
    uint64_t before = may_change ? hash_bytes(from, size) : 0;
    engine_plain((uint64_t)from, size, false, pc);
    if (may_change && hash_bytes(from, size) != before)
        engine_refuse_graph("a string that changes while it is read", pc);
}

void hook_check_late_write(const char *what, uint64_t address, size_t size, const void *pc)
{
    static char text[96];
    engine_note_effect(); /* what was there before is not known any more */
    if (!engine_allows_races() || !plain_is_step(address, size))
        return;
    snprintf(text, sizeof text, "what %s writes, where other threads may look on", what);
    engine_refuse_graph(text, pc);
}

static void announce_text(const void *from, size_t size, const void *pc)
{
    if (size && hook_is_watched(pc))
        hook_read_string(from, size, pc);
}

static size_t announce_string(const char *s, const void *pc)
{
    size_t size = NEXT(strlen)(s) + 1;
    if (hook_is_watched(pc))
        hook_read_text(s, size, pc);
    return size;
}

EXPORT size_t strlen(const char *s)
{
    size_t length = NEXT(strlen)(s);
    announce_text(s, length + 1, CALLER);
    return length;
}

EXPORT int memcmp(const void *a, const void *b, size_t size)
{
    announce_read(a, size, CALLER);
    announce_read(b, size, CALLER);
    check_compared(a, b, size, CALLER);
    return NEXT(memcmp)(a, b, size);
}

/* clang's memcmp when only equality matters. */
EXPORT int bcmp(const void *a, const void *b, size_t size)
{
    announce_read(a, size, CALLER);
    announce_read(b, size, CALLER);
    check_compared(a, b, size, CALLER);
    return NEXT(memcmp)(a, b, size);
}

EXPORT int strcmp(const char *a, const char *b)
{
    size_t first = announce_string(a, CALLER), second = announce_string(b, CALLER);
    check_compared(a, b, first < second ? first : second, CALLER);
    return NEXT(strcmp)(a, b);
}

EXPORT void *memchr(const void *s, int byte, size_t size)
{
    char *found = NEXT(memchr)(s, byte, size);
    announce_text(s, found ? (size_t)(found - (const char *)s) + 1 : size, CALLER);
    return found;
}
