/* SPDX-License-Identifier: Apache-2.0 */
/* One module of LLVM IR that is being instrumented, and what every pass over it needs: types, calls of the
 * runtime, places in the code, and a list of what cannot be announced. */
#ifndef INSTRUMENT_UNIT_H
#define INSTRUMENT_UNIT_H

#include "base/text.h"
#include "base/vec.h"

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>
#include <stdbool.h>
#include <stdint.h>

typedef VEC(LLVMValueRef) instruction_list;

struct unit {
    LLVMContextRef context;
    LLVMModuleRef module;
    LLVMBuilderRef builder;
    LLVMTargetDataRef layout;
    LLVMTypeRef none, byte, word, pointer; /* void, i8, i64, i8* */
    unsigned byval;                        /* the attribute's number */
    bool marks;                            /* in assembly; false: it is listed */
    bool accesses_only;                    /* for `plumb prove`: no lives of variables */
    bool promoted;    /* variables are values where they can be, and nothing is optimised */
    struct text gaps; /* lines "plumb-unannounced KIND FILE:LINE" */
};

void unit_open(struct unit *u, LLVMModuleRef module);
void unit_close(struct unit *u);

/* Instructions of a function for which `wanted` is true, in order. The code may change while they are visited. */
typedef bool instruction_test(LLVMValueRef instruction);
instruction_list unit_list(LLVMValueRef function, instruction_test *wanted);

bool unit_is_call(LLVMValueRef instruction); /* or an invoke */
/* The function that is called, or NULL: by a pointer, or inline assembly. */
LLVMValueRef unit_callee(LLVMValueRef call);
/* Does it call an intrinsic whose name begins so? */
bool unit_calls_intrinsic(LLVMValueRef instruction, const char *prefix);
LLVMValueRef unit_intrinsic(struct unit *u, const char *name);

/* Bytes that a value of the type has in memory without and with the padding behind it. */
uint64_t unit_size(struct unit *u, LLVMTypeRef type);
uint64_t unit_room(struct unit *u, LLVMTypeRef type);

/* The builder goes before an instruction, or behind it, with its place in the source. */
void unit_before(struct unit *u, LLVMValueRef instruction);
void unit_after(struct unit *u, LLVMValueRef instruction);

/* What follows an instruction becomes a block of its own, which nothing branches to yet. */
LLVMBasicBlockRef unit_cut_behind(struct unit *u, LLVMValueRef instruction);

/* Where the builder is: a call of a function of the runtime, which throws nothing. */
LLVMValueRef unit_call(struct unit *u, const char *name, LLVMTypeRef result, LLVMValueRef *arguments,
                       unsigned count);
/* The pointer as an i8*. */
LLVMValueRef unit_address(struct unit *u, LLVMValueRef pointer);
LLVMValueRef unit_constant(LLVMTypeRef type, uint64_t value);

/* Something that cannot be announced, at the place of the instruction. */
void unit_note_gap(struct unit *u, const char *kind, LLVMValueRef instruction);

#endif
