/* SPDX-License-Identifier: Apache-2.0 */
/* malloc and its family for the program. The C library's own allocations (stdio buffers and the like)
 * stay with the C library: they outlive an execution. It may hand some out (realpath), so it is noted
 * which ones there are. */
#define __NO_INLINE__ 1 /* or headers define some of these functions themselves */

#include "base/hash.h"
#include "engine/error/origins.h"
#include "engine/memory/undefined_bits.h"
#include "rt/calls/calls.h"
#include "rt/hook.h"
#include "rt/library/library.h"
#include "rt/system/outside.h"
#include "rt/system/system_parts.h"
#include "rt/threads/locks.h"
#include "rt/start.h"

#include <errno.h>
#include <malloc.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *p, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *p);

bool memory_is_programs(const void *caller)
{
    return start_is_worker && (engine_active || !start_has_begun) && snapshot_is_program(caller);
}

/* ------------------------------------------------------------------ blocks of the C library */

static struct hash_map library_blocks;
static bool busy; /* the map allocates, too */

static void *note_library_block(void *p)
{
    if (!start_is_worker || busy || !p)
        return p;
    busy = true;
    *hash_map_at(&library_blocks, (uint64_t)p) = 1;
    library_forget_handle((uint64_t)p);
    busy = false;
    return p;
}

static bool is_library_block(const void *p)
{
    return hash_map_get(&library_blocks, (uint64_t)p) != HASH_NO_NUMBER;
}

static void forget_library_block(const void *p)
{
    if (!start_is_worker || busy)
        return;
    busy = true;
    hash_map_remove(&library_blocks, (uint64_t)p);
    busy = false;
}

/* ------------------------------------------------------------------ malloc */

struct memory_own memory_own;

void memory_note_own(const char *name, uintptr_t function)
{
    if (strcmp(name, "malloc") == 0)
        memory_own.malloc = (void *(*)(size_t))function;
    if (strcmp(name, "free") == 0)
        memory_own.free = (void (*)(void *))function;
}

static void *give(size_t size, const void *pc)
{
    return memory_own.malloc ? memory_own.malloc(size) : memory_allocate(size, 1, pc);
}

bool memory_free_own(void *p, const void *pc)
{
    bool is_own = memory_own.free && memory_is_programs(pc) && !heap_contains(p) && !is_library_block(p);
    if (is_own)
        memory_own.free(p);
    return is_own;
}

void *memory_allocate(size_t size, size_t alignment, const void *pc)
{
    void *p = heap_allocate(size, alignment, pc);
    if (!p)
        errno = ENOMEM;
    else if (engine_active) {
        engine_note_block((uint64_t)p, size);
        engine_note(EVENT_ALLOC, (uint64_t)p, 0, ORDER_PLAIN, 0, size, pc);
    } else if (start_is_worker && !start_has_begun) {
        origins_note_early((uint64_t)p, size, (uint64_t)pc);
    }
    return p;
}

EXPORT void *malloc(size_t size)
{
    return memory_is_programs(CALLER) ? memory_allocate(size, 1, CALLER)
           : quiet_is_caller(CALLER)  ? quiet_allocate(size, 1)
                                      : note_library_block(__libc_malloc(size));
}

EXPORT void *calloc(size_t count, size_t size)
{
    size_t total;
    if (quiet_is_caller(CALLER))
        return __builtin_mul_overflow(count, size, &total) ? NULL : quiet_allocate(total, 1);
    if (!memory_is_programs(CALLER))
        return note_library_block(__libc_calloc(count, size));
    if (__builtin_mul_overflow(count, size, &total)) {
        errno = ENOMEM;
        return NULL;
    }
    void *p = memory_allocate(total, 1, CALLER);
    if (p) {
        if (engine_active)
            engine_plain((uint64_t)p, total, true, CALLER);
        heap_note_initialised(p, total);
        real.memset(p, 0, total);
    }
    return p;
}

/* Between two blocks there always is something that belongs to none. */
static bool is_block_start(const void *p)
{
    uint64_t offset = (uint64_t)p - HEAP_BASE;
    unsigned below = offset >= HEAP_GRAIN ? heap_states[offset / HEAP_GRAIN - 1] : HEAP_NEVER;
    return offset % HEAP_GRAIN == 0 && (below == HEAP_NEVER || below == HEAP_EDGE);
}

void memory_release(void *p, const void *pc)
{
    size_t size = heap_size(p);
    if (calls_are_quiet())
        return; /* what the program has is not a specification's to free */
    if (engine_active)
        objects_check_held((uint64_t)p, (uint64_t)p + size, "is freed", pc);
    if (engine_active && size && is_block_start(p))
        engine_plain_free((uint64_t)p, size, pc);
    heap_free(p, pc);
    if (engine_active)
        engine_note(EVENT_FREE, (uint64_t)p, 0, ORDER_PLAIN, 0, 0, pc);
}

void memory_release_other(void *p, const void *pc)
{
    if (quiet_owns(p)) {
        quiet_free(p);
        return;
    }
    if (engine_active && memory_is_programs(pc) && !is_library_block(p))
        engine_fail(WORKER_ERROR_BAD_FREE, (uint64_t)p, pc, "%p was not returned by malloc", p);
    forget_library_block(p);
    __libc_free(p);
}

EXPORT void free(void *p)
{
    if (!p)
        return;
    if (!heap_contains(p)) {
        memory_release_other(p, CALLER);
        return;
    }
    if (hook_is_watched(CALLER))
        heap_check_kind(p, HEAP_OF_MALLOC, "free", CALLER);
    memory_release(p, CALLER);
}

/* What was never written is not written by being copied. True: all of it was. */
static bool announce_copy(void *to, const void *from, size_t size, const void *pc)
{
    uint64_t source = (uint64_t)from;
    bool all = true;
    engine_plain(source, size, false, pc);
    for (size_t i = 0, end; i < size; i = end) {
        bool written = engine_was_written(source + i);
        for (end = i + 1; end < size && engine_was_written(source + end) == written;)
            end++;
        if (written)
            engine_plain((uint64_t)to + i, end - i, true, pc);
        all &= written;
    }
    return all;
}

static void *reallocate(void *p, size_t size, const void *pc)
{
    if (p && hook_is_watched(pc))
        heap_check_kind(p, HEAP_OF_MALLOC, "realloc", pc);
    void *moved = size || !p ? memory_allocate(size, 1, pc) : NULL;
    if (p && moved) {
        size_t kept = heap_size(p) < size ? heap_size(p) : size;
        if (!engine_active || !kept || announce_copy(moved, p, kept, pc))
            heap_note_initialised(moved, kept);
        real.memcpy(moved, p, kept);
        undefined_copy((uint64_t)moved, (uint64_t)p, kept);
    }
    if (p && (moved || !size))
        memory_release(p, pc);
    return moved;
}

EXPORT void *realloc(void *p, size_t size)
{
    if (quiet_owns(p))
        return quiet_reallocate(p, size);
    if (!p && quiet_is_caller(CALLER))
        return quiet_allocate(size, 1);
    if (p ? heap_contains(p) : memory_is_programs(CALLER))
        return reallocate(p, size, CALLER);
    if (p && engine_active && memory_is_programs(CALLER) && !is_library_block(p))
        engine_fail(WORKER_ERROR_BAD_FREE, (uint64_t)p, CALLER, "%p was not returned by malloc", p);
    void *moved = __libc_realloc(p, size);
    if (moved || !size)
        forget_library_block(p);
    return note_library_block(moved);
}

EXPORT void *reallocarray(void *p, size_t count, size_t size)
{
    size_t total;
    if (__builtin_mul_overflow(count, size, &total)) {
        errno = ENOMEM;
        return NULL;
    }
    if (p ? heap_contains(p) : memory_is_programs(CALLER))
        return reallocate(p, total, CALLER);
    return realloc(p, total);
}

static void *allocate_aligned(size_t alignment, size_t size, const void *pc)
{
    if (quiet_is_caller(pc))
        return alignment & (alignment - 1) ? NULL : quiet_allocate(size, alignment);
    if (!memory_is_programs(pc))
        return note_library_block(__libc_memalign(alignment, size));
    if (alignment & (alignment - 1)) {
        errno = EINVAL;
        return NULL;
    }
    return memory_allocate(size, alignment, pc);
}

EXPORT void *aligned_alloc(size_t alignment, size_t size)
{
    return allocate_aligned(alignment, size, CALLER);
}
EXPORT void *memalign(size_t alignment, size_t size)
{
    return allocate_aligned(alignment, size, CALLER);
}
EXPORT void *valloc(size_t size)
{
    return allocate_aligned(4096, size, CALLER);
}
EXPORT void *pvalloc(size_t size)
{
    return allocate_aligned(4096, (size + 4095) & ~(size_t)4095, CALLER);
}

EXPORT int posix_memalign(void **out, size_t alignment, size_t size)
{
    if (alignment & (alignment - 1) || alignment < sizeof(void *))
        return EINVAL;
    void *p = allocate_aligned(alignment, size, CALLER);
    if (!p)
        return ENOMEM;
    *out = p;
    return 0;
}

EXPORT size_t malloc_usable_size(void *p)
{
    return heap_contains(p) ? heap_size(p) : NEXT(malloc_usable_size)(p);
}

/* ------------------------------------------------------------------ functions that return new memory */

/* Reads up to the end of the string, which may be missing after `most` characters. */
static char *copy_string(const char *s, size_t most, const void *pc)
{
    size_t length = strnlen(s, most);
    char *copy =
        memory_is_programs(pc) ? give(length + 1, pc) : note_library_block(__libc_malloc(length + 1));
    if (!copy)
        return NULL;
    if (engine_active) {
        if (most)
            hook_read_string(s, length < most ? length + 1 : most, pc);
        engine_plain((uint64_t)copy, length + 1, true, pc);
    }
    real.memcpy(copy, s, length);
    copy[length] = 0;
    return copy;
}

EXPORT char *strdup(const char *s)
{
    return copy_string(s, PTRDIFF_MAX, CALLER);
}
EXPORT char *strndup(const char *s, size_t most)
{
    return copy_string(s, most, CALLER);
}

/* Strings of asprintf come from the program's heap: checked like any block, gone with the execution. */
static int print_new(char **out, const char *format, va_list args, const void *pc)
{
    va_list again;
    if (hook_is_watched(pc)) {
        va_copy(again, args);
        library_print_values("asprintf", format, &again, pc);
        va_end(again);
        engine_plain((uint64_t)out, sizeof *out, true, pc);
    }
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    char *text = length < 0               ? NULL
                 : memory_is_programs(pc) ? give((size_t)length + 1, pc)
                                          : note_library_block(__libc_malloc((size_t)length + 1));
    if (!text)
        return -1;
    *out = text;
    if (hook_is_watched(pc))
        engine_plain((uint64_t)text, (size_t)length + 1, true, pc);
    return vsnprintf(text, (size_t)length + 1, format, args);
}

EXPORT int vasprintf(char **out, const char *format, va_list args)
{
    return print_new(out, format, args, CALLER);
}

EXPORT int __vasprintf_chk(char **out, int flag, const char *format, va_list args)
{
    return print_new(out, format, args, CALLER);
}

EXPORT int asprintf(char **out, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int length = print_new(out, format, args, CALLER);
    va_end(args);
    return length;
}

EXPORT int __asprintf_chk(char **out, int flag, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int length = print_new(out, format, args, CALLER);
    va_end(args);
    return length;
}

/* A first buffer of ours: the C library lets it grow with realloc, which keeps it there. */
static void offer_buffer(char **line, size_t *size, const void *pc)
{
    enum { FIRST = 120 };
    if (!line || !size || *line || !memory_is_programs(pc))
        return;
    *line = memory_allocate(FIRST, 1, pc);
    *size = *line ? FIRST : 0;
}

/* Where accesses are steps, writes are announced before; else they are when what was written is known. */
static void announce_line(char **line, size_t *size, bool is_read, const void *pc)
{
    bool steps = engine_allows_races();
    if (!is_read) {
        engine_plain((uint64_t)line, sizeof *line, steps, pc);
        engine_plain((uint64_t)size, sizeof *size, steps, pc);
    } else if (!steps) {
        engine_plain_late((uint64_t)line, sizeof *line, pc);
        engine_plain_late((uint64_t)size, sizeof *size, pc);
    }
}

/* No other thread runs between call and return. */
static ssize_t read_line(char **line, size_t *size, int end, FILE *file, const void *pc)
{
    bool watched = hook_is_watched(pc) && line && size;
    outside_use_stream(file, pc);
    if (watched && memory_own.malloc)
        engine_give_up(pc, "getline in a program with a malloc of its own");
    if (watched)
        announce_line(line, size, false, pc);
    offer_buffer(line, size, pc);
    ssize_t length = NEXT(getdelim)(line, size, end, file);
    if (watched)
        announce_line(line, size, true, pc);
    if (watched && length >= 0)
        engine_plain_late((uint64_t)*line, (size_t)length + 1, pc);
    return length;
}

EXPORT ssize_t getdelim(char **line, size_t *size, int end, FILE *file)
{
    return read_line(line, size, end, file, CALLER);
}

EXPORT ssize_t getline(char **line, size_t *size, FILE *file)
{
    return read_line(line, size, '\n', file, CALLER);
}
