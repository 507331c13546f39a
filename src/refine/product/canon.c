/* SPDX-License-Identifier: Apache-2.0 */
#include "refine/product/canon.h"

#include <string.h>

/* --- data variables ------------------------------------------------------------------------------------------- */

/* The thread in whose part the offset lies; the number of threads: none. */
static uint32_t owner_of(const struct canon *c, uint32_t offset)
{
    const struct refine_system *s = c->system;
    uint32_t t = 0;
    for (; t < s->threads && s->thread_offsets; t++)
        if (offset >= s->thread_offsets[t] && offset < s->thread_offsets[t] + s->thread_size)
            return t;
    return s->threads;
}

void canon_init(struct canon *c, const struct refine_system *s, enum machine_names names, bool swaps_threads)
{
    *c = (struct canon){.system = s, .names = names, .threads = s->threads};
    c->swaps_threads = swaps_threads && s->symmetric && s->thread_offsets && s->threads > 1;
    for (uint32_t i = 0; i < s->location_count && names != MACHINE_FIXED; i++) {
        const struct refine_location *at = &s->locations[i];
        uint32_t owner = owner_of(c, at->offset);
        if (!at->is_data)
            continue;
        /* Without swaps there is one list for all. */
        if (!c->swaps_threads || owner == s->threads)
            vec_push(&c->shared, ((struct canon_place){at->offset, at->width}));
        else if (owner == 0)
            vec_push(&c->local, ((struct canon_place){at->offset - s->thread_offsets[0], at->width}));
    }
}

void canon_free(struct canon *c)
{
    vec_free(&c->shared);
    vec_free(&c->local);
}

/* Items are small: wider variables have them in the first byte. */
static void set_place(uint8_t *state, struct canon_place at, uint8_t value)
{
    state[at.offset] = value;
}

/* NONE: no item. */
static uint8_t item_at(const uint8_t *state, struct canon_place at)
{
    uint8_t value = state[at.offset];
    for (unsigned i = 1; i < at.width; i++)
        if (state[at.offset + i])
            return REFINE_NONE;
    return value < REFINE_OK ? value : REFINE_NONE;
}

static uint8_t *part_of(const struct canon *c, uint8_t *state, uint32_t thread)
{
    return state + c->system->thread_offsets[thread];
}

/* --- items ---------------------------------------------------------------------------------------------------- */

static void name_places(uint8_t *state, const struct canon_place *places, size_t count, struct canon_names *n)
{
    for (size_t i = 0; i < count; i++) {
        uint8_t old = item_at(state, places[i]);
        if (old == REFINE_NONE)
            continue;
        if (!n->items[old])
            n->items[old] = (uint8_t)++n->count;
        set_place(state, places[i], n->items[old]);
    }
}

static void name_by_place(const struct canon *c, uint8_t *state, struct canon_names *n)
{
    name_places(state, c->shared.data, c->shared.len, n);
    for (uint32_t t = 0; t < c->threads && c->local.len; t++)
        name_places(part_of(c, state, t), c->local.data, c->local.len, n);
}

static void rename_places(uint8_t *state, const struct canon_place *places, size_t count, const uint8_t *to)
{
    for (size_t i = 0; i < count; i++) {
        uint8_t old = item_at(state, places[i]);
        if (old != REFINE_NONE)
            set_place(state, places[i], to[old]);
    }
}

void canon_rename(const struct canon *c, uint8_t *state, const uint8_t *to)
{
    rename_places(state, c->shared.data, c->shared.len, to);
    for (uint32_t t = 0; t < c->threads && c->local.len; t++)
        rename_places(part_of(c, state, t), c->local.data, c->local.len, to);
}

static void name_by_rank(const struct canon *c, uint8_t *state, struct canon_names *n)
{
    name_by_place(c, state, n);
    struct canon_names first = *n;
    uint8_t ranks[RENAMING_SIZE] = {0};
    n->count = 0;
    for (unsigned item = 1; item < RENAMING_SIZE; item++)
        if (first.items[item])
            ranks[first.items[item]] = n->items[item] = (uint8_t)++n->count;
    canon_rename(c, state, ranks);
}

static bool name_items(const struct canon *c, uint8_t *state, struct canon_names *n)
{
    memset(n->items, 0, sizeof n->items);
    n->count = 0;
    if (c->names == MACHINE_BY_PLACE)
        name_by_place(c, state, n);
    else if (c->names == MACHINE_BY_RANK)
        name_by_rank(c, state, n);
    return n->count <= RENAMING_ITEMS_MAX - REFINE_ARGS_MAX;
}

/* --- threads ------------------------------------------------------------------------------------------------- */

/* Parts of threads without the names of items: whether there is one counts. */
static void mask_parts(const struct canon *c, const uint8_t *state, uint8_t *masked)
{
    memcpy(masked, state, c->system->state_size);
    for (uint32_t t = 0; t < c->threads; t++)
        for (size_t i = 0; i < c->local.len; i++) {
            struct canon_place at = c->local.data[i];
            if (c->names == MACHINE_BY_PLACE && item_at(part_of(c, masked, t), at) != REFINE_NONE)
                set_place(part_of(c, masked, t), at, 1);
        }
}

static void sort_threads(const struct canon *c, uint8_t *masked, uint8_t *order)
{
    for (uint8_t t = 0; t < c->threads; t++) {
        unsigned at = t;
        for (; at &&
               memcmp(part_of(c, masked, order[at - 1]), part_of(c, masked, t), c->system->thread_size) > 0;
             at--)
            order[at] = order[at - 1];
        order[at] = t;
    }
}

/* order[place] is the thread that goes there. */
static void place_threads(const struct canon *c, const uint8_t *state, const uint8_t *order, uint8_t *out)
{
    const struct refine_system *s = c->system;
    memcpy(out, state, s->state_size);
    for (uint32_t place = 0; place < c->threads; place++)
        memcpy(out + s->thread_offsets[place], state + s->thread_offsets[order[place]], s->thread_size);
}

static void note_order(const struct canon *c, const uint8_t *order, struct canon_names *n)
{
    for (uint8_t place = 0; place < c->threads; place++)
        n->threads[order[place]] = place;
}

/* The smaller of two neighbours that look the same without items: tries both orders, for each pair of neighbours once. A few
 * states that are the same may be left apart by that, none are confused. */
static bool apply_with_threads(const struct canon *c, uint8_t *state, uint8_t *scratch, struct canon_names *n)
{
    size_t size = c->system->state_size;
    uint8_t order[REFINE_THREADS_MAX];
    uint8_t *masked = scratch, *other = scratch + size;
    mask_parts(c, state, masked);
    sort_threads(c, masked, order);
    bool same[REFINE_THREADS_MAX] = {false};
    for (uint32_t p = 0; p + 1 < c->threads && c->local.len; p++)
        same[p] =
            !memcmp(part_of(c, masked, order[p]), part_of(c, masked, order[p + 1]), c->system->thread_size);
    uint8_t *original = masked;
    memcpy(original, state, size);
    place_threads(c, original, order, state);
    note_order(c, order, n);
    bool fits = name_items(c, state, n);
    for (uint32_t p = 0; p + 1 < c->threads; p++) {
        if (!same[p])
            continue;
        uint8_t swapped[REFINE_THREADS_MAX];
        struct canon_names names;
        memcpy(swapped, order, sizeof swapped);
        swapped[p] = order[p + 1];
        swapped[p + 1] = order[p];
        place_threads(c, original, swapped, other);
        note_order(c, swapped, &names);
        fits &= name_items(c, other, &names);
        if (memcmp(other, state, size) < 0) {
            memcpy(state, other, size);
            memcpy(order, swapped, sizeof order);
            memcpy(n, &names, sizeof *n);
        }
    }
    return fits;
}

bool canon_apply(const struct canon *c, uint8_t *state, uint8_t *scratch, struct canon_names *n)
{
    if (c->swaps_threads)
        return apply_with_threads(c, state, scratch, n);
    for (uint8_t t = 0; t < c->threads; t++)
        n->threads[t] = t;
    return name_items(c, state, n);
}
