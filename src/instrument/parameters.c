/* SPDX-License-Identifier: Apache-2.0 */
/* Structures that a function takes by value lie among the arguments, which have no room between them. The function works on a
 * copy, a variable like others: of its own size, with red zones if its address is known elsewhere. */
#include "instrument/passes.h"

static LLVMTypeRef parameter_type(struct unit *u, LLVMValueRef function, unsigned number)
{
    LLVMAttributeRef byval = LLVMGetEnumAttributeAtIndex(function, number + 1, u->byval);
    return byval ? LLVMGetTypeAttributeValue(byval) : NULL;
}

static unsigned alignment_of(struct unit *u, LLVMValueRef function, unsigned number, LLVMTypeRef type)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("align", 5);
    LLVMAttributeRef given = LLVMGetEnumAttributeAtIndex(function, number + 1, kind);
    return given ? (unsigned)LLVMGetEnumAttributeValue(given) : LLVMABIAlignmentOfType(u->layout, type);
}

/* Such a call may hand on the memory of the arguments themselves. */
static bool may_hand_on(LLVMValueRef i)
{
    return LLVMGetInstructionOpcode(i) == LLVMCall && LLVMIsTailCall(i);
}

static void copy_parameter(struct unit *u, LLVMValueRef parameter, LLVMTypeRef type, unsigned alignment)
{
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(LLVMGetParamParent(parameter));
    LLVMPositionBuilderBefore(u->builder, LLVMGetFirstInstruction(entry));
    LLVMSetCurrentDebugLocation2(u->builder, NULL);
    size_t length;
    LLVMValueRef copy = LLVMBuildAlloca(u->builder, type, LLVMGetValueName2(parameter, &length));
    LLVMSetAlignment(copy, alignment);
    LLVMReplaceAllUsesWith(parameter, copy);
    LLVMValueRef behind = LLVMGetNextInstruction(copy);
    while (LLVMGetInstructionOpcode(behind) == LLVMAlloca)
        behind = LLVMGetNextInstruction(behind);
    LLVMPositionBuilderBefore(u->builder, behind);
    LLVMBuildMemCpy(u->builder, copy, alignment, parameter, alignment,
                    unit_constant(u->word, unit_room(u, type)));
}

void parameters_copy(struct unit *u, LLVMValueRef function)
{
    OWNED instruction_list calls = unit_list(function, may_hand_on);
    for (unsigned k = 0, count = LLVMCountParams(function); k < count && !calls.len; k++) {
        LLVMTypeRef type = parameter_type(u, function, k);
        if (type && unit_room(u, type))
            copy_parameter(u, LLVMGetParam(function, k), type, alignment_of(u, function, k, type));
    }
}
