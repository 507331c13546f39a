/* SPDX-License-Identifier: Apache-2.0 */
/* Plain accesses. Sizes of 1, 2, 4, 8 and 16 bytes have hooks of their own, others go to the one for ranges. */
#include "instrument/passes.h"

#include <stdio.h>

static bool has_hook(uint64_t size)
{
    return size == 1 || size == 2 || size == 4 || size == 8 || size == 16;
}

static void announce_range(struct unit *u, bool is_write, LLVMValueRef pointer, uint64_t size)
{
    LLVMValueRef arguments[] = {unit_address(u, pointer), unit_constant(u->word, size)};
    unit_call(u, is_write ? "__tsan_write_range" : "__tsan_read_range", u->none, arguments, 2);
}

static void announce(struct unit *u, LLVMValueRef access, LLVMValueRef pointer, uint64_t size)
{
    bool is_write = LLVMGetInstructionOpcode(access) == LLVMStore;
    unsigned alignment = LLVMGetAlignment(access);
    unit_before(u, access);
    if (!has_hook(size)) {
        announce_range(u, is_write, pointer, size);
        return;
    }
    char name[64];
    snprintf(name, sizeof name, "__tsan_%s%s%s%d",
             alignment >= 8 || alignment % size == 0 ? "" : "unaligned_",
             LLVMGetVolatile(access) ? "volatile_" : "", is_write ? "write" : "read", (int)size);
    unit_call(u, name, u->none, (LLVMValueRef[]){unit_address(u, pointer)}, 1);
}

/* x86 does not keep such stores in order, and no model here has that. */
static bool is_streamed(struct unit *u, LLVMValueRef store)
{
    return LLVMGetMetadata(store, LLVMGetMDKindIDInContext(u->context, "nontemporal", 11)) != NULL;
}

/* ------------------------------------------------------------ with shadows */

static unsigned announced_kind(struct unit *u)
{
    return LLVMGetMDKindIDInContext(u->context, "plumb.announced", 15);
}

void accesses_note_announced(struct unit *u, LLVMValueRef access)
{
    LLVMSetMetadata(access, announced_kind(u), LLVMMDNodeInContext(u->context, NULL, 0));
}

static bool take_announced(struct unit *u, LLVMValueRef access)
{
    bool announced = LLVMGetMetadata(access, announced_kind(u));
    if (announced)
        LLVMSetMetadata(access, announced_kind(u), NULL);
    return announced;
}

bool accesses_have_shadow_hook(struct unit *u, LLVMValueRef access)
{
    bool is_write = LLVMGetInstructionOpcode(access) == LLVMStore;
    uint64_t size = unit_size(u, LLVMTypeOf(is_write ? LLVMGetOperand(access, 0) : access));
    unsigned alignment = LLVMGetAlignment(access);
    return size <= 8 && has_hook(size) && (alignment >= 8 || alignment % size == 0) &&
           !LLVMGetVolatile(access) && !(is_write && is_streamed(u, access));
}

LLVMValueRef accesses_announce_shadow(struct unit *u, LLVMValueRef access, LLVMValueRef stored)
{
    char name[64];
    uint64_t size = unit_size(u, LLVMTypeOf(stored ? LLVMGetOperand(access, 0) : access));
    LLVMTypeRef number = LLVMIntTypeInContext(u->context, (unsigned)size * 8);
    accesses_note_announced(u, access);
    snprintf(name, sizeof name, "__tsan_%s%d_shadow", stored ? "write" : "read", (int)size);
    unit_before(u, access);
    if (!stored)
        return unit_call(u, name, number, (LLVMValueRef[]){unit_address(u, LLVMGetOperand(access, 0))}, 1);
    LLVMValueRef arguments[] = {unit_address(u, LLVMGetOperand(access, 1)),
                                LLVMBuildZExt(u->builder, stored, number, "")};
    return unit_call(u, name, u->none, arguments, 2);
}

/* The address of a table of virtual functions: constructors and destructors store it, also where it is there already. */
static bool is_vtable(LLVMValueRef value)
{
    size_t length;
    const char *name = LLVMIsAConstantExpr(value) ? LLVMGetValueName2(escape_base(value), &length) : "";
    return text_starts_with(name, "_ZTV") || text_starts_with(name, "_ZTC");
}

static void announce_vtable(struct unit *u, LLVMValueRef store)
{
    unit_before(u, store);
    LLVMValueRef arguments[] = {unit_address(u, LLVMGetOperand(store, 1)),
                                unit_address(u, LLVMGetOperand(store, 0))};
    unit_call(u, "__tsan_vptr_update", u->none, arguments, 2);
}

static void visit_access(struct unit *u, const struct escape *e, LLVMValueRef access)
{
    if (take_announced(u, access))
        return;
    bool is_write = LLVMGetInstructionOpcode(access) == LLVMStore;
    LLVMValueRef pointer = LLVMGetOperand(access, is_write);
    if (LLVMGetOrdering(access) != LLVMAtomicOrderingNotAtomic || !escape_is_shared(e, pointer, is_write))
        return;
    if (is_write && is_streamed(u, access))
        unit_note_gap(u, "streamed", access);
    if (LLVMGetPointerAddressSpace(LLVMTypeOf(pointer)))
        unit_note_gap(u, "access", access);
    else if (is_write && is_vtable(LLVMGetOperand(access, 0)))
        announce_vtable(u, access);
    else
        announce(u, access, pointer, unit_size(u, LLVMTypeOf(is_write ? LLVMGetOperand(access, 0) : access)));
}

/* -------------------------------------------------------------------- calls */

/* Of and to what only this function knows? */
static bool is_private_copy(const struct escape *e, LLVMValueRef call, bool is_fill)
{
    return !escape_is_shared(e, LLVMGetOperand(call, 0), true) &&
           (is_fill || !escape_is_shared(e, LLVMGetOperand(call, 1), false));
}

/* The runtime's memcpy announces what it reads and writes. */
static bool replace_copy(struct unit *u, const struct escape *e, LLVMValueRef call)
{
    static const char *const names[] = {"memcpy", "memmove", "memset"};
    for (size_t k = 0; k < 3; k++) {
        char prefix[32];
        snprintf(prefix, sizeof prefix, "llvm.%s.", names[k]);
        if (!unit_calls_intrinsic(call, prefix))
            continue;
        if (is_private_copy(e, call, k == 2))
            return true;
        unit_before(u, call);
        LLVMTypeRef number = LLVMInt32TypeInContext(u->context);
        LLVMValueRef second = LLVMGetOperand(call, 1);
        second = k == 2 ? LLVMBuildZExt(u->builder, second, number, "") : unit_address(u, second);
        LLVMValueRef arguments[] = {unit_address(u, LLVMGetOperand(call, 0)), second,
                                    LLVMBuildZExtOrBitCast(u->builder, LLVMGetOperand(call, 2), u->word, "")};
        unit_call(u, names[k], u->pointer, arguments, 3);
        LLVMInstructionEraseFromParent(call);
        return true;
    }
    return false;
}

static void read_arguments(struct unit *u, const struct escape *e, LLVMValueRef call)
{
    for (unsigned k = 0, count = LLVMGetNumArgOperands(call); k < count; k++) {
        LLVMAttributeRef byval = LLVMGetCallSiteEnumAttribute(call, k + 1, u->byval);
        LLVMValueRef pointer = LLVMGetOperand(call, k);
        if (!byval || !escape_is_shared(e, pointer, false))
            continue;
        unit_before(u, call);
        announce_range(u, false, pointer, unit_room(u, LLVMGetTypeAttributeValue(byval)));
    }
}

/* Intrinsics that access no memory, or none that other code knows: what is not named here and has a pointer is a gap. */
static bool accesses_nothing(LLVMValueRef call)
{
    static const char *const prefixes[] = {"llvm.dbg.",
                                           "llvm.lifetime.",
                                           "llvm.invariant.",
                                           "llvm.assume",
                                           "llvm.expect",
                                           "llvm.prefetch",
                                           "llvm.stack",
                                           "llvm.returnaddress",
                                           "llvm.frameaddress",
                                           "llvm.addressofreturnaddress",
                                           "llvm.objectsize",
                                           "llvm.is.constant",
                                           "llvm.launder",
                                           "llvm.strip",
                                           "llvm.threadlocal",
                                           "llvm.ptr",
                                           "llvm.var.annotation",
                                           "llvm.annotation",
                                           "llvm.eh.",
                                           "llvm.sideeffect",
                                           "llvm.donothing",
                                           "llvm.trap",
                                           "llvm.debugtrap",
                                           "llvm.ubsantrap",
                                           "llvm.experimental.noalias",
                                           "llvm.type",
                                           "llvm.read_register",
                                           "llvm.x86.sse2.clflush",
                                           "llvm.x86.clflush",
                                           "llvm.x86.clwb",
                                           "llvm.x86.cldemote",
                                           "llvm.x86.clzero",
                                           "llvm.x86.sse3.monitor",
                                           "llvm.x86.monitor"};
    for (size_t k = 0; k < sizeof prefixes / sizeof *prefixes; k++)
        if (unit_calls_intrinsic(call, prefixes[k]))
            return true;
    return false;
}

static bool is_pointer(LLVMValueRef value)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    if (LLVMGetTypeKind(type) == LLVMVectorTypeKind)
        type = LLVMGetElementType(type);
    return LLVMGetTypeKind(type) == LLVMPointerTypeKind;
}

static void visit_intrinsic(struct unit *u, const struct escape *e, LLVMValueRef call)
{
    if (accesses_nothing(call))
        return;
    bool local = unit_calls_intrinsic(call, "llvm.va_"); /* a list of arguments is this function's */
    for (unsigned k = 0, count = LLVMGetNumArgOperands(call); k < count; k++) {
        LLVMValueRef operand = LLVMGetOperand(call, k);
        if (!is_pointer(operand) || (local && LLVMIsAAllocaInst(escape_base(operand))) ||
            !escape_is_shared(e, operand, true))
            continue;
        unit_note_gap(u, "operand", call);
        return;
    }
}

static void visit_call(struct unit *u, const struct escape *e, LLVMValueRef call)
{
    if (take_announced(u, call))
        return;
    LLVMValueRef callee = unit_callee(call);
    if (!callee || !LLVMGetIntrinsicID(callee))
        read_arguments(u, e, call);
    else if (!replace_copy(u, e, call))
        visit_intrinsic(u, e, call);
}

/* Optimisation drops stores to constant variables, which natively end the program. */
static void keep_store(const struct escape *e, LLVMValueRef access)
{
    if (LLVMGetInstructionOpcode(access) == LLVMStore && escape_is_shared(e, LLVMGetOperand(access, 1), true) &&
        !LLVMIsAAllocaInst(escape_base(LLVMGetOperand(access, 1))))
        LLVMSetVolatile(access, true);
}

static bool accesses_memory(LLVMValueRef instruction)
{
    LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
    return opcode == LLVMLoad || opcode == LLVMStore || unit_is_call(instruction);
}

void accesses_announce(struct unit *u, const struct escape *e, LLVMValueRef function)
{
    OWNED instruction_list list = unit_list(function, accesses_memory);
    for (size_t k = 0; k < list.len; k++)
        if (unit_is_call(list.data[k])) {
            visit_call(u, e, list.data[k]);
        } else {
            visit_access(u, e, list.data[k]);
            keep_store(e, list.data[k]);
        }
}
