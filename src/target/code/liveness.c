/* SPDX-License-Identifier: Apache-2.0 */
#include "target/code/liveness.h"

#include "target/code/code_units.h"
#include "target/code/liveness_state.h"

#include <string.h>

struct summary {
    uint64_t function;
    unsigned argument; /* that is lent; REGISTERS: none */
    enum lending lending;
    bool reads_above;
};

struct program {
    struct code_units units;
    struct callees callees;
    VEC(struct summary) summaries;
    struct place_sink sink;
};

/* --- which functions ----------------------------------------------------------------------------- */

/* As compilers begin one when they keep the frame pointer. */
static bool begins_as_usual(const struct liveness *a)
{
    size_t first = a->entry + (a->entry + 1 < a->count && a->code[a->entry].machine.kind == KIND_NOTHING);
    const struct machine_instruction *i = first < a->count ? &a->code[first].machine : NULL;
    return i && i->kind == KIND_PUSH && i->operands[0].kind == OPERAND_REGISTER &&
           i->operands[0].number == RBP;
}

/* Arguments that are pushed for a call that throws are gone at its landing pad, which is not followed. */
static bool pushes_arguments(const struct liveness *a)
{
    bool called = false;
    for (size_t k = a->entry; k < a->count; k++) {
        const struct machine_instruction *i = &a->code[k].machine;
        called |= i->flow == FLOW_CALL;
        if (called && i->kind == KIND_PUSH)
            return true;
    }
    return false;
}

static bool has_pads(const struct liveness *a)
{
    for (size_t k = 0; k < a->count; k++)
        if (a->code[k].machine.flow == FLOW_CALL && landing_pads_of(a->pads, a->code[k].machine.next - 1))
            return true;
    return false;
}

/* Null, or why not. */
static const char *refuse(const struct program *p, const struct code_unit *unit, const struct liveness *a)
{
    for (size_t k = 0; k < a->count; k++)
        if (liveness_is_strange(a->code[k].callee, p->units.knows_pads))
            return "it calls a function that may come back elsewhere";
    if (!begins_as_usual(a))
        return "it keeps no frame pointer";
    if (unit->entered_elsewhere)
        return "others jump into it";
    return has_pads(a) && pushes_arguments(a) ? "it throws with arguments on the stack" : NULL;
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

static bool join_saved(struct frame_state *into, const struct frame_state *from)
{
    bool changed = (into->kept & ~from->kept) != 0 || (from->addresses & ~into->addresses) != 0 ||
                   from->leaked > into->leaked;
    into->leaked |= from->leaked;
    into->kept &= from->kept;
    into->addresses |= from->addresses;
    for (unsigned k = 0; k < FOLD_REGISTERS; k++)
        if (into->saved[k] && into->saved[k] != from->saved[k]) {
            into->saved[k] = 0;
            changed = true;
        }
    return changed;
}

static bool join_into(struct frame_state *into, const struct frame_state *from)
{
    bool changed = join_saved(into, from);
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

/* The instruction behind this one, unless a part of the function ends with it. */
size_t liveness_next_of(const struct liveness *a, size_t k)
{
    bool follows = k + 1 < a->count && a->code[k + 1].machine.address == a->code[k].machine.next;
    return follows ? k + 1 : a->count;
}

size_t liveness_target_of(const struct liveness *a, size_t k)
{
    return liveness_find_instruction(a, a->code[k].machine.target);
}

/* Where a call goes on that throws; `count`: nowhere in this function. Hooks do not throw. */
size_t liveness_pad_of(const struct liveness *a, size_t k)
{
    const struct code_instruction *i = &a->code[k];
    bool may_throw = i->machine.flow == FLOW_CALL && strncmp(i->callee, "__tsan_", 7) != 0;
    uint64_t pad = may_throw ? landing_pads_of(a->pads, i->machine.next - 1) : 0;
    return pad ? liveness_find_instruction(a, pad) : a->count;
}

static void follow(struct liveness *a, size_t k, const struct frame_state *state)
{
    enum machine_flow flow = a->effects[k].flow;
    if (liveness_falls_through(flow))
        go_to(a, liveness_next_of(a, k), state);
    if (liveness_jumps(flow))
        go_to(a, liveness_target_of(a, k), state);
    for (size_t t = 0; liveness_jumps(flow) && t < a->tables.len && liveness_jumps_by_table(a, k); t++)
        go_to(a, a->tables.data[t], state);
    go_to(a, liveness_pad_of(a, k), state);
}

/* From here on others may know the frame, and read it at any time. What comes before does not depend on it. */
static void note_leak(struct liveness *a, size_t k, struct frame_state *state)
{
    if (!a->leaks)
        a->refused_at = a->code[k].machine.address;
    a->leaks = state->leaked = true;
    a->effects[k].uses.parts = ALL_PARTS;
}

/* Null, or why not: there is an instruction that is not understood. `lent`: an argument that may be an address in the caller's frame. */
static const char *find_addresses(struct liveness *a, unsigned lent)
{
    struct frame_state state = {.kept = UINT16_MAX};
    for (unsigned r = 0; r < REGISTERS; r++)
        state.registers[r] = r == RSP ? 0 : r == lent ? MAYBE_FRAME : NOT_FRAME;
    go_to(a, a->entry, &state);
    while (a->open.len) {
        size_t k = vec_pop(&a->open);
        const struct machine_instruction *i = &a->code[k].machine;
        bool leaves =
            liveness_jumps(i->flow) && liveness_target_of(a, k) == a->count && !liveness_jumps_by_table(a, k);
        state = a->states[k];
        const char *why = liveness_step(&a->code[k], a->callees, leaves, &state, &a->effects[k]);
        if (why) {
            a->refused_at = i->address;
            return why;
        }
        if (a->effects[k].leaks)
            note_leak(a, k, &state);
        a->reads_above |= a->effects[k].reads_above;
        a->returns_argument |= i->flow == FLOW_RETURN &&
                               (may_be_frame(state.registers[RAX]) || may_be_frame(state.registers[RDX]));
        follow(a, k, &state);
    }
    return NULL;
}

/* --- functions ------------------------------------------------------------------------------------ */

typedef VEC(struct code_instruction) code_list;

static void read_part(const struct program *p, const struct code_function *f, code_list *code)
{
    struct code_instruction i = {0};
    while (f && program_code_next(f, &i.machine)) {
        i.callee = program_code_callee(&p->units.code, &i.machine);
        vec_push(code, i);
    }
}

static void open_function(struct program *p, const struct code_unit *unit, struct liveness *a)
{
    code_list code = {0};
    bool first = unit->elsewhere && unit->elsewhere->address < unit->function->address;
    read_part(p, first ? unit->elsewhere : unit->function, &code);
    read_part(p, first ? unit->function : unit->elsewhere, &code);
    *a = (struct liveness){
        .code = code.data, .count = code.len, .pads = &p->units.pads, .callees = &p->callees};
    a->entry = liveness_find_instruction(a, unit->function->address);
    a->states = NEW_ZEROED(struct frame_state, a->count);
    a->effects = NEW_ZEROED(struct effect, a->count);
    a->needs = NEW_ZEROED(struct needs, a->count);
    a->reached = NEW_ZEROED(bool, a->count);
    liveness_find_tables(a, &p->units.code);
    liveness_find_printing(a, code.data, &p->units.code);
}

static void close_function(struct liveness *a)
{
    free((void *)a->code);
    free(a->states), free(a->effects), free(a->needs), free(a->idle), free(a->reached);
    vec_free(&a->open);
    vec_free(&a->tables);
}

static void find_in_function(struct program *p, const struct code_unit *unit)
{
    struct liveness a;
    open_function(p, unit, &a);
    const char *why = refuse(p, unit, &a);
    if (!why)
        why = find_addresses(&a, REGISTERS);
    if (!why)
        liveness_find_needs(&a);
    liveness_add_places(&a, unit->function->name, why, &p->sink);
    if (!why)
        liveness_find_updates(&a, p->sink.places);
    close_function(&a);
}

/* --- functions that are called -------------------------------------------------------------------- */

/* The worst, until it is known. */
static struct summary summarise(struct program *p, uint64_t function, unsigned argument)
{
    for (size_t k = 0; k < p->summaries.len; k++)
        if (p->summaries.data[k].function == function && p->summaries.data[k].argument == argument)
            return p->summaries.data[k];
    size_t at = p->summaries.len;
    struct summary s = {function, argument, LENDING_LEAKS, true};
    vec_push(&p->summaries, s);
    const struct code_unit *unit = code_units_at(&p->units, function);
    struct liveness a;
    if (!unit)
        return s;
    open_function(p, unit, &a);
    if (!refuse(p, unit, &a) && !find_addresses(&a, argument) && !a.leaks) {
        s.lending = a.returns_argument ? LENDING_RETURNS : LENDING_FINE;
        s.reads_above = a.reads_above;
        p->summaries.data[at] = s;
    }
    close_function(&a);
    return s;
}

static enum lending lends(void *context, uint64_t function, unsigned argument)
{
    return summarise(context, function, argument).lending;
}

static bool reads_above(void *context, uint64_t function)
{
    return summarise(context, function, REGISTERS).reads_above;
}

/* Up to the hook at its beginning, which leaves nothing in rax, the code goes straight on. */
static bool reads_rax(void *context, uint64_t function)
{
    const struct program *p = context;
    const struct code_unit *unit = code_units_at(&p->units, function);
    struct machine_instruction i = {0};
    while (unit && program_code_next(unit->function, &i)) {
        if (i.reads >> RAX & 1 || (i.writes & ~i.kills) >> RAX & 1 || i.memory.base == RAX ||
            i.memory.index == RAX || (i.flow != FLOW_ON && i.flow != FLOW_CALL))
            return true;
        if (i.flow == FLOW_CALL)
            return strcmp(program_code_callee(&p->units.code, &i), "__tsan_func_entry") != 0;
        if (i.kills >> RAX & 1)
            return false;
    }
    return true;
}

/* --- all ------------------------------------------------------------------------------------------- */

static int compare_places(const void *x, const void *y)
{
    const struct fold_place *a = x, *b = y;
    return (a->pc > b->pc) - (a->pc < b->pc);
}

static int compare_calls(const void *x, const void *y)
{
    const struct fold_call *a = x, *b = y;
    return (a->pc > b->pc) - (a->pc < b->pc);
}

static int compare_updates(const void *x, const void *y)
{
    const struct fold_update *a = x, *b = y;
    return (a->pc > b->pc) - (a->pc < b->pc);
}

static void find_all(struct program *p, const char *path)
{
    struct fold_places *places = p->sink.places;
    places->count = places->call_count = places->update_count = 0;
#if defined(__x86_64__)
    p->callees = (struct callees){p, lends, reads_above, reads_rax};
    code_units_open(&p->units, path);
    for (size_t k = 0; k < p->units.list.len; k++)
        if (p->units.unit_of[k] == k && (p->sink.all || p->units.list.data[k].leads_to_atomics))
            find_in_function(p, &p->units.list.data[k]);
    qsort(places->list, places->count, sizeof *places->list, compare_places);
    qsort(places->calls, places->call_count, sizeof *places->calls, compare_calls);
    qsort(places->updates, places->update_count, sizeof *places->updates, compare_updates);
    vec_free(&p->summaries);
    code_units_close(&p->units);
#else
    (void)path;
#endif
}

void liveness_find(const char *path, struct fold_places *places, const struct liveness_listener *listener)
{
    find_all(&(struct program){.sink = {.places = places, .listener = listener}}, path);
}

void liveness_find_all(const char *path, struct fold_places *places)
{
    find_all(&(struct program){.sink = {.places = places, .all = true}}, path);
}
