/* SPDX-License-Identifier: Apache-2.0 */
/* Freed blocks that malloc may return again (CHOICE_REUSE). A block goes to requests of its size, rounded up to
 * grains, as in allocators with size classes; whatever was done before the free happens before what is done with
 * the block after the malloc. Private to the heap. */
#ifndef ENGINE_REUSE_H
#define ENGINE_REUSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct reuse_block {
    void *p;
    size_t size, alignment; /* as it was first asked for */
    /* The thread that allocated it when it was new, from 1; 0: before all executions */
    uint32_t owner;
    uint32_t index; /* among its owner's of the same class; only with reuse_wants_index */
    uint32_t frees; /* how often it has been freed, this time included */
};

bool reuse_wants_index(void);
bool reuse_is_same_class(size_t size, size_t alignment, size_t other_size, size_t other_alignment);

/* The running thread has freed a block. */
void reuse_offer(const struct reuse_block *b, const void *pc);

/* It asks for one: a freed block, or null for one that is new. */
void *reuse_choose(size_t size, size_t alignment, const void *pc);

/* The block is live again, but not filled yet: it starts as if nothing had ever happened to it. */
void reuse_begin(void *p, size_t size, const void *pc);

void reuse_reset(void); /* a new execution */

#endif
