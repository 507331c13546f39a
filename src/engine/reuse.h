/* SPDX-License-Identifier: Apache-2.0 */
/* Freed blocks that malloc may return again (CHOICE_REUSE). A block goes to requests of its size, rounded up to
 * grains, as in allocators with size classes; whatever was done before the free happens before what is done with
 * the block after the malloc. Private to the heap. */
#ifndef ENGINE_REUSE_H
#define ENGINE_REUSE_H

#include <stddef.h>

/* The running thread has freed a block. */
void reuse_offer(void *p, size_t size);

/* It asks for one: a freed block, as if nothing had ever happened to it, or null for one that is new. */
void *reuse_choose(size_t size, size_t alignment, const void *pc);

void reuse_reset(void); /* a new execution */

#endif
