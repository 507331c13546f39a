/* SPDX-License-Identifier: Apache-2.0 */
/* Arrays and structures on the stack that no other code knows: a second variable has the shadow of each byte. */
#include "instrument/known_objects.h"
#include "instrument/shadows.h"

enum { LARGEST = 1 << 16 }; /* bytes of a variable with a shadow; compiled_memory names the limit */

/* ------------------------------------------------------------------ variables */

static bool contains(const instruction_list *list, LLVMValueRef value)
{
    for (size_t k = 0; k < list->len; k++)
        if (list->data[k] == value)
            return true;
    return false;
}

static LLVMValueRef memory_of(const struct shadows *s, LLVMValueRef pointer)
{
    LLVMValueRef object = s->variables.len ? object_of(pointer) : NULL;
    for (size_t k = 0; object && k < s->variables.len; k++)
        if (s->variables.data[k] == object)
            return s->memories.data[k];
    return NULL;
}

/* Does every address in the variable show that it is one? */
static bool is_followed(LLVMValueRef variable)
{
    OWNED instruction_list derived = {0};
    vec_push(&derived, variable);
    for (size_t k = 0; k < derived.len; k++) {
        if (object_of(derived.data[k]) != variable)
            return false;
        for (LLVMUseRef use = LLVMGetFirstUse(derived.data[k]); use; use = LLVMGetNextUse(use)) {
            LLVMValueRef user = LLVMGetUser(use);
            LLVMOpcode opcode = LLVMIsAInstruction(user) ? LLVMGetInstructionOpcode(user) : 0;
            bool follows = opcode == LLVMGetElementPtr || opcode == LLVMBitCast || opcode == LLVMPHI ||
                           opcode == LLVMSelect;
            if (follows && !contains(&derived, user))
                vec_push(&derived, user);
        }
    }
    return true;
}

static LLVMValueRef target_of(LLVMValueRef i)
{
    if (LLVMGetInstructionOpcode(i) == LLVMStore)
        return LLVMGetOperand(i, 1);
    bool writes = unit_calls_intrinsic(i, "llvm.memset.") || unit_calls_intrinsic(i, "llvm.memcpy.") ||
                  unit_calls_intrinsic(i, "llvm.memmove.");
    return writes ? LLVMGetOperand(i, 0) : NULL;
}

static LLVMValueRef add_memory(struct unit *u, LLVMValueRef variable, uint64_t size)
{
    LLVMTypeRef type = LLVMArrayType(u->byte, (unsigned)size);
    unit_before(u, variable);
    LLVMSetCurrentDebugLocation2(u->builder, NULL);
    LLVMValueRef memory = LLVMBuildAlloca(u->builder, type, "");
    LLVMSetAlignment(memory, 16);
    LLVMValueRef first = variable;
    while (LLVMGetInstructionOpcode(first) == LLVMAlloca)
        first = LLVMGetNextInstruction(first);
    LLVMPositionBuilderBefore(u->builder, first);
    LLVMBuildMemSet(u->builder, unit_address(u, memory), unit_constant(u->byte, 0),
                    unit_constant(u->word, size), 16);
    return memory;
}

static void add_variable(struct shadows *s, struct escape *e, LLVMValueRef variable)
{
    LLVMValueRef size = LLVMIsAAllocaInst(variable) ? object_size(s->unit, variable) : NULL;
    uint64_t bytes = size && LLVMIsAConstantInt(size) ? LLVMConstIntGetZExtValue(size) : 0;
    if (!bytes || bytes > LARGEST || contains(&s->variables, variable) ||
        escape_is_shared(e, variable, true) || !is_followed(variable))
        return;
    LLVMValueRef memory = add_memory(s->unit, variable, bytes);
    vec_push(&s->variables, variable);
    vec_push(&s->memories, memory);
    escape_keep(e, memory);
}

/* ------------------------------------------------------------------- accesses */

/* The shadow of what a pointer into the variable points to. */
static LLVMValueRef shadow_place(struct unit *u, LLVMValueRef memory, LLVMValueRef pointer)
{
    uint64_t constant;
    LLVMValueRef variable = object_of(pointer), offset;
    if (object_offset(u, variable, pointer, &constant)) {
        offset = unit_constant(u->word, constant);
    } else {
        LLVMValueRef from = LLVMBuildPtrToInt(u->builder, variable, u->word, "");
        LLVMValueRef there = LLVMBuildPtrToInt(u->builder, pointer, u->word, "");
        offset = LLVMBuildSub(u->builder, there, from, "");
    }
    return LLVMBuildGEP2(u->builder, u->byte, unit_address(u, memory), &offset, 1, "");
}

static LLVMValueRef typed_place(struct unit *u, LLVMValueRef place, LLVMTypeRef type)
{
    return LLVMBuildBitCast(u->builder, place, LLVMPointerType(type, 0), "");
}

static bool is_plain_load(LLVMValueRef i)
{
    return LLVMGetInstructionOpcode(i) == LLVMLoad && LLVMGetOrdering(i) == LLVMAtomicOrderingNotAtomic;
}

static void load_shadow(struct shadows *s, LLVMValueRef load)
{
    struct unit *u = s->unit;
    LLVMValueRef memory = memory_of(s, LLVMGetOperand(load, 0));
    LLVMTypeRef type = shadow_type(u, LLVMTypeOf(load));
    if (!memory || !type)
        return;
    unit_before(u, load);
    LLVMValueRef place = typed_place(u, shadow_place(u, memory, LLVMGetOperand(load, 0)), type);
    LLVMValueRef shadow = LLVMBuildLoad2(u->builder, type, place, "");
    LLVMSetAlignment(shadow, 1);
    shadow_add(s, load, shadow);
}

void shadow_memory_open(struct shadows *s, struct escape *e, LLVMValueRef function)
{
    OWNED instruction_list fillings = unit_list(function, shadow_is_filling);
    for (size_t k = 0; k < fillings.len; k++) {
        LLVMValueRef target = target_of(fillings.data[k]), variable = target ? object_of(target) : NULL;
        if (variable)
            add_variable(s, e, variable);
    }
    OWNED instruction_list loads = {0};
    if (s->variables.len)
        loads = unit_list(function, is_plain_load);
    for (size_t k = 0; k < loads.len; k++)
        load_shadow(s, loads.data[k]);
}

static void set_shadow(struct unit *u, LLVMValueRef place, LLVMValueRef length, bool undefined)
{
    LLVMBuildMemSet(u->builder, place, unit_constant(u->byte, undefined ? 255 : 0), length, 1);
}

static void update_store(const struct shadows *s, LLVMValueRef store)
{
    struct unit *u = s->unit;
    LLVMValueRef value = LLVMGetOperand(store, 0), pointer = LLVMGetOperand(store, 1);
    LLVMValueRef memory = memory_of(s, pointer);
    LLVMTypeRef type = shadow_type(u, LLVMTypeOf(value));
    if (!memory)
        return;
    unit_before(u, store);
    LLVMValueRef place = shadow_place(u, memory, pointer);
    if (!type || shadow_is_filling(store)) {
        set_shadow(u, place, unit_constant(u->word, unit_size(u, LLVMTypeOf(value))), type != NULL);
        return;
    }
    LLVMValueRef stored = LLVMBuildStore(u->builder, shadow_of(s, value), typed_place(u, place, type));
    LLVMSetAlignment(stored, 1);
}

static void update_copy(const struct shadows *s, LLVMValueRef call)
{
    struct unit *u = s->unit;
    bool copies = !unit_calls_intrinsic(call, "llvm.memset.");
    LLVMValueRef to = LLVMGetOperand(call, 0), from = LLVMGetOperand(call, 1);
    LLVMValueRef memory = memory_of(s, to), source = copies ? memory_of(s, from) : NULL;
    if (!memory)
        return;
    unit_before(u, call);
    LLVMValueRef length = LLVMBuildZExtOrBitCast(u->builder, LLVMGetOperand(call, 2), u->word, "");
    LLVMValueRef place = shadow_place(u, memory, to);
    if (source && !shadow_is_filling(call))
        LLVMBuildMemMove(u->builder, place, 1, shadow_place(u, source, from), 1, length);
    else
        set_shadow(u, place, length, shadow_is_filling(call));
}

/* What a call or an atomic operation may write counts as defined. */
static void update_other(const struct shadows *s, LLVMValueRef i)
{
    if (unit_calls_intrinsic(i, "llvm.lifetime.") || unit_calls_intrinsic(i, "llvm.dbg."))
        return;
    for (int k = 0; k < LLVMGetNumOperands(i); k++) {
        LLVMValueRef operand = LLVMGetOperand(i, (unsigned)k);
        bool pointer = LLVMGetTypeKind(LLVMTypeOf(operand)) == LLVMPointerTypeKind;
        LLVMValueRef memory = pointer ? memory_of(s, operand) : NULL;
        if (!memory)
            continue;
        unit_before(s->unit, i);
        set_shadow(s->unit, unit_address(s->unit, memory), object_size(s->unit, memory), false);
    }
}

static bool may_write(LLVMValueRef i)
{
    LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
    return opcode == LLVMStore || opcode == LLVMAtomicRMW || opcode == LLVMAtomicCmpXchg || unit_is_call(i);
}

void shadow_memory_update(struct shadows *s, LLVMValueRef function)
{
    OWNED instruction_list writes = {0};
    if (s->variables.len)
        writes = unit_list(function, may_write);
    for (size_t k = 0; k < writes.len; k++) {
        LLVMValueRef i = writes.data[k], target = target_of(i);
        if (target && LLVMGetInstructionOpcode(i) == LLVMStore)
            update_store(s, i);
        else if (target)
            update_copy(s, i);
        else
            update_other(s, i);
    }
}
