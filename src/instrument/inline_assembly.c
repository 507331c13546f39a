/* SPDX-License-Identifier: Apache-2.0 */
/* Inline assembly gets marks, so that the runtime finds and steps through it (docs/internals/engine/assembly.md). Instructions that
 * answer by themselves, such as rdtsc, become inline assembly with a mark of their own, and so do fences and transactions
 * (_mm_mfence, _xbegin). x86-64 only. */
#include "compile/assembly_text.h"
#include "instrument/passes.h"

#include <llvm/Config/llvm-config.h>
#include <stdio.h>
#include <stdlib.h>

/* `uid` is another number for each copy that is written. */
#define UID "${:uid}"

struct inline_text {
    struct text code, constraints;
    bool side_effects, aligned, intel, throws;
};

static void inline_text_free(struct inline_text *t)
{
    text_free(&t->code);
    text_free(&t->constraints);
}

#if LLVM_VERSION_MAJOR >= 18
static void read_inline(LLVMValueRef value, struct inline_text *t)
{
    size_t length;
    const char *text = LLVMGetInlineAsmAsmString(value, &length);
    text_add(&t->code, text, length);
    text = LLVMGetInlineAsmConstraintString(value, &length);
    text_add(&t->constraints, text, length);
    t->side_effects = LLVMGetInlineAsmHasSideEffects(value);
    t->aligned = LLVMGetInlineAsmNeedsAlignedStack(value);
    t->intel = LLVMGetInlineAsmDialect(value) == LLVMInlineAsmDialectIntel;
    t->throws = LLVMGetInlineAsmCanUnwind(value);
}
#else
/* A string in quotes, in which \22 is a byte; returns what follows it. */
static const char *read_string(const char *at, struct text *t)
{
    at = strchr(at, '"') + 1;
    for (; *at != '"'; at++) {
        char c = *at;
        if (c == '\\') {
            char digits[] = {at[1], at[2], 0};
            c = (char)strtoul(digits, NULL, 16);
            at += 2;
        }
        text_add(t, &c, 1);
    }
    return at + 1;
}

/* The C API can make inline assembly, and cannot look at it: the value as text is `TYPE asm sideeffect "CODE", "CONSTRAINTS"`. */
static void read_inline(LLVMValueRef value, struct inline_text *t)
{
    char *text = LLVMPrintValueToString(value), *code = strstr(text, " asm ") + 4, *quote = strchr(code, '"');
    read_string(read_string(quote, &t->code), &t->constraints);
    *quote = 0;
    t->side_effects = strstr(code, " sideeffect");
    t->aligned = strstr(code, " alignstack");
    t->intel = strstr(code, " inteldialect");
    t->throws = strstr(code, " unwind");
    LLVMDisposeMessage(text);
}
#endif

static LLVMValueRef make_inline(LLVMTypeRef type, const struct inline_text *t)
{
    return LLVMGetInlineAsm(type, t->code.data, t->code.len, t->constraints.data ? t->constraints.data : "",
                            t->constraints.len, t->side_effects, t->aligned,
                            t->intel ? LLVMInlineAsmDialectIntel : LLVMInlineAsmDialectATT, t->throws);
}

static void surround(struct text *code, enum assembly_kind kind)
{
    OWNED struct text marked = {0};
    assembly_put_mark(&marked, kind, UID);
    text_puts(&marked, "\n");
    text_add(&marked, code->data, code->len);
    text_puts(&marked, "\n");
    assembly_put_end(&marked, UID);
    text_puts(&marked, "\n");
    struct text before = *code;
    *code = marked;
    marked = before;
}

/* What is called is the last operand of every kind of call. */
static void mark_call(struct unit *u, LLVMValueRef call)
{
    struct inline_text t = {0};
    read_inline(LLVMGetCalledValue(call), &t);
    bool wanted = t.code.len && assembly_has_instruction(t.code.data, t.code.len);
    if (wanted && assembly_has_streams(t.code.data))
        unit_note_gap(u, "streamed", call);
    if (wanted && !u->marks) {
        unit_note_gap(u, "assembly", call);
    } else if (wanted) {
        t.side_effects = true;
        surround(&t.code, ASSEMBLY_INLINE);
        LLVMSetOperand(call, (unsigned)LLVMGetNumOperands(call) - 1,
                       make_inline(LLVMGetCalledFunctionType(call), &t));
    }
    inline_text_free(&t);
}

/* ------------------------------------------------- instructions that answer */

/* Their results are put together from what the instruction leaves in registers. */
struct answer {
    const char *name, *code, *constraints;
    unsigned results[3]; /* bits; a fence has none */
    bool pair;           /* the first two are the halves of a number of 64 bits */
    bool orders;         /* a step of the thread, as in inline assembly */
};

static const struct answer answers[] = {
    {"llvm.x86.rdtsc", "rdtsc", "={ax},={dx}", {32, 32}, true, false},
    {"llvm.readcyclecounter", "rdtsc", "={ax},={dx}", {32, 32}, true, false},
    {"llvm.x86.rdtscp", "rdtscp", "={ax},={dx},={cx}", {32, 32, 32}, true, false},
    {"llvm.x86.rdpmc", "rdpmc", "={ax},={dx},{cx}", {32, 32}, true, false},
    {"llvm.x86.xgetbv", "xgetbv", "={ax},={dx},{cx}", {32, 32}, true, false},
    {"llvm.x86.rdpid", "rdpid $0", "=r", {64}, false, false},
    {"llvm.x86.rdrand.16", "rdrand $0", "=r,={@ccc}", {16, 32}, false, false},
    {"llvm.x86.rdrand.32", "rdrand $0", "=r,={@ccc}", {32, 32}, false, false},
    {"llvm.x86.rdrand.64", "rdrand $0", "=r,={@ccc}", {64, 32}, false, false},
    {"llvm.x86.rdseed.16", "rdseed $0", "=r,={@ccc}", {16, 32}, false, false},
    {"llvm.x86.rdseed.32", "rdseed $0", "=r,={@ccc}", {32, 32}, false, false},
    {"llvm.x86.rdseed.64", "rdseed $0", "=r,={@ccc}", {64, 32}, false, false},
    {"llvm.x86.sse2.mfence", "mfence", "~{memory}", {0}, false, true},
    {"llvm.x86.serialize", "serialize", "~{memory}", {0}, false, true},
    {"llvm.x86.xbegin",
     "movl $$-1, $0\n\txbegin .Lplumb_began" UID "\n.Lplumb_began" UID ":",
     "={ax},~{memory}",
     {32},
     false,
     true},
};

static const struct answer *find_answer(LLVMValueRef call)
{
    LLVMValueRef callee = unit_is_call(call) ? unit_callee(call) : NULL;
    size_t length;
    for (size_t k = 0; callee && k < sizeof answers / sizeof *answers; k++)
        if (LLVMGetIntrinsicID(callee) && strcmp(LLVMGetValueName2(callee, &length), answers[k].name) == 0)
            return &answers[k];
    return NULL;
}

/* The type of what the instruction leaves: one number, or a structure of them. */
static LLVMTypeRef result_type(struct unit *u, const struct answer *a, unsigned *count)
{
    LLVMTypeRef types[3];
    for (*count = 0; *count < 3 && a->results[*count]; ++*count)
        types[*count] = LLVMIntTypeInContext(u->context, a->results[*count]);
    if (*count < 2)
        return *count ? types[0] : LLVMVoidTypeInContext(u->context);
    return LLVMStructTypeInContext(u->context, types, *count, false);
}

static LLVMValueRef join_halves(struct unit *u, LLVMValueRef low, LLVMValueRef high)
{
    low = LLVMBuildZExt(u->builder, low, u->word, "");
    high = LLVMBuildZExt(u->builder, high, u->word, "");
    return LLVMBuildOr(u->builder, low, LLVMBuildShl(u->builder, high, unit_constant(u->word, 32), ""), "");
}

/* A result of the intrinsic's type, which is one number or a structure. */
static LLVMValueRef build_result(struct unit *u, const struct answer *a, LLVMTypeRef wanted, LLVMValueRef got,
                                 unsigned count)
{
    LLVMValueRef parts[3];
    for (unsigned k = 0; k < count; k++)
        parts[k] = count == 1 ? got : LLVMBuildExtractValue(u->builder, got, k, "");
    if (a->pair) {
        parts[0] = join_halves(u, parts[0], parts[1]);
        parts[1] = parts[2];
        count--;
    }
    if (LLVMGetTypeKind(wanted) != LLVMStructTypeKind)
        return LLVMBuildTruncOrBitCast(u->builder, parts[0], wanted, "");
    LLVMValueRef result = LLVMGetUndef(wanted);
    for (unsigned k = 0; k < count; k++)
        result = LLVMBuildInsertValue(u->builder, result, parts[k], k, "");
    return result;
}

static void replace_answer(struct unit *u, LLVMValueRef call)
{
    const struct answer *a = find_answer(call);
    struct inline_text t = {.side_effects = true};
    unsigned count, given = LLVMGetNumArgOperands(call);
    LLVMTypeRef result = result_type(u, a, &count), number = LLVMInt32TypeInContext(u->context);
    LLVMValueRef argument = given ? LLVMGetOperand(call, 0) : NULL;
    text_puts(&t.code, a->code);
    text_printf(&t.constraints, "%s,~{dirflag},~{fpsr},~{flags}", a->constraints);
    surround(&t.code, a->orders ? ASSEMBLY_INLINE : ASSEMBLY_COMPILED);
    unit_before(u, call);
    LLVMTypeRef type = LLVMFunctionType(result, &number, given, false);
    LLVMValueRef got = LLVMBuildCall2(u->builder, type, make_inline(type, &t), &argument, given, "");
    if (count)
        LLVMReplaceAllUsesWith(call, build_result(u, a, LLVMTypeOf(call), got, count));
    LLVMInstructionEraseFromParent(call);
    inline_text_free(&t);
}

/* --------------------------------------------------------------------- pass */

static bool is_assembly(LLVMValueRef i)
{
    bool calls = unit_is_call(i) || LLVMGetInstructionOpcode(i) == LLVMCallBr;
    return calls && LLVMIsAInlineAsm(LLVMGetCalledValue(i));
}

static bool is_answer(LLVMValueRef i)
{
    return find_answer(i) != NULL;
}

static bool is_x86(struct unit *u)
{
    return text_starts_with(LLVMGetTarget(u->module), "x86_64");
}

void inline_assembly_mark(struct unit *u, LLVMValueRef function)
{
    if (!is_x86(u))
        return;
    OWNED instruction_list pieces = unit_list(function, is_assembly),
                           answering = unit_list(function, is_answer);
    for (size_t k = 0; k < pieces.len; k++)
        mark_call(u, pieces.data[k]);
    for (size_t k = 0; k < answering.len && u->marks; k++)
        replace_answer(u, answering.data[k]);
}

void inline_assembly_mark_module(struct unit *u)
{
    size_t length;
    const char *text = LLVMGetModuleInlineAsm(u->module, &length);
    OWNED struct text marked = {0};
    if (!length || !is_x86(u))
        return;
    if (!u->marks) {
        text_printf(&u->gaps, "plumb-unannounced assembly %s:0\n", LLVMGetSourceFileName(u->module, &length));
        return;
    }
    assembly_mark_text(&marked, text, length);
    LLVMSetModuleInlineAsm2(u->module, marked.data, marked.len);
}
