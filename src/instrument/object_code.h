/* SPDX-License-Identifier: Apache-2.0 */
/* From a module to an object or assembly. */
#ifndef INSTRUMENT_OBJECT_CODE_H
#define INSTRUMENT_OBJECT_CODE_H

#include "instrument/unit.h"

#include <llvm-c/TargetMachine.h>

/* The file as a module of the context. NULL, with a message to free: it cannot be read. */
LLVMModuleRef object_read(LLVMContextRef context, const char *path, char **message);

/* A handler for what LLVM reports: the first error becomes *first, a message to free. */
void object_note_error(LLVMDiagnosticInfoRef info, void *first);

/* How far the user wants it to be optimised, such as "-O2". */
struct object_level {
    const char *option, *passes;
    LLVMCodeGenOptLevel code;
};
/* NULL: no such option. */
const struct object_level *object_find_level(const char *option);

/* Options of LLVM itself, beside those that every object is made with; once. */
void object_set_options(const char *const *options, size_t count);

/* The machine that the module is for. NULL, with a message to free: this LLVM has no such target. */
LLVMTargetMachineRef object_machine(LLVMModuleRef module, LLVMCodeGenOptLevel level, char **message);

/* Runs passes by their names, as `opt -passes`. */
bool object_optimise(struct unit *u, LLVMTargetMachineRef machine, const char *passes, char **message);

/* Lists what was not announced where compilers record their options. */
void object_record_gaps(struct unit *u);

/* No optimisation drops them. */
void object_keep(struct unit *u, const LLVMValueRef *kept, size_t count);

bool object_write(struct unit *u, LLVMTargetMachineRef machine, LLVMCodeGenFileType kind, const char *path,
                  char **message);

#endif
