/* SPDX-License-Identifier: Apache-2.0 */
/* The exception that ends the program because nothing catches it. */
#ifndef RT_CXX_UNCAUGHT_H
#define RT_CXX_UNCAUGHT_H

#include <stdbool.h>
#include <stddef.h>

void uncaught_prepare(void);

/* Writes its type and what its what() answers: `std::out_of_range is not caught: "..."`. Runs code of the program,
 * with hooks off. False: no exception is under way. */
bool uncaught_describe(char *to, size_t size);

#endif
