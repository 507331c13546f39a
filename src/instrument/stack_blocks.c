/* SPDX-License-Identifier: Apache-2.0 */
/* Variable arrays and blocks of alloca end where the stack pointer goes back up. What the runtime knows of their red zones has to end
 * there, too: what the function pushes next, such as arguments on the stack, lies in their place, and above the frame of the
 * function that is called. */
#include "instrument/passes.h"

#include <llvm-c/DebugInfo.h>

enum { STACK_REACH = 8 << 20 }; /* bytes of the longest stack */

static LLVMValueRef stack_pointer(struct unit *u)
{
    LLVMValueRef save = unit_intrinsic(u, "llvm.stacksave");
    return LLVMBuildCall2(u->builder, LLVMGlobalGetValueType(save), save, NULL, 0, "");
}

/* Everything from `from` up to `to` is as if it had never been used. */
static void drop_range(struct unit *u, LLVMValueRef from, LLVMValueRef to)
{
    LLVMValueRef size = LLVMBuildSub(u->builder, LLVMBuildPtrToInt(u->builder, to, u->word, ""),
                                     LLVMBuildPtrToInt(u->builder, from, u->word, ""), "");
    unit_call(u, "__plumb_scope_begin", u->none, (LLVMValueRef[]){size, from}, 2);
}

void stack_blocks_drop(struct unit *u, LLVMValueRef bottom)
{
    drop_range(u, stack_pointer(u), bottom);
}

static bool is_block(LLVMValueRef i)
{
    if (LLVMGetInstructionOpcode(i) != LLVMAlloca)
        return false;
    LLVMBasicBlockRef block = LLVMGetInstructionParent(i);
    return !LLVMIsAConstantInt(LLVMGetOperand(i, 0)) ||
           block != LLVMGetEntryBasicBlock(LLVMGetBasicBlockParent(block));
}

LLVMValueRef stack_blocks_bottom(struct unit *u, LLVMValueRef function)
{
    OWNED instruction_list blocks = unit_list(function, is_block);
    if (!blocks.len || u->accesses_only)
        return NULL;
    LLVMValueRef first = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function));
    while (LLVMGetInstructionOpcode(first) == LLVMAlloca && !is_block(first))
        first = LLVMGetNextInstruction(first);
    LLVMPositionBuilderBefore(u->builder, first);
    LLVMSetCurrentDebugLocation2(u->builder, NULL);
    return stack_pointer(u);
}

/* ------------------------------------------------------ within the function */

static bool returns_twice(LLVMValueRef call)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("returns_twice", strlen("returns_twice"));
    LLVMValueRef callee = unit_callee(call);
    return LLVMGetCallSiteEnumAttribute(call, LLVMAttributeFunctionIndex, kind) ||
           (callee && LLVMGetEnumAttributeAtIndex(callee, LLVMAttributeFunctionIndex, kind));
}

static bool moves_stack(LLVMValueRef i)
{
    return LLVMGetInstructionOpcode(i) == LLVMCall &&
           (unit_calls_intrinsic(i, "llvm.stackrestore") || returns_twice(i));
}

/* Below the stack pointer, as far as a stack may reach. */
static void drop_all_below(struct unit *u)
{
    LLVMValueRef now = stack_pointer(u), distance = LLVMConstInt(u->word, (uint64_t)-STACK_REACH, true);
    drop_range(u, LLVMBuildGEP2(u->builder, u->byte, now, &distance, 1, ""), now);
}

void stack_blocks_announce(struct unit *u, LLVMValueRef function)
{
    OWNED instruction_list blocks = unit_list(function, is_block), moves = {0};
    if (blocks.len)
        moves = unit_list(function, moves_stack);
    for (size_t k = 0; k < moves.len; k++) {
        if (returns_twice(moves.data[k])) {
            unit_after(u, moves.data[k]);
            drop_all_below(u);
        } else {
            unit_before(u, moves.data[k]);
            stack_blocks_drop(u, LLVMGetOperand(moves.data[k], 0));
        }
    }
}
