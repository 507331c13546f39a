/* SPDX-License-Identifier: Apache-2.0 */
/* Variables of the program, as its symbols and debug information have them. The tool makes the list (target/symbols/symbols_variables.h), the
 * runtime holds against it what functions of libraries access (rt/variable_bounds.h). Addresses are those of the file. */
#ifndef ENGINE_VARIABLES_H
#define ENGINE_VARIABLES_H

#include <stdint.h>

enum { VARIABLES_MOST = 1 << 16, VARIABLES_NAME = 32 };

/* One that is static, a thread's own, or one on the stack of a function by whose frame pointer it is found. */
struct variable {
    uint64_t function, function_end; /* code; of the others 0 */
    uint64_t from, to;               /* the part of it in which the variable lives */
    int64_t at;                /* address, or distance from the thread pointer, or from the frame pointer */
    uint64_t size;             /* 0: stands for a function that has none */
    char name[VARIABLES_NAME]; /* terminated */
};

/* First the static ones by address, then those that each thread has (x86-64), then those of functions by code. */
struct variables {
    uint32_t static_count, thread_count, count; /* `count`: of all */
    uint32_t lost;                              /* there were more */
    struct variable list[VARIABLES_MOST];
};

#endif
