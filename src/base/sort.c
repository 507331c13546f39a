/* SPDX-License-Identifier: Apache-2.0 */
/* Least significant digit radix sort with 11-bit digits; digits in which all keys agree are skipped. */
#include "base/sort.h"

#include "base/memory.h"

#include <endian.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { DIGIT_BITS = 11, DIGITS = 6, BUCKETS = 1 << DIGIT_BITS };

static bool is_sorted(const uint32_t *items, uint32_t count, const uint64_t *keys)
{
    for (uint32_t k = 1; k < count; k++)
        if (keys[items[k - 1]] > keys[items[k]])
            return false;
    return true;
}

static void insertion_sort(uint32_t *items, uint32_t count, const uint64_t *keys)
{
    for (uint32_t k = 1; k < count; k++) {
        uint32_t item = items[k], at = k;
        for (; at > 0 && keys[items[at - 1]] > keys[item]; at--)
            items[at] = items[at - 1];
        items[at] = item;
    }
}

static uint64_t varying_bits(const uint32_t *items, uint32_t count, const uint64_t *keys)
{
    uint64_t varying = 0;
    for (uint32_t k = 1; k < count; k++)
        varying |= keys[items[k]] ^ keys[items[0]];
    return varying;
}

static void sort_digit(const uint32_t *from, uint32_t *to, uint32_t count, const uint64_t *keys,
                       unsigned shift)
{
    uint32_t start[BUCKETS] = {0};
    for (uint32_t k = 0; k < count; k++)
        start[keys[from[k]] >> shift & (BUCKETS - 1)]++;
    uint32_t sum = 0;
    for (uint32_t b = 0; b < BUCKETS; b++) {
        uint32_t size = start[b];
        start[b] = sum;
        sum += size;
    }
    for (uint32_t k = 0; k < count; k++)
        to[start[keys[from[k]] >> shift & (BUCKETS - 1)]++] = from[k];
}

void sort_by_key(uint32_t *items, uint32_t count, const uint64_t *keys)
{
    if (count < 48) {
        insertion_sort(items, count, keys);
        return;
    }
    if (is_sorted(items, count, keys))
        return;
    uint64_t varying = varying_bits(items, count, keys);
    uint32_t *spare = NEW_ARRAY(uint32_t, count), *from = items, *to = spare;
    for (unsigned digit = 0; digit < DIGITS; digit++) {
        unsigned shift = digit * DIGIT_BITS;
        if (!(varying >> shift & (BUCKETS - 1)))
            continue;
        sort_digit(from, to, count, keys, shift);
        uint32_t *swap = from;
        from = to;
        to = swap;
    }
    if (from != items)
        memcpy(items, from, sizeof(uint32_t) * count);
    free(spare);
}

static int compare_numbers(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

void sort_ascending(uint32_t *items, size_t count)
{
    if (count)
        qsort(items, count, sizeof *items, compare_numbers);
}

size_t sort_distinct(uint32_t *items, size_t count)
{
    size_t kept = 0;
    sort_ascending(items, count);
    for (size_t k = 0; k < count; k++)
        if (!kept || items[kept - 1] != items[k])
            items[kept++] = items[k];
    return kept;
}

size_t sort_find(const uint32_t *items, size_t count, uint32_t item)
{
    const uint32_t *found = count ? bsearch(&item, items, count, sizeof *items, compare_numbers) : NULL;
    return found ? (size_t)(found - items) : count;
}

bool sort_includes(const uint32_t *many, size_t many_count, const uint32_t *few, size_t few_count)
{
    if (few_count > many_count)
        return false;
    for (size_t i = 0, j = 0; i < few_count; i++, j++) {
        while (j < many_count && many[j] < few[i])
            j++;
        if (j == many_count || many[j] != few[i])
            return false;
    }
    return true;
}

/* ---- strings ---- */

static size_t common_length(const struct sort_text *a, const struct sort_text *b, size_t most)
{
    size_t k = 0;
    most = a->length < most ? a->length : most;
    most = b->length < most ? b->length : most;
    while (k < most && a->bytes[k] == b->bytes[k])
        k++;
    return k;
}

uint64_t sort_head(const char *bytes, size_t length, size_t from)
{
    uint64_t head = 0;
    if (from + sizeof head <= length) {
        memcpy(&head, bytes + from, sizeof head);
        return be64toh(head);
    }
    for (size_t k = from; k < from + sizeof head; k++)
        head = head << 8 | (k < length ? (unsigned char)bytes[k] : 0);
    return head;
}

/* Of texts with the same head. */
static int compare_texts(const struct sort_text *a, const struct sort_text *b)
{
    int order =
        a->bytes == b->bytes ? 0 : memcmp(a->bytes, b->bytes, a->length < b->length ? a->length : b->length);
    if (order)
        return order;
    if (a->length != b->length)
        return a->length > b->length ? 1 : -1;
    return (a->tie > b->tie) - (a->tie < b->tie);
}

static inline bool is_not_after(const struct sort_text *a, const struct sort_text *b)
{
    return a->head != b->head ? a->head < b->head : compare_texts(a, b) <= 0;
}

/* Two sorted runs, from[0 .. middle) and from[middle .. count), into one. */
static void merge_runs(const struct sort_text *from, struct sort_text *to, size_t middle, size_t count)
{
    const struct sort_text *a = from, *b = from + middle, *a_end = b, *b_end = from + count;
    if (b < b_end && is_not_after(b - 1, b))
        a = from, b = b_end, a_end = b_end;
    while (a < a_end && b < b_end)
        *to++ = is_not_after(a, b) ? *a++ : *b++;
    while (a < a_end)
        *to++ = *a++;
    while (b < b_end)
        *to++ = *b++;
}

/* From the bottom up. The comparison is part of it: qsort spends most of its time on calling it. */
static void merge_sort(struct sort_text *texts, size_t count)
{
    OWNED struct sort_text *spare = NEW_ARRAY(struct sort_text, count);
    struct sort_text *from = texts, *to = spare;
    for (size_t run = 1; run < count; run *= 2) {
        for (size_t k = 0; k < count; k += 2 * run) {
            size_t left = count - k;
            merge_runs(from + k, to + k, left < run ? left : run, left < 2 * run ? left : 2 * run);
        }
        struct sort_text *swap = from;
        from = to;
        to = swap;
    }
    if (from != texts)
        memcpy(texts, from, count * sizeof *texts);
}

/* Most comparisons end with the first bytes that are not the same in all of them, which are kept beside the pointer:
 * strings are all over the memory. */
size_t sort_texts(struct sort_text *texts, size_t count)
{
    size_t common = count ? texts[0].length : 0;
    for (size_t k = 1; k < count && common; k++)
        common = common_length(&texts[0], &texts[k], common);
    for (size_t k = 0; k < count; k++)
        texts[k].head = sort_head(texts[k].bytes, texts[k].length, common);
    merge_sort(texts, count);
    return common;
}
