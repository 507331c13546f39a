/* SPDX-License-Identifier: Apache-2.0 */
/* Branches, switches, divisors, addresses, arguments and results that must not depend on undefined bits. */
#include "instrument/known_objects.h"
#include "instrument/shadows.h"

#include <llvm-c/DebugInfo.h>

/* ---------------------------------------------------------------------- names */

enum { SOURCES_MAX = 64 }; /* of a value whose name is looked for */

/* The variable, or the name of one, that a value comes from which is computed from no other. NULL: the runtime knows. */
static bool is_direct_source(const struct shadows *s, LLVMValueRef value, LLVMValueRef *source)
{
    bool mark = shadow_is_mark(value), load = LLVMGetInstructionOpcode(value) == LLVMLoad;
    LLVMValueRef object =
        load && shadow_memory_has(s, LLVMGetOperand(value, 0)) ? object_of(LLVMGetOperand(value, 0)) : NULL;
    *source = mark ? LLVMGetOperand(value, 1) : object;
    return mark || load || LLVMIsAArgument(value) || unit_is_call(value);
}

static void add_operands(const struct shadows *s, struct value_map *seen, LLVMValueRef value)
{
    for (int n = 0; n < LLVMGetNumOperands(value); n++)
        if (shadow_find(s, LLVMGetOperand(value, (unsigned)n)))
            value_set_add(seen, LLVMGetOperand(value, (unsigned)n));
}

/* The one variable, or its name, that the value may come from. NULL: there are several. */
static LLVMValueRef find_source(const struct shadows *s, struct value_map *seen, LLVMValueRef value)
{
    LLVMValueRef source = NULL;
    value_set_add(seen, value);
    for (size_t k = 0; k < seen->keys.len; k++) {
        LLVMValueRef found;
        if (seen->keys.len > SOURCES_MAX)
            return NULL;
        if (!is_direct_source(s, seen->keys.data[k], &found))
            add_operands(s, seen, seen->keys.data[k]);
        else if (!found || (source && source != found))
            return NULL;
        else
            source = found;
    }
    return source;
}

static LLVMValueRef name_source(const struct shadows *s, LLVMValueRef value)
{
    struct value_map seen = {0};
    LLVMValueRef source = find_source(s, &seen, value);
    value_map_free(&seen);
    return source && LLVMIsAAllocaInst(source) ? object_name(s->unit, source) : source;
}

/* --------------------------------------------------------------------- checks */

/* An instruction that tells whether some bit is undefined. A shadow is poison only where the behaviour of the program is undefined
 * already, so it is not frozen: LLVM would look for the reason through all phis, in exponential time in a large interpreter. */
static LLVMValueRef undefined_bit(struct unit *u, LLVMValueRef shadow)
{
    LLVMValueRef any = shadow_is_any(u, shadow);
    return LLVMIsConstant(any) ? LLVMBuildFreeze(u->builder, any, "") : any;
}

/* Members and elements at constant places are undefined where the pointer to the whole is. */
static LLVMValueRef whole_of(const struct shadows *s, LLVMValueRef value)
{
    for (;;) {
        bool moves = LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind &&
                     (LLVMIsABitCastInst(value) || LLVMIsAGetElementPtrInst(value));
        for (int k = 1; moves && k < LLVMGetNumOperands(value); k++)
            moves = !shadow_find(s, LLVMGetOperand(value, (unsigned)k));
        if (!moves || !shadow_find(s, LLVMGetOperand(value, 0)))
            return value;
        value = LLVMGetOperand(value, 0);
    }
}

static uint32_t block_of(const struct shadows *s, LLVMValueRef value)
{
    return LLVMIsAInstruction(value) ? hash_map_get(&s->blocks, (uint64_t)value) : 0;
}

/* In this block of the code as it was, or where the value was computed, which comes before all of its uses. */
static bool is_checked(struct shadows *s, LLVMValueRef value)
{
    uint32_t *last = hash_map_at(&s->checked, (uint64_t)value);
    if (*last != HASH_NO_NUMBER && (*last == s->block || *last == block_of(s, value)))
        return true;
    *last = s->block;
    return false;
}

/* `what` depends on the value at this instruction. Of vectors some elements may never be used. */
static void check_use(struct shadows *s, LLVMValueRef at, LLVMValueRef value, const char *what)
{
    struct unit *u = s->unit;
    value = whole_of(s, value);
    LLVMValueRef shadow = shadow_find(s, value);
    LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(value));
    if (!shadow || LLVMIsNull(shadow) || kind == LLVMVectorTypeKind || kind == LLVMStructTypeKind ||
        is_checked(s, value))
        return;
    LLVMMetadataRef place = LLVMInstructionGetDebugLoc(at);
    LLVMValueRef name = name_source(s, value);
    unit_before(u, at);
    LLVMValueRef undefined = undefined_bit(u, shadow);
    LLVMBasicBlockRef rest = unit_cut_behind(u, undefined), block = LLVMGetInstructionParent(undefined);
    LLVMBasicBlockRef failing = LLVMInsertBasicBlockInContext(u->context, rest, "");
    LLVMPositionBuilderAtEnd(u->builder, block);
    LLVMSetCurrentDebugLocation2(u->builder, place);
    LLVMBuildCondBr(u->builder, undefined, failing, rest);
    LLVMPositionBuilderAtEnd(u->builder, failing);
    LLVMSetCurrentDebugLocation2(u->builder, place);
    LLVMValueRef arguments[] = {object_string(u, what), name ? name : LLVMConstNull(u->pointer)};
    unit_call(u, "__plumb_undefined_fail", u->none, arguments, 2);
    LLVMBuildBr(u->builder, rest);
}

bool shadow_must_be_defined(LLVMValueRef call, unsigned argument)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("noundef", strlen("noundef"));
    return LLVMGetCallSiteEnumAttribute(call, argument + 1, kind);
}

/* main's is the program's exit status. */
static bool result_must_be_defined(LLVMValueRef leave)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("noundef", strlen("noundef"));
    LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(leave));
    size_t length;
    return strcmp(LLVMGetValueName2(function, &length), "main") == 0 ||
           LLVMGetEnumAttributeAtIndex(function, LLVMAttributeReturnIndex, kind);
}

static bool uses_values(LLVMValueRef i)
{
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMBr: return LLVMIsConditional(i);
    case LLVMRet: return LLVMGetNumOperands(i) > 0;
    case LLVMSelect:
    case LLVMSwitch:
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr:
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMURem:
    case LLVMSRem:
    case LLVMLoad:
    case LLVMStore:
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
    case LLVMCall:
    case LLVMInvoke: return true;
    default: return false;
    }
}

/* The address is needed by the call of the runtime that comes before a load. */
static void check_address(struct shadows *s, LLVMValueRef i, unsigned operand)
{
    LLVMValueRef hook = value_map_get(&s->hooks, i);
    check_use(s, hook ? hook : i, LLVMGetOperand(i, operand), "an address");
}

static void check_call(struct shadows *s, LLVMValueRef call)
{
    LLVMValueRef called = LLVMGetCalledValue(call);
    if (LLVMIsAInstruction(called))
        check_use(s, call, called, "an address");
    for (unsigned k = 0; k < LLVMGetNumArgOperands(call); k++)
        if (shadow_must_be_defined(call, k))
            check_use(s, call, LLVMGetOperand(call, k), "an argument");
}

/* Not a structure that the compiler passes as a number, whose padding is not defined. */
static bool is_number(LLVMValueRef value)
{
    return !LLVMIsALoadInst(value) || !LLVMIsABitCastInst(LLVMGetOperand(value, 0));
}

static void check_atomic_value(struct shadows *s, LLVMValueRef i, unsigned operand, const char *what)
{
    if (is_number(LLVMGetOperand(i, operand)))
        check_use(s, i, LLVMGetOperand(i, operand), what);
}

static void check_uses(struct shadows *s, LLVMValueRef i)
{
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMBr: check_use(s, i, LLVMGetCondition(i), "a branch"); break;
    case LLVMSelect: check_use(s, i, LLVMGetOperand(i, 0), "a branch"); break;
    case LLVMRet:
        if (result_must_be_defined(i))
            check_use(s, i, LLVMGetOperand(i, 0), "the result");
        break;
    case LLVMSwitch: check_use(s, i, LLVMGetOperand(i, 0), "a switch"); break;
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr: check_use(s, i, LLVMGetOperand(i, 1), "a shift"); break;
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMURem:
    case LLVMSRem: check_use(s, i, LLVMGetOperand(i, 1), "a division"); break;
    case LLVMStore:
        check_address(s, i, 1);
        if (LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic)
            check_atomic_value(s, i, 0, "what an atomic operation stores");
        break;
    case LLVMLoad: check_address(s, i, 0); break;
    case LLVMAtomicRMW:
        check_address(s, i, 0);
        check_atomic_value(s, i, 1, "what an atomic operation stores");
        break;
    case LLVMAtomicCmpXchg:
        check_address(s, i, 0);
        check_atomic_value(s, i, 1, "what an exchange expects");
        check_atomic_value(s, i, 2, "what an atomic operation stores");
        break;
    default:
        if (!shadow_is_mark(i))
            check_call(s, i);
    }
}

static bool is_any(LLVMValueRef i)
{
    return i != NULL;
}

/* Checks cut blocks in pieces. */
static void number_blocks(struct shadows *s, LLVMValueRef function)
{
    OWNED instruction_list all = unit_list(function, is_any);
    LLVMBasicBlockRef last = NULL;
    uint32_t number = UINT32_MAX;
    for (size_t k = 0; k < all.len; k++) {
        LLVMBasicBlockRef block = LLVMGetInstructionParent(all.data[k]);
        number += block != last;
        last = block;
        *hash_map_at(&s->blocks, (uint64_t)all.data[k]) = number;
    }
}

void shadow_uses_check(struct shadows *s, LLVMValueRef function)
{
    if (!s->shadows.keys.len)
        return;
    OWNED instruction_list uses = unit_list(function, uses_values);
    number_blocks(s, function);
    for (size_t k = 0; k < uses.len; k++) {
        s->block = block_of(s, uses.data[k]);
        check_uses(s, uses.data[k]);
    }
    hash_map_free(&s->blocks);
    hash_map_free(&s->checked);
}
