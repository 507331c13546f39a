/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/memory/objects.h"

#include "base/check.h"
#include "base/memory.h"

#include <stdio.h>
#include <sys/mman.h>

static struct object {
    uint64_t from, to;
    const char *kind, *function;
} objects[OBJECTS_MAX];
static uint32_t count; /* the oldest is forgotten when there are too many */

void objects_prepare(void)
{
    const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE;
    void *at = mmap((void *)OBJECTS_BASE, OBJECTS_MAX * OBJECTS_SIZE, PROT_READ | PROT_WRITE, flags, -1, 0);
    if (at == MAP_FAILED)
        base_out_of_memory();
    CHECK(at == (void *)OBJECTS_BASE);
}

static struct object *find(uint64_t address)
{
    for (uint32_t k = 0; k < count && k < OBJECTS_MAX; k++)
        if (objects[k].from <= address && address < objects[k].to)
            return &objects[k];
    return NULL;
}

void objects_name(uint64_t address, size_t size, const char *kind, const char *function)
{
    struct object *o = find(address);
    if (!o)
        o = &objects[count++ % OBJECTS_MAX];
    *o = (struct object){address, address + size, kind, function};
}

void objects_describe(uint64_t address, char *text, size_t room)
{
    const struct object *o = find(address);
    *text = 0;
    if (o)
        snprintf(text, room, "%s %s", o->kind, o->function);
}
