/* SPDX-License-Identifier: Apache-2.0 */
/* Arrays that are members of structures. A pointer that this function has made from such an array, and moved by elements of the
 * array only, has to stay inside of it when it is used. Casts end that (container_of, unions, bytes of a structure), and so
 * do arrays that may be longer than they say: of one element or none, and at the end of their structure. */
#include "instrument/known_objects.h"

#include <stdio.h>

static LLVMTypeRef step_into(LLVMTypeRef type, LLVMValueRef index)
{
    if (LLVMGetTypeKind(type) == LLVMStructTypeKind)
        return LLVMStructGetTypeAtIndex(type, (unsigned)LLVMConstIntGetZExtValue(index));
    return LLVMGetElementType(type);
}

static bool is_array(LLVMTypeRef type)
{
    return LLVMGetTypeKind(type) == LLVMArrayTypeKind;
}

static bool is_padding(LLVMTypeRef type)
{
    return is_array(type) && LLVMGetTypeKind(LLVMGetElementType(type)) == LLVMIntegerTypeKind &&
           LLVMGetIntTypeWidth(LLVMGetElementType(type)) == 8;
}

/* Does the structure end with this member, but for padding? */
static bool is_last(LLVMTypeRef structure, unsigned member)
{
    unsigned count = LLVMCountStructElementTypes(structure);
    LLVMTypeRef type = LLVMStructGetTypeAtIndex(structure, member);
    bool bytes = is_padding(type);
    for (unsigned k = member + 1; k < count; k++)
        if (bytes || !is_padding(LLVMStructGetTypeAtIndex(structure, k)))
            return false;
    return true;
}

static bool is_counted(LLVMTypeRef structure, LLVMValueRef index)
{
    unsigned member = (unsigned)LLVMConstIntGetZExtValue(index);
    LLVMTypeRef type = LLVMStructGetTypeAtIndex(structure, member);
    return is_array(type) && LLVMGetArrayLength(type) > 1 && !is_last(structure, member);
}

/* How many operands of the offset lead to the last array that is a member; 0: there is none, or it may be longer. */
static unsigned find_member(LLVMValueRef offset, LLVMTypeRef *structure)
{
    LLVMTypeRef type = LLVMGetGEPSourceElementType(offset);
    unsigned found = 0;
    for (unsigned k = 2, count = (unsigned)LLVMGetNumOperands(offset); k < count; k++) {
        LLVMValueRef index = LLVMGetOperand(offset, k);
        bool is_structure = LLVMGetTypeKind(type) == LLVMStructTypeKind;
        if (is_structure)
            found = is_counted(type, index) ? k + 1 : 0;
        if (is_structure && found)
            *structure = type;
        type = step_into(type, index);
    }
    return found;
}

static LLVMTypeRef type_behind(LLVMValueRef offset, unsigned operands)
{
    LLVMTypeRef type = LLVMGetGEPSourceElementType(offset);
    for (unsigned k = 2; k < operands; k++)
        type = step_into(type, LLVMGetOperand(offset, k));
    return type;
}

/* `offset` steps into an array: from the structure, or from the array, to which another offset has led. */
static bool begins(LLVMValueRef offset, struct member_array *m)
{
    unsigned count = (unsigned)LLVMGetNumOperands(offset);
    LLVMValueRef from = LLVMGetOperand(offset, 0);
    LLVMTypeRef source = LLVMGetGEPSourceElementType(offset);
    if (is_array(source)) {
        if (known_opcode(from) != LLVMGetElementPtr || !LLVMIsNull(LLVMGetOperand(offset, 1)))
            return false;
        m->operands = find_member(from, &m->structure);
        m->offset = from;
        return m->operands == (unsigned)LLVMGetNumOperands(from) && type_behind(from, m->operands) == source;
    }
    m->operands = find_member(offset, &m->structure);
    m->offset = offset;
    return m->operands && m->operands < count;
}

/* Elements of the array, or arrays of them. */
static bool is_step(LLVMTypeRef array, LLVMTypeRef type)
{
    while (is_array(array)) {
        array = LLVMGetElementType(array);
        if (array == type)
            return true;
    }
    return false;
}

bool member_array_begins(LLVMValueRef offset)
{
    struct member_array m;
    return begins(offset, &m);
}

bool member_array_find(LLVMValueRef pointer, LLVMTypeRef accessed, struct member_array *m)
{
    struct known_sources s;
    LLVMValueRef start = known_member_source(&s, pointer);
    if (!start || !begins(start, m))
        return false;
    m->array = type_behind(m->offset, m->operands);
    LLVMTypeRef element = m->array;
    for (unsigned k = 0; k < s.count; k++)
        if (s.seen[k] != start && known_opcode(s.seen[k]) == LLVMGetElementPtr &&
            !is_step(m->array, LLVMGetGEPSourceElementType(s.seen[k])))
            return false;
    while (is_array(element))
        element = LLVMGetElementType(element);
    return element == accessed || LLVMGetTypeKind(element) == LLVMStructTypeKind;
}

LLVMValueRef member_array_index(const struct member_array *m, LLVMValueRef pointer)
{
    bool one_step = known_opcode(pointer) == LLVMGetElementPtr && LLVMGetOperand(pointer, 0) == m->offset &&
                    LLVMGetGEPSourceElementType(pointer) == m->array && LLVMGetNumOperands(pointer) == 3;
    return one_step ? LLVMGetOperand(pointer, 2) : NULL;
}

LLVMValueRef member_array_place(struct unit *u, const struct member_array *m)
{
    OWNED instruction_list indices = {0};
    if (m->operands == (unsigned)LLVMGetNumOperands(m->offset))
        return m->offset;
    for (unsigned k = 1; k < m->operands; k++)
        vec_push(&indices, LLVMGetOperand(m->offset, k));
    return LLVMBuildInBoundsGEP2(u->builder, LLVMGetGEPSourceElementType(m->offset),
                                 LLVMGetOperand(m->offset, 0), indices.data, (unsigned)indices.len, "");
}

/* Structures are called "struct.s" or "class.ring.4". */
LLVMValueRef member_array_name(struct unit *u, const struct member_array *m)
{
    const char *name = LLVMGetStructName(m->structure), *behind = name ? strchr(name, '.') : NULL;
    char text[160];
    snprintf(text, sizeof text, behind ? "an array in %.100s" : "an array in a structure%.0s",
             behind ? behind + 1 : "");
    return object_string(u, text);
}
