/* SPDX-License-Identifier: Apache-2.0 */

#include "base/hash.h"
#include "base/memory.h"
#include "history/value_text.h"
#include "spec/builtin/builtin.h"

#include <string.h>

#define TABLE_SMALLEST 2

static uint64_t table_mix_key(uint64_t key, uint64_t sub)
{
    return hash_combine(hash_word(key), sub);
}

static uint64_t table_mix_entry(const struct table_entry *e)
{
    return hash_combine(table_mix_key(e->key, e->sub), e->word);
}

static struct table *table_create(struct plumb_values *values, plumb_value initial, uint32_t capacity)
{
    struct table *t = base_alloc(sizeof *t + capacity * sizeof *t->inside);
    *t = (struct table){.values = values, .entries = t->inside, .capacity = capacity, .initial = initial};
    return t;
}

void *table_init(const struct plumb_spec_options *options)
{
    return table_create(options->values, spec_initial(options, plumb_int(options->values, 0)),
                        TABLE_SMALLEST);
}

void table_destroy(void *state)
{
    struct table *t = state;
    if (t->entries != t->inside)
        free(t->entries);
    free(t->slots);
    free(t);
}

/* Replays never ask for it. */
static void table_sum_up(struct table *t)
{
    t->sum = 0;
    for (uint32_t i = 0; i < t->count; i++)
        t->sum += table_mix_entry(&t->entries[i]);
    t->summed = true;
}

uint64_t table_hash(const void *state)
{
    struct table *t = (struct table *)state;
    if (!t->summed)
        table_sum_up(t);
    return hash_combine(hash_combine(hash_word(t->sum), t->count), t->extra);
}

bool table_equal(const void *a, const void *b)
{
    const struct table *x = a, *y = b;
    if (x->count != y->count || x->extra != y->extra || (x->summed && y->summed && x->sum != y->sum))
        return false;
    for (uint32_t i = 0; i < x->count; i++) {
        uint32_t at = table_find(y, x->entries[i].key, x->entries[i].sub);
        if (at == TABLE_NONE || y->entries[at].word != x->entries[i].word)
            return false;
    }
    return true;
}

/* The index. */

static uint32_t table_home(const struct table *t, uint32_t at)
{
    return (uint32_t)table_mix_key(t->entries[at].key, t->entries[at].sub) & t->slot_mask;
}

static uint32_t table_slot_of(const struct table *t, uint32_t at)
{
    uint32_t s = table_home(t, at);
    while (t->slots[s] != at + 1)
        s = (s + 1) & t->slot_mask;
    return s;
}

static void table_index(struct table *t, uint32_t at)
{
    uint32_t s = table_home(t, at);
    while (t->slots[s])
        s = (s + 1) & t->slot_mask;
    t->slots[s] = at + 1;
}

/* Frees the slot of `at`; later ones of the same run move up, so that no probe meets a gap. */
static void table_unindex(struct table *t, uint32_t at)
{
    uint32_t gap = table_slot_of(t, at);
    for (uint32_t s = (gap + 1) & t->slot_mask; t->slots[s]; s = (s + 1) & t->slot_mask) {
        uint32_t home = table_home(t, t->slots[s] - 1);
        if (((s - home) & t->slot_mask) >= ((s - gap) & t->slot_mask)) {
            t->slots[gap] = t->slots[s];
            gap = s;
        }
    }
    t->slots[gap] = 0;
}

static void table_rebuild_index(struct table *t)
{
    size_t size = 32;
    while (size < 2 * (size_t)t->capacity)
        size *= 2;
    free(t->slots);
    t->slots = NEW_ZEROED(uint32_t, size);
    t->slot_mask = (uint32_t)(size - 1);
    for (uint32_t i = 0; i < t->count; i++)
        table_index(t, i);
}

/* A table that was much larger once has a needlessly large index. */
static void table_clone_index(struct table *copy, const struct table *t)
{
    size_t slots = (size_t)t->slot_mask + 1;
    if (slots / 8 > t->count) {
        table_rebuild_index(copy);
        return;
    }
    copy->slots = memcpy(base_alloc(slots * sizeof *t->slots), t->slots, slots * sizeof *t->slots);
    copy->slot_mask = t->slot_mask;
}

void *table_clone(const void *state)
{
    const struct table *t = state;
    struct table *copy =
        table_create(t->values, t->initial, t->count < TABLE_SMALLEST ? TABLE_SMALLEST : t->count);
    memcpy(copy->entries, t->entries, t->count * sizeof *t->entries);
    copy->count = t->count;
    copy->sum = t->sum;
    copy->summed = t->summed;
    copy->extra = t->extra;
    if (t->count > TABLE_SCANNED)
        table_clone_index(copy, t);
    return copy;
}

uint32_t table_find(const struct table *t, uint64_t key, uint64_t sub)
{
    if (!t->slots) {
        for (uint32_t i = 0; i < t->count; i++)
            if (t->entries[i].key == key && t->entries[i].sub == sub)
                return i;
        return TABLE_NONE;
    }
    uint32_t home = (uint32_t)table_mix_key(key, sub) & t->slot_mask;
    for (uint32_t s = home; t->slots[s]; s = (s + 1) & t->slot_mask) {
        uint32_t at = t->slots[s] - 1;
        if (t->entries[at].key == key && t->entries[at].sub == sub)
            return at;
    }
    return TABLE_NONE;
}

/* Changes. */

static void table_grow(struct table *t)
{
    t->capacity *= 2;
    struct table_entry *entries = NEW_ARRAY(struct table_entry, t->capacity);
    memcpy(entries, t->entries, t->count * sizeof *entries);
    if (t->entries != t->inside)
        free(t->entries);
    t->entries = entries;
    if (t->slots)
        table_rebuild_index(t);
}

uint32_t table_insert(struct table *t, uint64_t key, uint64_t sub, uint64_t word)
{
    if (t->count == t->capacity)
        table_grow(t);
    uint32_t at = t->count++;
    t->entries[at] = (struct table_entry){key, sub, word};
    if (t->summed)
        t->sum += table_mix_entry(&t->entries[at]);
    if (t->slots)
        table_index(t, at);
    else if (t->count > TABLE_SCANNED)
        table_rebuild_index(t);
    return at;
}

void table_set(struct table *t, uint32_t at, uint64_t word)
{
    if (t->summed)
        t->sum -= table_mix_entry(&t->entries[at]);
    t->entries[at].word = word;
    if (t->summed)
        t->sum += table_mix_entry(&t->entries[at]);
}

void table_remove(struct table *t, uint32_t at)
{
    uint32_t last = t->count - 1;
    if (t->summed)
        t->sum -= table_mix_entry(&t->entries[at]);
    if (t->slots) {
        table_unindex(t, at);
        if (at != last)
            t->slots[table_slot_of(t, last)] = at + 1;
    }
    t->entries[at] = t->entries[last];
    t->count = last;
}

void table_clear(struct table *t)
{
    free(t->slots);
    t->slots = NULL;
    t->slot_mask = 0;
    t->count = 0;
    t->sum = 0;
}

struct table_hole table_lift(const struct table *t, uint32_t at)
{
    return (struct table_hole){t->entries[at], t->slots ? table_slot_of(t, at) : 0, at};
}

void table_fill(struct table *t, struct table_hole *hole, uint32_t from)
{
    if (t->slots)
        t->slots[table_slot_of(t, from)] = hole->at + 1;
    t->entries[hole->at] = t->entries[from];
    hole->at = from;
}

void table_drop(struct table *t, const struct table_hole *hole)
{
    t->entries[hole->at] = hole->entry;
    if (t->slots)
        t->slots[hole->slot] = hole->at + 1;
}

void table_add_copy(struct table *t, uint64_t key, uint64_t sub)
{
    uint32_t at = table_find(t, key, sub);
    if (at == TABLE_NONE)
        table_insert(t, key, sub, 1);
    else
        table_set(t, at, t->entries[at].word + 1);
}

void table_drop_copy(struct table *t, uint32_t at)
{
    if (t->entries[at].word == 1)
        table_remove(t, at);
    else
        table_set(t, at, t->entries[at].word - 1);
}

/* Printing. */

static int table_compare_entries(const void *a, const void *b, void *values)
{
    const struct table_entry *x = *(const struct table_entry *const *)a;
    const struct table_entry *y = *(const struct table_entry *const *)b;
    if (x->sub != y->sub)
        return (int64_t)x->sub < (int64_t)y->sub ? -1 : 1;
    return plumb_compare(values, x->key, y->key);
}

size_t table_print(const struct table *t, const char *brackets, table_printer *print, char *buffer,
                   size_t size)
{
    const struct table_entry **sorted = NEW_ARRAY(const struct table_entry *, t->count + 1);
    for (uint32_t i = 0; i < t->count; i++)
        sorted[i] = &t->entries[i];
    qsort_r(sorted, t->count, sizeof *sorted, table_compare_entries, t->values);

    struct text out = {0};
    text_add(&out, brackets, 1);
    for (uint32_t i = 0; i < t->count && i < SPEC_PRINT_MAX; i++) {
        text_puts(&out, i ? ", " : "");
        print(&out, t, sorted[i]);
    }
    if (t->count > SPEC_PRINT_MAX)
        text_printf(&out, ", …, +%u more", t->count - SPEC_PRINT_MAX);
    text_add(&out, brackets + 1, 1);
    free(sorted);
    return spec_print_end(&out, buffer, size);
}

static void table_print_pair(struct text *out, const struct table *t, const struct table_entry *e)
{
    value_print(out, t->values, e->key);
    text_puts(out, ": ");
    value_print(out, t->values, e->word);
}

size_t table_print_pairs(const void *state, char *buffer, size_t size)
{
    return table_print(state, "{}", table_print_pair, buffer, size);
}

/* Of a block of its own: what malloc adds and rounds up. */
enum { BLOCK_OVERHEAD = 16 };

size_t table_footprint(const void *state)
{
    const struct table *t = state;
    size_t bytes = sizeof *t + t->capacity * sizeof *t->entries;
    /* Entries that moved out left about half as many places behind. */
    if (t->entries != t->inside)
        bytes += BLOCK_OVERHEAD + t->capacity / 2 * sizeof *t->entries;
    if (t->slots)
        bytes += BLOCK_OVERHEAD + ((size_t)t->slot_mask + 1) * sizeof *t->slots;
    return bytes;
}
