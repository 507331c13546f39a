/* SPDX-License-Identifier: Apache-2.0 */
/* plumb-instrument: bitcode of clang in, an object out in which every access of the source calls the runtime. */
#include "instrument/object_code.h"
#include "instrument/passes.h"

#include <errno.h>
#include <llvm-c/BitWriter.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum product { PRODUCT_OBJECT, PRODUCT_ASSEMBLY, PRODUCT_BITCODE };

struct request {
    const char *input, *output;
    enum product product;
    const struct object_level *level; /* of the user; NULL: optimised when it is instrumented */
    bool accesses_only;
    VEC(const char *) options; /* of LLVM */
};

static _Noreturn void fail(const char *path, const char *what)
{
    fprintf(stderr, "plumb-instrument: error: %s%s%s\n", path ? path : "", path ? ": " : "", what);
    _exit(1);
}

static const char usage[] = "usage: plumb-instrument [OPTIONS] INPUT.bc -o OUTPUT\n"
                            "Adds calls of Plumbline's runtime to bitcode of clang; plumb-cc calls it.\n"
                            "  -o OUTPUT     the object to write\n"
                            "  -S            write assembly instead\n"
                            "  --bitcode     write bitcode that is not optimised instead\n"
                            "  -O0 ... -O3, -Os and the like: optimise first, and instrument what is left\n"
                            "  -mllvm OPTION give LLVM an option of its own\n"
                            "  --accesses    no lives of variables\n"
                            "  --version     the version of LLVM\n";

/* True: the option has taken the word behind it. */
static bool read_option(struct request *r, const char *word, const char *next)
{
    if (strcmp(word, "-S") == 0)
        r->product = PRODUCT_ASSEMBLY;
    else if (strcmp(word, "--bitcode") == 0)
        r->product = PRODUCT_BITCODE;
    else if (strcmp(word, "--accesses") == 0)
        r->accesses_only = true;
    else if (strncmp(word, "-O", 2) == 0 && object_find_level(word))
        r->level = object_find_level(word);
    else if (!next)
        fail(word, "no such option, or no value for it");
    else if (strcmp(word, "-o") == 0)
        r->output = next;
    else if (strcmp(word, "-mllvm") == 0)
        vec_push(&r->options, next);
    else
        fail(word, "no such option");
    return next && (r->output == next || (r->options.len && vec_last(&r->options) == next));
}

static struct request read_request(char **arguments)
{
    struct request r = {0};
    for (; *arguments; arguments++) {
        if (arguments[0][0] == '-')
            arguments += read_option(&r, arguments[0], arguments[1]);
        else if (r.input)
            fail(*arguments, "one input at a time");
        else
            r.input = *arguments;
    }
    if (!r.input || !r.output)
        fail(NULL, "an input and -o OUTPUT are needed (plumb-instrument --help)");
    return r;
}

static bool is_naked(LLVMValueRef function)
{
    unsigned naked = LLVMGetEnumAttributeKindForName("naked", 5);
    return LLVMGetEnumAttributeAtIndex(function, LLVMAttributeFunctionIndex, naked) != NULL;
}

static void instrument_function(struct unit *u, LLVMValueRef function)
{
    struct escape escape;
    escape_find(&escape, function); /* first: comparisons are uses, too */
    if (!u->accesses_only) {
        bounds_check(u, function);
        definedness_check(u, &escape, function);
    }
    accesses_announce(u, &escape, function);
    atomics_replace(u, &escape, function);
    scopes_announce(u, &escape, function);
    if (!u->accesses_only) {
        surround_locals(u, &escape, function);
        stack_blocks_announce(u, function);
    }
    escape_free(&escape);
    if (!u->accesses_only)
        inline_assembly_mark(u, function);
    frames_announce(u, function);
}

static void mark_naked(struct unit *u, LLVMValueRef function)
{
    if (!u->accesses_only)
        inline_assembly_mark(u, function);
}

static void instrument(struct unit *u)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(u->module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f))
            is_naked(f) ? mark_naked(u, f) : instrument_function(u, f);
    if (!u->accesses_only) {
        surround_globals(u);
        inline_assembly_mark_module(u);
    }
    object_record_gaps(u);
}

static void check(const struct request *r, bool done, const char *message)
{
    if (!done)
        fail(r->input, message ? message : "not known why");
}

static void copy_parameters(struct unit *u)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(u->module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f) && !is_naked(f) && !u->accesses_only)
            parameters_copy(u, f);
}

/* Optimisations shall not invent accesses, as if the compiler had its own sanitizer. */
static void optimise_first(const struct request *r, struct unit *u, LLVMTargetMachineRef machine)
{
    char *message = NULL;
    unsigned kind = LLVMGetEnumAttributeKindForName("sanitize_thread", 15);
    LLVMAttributeRef attribute = LLVMCreateEnumAttribute(u->context, kind, 0);
    for (LLVMValueRef f = LLVMGetFirstFunction(u->module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f))
            LLVMAddAttributeAtIndex(f, LLVMAttributeFunctionIndex, attribute);
    check(r, object_optimise(u, machine, r->level->passes, &message), message);
}

/* Variables whose address is not taken become values, so that pointers can be followed. */
static void promote_variables(const struct request *r, struct unit *u, LLVMTargetMachineRef machine)
{
    char *message = NULL;
    for (LLVMValueRef f = LLVMGetFirstFunction(u->module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f)) {
            literals_mark(u, f);
            escape_note(u, f);
            definedness_mark(u, f);
        }
    check(r, object_optimise(u, machine, "function(mem2reg)", &message), message);
    u->promoted = true;
}

static void optimise_last(const struct request *r, struct unit *u, LLVMTargetMachineRef machine)
{
    char *message = NULL;
    for (LLVMValueRef f = LLVMGetFirstFunction(u->module); f; f = LLVMGetNextFunction(f))
        builtins_forget(u, f);
    check(r, object_optimise(u, machine, "default<O2>", &message), message);
    for (LLVMValueRef f = LLVMGetFirstFunction(u->module); f; f = LLVMGetNextFunction(f))
        addresses_compute_late(u, f);
}

/* Assembly is read when code is written; LLVM would end the process for errors in it. */
static void write_code(const struct request *r, struct unit *u, LLVMTargetMachineRef machine, char **message)
{
    LLVMCodeGenFileType kind = r->product == PRODUCT_ASSEMBLY ? LLVMAssemblyFile : LLVMObjectFile;
    LLVMContextSetDiagnosticHandler(u->context, object_note_error, message);
    char *why = NULL;
    check(r, object_write(u, machine, kind, r->output, &why), why);
}

/* False: the code cannot be written with marks in its assembly. */
static bool process(const struct request *r, bool marks)
{
    char *message = NULL;
    struct unit unit;
    LLVMModuleRef module = object_read(LLVMContextCreate(), r->input, &message);
    check(r, module, message);
    LLVMCodeGenOptLevel code = r->level ? r->level->code : LLVMCodeGenLevelDefault;
    LLVMTargetMachineRef machine = object_machine(module, code, &message);
    check(r, machine, message);
    unit_open(&unit, module);
    unit.accesses_only = r->accesses_only;
    unit.marks = marks;
    copy_parameters(&unit);
    if (r->level)
        optimise_first(r, &unit, machine);
    else if (!r->accesses_only)
        promote_variables(r, &unit, machine);
    instrument(&unit);
    if (r->product == PRODUCT_BITCODE) {
        check(r, !LLVMWriteBitcodeToFile(module, r->output), "cannot be written");
        return true;
    }
    if (!r->level)
        optimise_last(r, &unit, machine);
    write_code(r, &unit, machine, &message);
    check(r, !message || marks, message);
    return !message;
}

/* Branches of the source stay branches, by which loops that count are recognised, nothing leaves a loop (late_addresses.c), and its
 * first round is no copy. Vectors are not looked for: there is a call at nearly every access, and the search takes more than linear
 * time. */
static void choose_options(struct request *r)
{
    vec_push(&r->options, "-vectorize-slp=false");
    vec_push(&r->options, "-phi-node-folding-threshold=0");
    vec_push(&r->options, "-two-entry-phi-node-folding-threshold=0");
    vec_push(&r->options, "-disable-machine-licm");
    vec_push(&r->options, "-rotation-max-header-size=0");
    vec_push(&r->options, "-disable-branch-fold");
}

int main(int count, char **arguments)
{
    if (count == 2 && strcmp(arguments[1], "--help") == 0)
        return fputs(usage, stdout) < 0;
    if (count == 2 && strcmp(arguments[1], "--version") == 0) {
        puts(LLVM_VERSION);
        return 0;
    }
    struct request request = read_request(arguments + 1);
    if (!request.level)
        choose_options(&request);
    object_set_options(request.options.data, request.options.len);
    if (!process(&request, true))
        process(&request, false);
    _exit(fflush(NULL) ? 1 : 0); /* what LLVM has allocated need not be freed piece by piece */
}
