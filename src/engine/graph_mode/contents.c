/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/graph_mode/contents.h"

#include "base/hash.h"
#include "base/vec.h"
#include "engine/engine_quick.h"
#include "engine/graph_mode/plain_split.h"
#include "engine/real.h"
#include "explore/graphs_memory.h"

struct content {
    event_word value;
    uint64_t execution;
    unsigned size;
};
static struct hash_map numbers;
static VEC(struct content) contents;
static uint64_t execution;

static event_word load(uint64_t address, unsigned size)
{
    event_word value = 0;
    real.memcpy(&value, (const void *)address, size);
    return value;
}

void contents_begin(void)
{
    execution++;
}

/* Where accesses have different sizes, other notes may be about some of the bytes. */
static void forget_others(uint64_t address, unsigned size)
{
    const unsigned most = sizeof(event_word);
    for (uint64_t other = address - most + 1; other < address + size; other++)
        if (other != address)
            contents_forget(other);
}

void contents_note(uint64_t address, unsigned size)
{
    if (explore_graphs_has_mixed(engine.explorer))
        forget_others(address, size);
    uint32_t *number = hash_map_at(&numbers, address);
    if (*number == HASH_NO_NUMBER) {
        *number = (uint32_t)contents.len;
        vec_push(&contents, ((struct content){0}));
    }
    contents.data[*number] = (struct content){load(address, size), execution, size};
}

void contents_forget(uint64_t address)
{
    uint32_t number = hash_map_get(&numbers, address);
    if (number != HASH_NO_NUMBER)
        contents.data[number].execution = 0;
}

bool contents_are_noted(uint64_t address, unsigned size)
{
    uint32_t number = hash_map_get(&numbers, address);
    if (number == HASH_NO_NUMBER)
        return true;
    const struct content *c = &contents.data[number];
    return c->execution != execution || c->size != size || c->value == load(address, size);
}

void contents_look_for_unannounced(uint64_t address, unsigned size, const void *pc)
{
    graph_mode_settle();
    if (contents_are_noted(address, size))
        return;
    frames_check_foreign(engine.running, address, size, true, pc);
    if (!fiber_has_on_stack(&engine.running->fiber, address))
        plain_refuse("an atomic variable on the stack of another thread, written unannounced", pc);
    engine_plain_late(address, size, pc);
}
