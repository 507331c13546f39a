/* SPDX-License-Identifier: Apache-2.0 */
#include "prove/prove_counters.h"

#include <string.h>

/* Counters are known by their values: in every register and word of memory, what is near to this is a copy of one. */
static const uint64_t BASES[2][2] = {{0x3a000000, 0x5a5a000000000000}, {0x3c000000, 0x5c5c000000000000}};
enum { NEAR = 4096, OLDER = 5 };

/* If the user has chosen none: what indices are taken modulo, most likely. */
static const uint32_t STEPS[] = {1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 24, 32, 48, 64};
static unsigned step_number;

static int64_t step_of(void)
{
    uint32_t chosen = prove.shared->question.shift_by;
    return chosen ? chosen : STEPS[step_number];
}

uint32_t prove_counters_step(void)
{
    return (uint32_t)step_of();
}

bool prove_counters_step_more(void)
{
    const struct prove_question *q = &prove.shared->question;
    if (!q->shift_count || q->shift_by || step_number + 1 == sizeof STEPS / sizeof *STEPS)
        return false;
    step_number++;
    return true;
}

void prove_counters_step_least(void)
{
    step_number = 0;
}

/* In twins they are a step further, so that a step that is too small is noticed. */
static uint64_t base_of(const struct prove_dialect *d, unsigned size)
{
    bool is_twin = d != prove_dialects;
    uint64_t base = BASES[is_twin][size == sizeof(uint64_t)], chosen = prove.shared->question.shift_by;
    enum { MULTIPLE = 6720 }; /* of all STEPS: it stays the same through all searches */
    return base - base % (chosen ? chosen : MULTIPLE) + (is_twin ? (uint64_t)step_of() : 0);
}

static uint64_t read_word(const struct prove_word *w)
{
    uint64_t value = 0;
    memcpy(&value, (void *)(prove.program.base + w->address), w->size);
    return value;
}

static void add_to_word(const struct prove_word *w, uint64_t difference)
{
    uint64_t value = read_word(w) + difference;
    memcpy((void *)(prove.program.base + w->address), &value, w->size);
}

void prove_counters_begin(void)
{
    const struct prove_question *q = &prove.shared->question;
    for (uint32_t i = 0; i < q->shift_count; i++)
        add_to_word(&q->shifts[i], base_of(prove_dialects, q->shifts[i].size));
    for (uint32_t i = 0; i < q->forget_count; i++)
        memset((void *)(prove.program.base + q->forgets[i].address), 0, q->forgets[i].size);
}

void prove_counters_restore(void)
{
    const struct prove_question *q = &prove.shared->question;
    for (uint32_t i = 0; i < q->shift_count; i++)
        add_to_word(&q->shifts[i], -base_of(prove_dialects, q->shifts[i].size));
}

void prove_counters_add(uint64_t difference)
{
    const struct prove_question *q = &prove.shared->question;
    for (uint32_t i = 0; i < q->shift_count; i++)
        add_to_word(&q->shifts[i], difference);
}

static unsigned least_size(void)
{
    const struct prove_question *q = &prove.shared->question;
    unsigned size = sizeof(uint64_t);
    for (uint32_t i = 0; i < q->shift_count; i++)
        size = q->shifts[i].size < size ? q->shifts[i].size : size;
    return size;
}

uint64_t prove_counters_most(void)
{
    return (UINT64_C(1) << (8 * least_size() - 1)) - 2 * NEAR;
}

uint64_t prove_counters_far(void)
{
    return base_of(prove_dialects, least_size());
}

static bool is_in(const struct prove_word *w, uint64_t address, uint64_t size)
{
    return prove.program.base + w->address - address < size;
}

bool prove_counters_are_in(uint64_t address, uint64_t size)
{
    const struct prove_question *q = &prove.shared->question;
    bool any = false;
    for (uint32_t i = 0; i < q->shift_count; i++)
        any |= is_in(&q->shifts[i], address, size);
    for (uint32_t i = 0; i < q->forget_count; i++)
        any |= is_in(&q->forgets[i], address, size);
    return any;
}

struct prove_shift prove_counters_look(const struct prove_dialect *from, const struct prove_dialect *to)
{
    const struct prove_question *q = &prove.shared->question;
    struct prove_shift s = {.is_on = q->shift_count && prove.is_searching && !prove.is_concrete,
                            .from = from,
                            .to = to,
                            .least = INT64_MAX};
    for (uint32_t i = 0; i < q->shift_count && s.is_on; i++) {
        int64_t at = (int64_t)(read_word(&q->shifts[i]) - base_of(from, q->shifts[i].size));
        s.least = at < s.least ? at : s.least;
    }
    int64_t step = step_of(), rest = s.least % step;
    s.down = s.is_on ? s.least - (rest < 0 ? rest + step : rest) : 0;
    return s;
}

/* Copies that are older than `stale` are all the same, but for the rest by the step; twins have them still older. */
static int64_t clamp(const struct prove_shift *s, int64_t at)
{
    int64_t stale = prove.shared->question.stale, step = step_of();
    int64_t behind = stale ? s->least - stale - at : -1;
    if (behind < 0)
        return at;
    at = s->least - stale - behind % step;
    return s->to == prove_dialects ? at : at - OLDER * step;
}

static bool is_counter(const struct prove_shift *s, uint64_t value, unsigned size, int64_t *at)
{
    *at = (int64_t)(value - base_of(s->from, size));
    return *at >= -NEAR && *at < NEAR;
}

static uint64_t move(const struct prove_shift *s, int64_t at, unsigned size)
{
    return base_of(s->to, size) + (uint64_t)(clamp(s, at) - s->down);
}

uint64_t prove_counters_shift(const struct prove_shift *s, uint64_t word)
{
    int64_t at;
    enum { HALF = sizeof(uint32_t) };
    if (is_counter(s, word, sizeof word, &at))
        return move(s, at, sizeof word);
    uint64_t low = (uint32_t)word, high = word >> 32;
    if (is_counter(s, low, HALF, &at))
        low = (uint32_t)move(s, at, HALF);
    if (is_counter(s, high, HALF, &at))
        high = (uint32_t)move(s, at, HALF);
    return low | high << 32;
}

void prove_counters_forget(uint64_t address, uint64_t *words, unsigned count, uint64_t dead)
{
    const struct prove_question *q = &prove.shared->question;
    for (uint32_t i = 0; i < q->forget_count; i++)
        if (is_in(&q->forgets[i], address, count * PROVE_WORD))
            memcpy((uint8_t *)words + (prove.program.base + q->forgets[i].address - address), &dead,
                   q->forgets[i].size);
}
