/* SPDX-License-Identifier: Apache-2.0 */
/* Memory that the tool shares with a program under test. */
#ifndef SEAL_SEALED_MEMORY_H
#define SEAL_SEALED_MEMORY_H

#include <stddef.h>

/* A descriptor, closed on exec, of memory whose size nobody can change: where a file became shorter, the tool would get SIGBUS.
 * -1, with errno. */
int sealed_memory_create(const char *name, size_t size);

#endif
