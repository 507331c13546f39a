/* SPDX-License-Identifier: Apache-2.0 */
/* Local variables that are used before anything was assigned to them. What such a variable holds is marked before it becomes a
 * value of its own (mem2reg); a shadow then says of each value that may come from there which of its bits are undefined, as
 * MemorySanitizer has it (Stepanov and Serebryany, CGO 2015). A branch, a switch, a divisor, an address, an argument or a result that
 * depends on such a bit calls the runtime. Values that are copied to memory count as defined. */
#include "instrument/passes.h"

#include "instrument/known_objects.h"
#include "instrument/shadows.h"

#include <llvm-c/DebugInfo.h>

/* ------------------------------------------------------------------- marking */

static const char mark_prefix[] = "plumb.undefined.";

bool shadow_is_mark(LLVMValueRef value)
{
    LLVMValueRef callee = LLVMIsAInstruction(value) && unit_is_call(value) ? unit_callee(value) : NULL;
    size_t length;
    return callee && text_starts_with(LLVMGetValueName2(callee, &length), mark_prefix);
}

/* The compiler stores its pattern to a variable that the source does not initialise. */
bool shadow_is_filling(LLVMValueRef i)
{
    return LLVMGetMetadata(i, LLVMGetMDKindID("annotation", strlen("annotation")));
}

static bool is_filling(LLVMValueRef store)
{
    if (LLVMGetInstructionOpcode(store) != LLVMStore || !LLVMIsAAllocaInst(LLVMGetOperand(store, 1)))
        return false;
    LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(store, 0)));
    bool scalar = kind == LLVMIntegerTypeKind || kind == LLVMPointerTypeKind || kind == LLVMFloatTypeKind ||
                  kind == LLVMDoubleTypeKind || kind == LLVMX86_FP80TypeKind || kind == LLVMVectorTypeKind;
    return scalar && !LLVMGetVolatile(store) && shadow_is_filling(store);
}

static LLVMValueRef mark_function(struct unit *u, LLVMTypeRef value, LLVMTypeRef *type)
{
    LLVMTypeRef parameters[] = {value, u->pointer};
    *type = LLVMFunctionType(value, parameters, 2, false);
    char *text = LLVMPrintTypeToString(value);
    OWNED struct text name = {0};
    text_printf(&name, "%s%s", mark_prefix, text);
    LLVMDisposeMessage(text);
    LLVMValueRef found = LLVMGetNamedFunction(u->module, name.data);
    return found ? found : LLVMAddFunction(u->module, name.data, *type);
}

void definedness_mark(struct unit *u, LLVMValueRef function)
{
    OWNED instruction_list stores = unit_list(function, is_filling);
    for (size_t k = 0; k < stores.len; k++) {
        LLVMValueRef pattern = LLVMGetOperand(stores.data[k], 0);
        LLVMTypeRef type;
        LLVMValueRef marks = mark_function(u, LLVMTypeOf(pattern), &type);
        unit_before(u, stores.data[k]);
        LLVMValueRef arguments[] = {pattern, object_name(u, LLVMGetOperand(stores.data[k], 1))};
        LLVMSetOperand(stores.data[k], 0, LLVMBuildCall2(u->builder, type, marks, arguments, 2, ""));
    }
}

/* -------------------------------------------------------------------- values */

static bool passes_on(LLVMValueRef i)
{
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMPHI:
    case LLVMSelect:
    case LLVMICmp:
    case LLVMFCmp:
    case LLVMGetElementPtr:
    case LLVMExtractElement:
    case LLVMInsertElement:
    case LLVMShuffleVector:
    case LLVMFNeg: return true;
    default: return LLVMIsABinaryOperator(i) || LLVMIsACastInst(i);
    }
}

/* All values that are computed from a mark, or from what was loaded from a variable that has a shadow. */
static void collect_values(struct shadows *s, const struct shadows *loaded, LLVMValueRef function)
{
    OWNED instruction_list marks = unit_list(function, shadow_is_mark);
    for (size_t k = 0; k < marks.len; k++)
        vec_push(&s->values, marks.data[k]);
    for (size_t k = 0; k < loaded->values.len; k++)
        vec_push(&s->values, loaded->values.data[k]);
    for (size_t k = 0; k < s->values.len; k++) {
        LLVMUseRef use = LLVMGetFirstUse(s->values.data[k]);
        for (; use; use = LLVMGetNextUse(use)) {
            LLVMValueRef user = LLVMGetUser(use);
            bool known = false;
            for (size_t n = 0; n < s->values.len && !known; n++)
                known = s->values.data[n] == user;
            if (!known && LLVMIsAInstruction(user) && passes_on(user) &&
                shadow_type(s->unit, LLVMTypeOf(user)))
                vec_push(&s->values, user);
        }
    }
}

static bool is_phi(LLVMValueRef i)
{
    return LLVMGetInstructionOpcode(i) == LLVMPHI;
}

static bool has_value(const struct shadows *s, LLVMValueRef value)
{
    for (size_t k = 0; k < s->values.len; k++)
        if (s->values.data[k] == value)
            return true;
    return false;
}

/* Operands first, but for phis, which are filled in afterwards. */
static LLVMValueRef shadow_value(struct shadows *s, struct shadows *done, LLVMValueRef i)
{
    LLVMValueRef shadow = shadow_find(done, i);
    if (shadow)
        return shadow;
    for (int k = 0; !is_phi(i) && !shadow_is_mark(i) && k < LLVMGetNumOperands(i); k++)
        if (has_value(s, LLVMGetOperand(i, (unsigned)k)))
            shadow_value(s, done, LLVMGetOperand(i, (unsigned)k));
    shadow = shadow_compute(done, i);
    vec_push(&done->values, i);
    vec_push(&done->shadows, shadow);
    return shadow;
}

static void fill_phi(const struct shadows *s, LLVMValueRef phi, LLVMValueRef shadow)
{
    for (unsigned k = 0, count = LLVMCountIncoming(phi); k < count; k++) {
        LLVMValueRef value = LLVMGetIncomingValue(phi, k), from = shadow_of(s, value);
        LLVMBasicBlockRef block = LLVMGetIncomingBlock(phi, k);
        LLVMAddIncoming(shadow, &from, &block, 1);
    }
}

/* ----------------------------------------------------------------------- uses */

/* The variable, or the name of one, that a value comes from which is computed from no other. */
static LLVMValueRef direct_source(LLVMValueRef value)
{
    if (shadow_is_mark(value))
        return LLVMGetOperand(value, 1);
    return LLVMGetInstructionOpcode(value) == LLVMLoad ? object_of(LLVMGetOperand(value, 0)) : NULL;
}

static void add_operands(const struct shadows *s, instruction_list *seen, LLVMValueRef value)
{
    for (int n = 0; n < LLVMGetNumOperands(value); n++) {
        LLVMValueRef operand = LLVMGetOperand(value, (unsigned)n);
        bool known = !has_value(s, operand);
        for (size_t k = 0; k < seen->len && !known; k++)
            known = seen->data[k] == operand;
        if (!known)
            vec_push(seen, operand);
    }
}

/* The name of the one variable that the value may come from. NULL: there are several. */
static LLVMValueRef name_source(const struct shadows *s, LLVMValueRef value)
{
    OWNED instruction_list seen = {0};
    LLVMValueRef source = NULL;
    vec_push(&seen, value);
    for (size_t k = 0; k < seen.len; k++) {
        LLVMValueRef found = direct_source(seen.data[k]);
        if (!found)
            add_operands(s, &seen, seen.data[k]);
        else if (source && source != found)
            return NULL;
        else
            source = found;
    }
    return source && LLVMIsAAllocaInst(source) ? object_name(s->unit, source) : source;
}

/* An instruction that tells whether some bit is undefined. A shadow is poison only where the behaviour of the program is undefined
 * already, so it is not frozen: LLVM would look for the reason through all phis, in exponential time in a large interpreter. */
static LLVMValueRef undefined_bit(struct unit *u, LLVMValueRef shadow)
{
    LLVMValueRef any = shadow_is_any(u, shadow);
    return LLVMIsConstant(any) ? LLVMBuildFreeze(u->builder, any, "") : any;
}

/* `what` depends on the value at this instruction. Of vectors some elements may never be used. */
static void check_use(const struct shadows *s, LLVMValueRef at, LLVMValueRef value, const char *what)
{
    struct unit *u = s->unit;
    LLVMValueRef shadow = shadow_find(s, value);
    if (!shadow || LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMVectorTypeKind)
        return;
    LLVMMetadataRef place = LLVMInstructionGetDebugLoc(at);
    LLVMValueRef name = name_source(s, value);
    unit_before(u, at);
    LLVMValueRef undefined = undefined_bit(u, shadow);
    LLVMBasicBlockRef rest = unit_cut_behind(u, undefined), block = LLVMGetInstructionParent(undefined);
    LLVMBasicBlockRef failing = LLVMInsertBasicBlockInContext(u->context, rest, "");
    LLVMPositionBuilderAtEnd(u->builder, block);
    LLVMSetCurrentDebugLocation2(u->builder, place);
    LLVMBuildCondBr(u->builder, undefined, failing, rest);
    LLVMPositionBuilderAtEnd(u->builder, failing);
    LLVMSetCurrentDebugLocation2(u->builder, place);
    LLVMValueRef arguments[] = {object_string(u, what), name ? name : LLVMConstNull(u->pointer)};
    unit_call(u, "__plumb_undefined_fail", u->none, arguments, 2);
    LLVMBuildBr(u->builder, rest);
}

static bool must_be_defined(LLVMValueRef call, unsigned argument)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("noundef", strlen("noundef"));
    return LLVMGetCallSiteEnumAttribute(call, argument + 1, kind);
}

/* main's is the program's exit status. */
static bool result_must_be_defined(LLVMValueRef leave)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("noundef", strlen("noundef"));
    LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(leave));
    size_t length;
    return strcmp(LLVMGetValueName2(function, &length), "main") == 0 ||
           LLVMGetEnumAttributeAtIndex(function, LLVMAttributeReturnIndex, kind);
}

static bool uses_values(LLVMValueRef i)
{
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMBr: return LLVMIsConditional(i);
    case LLVMRet: return LLVMGetNumOperands(i) > 0;
    case LLVMSelect:
    case LLVMSwitch:
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr:
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMURem:
    case LLVMSRem:
    case LLVMLoad:
    case LLVMStore:
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
    case LLVMCall:
    case LLVMInvoke: return true;
    default: return false;
    }
}

static void check_uses(const struct shadows *s, LLVMValueRef i)
{
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMBr: check_use(s, i, LLVMGetCondition(i), "a branch"); break;
    case LLVMSelect: check_use(s, i, LLVMGetOperand(i, 0), "a branch"); break;
    case LLVMRet:
        if (result_must_be_defined(i))
            check_use(s, i, LLVMGetOperand(i, 0), "the result");
        break;
    case LLVMSwitch: check_use(s, i, LLVMGetOperand(i, 0), "a switch"); break;
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr: check_use(s, i, LLVMGetOperand(i, 1), "a shift"); break;
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMURem:
    case LLVMSRem: check_use(s, i, LLVMGetOperand(i, 1), "a division"); break;
    case LLVMStore: check_use(s, i, LLVMGetOperand(i, 1), "an address"); break;
    case LLVMLoad:
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg: check_use(s, i, LLVMGetOperand(i, 0), "an address"); break;
    default:
        for (unsigned k = 0; !shadow_is_mark(i) && k < LLVMGetNumArgOperands(i); k++)
            if (must_be_defined(i, k))
                check_use(s, i, LLVMGetOperand(i, k), "an argument");
    }
}

/* The patterns are there again, as if nothing had been marked. */
static void remove_marks(LLVMValueRef function)
{
    OWNED instruction_list marks = unit_list(function, shadow_is_mark);
    for (size_t k = 0; k < marks.len; k++) {
        LLVMReplaceAllUsesWith(marks.data[k], LLVMGetOperand(marks.data[k], 0));
        LLVMInstructionEraseFromParent(marks.data[k]);
    }
}

void definedness_check(struct unit *u, struct escape *e, LLVMValueRef function)
{
    struct shadows s = {.unit = u}, done = {.unit = u};
    if (!u->promoted)
        return;
    shadow_memory_open(&done, e, function);
    collect_values(&s, &done, function);
    for (size_t k = 0; k < s.values.len; k++)
        shadow_value(&s, &done, s.values.data[k]);
    for (size_t k = 0; k < done.values.len; k++)
        if (is_phi(done.values.data[k]))
            fill_phi(&done, done.values.data[k], done.shadows.data[k]);
    shadow_memory_update(&done, function);
    if (s.values.len) {
        OWNED instruction_list uses = unit_list(function, uses_values);
        for (size_t k = 0; k < uses.len; k++)
            check_uses(&done, uses.data[k]);
    }
    remove_marks(function);
    vec_free(&s.values);
    vec_free(&done.values);
    vec_free(&done.shadows);
    vec_free(&done.variables);
    vec_free(&done.memories);
}
