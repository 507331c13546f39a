/* SPDX-License-Identifier: Apache-2.0 */
/* Memory that belongs to libraries and that the program uses all the same, by calling them: hidden state, static
 * results, streams. It has a name, and races there are the program's. */
#ifndef ENGINE_OBJECTS_H
#define ENGINE_OBJECTS_H

#include <stddef.h>
#include <stdint.h>

/* Memory for hidden state that has no address of its own: at the same place in every process. */
#define OBJECTS_BASE UINT64_C(0x680000000000) /* below the stacks: FIBER_BASE */
enum { OBJECTS_MAX = 256, OBJECTS_SIZE = 16 };
void objects_prepare(void);
static inline uint64_t objects_address(uint32_t number)
{
    return OBJECTS_BASE + (uint64_t)number * OBJECTS_SIZE;
}

/* [address, address + size) is what `kind` says of `function`: "the static result of", "localtime". Both texts stay. */
void objects_name(uint64_t address, size_t size, const char *kind, const char *function);

/* Writes its name; an empty one: it has none. */
void objects_describe(uint64_t address, char *text, size_t room);

#endif
