/* SPDX-License-Identifier: Apache-2.0 */
/* System calls by number, inside of an execution. Futexes and ends of threads are the caller's. */
#ifndef RT_SYSTEM_CALLS_H
#define RT_SYSTEM_CALLS_H

#include <stdbool.h>

enum { SYSTEM_CALL_ARGUMENTS = 6 };

long system_call(long number, const long *arguments, const void *pc);

/* mmap and its family by number; false: it is none, or not the program's. */
bool mapping_call(long number, const long *arguments, const void *pc, long *result);

#endif
