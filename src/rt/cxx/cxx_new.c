/* SPDX-License-Identifier: Apache-2.0 */
/* The operators new and delete of C++, unless the program has some of its own: what one of them returned belongs to its
 * counterpart. Operators of the program may call malloc, or one another; then nothing is distinguished. */
#include "engine/memory/snapshot.h"
#include "rt/system/system_parts.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------ whose operators */

static bool is_ours(const char *name)
{
    return snapshot_is_runtime_code(dlsym(RTLD_DEFAULT, name));
}

static bool are_all_ours(void)
{
    static const char *const names[] = {"_Znwm",
                                        "_Znam",
                                        "_ZnwmRKSt9nothrow_t",
                                        "_ZnamRKSt9nothrow_t",
                                        "_ZnwmSt11align_val_t",
                                        "_ZnamSt11align_val_t",
                                        "_ZnwmSt11align_val_tRKSt9nothrow_t",
                                        "_ZnamSt11align_val_tRKSt9nothrow_t",
                                        "_ZdlPv",
                                        "_ZdaPv",
                                        "_ZdlPvm",
                                        "_ZdaPvm",
                                        "_ZdlPvSt11align_val_t",
                                        "_ZdaPvSt11align_val_t",
                                        "_ZdlPvmSt11align_val_t",
                                        "_ZdaPvmSt11align_val_t",
                                        "_ZdlPvRKSt9nothrow_t",
                                        "_ZdaPvRKSt9nothrow_t",
                                        "_ZdlPvSt11align_val_tRKSt9nothrow_t",
                                        "_ZdaPvSt11align_val_tRKSt9nothrow_t"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (!is_ours(names[k]))
            return false;
    return true;
}

/* Asked once: a library that is loaded later does not change what calls are bound to. */
static bool distinguishes_operators(void)
{
    static enum { UNKNOWN, OURS, OTHERS } whose;
    if (whose == UNKNOWN)
        whose = are_all_ours() ? OURS : OTHERS;
    return whose == OURS;
}

/* ------------------------------------------------------------------ new */

/* Null: the library's own one does it, or throws. */
static void *allocate(size_t size, size_t alignment, enum heap_kind kind, const void *pc)
{
    if (!distinguishes_operators() || !memory_is_programs(pc) || alignment & (alignment - 1))
        return NULL;
    if (memory_own.malloc && alignment == 1)
        return memory_own.malloc(size ? size : 1);
    void *p = memory_allocate(size ? size : 1, alignment, pc);
    if (p)
        heap_note_kind(p, kind);
    return p;
}

#define NEW(name, kind, alignment, parameters, arguments)      \
    void *name parameters;                                     \
    EXPORT void *name parameters                               \
    {                                                          \
        void *found = allocate(size, alignment, kind, CALLER); \
        return found ? found : NEXT(name) arguments;           \
    }

NEW(_Znwm, HEAP_OF_NEW, 1, (size_t size), (size))
NEW(_Znam, HEAP_OF_NEW_ARRAY, 1, (size_t size), (size))
NEW(_ZnwmRKSt9nothrow_t, HEAP_OF_NEW, 1, (size_t size, const void *no), (size, no))
NEW(_ZnamRKSt9nothrow_t, HEAP_OF_NEW_ARRAY, 1, (size_t size, const void *no), (size, no))
NEW(_ZnwmSt11align_val_t, HEAP_OF_ALIGNED_NEW, aligned, (size_t size, size_t aligned), (size, aligned))
NEW(_ZnamSt11align_val_t, HEAP_OF_ALIGNED_NEW_ARRAY, aligned, (size_t size, size_t aligned), (size, aligned))
NEW(_ZnwmSt11align_val_tRKSt9nothrow_t, HEAP_OF_ALIGNED_NEW, aligned,
    (size_t size, size_t aligned, const void *no), (size, aligned, no))
NEW(_ZnamSt11align_val_tRKSt9nothrow_t, HEAP_OF_ALIGNED_NEW_ARRAY, aligned,
    (size_t size, size_t aligned, const void *no), (size, aligned, no))

/* ------------------------------------------------------------------ delete */

enum { NO_SIZE = -1 };

static bool release(void *p, enum heap_kind kind, size_t size, const char *how, const void *pc)
{
    if (!distinguishes_operators() || !heap_contains(p))
        return false;
    if (hook_is_watched(pc)) {
        heap_check_kind(p, kind, how, pc);
        if (size != (size_t)NO_SIZE)
            heap_check_size(p, size, how, pc);
    }
    memory_release(p, pc);
    return true;
}

static bool calls_own(const char *name, const char *own, void *p)
{
    if (strcmp(name, own) == 0 || is_ours(own))
        return false;
    ((void (*)(void *))dlsym(RTLD_DEFAULT, own))(p);
    return true;
}

/* The library of C++ is not loaded where nothing else of it is needed. It would call the program's operator that gets less. */
static void release_without_library(const char *name, void *p, enum heap_kind kind, const void *pc)
{
    if (kind == HEAP_OF_NEW_ARRAY && calls_own(name, "_ZdaPv", p))
        return;
    if ((kind == HEAP_OF_NEW || kind == HEAP_OF_NEW_ARRAY) && calls_own(name, "_ZdlPv", p))
        return;
    if (heap_contains(p))
        memory_release(p, pc);
    else
        memory_release_other(p, pc);
}

#define OTHERS(name, kind, arguments)                        \
    do {                                                     \
        if (dlsym(RTLD_NEXT, #name))                         \
            NEXT(name) arguments;                            \
        else                                                 \
            release_without_library(#name, p, kind, CALLER); \
    } while (0)
#define DELETE(name, kind, size, how, parameters, arguments)                          \
    void name parameters;                                                             \
    EXPORT void name parameters                                                       \
    {                                                                                 \
        if (p && !release(p, kind, size, how, CALLER) && !memory_free_own(p, CALLER)) \
            OTHERS(name, kind, arguments);                                            \
    }
#define DELETES(end, size, parameters, arguments)                           \
    DELETE(_ZdlPv##end, HEAP_OF_NEW, size, "delete", parameters, arguments) \
    DELETE(_ZdaPv##end, HEAP_OF_NEW_ARRAY, size, "delete[]", parameters, arguments)
#define ALIGNED_DELETES(end, size, parameters, arguments)                                             \
    DELETE(_ZdlPv##end, HEAP_OF_ALIGNED_NEW, size, "delete with an alignment", parameters, arguments) \
    DELETE(_ZdaPv##end, HEAP_OF_ALIGNED_NEW_ARRAY, size, "delete[] with an alignment", parameters, arguments)

DELETES(, NO_SIZE, (void *p), (p))
DELETES(m, size, (void *p, size_t size), (p, size))
DELETES(RKSt9nothrow_t, NO_SIZE, (void *p, const void *no), (p, no))
ALIGNED_DELETES(St11align_val_t, NO_SIZE, (void *p, size_t aligned), (p, aligned))
ALIGNED_DELETES(mSt11align_val_t, size, (void *p, size_t size, size_t aligned), (p, size, aligned))
ALIGNED_DELETES(St11align_val_tRKSt9nothrow_t, NO_SIZE, (void *p, size_t aligned, const void *no),
                (p, aligned, no))
