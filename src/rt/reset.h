/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of this folder do for each other at the edges of an execution and of a thread. */
#ifndef RT_RESET_H
#define RT_RESET_H

#include <stdint.h>

/* Before each execution. */
void keys_reset(void);
void thread_exit_reset(void);
void ending_reset(void);
void clock_reset(void);
void chance_reset(void);
void semaphores_reset(void);
void rwlocks_reset(void);
void stdio_locks_reset(void);
void environment_reset(void);
void file_names_reset(void);
void signals_reset(void);
void streams_reset(void);
void locales_reset(void);
void tokens_reset(void);
void memory_streams_reset(void);

void ending_prepare(void); /* once */

/* A thread ends: destructors of its thread_local objects, then of its thread-specific values. */
void thread_exit_run_destructors(uint32_t thread);
void keys_run_destructors(uint32_t thread);

/* A thread starts with the mask of its creator. */
void signals_inherit(uint32_t thread);

/* What atexit and the like registered. */
void ending_run_handlers(void);

/* The program has called abort. */
_Noreturn void ending_abort(const void *pc);

#endif
