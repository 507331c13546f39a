/* SPDX-License-Identifier: Apache-2.0 */
/* Local variables that are used before anything was assigned to them. What such a variable holds is marked before it becomes a
 * value of its own (mem2reg); a shadow then says of each value that may come from there which of its bits are undefined, as
 * MemorySanitizer has it (Stepanov and Serebryany, CGO 2015). A branch, a switch, an address, an argument or a result that depends
 * on such a bit calls the runtime. Values that are copied to memory count as defined. */
#include "instrument/passes.h"

#include "instrument/known_objects.h"

#include <llvm-c/DebugInfo.h>
#include <stdio.h>

/* ------------------------------------------------------------------- marking */

static const char mark_prefix[] = "plumb.undefined.";

static bool is_mark(LLVMValueRef value)
{
    LLVMValueRef callee = LLVMIsAInstruction(value) && unit_is_call(value) ? unit_callee(value) : NULL;
    size_t length;
    return callee && text_starts_with(LLVMGetValueName2(callee, &length), mark_prefix);
}

/* The compiler stores its pattern to a variable that the source does not initialise. */
static bool is_filling(LLVMValueRef store)
{
    if (LLVMGetInstructionOpcode(store) != LLVMStore || !LLVMIsAAllocaInst(LLVMGetOperand(store, 1)))
        return false;
    LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(store, 0)));
    bool scalar = kind == LLVMIntegerTypeKind || kind == LLVMPointerTypeKind || kind == LLVMFloatTypeKind ||
                  kind == LLVMDoubleTypeKind;
    return scalar && !LLVMGetVolatile(store) &&
           LLVMGetMetadata(store, LLVMGetMDKindID("annotation", strlen("annotation")));
}

static LLVMValueRef mark_function(struct unit *u, LLVMTypeRef value, LLVMTypeRef *type)
{
    LLVMTypeRef parameters[] = {value, u->pointer};
    *type = LLVMFunctionType(value, parameters, 2, false);
    char *text = LLVMPrintTypeToString(value);
    OWNED struct text name = {0};
    text_printf(&name, "%s%s", mark_prefix, text);
    LLVMDisposeMessage(text);
    LLVMValueRef found = LLVMGetNamedFunction(u->module, name.data);
    return found ? found : LLVMAddFunction(u->module, name.data, *type);
}

void definedness_mark(struct unit *u, LLVMValueRef function)
{
    OWNED instruction_list stores = unit_list(function, is_filling);
    for (size_t k = 0; k < stores.len; k++) {
        LLVMValueRef pattern = LLVMGetOperand(stores.data[k], 0);
        LLVMTypeRef type;
        LLVMValueRef marks = mark_function(u, LLVMTypeOf(pattern), &type);
        unit_before(u, stores.data[k]);
        LLVMValueRef arguments[] = {pattern, object_name(u, LLVMGetOperand(stores.data[k], 1))};
        LLVMSetOperand(stores.data[k], 0, LLVMBuildCall2(u->builder, type, marks, arguments, 2, ""));
    }
}

/* ------------------------------------------------------------------- shadows */

/* Values that may have undefined bits, and their shadows: integers of the same width, a set bit is an undefined one. */
struct shadows {
    struct unit *unit;
    instruction_list values, shadows;
};

static LLVMValueRef find_shadow(const struct shadows *s, LLVMValueRef value)
{
    for (size_t k = 0; k < s->values.len; k++)
        if (s->values.data[k] == value)
            return s->shadows.data[k];
    return NULL;
}

/* NULL: values of this type have no shadows. */
static LLVMTypeRef shadow_type(struct unit *u, LLVMTypeRef type)
{
    switch (LLVMGetTypeKind(type)) {
    case LLVMIntegerTypeKind: return type;
    case LLVMFloatTypeKind: return LLVMInt32TypeInContext(u->context);
    case LLVMDoubleTypeKind:
    case LLVMPointerTypeKind: return u->word;
    default: return NULL;
    }
}

static LLVMValueRef shadow_of(const struct shadows *s, LLVMValueRef value)
{
    LLVMValueRef found = find_shadow(s, value);
    return found ? found : LLVMConstNull(shadow_type(s->unit, LLVMTypeOf(value)));
}

static bool passes_on(LLVMValueRef i)
{
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMPHI:
    case LLVMSelect:
    case LLVMICmp:
    case LLVMFCmp:
    case LLVMGetElementPtr:
    case LLVMFNeg: return true;
    default: return LLVMIsABinaryOperator(i) || LLVMIsACastInst(i);
    }
}

/* All values that are computed from a mark, in an order in which phis apart come behind what they use. */
static void collect_values(struct shadows *s, LLVMValueRef function)
{
    OWNED instruction_list marks = unit_list(function, is_mark);
    for (size_t k = 0; k < marks.len; k++)
        vec_push(&s->values, marks.data[k]);
    for (size_t k = 0; k < s->values.len; k++) {
        LLVMUseRef use = LLVMGetFirstUse(s->values.data[k]);
        for (; use; use = LLVMGetNextUse(use)) {
            LLVMValueRef user = LLVMGetUser(use);
            bool known = false;
            for (size_t n = 0; n < s->values.len && !known; n++)
                known = s->values.data[n] == user;
            if (!known && LLVMIsAInstruction(user) && passes_on(user) &&
                shadow_type(s->unit, LLVMTypeOf(user)))
                vec_push(&s->values, user);
        }
    }
}

static LLVMValueRef all_ones(LLVMTypeRef type)
{
    return LLVMConstAllOnes(type);
}

static LLVMValueRef is_any(struct unit *u, LLVMValueRef shadow)
{
    return LLVMBuildICmp(u->builder, LLVMIntNE, shadow, LLVMConstNull(LLVMTypeOf(shadow)), "");
}

/* Everything is undefined if one bit is. */
static LLVMValueRef spread(struct unit *u, LLVMValueRef shadow, LLVMTypeRef type)
{
    return LLVMBuildSExt(u->builder, is_any(u, shadow), type, "");
}

static LLVMValueRef either(struct unit *u, LLVMValueRef a, LLVMValueRef b)
{
    return LLVMBuildOr(u->builder, a, b, "");
}

/* A bit of `and` is defined where one operand has a defined 0, of `or` where one has a defined 1. */
static LLVMValueRef shadow_of_mask(struct unit *u, LLVMValueRef i, LLVMValueRef a, LLVMValueRef b, bool is_or)
{
    LLVMBuilderRef build = u->builder;
    LLVMValueRef first = LLVMGetOperand(i, 0), second = LLVMGetOperand(i, 1);
    if (is_or)
        first = LLVMBuildNot(build, first, ""), second = LLVMBuildNot(build, second, "");
    LLVMValueRef both = LLVMBuildAnd(build, a, b, "");
    return either(u, both, either(u, LLVMBuildAnd(build, first, b, ""), LLVMBuildAnd(build, a, second, "")));
}

static LLVMValueRef shadow_of_shift(struct unit *u, LLVMValueRef i, LLVMValueRef a, LLVMValueRef b)
{
    LLVMValueRef moved = LLVMBuildBinOp(u->builder, LLVMGetInstructionOpcode(i), a, LLVMGetOperand(i, 1), "");
    return either(u, moved, spread(u, b, LLVMTypeOf(a)));
}

/* Carries are left out, as MemorySanitizer does. */
static LLVMValueRef shadow_of_binary(const struct shadows *s, LLVMValueRef i)
{
    struct unit *u = s->unit;
    LLVMValueRef a = shadow_of(s, LLVMGetOperand(i, 0)), b = shadow_of(s, LLVMGetOperand(i, 1));
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMAnd: return shadow_of_mask(u, i, a, b, false);
    case LLVMOr: return shadow_of_mask(u, i, a, b, true);
    case LLVMXor:
    case LLVMAdd:
    case LLVMSub: return either(u, a, b);
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr: return shadow_of_shift(u, i, a, b);
    default: return spread(u, either(u, a, b), LLVMTypeOf(a));
    }
}

static LLVMValueRef as_number(struct unit *u, LLVMValueRef value)
{
    bool pointer = LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind;
    return pointer ? LLVMBuildPtrToInt(u->builder, value, u->word, "") : value;
}

/* Two values are unequal whatever the undefined bits are if a defined bit differs. Other comparisons need all bits. */
static LLVMValueRef shadow_of_comparison(const struct shadows *s, LLVMValueRef i)
{
    struct unit *u = s->unit;
    LLVMValueRef first = LLVMGetOperand(i, 0), second = LLVMGetOperand(i, 1);
    LLVMValueRef both = either(u, shadow_of(s, first), shadow_of(s, second)), any = is_any(u, both);
    LLVMIntPredicate how = LLVMGetInstructionOpcode(i) == LLVMICmp ? LLVMGetICmpPredicate(i) : 0;
    if (how != LLVMIntEQ && how != LLVMIntNE)
        return any;
    LLVMValueRef differ = LLVMBuildXor(u->builder, as_number(u, first), as_number(u, second), "");
    differ = LLVMBuildAnd(u->builder, differ, LLVMBuildNot(u->builder, both, ""), "");
    LLVMValueRef same = LLVMBuildNot(u->builder, is_any(u, differ), "");
    return LLVMBuildAnd(u->builder, any, same, "");
}

static LLVMValueRef shadow_of_cast(const struct shadows *s, LLVMValueRef i)
{
    struct unit *u = s->unit;
    LLVMValueRef a = shadow_of(s, LLVMGetOperand(i, 0));
    LLVMTypeRef type = shadow_type(u, LLVMTypeOf(i));
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMTrunc: return LLVMBuildTrunc(u->builder, a, type, "");
    case LLVMZExt: return LLVMBuildZExt(u->builder, a, type, "");
    case LLVMSExt: return LLVMBuildSExt(u->builder, a, type, "");
    case LLVMBitCast:
    case LLVMPtrToInt:
    case LLVMIntToPtr: return LLVMBuildIntCast2(u->builder, a, type, false, "");
    default: return spread(u, a, type);
    }
}

static LLVMValueRef shadow_of_select(const struct shadows *s, LLVMValueRef i)
{
    struct unit *u = s->unit;
    LLVMValueRef condition = LLVMGetOperand(i, 0);
    LLVMValueRef a = shadow_of(s, LLVMGetOperand(i, 1)), b = shadow_of(s, LLVMGetOperand(i, 2));
    LLVMValueRef chosen = LLVMBuildSelect(u->builder, condition, a, b, "");
    LLVMValueRef unknown = shadow_of(s, condition);
    return either(u, chosen, LLVMBuildSExt(u->builder, unknown, LLVMTypeOf(chosen), ""));
}

static LLVMValueRef shadow_of_address(const struct shadows *s, LLVMValueRef i)
{
    LLVMValueRef any = LLVMConstNull(LLVMInt1TypeInContext(s->unit->context));
    for (int k = 0; k < LLVMGetNumOperands(i); k++) {
        LLVMValueRef found = find_shadow(s, LLVMGetOperand(i, (unsigned)k));
        any = found ? either(s->unit, any, is_any(s->unit, found)) : any;
    }
    return LLVMBuildSExt(s->unit->builder, any, s->unit->word, "");
}

static LLVMValueRef compute_shadow(const struct shadows *s, LLVMValueRef i)
{
    LLVMTypeRef type = shadow_type(s->unit, LLVMTypeOf(i));
    if (is_mark(i))
        return all_ones(type);
    unit_before(s->unit, i);
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMPHI: return LLVMBuildPhi(s->unit->builder, type, "");
    case LLVMSelect: return shadow_of_select(s, i);
    case LLVMICmp:
    case LLVMFCmp: return shadow_of_comparison(s, i);
    case LLVMGetElementPtr: return shadow_of_address(s, i);
    case LLVMFNeg: return spread(s->unit, shadow_of(s, LLVMGetOperand(i, 0)), type);
    default: return LLVMIsACastInst(i) ? shadow_of_cast(s, i) : shadow_of_binary(s, i);
    }
}

static bool is_phi(LLVMValueRef i)
{
    return LLVMGetInstructionOpcode(i) == LLVMPHI;
}

static bool has_value(const struct shadows *s, LLVMValueRef value)
{
    for (size_t k = 0; k < s->values.len; k++)
        if (s->values.data[k] == value)
            return true;
    return false;
}

/* Operands first, but for phis, which are filled in afterwards. */
static LLVMValueRef shadow_value(struct shadows *s, struct shadows *done, LLVMValueRef i)
{
    LLVMValueRef shadow = find_shadow(done, i);
    if (shadow)
        return shadow;
    for (int k = 0; !is_phi(i) && !is_mark(i) && k < LLVMGetNumOperands(i); k++)
        if (has_value(s, LLVMGetOperand(i, (unsigned)k)))
            shadow_value(s, done, LLVMGetOperand(i, (unsigned)k));
    shadow = compute_shadow(done, i);
    vec_push(&done->values, i);
    vec_push(&done->shadows, shadow);
    return shadow;
}

static void fill_phi(const struct shadows *s, LLVMValueRef phi, LLVMValueRef shadow)
{
    for (unsigned k = 0, count = LLVMCountIncoming(phi); k < count; k++) {
        LLVMValueRef value = LLVMGetIncomingValue(phi, k), from = shadow_of(s, value);
        LLVMBasicBlockRef block = LLVMGetIncomingBlock(phi, k);
        LLVMAddIncoming(shadow, &from, &block, 1);
    }
}

/* ----------------------------------------------------------------------- uses */

/* The name of the one variable that the value may come from. */
static LLVMValueRef name_source(const struct shadows *s, LLVMValueRef value)
{
    OWNED instruction_list seen = {0};
    LLVMValueRef name = NULL;
    vec_push(&seen, value);
    for (size_t k = 0; k < seen.len; k++) {
        if (is_mark(seen.data[k])) {
            LLVMValueRef found = LLVMGetOperand(seen.data[k], 1);
            if (name && name != found)
                return NULL;
            name = found;
            continue;
        }
        for (int n = 0; n < LLVMGetNumOperands(seen.data[k]); n++) {
            LLVMValueRef operand = LLVMGetOperand(seen.data[k], (unsigned)n);
            bool known = !has_value(s, operand);
            for (size_t m = 0; m < seen.len && !known; m++)
                known = seen.data[m] == operand;
            if (!known)
                vec_push(&seen, operand);
        }
    }
    return name;
}

/* `what` depends on the value at this instruction. */
static void check_use(const struct shadows *s, LLVMValueRef at, LLVMValueRef value, const char *what)
{
    struct unit *u = s->unit;
    LLVMValueRef shadow = find_shadow(s, value);
    if (!shadow)
        return;
    LLVMMetadataRef place = LLVMInstructionGetDebugLoc(at);
    LLVMValueRef name = name_source(s, value);
    unit_before(u, at);
    LLVMValueRef undefined = LLVMBuildFreeze(u->builder, is_any(u, shadow), "");
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

static bool must_be_defined(LLVMValueRef call, unsigned argument)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("noundef", strlen("noundef"));
    return LLVMGetCallSiteEnumAttribute(call, argument + 1, kind);
}

static bool result_must_be_defined(LLVMValueRef leave)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("noundef", strlen("noundef"));
    LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(leave));
    return LLVMGetEnumAttributeAtIndex(function, LLVMAttributeReturnIndex, kind);
}

static bool uses_values(LLVMValueRef i)
{
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMBr: return LLVMIsConditional(i);
    case LLVMRet: return LLVMGetNumOperands(i) > 0;
    case LLVMSelect:
    case LLVMSwitch:
    case LLVMLoad:
    case LLVMStore:
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
    case LLVMCall:
    case LLVMInvoke: return true;
    default: return false;
    }
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
    case LLVMStore: check_use(s, i, LLVMGetOperand(i, 1), "an address"); break;
    case LLVMLoad:
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg: check_use(s, i, LLVMGetOperand(i, 0), "an address"); break;
    default:
        for (unsigned k = 0; !is_mark(i) && k < LLVMGetNumArgOperands(i); k++)
            if (must_be_defined(i, k))
                check_use(s, i, LLVMGetOperand(i, k), "an argument");
    }
}

/* The patterns are there again, as if nothing had been marked. */
static void remove_marks(LLVMValueRef function)
{
    OWNED instruction_list marks = unit_list(function, is_mark);
    for (size_t k = 0; k < marks.len; k++) {
        LLVMReplaceAllUsesWith(marks.data[k], LLVMGetOperand(marks.data[k], 0));
        LLVMInstructionEraseFromParent(marks.data[k]);
    }
}

void definedness_check(struct unit *u, LLVMValueRef function)
{
    struct shadows s = {.unit = u}, done = {.unit = u};
    collect_values(&s, function);
    for (size_t k = 0; k < s.values.len; k++)
        shadow_value(&s, &done, s.values.data[k]);
    for (size_t k = 0; k < done.values.len; k++)
        if (is_phi(done.values.data[k]))
            fill_phi(&done, done.values.data[k], done.shadows.data[k]);
    if (s.values.len) {
        OWNED instruction_list uses = unit_list(function, uses_values);
        for (size_t k = 0; k < uses.len; k++)
            check_uses(&done, uses.data[k]);
    }
    remove_marks(function);
    vec_free(&s.values);
    vec_free(&done.values);
    vec_free(&done.shadows);
}
