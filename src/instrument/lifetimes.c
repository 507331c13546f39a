/* SPDX-License-Identifier: Apache-2.0 */
/* Lives of variables. The compiler marks where they begin and end; a variable whose address is known elsewhere and
 * whose block is left while the function goes on is dead from there on. Ends right before a return need no call: the
 * end of the frame says as much. */
#include "instrument/passes.h"
#include "instrument/value_map.h"

static bool is_marker(LLVMValueRef instruction)
{
    return unit_calls_intrinsic(instruction, "llvm.lifetime.");
}

static LLVMValueRef marked_variable(LLVMValueRef marker)
{
    return escape_base(LLVMGetOperand(marker, LLVMGetNumArgOperands(marker) - 1));
}

/* Does nothing but a return follow? */
static bool is_last(LLVMValueRef marker)
{
    LLVMValueRef i = marker;
    while ((i = LLVMGetNextInstruction(i))) {
        if (LLVMGetInstructionOpcode(i) == LLVMRet)
            return true;
        if (unit_is_call(i) && !unit_calls_intrinsic(i, "llvm."))
            return false;
    }
    return false;
}

static void replace_marker(struct unit *u, LLVMValueRef marker)
{
    bool begins = unit_calls_intrinsic(marker, "llvm.lifetime.start.");
    LLVMValueRef size = LLVMGetOperand(marker, 0);
    if (LLVMConstIntGetSExtValue(size) < 0)
        return;
    unit_before(u, marker);
    unit_call(u, begins ? "__plumb_scope_begin" : "__plumb_scope_end", u->none,
              (LLVMValueRef[]){size, unit_address(u, LLVMGetOperand(marker, 1))}, 2);
}

void scopes_announce(struct unit *u, const struct escape *e, LLVMValueRef function)
{
    OWNED instruction_list markers = unit_list(function, is_marker);
    struct value_map ended = {0};
    for (size_t k = 0; k < markers.len && !u->accesses_only; k++) {
        LLVMValueRef variable = marked_variable(markers.data[k]);
        if (unit_calls_intrinsic(markers.data[k], "llvm.lifetime.end.") && !is_last(markers.data[k]) &&
            escape_is_shared(e, variable, true))
            value_set_add(&ended, variable);
    }
    for (size_t k = 0; k < markers.len; k++) {
        if (value_set_has(&ended, marked_variable(markers.data[k])) && !is_last(markers.data[k]))
            replace_marker(u, markers.data[k]);
        LLVMInstructionEraseFromParent(markers.data[k]);
    }
    value_map_free(&ended);
}
