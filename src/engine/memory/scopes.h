/* SPDX-License-Identifier: Apache-2.0 */
/* Variables on the stack whose block was left while their function goes on: dead until the block is entered again. Compilers that
 * mark where blocks begin and end do so by hooks (src/rt/access/tsan.c). Private to the engine and its hooks. */
#ifndef ENGINE_SCOPES_H
#define ENGINE_SCOPES_H

#include <stddef.h>
#include <stdint.h>

struct ended_scope {
    uint64_t from, to;
    uint64_t pc; /* where the block was left */
};

void scopes_clear(uint32_t thread); /* it begins */

/* Of the running thread; memory that is not on its stack is left alone. */
void scopes_enter(uint64_t address, size_t size);
void scopes_leave(uint64_t address, size_t size, const void *pc);

/* The running thread's frames below `sp` are others than before, or none. */
void scopes_drop_below(uint64_t sp);

/* The dead variable of `thread` that has some of these bytes; null: there is none. */
const struct ended_scope *scopes_find(uint32_t thread, uint64_t address, size_t size);

#endif
