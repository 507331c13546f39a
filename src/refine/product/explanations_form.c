/* SPDX-License-Identifier: Apache-2.0 */
/* One form for sets that are equal but for names. */
#include "refine/product/explanations.h"

#include <stdlib.h>

void explanations_rename_member(const struct explanations *e, struct member *m, struct renaming *naming)
{
    for (unsigned t = 0; t < e->threads; t++) {
        slot_of(m, t)[1] = renaming_name(naming, slot_of(m, t)[1]);
        slot_of(m, t)[2] = renaming_name(naming, slot_of(m, t)[2]);
    }
    e->machine->rename(e->machine, m->bytes + slots_size(e), m->length - slots_size(e), naming);
}

/* BY_RANK: what is left of the items, by rank. */
static void name_by_rank(struct explanations *e, struct header *h, const struct action *a,
                         struct renaming *naming)
{
    struct renaming used = {0};
    struct member m;
    unsigned kept = 0;
    for (unsigned i = 0; i < h->live_count; i++)
        if (a->names[i + 1])
            used.to[h->live[kept++] = h->live[i]] = 1;
    h->live_count = (uint8_t)kept;
    for (size_t i = 0; i < e->made.len; i++) {
        get_draft(e, e->made.data[i], &m);
        used.ghosts = 0;
        explanations_rename_member(e, &m, &used);
    }
    unsigned rank = 0;
    for (unsigned i = 1; i < RENAMING_GHOST; i++)
        naming->to[i] = used.to[i] ? (uint8_t)++rank : 0;
    for (unsigned i = 0; i < kept; i++)
        h->live[i] = naming->to[h->live[i]];
    h->item_count = (uint8_t)rank;
    if (rank > RENAMING_ITEMS_MAX - REFINE_ARGS_MAX)
        e->limit = "more items than there are names for";
}

static void first_names(struct explanations *e, struct header *h, const struct action *a,
                        struct renaming *naming)
{
    *naming = (struct renaming){0};
    if (e->machine->names == MACHINE_BY_RANK)
        name_by_rank(e, h, a, naming);
    else
        memcpy(naming->to + 1, a->names + 1, a->item_count);
}

static void permute_slots(const struct explanations *e, struct member *m, const uint8_t *places)
{
    uint8_t old[SLOT_SIZE * REFINE_THREADS_MAX];
    memcpy(old, m->bytes, slots_size(e));
    for (unsigned t = 0; t < e->threads; t++)
        memcpy(slot_of(m, places[t]), old + SLOT_SIZE * t, SLOT_SIZE);
}

static uint32_t intern_member(struct explanations *e, uint32_t draft, const struct action *a,
                              const struct renaming *first)
{
    struct member m;
    get_draft(e, draft, &m);
    permute_slots(e, &m, a->threads);
    if (e->machine->names != MACHINE_FIXED) {
        struct renaming naming = *first;
        explanations_rename_member(e, &m, &naming);
        if (naming.ghosts >= REFINE_OK - RENAMING_GHOST)
            e->limit = "more items than there are names for";
    }
    return intern_add(&e->members, m.bytes, m.length, NULL);
}

static int compare_numbers(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

static uint32_t intern_header(struct explanations *e, const struct header *h, const struct action *a)
{
    struct header named = *h;
    for (unsigned t = 0; t < e->threads; t++)
        named.ops[a->threads[t]] = h->ops[t];
    return intern_add(&e->headers, &named, offsetof(struct header, live) + named.live_count, NULL);
}

/* The header is as good as a member here. */
static uint64_t filter_of(const uint32_t *numbers, size_t count)
{
    uint64_t filter = 1ull << (numbers[0] & 7);
    for (size_t i = 1; i < count; i++)
        filter |= 256ull << hash_word(numbers[i]) % 56;
    return filter;
}

uint32_t explanations_form_set(struct explanations *e, struct header *h, const struct action *a)
{
    first_names(e, h, a, &e->naming);
    for (size_t i = 0; i < e->made.len; i++)
        e->made.data[i] = intern_member(e, e->made.data[i], a, &e->naming);
    qsort(e->made.data, e->made.len, sizeof *e->made.data, compare_numbers);
    size_t kept = 0;
    for (size_t i = 0; i < e->made.len; i++)
        if (!kept || e->made.data[kept - 1] != e->made.data[i])
            e->made.data[kept++] = e->made.data[i];
    vec_push(&e->made, 0);
    memmove(e->made.data + 1, e->made.data, kept * sizeof *e->made.data);
    e->made.data[0] = intern_header(e, h, a);
    uint32_t number = intern_add(&e->sets, e->made.data, (kept + 1) * sizeof *e->made.data, NULL);
    if (number == e->filters.len)
        vec_push(&e->filters, filter_of(e->made.data, kept + 1));
    return number;
}
