/* SPDX-License-Identifier: Apache-2.0 */
/* Which object an address is. Memory is used again: a variable of a function that is called twice, or a block that was
 * freed, is another object the second time. */
#include "rt/calls/call_parts.h"

#include "engine/engine_state.h"
#include "engine/memory/frames.h"

struct life {
    uint64_t address;
    uint32_t frees; /* of its block, so far */
    bool over;
};
static struct life lives[CALLS_MOST];
static uint32_t life_count;

bool calls_watch_stacks;

void objects_forget(void)
{
    life_count = 0;
    calls_watch_stacks = false;
}

uint32_t objects_number(const void *object)
{
    uint64_t address = (uint64_t)object;
    uint32_t frees = heap_frees(object);
    for (uint32_t k = life_count; k-- > 0;)
        if (lives[k].address == address && lives[k].frees == frees && !lives[k].over)
            return k;
    if (life_count == CALLS_MOST)
        return CALLS_MOST; /* no more calls than that are judged */
    if (engine_is_stack(address))
        calls_watch_stacks = frames_watch_exits = true;
    lives[life_count] = (struct life){address, frees, false};
    return life_count++;
}

void calls_end_objects(uint64_t from, uint64_t to)
{
    for (uint32_t k = 0; k < life_count; k++)
        lives[k].over |= lives[k].address >= from && lives[k].address < to;
}
