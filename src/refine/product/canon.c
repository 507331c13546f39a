/* SPDX-License-Identifier: Apache-2.0 */
#include "refine/product/canon.h"

#include <string.h>

/* --- data variables ------------------------------------------------------------------------------------------- */

/* Does the variable lie in the part of this thread? */
static bool is_in_part(const struct refine_system *s, uint32_t thread, const struct refine_location *at)
{
    return at->offset >= s->thread_offsets[thread] && at->offset < s->thread_offsets[thread] + s->thread_size;
}

static bool is_shared(const struct canon *c, const struct refine_location *at)
{
    for (uint32_t t = 0; t < c->threads && c->swaps_threads; t++)
        if (is_in_part(c->system, t, at))
            return false;
    return true;
}

void canon_init(struct canon *c, const struct refine_system *s, enum machine_names names, bool swaps_threads)
{
    *c = (struct canon){.system = s, .names = names, .threads = s->threads};
    c->swaps_threads = swaps_threads && s->symmetric && s->thread_offsets && s->threads > 1;
    uint32_t count = names == MACHINE_FIXED ? 0 : s->location_count;
    for (uint32_t i = 0; i < count; i++)
        if (s->locations[i].is_data && is_shared(c, &s->locations[i]))
            vec_push(&c->places, ((struct canon_place){s->locations[i].offset, s->locations[i].width}));
    c->shared = c->places.len;
    for (uint32_t t = 0; t < s->threads && c->swaps_threads; t++)
        for (uint32_t i = 0; i < count; i++) {
            const struct refine_location *at = &s->locations[i];
            uint32_t moved = at->offset - s->thread_offsets[0] + s->thread_offsets[t];
            if (at->is_data && is_in_part(s, 0, at)) /* the parts of all threads look the same */
                vec_push(&c->places, ((struct canon_place){moved, at->width}));
        }
}

void canon_free(struct canon *c)
{
    vec_free(&c->places);
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

static void name_by_place(const struct canon *c, uint8_t *state, struct canon_names *n)
{
    for (size_t i = 0; i < c->places.len; i++) {
        uint8_t old = item_at(state, c->places.data[i]);
        if (old == REFINE_NONE)
            continue;
        if (!n->items[old])
            n->items[old] = (uint8_t)++n->count;
        set_place(state, c->places.data[i], n->items[old]);
    }
}

unsigned canon_count_items(const struct canon *c, const uint8_t *state)
{
    unsigned most = 0;
    for (size_t i = 0; i < c->places.len; i++) {
        uint8_t item = state[c->places.data[i].offset];
        most = item > most && item < REFINE_OK ? item : most;
    }
    return most;
}

void canon_rename(const struct canon *c, uint8_t *state, const uint8_t *to)
{
    for (size_t i = 0; i < c->places.len; i++) {
        uint8_t old = item_at(state, c->places.data[i]);
        if (old != REFINE_NONE)
            set_place(state, c->places.data[i], to[old]);
    }
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
    for (size_t i = c->shared; i < c->places.len && c->names == MACHINE_BY_PLACE; i++)
        if (item_at(masked, c->places.data[i]) != REFINE_NONE)
            set_place(masked, c->places.data[i], 1);
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
    for (uint32_t p = 0; p + 1 < c->threads && c->places.len > c->shared; p++)
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
    for (uint8_t t = 0; t < REFINE_THREADS_MAX; t++)
        n->threads[t] = t;
    return name_items(c, state, n);
}
