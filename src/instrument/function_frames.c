/* SPDX-License-Identifier: Apache-2.0 */
/* Entries and exits of functions. A call that may throw becomes an invoke whose landing pad announces the exit and
 * goes on: an exception leaves frames that have nothing to clean up, too. */
#include "instrument/passes.h"

#include <llvm-c/DebugInfo.h>

static bool has_attribute(LLVMValueRef call, const char *name)
{
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    LLVMValueRef callee = unit_callee(call);
    return LLVMGetCallSiteEnumAttribute(call, LLVMAttributeFunctionIndex, kind) ||
           (callee && LLVMGetEnumAttributeAtIndex(callee, LLVMAttributeFunctionIndex, kind));
}

static bool is_entered(LLVMValueRef i)
{
    return unit_is_call(i) && !unit_calls_intrinsic(i, "llvm.");
}

static bool may_throw(LLVMValueRef i)
{
    return LLVMGetInstructionOpcode(i) == LLVMCall && is_entered(i) &&
           !LLVMIsAInlineAsm(LLVMGetCalledValue(i)) && !has_attribute(i, "nounwind");
}

static bool leaves(LLVMValueRef i)
{
    LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
    return opcode == LLVMRet || opcode == LLVMResume;
}

/* Between a call that has to be the last one and the return there is only a cast of its result. */
static bool must_be_last(LLVMValueRef call)
{
    LLVMValueRef next = LLVMGetNextInstruction(call);
    if (next && LLVMGetInstructionOpcode(next) == LLVMBitCast)
        next = LLVMGetNextInstruction(next);
    if (!next || LLVMGetInstructionOpcode(next) != LLVMRet || !LLVMIsTailCall(call))
        return false;
    char *text = LLVMPrintValueToString(call); /* musttail: the C API of LLVM 14 knows `tail` only */
    bool found = strstr(text, "musttail call") != NULL;
    LLVMDisposeMessage(text);
    return found;
}

static LLVMValueRef last_call(LLVMValueRef leave)
{
    LLVMValueRef before = LLVMGetPreviousInstruction(leave);
    if (before && LLVMGetInstructionOpcode(before) == LLVMBitCast)
        before = LLVMGetPreviousInstruction(before);
    return before && LLVMGetInstructionOpcode(before) == LLVMCall && must_be_last(before) ? before : leave;
}

/* ------------------------------------------------------------------- invokes */

static void copy_attributes(LLVMValueRef from, LLVMValueRef to)
{
    unsigned count = LLVMGetNumArgOperands(from);
    LLVMSetInstructionCallConv(to, LLVMGetInstructionCallConv(from));
    for (unsigned k = 0; k <= count + 1; k++) {
        LLVMAttributeIndex index = k <= count ? k : (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
        unsigned found = LLVMGetCallSiteAttributeCount(from, index);
        LLVMAttributeRef *attributes = NEW_ARRAY(LLVMAttributeRef, found + 1);
        LLVMGetCallSiteAttributes(from, index, attributes);
        for (unsigned n = 0; n < found; n++)
            LLVMAddCallSiteAttribute(to, index, attributes[n]);
        free(attributes);
    }
}

static void make_invoke(struct unit *u, LLVMValueRef call, LLVMBasicBlockRef pad)
{
    unsigned count = LLVMGetNumArgOperands(call);
    OWNED LLVMValueRef *arguments = NEW_ARRAY(LLVMValueRef, count + 1);
    for (unsigned k = 0; k < count; k++)
        arguments[k] = LLVMGetOperand(call, k);
    LLVMBasicBlockRef behind = unit_cut_behind(u, call);
    unit_before(u, call);
    LLVMValueRef invoke = LLVMBuildInvoke2(u->builder, LLVMGetCalledFunctionType(call),
                                           LLVMGetCalledValue(call), arguments, count, behind, pad, "");
    copy_attributes(call, invoke);
    LLVMReplaceAllUsesWith(call, invoke);
    LLVMInstructionEraseFromParent(call);
}

static LLVMValueRef find_personality(struct unit *u)
{
    const char *name = "__gcc_personality_v0";
    LLVMValueRef found = LLVMGetNamedFunction(u->module, name);
    LLVMTypeRef type = LLVMFunctionType(LLVMInt32TypeInContext(u->context), NULL, 0, true);
    return found ? found : LLVMAddFunction(u->module, name, type);
}

static LLVMBasicBlockRef make_pad(struct unit *u, LLVMValueRef function)
{
    if (!LLVMHasPersonalityFn(function))
        LLVMSetPersonalityFn(function, find_personality(u));
    LLVMBasicBlockRef pad = LLVMAppendBasicBlockInContext(u->context, function, "");
    LLVMTypeRef parts[] = {u->pointer, LLVMInt32TypeInContext(u->context)};
    LLVMTypeRef type = LLVMStructTypeInContext(u->context, parts, 2, false);
    LLVMPositionBuilderAtEnd(u->builder, pad);
    LLVMSetCurrentDebugLocation2(u->builder, NULL);
    LLVMValueRef caught = LLVMBuildLandingPad(u->builder, type, NULL, 0, "");
    LLVMSetCleanup(caught, true);
    LLVMBuildResume(u->builder, caught);
    return pad;
}

static void catch_exceptions(struct unit *u, LLVMValueRef function)
{
    OWNED instruction_list calls = unit_list(function, may_throw);
    LLVMBasicBlockRef pad = NULL;
    for (size_t k = 0; k < calls.len; k++) {
        if (must_be_last(calls.data[k]))
            continue;
        if (!pad)
            pad = make_pad(u, function);
        make_invoke(u, calls.data[k], pad);
    }
}

/* -------------------------------------------------------------------- frames */

/* Debug information wants a place for each call of a function that could be inlined, in a function that has places. */
static void no_place(struct unit *u, LLVMValueRef function)
{
    LLVMMetadataRef program = LLVMGetSubprogram(function), place = NULL;
    if (program)
        place =
            LLVMDIBuilderCreateDebugLocation(u->context, LLVMDISubprogramGetLine(program), 0, program, NULL);
    LLVMSetCurrentDebugLocation2(u->builder, place);
}

static LLVMValueRef entry_of(LLVMValueRef function)
{
    LLVMValueRef i = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function));
    while (LLVMGetInstructionOpcode(i) == LLVMAlloca)
        i = LLVMGetNextInstruction(i);
    return i;
}

static void announce_entry(struct unit *u, LLVMValueRef function)
{
    LLVMPositionBuilderBefore(u->builder, entry_of(function));
    no_place(u, function);
    LLVMTypeRef number = LLVMInt32TypeInContext(u->context);
    LLVMValueRef caller = unit_intrinsic(u, "llvm.returnaddress"), level = unit_constant(number, 0);
    caller = LLVMBuildCall2(u->builder, LLVMGlobalGetValueType(caller), caller, &level, 1, "");
    unit_call(u, "__tsan_func_entry", u->none, &caller, 1);
}

void frames_announce(struct unit *u, LLVMValueRef function)
{
    catch_exceptions(u, function);
    announce_entry(u, function);
    OWNED instruction_list ends = unit_list(function, leaves);
    LLVMValueRef bottom = stack_blocks_bottom(u, function);
    for (size_t k = 0; k < ends.len; k++) {
        LLVMPositionBuilderBefore(u->builder, last_call(ends.data[k]));
        LLVMSetCurrentDebugLocation2(u->builder, LLVMInstructionGetDebugLoc(ends.data[k]));
        if (!LLVMInstructionGetDebugLoc(ends.data[k]))
            no_place(u, function);
        if (bottom) /* the function may be inlined: its exit says nothing of the stack then */
            stack_blocks_drop(u, bottom);
        unit_call(u, "__tsan_func_exit", u->none, NULL, 0);
    }
}
