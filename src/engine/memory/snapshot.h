/* SPDX-License-Identifier: Apache-2.0 */
/* Which loaded libraries are not the program's: the C library, the loader, the C++ library, ourselves. */
#ifndef ENGINE_SNAPSHOT_H
#define ENGINE_SNAPSHOT_H

#include <stdbool.h>
#include <stdint.h>

bool snapshot_is_system_library(const char *path);
bool snapshot_is_system_code(const void *pc);
bool snapshot_is_system_data(uint64_t address);  /* a variable of theirs */
bool snapshot_is_program_data(uint64_t address); /* a variable of the program that can change */
bool snapshot_is_runtime_code(const void *pc);   /* our own */

#endif
