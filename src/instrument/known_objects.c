/* SPDX-License-Identifier: Apache-2.0 */
#include "instrument/known_objects.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

static void add_source(struct known_sources *s, LLVMValueRef pointer)
{
    for (unsigned k = 0; k < s->count; k++)
        if (s->seen[k] == pointer)
            return;
    if (s->count < sizeof s->seen / sizeof *s->seen)
        s->seen[s->count++] = pointer;
    else
        s->failed = true;
}

LLVMOpcode known_opcode(LLVMValueRef pointer)
{
    if (LLVMIsAInstruction(pointer))
        return LLVMGetInstructionOpcode(pointer);
    return LLVMIsAConstantExpr(pointer) ? LLVMGetConstOpcode(pointer) : 0;
}

static void follow_source(struct known_sources *s, LLVMValueRef pointer)
{
    LLVMOpcode opcode = known_opcode(pointer);
    if (s->members && opcode == LLVMGetElementPtr && member_array_begins(pointer)) {
        s->failed |= s->object && s->object != pointer;
        s->object = pointer;
        return;
    }
    s->failed |= s->members && opcode == LLVMBitCast;
    switch (opcode) {
    case LLVMGetElementPtr:
    case LLVMBitCast: add_source(s, LLVMGetOperand(pointer, 0)); return;
    case LLVMSelect:
        add_source(s, LLVMGetOperand(pointer, 1));
        add_source(s, LLVMGetOperand(pointer, 2));
        return;
    case LLVMPHI:
        for (unsigned k = 0, count = LLVMCountIncoming(pointer); k < count; k++)
            add_source(s, LLVMGetIncomingValue(pointer, k));
        return;
    default: break;
    }
    if (!s->members && (LLVMIsNull(pointer) || LLVMIsUndef(pointer)))
        return; /* an access there is an error of its own */
    s->failed |= s->object && s->object != pointer;
    s->object = pointer;
}

static void follow_sources(struct known_sources *s)
{
    for (unsigned k = 0; k < s->count && !s->failed; k++)
        follow_source(s, s->seen[k]);
}

LLVMValueRef known_member_source(struct known_sources *s, LLVMValueRef pointer)
{
    *s = (struct known_sources){.seen = {pointer}, .count = 1, .members = true};
    follow_sources(s);
    bool is_step = !s->failed && s->object && known_opcode(s->object) == LLVMGetElementPtr;
    return is_step ? s->object : NULL;
}

LLVMValueRef object_of(LLVMValueRef pointer)
{
    struct known_sources s = {.seen = {pointer}, .count = 1};
    follow_sources(&s);
    bool variable = !s.failed && s.object && (LLVMIsAAllocaInst(s.object) || LLVMIsAGlobalVariable(s.object));
    return variable ? s.object : NULL;
}

/* --------------------------------------------------------------------- sizes */

/* Another file may define it with another size, or the linker may put something in its place. */
static bool has_own_size(LLVMValueRef global)
{
    switch (LLVMGetLinkage(global)) {
    case LLVMExternalLinkage:
    case LLVMInternalLinkage:
    case LLVMPrivateLinkage:
    case LLVMLinkOnceODRLinkage:
    case LLVMWeakODRLinkage: return !LLVMIsDeclaration(global) && !LLVMGetSection(global);
    default: return false;
    }
}

static LLVMValueRef variable_size(struct unit *u, LLVMValueRef alloca)
{
    uint64_t size = unit_room(u, LLVMGetAllocatedType(alloca));
    LLVMValueRef count = LLVMGetOperand(alloca, 0), element = unit_constant(u->word, size);
    if (LLVMIsAConstantInt(count))
        return unit_constant(u->word, size * LLVMConstIntGetZExtValue(count));
    unit_after(u, alloca);
    count = LLVMBuildZExtOrBitCast(u->builder, count, u->word, "");
    return LLVMBuildMul(u->builder, count, element, "");
}

LLVMValueRef object_size(struct unit *u, LLVMValueRef variable)
{
    if (LLVMIsAAllocaInst(variable))
        return variable_size(u, variable);
    return has_own_size(variable) ? unit_constant(u->word, unit_room(u, LLVMGlobalGetValueType(variable)))
                                  : NULL;
}

/* What the constant indices of one step add up to. */
static bool add_indices(struct unit *u, LLVMValueRef step, uint64_t *offset)
{
    LLVMTypeRef type = LLVMGetGEPSourceElementType(step);
    for (int k = 1, count = LLVMGetNumOperands(step); k < count; k++) {
        LLVMValueRef index = LLVMGetOperand(step, (unsigned)k);
        if (!LLVMIsAConstantInt(index))
            return false;
        uint64_t number = (uint64_t)LLVMConstIntGetSExtValue(index);
        if (k == 1) {
            *offset += number * unit_room(u, type);
        } else if (LLVMGetTypeKind(type) == LLVMStructTypeKind) {
            *offset += LLVMOffsetOfElement(u->layout, type, (unsigned)number);
            type = LLVMStructGetTypeAtIndex(type, (unsigned)number);
        } else {
            type = LLVMGetElementType(type);
            *offset += number * unit_room(u, type);
        }
    }
    return true;
}

bool object_offset(struct unit *u, LLVMValueRef variable, LLVMValueRef pointer, uint64_t *offset)
{
    for (*offset = 0; pointer != variable; pointer = LLVMGetOperand(pointer, 0)) {
        LLVMOpcode opcode = known_opcode(pointer);
        if (opcode != LLVMBitCast && (opcode != LLVMGetElementPtr || !add_indices(u, pointer, offset)))
            return false;
    }
    return true;
}

bool object_holds(struct unit *u, LLVMValueRef variable, LLVMValueRef pointer, uint64_t size)
{
    uint64_t offset;
    LLVMValueRef all = object_offset(u, variable, pointer, &offset) ? object_size(u, variable) : NULL;
    uint64_t bytes = all && LLVMIsAConstantInt(all) ? LLVMConstIntGetZExtValue(all) : 0;
    return bytes && offset <= bytes && size <= bytes - offset;
}

/* --------------------------------------------------------------------- names */

static LLVMValueRef operand_of(LLVMValueRef node, unsigned number)
{
    LLVMValueRef operands[32] = {0};
    if (!node || !LLVMIsAMDNode(node) || LLVMGetMDNodeNumOperands(node) > 32)
        return NULL;
    LLVMGetMDNodeOperands(node, operands);
    return operands[number];
}

/* As the debug information of a static variable has it. */
static const char *declared_name(struct unit *u, LLVMValueRef global, unsigned *length)
{
    size_t count;
    LLVMValueMetadataEntry *entries = LLVMGlobalCopyAllMetadata(global, &count);
    const char *found = NULL;
    for (size_t k = 0; k < count && !found; k++) {
        LLVMMetadataRef data = LLVMValueMetadataEntriesGetMetadata(entries, (unsigned)k);
        LLVMValueRef place =
            LLVMMetadataAsValue(u->context, data); /* of a variable, which has its name behind its scope */
        LLVMValueRef name = operand_of(operand_of(place, 0), 1);
        found = name ? LLVMGetMDString(name, length) : NULL;
    }
    LLVMDisposeValueMetadataEntries(entries);
    return found;
}

/* The same text is one variable. */
static LLVMValueRef add_string(struct unit *u, const char *text, size_t length)
{
    OWNED struct text name = {0};
    text_puts(&name, "plumb.name.");
    text_add(&name, text, length);
    LLVMValueRef made = LLVMGetNamedGlobal(u->module, name.data);
    if (made)
        return LLVMConstBitCast(made, u->pointer);
    LLVMValueRef content = LLVMConstStringInContext(u->context, text, (unsigned)length, false);
    made = LLVMAddGlobal(u->module, LLVMTypeOf(content), name.data);
    LLVMSetInitializer(made, content);
    LLVMSetLinkage(made, LLVMPrivateLinkage);
    LLVMSetGlobalConstant(made, true);
    LLVMSetUnnamedAddress(made, LLVMGlobalUnnamedAddr);
    LLVMSetAlignment(made, 1);
    return LLVMConstBitCast(made, u->pointer);
}

LLVMValueRef object_string(struct unit *u, const char *text)
{
    return add_string(u, text, strlen(text));
}

/* Variables without a name of their own. */
static const char *describe(LLVMValueRef variable, const char *name)
{
    bool local = LLVMIsAAllocaInst(variable) != NULL;
    if (local && strcmp(name, "vla") == 0)
        return "an array of variable length";
    if (local && !*name && LLVMGetTypeKind(LLVMGetAllocatedType(variable)) == LLVMIntegerTypeKind)
        return "a block of alloca";
    if (!local && text_starts_with(name, ".str"))
        return "a string literal";
    return !*name || strstr(name, "tmp") ? "a temporary object" : NULL;
}

LLVMValueRef object_name(struct unit *u, LLVMValueRef variable)
{
    unsigned length = 0;
    size_t whole;
    const char *name = LLVMIsAGlobalVariable(variable) ? declared_name(u, variable, &length) : NULL;
    if (name)
        return add_string(u, name, length);
    name = LLVMGetValueName2(variable, &whole);
    const char *said = describe(variable, name);
    return said ? object_string(u, said) : add_string(u, name, strcspn(name, "."));
}
