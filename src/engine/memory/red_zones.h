/* SPDX-License-Identifier: Apache-2.0 */
/* Room around variables that nothing may access. plumb-instrument makes it and says where it is: around static variables
 * for as long as the program runs, around those on the stack with each call (scopes_surround). Private to the engine and
 * its hooks. */
#ifndef ENGINE_RED_ZONES_H
#define ENGINE_RED_ZONES_H

#include "engine/engine.h"

/* A variable that accesses have to stay inside of. */
struct bounded_object {
    uint64_t from, size;
    const char *name;
};

struct memory_range {
    uint64_t from, size;
};

/* `where`: "stack", "thread-local", "heap" or "global"; `how`: "read", "write" or "access". */
_Noreturn void red_zones_fail(const char *where, const struct bounded_object *object,
                              struct memory_range access, const char *how, const void *pc);

/* A static variable and the width of the red zone behind it, as plumb-instrument writes them. */
struct surrounded_variable {
    uint64_t from, size, zone;
    const char *name;
};
void red_zones_note(const struct surrounded_variable *table, size_t count);
void red_zones_note_thread(struct surrounded_variable v); /* each thread has one; this is that of the first */
/* Fails when it touches a red zone of the thread whose register is `storage`. */
void red_zones_check_thread(uint64_t storage, uint64_t address, size_t size, const void *pc);

/* A bit for each byte from `from` on: does it lie in a red zone? */
extern struct red_zones {
    uint64_t from, size;
    const uint8_t *bits;
    bool elsewhere; /* there are some beyond these bytes, too */
} red_zones ENGINE_HIDDEN;

static inline bool red_zones_has(uint64_t offset)
{
    return red_zones.bits[offset / 8] >> offset % 8 & 1;
}

/* Zones are wider than an access of a machine word: one of its ends lies in a zone that it touches. */
enum { RED_ZONE_MIN = 16 };
static inline bool red_zones_may_touch(uint64_t address, size_t size)
{
    uint64_t offset = address - red_zones.from;
    if (__builtin_expect(offset >= red_zones.size, true))
        return red_zones.elsewhere;
    return size > RED_ZONE_MIN || red_zones_has(offset) || red_zones_has(offset + size - 1);
}

/* Fails when it touches a red zone of a static variable. */
void red_zones_search(uint64_t address, size_t size, const char *how, const void *pc);
static inline void red_zones_check(uint64_t address, size_t size, const char *how, const void *pc)
{
    if (__builtin_expect(red_zones_may_touch(address, size), false))
        red_zones_search(address, size, how, pc);
}

#endif
