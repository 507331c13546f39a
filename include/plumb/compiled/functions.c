/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of the C library that only read and write what they are given: here as code with hooks, for harnesses that `plumb prove` builds. Weak: a harness may have its
 * own. Hidden: libraries go on with theirs. */
#include <stddef.h>
#include <stdint.h>

#define OWN __attribute__((weak, visibility("hidden")))

typedef int comparison(const void *, const void *);

/* Numbers are moved as a whole. */
static void exchange_words(uint64_t *a, uint64_t *b, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint64_t word = a[i];
        a[i] = b[i];
        b[i] = word;
    }
}

static void exchange_halves(uint32_t *a, uint32_t *b, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t half = a[i];
        a[i] = b[i];
        b[i] = half;
    }
}

static void exchange(char *a, char *b, size_t size)
{
    uintptr_t all = (uintptr_t)a | (uintptr_t)b | size;
    if (all % sizeof(uint64_t) == 0) {
        exchange_words((uint64_t *)a, (uint64_t *)b, size / sizeof(uint64_t));
    } else if (all % sizeof(uint32_t) == 0) {
        exchange_halves((uint32_t *)a, (uint32_t *)b, size / sizeof(uint32_t));
    } else {
        for (size_t i = 0; i < size; i++) {
            char byte = a[i];
            a[i] = b[i];
            b[i] = byte;
        }
    }
}

OWN void qsort(void *base, size_t count, size_t size, comparison *compare)
{
    char *first = base;
    for (size_t i = 1; i < count; i++)
        for (size_t k = i; k > 0 && compare(first + (k - 1) * size, first + k * size) > 0; k--)
            exchange(first + (k - 1) * size, first + k * size, size);
}

OWN void *bsearch(const void *key, const void *base, size_t count, size_t size, comparison *compare)
{
    const char *first = base;
    while (count > 0) {
        const char *middle = first + count / 2 * size;
        int order = compare(key, middle);
        if (order == 0)
            return (void *)middle;
        if (order > 0) {
            first = middle + size;
            count--;
        }
        count /= 2;
    }
    return NULL;
}

OWN int memcmp(const void *a, const void *b, size_t count)
{
    const unsigned char *x = a, *y = b;
    for (size_t i = 0; i < count; i++)
        if (x[i] != y[i])
            return x[i] < y[i] ? -1 : 1;
    return 0;
}

OWN size_t strlen(const char *s)
{
    size_t length = 0;
    while (s[length])
        length++;
    return length;
}

OWN int strcmp(const char *a, const char *b)
{
    while (*a && *a == *b)
        a++, b++;
    return (unsigned char)*a - (unsigned char)*b;
}

OWN int strncmp(const char *a, const char *b, size_t count)
{
    while (count > 0 && *a && *a == *b)
        a++, b++, count--;
    return count > 0 ? (unsigned char)*a - (unsigned char)*b : 0;
}
