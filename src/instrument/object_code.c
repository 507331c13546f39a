/* SPDX-License-Identifier: Apache-2.0 */
#include "instrument/object_code.h"

#include "base/memory.h"
#include "instrument/escape.h"

#include <llvm-c/BitReader.h>
#include <llvm-c/Comdat.h>
#include <llvm-c/Support.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <llvm-c/Error.h>
#include <llvm/Config/llvm-config.h>
#include <stdio.h>
#include <stdlib.h>

/* The number behind the word, as in "clang version 14.0.6". */
static unsigned version_behind(const char *text, const char *word)
{
    const char *found = text ? strstr(text, word) : NULL;
    return found ? (unsigned)strtoul(found + strlen(word), NULL, 10) : 0;
}

/* Of the clang that wrote the module; 0: not known. */
static unsigned module_version(LLVMModuleRef module)
{
    static const char identity[] = "llvm.ident";
    unsigned count = LLVMGetNamedMetadataNumOperands(module, identity), version = 0, length;
    OWNED LLVMValueRef *nodes = NEW_ZEROED(LLVMValueRef, count + 1);
    LLVMGetNamedMetadataOperands(module, identity, nodes);
    for (unsigned k = 0; k < count; k++) {
        LLVMValueRef text;
        LLVMGetMDNodeOperands(nodes[k], &text);
        unsigned one = version_behind(LLVMGetMDString(text, &length), "clang version ");
        version = one > version ? one : version;
    }
    return version;
}

static char *explain_version(unsigned version)
{
    OWNED struct text t = {0};
    text_printf(
        &t,
        "this was compiled by clang %u, and plumb-instrument was built with LLVM %d, which understands "
        "clang up to %d: use --cc clang-%d or --cc gcc (PLUMB_CC), or build Plumbline with "
        "LLVM_CONFIG=llvm-config-%u",
        version, LLVM_VERSION_MAJOR, LLVM_VERSION_MAJOR, LLVM_VERSION_MAJOR, version);
    return LLVMCreateMessage(t.data);
}

void object_note_error(LLVMDiagnosticInfoRef info, void *first)
{
    char **message = first;
    if (LLVMGetDiagInfoSeverity(info) == LLVMDSError && !*message)
        *message = LLVMGetDiagInfoDescription(info);
}

LLVMModuleRef object_read(LLVMContextRef context, const char *path, char **message)
{
    LLVMMemoryBufferRef buffer;
    LLVMModuleRef module = NULL;
    char *said = NULL;
    if (LLVMCreateMemoryBufferWithContentsOfFile(path, &buffer, message))
        return NULL;
    LLVMContextSetDiagnosticHandler(context, object_note_error, &said);
    bool read = !LLVMParseBitcodeInContext2(context, buffer, &module);
    LLVMContextSetDiagnosticHandler(context, NULL, NULL);
    LLVMDisposeMemoryBuffer(buffer);
    unsigned version = read ? module_version(module) : version_behind(said, "Producer: 'LLVM");
    if (version > LLVM_VERSION_MAJOR)
        *message = explain_version(version);
    else if (!read)
        *message = said ? said : LLVMCreateMessage("this is no bitcode of LLVM");
    return *message ? NULL : module;
}

/* ------------------------------------------------------------------- machine */

static uint64_t module_flag(LLVMModuleRef module, const char *name)
{
    LLVMMetadataRef flag = LLVMGetModuleFlag(module, name, strlen(name));
    LLVMValueRef value = flag ? LLVMMetadataAsValue(LLVMGetModuleContext(module), flag) : NULL;
    /* a number as metadata has it as its only operand */
    return value && LLVMIsAConstantInt(value) ? LLVMConstIntGetZExtValue(value) : 0;
}

/* Code for this machine is what is wanted nearly always; to know all the others takes long, and not every build has them. */
static bool find_target(const char *triple, LLVMTargetRef *target, char **message)
{
    LLVMInitializeNativeTarget();
    LLVMInitializeNativeAsmPrinter();
    LLVMInitializeNativeAsmParser();
    if (!LLVMGetTargetFromTriple(triple, target, message))
        return true;
    LLVMDisposeMessage(*message);
#if defined PLUMB_NATIVE_ONLY
    *message = strdup("code for another machine; this plumb-instrument was built for its own machine only");
    return false;
#else
    LLVMInitializeAllTargetInfos();
    LLVMInitializeAllTargets();
    LLVMInitializeAllTargetMCs();
    LLVMInitializeAllAsmPrinters();
    LLVMInitializeAllAsmParsers();
    return !LLVMGetTargetFromTriple(triple, target, message);
#endif
}

const struct object_level *object_find_level(const char *option)
{
    static const struct object_level levels[] = {{"-O0", "default<O0>", LLVMCodeGenLevelNone},
                                                 {"-O", "default<O1>", LLVMCodeGenLevelLess},
                                                 {"-O1", "default<O1>", LLVMCodeGenLevelLess},
                                                 {"-Og", "default<O1>", LLVMCodeGenLevelLess},
                                                 {"-O2", "default<O2>", LLVMCodeGenLevelDefault},
                                                 {"-Os", "default<Os>", LLVMCodeGenLevelDefault},
                                                 {"-Oz", "default<Oz>", LLVMCodeGenLevelDefault},
                                                 {"-O3", "default<O3>", LLVMCodeGenLevelAggressive},
                                                 {"-O4", "default<O3>", LLVMCodeGenLevelAggressive},
                                                 {"-Ofast", "default<O3>", LLVMCodeGenLevelAggressive}};
    for (size_t k = 0; k < sizeof levels / sizeof *levels; k++)
        if (strcmp(levels[k].option, option) == 0)
            return &levels[k];
    return option[1] == 'O' && option[2] > '4' && option[2] <= '9' ? object_find_level("-O3") : NULL;
}

/* Each variable has a place of its own on the stack, which debug information tells. */
void object_set_options(const char *const *options, size_t count)
{
    static const char *const own[] = {"plumb-instrument", "-no-stack-coloring",
                                      "-instcombine-lower-dbg-declare=0", "-generate-arange-section"};
    OWNED VEC(const char *) all = {0};
    for (size_t k = 0; k < sizeof own / sizeof *own; k++)
        vec_push(&all, own[k]);
    for (size_t k = 0; k < count; k++)
        vec_push(&all, options[k]);
    LLVMParseCommandLineOptions((int)all.len, all.data, "");
}

LLVMTargetMachineRef object_machine(LLVMModuleRef module, LLVMCodeGenOptLevel level, char **message)
{
    LLVMTargetRef target;
    const char *triple = LLVMGetTarget(module);
    if (!find_target(triple, &target, message))
        return NULL;
    LLVMRelocMode mode = module_flag(module, "PIC Level") ? LLVMRelocPIC : LLVMRelocDynamicNoPic;
    return LLVMCreateTargetMachine(target, triple, "", "", level, mode, LLVMCodeModelDefault);
}

bool object_optimise(struct unit *u, LLVMTargetMachineRef machine, const char *passes, char **message)
{
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMErrorRef error = LLVMRunPasses(u->module, passes, machine, options);
    LLVMDisposePassBuilderOptions(options);
    if (!error)
        return true;
    char *said = LLVMGetErrorMessage(error);
    *message = LLVMCreateMessage(said);
    LLVMDisposeErrorMessage(said);
    return false;
}

/* ---------------------------------------------------------------------- gaps */

void object_record_gaps(struct unit *u)
{
    for (char *line = u->gaps.data; line && *line;) {
        size_t length = strcspn(line, "\n");
        LLVMMetadataRef word = LLVMMDStringInContext2(u->context, line, length);
        LLVMMetadataRef node = LLVMMDNodeInContext2(u->context, &word, 1);
        LLVMAddNamedMetadataOperand(u->module, "llvm.commandline", LLVMMetadataAsValue(u->context, node));
        line += length + 1;
    }
}

/* -------------------------------------------------------------- constructors */

/* A variable with the function's address in a section that the loader walks. A target machine that is made by the C API
 * would use .ctors, which run in another order. */
static LLVMValueRef list_function(struct unit *u, LLVMValueRef row, const char *section)
{
    uint64_t priority = LLVMConstIntGetZExtValue(LLVMGetOperand(row, 0));
    LLVMValueRef function = LLVMGetOperand(row, 1), key = LLVMGetOperand(row, 2);
    char name[32];
    if (LLVMIsNull(function))
        return NULL;
    LLVMValueRef entry = LLVMAddGlobal(u->module, LLVMTypeOf(function), "");
    snprintf(name, sizeof name, priority == 65535 ? "%s" : "%s.%05u", section, (unsigned)priority);
    LLVMSetInitializer(entry, function);
    LLVMSetSection(entry, name);
    LLVMSetLinkage(entry, LLVMInternalLinkage);
    LLVMSetAlignment(entry, 8);
    LLVMValueRef owner = escape_base(key);
    if (LLVMIsAGlobalValue(owner) && LLVMGetComdat(owner))
        LLVMSetComdat(entry, LLVMGetComdat(owner));
    return LLVMConstBitCast(entry, u->pointer);
}

void object_keep(struct unit *u, const LLVMValueRef *kept, size_t count)
{
    OWNED instruction_list used = {0};
    for (size_t k = 0; k < count; k++)
        vec_push(&used, kept[k]);
    LLVMValueRef before = LLVMGetNamedGlobal(u->module, "llvm.used");
    if (before) {
        LLVMValueRef list = LLVMGetInitializer(before);
        for (int k = 0; k < LLVMGetNumOperands(list); k++)
            vec_push(&used, LLVMGetOperand(list, (unsigned)k));
        LLVMDeleteGlobal(before);
    }
    LLVMValueRef array = LLVMConstArray(u->pointer, used.data, (unsigned)used.len);
    LLVMValueRef made = LLVMAddGlobal(u->module, LLVMTypeOf(array), "llvm.used");
    LLVMSetInitializer(made, array);
    LLVMSetLinkage(made, LLVMAppendingLinkage);
    LLVMSetSection(made, "llvm.metadata");
}

static void list_functions(struct unit *u, const char *name, const char *section)
{
    OWNED instruction_list used = {0};
    LLVMValueRef global = LLVMGetNamedGlobal(u->module, name);
    LLVMValueRef rows = global ? LLVMGetInitializer(global) : NULL;
    if (!rows)
        return;
    for (int k = 0; k < LLVMGetNumOperands(rows); k++) {
        LLVMValueRef entry = list_function(u, LLVMGetOperand(rows, (unsigned)k), section);
        if (entry)
            vec_push(&used, entry);
    }
    LLVMDeleteGlobal(global);
    if (used.len)
        object_keep(u, used.data, used.len);
}

bool object_write(struct unit *u, LLVMTargetMachineRef machine, LLVMCodeGenFileType kind, const char *path,
                  char **message)
{
    list_functions(u, "llvm.global_ctors", ".init_array");
    list_functions(u, "llvm.global_dtors", ".fini_array");
    return !LLVMTargetMachineEmitToFile(machine, u->module, (char *)path, kind, message);
}
