/* SPDX-License-Identifier: Apache-2.0 */
/* Accesses that are not atomic, functions, and what a program may say to ThreadSanitizer by hand. */
#include "native/noise/noise.h"

#include <stddef.h>
#include <string.h>

#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#pragma GCC diagnostic ignored "-Wunused-parameter"

#define PLAIN(name)                       \
    NOISE_EXPORT void name(void *address) \
    {                                     \
        noise_at_plain();                 \
    }
#define PLAIN_PC(name)                              \
    NOISE_EXPORT void name(void *address, void *pc) \
    {                                               \
        noise_at_plain();                           \
    }
#define PLAIN_SIZES(prefix) \
    PLAIN(prefix##1) PLAIN(prefix##2) PLAIN(prefix##4) PLAIN(prefix##8) PLAIN(prefix##16)

PLAIN_SIZES(__tsan_read)
PLAIN_SIZES(__tsan_write)
PLAIN_SIZES(__tsan_read_write)
PLAIN_SIZES(__tsan_unaligned_read)
PLAIN_SIZES(__tsan_unaligned_write)
PLAIN_SIZES(__tsan_unaligned_read_write)
PLAIN_SIZES(__tsan_volatile_read)
PLAIN_SIZES(__tsan_volatile_write)
PLAIN_SIZES(__tsan_unaligned_volatile_read)
PLAIN_SIZES(__tsan_unaligned_volatile_write)
PLAIN_PC(__tsan_read1_pc)
PLAIN_PC(__tsan_read2_pc)
PLAIN_PC(__tsan_read4_pc)
PLAIN_PC(__tsan_read8_pc)
PLAIN_PC(__tsan_read16_pc)
PLAIN_PC(__tsan_write1_pc)
PLAIN_PC(__tsan_write2_pc)
PLAIN_PC(__tsan_write4_pc)
PLAIN_PC(__tsan_write8_pc)
PLAIN_PC(__tsan_write16_pc)
PLAIN(__tsan_vptr_read)
PLAIN_PC(__tsan_vptr_update)

NOISE_EXPORT void __tsan_read_range(void *address, size_t size)
{
    noise_at_plain();
}
NOISE_EXPORT void __tsan_write_range(void *address, size_t size)
{
    noise_at_plain();
}
NOISE_EXPORT void __tsan_read_range_pc(void *address, size_t size, void *pc)
{
    noise_at_plain();
}
NOISE_EXPORT void __tsan_write_range_pc(void *address, size_t size, void *pc)
{
    noise_at_plain();
}

NOISE_EXPORT void *__tsan_memcpy(void *to, const void *from, size_t size)
{
    noise_at_plain();
    return memcpy(to, from, size);
}
NOISE_EXPORT void *__tsan_memmove(void *to, const void *from, size_t size)
{
    noise_at_plain();
    return memmove(to, from, size);
}
NOISE_EXPORT void *__tsan_memset(void *to, int byte, size_t size)
{
    noise_at_plain();
    return memset(to, byte, size);
}

NOISE_EXPORT void __tsan_init(void)
{
}
NOISE_EXPORT void __tsan_func_entry(void *pc)
{
}
NOISE_EXPORT void __tsan_func_exit(void)
{
}

/* Called with anything, returning nothing (or a null pointer). */
#define IGNORED(name)             \
    NOISE_EXPORT void *name(void) \
    {                             \
        return NULL;              \
    }

/* clang-format off */
IGNORED(__tsan_acquire) IGNORED(__tsan_release) IGNORED(__tsan_mutex_create) IGNORED(__tsan_mutex_destroy)
IGNORED(__tsan_mutex_pre_lock) IGNORED(__tsan_mutex_post_lock) IGNORED(__tsan_mutex_pre_unlock)
IGNORED(__tsan_mutex_post_unlock) IGNORED(__tsan_mutex_pre_signal) IGNORED(__tsan_mutex_post_signal)
IGNORED(__tsan_mutex_pre_divert) IGNORED(__tsan_mutex_post_divert) IGNORED(__tsan_external_register_tag)
IGNORED(__tsan_external_register_header) IGNORED(__tsan_external_assign_tag) IGNORED(__tsan_external_read)
IGNORED(__tsan_external_write) IGNORED(__tsan_flush_memory) IGNORED(__tsan_ignore_thread_begin)
IGNORED(__tsan_ignore_thread_end) IGNORED(__tsan_get_current_fiber) IGNORED(__tsan_create_fiber)
IGNORED(__tsan_destroy_fiber) IGNORED(__tsan_switch_to_fiber) IGNORED(__tsan_set_fiber_name)
IGNORED(AnnotateHappensBefore) IGNORED(AnnotateHappensAfter) IGNORED(AnnotateBenignRace)
IGNORED(AnnotateBenignRaceSized) IGNORED(AnnotateNewMemory) IGNORED(AnnotateIgnoreReadsBegin)
IGNORED(AnnotateIgnoreReadsEnd) IGNORED(AnnotateIgnoreWritesBegin) IGNORED(AnnotateIgnoreWritesEnd)
IGNORED(AnnotateIgnoreSyncBegin) IGNORED(AnnotateIgnoreSyncEnd) IGNORED(AnnotateRWLockCreate)
IGNORED(AnnotateRWLockCreateStatic) IGNORED(AnnotateRWLockDestroy) IGNORED(AnnotateRWLockAcquired)
IGNORED(AnnotateRWLockReleased) IGNORED(AnnotateThreadName)
    /* clang-format on */
