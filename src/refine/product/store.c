/* SPDX-License-Identifier: Apache-2.0 */
#include "refine/product/product.h"

#include <string.h>

/* The first part at or behind `at`; the end of the state: there is none. */
static uint32_t next_part(const struct store *x, uint32_t at)
{
    uint32_t next = x->system->state_size;
    for (uint32_t t = 0; t < x->part_count; t++)
        if (x->system->thread_offsets[t] >= at && x->system->thread_offsets[t] < next)
            next = x->system->thread_offsets[t];
    return next;
}

void store_init(struct store *x, const struct refine_system *s)
{
    *x = (struct store){.system = s, .part_count = s->thread_offsets && s->thread_size ? s->threads : 0};
    x->rest = NEW_ARRAY(uint8_t, s->state_size + 1);
    for (uint32_t at = 0; at < s->state_size;) {
        uint32_t next = next_part(x, at);
        if (next > at)
            vec_push(&x->gaps, ((struct store_gap){at, next - at}));
        at = next + s->thread_size;
    }
}

void store_free(struct store *x)
{
    intern_free(&x->parts);
    intern_free(&x->states);
    vec_free(&x->gaps);
    free(x->rest);
}

size_t store_footprint(const struct store *x)
{
    return intern_footprint(&x->parts) + intern_footprint(&x->states);
}

static uint32_t gather_rest(const struct store *x, const uint8_t *state, uint8_t *rest)
{
    uint32_t size = 0;
    for (size_t i = 0; i < x->gaps.len; i++) {
        memcpy(rest + size, state + x->gaps.data[i].start, x->gaps.data[i].size);
        size += x->gaps.data[i].size;
    }
    return size;
}

static void scatter_rest(const struct store *x, const uint8_t *rest, uint8_t *state)
{
    for (size_t i = 0; i < x->gaps.len; i++) {
        memcpy(state + x->gaps.data[i].start, rest, x->gaps.data[i].size);
        rest += x->gaps.data[i].size;
    }
}

uint32_t store_add(struct store *x, const uint8_t *state, bool *is_new)
{
    const struct refine_system *s = x->system;
    uint32_t numbers[REFINE_THREADS_MAX + 1];
    for (uint32_t t = 0; t < x->part_count; t++)
        numbers[t] = intern_add(&x->parts, state + s->thread_offsets[t], s->thread_size, NULL);
    uint32_t size = gather_rest(x, state, x->rest);
    numbers[x->part_count] = intern_add(&x->parts, x->rest, size, NULL);
    return intern_add(&x->states, numbers, (x->part_count + 1) * sizeof *numbers, is_new);
}

void store_get(const struct store *x, uint32_t number, uint8_t *state)
{
    const struct refine_system *s = x->system;
    uint32_t numbers[REFINE_THREADS_MAX + 1];
    memcpy(numbers, intern_get(&x->states, number, NULL), (x->part_count + 1) * sizeof *numbers);
    scatter_rest(x, intern_get(&x->parts, numbers[x->part_count], NULL), state);
    for (uint32_t t = 0; t < x->part_count; t++)
        memcpy(state + s->thread_offsets[t], intern_get(&x->parts, numbers[t], NULL), s->thread_size);
}
