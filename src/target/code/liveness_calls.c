/* SPDX-License-Identifier: Apache-2.0 */
/* A call: which arguments its function may read, whether others get to know the frame by it, and whether it returns. */
#include "target/code/liveness_state.h"
#include "base/text.h"

#include <stdio.h>
#include <string.h>

static const uint8_t arguments[] = {RDI, RSI, RDX, RCX, R8, 9, RAX, 10};

static void forget_caller_saved(struct frame_state *s, struct effect *e)
{
    for (unsigned r = 0; r < REGISTERS; r++)
        if (!(CALLEE_SAVED >> r & 1) && r != RSP) {
            s->registers[r] = NOT_FRAME;
            e->kills.registers |= BIT(r);
        }
}

bool liveness_is_atomic_call(const struct code_instruction *i)
{
    return i->machine.flow == FLOW_CALL && text_starts_with(i->callee, "__tsan_atomic");
}

bool liveness_is_step(const struct code_instruction *i)
{
    enum known_call_kind kind = i->machine.flow == FLOW_CALL ? known_call_kind_of(i->callee) : CALL_OTHER;
    return liveness_is_atomic_call(i) || kind == CALL_STEPS || kind == CALL_TRIES;
}

bool liveness_announces(const char *callee)
{
    static const char *const starts[] = {"__tsan_read",           "__tsan_write",      "__tsan_volatile_read",
                                         "__tsan_volatile_write", "__tsan_unaligned_", NULL};
    for (const char *const *start = starts; *start; start++)
        if (text_starts_with(callee, *start))
            return !strstr(callee, "range");
    return false;
}

bool liveness_expects_by_address(const struct code_instruction *i)
{
    return strstr(i->callee, "compare_exchange_strong") || strstr(i->callee, "compare_exchange_weak");
}

/* What it expects is in the frame: read, and overwritten perhaps. */
static void use_expected(const struct code_instruction *i, const struct frame_state *s, struct effect *e)
{
    int32_t place = s->registers[RSI];
    unsigned bits = 0;
    sscanf(i->callee, "__tsan_atomic%u_", &bits);
    if (is_frame(place) && bits)
        e->uses.parts |= liveness_parts_of(place, bits / 8, false);
    else if (may_be_frame(place))
        e->uses.parts = ALL_PARTS;
}

/* How many of `arguments` the function may read. rax comes behind the usual ones. */
static size_t count_arguments(const struct code_instruction *i)
{
    if (strcmp(i->callee, "__tsan_func_exit") == 0)
        return 0;
    if (liveness_announces(i->callee) || strcmp(i->callee, "__tsan_func_entry") == 0)
        return strstr(i->callee, "_shadow") && strstr(i->callee, "write") ? 2 : 1;
    const struct known_call *row = known_call_find(i->callee);
    if (row)
        return row->arguments;
    if (strcmp(i->callee, "__plumb_bounds_fail") == 0)
        return 6;
    if (strcmp(i->callee, "__plumb_scope_object") == 0)
        return 4;
    if (strcmp(i->callee, "__plumb_undefined_write") == 0 ||
        strcmp(i->callee, "__plumb_undefined_get") == 0 || strcmp(i->callee, "__plumb_undefined_put") == 0)
        return 3;
    if (text_starts_with(i->callee, "__ubsan_handle_") || text_starts_with(i->callee, "__plumb_"))
        return 2; /* as the runtime has them */
    if (!liveness_is_atomic_call(i))
        return sizeof arguments;
    return strstr(i->callee, "compare_exchange") ? 5 : strstr(i->callee, "_load") ? 2 : 3;
}

/* In another argument than these. */
bool liveness_lets_know_frame(const struct code_instruction *i, const struct frame_state *s, uint16_t allowed)
{
    for (size_t k = 0; k < count_arguments(i); k++)
        if (!(allowed >> arguments[k] & 1) && may_be_frame(s->registers[arguments[k]]))
            return true;
    return false;
}

/* Functions that come back another way than they went, or end what others began. */
bool liveness_is_strange(const char *callee, bool knows_pads)
{
    static const char *const names[] = {"vfork", "getcontext", "swapcontext", "makecontext", NULL};
    static const char *const exceptions[] = {"_Unwind_Resume", "__cxa_begin_catch", NULL};
    return strstr(callee, "setjmp") || text_is_one_of(callee, names) ||
           (!knows_pads && text_is_one_of(callee, exceptions));
}

/* None of these has arguments on the stack. What the sanitizers' checks report ends the execution. */
static bool never_returns(const char *callee)
{
    return known_call_kind_of(callee) == CALL_ENDS || text_starts_with(callee, "__ubsan_handle_") ||
           strcmp(callee, "__plumb_bounds_fail") == 0 || strcmp(callee, "__plumb_undefined_fail") == 0;
}

/* Functions of other files that have all their arguments in registers. */
static bool has_few_arguments(const char *callee)
{
    static const char *const starts[] = {"pthread_mutex_", "__tsan_", "__plumb_", "plumb_", NULL};
    for (const char *const *start = starts; *start; start++)
        if (text_starts_with(callee, *start))
            return true;
    return known_call_find(callee);
}

/* A function of the program: it may be lent addresses in the frame if it neither stores them nor passes them on. */
static void step_own_call(const struct code_instruction *i, const struct callees *callees,
                          struct frame_state *s, struct effect *e, bool *returns_frame)
{
    for (unsigned k = 0; k < sizeof arguments; k++) {
        if (!may_be_frame(s->registers[arguments[k]]))
            continue;
        enum lending l = s->addresses ? LENDING_LEAKS /* by what it finds there */
                                      : callees->lends(callees->context, i->machine.target, arguments[k]);
        e->leaks |= l == LENDING_LEAKS;
        *returns_frame |= l != LENDING_FINE;
        e->lends = true;
    }
    e->lends |= callees->reads_above(callees->context, i->machine.target);
    if (e->lends)
        e->uses.parts = ALL_PARTS;
}

/* Functions of the library that keep no address: the registers that may have one in the frame. Deadlines are not needed: a wait
 * with one may end at any time. */
static uint16_t lend_to_library(const struct code_instruction *i, const struct frame_state *s,
                                struct effect *e)
{
    const struct known_call *row = known_call_find(i->callee);
    uint16_t lent = 0;
    for (unsigned k = 0; row && k < row->arguments; k++) {
        int32_t place = s->registers[arguments[k]];
        if (!(row->lent >> k & 1) || !may_be_frame(place))
            continue;
        lent |= BIT(arguments[k]);
        if (is_frame(place) && row->overwrites >> k & 1)
            e->kills.parts |= liveness_parts_of(place, row->size, true);
    }
    return lent;
}

/* Others than hooks. */
static void step_other_call(const struct code_instruction *i, const struct callees *callees,
                            struct frame_state *s, struct effect *e, bool *returns_frame)
{
    if (!*i->callee && i->machine.target) {
        step_own_call(i, callees, s, e, returns_frame);
        return;
    }
    uint16_t lent = lend_to_library(i, s, e);
    const struct known_call *row = known_call_find(i->callee);
    e->leaks = liveness_lets_know_frame(i, s, lent);
    *returns_frame = e->leaks || (lent && row->returns_first);
    if (never_returns(i->callee))
        e->flow = FLOW_END;
    else if (!has_few_arguments(i->callee) && !i->prints)
        e->uses.parts = ALL_PARTS, e->lends = true; /* arguments may be there */
}

void liveness_step_call(const struct code_instruction *i, const struct callees *callees,
                        struct frame_state *s, struct effect *e)
{
    bool returns_frame = false;
    if (liveness_announces(i->callee)) {
        e->leaks = liveness_lets_know_frame(i, s, BIT(RDI));
    } else if (text_starts_with(i->callee, "__plumb_")) {
        e->leaks = liveness_lets_know_frame(i, s, BIT(RDI) | BIT(RSI));
    } else if (liveness_is_atomic_call(i)) {
        bool points = liveness_expects_by_address(i);
        e->leaks = liveness_lets_know_frame(i, s, points ? BIT(RSI) : 0);
        if (points)
            use_expected(i, s, e);
    } else {
        step_other_call(i, callees, s, e, &returns_frame);
    }
    liveness_use_operands(e, &i->machine, s); /* where the address of the function is */
    bool own = !*i->callee && i->machine.target;
    uint16_t unread = i->printed;
    if (own && !callees->reads_rax(callees->context, i->machine.target))
        unread |= BIT(RAX);
    for (size_t k = 0; k < count_arguments(i); k++)
        if (!(unread >> arguments[k] & 1))
            e->uses.registers |= BIT(arguments[k]);
    e->printed = i->printed;
    forget_caller_saved(s, e);
    if (returns_frame)
        s->registers[RAX] = MAYBE_FRAME;
}

/* The last call of a function, when its frame is gone: what it does is as if it were its caller's. */
void liveness_step_last_call(const struct code_instruction *i, const struct callees *callees,
                             const struct frame_state *s, struct effect *e)
{
    bool own = !*i->callee && i->machine.target;
    e->reads_above =
        own ? callees->reads_above(callees->context, i->machine.target) : !has_few_arguments(i->callee);
    for (size_t k = 0; k < sizeof arguments; k++)
        e->uses.registers |= BIT(arguments[k]);
    e->uses.registers |= liveness_changed_registers(s);
    e->flow = FLOW_END;
}
