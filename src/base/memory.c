/* SPDX-License-Identifier: Apache-2.0 */
#include "base/memory.h"

#include "base/check.h"

#include <string.h>
#include <unistd.h>

enum { STATUS_INCONCLUSIVE = 3, ARENA_BLOCK = 64 * 1024 };

_Noreturn void base_out_of_memory(void)
{
    static const char message[] = "plumb: error: the system has no memory left: inconclusive [PL0001]\n";
    if (write(STDERR_FILENO, message, sizeof message - 1) < 0) {
        /* nothing is left to do */
    }
    _exit(STATUS_INCONCLUSIVE);
}

void *base_alloc(size_t size)
{
    void *p = malloc(size ? size : 1);
    if (!p)
        base_out_of_memory();
    return p;
}

void *base_alloc_zero(size_t count, size_t size)
{
    void *p = calloc(count ? count : 1, size ? size : 1);
    if (!p)
        base_out_of_memory();
    return p;
}

void *base_realloc(void *p, size_t size)
{
    p = realloc(p, size ? size : 1);
    if (!p)
        base_out_of_memory();
    return p;
}

char *base_strndup(const char *s, size_t length)
{
    char *copy = base_alloc(length + 1);
    memcpy(copy, s, length);
    copy[length] = 0;
    return copy;
}

void *base_grow(void *p, size_t *cap, size_t need, size_t item)
{
    size_t grown = *cap + *cap / 2;
    if (grown < 8)
        grown = 8;
    if (grown < need)
        grown = need;
    if (grown > SIZE_MAX / item)
        base_out_of_memory();
    *cap = grown;
    return base_realloc(p, grown * item);
}

struct arena_block {
    struct arena_block *next;
    size_t size;
    _Alignas(16) char bytes[];
};

void *arena_alloc(struct arena *a, size_t size)
{
    size = size ? (size + 15) & ~(size_t)15 : 16;
    if ((size_t)(a->end - a->next) < size) {
        size_t capacity = size > ARENA_BLOCK ? size : ARENA_BLOCK;
        struct arena_block *block = base_alloc(sizeof *block + capacity);
        block->next = a->blocks;
        block->size = capacity;
        a->blocks = block;
        a->next = block->bytes;
        a->end = block->bytes + capacity;
        a->total += capacity;
    }
    void *p = a->next;
    a->next += size;
    return p;
}

char *arena_copy(struct arena *a, const char *bytes, size_t length)
{
    char *copy = arena_alloc(a, length + 1);
    if (length)
        memcpy(copy, bytes, length);
    copy[length] = 0;
    return copy;
}

void arena_free(struct arena *a)
{
    struct arena_block *block = a->blocks;
    while (block) {
        struct arena_block *next = block->next;
        free(block);
        block = next;
    }
    *a = (struct arena){0};
}
