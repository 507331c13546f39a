/* SPDX-License-Identifier: Apache-2.0 */
/* Which variables on the stack can other code know the address of? Accesses of others need no announcement: they
 * become registers. Flow-insensitive, one function at a time. */
#ifndef INSTRUMENT_ESCAPE_H
#define INSTRUMENT_ESCAPE_H

#include "base/hash.h"
#include "instrument/unit.h"

/* Variables of a function whose address it keeps to itself. */
struct escape {
    struct hash_map kept;
};

/* Before variables become values: one whose address another variable holds counts as known for ever, because what that one
 * points to may end before it does. */
void escape_note(struct unit *u, LLVMValueRef function);

void escape_find(struct escape *e, LLVMValueRef function);
void escape_keep(struct escape *e, LLVMValueRef variable); /* a new one of the instrumentation's */
void escape_drop(struct escape *e,
                 LLVMValueRef variable); /* its accesses are to be announced, all the same */
void escape_free(struct escape *e);

/* The variable, argument or other value that a pointer was made from by casts and constant or computed offsets. */
LLVMValueRef escape_base(LLVMValueRef pointer);
/* Can an access at this address matter to other code? */
bool escape_is_shared(const struct escape *e, LLVMValueRef pointer, bool is_write);

#endif
