/* SPDX-License-Identifier: Apache-2.0 */
#include "native/native.h"

#include <string.h>

static char known_texts[NATIVE_KNOWN_TEXTS][4];

static uint32_t write_number(char *out, uint64_t magnitude, bool negative)
{
    char digits[NATIVE_TEXT];
    uint32_t count = 0, length = 0;
    do
        digits[count++] = (char)('0' + magnitude % 10);
    while (magnitude /= 10);
    if (negative)
        out[length++] = '-';
    while (count)
        out[length++] = digits[--count];
    out[length] = 0;
    return length;
}

void native_make_known_texts(void)
{
    for (uint32_t i = 0; i < NATIVE_KNOWN_TEXTS; i++)
        write_number(known_texts[i], i, false);
}

/* The object may keep it: it stays as it is until the round ends. */
static const char *text_of(struct native_thread *t, int64_t number)
{
    if (number >= 0 && number < NATIVE_KNOWN_TEXTS)
        return known_texts[number];
    char *text = t->texts + t->texts_used;
    t->texts_used += write_number(text, number < 0 ? -(uint64_t)number : (uint64_t)number, number < 0) + 1;
    return text;
}

/* ------------------------------------------------------------------ numbers */

/* Thread and number in one. Never 0, which often is what is there at first. */
static uint64_t draw_fresh(struct native_thread *t)
{
    uint64_t stride = (uint64_t)native.round.threads + 1, n = t->fresh++;
    return t->number ? n * stride + t->number : (n + 1) * stride;
}

/* A permutation of each million of values. */
static uint64_t scramble(uint64_t x)
{
    enum { BITS = 20, MASK = (1 << BITS) - 1 };
    uint64_t low = x & MASK;
    low = low * 0x9e375 & MASK;
    low = (low ^ low >> 11) * 0x4f2b5 & MASK;
    return (x & ~(uint64_t)MASK) | low;
}

static uint64_t draw_seen(struct native_thread *t)
{
    uint64_t r = native_next(&t->calls);
    uint32_t back = r & 3 ? 0 : (uint32_t)(r >> 2) % NATIVE_SEEN; /* most often the last one */
    return (uint64_t)t->seen[(t->seen_count - 1 - back) % NATIVE_SEEN];
}

static uint64_t draw_number(struct native_thread *t, char source)
{
    uint32_t keys = native.shared->plan.keys;
    keys = keys ? keys : 1;
    switch (source) {
    case STRESS_PRIORITY: return scramble(draw_fresh(t));
    case STRESS_KEY: return 1 + native_below(&t->calls, keys);
    case STRESS_INDEX: return native_below(&t->calls, keys);
    case STRESS_MIXED:
        return native_next(&t->calls) >> 63 ? draw_fresh(t) : native_below(&t->calls, keys + 1);
    case STRESS_SEEN: return draw_seen(t);
    case STRESS_BOOL: return native_next(&t->calls) >> 63;
    default: return draw_fresh(t);
    }
}

/* Into the type; from its largest number on it begins with 1 again. */
static inline int64_t fit(int64_t number, int64_t least, int64_t most)
{
    if (__builtin_expect(number >= least && number <= most, true))
        return number;
    return (int64_t)(1 + (uint64_t)number % (uint64_t)most);
}

static const struct stress_choice *draw_choice(struct native_thread *t, const struct native_operation *o)
{
    return o->choice_count ? &o->choices[(uint64_t)native_below(&t->calls, o->choice_count) * o->count]
                           : NULL;
}

static void take_choice(struct plumb_argument *a, char type, const struct stress_choice *c)
{
    a->number = type == 'b' ? c->number != 0 : c->number;
    a->text = c->text < STRESS_TEXT_BYTES ? &native.shared->plan.texts[c->text] : NULL;
}

/* ------------------------------------------------------------------ as the record has them */

static plumb_value add_to_area(struct native_thread *t, enum plumb_tag tag, uint64_t size, uint64_t word,
                               const void *rest)
{
    uint64_t at = t->area_used;
    memcpy(t->area + at, &word, sizeof word);
    if (size)
        memcpy(t->area + at + sizeof word, rest, size);
    t->area_used = at + sizeof word + ((size + 7) & ~(uint64_t)7);
    t->slot->area_used[t->bank] = t->area_used;
    return (plumb_value)at << 3 | tag;
}

static bool has_room(const struct native_thread *t, uint64_t size)
{
    return t->records && size <= t->area_limit && t->area_used <= t->area_limit - size;
}

/* The result is not known: that is true of every one. The segment ends. */
static plumb_value miss(struct native_thread *t)
{
    if (t->records) {
        atomic_store_explicit(&t->slot->is_full, 1, memory_order_relaxed);
        atomic_store_explicit(&native.over, 1, memory_order_relaxed);
    }
    return PLUMB_ANY;
}

static plumb_value make_wide(struct native_thread *t, int64_t i)
{
    return has_room(t, 8) ? add_to_area(t, PLUMB_TAG_WIDE, 0, (uint64_t)i, NULL) : miss(t);
}

static plumb_value make_int(struct native_thread *t, int64_t i)
{
    return i >= PLUMB_SMALL_MIN && i <= PLUMB_SMALL_MAX ? (plumb_value)i << 3 : make_wide(t, i);
}

static plumb_value make_string(struct native_thread *t, const char *s)
{
    if (!s)
        return PLUMB_NONE;
    uint64_t length = strlen(s);
    return has_room(t, length + 16) ? add_to_area(t, PLUMB_TAG_STRING, length, length, s) : miss(t);
}

static bool fits_pair(plumb_value item)
{
    int64_t i = (int64_t)item >> 3;
    return plumb_tag_of(item) == PLUMB_TAG_SMALL && i >= PLUMB_PAIR_MIN && i <= PLUMB_PAIR_MAX;
}

static plumb_value make_array(struct native_thread *t, const plumb_value *items, size_t count)
{
    if (count == 2 && fits_pair(items[0]) && fits_pair(items[1]))
        return items[0] >> 3 << 34 | items[1] << 31 >> 30 | PLUMB_TAG_PAIR;
    if (count > t->area_limit / sizeof *items || !has_room(t, 8 + count * sizeof *items))
        return miss(t);
    return add_to_area(t, PLUMB_TAG_ARRAY, count * sizeof *items, count, items);
}

static plumb_value value_of(struct native_thread *t, char type, const struct plumb_argument *a)
{
    return type == 's'   ? make_string(t, a->text)
           : type == 'b' ? plumb_bool(a->number)
                         : make_int(t, a->number);
}

static plumb_value argument_value(struct native_thread *t, const struct native_operation *o,
                                  const struct plumb_argument *arguments)
{
    plumb_value values[STRESS_ARGUMENTS];
    for (uint32_t i = 0; i < o->count; i++)
        values[i] = value_of(t, o->types[i], &arguments[i]);
    return o->count == 0 ? PLUMB_OK : o->count == 1 ? values[0] : make_array(t, values, o->count);
}

static void set_number(struct native_thread *t, const struct native_operation *o, uint32_t i,
                       struct plumb_argument *a, uint64_t number)
{
    a->number = fit((int64_t)number, o->least[i], o->most[i]);
    a->text = o->types[i] == 's' ? text_of(t, a->number) : NULL;
}

/* Arguments that are choices belong together. */
static void draw(struct native_thread *t, const struct native_operation *o, struct plumb_argument *arguments)
{
    const struct stress_choice *choice = draw_choice(t, o);
    for (uint32_t i = 0; i < o->count; i++)
        if (o->sources[i] == STRESS_CHOICE)
            take_choice(&arguments[i], o->types[i], &choice[i]);
        else
            set_number(t, o, i, &arguments[i], draw_number(t, o->sources[i]));
}

plumb_value native_draw_arguments(struct native_thread *t, const struct native_operation *o,
                                  struct plumb_argument *arguments)
{
    draw(t, o, arguments);
    return argument_value(t, o, arguments);
}

plumb_value native_key_arguments(struct native_thread *t, const struct native_operation *o, uint32_t key,
                                 struct plumb_argument *arguments)
{
    uint32_t at = 0;
    while (at + 1 < o->count && o->sources[at] != STRESS_KEY && o->sources[at] != STRESS_INDEX &&
           o->sources[at] != STRESS_CHOICE)
        at++;
    draw(t, o, arguments);
    for (uint32_t i = 0; i < o->count; i++)
        if (o->sources[i] == STRESS_CHOICE)
            take_choice(&arguments[i], o->types[i], &o->choices[(uint64_t)key * o->count + i]);
    if (o->count && o->sources[at] != STRESS_CHOICE)
        set_number(t, o, at, &arguments[at], (uint64_t)key + (o->sources[at] != STRESS_INDEX));
    return argument_value(t, o, arguments);
}

/* ------------------------------------------------------------------ results */

plumb_value plumb_result_wide(int64_t i)
{
    return native_self ? make_wide(native_self, i) : PLUMB_ANY;
}

plumb_value plumb_result_string(const char *s)
{
    return !s ? PLUMB_NONE : native_self ? make_string(native_self, s) : PLUMB_ANY;
}

plumb_value plumb_result_array(const plumb_value *items, size_t count)
{
    return native_self ? make_array(native_self, items, count) : PLUMB_ANY;
}
