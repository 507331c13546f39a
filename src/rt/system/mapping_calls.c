/* SPDX-License-Identifier: Apache-2.0 */
/* mmap and its family for the program. The kernel would choose another address in every execution. */
#include "engine/graph_mode/graph_mode.h"
#include "engine/memory/mappings.h"
#include "rt/hook.h"
#include "rt/start.h"
#include "rt/system/system_calls.h"
#include "rt/threads/locks.h"

#include <errno.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { PAGE = 4096, LARGE_PAGE = 2 << 20, LARGE = 1 << 18 };

static bool is_for_program(const void *caller)
{
    return start_is_worker && (engine_active || !start_has_begun) && snapshot_is_program(caller);
}

static _Noreturn void refuse(const char *what, const void *pc)
{
    if (engine_active)
        engine_give_up(pc, "%s", what);
    start_refuse(what, pc);
}

/* Nothing announces what code does that the program makes itself. */
static void refuse_code(int protection, const void *pc)
{
    if (protection & PROT_EXEC)
        refuse("code that the program makes at run time", pc);
}

static void *map(void *at, size_t size, int protection, int flags, int fd, off_t offset)
{
    return (void *)syscall(SYS_mmap, at, size, protection, flags, fd, offset);
}

/* Who else writes there, and when, is not known; and what the program writes would be there in the next execution. */
static void check_file(int protection, int flags, const void *pc)
{
    if (!(flags & MAP_ANONYMOUS) && (flags & MAP_TYPE) != MAP_PRIVATE && (protection & PROT_WRITE))
        refuse("mmap of a file that is shared and writable", pc);
}

static bool wants_address(int flags)
{
    return flags & (MAP_FIXED | MAP_FIXED_NOREPLACE);
}

static void check_address(const void *at, size_t size, const void *pc)
{
    if (!mappings_contain(at, size))
        refuse("mmap at an address of the program's choice", pc);
    if (engine_active && mappings_are_kept(at, size))
        refuse("mmap over memory that was mapped before main", pc);
}

/* Large pages, and memory that is there at once, change nothing that the program can see. */
static void *map_for_program(void *at, size_t size, int protection, int flags, int fd, off_t offset,
                             const void *pc)
{
    refuse_code(protection, pc);
    size_t alignment = flags & MAP_HUGETLB ? LARGE_PAGE : PAGE;
    int kept_flags = flags & ~(MAP_HUGETLB | MAP_POPULATE | MAP_LOCKED | MAP_FIXED_NOREPLACE);
    check_file(protection, flags, pc);
    if (wants_address(flags))
        check_address(at, size, pc);
    else
        at = mappings_place(size, alignment);
    if (!at) {
        errno = ENOMEM;
        return MAP_FAILED;
    }
    void *result = map(at, size, protection, kept_flags | MAP_FIXED, fd, offset);
    if (result == MAP_FAILED)
        return result;
    if (size >= LARGE)
        madvise(result, size, MADV_NOHUGEPAGE); /* release wants to know which pages were used */
    if (engine_active)
        engine_distinguish_threads();
    else
        mappings_note(result, size, protection & PROT_WRITE);
    return result;
}

EXPORT void *mmap(void *at, size_t size, int protection, int flags, int fd, off_t offset)
{
    if (is_for_program(CALLER))
        return map_for_program(at, size, protection, flags, fd, offset, CALLER);
    return map(at, size, protection, flags, fd, offset);
}

EXPORT void *mmap64(void *at, size_t size, int protection, int flags, int fd, off64_t offset)
{
    if (is_for_program(CALLER))
        return map_for_program(at, size, protection, flags, fd, offset, CALLER);
    return map(at, size, protection, flags, fd, offset);
}

/* A page that the kernel has not made was never accessed. */
static void release_page(char *page, const void *pc)
{
    unsigned char is_there = 0;
    if (mincore(page, PAGE, &is_there) == 0 && is_there & 1)
        engine_plain_free((uint64_t)page, PAGE, pc);
}

/* Unmapping races with every access, like free. The engine may want to write what the program could only read. */
static void release(char *at, size_t size, const void *pc)
{
    objects_check_held((uint64_t)at, (uint64_t)at + size, "is unmapped", pc);
    syscall(SYS_mprotect, at, size, PROT_READ | PROT_WRITE);
    for (size_t k = 0; k < size; k += PAGE)
        release_page(at + k, pc);
    if (engine_graph_mode)
        graph_mode_settle(); /* it looks at what was written, for the last time */
}

static int unmap(void *at, size_t size, const void *pc)
{
    if (!mappings_contain(at, size))
        return (int)syscall(SYS_munmap, at, size);
    if (engine_active && mappings_are_kept(at, size))
        refuse("munmap of memory that was mapped before main", pc);
    if (engine_active && (uintptr_t)at % PAGE == 0)
        release(at, size, pc);
    else if (!engine_active)
        mappings_forget(at, size);
    return (int)syscall(SYS_munmap, at, size);
}

EXPORT int munmap(void *at, size_t size)
{
    return is_for_program(CALLER) ? unmap(at, size, CALLER) : (int)syscall(SYS_munmap, at, size);
}

EXPORT void *mremap(void *at, size_t size, size_t new_size, int flags, ...)
{
    va_list args;
    va_start(args, flags);
    void *wanted = flags & MREMAP_FIXED ? va_arg(args, void *) : NULL;
    va_end(args);
    if (is_for_program(CALLER))
        refuse("mremap", CALLER);
    return (void *)syscall(SYS_mremap, at, size, new_size, flags, wanted);
}

static int protect(void *at, size_t size, int protection, const void *pc)
{
    if (is_for_program(pc))
        refuse_code(protection, pc);
    if (is_for_program(pc) && mappings_are_kept(at, size))
        refuse("mprotect of memory that was mapped before main", pc);
    return (int)syscall(SYS_mprotect, at, size, protection);
}

EXPORT int mprotect(void *at, size_t size, int protection)
{
    return protect(at, size, protection, CALLER);
}

static bool is_forgetting(int advice)
{
    return advice == MADV_DONTNEED || advice == MADV_FREE || advice == MADV_REMOVE;
}

static int advise(void *at, size_t size, int advice, const void *pc)
{
    if (is_for_program(pc) && is_forgetting(advice))
        refuse("madvise that takes away what memory holds", pc);
    return (int)syscall(SYS_madvise, at, size, advice);
}

EXPORT int madvise(void *at, size_t size, int advice)
{
    return advise(at, size, advice, CALLER);
}

bool mapping_call(long number, const long *a, const void *pc, long *result)
{
    void *at = (void *)a[0];
    size_t size = (size_t)a[1];
    if (!is_for_program(pc))
        return false;
    switch (number) {
    case SYS_mmap:
        *result = (long)map_for_program(at, size, (int)a[2], (int)a[3], (int)a[4], a[5], pc);
        return true;
    case SYS_munmap: *result = unmap(at, size, pc); return true;
    case SYS_mprotect: *result = protect(at, size, (int)a[2], pc); return true;
    case SYS_madvise: *result = advise(at, size, (int)a[2], pc); return true;
    case SYS_mremap: refuse("mremap", pc);
    default: return false;
    }
}
