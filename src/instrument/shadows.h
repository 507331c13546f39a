/* SPDX-License-Identifier: Apache-2.0 */
/* Shadows of values that may have undefined bits: integers of the same width, in which a set bit is an undefined one. */
#ifndef INSTRUMENT_SHADOWS_H
#define INSTRUMENT_SHADOWS_H

#include "instrument/escape.h"
#include "instrument/value_map.h"

struct shadows {
    struct unit *unit;
    struct value_map shadows;  /* of values that are known to have one */
    struct value_map memories; /* of variables in memory: a variable of the same size for each */
    struct value_map hooks;    /* of loads: the call of the runtime that comes first */
    /* While uses are checked: numbers of the blocks of instructions, that at hand, and the last one in which a value was checked */
    struct hash_map blocks, checked;
    uint32_t block;
};

/* NULL: values of this type have no shadows. */
LLVMTypeRef shadow_type(struct unit *u, LLVMTypeRef type);
LLVMValueRef shadow_find(const struct shadows *s, LLVMValueRef value); /* NULL: it is defined */
LLVMValueRef shadow_of(const struct shadows *s, LLVMValueRef value);

/* The compiler fills a variable that the source does not initialise. */
bool shadow_is_filling(LLVMValueRef i);
/* What is filled by a call that only marks it. */
bool shadow_is_mark(LLVMValueRef value);

/* A value that is computed from others, whose shadows are there; those of phis are filled in afterwards. */
LLVMValueRef shadow_compute(const struct shadows *s, LLVMValueRef i);
/* Is one bit undefined? Also of a structure or a vector. */
LLVMValueRef shadow_is_any(struct unit *u, LLVMValueRef shadow);

/* Where a store, or a call that fills or copies memory, writes. NULL: it is another instruction. */
LLVMValueRef shadow_target(LLVMValueRef i);

/* Variables in memory that only this function knows, and that are not initialised as a whole. What is loaded from one has a
 * shadow, which is loaded, too. Those that have no such shadow count as known elsewhere. */
void shadow_memory_open(struct shadows *s, struct escape *e, LLVMValueRef function);
/* Stores and copies, when the shadows of all values are there. */
void shadow_memory_update(struct shadows *s, LLVMValueRef function);
bool shadow_memory_has(const struct shadows *s, LLVMValueRef pointer);

/* Other memory, of which the runtime knows what is defined: loads, and, when all shadows are there, stores and variables that are
 * not initialised. */
void shadow_runtime_open(struct shadows *s, const struct escape *e, LLVMValueRef function);
void shadow_runtime_update(struct shadows *s, const struct escape *e, LLVMValueRef function);

/* Parameters and results that may be undefined; what is passed and returned, when all shadows are there. */
void shadow_calls_open(struct shadows *s, LLVMValueRef function);
void shadow_calls_update(struct shadows *s, LLVMValueRef function);
bool shadow_may_be_undefined(LLVMValueRef value); /* by what it is computed from */
bool shadow_must_be_defined(LLVMValueRef call, unsigned argument);

/* Branches and the like. */
void shadow_uses_check(struct shadows *s, LLVMValueRef function);

#endif
