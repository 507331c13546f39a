/* SPDX-License-Identifier: Apache-2.0 */
/* Local variables that are used before anything was assigned to them. What such a variable holds is marked before it becomes a
 * value of its own (mem2reg); a shadow then says of each value that may come from there which of its bits are undefined, as
 * MemorySanitizer has it (Stepanov and Serebryany, CGO 2015). A branch, a switch, a divisor, an address, an argument or a result that
 * depends on such a bit calls the runtime, which also knows what of the memory that others can see is defined. */
#include "instrument/passes.h"

#include "instrument/known_objects.h"
#include "instrument/shadows.h"

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

static bool is_scalar(LLVMTypeRef type)
{
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    return kind == LLVMIntegerTypeKind || kind == LLVMPointerTypeKind || kind == LLVMFloatTypeKind ||
           kind == LLVMDoubleTypeKind || kind == LLVMX86_FP80TypeKind || kind == LLVMVectorTypeKind;
}

static bool is_filling(LLVMValueRef store)
{
    return LLVMGetInstructionOpcode(store) == LLVMStore && LLVMIsAAllocaInst(LLVMGetOperand(store, 1)) &&
           is_scalar(LLVMTypeOf(LLVMGetOperand(store, 0))) && !LLVMGetVolatile(store) &&
           shadow_is_filling(store);
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

static LLVMValueRef build_mark(struct unit *u, LLVMValueRef pattern, LLVMValueRef name)
{
    LLVMTypeRef type;
    LLVMValueRef marks = mark_function(u, LLVMTypeOf(pattern), &type);
    LLVMValueRef arguments[] = {pattern, name};
    return LLVMBuildCall2(u->builder, type, marks, arguments, 2, "");
}

/* What the compiler returns from a function of C that ends without a return. */
static bool is_result(LLVMValueRef i)
{
    size_t length;
    return LLVMGetInstructionOpcode(i) == LLVMAlloca &&
           strcmp(LLVMGetValueName2(i, &length), "retval") == 0 && is_scalar(LLVMGetAllocatedType(i));
}

static void mark_result(struct unit *u, LLVMValueRef variable)
{
    LLVMValueRef first = variable;
    while (LLVMGetInstructionOpcode(first) == LLVMAlloca)
        first = LLVMGetNextInstruction(first);
    unit_before(u, first);
    LLVMValueRef nothing = LLVMConstNull(LLVMGetAllocatedType(variable));
    LLVMBuildStore(u->builder, build_mark(u, nothing, object_string(u, "the result")), variable);
}

void definedness_mark(struct unit *u, LLVMValueRef function)
{
    OWNED instruction_list stores = unit_list(function, is_filling), results = unit_list(function, is_result);
    for (size_t k = 0; k < stores.len; k++) {
        unit_before(u, stores.data[k]);
        LLVMValueRef name = object_name(u, LLVMGetOperand(stores.data[k], 1));
        LLVMSetOperand(stores.data[k], 0, build_mark(u, LLVMGetOperand(stores.data[k], 0), name));
    }
    for (size_t k = 0; k < results.len; k++)
        mark_result(u, results.data[k]);
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
    case LLVMExtractValue:
    case LLVMInsertValue:
    case LLVMFNeg: return true;
    default: return LLVMIsABinaryOperator(i) || LLVMIsACastInst(i);
    }
}

/* All values that are computed from a mark, or from those that have a shadow. */
static void collect_values(struct value_map *values, const struct shadows *s, LLVMValueRef function)
{
    OWNED instruction_list marks = unit_list(function, shadow_is_mark);
    for (size_t k = 0; k < marks.len; k++)
        value_set_add(values, marks.data[k]);
    for (size_t k = 0; k < s->shadows.keys.len; k++)
        value_set_add(values, s->shadows.keys.data[k]);
    for (size_t k = 0; k < values->keys.len; k++)
        for (LLVMUseRef use = LLVMGetFirstUse(values->keys.data[k]); use; use = LLVMGetNextUse(use)) {
            LLVMValueRef user = LLVMGetUser(use);
            if (LLVMIsAInstruction(user) && passes_on(user) && shadow_type(s->unit, LLVMTypeOf(user)))
                value_set_add(values, user);
        }
}

static bool is_phi(LLVMValueRef i)
{
    return LLVMIsAPHINode(i) != NULL;
}

/* Operands first, but for phis, which are filled in afterwards. */
static void add_shadow(const struct value_map *values, struct shadows *s, LLVMValueRef first)
{
    OWNED instruction_list open = {0};
    vec_push(&open, first);
    while (open.len) {
        LLVMValueRef i = vec_last(&open);
        size_t before = open.len;
        bool known = shadow_find(s, i) != NULL;
        for (int k = 0; !known && !is_phi(i) && !shadow_is_mark(i) && k < LLVMGetNumOperands(i); k++) {
            LLVMValueRef operand = LLVMGetOperand(i, (unsigned)k);
            if (value_set_has(values, operand) && !shadow_find(s, operand))
                vec_push(&open, operand);
        }
        if (open.len > before)
            continue;
        open.len--;
        if (!known)
            value_map_add(&s->shadows, i, shadow_compute(s, i));
    }
}

static void fill_phi(const struct shadows *s, LLVMValueRef phi, LLVMValueRef shadow)
{
    for (unsigned k = 0, count = LLVMCountIncoming(phi); k < count; k++) {
        LLVMValueRef value = LLVMGetIncomingValue(phi, k), from = shadow_of(s, value);
        LLVMBasicBlockRef block = LLVMGetIncomingBlock(phi, k);
        LLVMAddIncoming(shadow, &from, &block, 1);
    }
}

static void compute_shadows(struct shadows *s, LLVMValueRef function)
{
    struct value_map values = {0};
    collect_values(&values, s, function);
    for (size_t k = 0; k < values.keys.len; k++)
        add_shadow(&values, s, values.keys.data[k]);
    for (size_t k = 0; k < s->shadows.keys.len; k++)
        if (is_phi(s->shadows.keys.data[k]))
            fill_phi(s, s->shadows.keys.data[k], s->shadows.values.data[k]);
    value_map_free(&values);
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
    struct shadows s = {.unit = u};
    if (!u->promoted)
        return;
    shadow_memory_open(&s, e, function);
    shadow_runtime_open(&s, e, function);
    shadow_calls_open(&s, function);
    compute_shadows(&s, function);
    shadow_memory_update(&s, function);
    shadow_runtime_update(&s, e, function);
    shadow_calls_update(&s, function);
    shadow_uses_check(&s, function);
    remove_marks(function);
    value_map_free(&s.shadows);
    value_map_free(&s.memories);
    value_map_free(&s.hooks);
}
