/* SPDX-License-Identifier: Apache-2.0 */
/* Which variable a pointer points into, where the function itself shows it. */
#ifndef INSTRUMENT_KNOWN_OBJECTS_H
#define INSTRUMENT_KNOWN_OBJECTS_H

#include "instrument/unit.h"

/* The one variable that a pointer was made from, also round a loop or on two paths. NULL: it is not known, or there are
 * several. */
LLVMValueRef object_of(LLVMValueRef pointer);

/* How many bytes the variable has, as a 64-bit value that is known wherever the variable is. NULL: it is not known. */
LLVMValueRef object_size(struct unit *u, LLVMValueRef variable);

/* Is an access of so many bytes there inside the variable, as its type says? */
bool object_holds(struct unit *u, LLVMValueRef variable, LLVMValueRef pointer, uint64_t size);

/* How far behind the variable the pointer lies, if that is a constant. */
bool object_offset(struct unit *u, LLVMValueRef variable, LLVMValueRef pointer, uint64_t *offset);

/* Its name in the source, as a string in the code. */
LLVMValueRef object_name(struct unit *u, LLVMValueRef variable);
LLVMValueRef object_string(struct unit *u, const char *text);

#endif
