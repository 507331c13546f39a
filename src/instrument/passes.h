/* SPDX-License-Identifier: Apache-2.0 */
/* What is done to each function, in this order: docs/internals/engine/instrument.md. */
#ifndef INSTRUMENT_PASSES_H
#define INSTRUMENT_PASSES_H

#include "instrument/escape.h"

/* Structures that are taken by value become variables, before anything else. */
void parameters_copy(struct unit *u, LLVMValueRef function);
/* Where the lives of compound literals begin and end: before variables become values. */
void literals_mark(struct unit *u, LLVMValueRef function);
/* Values that nothing was assigned to: marks for the promotion of variables to values, and branches, switches, addresses and
 * arguments that depend on them after it. */
void definedness_mark(struct unit *u, LLVMValueRef function);
void definedness_check(struct unit *u, struct escape *e, LLVMValueRef function);

/* Loads, stores, copies, arguments by value: calls of the runtime before them. */
void accesses_announce(struct unit *u, const struct escape *e, LLVMValueRef function);
/* Before that, of one whose shadow the runtime is asked for, or gets: is there a hook for it? Its call returns the shadow of a load. */
bool accesses_have_shadow_hook(struct unit *u, LLVMValueRef access);
LLVMValueRef accesses_announce_shadow(struct unit *u, LLVMValueRef access, LLVMValueRef stored);
void accesses_note_announced(struct unit *u, LLVMValueRef access); /* or one that is not announced at all */
/* Atomic operations and fences become calls of the runtime, which performs them. */
void atomics_replace(struct unit *u, struct escape *e, LLVMValueRef function);
/* The lives of variables whose block ends while the function goes on. */
void scopes_announce(struct unit *u, const struct escape *e, LLVMValueRef function);
/* Comparisons before accesses of variables that the function itself shows. */
void bounds_check(struct unit *u, LLVMValueRef function);
/* Red zones: room around a variable that nothing may access, and that the runtime knows. */
void surround_locals(struct unit *u, const struct escape *e, LLVMValueRef function);
void surround_globals(struct unit *u);
/* Variable arrays and blocks of alloca end where the stack pointer goes back up, or the function is left: then everything from the stack
 * pointer up to the one at the function's beginning. NULL: it has none. */
void stack_blocks_announce(struct unit *u, LLVMValueRef function);
LLVMValueRef stack_blocks_bottom(struct unit *u, LLVMValueRef function);
void stack_blocks_drop(struct unit *u, LLVMValueRef bottom);
/* Entries and exits of the function, also those by exceptions. */
void frames_announce(struct unit *u, LLVMValueRef function);
/* No function of the library is known by its name, no call of new or delete may be left out. */
void builtins_forget(struct unit *u, LLVMValueRef function);
/* After optimisation: addresses that hooks are given are computed where they are used. */
void addresses_compute_late(struct unit *u, LLVMValueRef function);

/* Marks for inline assembly, and for instructions that answer by themselves; for assembly between functions. */
void inline_assembly_mark(struct unit *u, LLVMValueRef function);
void inline_assembly_mark_module(struct unit *u);

#endif
