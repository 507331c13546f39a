/* SPDX-License-Identifier: Apache-2.0 */
#include "target/code/liveness.h"

#include "target/code/liveness_state.h"

#include <string.h>

static const frame_parts ALL_PARTS = ~(frame_parts)0;
static const int64_t FRAME_MOST = 1 << 20;

/* --- which functions ----------------------------------------------------------------------------- */

struct program {
    struct program_code code;
    VEC(const struct code_function *) atomic; /* with calls of atomic accesses */
    VEC(uint64_t) entries;                    /* where other functions jump to, or call */
};

static void read_function(struct program *p, const struct code_function *f)
{
    struct code_instruction i = {0};
    bool has_atomics = false;
    while (program_code_next(f, &i.machine)) {
        uint64_t target = i.machine.target;
        i.callee = program_code_callee(&p->code, &i.machine);
        has_atomics |= liveness_is_atomic_call(&i);
        if (target && (target < f->address || target >= f->end))
            vec_push(&p->entries, target);
    }
    if (has_atomics)
        vec_push(&p->atomic, f);
}

static bool has_cold_part(const struct program_code *code, const struct code_function *f)
{
    size_t length = strlen(f->name);
    for (size_t k = 0; k < code->functions.len; k++) {
        const char *name = code->functions.data[k].name;
        if (strncmp(name, f->name, length) == 0 && strncmp(name + length, ".cold", 5) == 0)
            return true;
    }
    return false;
}

/* Behind its beginning. */
static bool is_entered_elsewhere(const struct program *p, const struct code_function *f)
{
    for (size_t k = 0; k < p->entries.len; k++)
        if (p->entries.data[k] > f->address && p->entries.data[k] < f->end)
            return true;
    return false;
}

/* As compilers begin one when they keep the frame pointer. */
static bool begins_as_usual(const struct liveness *a)
{
    size_t first = a->count > 1 && a->code[0].machine.kind == KIND_NOTHING;
    const struct machine_instruction *i = a->count ? &a->code[first].machine : NULL;
    return i && i->kind == KIND_PUSH && i->operands[0].kind == OPERAND_REGISTER &&
           i->operands[0].number == RBP;
}

static bool is_suitable(const struct program *p, const struct code_function *f, const struct liveness *a)
{
    for (size_t k = 0; k < a->count; k++)
        if (liveness_is_strange(a->code[k].callee))
            return false;
    return begins_as_usual(a) && !has_cold_part(&p->code, f) && !is_entered_elsewhere(p, f);
}

/* --- forwards: addresses in the frame ------------------------------------------------------------- */

size_t liveness_find_instruction(const struct liveness *a, uint64_t address)
{
    size_t low = 0, high = a->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (a->code[middle].machine.address < address)
            low = middle + 1;
        else
            high = middle;
    }
    return low < a->count && a->code[low].machine.address == address ? low : a->count;
}

static bool join_into(struct frame_state *into, const struct frame_state *from)
{
    bool changed = false;
    for (unsigned r = 0; r < REGISTERS; r++)
        if (into->registers[r] != from->registers[r] && into->registers[r] != MAYBE_FRAME) {
            into->registers[r] = MAYBE_FRAME;
            changed = true;
        }
    return changed;
}

static void go_to(struct liveness *a, size_t to, const struct frame_state *state)
{
    if (to >= a->count)
        return;
    if (a->reached[to] && !join_into(&a->states[to], state))
        return;
    if (!a->reached[to])
        a->states[to] = *state;
    a->reached[to] = true;
    vec_push(&a->open, to);
}

static bool falls_through(enum machine_flow flow)
{
    return flow == FLOW_ON || flow == FLOW_BRANCH;
}

static bool jumps(enum machine_flow flow)
{
    return flow == FLOW_JUMP || flow == FLOW_BRANCH;
}

/* False: there is an instruction that is not understood, or others get to know an address in the frame. */
static bool find_addresses(struct liveness *a)
{
    struct frame_state state;
    for (unsigned r = 0; r < REGISTERS; r++)
        state.registers[r] = r == RSP ? 0 : NOT_FRAME;
    go_to(a, 0, &state);
    while (a->open.len) {
        size_t k = vec_pop(&a->open);
        state = a->states[k];
        if (!liveness_step(&a->code[k], &state, &a->effects[k]))
            return false;
        if (falls_through(a->effects[k].flow))
            go_to(a, k + 1, &state);
        if (jumps(a->effects[k].flow))
            go_to(a, liveness_find_instruction(a, a->code[k].machine.target), &state);
    }
    return true;
}

/* --- backwards: what is needed -------------------------------------------------------------------- */

static void add_needs(struct needs *into, struct needs more)
{
    into->registers |= more.registers;
    into->parts |= more.parts;
}

/* At an instruction; outside of the function: all. */
static struct needs needs_at(const struct liveness *a, size_t k)
{
    return k < a->count ? a->needs[k] : (struct needs){UINT16_MAX, ALL_PARTS};
}

static struct needs needs_after(const struct liveness *a, size_t k)
{
    struct needs n = {0};
    enum machine_flow flow = a->effects[k].flow;
    if (falls_through(flow))
        add_needs(&n, needs_at(a, k + 1));
    if (jumps(flow))
        add_needs(&n, needs_at(a, liveness_find_instruction(a, a->code[k].machine.target)));
    return n;
}

static struct needs needs_before(const struct liveness *a, size_t k)
{
    const struct effect *e = &a->effects[k];
    struct needs n = needs_after(a, k);
    n.registers &= (uint16_t)~e->kills.registers;
    n.parts &= ~e->kills.parts;
    add_needs(&n, e->uses);
    return n;
}

static void find_needs(struct liveness *a)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t k = a->count; k-- > 0;) {
            if (!a->reached[k])
                continue;
            struct needs n = needs_before(a, k);
            changed |= n.registers != a->needs[k].registers || n.parts != a->needs[k].parts;
            a->needs[k] = n;
        }
    }
}

/* --- places --------------------------------------------------------------------------------------- */

static const uint8_t saved_order[FOLD_REGISTERS] = {RBX, RBP, R12, 13, 14, R15};

static uint32_t saved_registers(uint16_t registers)
{
    uint32_t bits = 0;
    for (unsigned k = 0; k < FOLD_REGISTERS; k++)
        bits |= (uint32_t)(registers >> saved_order[k] & 1) << k;
    return bits;
}

/* Where what the access expects is not in the frame, it is not known where it is. */
static bool is_place(const struct liveness *a, size_t k)
{
    const struct code_instruction *i = &a->code[k];
    const int32_t *registers = a->states[k].registers;
    bool finds_expected = registers[RSI] != NOT_FRAME && registers[RSI] != MAYBE_FRAME;
    return a->reached[k] && k + 1 < a->count && liveness_is_atomic_call(i) &&
           (!liveness_expects_by_address(i) || finds_expected) && registers[RSP] <= 0 &&
           registers[RSP] > -FRAME_MOST;
}

static void set_parts(uint64_t *into, frame_parts parts)
{
    into[0] = (uint64_t)parts;
    into[1] = (uint64_t)(parts >> 64);
}

static bool are_saved(uint16_t registers)
{
    for (unsigned k = 0; k < FOLD_REGISTERS; k++)
        registers &= (uint16_t) ~(1u << saved_order[k]);
    return registers == 0;
}

static void find_exit(const struct liveness *a, size_t call, bool something, struct fold_exit *x)
{
    struct liveness_exit exit;
    if (!liveness_follow(a, call, something, &exit) || !are_saved(exit.fixed))
        return;
    x->merge = exit.merge;
    x->found_registers = exit.found.registers;
    x->same_registers = saved_registers(exit.same.registers);
    x->fixed_registers = saved_registers(exit.fixed);
    for (unsigned k = 0; k < FOLD_REGISTERS; k++)
        x->fixed_values[k] = exit.fixed_values[saved_order[k]];
    set_parts(x->found_parts, exit.found.parts);
    set_parts(x->same_parts, exit.same.parts);
}

static uint32_t add_places(const struct liveness *a, struct fold_place *places, uint32_t count, uint32_t room)
{
    for (size_t k = 0; k < a->count && count < room; k++) {
        if (!is_place(a, k))
            continue;
        struct needs n = a->needs[k];
        struct fold_place *p = &places[count++];
        *p = (struct fold_place){.pc = a->code[k + 1].machine.address,
                                 .depth = (uint32_t)-a->states[k].registers[RSP],
                                 .registers = saved_registers(n.registers),
                                 .parts = {(uint64_t)n.parts, (uint64_t)(n.parts >> 64)}};
        for (unsigned something = 0; something < FOLD_EXITS; something++)
            find_exit(a, k, something, &p->exits[something]);
    }
    return count;
}

static uint32_t find_in_function(const struct program *p, const struct code_function *f,
                                 struct fold_place *places, uint32_t count, uint32_t room)
{
    VEC(struct code_instruction) code = {0};
    struct code_instruction i = {0};
    while (program_code_next(f, &i.machine)) {
        i.callee = program_code_callee(&p->code, &i.machine);
        vec_push(&code, i);
    }
    struct liveness a = {.code = code.data, .count = code.len};
    a.states = NEW_ZEROED(struct frame_state, a.count);
    a.effects = NEW_ZEROED(struct effect, a.count);
    a.needs = NEW_ZEROED(struct needs, a.count);
    a.reached = NEW_ZEROED(bool, a.count);
    if (is_suitable(p, f, &a) && find_addresses(&a)) {
        find_needs(&a);
        count = add_places(&a, places, count, room);
    }
    free(a.states), free(a.effects), free(a.needs), free(a.reached);
    vec_free(&a.open);
    vec_free(&code);
    return count;
}

uint32_t liveness_find(const char *path, struct fold_place *places, uint32_t room)
{
    uint32_t count = 0;
#if defined(__x86_64__)
    struct program p = {0};
    program_code_open(&p.code, path);
    for (size_t k = 0; k < p.code.functions.len; k++)
        read_function(&p, &p.code.functions.data[k]);
    for (size_t k = 0; k < p.atomic.len; k++)
        count = find_in_function(&p, p.atomic.data[k], places, count, room);
    vec_free(&p.atomic);
    vec_free(&p.entries);
    program_code_close(&p.code);
#else
    (void)path, (void)places, (void)room;
#endif
    return count;
}
