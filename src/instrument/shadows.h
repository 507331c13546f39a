/* SPDX-License-Identifier: Apache-2.0 */
/* Shadows of values that may have undefined bits: integers of the same width, in which a set bit is an undefined one. */
#ifndef INSTRUMENT_SHADOWS_H
#define INSTRUMENT_SHADOWS_H

#include "instrument/escape.h"

struct shadows {
    struct unit *unit;
    instruction_list values, shadows;
    instruction_list variables, memories; /* in memory, and a variable of the same size for each */
};

/* NULL: values of this type have no shadows. */
LLVMTypeRef shadow_type(struct unit *u, LLVMTypeRef type);
LLVMValueRef shadow_find(const struct shadows *s, LLVMValueRef value); /* NULL: it is defined */
LLVMValueRef shadow_of(const struct shadows *s, LLVMValueRef value);
void shadow_add(struct shadows *s, LLVMValueRef value, LLVMValueRef shadow);

/* The compiler fills a variable that the source does not initialise. */
bool shadow_is_filling(LLVMValueRef i);
/* What is filled by a call that only marks it. */
bool shadow_is_mark(LLVMValueRef value);

/* A value that is computed from others, whose shadows are there; those of phis are filled in afterwards. */
LLVMValueRef shadow_compute(const struct shadows *s, LLVMValueRef i);
/* Everything is undefined if one bit is. */
LLVMValueRef shadow_is_any(struct unit *u, LLVMValueRef shadow);

/* Variables in memory that only this function knows, and that are not initialised as a whole. What is loaded from one has a
 * shadow, which is loaded, too. */
void shadow_memory_open(struct shadows *s, struct escape *e, LLVMValueRef function);
/* Stores and copies, when the shadows of all values are there. */
void shadow_memory_update(struct shadows *s, LLVMValueRef function);

#endif
