/* SPDX-License-Identifier: Apache-2.0 */
/* Which variable a pointer points into, where the function itself shows it. */
#ifndef INSTRUMENT_KNOWN_OBJECTS_H
#define INSTRUMENT_KNOWN_OBJECTS_H

#include "instrument/unit.h"

/* The one variable that a pointer was made from, also round a loop or on two paths. NULL: it is not known, or there are
 * several. */
LLVMValueRef object_of(LLVMValueRef pointer);

/* Values that a pointer was computed from. */
struct known_sources {
    LLVMValueRef seen[64]; /* with more it is not known */
    unsigned count;
    LLVMValueRef object; /* the only one of them that was not computed */
    bool failed, members;
};
LLVMOpcode known_opcode(LLVMValueRef pointer);
/* The step into an array that is a member, by which all of the pointer's sources begin; without casts. */
LLVMValueRef known_member_source(struct known_sources *s, LLVMValueRef pointer);

/* An array within a structure: where the first so many operands of an offset lead. */
struct member_array {
    LLVMValueRef offset;
    unsigned operands;
    LLVMTypeRef structure, array;
};
bool member_array_begins(LLVMValueRef offset);
/* Was the pointer made from one array that is a member, and moved by its elements only? */
bool member_array_find(LLVMValueRef pointer, LLVMTypeRef accessed, struct member_array *m);
/* The index of an element that the pointer is by one step; NULL: it is not. */
LLVMValueRef member_array_index(const struct member_array *m, LLVMValueRef pointer);
LLVMValueRef member_array_place(struct unit *u, const struct member_array *m);
LLVMValueRef member_array_name(struct unit *u, const struct member_array *m);

/* How many bytes the variable has, as a 64-bit value that is known wherever the variable is. NULL: it is not known. */
LLVMValueRef object_size(struct unit *u, LLVMValueRef variable);

/* Is an access of so many bytes there inside the variable, whatever the program does? */
bool object_holds(struct unit *u, LLVMValueRef variable, LLVMValueRef pointer, uint64_t size);

/* How far behind the variable the pointer lies, if that is a constant. */
bool object_offset(struct unit *u, LLVMValueRef variable, LLVMValueRef pointer, uint64_t *offset);

/* Its name in the source, as a string in the code. */
LLVMValueRef object_name(struct unit *u, LLVMValueRef variable);
LLVMValueRef object_string(struct unit *u, const char *text);

#endif
