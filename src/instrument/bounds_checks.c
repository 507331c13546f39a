/* SPDX-License-Identifier: Apache-2.0 */
/* Accesses of variables that the function itself shows: is what is accessed inside? The comparison stands in the code, and
 * only an access outside calls the runtime. Accesses by pointers from elsewhere meet the red zones instead. */
#include "instrument/known_objects.h"
#include "instrument/passes.h"

#include <llvm-c/DebugInfo.h>

struct checked_access {
    LLVMValueRef at, pointer; /* the instruction and what it accesses */
    LLVMValueRef length;      /* in bytes */
    bool writes;
};

/* What it has to stay inside of. */
struct bounded_place {
    LLVMValueRef start, size, name;
};

/* Branches to a call of the runtime and back. `outside` is known before the access. */
static void fail_outside(struct unit *u, struct checked_access a, LLVMValueRef outside,
                         struct bounded_place p)
{
    LLVMBasicBlockRef rest = unit_cut_behind(u, outside), block = LLVMGetInstructionParent(outside);
    LLVMBasicBlockRef failing = LLVMInsertBasicBlockInContext(u->context, rest, "");
    LLVMMetadataRef place = LLVMInstructionGetDebugLoc(a.at);
    LLVMPositionBuilderAtEnd(u->builder, block);
    LLVMSetCurrentDebugLocation2(u->builder, place);
    LLVMBuildCondBr(u->builder, outside, failing, rest);
    LLVMPositionBuilderAtEnd(u->builder, failing);
    LLVMSetCurrentDebugLocation2(u->builder, place);
    LLVMValueRef arguments[] = {unit_address(u, a.pointer),
                                unit_address(u, p.start),
                                p.size,
                                a.length,
                                unit_constant(u->word, a.writes),
                                p.name};
    unit_call(u, "__plumb_bounds_fail", u->none, arguments, 6);
    LLVMBuildBr(u->builder, rest);
}

/* An instruction even if it is constant. */
static LLVMValueRef is_outside(struct unit *u, struct checked_access a, struct bounded_place p)
{
    LLVMValueRef from = LLVMBuildPtrToInt(u->builder, p.start, u->word, "");
    LLVMValueRef there = LLVMBuildPtrToInt(u->builder, a.pointer, u->word, "");
    LLVMValueRef offset = LLVMBuildSub(u->builder, there, from, "");
    LLVMValueRef left = LLVMBuildSub(u->builder, p.size, offset, "");
    LLVMValueRef beyond = LLVMBuildICmp(u->builder, LLVMIntUGT, offset, p.size, "");
    LLVMValueRef longer = LLVMBuildICmp(u->builder, LLVMIntUGT, a.length, left, "");
    return LLVMBuildFreeze(u->builder, LLVMBuildOr(u->builder, beyond, longer, ""), "");
}

static void check_inside(struct unit *u, struct checked_access a, struct bounded_place p)
{
    unit_before(u, a.at);
    fail_outside(u, a, is_outside(u, a, p), p);
}

static void check_access(struct unit *u, struct checked_access a)
{
    LLVMValueRef object = object_of(a.pointer);
    bool constant = LLVMIsAConstantInt(a.length);
    if (!object || (constant && object_holds(u, object, a.pointer, LLVMConstIntGetZExtValue(a.length))))
        return;
    LLVMValueRef size = object_size(u, object);
    if (!size)
        return;
    check_inside(u, a, (struct bounded_place){object, size, object_name(u, object)});
}

/* Of the array that is a member, too. Optimised code shows such arrays where the source has none. */
static void check_member(struct unit *u, struct checked_access a, LLVMTypeRef accessed)
{
    struct member_array m;
    if (!u->promoted || !member_array_find(a.pointer, accessed, &m))
        return;
    LLVMValueRef index = member_array_index(&m, a.pointer), outside = NULL;
    uint64_t count = LLVMGetArrayLength(m.array);
    if (index && LLVMIsAConstantInt(index) && LLVMConstIntGetZExtValue(index) < count)
        return;
    unit_before(u, a.at);
    LLVMValueRef size = unit_constant(u->word, unit_room(u, m.array));
    struct bounded_place p = {member_array_place(u, &m), size, member_array_name(u, &m)};
    if (!index) {
        check_inside(u, a, p);
        return;
    }
    unit_before(u, a.at); /* the comparison that the compiler makes: one of both goes */
    outside = LLVMBuildICmp(u->builder, LLVMIntUGE, index, unit_constant(LLVMTypeOf(index), count), "");
    fail_outside(u, a, LLVMBuildFreeze(u->builder, outside, ""), p);
}

static LLVMValueRef type_length(struct unit *u, LLVMTypeRef type)
{
    return unit_constant(u->word, unit_size(u, type));
}

static void check_pointer(struct unit *u, LLVMValueRef at, unsigned operand, LLVMTypeRef type, bool writes)
{
    LLVMValueRef pointer = LLVMGetOperand(at, operand);
    struct checked_access a = {at, pointer, type_length(u, type), writes};
    if (LLVMGetPointerAddressSpace(LLVMTypeOf(pointer)))
        return;
    check_access(u, a);
    check_member(u, a, type);
}

/* Copies and fillings of known objects, also those that library functions became. */
static void check_copy(struct unit *u, LLVMValueRef call)
{
    bool fills = unit_calls_intrinsic(call, "llvm.memset.");
    if (!fills && !unit_calls_intrinsic(call, "llvm.memcpy.") && !unit_calls_intrinsic(call, "llvm.memmove."))
        return;
    unit_before(u, call);
    LLVMValueRef length = LLVMBuildZExtOrBitCast(u->builder, LLVMGetOperand(call, 2), u->word, "");
    check_access(u, (struct checked_access){call, LLVMGetOperand(call, 0), length, true});
    if (!fills)
        check_access(u, (struct checked_access){call, LLVMGetOperand(call, 1), length, false});
}

static void check_instruction(struct unit *u, LLVMValueRef i)
{
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMLoad: check_pointer(u, i, 0, LLVMTypeOf(i), false); break;
    case LLVMStore: check_pointer(u, i, 1, LLVMTypeOf(LLVMGetOperand(i, 0)), true); break;
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg: check_pointer(u, i, 0, LLVMTypeOf(LLVMGetOperand(i, 1)), true); break;
    case LLVMCall: check_copy(u, i); break;
    default: break;
    }
}

static bool accesses_memory(LLVMValueRef i)
{
    LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
    return opcode == LLVMLoad || opcode == LLVMStore || opcode == LLVMAtomicRMW ||
           opcode == LLVMAtomicCmpXchg || opcode == LLVMCall;
}

void bounds_check(struct unit *u, LLVMValueRef function)
{
    OWNED instruction_list list = unit_list(function, accesses_memory);
    for (size_t k = 0; k < list.len; k++)
        check_instruction(u, list.data[k]);
}
