/* SPDX-License-Identifier: Apache-2.0 */
/* What memory held after the last step there: what was written since then, and not announced, is found by comparing. For plain
 * accesses that are steps, and for atomic variables on stacks. Private to the engine and its hooks. */
#ifndef ENGINE_CONTENTS_H
#define ENGINE_CONTENTS_H

#include <stdbool.h>
#include <stdint.h>

void contents_begin(void); /* an execution begins */

/* The bytes were changed by a write that was reported, or will be. */
void contents_note(uint64_t address, unsigned size);
void contents_forget(uint64_t address); /* or by writes that are no steps */

/* False: something else was written there. */
bool contents_are_noted(uint64_t address, unsigned size);

/* The current thread is about to read an atomic variable on a stack. A function that is called again may have a new one at the
 * address of an old one, which compilers begin without announcing it: a parameter comes in a register, and is put there. */
void contents_look_for_unannounced(uint64_t address, unsigned size, const void *pc);

#endif
