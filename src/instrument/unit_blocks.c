/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks of code that are cut in two. */
#include "instrument/unit.h"

/* What comes before moves to a new block, so that the phis of the blocks that follow name the right one as before. Branches, and
 * addresses of labels, lead to the new one. */
LLVMBasicBlockRef unit_cut_behind(struct unit *u, LLVMValueRef instruction)
{
    LLVMBasicBlockRef block = LLVMGetInstructionParent(instruction);
    LLVMBasicBlockRef before = LLVMInsertBasicBlockInContext(u->context, block, "");
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    LLVMInstructionRemoveFromParent(end); /* or the phis behind it would be changed, too */
    LLVMReplaceAllUsesWith(LLVMBasicBlockAsValue(block), LLVMBasicBlockAsValue(before));
    LLVMPositionBuilderAtEnd(u->builder, block);
    LLVMSetCurrentDebugLocation2(u->builder, NULL);
    LLVMInsertIntoBuilder(u->builder, end);
    LLVMPositionBuilderAtEnd(u->builder, before);
    LLVMSetCurrentDebugLocation2(u->builder, NULL); /* each keeps its own */
    for (LLVMValueRef moved = NULL; moved != instruction;) {
        moved = LLVMGetFirstInstruction(block);
        size_t length;
        LLVMInstructionRemoveFromParent(moved);
        LLVMInsertIntoBuilderWithName(u->builder, moved,
                                      LLVMGetValueName2(moved, &length)); /* keeps its name */
    }
    return block;
}
