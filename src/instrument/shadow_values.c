/* SPDX-License-Identifier: Apache-2.0 */
/* The shadow of each value, from those of what it is computed from. */
#include "instrument/shadows.h"

LLVMValueRef shadow_find(const struct shadows *s, LLVMValueRef value)
{
    return value_map_get(&s->shadows, value);
}

/* Of vectors of numbers: a shadow for each element. */
static LLVMTypeRef shadow_vector(struct unit *u, LLVMTypeRef type)
{
    LLVMTypeRef element = LLVMGetElementType(type);
    bool pointers = LLVMGetTypeKind(element) == LLVMPointerTypeKind;
    LLVMTypeRef found = pointers ? NULL : shadow_type(u, element);
    return found ? LLVMVectorType(found, LLVMGetVectorSize(type)) : NULL;
}

/* Of a structure in registers: a structure. */
static LLVMTypeRef shadow_structure(struct unit *u, LLVMTypeRef type)
{
    LLVMTypeRef parts[8];
    unsigned count = LLVMCountStructElementTypes(type);
    for (unsigned k = 0; k < count && count <= 8; k++)
        if (!(parts[k] = shadow_type(u, LLVMStructGetTypeAtIndex(type, k))))
            return NULL;
    return count && count <= 8 ? LLVMStructTypeInContext(u->context, parts, count, false) : NULL;
}

LLVMTypeRef shadow_type(struct unit *u, LLVMTypeRef type)
{
    switch (LLVMGetTypeKind(type)) {
    case LLVMStructTypeKind: return shadow_structure(u, type);
    case LLVMVectorTypeKind: return shadow_vector(u, type);
    case LLVMX86_FP80TypeKind: return LLVMIntTypeInContext(u->context, 80);
    case LLVMIntegerTypeKind: return type;
    case LLVMFloatTypeKind: return LLVMInt32TypeInContext(u->context);
    case LLVMDoubleTypeKind:
    case LLVMPointerTypeKind: return u->word;
    default: return NULL;
    }
}

LLVMValueRef shadow_of(const struct shadows *s, LLVMValueRef value)
{
    LLVMValueRef found = shadow_find(s, value);
    return found ? found : LLVMConstNull(shadow_type(s->unit, LLVMTypeOf(value)));
}

static LLVMValueRef all_ones(LLVMTypeRef type)
{
    return LLVMConstAllOnes(type);
}

/* Of a vector: for each element. */
static LLVMValueRef is_any(struct unit *u, LLVMValueRef shadow)
{
    return LLVMBuildICmp(u->builder, LLVMIntNE, shadow, LLVMConstNull(LLVMTypeOf(shadow)), "");
}

static bool is_vector(LLVMTypeRef type)
{
    return LLVMGetTypeKind(type) == LLVMVectorTypeKind;
}

static unsigned bits_of(struct unit *u, LLVMTypeRef type)
{
    return (unsigned)LLVMSizeOfTypeInBits(u->layout, type);
}

LLVMValueRef shadow_is_any(struct unit *u, LLVMValueRef shadow)
{
    LLVMTypeRef type = LLVMTypeOf(shadow);
    if (LLVMGetTypeKind(type) == LLVMStructTypeKind) {
        LLVMValueRef any = LLVMConstNull(LLVMInt1TypeInContext(u->context));
        for (unsigned k = 0; k < LLVMCountStructElementTypes(type); k++) {
            LLVMValueRef part = LLVMBuildExtractValue(u->builder, shadow, k, "");
            any = LLVMBuildOr(u->builder, any, shadow_is_any(u, part), "");
        }
        return any;
    }
    if (is_vector(type))
        shadow = LLVMBuildBitCast(u->builder, shadow, LLVMIntTypeInContext(u->context, bits_of(u, type)), "");
    return is_any(u, shadow);
}

/* Everything is undefined if one bit is; of a vector: of the same element. */
static LLVMValueRef spread(struct unit *u, LLVMValueRef shadow, LLVMTypeRef type)
{
    bool alike = is_vector(LLVMTypeOf(shadow)) && is_vector(type);
    LLVMValueRef any = alike ? is_any(u, shadow) : shadow_is_any(u, shadow);
    if (alike || !is_vector(type))
        return LLVMBuildSExt(u->builder, any, type, "");
    return LLVMBuildSelect(u->builder, any, all_ones(type), LLVMConstNull(type), "");
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

/* By an amount that is too large the shadow would be poison, and no error be reported. */
static LLVMValueRef shadow_of_shift(struct unit *u, LLVMValueRef i, LLVMValueRef a, LLVMValueRef b)
{
    LLVMTypeRef type = LLVMTypeOf(a);
    LLVMTypeRef element = LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetElementType(type) : type;
    LLVMValueRef width = unit_constant(element, LLVMGetIntTypeWidth(element)), amount = LLVMGetOperand(i, 1);
    if (element == type)
        amount = LLVMBuildURem(u->builder, amount, width, "");
    LLVMValueRef moved = LLVMBuildBinOp(u->builder, LLVMGetInstructionOpcode(i), a, amount, "");
    return either(u, moved, spread(u, b, type));
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
    case LLVMBitCast: return LLVMBuildBitCast(u->builder, a, type, "");
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
    return either(u, chosen, spread(u, unknown, LLVMTypeOf(chosen)));
}

/* Elements of vectors go where their values go. An undefined number of an element is not asked for. */
static LLVMValueRef shadow_of_element(const struct shadows *s, LLVMValueRef i)
{
    LLVMBuilderRef build = s->unit->builder;
    LLVMValueRef a = shadow_of(s, LLVMGetOperand(i, 0)), b = LLVMGetOperand(i, 1);
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMExtractElement: return LLVMBuildExtractElement(build, a, b, "");
    case LLVMInsertElement:
        return LLVMBuildInsertElement(build, a, shadow_of(s, b), LLVMGetOperand(i, 2), "");
    default: break;
    }
    unsigned count = LLVMGetNumMaskElements(i);
    OWNED LLVMValueRef *mask = NEW_ARRAY(LLVMValueRef, count + 1);
    LLVMTypeRef number = LLVMInt32TypeInContext(s->unit->context);
    for (unsigned k = 0; k < count; k++) {
        int from = LLVMGetMaskValue(i, k);
        mask[k] = from < 0 ? LLVMGetUndef(number) : unit_constant(number, (uint64_t)from);
    }
    return LLVMBuildShuffleVector(build, a, shadow_of(s, b), LLVMConstVector(mask, count), "");
}

/* Members of structures in registers. */
static LLVMValueRef shadow_of_member(const struct shadows *s, LLVMValueRef i)
{
    LLVMBuilderRef build = s->unit->builder;
    LLVMValueRef whole = shadow_of(s, LLVMGetOperand(i, 0));
    bool extracts = LLVMGetInstructionOpcode(i) == LLVMExtractValue;
    unsigned index = LLVMGetIndices(i)[0];
    if (LLVMGetNumIndices(i) != 1)
        return LLVMConstNull(shadow_type(s->unit, LLVMTypeOf(i)));
    return extracts ? LLVMBuildExtractValue(build, whole, index, "")
                    : LLVMBuildInsertValue(build, whole, shadow_of(s, LLVMGetOperand(i, 1)), index, "");
}

static LLVMValueRef shadow_of_address(const struct shadows *s, LLVMValueRef i)
{
    LLVMValueRef any = LLVMConstNull(LLVMInt1TypeInContext(s->unit->context));
    for (int k = 0; k < LLVMGetNumOperands(i); k++) {
        LLVMValueRef found = shadow_find(s, LLVMGetOperand(i, (unsigned)k));
        any = found ? either(s->unit, any, shadow_is_any(s->unit, found)) : any;
    }
    return LLVMBuildSExt(s->unit->builder, any, s->unit->word, "");
}

LLVMValueRef shadow_compute(const struct shadows *s, LLVMValueRef i)
{
    LLVMTypeRef type = shadow_type(s->unit, LLVMTypeOf(i));
    if (shadow_is_mark(i))
        return all_ones(type);
    unit_before(s->unit, i);
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMPHI: return LLVMBuildPhi(s->unit->builder, type, "");
    case LLVMSelect: return shadow_of_select(s, i);
    case LLVMICmp:
    case LLVMFCmp: return shadow_of_comparison(s, i);
    case LLVMGetElementPtr: return shadow_of_address(s, i);
    case LLVMExtractElement:
    case LLVMInsertElement:
    case LLVMShuffleVector: return shadow_of_element(s, i);
    case LLVMExtractValue:
    case LLVMInsertValue: return shadow_of_member(s, i);
    case LLVMFNeg: return spread(s->unit, shadow_of(s, LLVMGetOperand(i, 0)), type);
    default: return LLVMIsACastInst(i) ? shadow_of_cast(s, i) : shadow_of_binary(s, i);
    }
}
