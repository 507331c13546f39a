/* SPDX-License-Identifier: Apache-2.0 */
/* System calls by number, inside of an execution. Futexes and ends of threads are the caller's. */
#ifndef RT_SYSTEM_CALLS_H
#define RT_SYSTEM_CALLS_H

enum { SYSTEM_CALL_ARGUMENTS = 6 };

long system_call(long number, const long *arguments, const void *pc);

#endif
