/* SPDX-License-Identifier: Apache-2.0 */
#include "instrument/escape.h"
#include "instrument/value_map.h"

/* Intrinsics that access what they are given, and keep no address. */
static bool keeps_no_address(LLVMValueRef call)
{
    static const char *const prefixes[] = {
        "llvm.lifetime.", "llvm.dbg.",  "llvm.mem",        "llvm.va_",        "llvm.masked.",
        "llvm.x86.",      "llvm.stack", "llvm.objectsize", "llvm.invariant.", "llvm.var.annotation"};
    for (size_t k = 0; k < sizeof prefixes / sizeof *prefixes; k++)
        if (unit_calls_intrinsic(call, prefixes[k]))
            return true;
    return false;
}

/* Only as arguments that are copied, or that the function promises to forget? */
static bool forgets_argument(LLVMValueRef call, LLVMValueRef pointer)
{
    static const char *const names[] = {"byval", "nocapture"};
    if (LLVMGetCalledValue(call) == pointer)
        return false;
    for (unsigned k = 0, count = LLVMGetNumArgOperands(call); k < count; k++) {
        bool forgets = LLVMGetOperand(call, k) != pointer;
        for (size_t n = 0; n < 2 && !forgets; n++)
            forgets = LLVMGetCallSiteEnumAttribute(
                call, k + 1, LLVMGetEnumAttributeKindForName(names[n], strlen(names[n])));
        if (!forgets)
            return false;
    }
    return true;
}

enum use { USE_KEEPS, USE_FOLLOW, USE_ESCAPES };

static enum use judge_use(LLVMValueRef user, LLVMValueRef pointer)
{
    switch (LLVMGetInstructionOpcode(user)) {
    case LLVMLoad: return LLVMGetVolatile(user) ? USE_ESCAPES : USE_KEEPS;
    case LLVMStore:
        return LLVMGetVolatile(user) || LLVMGetOperand(user, 0) == pointer ? USE_ESCAPES : USE_KEEPS;
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
        for (int k = 1; k < LLVMGetNumOperands(user); k++)
            if (LLVMGetOperand(user, (unsigned)k) == pointer)
                return USE_ESCAPES;
        return LLVMGetVolatile(user) ? USE_ESCAPES : USE_KEEPS;
    case LLVMICmp: return USE_KEEPS;
    case LLVMGetElementPtr:
    case LLVMBitCast:
    case LLVMAddrSpaceCast:
    case LLVMPHI:
    case LLVMSelect: return USE_FOLLOW;
    case LLVMCall:
    case LLVMInvoke:
        return keeps_no_address(user) || forgets_argument(user, pointer) ? USE_KEEPS : USE_ESCAPES;
    default: return USE_ESCAPES;
    }
}

/* `MOST_DERIVED`: who computes more addresses from one variable gets announcements, which is always right. */
enum { MOST_DERIVED = 2000 };

static bool keeps_derived(LLVMValueRef variable, struct value_map *derived)
{
    value_set_add(derived, variable);
    for (size_t k = 0; k < derived->keys.len; k++) {
        LLVMUseRef use = LLVMGetFirstUse(derived->keys.data[k]);
        for (; use; use = LLVMGetNextUse(use)) {
            LLVMValueRef user = LLVMGetUser(use);
            if (!LLVMIsAInstruction(user))
                return false;
            enum use kind = judge_use(user, derived->keys.data[k]);
            if (kind == USE_ESCAPES || derived->keys.len > MOST_DERIVED)
                return false;
            if (kind == USE_FOLLOW)
                value_set_add(derived, user);
        }
    }
    return true;
}

static bool keeps_address(LLVMValueRef variable)
{
    struct value_map derived = {0};
    bool keeps = keeps_derived(variable, &derived);
    value_map_free(&derived);
    return keeps;
}

static bool is_variable(LLVMValueRef instruction)
{
    return LLVMGetInstructionOpcode(instruction) == LLVMAlloca;
}

/* A call that is given the address keeps the variable where it is, and escapes. */
static const char note_name[] = "plumb.escaped";

void escape_note(struct unit *u, LLVMValueRef function)
{
    OWNED instruction_list variables = unit_list(function, is_variable), escaped = {0};
    for (size_t k = 0; k < variables.len; k++)
        if (!keeps_address(variables.data[k]))
            vec_push(&escaped, variables.data[k]);
    for (size_t k = 0; k < escaped.len; k++) {
        unit_after(u, escaped.data[k]);
        LLVMValueRef address = unit_address(u, escaped.data[k]);
        unit_call(u, note_name, u->none, &address, 1);
    }
}

static bool is_note(LLVMValueRef instruction)
{
    LLVMValueRef callee = unit_is_call(instruction) ? unit_callee(instruction) : NULL;
    size_t length;
    return callee && strcmp(LLVMGetValueName2(callee, &length), note_name) == 0;
}

static void remove_notes(LLVMValueRef function)
{
    OWNED instruction_list notes = unit_list(function, is_note);
    for (size_t k = 0; k < notes.len; k++) {
        LLVMValueRef address = LLVMGetOperand(notes.data[k], 0);
        LLVMInstructionEraseFromParent(notes.data[k]);
        if (LLVMIsABitCastInst(address) && !LLVMGetFirstUse(address))
            LLVMInstructionEraseFromParent(address);
    }
}

void escape_find(struct escape *e, LLVMValueRef function)
{
    OWNED instruction_list variables = unit_list(function, is_variable);
    *e = (struct escape){0};
    for (size_t k = 0; k < variables.len; k++)
        if (keeps_address(variables.data[k]))
            escape_keep(e, variables.data[k]);
    remove_notes(function);
}

void escape_keep(struct escape *e, LLVMValueRef variable)
{
    *hash_map_at(&e->kept, (uint64_t)variable) = 1;
}

void escape_drop(struct escape *e, LLVMValueRef variable)
{
    hash_map_remove(&e->kept, (uint64_t)variable);
}

void escape_free(struct escape *e)
{
    hash_map_free(&e->kept);
}

static bool derives(LLVMValueRef pointer)
{
    LLVMOpcode opcode = 0;
    if (LLVMIsAInstruction(pointer))
        opcode = LLVMGetInstructionOpcode(pointer);
    else if (LLVMIsAConstantExpr(pointer))
        opcode = LLVMGetConstOpcode(pointer);
    return opcode == LLVMGetElementPtr || opcode == LLVMBitCast || opcode == LLVMAddrSpaceCast;
}

LLVMValueRef escape_base(LLVMValueRef pointer)
{
    while (derives(pointer))
        pointer = LLVMGetOperand(pointer, 0);
    return pointer;
}

/* The runtime's, which only the instrumentation uses. */
static bool is_own(LLVMValueRef global)
{
    size_t length;
    return LLVMIsDeclaration(global) &&
           text_starts_with(LLVMGetValueName2(global, &length), "__plumb_undefined_");
}

bool escape_is_shared(const struct escape *e, LLVMValueRef pointer, bool is_write)
{
    LLVMValueRef base = escape_base(pointer);
    if (LLVMIsAGlobalVariable(base))
        return (is_write || !LLVMIsGlobalConstant(base)) && !is_own(base);
    return !e->kept.count || hash_map_get(&e->kept, (uint64_t)base) == HASH_NO_NUMBER;
}
