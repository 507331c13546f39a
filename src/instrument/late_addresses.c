/* SPDX-License-Identifier: Apache-2.0 */
/* Optimisation moves what does not change in a loop before it: an address that a hook in the loop is given takes one more register
 * then, which is set between the load before a loop that retries and its first round. Such a loop is folded only where a
 * round that failed leads to the same registers as that load. So addresses are computed where they are needed. */
#include "instrument/passes.h"

#include <string.h>

static bool is_hook(LLVMValueRef i)
{
    LLVMValueRef callee = unit_is_call(i) ? unit_callee(i) : NULL;
    size_t length;
    return callee && LLVMGetNumArgOperands(i) &&
           text_starts_with(LLVMGetValueName2(callee, &length), "__tsan_");
}

static bool is_address(LLVMValueRef value)
{
    return LLVMIsAGetElementPtrInst(value) || LLVMIsABitCastInst(value);
}

/* Copies of what an operand is computed from, in another block, to where it is used. */
static void compute_before(struct unit *u, LLVMValueRef user)
{
    LLVMBasicBlockRef here = LLVMGetInstructionParent(user);
    LLVMValueRef address = LLVMGetOperand(user, 0);
    while (is_address(address) && LLVMGetInstructionParent(address) != here) {
        LLVMValueRef copy = LLVMInstructionClone(address);
        LLVMPositionBuilderBefore(u->builder, user);
        LLVMInsertIntoBuilder(u->builder, copy);
        LLVMSetOperand(user, 0, copy);
        user = copy;
        address = LLVMGetOperand(copy, 0);
    }
}

void addresses_compute_late(struct unit *u, LLVMValueRef function)
{
    OWNED instruction_list hooks = unit_list(function, is_hook);
    for (size_t k = 0; k < hooks.len; k++)
        compute_before(u, hooks.data[k]);
}
