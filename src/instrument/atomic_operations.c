/* SPDX-License-Identifier: Apache-2.0 */
/* Atomic operations of 1 to 16 bytes and fences: the runtime performs them. */
#include "instrument/passes.h"

#include <stdio.h>

/* As in C: 0 relaxed, 2 acquire, 3 release, 4 both, 5 sequentially consistent. */
static LLVMValueRef order_constant(struct unit *u, LLVMAtomicOrdering order)
{
    uint64_t number = order == LLVMAtomicOrderingAcquire                  ? 2
                      : order == LLVMAtomicOrderingRelease                ? 3
                      : order == LLVMAtomicOrderingAcquireRelease         ? 4
                      : order == LLVMAtomicOrderingSequentiallyConsistent ? 5
                                                                          : 0;
    return unit_constant(LLVMInt32TypeInContext(u->context), number);
}

/* Between a type and the number that hooks take. */
static LLVMValueRef convert(struct unit *u, LLVMValueRef value, LLVMTypeRef type)
{
    bool from_pointer = LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind;
    bool to_pointer = LLVMGetTypeKind(type) == LLVMPointerTypeKind;
    if (from_pointer == to_pointer)
        return LLVMBuildBitCast(u->builder, value, type, "");
    return from_pointer ? LLVMBuildPtrToInt(u->builder, value, type, "")
                        : LLVMBuildIntToPtr(u->builder, value, type, "");
}

/* The number type of a value's size, and the name of the hook; NULL if there is none. */
static LLVMTypeRef find_hook(struct unit *u, LLVMTypeRef type, const char *operation, char name[64])
{
    uint64_t size = unit_size(u, type);
    if (size > 16 || (size & (size - 1)))
        return NULL;
    snprintf(name, 64, "__tsan_atomic%d_%s", (int)size * 8, operation);
    return LLVMIntTypeInContext(u->context, (unsigned)size * 8);
}

static void replace(LLVMValueRef instruction, LLVMValueRef value)
{
    if (value)
        LLVMReplaceAllUsesWith(instruction, value);
    LLVMInstructionEraseFromParent(instruction);
}

static bool replace_load(struct unit *u, LLVMValueRef load)
{
    char name[64];
    LLVMTypeRef type = LLVMTypeOf(load), number = find_hook(u, type, "load", name);
    if (!number)
        return false;
    LLVMValueRef arguments[] = {unit_address(u, LLVMGetOperand(load, 0)),
                                order_constant(u, LLVMGetOrdering(load))};
    replace(load, convert(u, unit_call(u, name, number, arguments, 2), type));
    return true;
}

static bool replace_store(struct unit *u, LLVMValueRef store)
{
    char name[64];
    LLVMValueRef value = LLVMGetOperand(store, 0);
    LLVMTypeRef number = find_hook(u, LLVMTypeOf(value), "store", name);
    if (!number)
        return false;
    LLVMValueRef arguments[] = {unit_address(u, LLVMGetOperand(store, 1)), convert(u, value, number),
                                order_constant(u, LLVMGetOrdering(store))};
    unit_call(u, name, u->none, arguments, 3);
    replace(store, NULL);
    return true;
}

static const char *operation_name(LLVMValueRef update)
{
    switch (LLVMGetAtomicRMWBinOp(update)) {
    case LLVMAtomicRMWBinOpXchg: return "exchange";
    case LLVMAtomicRMWBinOpAdd: return "fetch_add";
    case LLVMAtomicRMWBinOpSub: return "fetch_sub";
    case LLVMAtomicRMWBinOpAnd: return "fetch_and";
    case LLVMAtomicRMWBinOpOr: return "fetch_or";
    case LLVMAtomicRMWBinOpXor: return "fetch_xor";
    case LLVMAtomicRMWBinOpNand: return "fetch_nand";
    default: return NULL;
    }
}

static bool replace_update(struct unit *u, LLVMValueRef update)
{
    char name[64];
    const char *operation = operation_name(update);
    LLVMTypeRef type = LLVMTypeOf(update), number = operation ? find_hook(u, type, operation, name) : NULL;
    if (!number)
        return false;
    LLVMValueRef arguments[] = {unit_address(u, LLVMGetOperand(update, 0)),
                                convert(u, LLVMGetOperand(update, 1), number),
                                order_constant(u, LLVMGetOrdering(update))};
    replace(update, convert(u, unit_call(u, name, number, arguments, 3), type));
    return true;
}

/* A variable of 16 bytes for what the exchanges of a function expect. */
static LLVMValueRef add_expected(struct unit *u, struct escape *e, LLVMValueRef function)
{
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(u->context);
    LLVMPositionBuilderBefore(builder, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function)));
    LLVMValueRef variable = LLVMBuildAlloca(builder, LLVMIntTypeInContext(u->context, 128), "");
    LLVMSetAlignment(variable, 16);
    LLVMDisposeBuilder(builder);
    escape_keep(e, variable);
    return variable;
}

/* The hook gets the address of what is expected, which becomes what was found instead, and says whether it has exchanged:
 * a weak one may fail although it found that. `place` is NULL for `plumb prove`, whose hook returns what it found. */
static bool replace_exchange(struct unit *u, LLVMValueRef exchange, LLVMValueRef place)
{
    char name[64];
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(exchange, 1));
    const char *operation = !place                  ? "compare_exchange_val"
                            : LLVMGetWeak(exchange) ? "compare_exchange_weak"
                                                    : "compare_exchange_strong";
    LLVMTypeRef number = find_hook(u, type, operation, name);
    if (!number)
        return false;
    LLVMValueRef expected = convert(u, LLVMGetOperand(exchange, 1), number);
    LLVMValueRef arguments[] = {unit_address(u, LLVMGetOperand(exchange, 0)), expected,
                                convert(u, LLVMGetOperand(exchange, 2), number),
                                order_constant(u, LLVMGetCmpXchgSuccessOrdering(exchange)),
                                order_constant(u, LLVMGetCmpXchgFailureOrdering(exchange))};
    LLVMValueRef old, done;
    if (place) {
        place = LLVMBuildBitCast(u->builder, place, LLVMPointerType(number, 0), "");
        LLVMBuildStore(u->builder, expected, place);
        arguments[1] = unit_address(u, place);
        done = unit_call(u, name, u->byte, arguments, 5);
        done = LLVMBuildICmp(u->builder, LLVMIntNE, done, LLVMConstNull(LLVMTypeOf(done)), "");
        old = LLVMBuildLoad2(u->builder, number, place, "");
    } else {
        old = unit_call(u, name, number, arguments, 5);
        done = LLVMBuildICmp(u->builder, LLVMIntEQ, old, expected, "");
    }
    LLVMValueRef pair = LLVMGetUndef(LLVMTypeOf(exchange));
    pair = LLVMBuildInsertValue(u->builder, pair, convert(u, old, type), 0, "");
    replace(exchange, LLVMBuildInsertValue(u->builder, pair, done, 1, ""));
    return true;
}

/* The C API of LLVM 14 has no function for the order of a fence. */
static LLVMAtomicOrdering fence_order(const char *text)
{
    return strstr(text, " acq_rel")   ? LLVMAtomicOrderingAcquireRelease
           : strstr(text, " acquire") ? LLVMAtomicOrderingAcquire
           : strstr(text, " release") ? LLVMAtomicOrderingRelease
                                      : LLVMAtomicOrderingSequentiallyConsistent;
}

static void replace_fence(struct unit *u, LLVMValueRef fence)
{
    char *text = LLVMPrintValueToString(fence);
    const char *name =
        strstr(text, "\"singlethread\"") ? "__tsan_atomic_signal_fence" : "__tsan_atomic_thread_fence";
    unit_call(u, name, u->none, (LLVMValueRef[]){order_constant(u, fence_order(text))}, 1);
    LLVMDisposeMessage(text);
    replace(fence, NULL);
}

static bool is_atomic(LLVMValueRef i)
{
    LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
    if (opcode == LLVMLoad || opcode == LLVMStore)
        return LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic;
    return opcode == LLVMAtomicRMW || opcode == LLVMAtomicCmpXchg || opcode == LLVMFence;
}

static bool expects(struct unit *u, LLVMValueRef i)
{
    return !u->accesses_only && LLVMIsAAtomicCmpXchgInst(i);
}

static bool replace_atomic(struct unit *u, LLVMValueRef i, LLVMValueRef expected)
{
    LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
    if (opcode == LLVMFence) {
        replace_fence(u, i);
        return true;
    }
    if (LLVMGetPointerAddressSpace(LLVMTypeOf(LLVMGetOperand(i, opcode == LLVMStore))))
        return false;
    switch (opcode) {
    case LLVMLoad: return replace_load(u, i);
    case LLVMStore: return replace_store(u, i);
    case LLVMAtomicRMW: return replace_update(u, i);
    default: return replace_exchange(u, i, expects(u, i) ? expected : NULL);
    }
}

void atomics_replace(struct unit *u, struct escape *e, LLVMValueRef function)
{
    OWNED instruction_list list = unit_list(function, is_atomic);
    LLVMValueRef expected = NULL;
    for (size_t k = 0; k < list.len; k++) {
        if (!expected && expects(u, list.data[k]))
            expected = add_expected(u, e, function);
        unit_before(u, list.data[k]);
        if (!replace_atomic(u, list.data[k], expected))
            unit_note_gap(u, "access", list.data[k]);
    }
}
