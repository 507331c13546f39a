/* SPDX-License-Identifier: Apache-2.0 */
/* Places at which a thread is compared with where it was, and calls around them: what of their frames matters there. */
#include "base/text.h"
#include "target/code/liveness.h"
#include "target/code/liveness_state.h"

#include <string.h>
#include <time.h>

static const int64_t FRAME_MOST = 1 << 20;

static uint32_t saved_registers(uint16_t registers)
{
    uint32_t bits = 0;
    for (unsigned k = 0; k < FOLD_REGISTERS; k++)
        bits |= (uint32_t)(registers >> liveness_saved_order[k] & 1) << k;
    return bits;
}

/* Where what the access expects is not in the frame, it is not known where it is. */
static const char *refuse_place(const struct liveness *a, size_t k, bool folds)
{
    const int32_t *registers = a->states[k].registers;
    if (!a->reached[k] || liveness_next_of(a, k) == a->count)
        return "it is never reached";
    if (liveness_is_known_to_others(a, k))
        return "an address in its frame was passed on";
    if (liveness_expects_by_address(&a->code[k]) && !is_frame(registers[RSI]) &&
        (folds || may_be_frame(registers[RSI])))
        return "what it expects is not in its function's frame";
    return registers[RSP] > 0 || registers[RSP] <= -FRAME_MOST ? "its frame is too large" : NULL;
}

static void set_parts(uint64_t *into, frame_parts parts)
{
    into[0] = (uint64_t)parts;
    into[1] = (uint64_t)(parts >> 64);
}

static bool are_saved(uint16_t registers)
{
    for (unsigned k = 0; k < FOLD_REGISTERS; k++)
        registers &= (uint16_t) ~(1u << liveness_saved_order[k]);
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
        x->fixed_values[k] = exit.fixed_values[liveness_saved_order[k]];
    set_parts(x->found_parts, exit.found.parts);
    set_parts(x->same_parts, exit.same.parts);
}

static struct fold_frame describe_frame(const struct liveness *a, size_t k, struct needs n)
{
    const struct frame_state *s = &a->states[k];
    struct fold_frame f = {.depth = (uint32_t)-s->registers[RSP],
                           .reads_above = a->reads_above,
                           .registers = saved_registers(n.registers),
                           .parts = {(uint64_t)n.parts, (uint64_t)(n.parts >> 64)}};
    for (unsigned r = 0; r < FOLD_REGISTERS; r++)
        f.saved[r] = s->kept >> liveness_saved_order[r] & 1 ? FOLD_KEPT : s->saved[r];
    return f;
}

/* A register that a function has pushed and not changed yet is in two places. Where values are compared, either will do; where words that do
 * not matter are cleared, it is the word on the stack that is going to be popped. */
static void prefer_slots(const struct liveness *a, size_t k, struct fold_frame *f)
{
    for (unsigned r = 0; r < FOLD_REGISTERS; r++)
        if (a->states[k].saved[r])
            f->saved[r] = a->states[k].saved[r];
}

static void add_place(const struct liveness *a, size_t k, bool folds, struct fold_places *into)
{
    if (into->count == FOLD_PLACES)
        return;
    struct fold_place *p = &into->list[into->count++];
    *p = (struct fold_place){
        .pc = a->code[k].machine.next, .knows_frame = true, .frame = describe_frame(a, k, a->needs[k])};
    if (!folds)
        prefer_slots(a, k, &p->frame);
    if (!folds || !liveness_is_atomic_call(&a->code[k])) /* what it returns is not what it finds */
        return;
    p->unused = !(liveness_needs_after(a, k).registers >> RAX & 1);
    for (unsigned something = 0; something < FOLD_EXITS; something++)
        find_exit(a, k, something, &p->exits[something]);
    struct needs rest;
    p->is_patient = liveness_is_patient(a, k, &rest);
    if (p->is_patient)
        p->but_counters = describe_frame(a, k, rest);
}

/* Of others nothing is known but whether what an access finds is looked at. */
static void add_result(const struct liveness *a, size_t k, struct fold_places *into)
{
    bool unused = a->reached[k] && liveness_next_of(a, k) < a->count &&
                  liveness_is_atomic_call(&a->code[k]) && !(liveness_needs_after(a, k).registers >> RAX & 1);
    if (unused && into->count < FOLD_PLACES)
        into->list[into->count++] = (struct fold_place){.pc = a->code[k].machine.next, .unused = true};
}

/* A look at the clock: is what it finds needed? */
static void add_look(const struct liveness *a, size_t k, struct fold_places *into)
{
    int32_t place = a->states[k].registers[RSI];
    if (into->count == FOLD_PLACES || !is_frame(place) || place < -FOLD_PARTS * FOLD_PART ||
        place + (int32_t)sizeof(struct timespec) > 0)
        return;
    frame_parts parts = liveness_parts_of(place, sizeof(struct timespec), false);
    into->list[into->count++] = (struct fold_place){.pc = a->code[k].machine.next,
                                                    .unused = !(liveness_needs_after(a, k).parts & parts)};
}

/* What matters during a call is what matters behind it, and what the callee may read. */
static void add_call(const struct liveness *a, size_t k, bool folds, struct fold_places *into)
{
    struct needs n = liveness_needs_after(a, k);
    const int32_t sp = a->states[k].registers[RSP];
    if (into->call_count == FOLD_CALLS || sp > 0 || sp <= -FRAME_MOST)
        return;
    if (a->effects[k].lends)
        n.parts = ALL_PARTS;
    struct fold_call *c = &into->calls[into->call_count++];
    *c = (struct fold_call){.pc = a->code[k].machine.next, .frame = describe_frame(a, k, n)};
    if (!folds)
        prefer_slots(a, k, &c->frame);
}

static void list_place(const struct place_sink *p, const char *function, const struct liveness *a, size_t k,
                       const char *why)
{
    if (p->listener)
        p->listener->place(p->listener->context, function, a->code[k].machine.next, why,
                           why ? a->refused_at : 0);
}

/* Where `plumb prove` stops: accesses, and what its library has hooks for. */
static bool is_any_hook(const struct code_instruction *i)
{
    static const char *const starts[] = {"__tsan_read",      "__tsan_write", "__tsan_unaligned_",
                                         "__tsan_volatile_", "__tsan_vptr_", "__tsan_atomic",
                                         "pthread_mutex_",   "_Znwm",        "_Znam",
                                         "_ZdlPv",           "_ZdaPv",       "malloc",
                                         "calloc",           "free",         "aligned_alloc"};
    for (size_t k = 0; k < sizeof starts / sizeof *starts && i->machine.flow == FLOW_CALL; k++)
        if (text_starts_with(i->callee, starts[k]))
            return true;
    return false;
}

void liveness_add_places(const struct liveness *a, const char *function, const char *refused,
                         const struct place_sink *p)
{
    for (size_t k = 0; k < a->count; k++) {
        const struct code_instruction *i = &a->code[k];
        if (p->all ? is_any_hook(i) : liveness_is_step(i)) {
            const char *why = refused ? refused : refuse_place(a, k, !p->all);
            list_place(p, function, a, k, why);
            if (!why)
                add_place(a, k, !p->all, p->places);
            else if (!refused && !p->all)
                add_result(a, k, p->places);
        } else if (!refused && !p->all && strcmp(i->callee, "clock_gettime") == 0 &&
                   !refuse_place(a, k, true)) {
            add_look(a, k, p->places);
        } else if (!refused && i->machine.flow == FLOW_CALL && !*i->callee && a->reached[k] &&
                   !liveness_is_known_to_others(a, k)) {
            add_call(a, k, !p->all, p->places);
        }
    }
}
