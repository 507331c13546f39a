/* SPDX-License-Identifier: Apache-2.0 */
/* Red zones around variables whose address is known elsewhere. A variable becomes the middle of a structure with room
 * before and behind it; the runtime is given the place of the variable, and so knows that of its zones. */
#include "instrument/object_code.h"
#include "instrument/known_objects.h"
#include "instrument/passes.h"

#include <llvm-c/Comdat.h>

/* As wide as AddressSanitizer's: a multiple of 16, and wider behind large variables. */
static uint64_t width_behind(uint64_t size)
{
    uint64_t zone = size <= 4 ? 16 : size <= 128 ? 32 : size <= 512 ? 64 : size <= 4096 ? 128 : 256;
    return zone + (16 - size % 16) % 16;
}

static LLVMTypeRef room(struct unit *u, uint64_t size)
{
    return LLVMArrayType(u->byte, (unsigned)size);
}

/* ------------------------------------------------------------------ the stack */

static bool is_variable(LLVMValueRef instruction)
{
    return LLVMGetInstructionOpcode(instruction) == LLVMAlloca;
}

static uint64_t width_before(LLVMValueRef variable)
{
    unsigned alignment = LLVMGetAlignment(variable);
    return alignment > 16 ? alignment : 16;
}

/* The middle of a structure. */
static LLVMValueRef surround_fixed(struct unit *u, LLVMValueRef variable, LLVMTypeRef type, uint64_t size)
{
    LLVMTypeRef parts[] = {room(u, width_before(variable)), type, room(u, width_behind(size))};
    LLVMTypeRef whole = LLVMStructTypeInContext(u->context, parts, 3, false);
    LLVMValueRef made = LLVMBuildAlloca(u->builder, whole, "");
    LLVMSetAlignment(made, (unsigned)width_before(variable));
    LLVMValueRef middle = LLVMBuildStructGEP2(u->builder, whole, made, 1, "");
    return LLVMBuildBitCast(u->builder, middle, LLVMTypeOf(variable), "");
}

static LLVMValueRef surround_variable_length(struct unit *u, LLVMValueRef variable, LLVMValueRef size)
{
    uint64_t before = width_before(variable);
    LLVMValueRef zones = unit_constant(u->word, before + 64);
    LLVMValueRef whole = LLVMBuildAdd(u->builder, size, zones, "");
    LLVMValueRef made = LLVMBuildArrayAlloca(u->builder, u->byte, whole, "");
    LLVMSetAlignment(made, (unsigned)before);
    LLVMValueRef offset = unit_constant(u->word, before);
    LLVMValueRef middle = LLVMBuildInBoundsGEP2(u->builder, u->byte, made, &offset, 1, "");
    return LLVMBuildBitCast(u->builder, middle, LLVMTypeOf(variable), "");
}

static LLVMValueRef after_allocas(LLVMValueRef variable)
{
    while (LLVMGetInstructionOpcode(variable) == LLVMAlloca)
        variable = LLVMGetNextInstruction(variable);
    return variable;
}

static void surround_local(struct unit *u, LLVMValueRef variable)
{
    LLVMTypeRef type = LLVMGetAllocatedType(variable);
    LLVMValueRef size = object_size(u, variable), count = LLVMGetOperand(variable, 0);
    LLVMValueRef name = object_name(u, variable), made;
    bool fixed = LLVMIsAConstantInt(size);
    uint64_t bytes = fixed ? LLVMConstIntGetZExtValue(size) : 0;
    if (fixed && !bytes)
        return;
    if (fixed && LLVMConstIntGetZExtValue(count) != 1)
        type = LLVMArrayType(type, (unsigned)LLVMConstIntGetZExtValue(count));
    /* the size of a variable array stands right behind it */
    LLVMValueRef place = fixed || !LLVMIsAInstruction(size) ? variable : LLVMGetNextInstruction(size);
    unit_before(u, fixed ? after_allocas(variable) : place);
    LLVMSetCurrentDebugLocation2(u->builder, NULL);
    made = fixed ? surround_fixed(u, variable, type, bytes) : surround_variable_length(u, variable, size);
    unit_call(u, "__plumb_scope_object", u->none,
              (LLVMValueRef[]){size, unit_address(u, made), name,
                               unit_constant(u->word, fixed ? width_behind(bytes) : 64)},
              4);
    LLVMReplaceAllUsesWith(variable, made);
    LLVMInstructionEraseFromParent(variable);
}

static bool is_kept(const struct escape *e, LLVMValueRef variable)
{
    return !escape_is_shared(e, variable, true);
}

static bool is_usual(LLVMValueRef variable)
{
    LLVMTypeRef type = LLVMGetAllocatedType(variable);
    return LLVMTypeIsSized(type) && !LLVMGetPointerAddressSpace(LLVMTypeOf(variable));
}

void surround_locals(struct unit *u, const struct escape *e, LLVMValueRef function)
{
    OWNED instruction_list variables = unit_list(function, is_variable);
    for (size_t k = 0; k < variables.len; k++)
        if (is_usual(variables.data[k]) && !is_kept(e, variables.data[k]))
            surround_local(u, variables.data[k]);
}

/* ---------------------------------------------------------- static variables */

/* Of the program's source; compilers name the others so, or not at all. */
static bool is_declared(LLVMValueRef global)
{
    static const char *const others[] = {"llvm.", "plumb.", "_ZT", "_ZGV", "__llvm", "__prof", "__ubsan"};
    size_t length;
    const char *name = LLVMGetValueName2(global, &length);
    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
        if (text_starts_with(name, others[k]))
            return false;
    return length > 0;
}

static bool has_flag(struct unit *u, const char *name)
{
    return LLVMGetModuleFlag(u->module, name, strlen(name)) != NULL;
}

/* With -fPIC the variable of another module may take its place, such as the copy that a program of fixed addresses has. */
static bool may_be_replaced(struct unit *u, LLVMValueRef global)
{
    return LLVMGetLinkage(global) != LLVMInternalLinkage && LLVMGetLinkage(global) != LLVMPrivateLinkage &&
           LLVMGetVisibility(global) == LLVMDefaultVisibility && has_flag(u, "PIC Level") &&
           !has_flag(u, "PIE Level");
}

/* Other files may define it as well, and the linker takes one of the definitions: with all that is in its group. */
static bool is_merged(LLVMValueRef global)
{
    LLVMLinkage linkage = LLVMGetLinkage(global);
    return (linkage == LLVMLinkOnceODRLinkage || linkage == LLVMWeakODRLinkage) && LLVMGetComdat(global);
}

static bool is_weak(LLVMValueRef global)
{
    return LLVMGetLinkage(global) == LLVMWeakAnyLinkage && !LLVMGetComdat(global);
}

static bool is_alone(LLVMValueRef global)
{
    LLVMLinkage linkage = LLVMGetLinkage(global);
    return (linkage == LLVMExternalLinkage || linkage == LLVMInternalLinkage ||
            linkage == LLVMPrivateLinkage) &&
           !LLVMGetComdat(global);
}

static bool has_section(LLVMValueRef global)
{
    const char *name = LLVMGetSection(global);
    return name && *name;
}

static bool may_be_surrounded(struct unit *u, LLVMValueRef global)
{
    bool usual = is_alone(global) || is_merged(global) || (is_weak(global) && !LLVMIsThreadLocal(global));
    return usual && !LLVMIsDeclaration(global) && !has_section(global) &&
           !LLVMIsExternallyInitialized(global) && !LLVMGetPointerAddressSpace(LLVMTypeOf(global)) &&
           !(LLVMIsThreadLocal(global) && may_be_replaced(u, global)) &&
           unit_room(u, LLVMGlobalGetValueType(global)) > 0 && is_declared(global);
}

static void copy_debug_information(LLVMValueRef from, LLVMValueRef to)
{
    size_t count;
    LLVMValueMetadataEntry *entries = LLVMGlobalCopyAllMetadata(from, &count);
    for (size_t k = 0; k < count; k++)
        LLVMGlobalSetMetadata(to, LLVMValueMetadataEntriesGetKind(entries, (unsigned)k),
                              LLVMValueMetadataEntriesGetMetadata(entries, (unsigned)k));
    LLVMDisposeValueMetadataEntries(entries);
}

/* The name belongs to the variable alone, with its size, as before. Assembly may use it, also of a variable that is static. */
static LLVMValueRef give_name(struct unit *u, LLVMValueRef global, LLVMValueRef inside,
                              instruction_list *kept)
{
    size_t length;
    OWNED struct text name = {0};
    text_puts(&name, LLVMGetValueName2(global, &length));
    LLVMTypeRef type = LLVMGlobalGetValueType(global);
    LLVMSetValueName2(global, "", 0);
    LLVMValueRef alias = LLVMAddAlias2(u->module, type, 0, inside, name.data);
    LLVMSetLinkage(alias, LLVMGetLinkage(global));
    LLVMSetVisibility(alias, LLVMGetVisibility(global));
    LLVMSetUnnamedAddress(alias, LLVMGetUnnamedAddress(global));
    if (LLVMGetLinkage(global) == LLVMInternalLinkage)
        vec_push(kept, LLVMConstBitCast(alias, u->pointer));
    return alias;
}

/* Optimisation would put what an alias stands for in its place. */
static void keep_aliases(struct unit *u)
{
    static const char flag[] = "SemanticInterposition";
    LLVMMetadataRef yes = LLVMValueAsMetadata(unit_constant(LLVMInt32TypeInContext(u->context), 1));
    if (!has_flag(u, flag))
        LLVMAddModuleFlag(u->module, LLVMModuleFlagBehaviorError, flag, strlen(flag), yes);
}

/* A variable of its size, and the zone behind it. Its linkage comes later: once local, it would count as one of this module for ever. */
static LLVMValueRef make_surrounded(struct unit *u, LLVMValueRef global, uint64_t zone)
{
    LLVMTypeRef parts[] = {LLVMGlobalGetValueType(global), room(u, zone)};
    LLVMValueRef values[] = {LLVMGetInitializer(global), LLVMConstNull(parts[1])};
    LLVMTypeRef whole = LLVMStructTypeInContext(u->context, parts, 2, false);
    LLVMValueRef made = LLVMAddGlobal(u->module, whole, "plumb.variable");
    unsigned alignment = LLVMPreferredAlignmentOfGlobal(u->layout, global);
    LLVMSetInitializer(made, LLVMConstStructInContext(u->context, values, 2, false));
    LLVMSetGlobalConstant(made, LLVMIsGlobalConstant(global));
    LLVMSetAlignment(made, alignment > 16 ? alignment : 16);
    LLVMSetThreadLocalMode(made, LLVMGetThreadLocalMode(global));
    copy_debug_information(global, made);
    return made;
}

/* What is behind its name, where another definition may take its place, or that of each thread: it has the zone, too. */
static void take_name(LLVMValueRef global, LLVMValueRef made)
{
    size_t length;
    OWNED struct text name = {0};
    text_puts(&name, LLVMGetValueName2(global, &length));
    LLVMSetLinkage(made, LLVMGetLinkage(global));
    LLVMSetVisibility(made, LLVMGetVisibility(global));
    LLVMSetUnnamedAddress(made, LLVMGetUnnamedAddress(global));
    LLVMSetComdat(made, LLVMGetComdat(global));
    LLVMReplaceAllUsesWith(global, LLVMConstBitCast(made, LLVMTypeOf(global)));
    LLVMDeleteGlobal(global);
    LLVMSetValueName2(made, name.data, name.len);
}

static LLVMValueRef surround_alone(struct unit *u, LLVMValueRef global, LLVMValueRef made,
                                   instruction_list *kept)
{
    LLVMSetLinkage(made, LLVMPrivateLinkage);
    LLVMValueRef inside = LLVMConstBitCast(made, LLVMTypeOf(global));
    LLVMValueRef alias =
        LLVMGetLinkage(global) == LLVMPrivateLinkage ? inside : give_name(u, global, inside, kept);
    bool by_name = may_be_replaced(u, global);
    if (by_name)
        keep_aliases(u);
    LLVMReplaceAllUsesWith(global, by_name ? alias : inside);
    LLVMDeleteGlobal(global);
    return made;
}

/* The definition of this file, whatever the linker takes for the name. */
static LLVMValueRef surround_named(struct unit *u, LLVMValueRef global, LLVMValueRef made)
{
    take_name(global, made);
    LLVMValueRef here = LLVMAddAlias2(u->module, LLVMGlobalGetValueType(made), 0, made, "plumb.here");
    LLVMSetLinkage(here, LLVMInternalLinkage);
    return here;
}

/* The row of a table: place, size, width of the zone, name. */
static LLVMValueRef make_row(struct unit *u, LLVMValueRef place, uint64_t size, LLVMValueRef name)
{
    LLVMValueRef row[] = {LLVMConstBitCast(place, u->pointer), unit_constant(u->word, size),
                          unit_constant(u->word, width_behind(size)), name};
    return LLVMConstStructInContext(u->context, row, 4, false);
}

/* ------------------------------------------------------------ at the program's start */

static LLVMValueRef begin_function(struct unit *u, const char *name)
{
    LLVMTypeRef type = LLVMFunctionType(u->none, NULL, 0, false);
    LLVMValueRef function = LLVMAddFunction(u->module, name, type);
    LLVMSetLinkage(function, LLVMInternalLinkage);
    LLVMPositionBuilderAtEnd(u->builder, LLVMAppendBasicBlockInContext(u->context, function, ""));
    LLVMSetCurrentDebugLocation2(u->builder, NULL);
    return function;
}

/* Before all others. With a group: where the linker keeps that one. */
static void call_at_start(struct unit *u, LLVMValueRef function, LLVMComdatRef group)
{
    LLVMBuildRetVoid(u->builder);
    LLVMValueRef entry = LLVMAddGlobal(u->module, LLVMTypeOf(function), "plumb.at_start");
    LLVMSetInitializer(entry, function);
    LLVMSetSection(entry, ".init_array.00000");
    LLVMSetLinkage(entry, LLVMInternalLinkage);
    LLVMSetAlignment(entry, 8);
    LLVMSetComdat(function, group);
    LLVMSetComdat(entry, group);
    object_keep(u, (LLVMValueRef[]){LLVMConstBitCast(entry, u->pointer)}, 1);
}

static void note_table(struct unit *u, const LLVMValueRef *rows, size_t count, LLVMComdatRef group)
{
    LLVMValueRef content = LLVMConstArray(LLVMTypeOf(rows[0]), (LLVMValueRef *)rows, (unsigned)count);
    LLVMValueRef table = LLVMAddGlobal(u->module, LLVMTypeOf(content), "plumb.table");
    LLVMSetInitializer(table, content);
    LLVMSetLinkage(table, LLVMPrivateLinkage);
    LLVMSetGlobalConstant(table, true);
    LLVMSetComdat(table, group);
    LLVMValueRef arguments[] = {unit_address(u, table), unit_constant(u->word, count)};
    unit_call(u, "__plumb_note_objects", u->none, arguments, 2);
}

/* The address is that of the first thread. */
static void note_thread_local(struct unit *u, LLVMValueRef variable, uint64_t size, LLVMValueRef name)
{
    LLVMValueRef arguments[] = {unit_address(u, variable), unit_constant(u->word, size),
                                unit_constant(u->word, width_behind(size)), name};
    unit_call(u, "__plumb_note_thread_object", u->none, arguments, 4);
}

/* With a function of its own in its group: what is not in the group may not use it. */
static void surround_merged(struct unit *u, LLVMValueRef global)
{
    uint64_t size = unit_room(u, LLVMGlobalGetValueType(global));
    LLVMValueRef name = object_name(u, global), made = make_surrounded(u, global, width_behind(size));
    LLVMComdatRef group = LLVMGetComdat(global);
    LLVMValueRef function = begin_function(u, "plumb.note_object");
    if (LLVMIsThreadLocal(global)) {
        take_name(global, made);
        note_thread_local(u, made, size, name);
    } else {
        LLVMValueRef row = make_row(u, surround_named(u, global, made), size, name);
        note_table(u, &row, 1, group);
    }
    call_at_start(u, function, group);
}

static void surround_all(struct unit *u, const instruction_list *globals)
{
    OWNED instruction_list rows = {0}, kept = {0};
    LLVMValueRef function = begin_function(u, "plumb.note_objects");
    for (size_t k = 0; k < globals->len; k++) {
        LLVMValueRef global = globals->data[k];
        uint64_t size = unit_room(u, LLVMGlobalGetValueType(global));
        bool weak = is_weak(global);
        LLVMValueRef name = object_name(u, global), made = make_surrounded(u, global, width_behind(size));
        if (LLVMIsThreadLocal(global)) {
            take_name(global, made);
            note_thread_local(u, made, size, name);
        } else {
            made = weak ? surround_named(u, global, made) : surround_alone(u, global, made, &kept);
            vec_push(&rows, make_row(u, made, size, name));
        }
    }
    if (rows.len)
        note_table(u, rows.data, rows.len, NULL);
    else /* the code asks what is defined */
        unit_call(u, "__plumb_note_objects", u->none,
                  (LLVMValueRef[]){LLVMConstNull(u->pointer), unit_constant(u->word, 0)}, 2);
    if (kept.len)
        object_keep(u, kept.data, kept.len);
    call_at_start(u, function, NULL);
}

void surround_globals(struct unit *u)
{
    OWNED instruction_list globals = {0}, merged = {0};
    for (LLVMValueRef g = LLVMGetFirstGlobal(u->module); g; g = LLVMGetNextGlobal(g))
        if (may_be_surrounded(u, g))
            vec_push(is_merged(g) ? &merged : &globals, g);
    if (globals.len || u->promoted)
        surround_all(u, &globals);
    for (size_t k = 0; k < merged.len; k++)
        surround_merged(u, merged.data[k]);
}
