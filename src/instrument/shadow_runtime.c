/* SPDX-License-Identifier: Apache-2.0 */
/* Memory that other code may know: the runtime has a shadow of stacks and of the heap. A load asks for that of its bytes, a store of
 * a value that may be undefined passes it on; every other write that is announced defines its bytes. */
#include "instrument/passes.h"
#include "instrument/shadows.h"

/* Does the runtime have the shadow of what is there? */
static bool is_there(const struct shadows *s, const struct escape *e, LLVMValueRef pointer)
{
    return !LLVMGetPointerAddressSpace(LLVMTypeOf(pointer)) && escape_is_shared(e, pointer, true) &&
           !LLVMIsAGlobalVariable(escape_base(pointer)) && !shadow_memory_has(s, pointer);
}

static LLVMValueRef move(struct unit *u, LLVMValueRef pointer, uint64_t offset)
{
    LLVMValueRef by = unit_constant(u->word, offset), bytes = unit_address(u, pointer);
    return offset ? LLVMBuildGEP2(u->builder, u->byte, bytes, &by, 1, "") : bytes;
}

/* ---------------------------------------------------------------------- loads */

static LLVMValueRef read_word(struct unit *u, LLVMValueRef pointer, uint64_t size)
{
    LLVMValueRef arguments[] = {pointer, unit_constant(u->word, size)};
    return unit_call(u, "__plumb_undefined_read", u->word, arguments, 2);
}

/* Word by word. */
static LLVMValueRef read_shadow(struct unit *u, LLVMValueRef pointer, LLVMTypeRef type)
{
    if (LLVMGetTypeKind(type) == LLVMStructTypeKind) {
        LLVMValueRef whole = LLVMConstNull(type);
        for (unsigned k = 0; k < LLVMCountStructElementTypes(type); k++) {
            uint64_t offset = LLVMOffsetOfElement(u->layout, type, k);
            LLVMValueRef part = read_shadow(u, move(u, pointer, offset), LLVMStructGetTypeAtIndex(type, k));
            whole = LLVMBuildInsertValue(u->builder, whole, part, k, "");
        }
        return whole;
    }
    uint64_t size = unit_size(u, type), bits = LLVMSizeOfTypeInBits(u->layout, type);
    LLVMTypeRef number = LLVMIntTypeInContext(u->context, (unsigned)((size + 7) / 8 * 64));
    LLVMValueRef all = LLVMConstNull(number);
    for (uint64_t k = 0; k < size; k += 8) {
        LLVMValueRef word = read_word(u, move(u, pointer, k), size - k < 8 ? size - k : 8);
        word = LLVMBuildZExt(u->builder, word, number, "");
        word = LLVMBuildShl(u->builder, word, unit_constant(number, 8 * k), "");
        all = LLVMBuildOr(u->builder, all, word, "");
    }
    all = LLVMBuildTrunc(u->builder, all, LLVMIntTypeInContext(u->context, (unsigned)bits), "");
    return LLVMBuildBitCast(u->builder, all, type, "");
}

static bool is_plain_load(LLVMValueRef i)
{
    return LLVMGetInstructionOpcode(i) == LLVMLoad && LLVMGetOrdering(i) == LLVMAtomicOrderingNotAtomic;
}

static void open_load(struct shadows *s, LLVMValueRef load)
{
    struct unit *u = s->unit;
    LLVMTypeRef type = shadow_type(u, LLVMTypeOf(load));
    if (!type || !LLVMGetFirstUse(load))
        return;
    if (accesses_have_shadow_hook(u, load)) {
        LLVMValueRef hook = accesses_announce_shadow(u, load, NULL), shadow = hook;
        unsigned bits = (unsigned)LLVMSizeOfTypeInBits(u->layout, type);
        shadow = LLVMBuildTrunc(u->builder, shadow, LLVMIntTypeInContext(u->context, bits), "");
        value_map_add(&s->shadows, load, LLVMBuildBitCast(u->builder, shadow, type, ""));
        value_map_add(&s->hooks, load, hook);
    } else {
        unit_before(u, load);
        value_map_add(&s->shadows, load, read_shadow(u, LLVMGetOperand(load, 0), type));
    }
}

void shadow_runtime_open(struct shadows *s, const struct escape *e, LLVMValueRef function)
{
    OWNED instruction_list loads = unit_list(function, is_plain_load);
    for (size_t k = 0; k < loads.len; k++)
        if (is_there(s, e, LLVMGetOperand(loads.data[k], 0)))
            open_load(s, loads.data[k]);
}

/* --------------------------------------------------------------------- stores */

static void write_shadow(struct unit *u, LLVMValueRef pointer, LLVMValueRef shadow)
{
    LLVMTypeRef type = LLVMTypeOf(shadow);
    if (LLVMGetTypeKind(type) == LLVMStructTypeKind) {
        for (unsigned k = 0; k < LLVMCountStructElementTypes(type); k++)
            write_shadow(u, move(u, pointer, LLVMOffsetOfElement(u->layout, type, k)),
                         LLVMBuildExtractValue(u->builder, shadow, k, ""));
        return;
    }
    uint64_t size = unit_size(u, type), bits = LLVMSizeOfTypeInBits(u->layout, type);
    LLVMTypeRef number = LLVMIntTypeInContext(u->context, (unsigned)((size + 7) / 8 * 64));
    shadow = LLVMBuildBitCast(u->builder, shadow, LLVMIntTypeInContext(u->context, (unsigned)bits), "");
    shadow = LLVMBuildZExt(u->builder, shadow, number, "");
    for (uint64_t k = 0; k < size; k += 8) {
        LLVMValueRef word = LLVMBuildLShr(u->builder, shadow, unit_constant(number, 8 * k), "");
        LLVMValueRef arguments[] = {move(u, pointer, k), LLVMBuildTrunc(u->builder, word, u->word, ""),
                                    unit_constant(u->word, size - k < 8 ? size - k : 8)};
        unit_call(u, "__plumb_undefined_write", u->none, arguments, 3);
    }
}

static void update_store(const struct shadows *s, LLVMValueRef store)
{
    struct unit *u = s->unit;
    LLVMValueRef shadow = shadow_find(s, LLVMGetOperand(store, 0));
    if (!shadow || LLVMIsNull(shadow))
        return;
    LLVMTypeRef type = LLVMTypeOf(shadow);
    LLVMTypeRef number = LLVMIntTypeInContext(u->context, (unsigned)LLVMSizeOfTypeInBits(u->layout, type));
    if (accesses_have_shadow_hook(u, store) && LLVMGetTypeKind(type) != LLVMStructTypeKind) {
        unit_before(u, store);
        accesses_announce_shadow(u, store, LLVMBuildBitCast(u->builder, shadow, number, ""));
    } else {
        unit_after(u, store); /* which defines its bytes first */
        write_shadow(u, LLVMGetOperand(store, 1), shadow);
    }
}

/* Behind the code that writes the pattern. */
static void declare(struct unit *u, LLVMValueRef filling)
{
    bool store = LLVMGetInstructionOpcode(filling) == LLVMStore;
    unit_after(u, filling);
    LLVMValueRef size = store ? unit_constant(u->word, unit_size(u, LLVMTypeOf(LLVMGetOperand(filling, 0))))
                              : LLVMBuildZExtOrBitCast(u->builder, LLVMGetOperand(filling, 2), u->word, "");
    LLVMValueRef arguments[] = {size, unit_address(u, shadow_target(filling))};
    unit_call(u, "__plumb_undefined_declare", u->none, arguments, 2);
}

/* ------------------------------------------------------------ the C++ library */

static bool is_of_library(LLVMValueRef callee)
{
    static const char *const starts[] = {"_ZNSt", "_ZNKSt", "_ZSt", "_ZN9__gnu_cxx"};
    size_t length;
    const char *name = LLVMGetValueName2(callee, &length);
    for (size_t k = 0; k < sizeof starts / sizeof *starts; k++)
        if (text_starts_with(name, starts[k]))
            return LLVMIsDeclaration(callee);
    return false;
}

/* Bytes of the object that an argument refers to, which the function may write. */
static uint64_t referred_bytes(struct unit *u, LLVMValueRef call, unsigned k)
{
    unsigned known = LLVMGetEnumAttributeKindForName("dereferenceable", strlen("dereferenceable"));
    unsigned result = LLVMGetEnumAttributeKindForName("sret", strlen("sret"));
    LLVMAttributeRef size = LLVMGetCallSiteEnumAttribute(call, k + 1, known);
    LLVMAttributeRef type = LLVMGetCallSiteEnumAttribute(call, k + 1, result);
    return type ? unit_room(u, LLVMGetTypeAttributeValue(type)) : size ? LLVMGetEnumAttributeValue(size) : 0;
}

/* Not all that constructors and the like write is announced. */
static void define_objects(struct unit *u, LLVMValueRef call)
{
    for (unsigned k = 0; k < LLVMGetNumArgOperands(call); k++) {
        uint64_t size = referred_bytes(u, call, k);
        if (!size)
            continue;
        unit_before(u, call);
        LLVMValueRef arguments[] = {unit_constant(u->word, size), unit_address(u, LLVMGetOperand(call, k))};
        unit_call(u, "__plumb_undefined_define", u->none, arguments, 2);
    }
}

/* Intrinsics that may write at most so many bytes at an address and are not announced. */
static void define_operands(const struct shadows *s, const struct escape *e, LLVMValueRef call)
{
    enum { INTRINSIC_BYTES = 64 };
    struct unit *u = s->unit;
    for (unsigned k = 0; k < LLVMGetNumArgOperands(call); k++) {
        LLVMValueRef pointer = LLVMGetOperand(call, k);
        if (LLVMGetTypeKind(LLVMTypeOf(pointer)) != LLVMPointerTypeKind || !is_there(s, e, pointer))
            continue;
        unit_after(u, call);
        LLVMValueRef arguments[] = {unit_constant(u->word, INTRINSIC_BYTES), unit_address(u, pointer)};
        unit_call(u, "__plumb_undefined_define", u->none, arguments, 2);
    }
}

static bool is_writing_intrinsic(LLVMValueRef i)
{
    return unit_calls_intrinsic(i, "llvm.va_") || unit_calls_intrinsic(i, "llvm.x86.") ||
           unit_calls_intrinsic(i, "llvm.masked.");
}

static bool calls_library(LLVMValueRef i)
{
    LLVMValueRef callee = unit_is_call(i) ? unit_callee(i) : NULL;
    return callee && is_of_library(callee);
}

/* --------------------------------------------------------------------- writes */

static bool writes(LLVMValueRef i)
{
    return shadow_target(i) != NULL;
}

void shadow_runtime_update(struct shadows *s, const struct escape *e, LLVMValueRef function)
{
    OWNED instruction_list list = unit_list(function, writes), calls = unit_list(function, calls_library);
    for (size_t k = 0; k < calls.len; k++)
        define_objects(s->unit, calls.data[k]);
    OWNED instruction_list intrinsics = unit_list(function, is_writing_intrinsic);
    for (size_t k = 0; k < intrinsics.len; k++)
        define_operands(s, e, intrinsics.data[k]);
    for (size_t k = 0; k < list.len; k++) {
        LLVMValueRef i = list.data[k];
        if (!is_there(s, e, shadow_target(i)))
            continue;
        if (shadow_is_filling(i))
            declare(s->unit, i);
        else if (LLVMGetInstructionOpcode(i) == LLVMStore &&
                 LLVMGetOrdering(i) == LLVMAtomicOrderingNotAtomic)
            update_store(s, i);
    }
}
