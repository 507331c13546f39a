/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/memory/frames.h"

#include "base/vec.h"
#include "engine/engine_state.h"
#include "engine/memory/undefined_bits.h"

#include <string.h>

/* Highest addresses first, so that what belongs to the innermost functions is at the end. They do not overlap. */
static VEC(struct ended_scope) ended[THREADS_MAX];

static void note_ends(uint32_t thread)
{
    struct thread *t = &engine.threads[thread];
    t->ended_top = ended[thread].len ? ended[thread].data[0].to : 0;
    t->ended_bottom = ended[thread].len ? vec_last(&ended[thread]).from : 0;
}

void scopes_clear(uint32_t thread)
{
    vec_clear(&ended[thread]);
    note_ends(thread);
}

/* The first one that lies below `address`, wholly or with its beginning. */
static size_t find_below(uint32_t thread, uint64_t address)
{
    size_t low = 0, high = ended[thread].len;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (ended[thread].data[middle].from < address)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

const struct ended_scope *scopes_find(uint32_t thread, uint64_t address, size_t size)
{
    size_t place = find_below(thread, address + size);
    const struct ended_scope *found = &ended[thread].data[place];
    return place < ended[thread].len && found->to > address ? found : NULL;
}

/* Zones surround the variable. */
const char *scopes_name(uint32_t thread, uint64_t address)
{
    for (size_t k = 0; k < ended[thread].len; k++) {
        const struct bounded_object *object = &ended[thread].data[k].zone;
        if (object->name && address - object->from < object->size)
            return object->name;
    }
    return NULL;
}

void scopes_enter(uint64_t address, size_t size)
{
    uint32_t me = engine.current;
    size_t from = find_below(me, address + size), to = from;
    while (to < ended[me].len && ended[me].data[to].to > address)
        to++;
    if (from == to)
        return;
    memmove(&ended[me].data[from], &ended[me].data[to], (ended[me].len - to) * sizeof *ended[me].data);
    ended[me].len -= to - from;
    note_ends(me);
}

static void insert_range(struct ended_scope range)
{
    uint32_t me = engine.current;
    size_t place = find_below(me, range.from);
    vec_push(&ended[me], (struct ended_scope){0});
    memmove(&ended[me].data[place + 1], &ended[me].data[place],
            (ended[me].len - 1 - place) * sizeof *ended[me].data);
    ended[me].data[place] = range;
}

static bool is_own(uint64_t address, size_t size)
{
    return fiber_has_on_stack(&engine.running->fiber, address) && size <= engine.running->fiber.stack_size;
}

void scopes_leave(uint64_t address, size_t size, const void *pc)
{
    if (!is_own(address, size))
        return;
    scopes_enter(address, size);
    insert_range((struct ended_scope){.from = address, .to = address + size, .pc = (uint64_t)pc});
    note_ends(engine.current);
}

void scopes_surround(struct bounded_object object, uint64_t before, uint64_t behind)
{
    uint64_t end = object.from + object.size;
    if (!is_own(object.from, object.size))
        return;
    scopes_enter(object.from - before, before + object.size + behind);
    insert_range((struct ended_scope){.from = end, .to = end + behind, .zone = object});
    insert_range((struct ended_scope){.from = object.from - before, .to = object.from, .zone = object});
    note_ends(engine.current);
}

void scopes_drop_below(uint64_t sp)
{
    uint32_t me = engine.current;
    undefined_drop_below(me, sp);
    while (ended[me].len && vec_last(&ended[me]).from < sp)
        ended[me].len--;
    note_ends(me);
}
