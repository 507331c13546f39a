/* SPDX-License-Identifier: Apache-2.0 */
/* Allocation that does not fail: when the system has no memory left, the
 * process says so and ends with the exit code of an inconclusive run. Long
 * searches keep their own budget (base/budget.h) and stop long before that. */
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

_Noreturn void base_out_of_memory(void);

void *base_alloc(size_t size);                    /* uninitialised */
void *base_alloc_zero(size_t count, size_t size); /* zeroed */
void *base_realloc(void *p, size_t size);
char *base_strndup(const char *s, size_t length);

/* Grows an array to hold at least `need` items; *cap is updated. */
void *base_grow(void *p, size_t *cap, size_t need, size_t item);

#define NEW(type) ((type *)base_alloc_zero(1, sizeof(type)))
#define NEW_ARRAY(type, n) ((type *)base_alloc((size_t)(n) * sizeof(type)))
#define NEW_ZEROED(type, n) ((type *)base_alloc_zero((size_t)(n), sizeof(type)))

/* Before the declaration of local pointers, vectors (base/vec.h) or texts: what they own is freed at the end
 * of their block, however it is left. All of them have to be initialised there. */
#define OWNED __attribute__((cleanup(base_free_owned)))

static inline void base_free_owned(void *variable)
{
    void *owned; /* vectors and texts begin with a pointer */
    memcpy(&owned, variable, sizeof owned);
    free(owned);
}

/* An arena: many small allocations with one lifetime, freed together. */
struct arena_block;
struct arena {
    struct arena_block *blocks;
    char *next, *end;
    size_t total; /* bytes obtained from the system */
};

void *arena_alloc(struct arena *a, size_t size);                     /* 16-byte aligned, uninitialised */
char *arena_copy(struct arena *a, const char *bytes, size_t length); /* as a string */
void arena_free(struct arena *a);                                    /* and ready for use again */

#endif
