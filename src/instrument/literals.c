/* SPDX-License-Identifier: Apache-2.0 */
/* Compound literals of C live until their block ends (C11 6.5.2.5), which clang does not mark. The debug information tells the block
 * of each instruction: the literal begins where control enters its block, and ends where control leaves it. */
#include "instrument/passes.h"

#include <llvm-c/DebugInfo.h>

static bool is_literal(LLVMValueRef i)
{
    size_t length;
    return LLVMGetInstructionOpcode(i) == LLVMAlloca &&
           text_starts_with(LLVMGetValueName2(i, &length), ".compoundliteral");
}

/* ------------------------------------------------------------------ blocks of the source */

static LLVMMetadataRef outer_scope(struct unit *u, LLVMMetadataRef scope)
{
    LLVMValueRef operands[8] = {0}, node = LLVMMetadataAsValue(u->context, scope);
    if (LLVMGetMDNodeNumOperands(node) > sizeof operands / sizeof *operands)
        return NULL; /* a function: it has more of them than a block */
    LLVMGetMDNodeOperands(node, operands);
    return operands[1] ? LLVMValueAsMetadata(operands[1]) : NULL;
}

static bool is_block(LLVMMetadataRef scope)
{
    LLVMMetadataKind kind = scope ? LLVMGetMetadataKind(scope) : 0;
    return kind == LLVMDILexicalBlockMetadataKind || kind == LLVMDILexicalBlockFileMetadataKind;
}

static bool is_within(struct unit *u, LLVMMetadataRef scope, LLVMMetadataRef block)
{
    while (scope != block && is_block(scope))
        scope = outer_scope(u, scope);
    return scope == block;
}

static LLVMMetadataRef scope_of(LLVMValueRef i)
{
    LLVMMetadataRef place = LLVMInstructionGetDebugLoc(i);
    return place ? LLVMDILocationGetScope(place) : NULL;
}

/* The innermost block that has all uses; NULL: only the function. */
static LLVMMetadataRef block_of(struct unit *u, LLVMValueRef literal)
{
    LLVMMetadataRef block = NULL;
    for (LLVMUseRef use = LLVMGetFirstUse(literal); use; use = LLVMGetNextUse(use)) {
        LLVMMetadataRef scope = LLVMIsAInstruction(LLVMGetUser(use)) ? scope_of(LLVMGetUser(use)) : NULL;
        if (scope && !block)
            block = scope;
        while (scope && is_block(block) && !is_within(u, scope, block))
            block = outer_scope(u, block);
    }
    return is_block(block) ? block : NULL;
}

/* ------------------------------------------------------------------ instructions within */

struct literal_block {
    LLVMMetadataRef block;
    instruction_list variables; /* that are declared in it: what cleans them up belongs to it, too */
};

static bool is_declaration(LLVMValueRef i)
{
    return unit_calls_intrinsic(i, "llvm.dbg.declare");
}

static void find_variables(struct unit *u, LLVMValueRef function, struct literal_block *b)
{
    OWNED instruction_list declarations = unit_list(function, is_declaration);
    for (size_t k = 0; k < declarations.len; k++) {
        LLVMValueRef operands[4] = {0}, node = LLVMGetOperand(declarations.data[k], 0);
        LLVMMetadataRef scope = scope_of(declarations.data[k]);
        if (!scope || !is_within(u, scope, b->block) || LLVMGetMDNodeNumOperands(node) > 4)
            continue;
        LLVMGetMDNodeOperands(node, operands);
        if (operands[0])
            vec_push(&b->variables, operands[0]);
    }
}

static bool uses_variable(const struct literal_block *b, LLVMValueRef i)
{
    for (int n = 0; n < LLVMGetNumOperands(i); n++)
        for (size_t k = 0; k < b->variables.len; k++)
            if (escape_base(LLVMGetOperand(i, (unsigned)n)) == b->variables.data[k])
                return true;
    return false;
}

/* Jumps, and what clang keeps for what is cleaned up before a jump arrives, have the places of other blocks. */
static bool has_no_block(LLVMValueRef i)
{
    LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
    bool accesses = opcode == LLVMStore || opcode == LLVMLoad;
    size_t length;
    const char *name = accesses ? LLVMGetValueName2(LLVMGetOperand(i, opcode == LLVMStore), &length) : "";
    return opcode == LLVMBr || opcode == LLVMSwitch || opcode == LLVMPHI || opcode == LLVMBitCast ||
           text_starts_with(name, "cleanup.");
}

static bool is_inside(struct unit *u, const struct literal_block *b, LLVMValueRef i, bool before)
{
    LLVMMetadataRef scope = scope_of(i);
    if (scope && (is_within(u, scope, b->block) || uses_variable(b, i)))
        return true;
    return scope && !has_no_block(i) ? false : before;
}

static bool ends_inside(struct unit *u, const struct literal_block *b, LLVMBasicBlockRef code, bool before)
{
    for (LLVMValueRef i = LLVMGetFirstInstruction(code); i; i = LLVMGetNextInstruction(i))
        before = is_inside(u, b, i, before);
    return before;
}

enum { JUMPS_MAX = 8 }; /* to jumps, before the end of the block is not looked for any more */

/* Is the code entered from within the block, on some way? */
static bool begins_inside(struct unit *u, const struct literal_block *b, LLVMBasicBlockRef code, int jumps)
{
    LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(code));
    for (; use && jumps < JUMPS_MAX; use = LLVMGetNextUse(use)) {
        LLVMValueRef jump = LLVMGetUser(use);
        LLVMBasicBlockRef from = LLVMIsATerminatorInst(jump) ? LLVMGetInstructionParent(jump) : NULL;
        if (from && (ends_inside(u, b, from, false) ||
                     (ends_inside(u, b, from, true) && begins_inside(u, b, from, jumps + 1))))
            return true;
    }
    return false;
}

/* ------------------------------------------------------------------ markers */

static void mark(struct unit *u, LLVMValueRef at, const char *name, LLVMValueRef literal)
{
    unit_before(u, at);
    LLVMValueRef marker = unit_intrinsic(u, name);
    uint64_t size = unit_room(u, LLVMGetAllocatedType(literal));
    LLVMValueRef arguments[] = {unit_constant(u->word, size), unit_address(u, literal)};
    LLVMBuildCall2(u->builder, LLVMGlobalGetValueType(marker), marker, arguments, 2, "");
}

struct crossing {
    LLVMValueRef at;
    bool enters;
};
typedef VEC(struct crossing) crossing_list;

static crossing_list find_crossings(struct unit *u, LLVMValueRef function, const struct literal_block *b)
{
    crossing_list found = {0};
    LLVMBasicBlockRef code = LLVMGetFirstBasicBlock(function);
    for (; code; code = LLVMGetNextBasicBlock(code)) {
        bool inside = begins_inside(u, b, code, 0);
        for (LLVMValueRef i = LLVMGetFirstInstruction(code); i; i = LLVMGetNextInstruction(i)) {
            bool now = is_inside(u, b, i, inside);
            if (now == inside || LLVMIsAAllocaInst(i) || LLVMIsALandingPadInst(i))
                continue;
            vec_push(&found, ((struct crossing){i, now}));
            inside = now;
        }
    }
    return found;
}

/* All literals of the block. */
static void mark_block(struct unit *u, LLVMValueRef function, LLVMMetadataRef block,
                       const instruction_list *of)
{
    struct literal_block b = {.block = block};
    find_variables(u, function, &b);
    OWNED crossing_list found = find_crossings(u, function, &b);
    for (size_t k = 0; k < found.len; k++)
        for (size_t n = 0; n < of->len; n++)
            mark(u, found.data[k].at, found.data[k].enters ? "llvm.lifetime.start" : "llvm.lifetime.end",
                 of->data[n]);
    vec_free(&b.variables);
}

void literals_mark(struct unit *u, LLVMValueRef function)
{
    OWNED instruction_list literals = unit_list(function, is_literal);
    OWNED VEC(LLVMMetadataRef) blocks = {0};
    for (size_t k = 0; k < literals.len; k++)
        vec_push(&blocks, block_of(u, literals.data[k]));
    for (size_t k = 0; k < literals.len; k++) {
        OWNED instruction_list same = {0};
        LLVMMetadataRef block = blocks.data[k];
        for (size_t n = k; n < literals.len && block; n++)
            if (blocks.data[n] == block) {
                blocks.data[n] = NULL;
                vec_push(&same, literals.data[n]);
            }
        if (block)
            mark_block(u, function, block, &same);
    }
}
