/* SPDX-License-Identifier: Apache-2.0 */
/* Arrays and structures on the stack that no other code knows: a second variable has the shadow of each byte. */
#include "instrument/known_objects.h"
#include "instrument/passes.h"
#include "instrument/shadows.h"

enum { LARGEST = 1 << 16 }; /* bytes of a variable with a shadow of its own */

/* ------------------------------------------------------------------ variables */

static LLVMValueRef memory_of(const struct shadows *s, LLVMValueRef pointer)
{
    LLVMValueRef object = s->memories.keys.len ? object_of(pointer) : NULL;
    return object ? value_map_get(&s->memories, object) : NULL;
}

bool shadow_memory_has(const struct shadows *s, LLVMValueRef pointer)
{
    return memory_of(s, pointer);
}

/* Does every address in the variable show that it is one? */
static bool follow(LLVMValueRef variable, struct value_map *derived)
{
    value_set_add(derived, variable);
    for (size_t k = 0; k < derived->keys.len; k++) {
        if (object_of(derived->keys.data[k]) != variable)
            return false;
        for (LLVMUseRef use = LLVMGetFirstUse(derived->keys.data[k]); use; use = LLVMGetNextUse(use)) {
            LLVMValueRef user = LLVMGetUser(use);
            LLVMOpcode opcode = LLVMIsAInstruction(user) ? LLVMGetInstructionOpcode(user) : 0;
            if (opcode == LLVMGetElementPtr || opcode == LLVMBitCast || opcode == LLVMPHI ||
                opcode == LLVMSelect)
                value_set_add(derived, user);
        }
    }
    return true;
}

static bool is_followed(LLVMValueRef variable)
{
    struct value_map derived = {0};
    bool followed = follow(variable, &derived);
    value_map_free(&derived);
    return followed;
}

LLVMValueRef shadow_target(LLVMValueRef i)
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
    accesses_note_announced(u, LLVMBuildMemSet(u->builder, unit_address(u, memory), unit_constant(u->byte, 0),
                                               unit_constant(u->word, size), 16));
    return memory;
}

/* One that cannot have a shadow here counts as known elsewhere: the runtime keeps its shadow. */
static void add_variable(struct shadows *s, struct escape *e, LLVMValueRef variable, bool filled)
{
    if (!LLVMIsAAllocaInst(variable) || value_set_has(&s->memories, variable) ||
        escape_is_shared(e, variable, true))
        return;
    LLVMValueRef size = object_size(s->unit, variable);
    uint64_t bytes = LLVMIsAConstantInt(size) ? LLVMConstIntGetZExtValue(size) : 0;
    if (!bytes || bytes > LARGEST || !is_followed(variable)) {
        if (filled)
            escape_drop(e, variable);
        return;
    }
    LLVMValueRef memory = add_memory(s->unit, variable, bytes);
    value_map_add(&s->memories, variable, memory);
    escape_keep(e, memory);
}

/* May it write what is not defined? */
static bool brings_shadow(LLVMValueRef i)
{
    if (!shadow_target(i) || unit_calls_intrinsic(i, "llvm.memset."))
        return false;
    bool store = LLVMGetInstructionOpcode(i) == LLVMStore;
    LLVMValueRef from = LLVMGetOperand(i, store ? 0 : 1);
    if (store)
        return shadow_may_be_undefined(from);
    return !LLVMIsAGlobalVariable(escape_base(from));
}

static void add_variables(struct shadows *s, struct escape *e, LLVMValueRef function,
                          instruction_test *wanted, bool filled)
{
    OWNED instruction_list list = unit_list(function, wanted);
    for (size_t k = 0; k < list.len; k++) {
        LLVMValueRef target = shadow_target(list.data[k]), variable = target ? object_of(target) : NULL;
        if (variable)
            add_variable(s, e, variable, filled);
    }
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
    value_map_add(&s->shadows, load, shadow);
}

void shadow_memory_open(struct shadows *s, struct escape *e, LLVMValueRef function)
{
    add_variables(s, e, function, shadow_is_filling, true);
    add_variables(s, e, function, brings_shadow, false);
    OWNED instruction_list loads = {0};
    if (s->memories.keys.len)
        loads = unit_list(function, is_plain_load);
    for (size_t k = 0; k < loads.len; k++)
        load_shadow(s, loads.data[k]);
}

static void set_shadow(struct unit *u, LLVMValueRef place, LLVMValueRef length, bool undefined)
{
    LLVMValueRef set = unit_constant(u->byte, undefined ? 255 : 0);
    accesses_note_announced(u, LLVMBuildMemSet(u->builder, place, set, length, 1));
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

/* Between a variable and memory whose shadow the runtime has. */
static void exchange_shadow(struct unit *u, const char *name, LLVMValueRef to, LLVMValueRef from,
                            LLVMValueRef length)
{
    LLVMValueRef arguments[] = {unit_address(u, to), unit_address(u, from), length};
    unit_call(u, name, u->none, arguments, 3);
}

static void update_copy(const struct shadows *s, LLVMValueRef call)
{
    struct unit *u = s->unit;
    bool copies = !unit_calls_intrinsic(call, "llvm.memset.") && !shadow_is_filling(call);
    LLVMValueRef to = LLVMGetOperand(call, 0), from = LLVMGetOperand(call, 1);
    LLVMValueRef memory = memory_of(s, to), source = copies ? memory_of(s, from) : NULL;
    if (!memory && !source)
        return;
    memory ? unit_before(u, call) : unit_after(u, call);
    LLVMValueRef length = LLVMBuildZExtOrBitCast(u->builder, LLVMGetOperand(call, 2), u->word, "");
    LLVMValueRef place = memory ? shadow_place(u, memory, to) : NULL;
    if (!memory)
        exchange_shadow(u, "__plumb_undefined_put", to, shadow_place(u, source, from), length);
    else if (source)
        accesses_note_announced(
            u, LLVMBuildMemMove(u->builder, place, 1, shadow_place(u, source, from), 1, length));
    else if (copies && !LLVMIsAGlobalVariable(escape_base(from)))
        exchange_shadow(u, "__plumb_undefined_get", place, from, length);
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
    if (s->memories.keys.len)
        writes = unit_list(function, may_write);
    for (size_t k = 0; k < writes.len; k++) {
        LLVMValueRef i = writes.data[k], target = shadow_target(i);
        if (target && LLVMGetInstructionOpcode(i) == LLVMStore)
            update_store(s, i);
        else if (target)
            update_copy(s, i);
        else
            update_other(s, i);
    }
}
