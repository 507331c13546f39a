/* SPDX-License-Identifier: Apache-2.0 */
/* The random devices of the system, whose numbers are the same in every execution. */
#ifndef RT_CHANCE_H
#define RT_CHANCE_H

#include <stdbool.h>
#include <stddef.h>

/* Is it /dev/random or /dev/urandom? */
bool chance_is_device(int fd);
bool chance_is_name(const char *path);
/* Reads from it: what the running thread gets depends on nothing but itself. */
void chance_fill(void *to, size_t size, const void *pc);

/* The name to open instead of this one for a stream, which reads without asking us: that of a file with such numbers. */
const char *chance_stream_name(const char *path);

#endif
