/* SPDX-License-Identifier: Apache-2.0 */
/* What a program may say to ThreadSanitizer by hand. Statements of happens-before are believed; what would
 * silence a report or describe a lock of its own is ignored, because its atomics are seen anyway. */
#include "rt/hook.h"

EXPORT void __tsan_acquire(void *address)
{
    if (!engine_active)
        return;
    engine_refuse_graph("__tsan_acquire", CALLER);
    engine_acquire((uint64_t)address);
}

EXPORT void __tsan_release(void *address)
{
    if (engine_active)
        engine_release((uint64_t)address);
}

/* Called with anything, returning nothing (or a null pointer). */
#define IGNORED(name)       \
    EXPORT void *name(void) \
    {                       \
        return NULL;        \
    }

/* clang-format off */
IGNORED(__tsan_mutex_create) IGNORED(__tsan_mutex_destroy) IGNORED(__tsan_mutex_pre_lock)
IGNORED(__tsan_mutex_post_lock) IGNORED(__tsan_mutex_pre_unlock) IGNORED(__tsan_mutex_post_unlock)
IGNORED(__tsan_mutex_pre_signal) IGNORED(__tsan_mutex_post_signal) IGNORED(__tsan_mutex_pre_divert)
IGNORED(__tsan_mutex_post_divert) IGNORED(__tsan_external_register_tag)
IGNORED(__tsan_external_register_header) IGNORED(__tsan_external_assign_tag) IGNORED(__tsan_external_read)
IGNORED(__tsan_external_write) IGNORED(__tsan_flush_memory) IGNORED(__tsan_ignore_thread_begin)
IGNORED(__tsan_ignore_thread_end) IGNORED(__tsan_get_current_fiber) IGNORED(__tsan_create_fiber)
IGNORED(__tsan_destroy_fiber) IGNORED(__tsan_switch_to_fiber) IGNORED(__tsan_set_fiber_name)
IGNORED(AnnotateHappensBefore) IGNORED(AnnotateHappensAfter) IGNORED(AnnotateCondVarSignal)
IGNORED(AnnotateCondVarSignalAll) IGNORED(AnnotateCondVarWait) IGNORED(AnnotateMutexIsNotPHB)
IGNORED(AnnotateMutexIsUsedAsCondVar) IGNORED(AnnotateRWLockCreate) IGNORED(AnnotateRWLockCreateStatic)
IGNORED(AnnotateRWLockDestroy) IGNORED(AnnotateRWLockAcquired) IGNORED(AnnotateRWLockReleased)
IGNORED(AnnotateBenignRace) IGNORED(AnnotateBenignRaceSized) IGNORED(AnnotateExpectRace)
IGNORED(AnnotateFlushExpectedRaces) IGNORED(AnnotateFlushState) IGNORED(AnnotateNewMemory)
IGNORED(AnnotateNoOp) IGNORED(AnnotateEnableRaceDetection) IGNORED(AnnotateIgnoreReadsBegin)
IGNORED(AnnotateIgnoreReadsEnd) IGNORED(AnnotateIgnoreWritesBegin) IGNORED(AnnotateIgnoreWritesEnd)
IGNORED(AnnotateIgnoreSyncBegin) IGNORED(AnnotateIgnoreSyncEnd) IGNORED(AnnotatePublishMemoryRange)
IGNORED(AnnotateUnpublishMemoryRange) IGNORED(AnnotatePCQCreate) IGNORED(AnnotatePCQDestroy)
IGNORED(AnnotatePCQPut) IGNORED(AnnotatePCQGet) IGNORED(AnnotateThreadName) IGNORED(AnnotateTraceMemory)
IGNORED(AnnotateMemoryIsInitialized) IGNORED(AnnotateMemoryIsUninitialized)
IGNORED(WTFAnnotateHappensBefore) IGNORED(WTFAnnotateHappensAfter) IGNORED(WTFAnnotateBenignRaceSized)
    /* clang-format on */
