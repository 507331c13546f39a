/* SPDX-License-Identifier: Apache-2.0 */
#include "instrument/unit.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

void unit_open(struct unit *u, LLVMModuleRef module)
{
    *u = (struct unit){.context = LLVMGetModuleContext(module), .module = module};
    u->builder = LLVMCreateBuilderInContext(u->context);
    u->layout = LLVMGetModuleDataLayout(module);
    u->none = LLVMVoidTypeInContext(u->context);
    u->byte = LLVMInt8TypeInContext(u->context);
    u->word = LLVMInt64TypeInContext(u->context);
    u->pointer = LLVMPointerType(u->byte, 0);
    u->byval = LLVMGetEnumAttributeKindForName("byval", 5);
}

void unit_close(struct unit *u)
{
    LLVMDisposeBuilder(u->builder);
    text_free(&u->gaps);
}

/* ------------------------------------------------------------- instructions */

instruction_list unit_list(LLVMValueRef function, instruction_test *wanted)
{
    instruction_list list = {0};
    LLVMBasicBlockRef block;
    LLVMValueRef i;
    for (block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block))
        for (i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
            if (wanted(i))
                vec_push(&list, i);
    return list;
}

bool unit_is_call(LLVMValueRef instruction)
{
    LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
    return opcode == LLVMCall || opcode == LLVMInvoke;
}

LLVMValueRef unit_callee(LLVMValueRef call)
{
    return LLVMIsAFunction(LLVMGetCalledValue(call));
}

bool unit_calls_intrinsic(LLVMValueRef instruction, const char *prefix)
{
    LLVMValueRef callee = unit_is_call(instruction) ? unit_callee(instruction) : NULL;
    size_t length;
    return callee && LLVMGetIntrinsicID(callee) &&
           text_starts_with(LLVMGetValueName2(callee, &length), prefix);
}

LLVMValueRef unit_intrinsic(struct unit *u, const char *name)
{
    unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
    return LLVMGetIntrinsicDeclaration(u->module, id, &u->pointer, LLVMIntrinsicIsOverloaded(id) ? 1 : 0);
}

uint64_t unit_size(struct unit *u, LLVMTypeRef type)
{
    return LLVMStoreSizeOfType(u->layout, type);
}

uint64_t unit_room(struct unit *u, LLVMTypeRef type)
{
    return LLVMABISizeOfType(u->layout, type);
}

/* -------------------------------------------------------------- new code */

void unit_before(struct unit *u, LLVMValueRef instruction)
{
    LLVMPositionBuilderBefore(u->builder, instruction);
    LLVMSetCurrentDebugLocation2(u->builder, LLVMInstructionGetDebugLoc(instruction));
}

void unit_after(struct unit *u, LLVMValueRef instruction)
{
    LLVMPositionBuilderBefore(u->builder, LLVMGetNextInstruction(instruction));
    LLVMSetCurrentDebugLocation2(u->builder, LLVMInstructionGetDebugLoc(instruction));
}

LLVMValueRef unit_constant(LLVMTypeRef type, uint64_t value)
{
    return LLVMConstInt(type, value, false);
}

LLVMValueRef unit_address(struct unit *u, LLVMValueRef pointer)
{
    return LLVMBuildBitCast(u->builder, pointer, u->pointer, "");
}

/* A program may declare the function with another type, or define it. */
static LLVMValueRef find_function(struct unit *u, const char *name, LLVMTypeRef type)
{
    LLVMValueRef function = LLVMGetNamedFunction(u->module, name);
    if (function)
        return LLVMConstBitCast(function, LLVMPointerType(type, 0));
    function = LLVMAddFunction(u->module, name, type);
    unsigned nounwind = LLVMGetEnumAttributeKindForName("nounwind", 8);
    LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex,
                            LLVMCreateEnumAttribute(u->context, nounwind, 0));
    return function;
}

LLVMValueRef unit_call(struct unit *u, const char *name, LLVMTypeRef result, LLVMValueRef *arguments,
                       unsigned count)
{
    LLVMTypeRef types[8];
    for (unsigned k = 0; k < count; k++)
        types[k] = LLVMTypeOf(arguments[k]);
    LLVMTypeRef type = LLVMFunctionType(result, types, count, false);
    LLVMValueRef call = LLVMBuildCall2(u->builder, type, find_function(u, name, type), arguments, count, "");
    /* the same call in two branches has two places in the source */
    unsigned nomerge = LLVMGetEnumAttributeKindForName("nomerge", 7);
    LLVMAddCallSiteAttribute(call, LLVMAttributeFunctionIndex,
                             LLVMCreateEnumAttribute(u->context, nomerge, 0));
    return call;
}

/* --------------------------------------------------------------------- gaps */

/* Is this a header of the system, whose user's line is wanted? */
static bool is_system_header(const char *file)
{
    return text_starts_with(file, "/usr/") || strstr(file, "/include/c++/") ||
           strstr(file, "/include/plumb/") || strstr(file, "/lib/clang/");
}

static void add_file_name(struct text *t, LLVMMetadataRef location)
{
    unsigned length;
    LLVMMetadataRef scope = LLVMDILocationGetScope(location);
    const char *file = LLVMDIFileGetFilename(LLVMDIScopeGetFile(scope), &length);
    text_add(t, file, length);
}

void unit_note_gap(struct unit *u, const char *kind, LLVMValueRef instruction)
{
    OWNED struct text file = {0};
    unsigned line = 0;
    LLVMMetadataRef at = LLVMInstructionGetDebugLoc(instruction);
    for (; at; at = LLVMDILocationGetInlinedAt(at)) {
        text_clear(&file);
        add_file_name(&file, at);
        line = LLVMDILocationGetLine(at);
        if (!is_system_header(file.data))
            break;
    }
    size_t length;
    if (!file.len)
        text_puts(&file, LLVMGetSourceFileName(u->module, &length));
    text_printf(&u->gaps, "plumb-unannounced %s %s:%u\n", kind, file.data, line);
}
