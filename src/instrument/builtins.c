/* SPDX-License-Identifier: Apache-2.0 */
/* The optimiser knows functions of the C library by name and would drop copies that nobody reads, allocations that are
 * only freed, comparisons whose result is known. And it believes what the user declares (`pure`, `const`): calls whose result is not
 * used, or known from an earlier one, would go. So would loops without accesses that never end, which C and C++ do not allow. */
#include "instrument/passes.h"

#include <string.h>

/* LLVM 16 has one attribute for what a function accesses. */
static const char *const promises[] = {"readnone", "readonly", "memory", "mustprogress", "willreturn"};

static void forget_promises(LLVMValueRef function, const instruction_list *calls)
{
    for (size_t k = 0; k < sizeof promises / sizeof *promises; k++) {
        unsigned kind = LLVMGetEnumAttributeKindForName(promises[k], strlen(promises[k]));
        if (!kind)
            continue;
        LLVMRemoveEnumAttributeAtIndex(function, LLVMAttributeFunctionIndex, kind);
        for (size_t i = 0; i < calls->len; i++)
            LLVMRemoveCallSiteEnumAttribute(calls->data[i], LLVMAttributeFunctionIndex, kind);
    }
}

static bool is_branch(LLVMValueRef i)
{
    return LLVMGetInstructionOpcode(i) == LLVMBr;
}

/* A loop of C is said to end by itself. */
static void forget_loops(LLVMValueRef function)
{
    OWNED instruction_list branches = unit_list(function, is_branch);
    for (size_t k = 0; k < branches.len; k++)
        LLVMSetMetadata(branches.data[k], LLVMGetMDKindID("llvm.loop", 9), NULL);
}

void builtins_forget(struct unit *u, LLVMValueRef function)
{
    unsigned builtin = LLVMGetEnumAttributeKindForName("builtin", 7),
             no_builtin = LLVMGetEnumAttributeKindForName("nobuiltin", 9);
    if (LLVMGetIntrinsicID(function))
        return;
    LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex,
                            LLVMCreateStringAttribute(u->context, "no-builtins", 11, "", 0));
    /* else what the name promises is inferred, such as that strnlen only reads */
    if (LLVMIsDeclaration(function))
        LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex,
                                LLVMCreateEnumAttribute(u->context, no_builtin, 0));
    OWNED instruction_list calls = unit_list(function, unit_is_call);
    for (size_t k = 0; k < calls.len; k++)
        LLVMRemoveCallSiteEnumAttribute(calls.data[k], LLVMAttributeFunctionIndex, builtin);
    forget_promises(function, &calls);
    forget_loops(function);
}
