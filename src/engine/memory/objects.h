/* SPDX-License-Identifier: Apache-2.0 */
/* Memory that belongs to libraries and that the program uses all the same, by calling them: hidden state, static
 * results, streams. It has a name, and races there are the program's. */
#ifndef ENGINE_OBJECTS_H
#define ENGINE_OBJECTS_H

#include <stddef.h>
#include <stdint.h>
#include <stdbool.h>

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

/* Objects of the C++ library in the program's memory that several threads may use at the same time:
 * - std::cin, std::cout and the other standard streams, unless the program has said std::ios::sync_with_stdio(false);
 * - what locales keep to be quicker, which the library makes on demand and publishes in its own way. */

extern bool cxx_objects_synchronized; /* the streams */

void cxx_objects_find(void);                         /* once; the program has been loaded */
void cxx_objects_add(uint64_t address, size_t size); /* something of a locale, in this execution */
void cxx_objects_reset(bool synchronized);           /* before each execution */

bool cxx_objects_have(uint64_t address);
/* Is no access there a race? */
bool cxx_objects_are_for_all(uint64_t address);

#endif
