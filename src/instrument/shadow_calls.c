/* SPDX-License-Identifier: Apache-2.0 */
/* What functions pass and return and may leave undefined: structures in registers, and what functions of C return. The runtime has a
 * place for the shadows of one call, with the function that they are for, so that what other compilers have made leaves no trace. */
#include "instrument/shadows.h"

enum { PLACE_BYTES = 128, DEPTH_MAX = 64 };

static LLVMValueRef find_place(struct unit *u, const char *name)
{
    LLVMTypeRef parts[] = {u->pointer, LLVMArrayType(u->byte, PLACE_BYTES)};
    LLVMTypeRef type = LLVMStructTypeInContext(u->context, parts, 2, false);
    LLVMValueRef found = LLVMGetNamedGlobal(u->module, name);
    return found ? found : LLVMAddGlobal(u->module, type, name);
}

static LLVMValueRef function_slot(struct unit *u, LLVMValueRef place)
{
    return LLVMBuildBitCast(u->builder, place, LLVMPointerType(u->pointer, 0), "");
}

static LLVMValueRef shadow_slot(struct unit *u, LLVMValueRef place, uint64_t offset, LLVMTypeRef type)
{
    LLVMValueRef by = unit_constant(u->word, 8 + offset);
    LLVMValueRef at = LLVMBuildGEP2(u->builder, u->byte, unit_address(u, place), &by, 1, "");
    return LLVMBuildBitCast(u->builder, at, LLVMPointerType(type, 0), "");
}

/* The place is free again then. */
static LLVMValueRef take_place(struct unit *u, LLVMValueRef place, LLVMValueRef function)
{
    LLVMValueRef slot = function_slot(u, place);
    LLVMValueRef meant = LLVMBuildLoad2(u->builder, u->pointer, slot, "");
    LLVMBuildStore(u->builder, LLVMConstNull(u->pointer), slot);
    return LLVMBuildICmp(u->builder, LLVMIntEQ, meant, unit_address(u, function), "");
}

static LLVMValueRef load_shadow(struct unit *u, LLVMValueRef place, uint64_t offset, LLVMTypeRef type,
                                LLVMValueRef meant)
{
    LLVMValueRef found = LLVMBuildLoad2(u->builder, type, shadow_slot(u, place, offset, type), "");
    LLVMSetAlignment(found, 1);
    return LLVMBuildSelect(u->builder, meant, found, LLVMConstNull(type), "");
}

static bool has_attribute(LLVMValueRef function, LLVMAttributeIndex index, const char *name)
{
    return LLVMGetEnumAttributeAtIndex(function, index, LLVMGetEnumAttributeKindForName(name, strlen(name)));
}

/* --------------------------------------------------------- what may be undefined */

/* The runtime's functions, and some that programs call everywhere: what they return is defined. */
static bool is_of_library(LLVMValueRef callee)
{
    static const char *const starts[] = {"__tsan_", "__plumb_", "plumb_", "pthread_", NULL};
    static const char *const names[] = {"malloc", "calloc", "realloc", "aligned_alloc", "strdup", "strlen",
                                        "strcmp", "memcmp", "memcpy",  "memset",        "printf", NULL};
    size_t length;
    const char *name = LLVMGetValueName2(callee, &length);
    for (const char *const *start = starts; *start; start++)
        if (text_starts_with(name, *start))
            return LLVMIsDeclaration(callee);
    return LLVMIsDeclaration(callee) && text_is_one_of(name, names);
}

static bool returns_undefined(LLVMValueRef function, struct value_map *seen);

static bool call_is_undefined(LLVMValueRef call, struct value_map *seen)
{
    LLVMValueRef callee = unit_callee(call);
    unsigned noundef = LLVMGetEnumAttributeKindForName("noundef", strlen("noundef"));
    if (LLVMGetCallSiteEnumAttribute(call, LLVMAttributeReturnIndex, noundef) ||
        LLVMIsAInlineAsm(LLVMGetCalledValue(call)) ||
        (callee && (LLVMGetIntrinsicID(callee) || is_of_library(callee))))
        return false;
    return !callee || LLVMIsDeclaration(callee) || returns_undefined(callee, seen);
}

static bool is_defined_leaf(LLVMValueRef value)
{
    if (LLVMIsALoadInst(value))
        return LLVMGetOrdering(value) != LLVMAtomicOrderingNotAtomic ||
               LLVMIsAGlobalVariable(escape_base(LLVMGetOperand(value, 0)));
    return LLVMIsAAtomicRMWInst(value) || LLVMIsAAtomicCmpXchgInst(value) || LLVMIsAAllocaInst(value);
}

/* A parameter that the caller checks. */
static bool is_checked(LLVMValueRef parameter)
{
    LLVMValueRef function = LLVMGetParamParent(parameter);
    unsigned k = 0;
    while (LLVMGetParam(function, k) != parameter)
        k++;
    return LLVMGetTypeKind(LLVMTypeOf(parameter)) == LLVMPointerTypeKind ||
           has_attribute(function, k + 1, "noundef");
}

/* May the value come from what was not initialised? By operands, within a function. */
static bool value_is_undefined(LLVMValueRef first, struct value_map *seen)
{
    struct value_map open = {0};
    bool found = false;
    value_set_add(&open, first);
    for (size_t k = 0; k < open.keys.len && !found; k++) {
        LLVMValueRef value = open.keys.data[k];
        if (LLVMIsAArgument(value))
            found = !is_checked(value);
        else if (!LLVMIsAInstruction(value) || is_defined_leaf(value))
            found = LLVMIsUndef(value);
        else if (shadow_is_mark(value) || LLVMIsALoadInst(value))
            found = true;
        else if (unit_is_call(value))
            found = call_is_undefined(value, seen);
        else
            for (int n = 0; n < LLVMGetNumOperands(value); n++)
                if (!LLVMValueIsBasicBlock(LLVMGetOperand(value, (unsigned)n)))
                    value_set_add(&open, LLVMGetOperand(value, (unsigned)n));
    }
    value_map_free(&open);
    return found;
}

static bool is_return(LLVMValueRef i)
{
    return LLVMGetInstructionOpcode(i) == LLVMRet && LLVMGetNumOperands(i) > 0;
}

/* Functions that call each other in a circle add nothing that one of them does not return. */
static bool returns_undefined(LLVMValueRef function, struct value_map *seen)
{
    if (has_attribute(function, LLVMAttributeReturnIndex, "noundef") || !value_set_add(seen, function))
        return false;
    OWNED instruction_list leaves = unit_list(function, is_return);
    bool found = seen->keys.len > DEPTH_MAX;
    for (size_t k = 0; k < leaves.len && !found; k++)
        found = value_is_undefined(LLVMGetOperand(leaves.data[k], 0), seen);
    return found;
}

bool shadow_may_be_undefined(LLVMValueRef value)
{
    struct value_map seen = {0};
    bool found = value_is_undefined(value, &seen);
    value_map_free(&seen);
    return found;
}

/* ------------------------------------------------------------------ parameters */

static LLVMValueRef first_behind_allocas(LLVMValueRef function)
{
    LLVMValueRef i = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function));
    while (LLVMGetInstructionOpcode(i) == LLVMAlloca)
        i = LLVMGetNextInstruction(i);
    return i;
}

/* Room for the shadow of a parameter: its offset, or -1 if there is none. */
static int64_t next_offset(struct unit *u, LLVMTypeRef type, uint64_t *used)
{
    uint64_t offset = *used;
    if (!type || offset + unit_room(u, type) > PLACE_BYTES)
        return -1;
    *used = offset + unit_room(u, type);
    return (int64_t)offset;
}

static void open_parameters(struct shadows *s, LLVMValueRef function)
{
    struct unit *u = s->unit;
    LLVMValueRef place = NULL, meant = NULL;
    uint64_t used = 0;
    for (unsigned k = 0; k < LLVMCountParams(function); k++) {
        LLVMValueRef parameter = LLVMGetParam(function, k);
        bool pointer = LLVMGetTypeKind(LLVMTypeOf(parameter)) == LLVMPointerTypeKind;
        LLVMTypeRef type = pointer || has_attribute(function, k + 1, "noundef")
                               ? NULL
                               : shadow_type(u, LLVMTypeOf(parameter));
        int64_t offset = next_offset(u, type, &used);
        if (offset < 0)
            continue;
        if (!place) {
            LLVMPositionBuilderBefore(u->builder, first_behind_allocas(function));
            LLVMSetCurrentDebugLocation2(u->builder, NULL);
            place = find_place(u, "__plumb_undefined_arguments");
            meant = take_place(u, place, function);
        }
        value_map_add(&s->shadows, parameter, load_shadow(u, place, (uint64_t)offset, type, meant));
    }
}

/* In a register, and not checked by the caller. */
static LLVMTypeRef argument_type(const struct shadows *s, LLVMValueRef call, unsigned k)
{
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(call, k));
    bool passed = LLVMGetTypeKind(type) != LLVMPointerTypeKind && !shadow_must_be_defined(call, k);
    return passed ? shadow_type(s->unit, type) : NULL;
}

static bool passes_shadow(const struct shadows *s, LLVMValueRef call)
{
    for (unsigned k = 0; k < LLVMGetNumArgOperands(call); k++)
        if (shadow_find(s, LLVMGetOperand(call, k)) && argument_type(s, call, k))
            return true;
    return false;
}

static void pass_arguments(const struct shadows *s, LLVMValueRef call)
{
    struct unit *u = s->unit;
    if (!passes_shadow(s, call))
        return;
    unit_before(u, call);
    LLVMValueRef any = LLVMConstNull(LLVMInt1TypeInContext(u->context));
    LLVMValueRef place = find_place(u, "__plumb_undefined_arguments");
    uint64_t used = 0;
    for (unsigned k = 0; k < LLVMGetNumArgOperands(call); k++) {
        LLVMTypeRef type = argument_type(s, call, k);
        int64_t offset = next_offset(u, type, &used);
        if (offset < 0)
            continue;
        LLVMValueRef shadow = shadow_of(s, LLVMGetOperand(call, k));
        LLVMSetAlignment(LLVMBuildStore(u->builder, shadow, shadow_slot(u, place, (uint64_t)offset, type)),
                         1);
        any = LLVMBuildOr(u->builder, any, shadow_is_any(u, shadow), "");
    }
    LLVMValueRef callee = unit_address(u, LLVMGetCalledValue(call));
    callee = LLVMBuildSelect(u->builder, any, callee, LLVMConstNull(u->pointer), "");
    LLVMBuildStore(u->builder, callee, function_slot(u, place));
}

/* --------------------------------------------------------------------- results */

static bool is_asked(LLVMValueRef call)
{
    if (LLVMGetInstructionOpcode(call) != LLVMCall || !LLVMGetFirstUse(call) || shadow_is_mark(call))
        return false;
    struct value_map seen = {0};
    bool asked = call_is_undefined(call, &seen);
    value_map_free(&seen);
    return asked;
}

static void open_result(struct shadows *s, LLVMValueRef call)
{
    struct unit *u = s->unit;
    LLVMTypeRef type = shadow_type(u, LLVMTypeOf(call));
    if (!type || unit_room(u, type) > PLACE_BYTES || !is_asked(call))
        return;
    unit_after(u, call);
    LLVMValueRef place = find_place(u, "__plumb_undefined_result");
    LLVMValueRef meant = take_place(u, place, LLVMGetCalledValue(call));
    value_map_add(&s->shadows, call, load_shadow(u, place, 0, type, meant));
}

void shadow_calls_open(struct shadows *s, LLVMValueRef function)
{
    open_parameters(s, function);
    OWNED instruction_list calls = unit_list(function, unit_is_call);
    for (size_t k = 0; k < calls.len; k++)
        open_result(s, calls.data[k]);
}

static void pass_result(const struct shadows *s, LLVMValueRef leave)
{
    struct unit *u = s->unit;
    LLVMValueRef value = LLVMGetOperand(leave, 0), shadow = shadow_find(s, value);
    LLVMTypeRef type = shadow_type(u, LLVMTypeOf(value));
    LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(leave));
    LLVMValueRef before = LLVMGetPreviousInstruction(leave);
    if (!type || unit_room(u, type) > PLACE_BYTES ||
        (before && unit_is_call(before) && LLVMIsTailCall(before)))
        return;
    unit_before(u, leave);
    LLVMValueRef place = find_place(u, "__plumb_undefined_result"), meant = LLVMConstNull(u->pointer);
    if (shadow) {
        LLVMSetAlignment(LLVMBuildStore(u->builder, shadow, shadow_slot(u, place, 0, type)), 1);
        meant = LLVMBuildSelect(u->builder, shadow_is_any(u, shadow), unit_address(u, function), meant, "");
    }
    LLVMBuildStore(u->builder, meant, function_slot(u, place));
}

void shadow_calls_update(struct shadows *s, LLVMValueRef function)
{
    OWNED instruction_list calls = unit_list(function, unit_is_call), leaves = {0};
    for (size_t k = 0; k < calls.len; k++)
        if (!unit_calls_intrinsic(calls.data[k], "llvm.") && !shadow_is_mark(calls.data[k]) &&
            !LLVMIsAInlineAsm(LLVMGetCalledValue(calls.data[k])))
            pass_arguments(s, calls.data[k]);
    struct value_map seen = {0};
    if (returns_undefined(function, &seen))
        leaves = unit_list(function, is_return);
    value_map_free(&seen);
    for (size_t k = 0; k < leaves.len; k++)
        pass_result(s, leaves.data[k]);
}
