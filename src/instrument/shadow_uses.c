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

/* `what` depends on the value at this instruction. Of vectors some elements may never be used. */
static void check_use(const struct shadows *s, LLVMValueRef at, LLVMValueRef value, const char *what)
{
    struct unit *u = s->unit;
    LLVMValueRef shadow = shadow_find(s, value);
    LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(value));
    if (!shadow || LLVMIsNull(shadow) || kind == LLVMVectorTypeKind || kind == LLVMStructTypeKind)
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
static void check_address(const struct shadows *s, LLVMValueRef i, unsigned operand)
{
    LLVMValueRef hook = value_map_get(&s->hooks, i);
    check_use(s, hook ? hook : i, LLVMGetOperand(i, operand), "an address");
}

static void check_call(const struct shadows *s, LLVMValueRef call)
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

static void check_atomic_value(const struct shadows *s, LLVMValueRef i, unsigned operand, const char *what)
{
    if (is_number(LLVMGetOperand(i, operand)))
        check_use(s, i, LLVMGetOperand(i, operand), what);
}

static void check_uses(const struct shadows *s, LLVMValueRef i)
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

void shadow_uses_check(const struct shadows *s, LLVMValueRef function)
{
    OWNED instruction_list uses = {0};
    if (s->shadows.keys.len)
        uses = unit_list(function, uses_values);
    for (size_t k = 0; k < uses.len; k++)
        check_uses(s, uses.data[k]);
}
