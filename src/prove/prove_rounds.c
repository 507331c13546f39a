/* SPDX-License-Identifier: Apache-2.0 */
/* A thread that goes round and round without touching what threads share, and changes nothing: it never gets out, whatever others do. Rounds
 * without hooks are watched instruction by instruction: nothing but registers and the own stack can change there. Those with hooks by the forms
 * of states. */
#include "prove/prove_rounds.h"

#include "prove/prove_harness.h"
#include "prove/prove_image.h"

#include <signal.h>
#include <string.h>

enum {
    TRAP_FLAG = 0x100,
    TRAPS_MOST = 1 << 18,
    /* Of the same length: an instruction that reads a clock or draws lots has others */
    SAME_ROUNDS = 8,
    STACK_MOST = 1 << 14,
    RED_BYTES = 128,
};

static struct {
    bool is_on;
    uint32_t traps, next, first; /* since it began; when a state is kept; when it was */
    uint32_t length, same;       /* of the last round, and how many had that length */
    greg_t registers[NGREG];
    struct _libc_fpstate vectors;
    uint8_t stack[STACK_MOST];
    size_t stack_size;
} rounds;

static size_t stack_of(const ucontext_t *c, const uint8_t **from)
{
    uint64_t sp = (uint64_t)c->uc_mcontext.gregs[REG_RSP] - RED_BYTES;
    for (unsigned t = 0; t < prove.threads; t++)
        if (sp >= prove_stack_base(t) && sp < prove_stack_top(t)) {
            *from = (const uint8_t *)sp;
            return prove_stack_top(t) - sp;
        }
    return SIZE_MAX;
}

static bool is_compared(unsigned r)
{
    return r <= REG_RIP || r == REG_EFL;
}

static bool is_same(const ucontext_t *c)
{
    const uint8_t *stack = NULL;
    for (unsigned r = 0; r < NGREG; r++)
        if (is_compared(r) && c->uc_mcontext.gregs[r] != rounds.registers[r])
            return false;
    return stack_of(c, &stack) == rounds.stack_size && memcmp(stack, rounds.stack, rounds.stack_size) == 0 &&
           memcmp(c->uc_mcontext.fpregs->_xmm, rounds.vectors._xmm, sizeof rounds.vectors._xmm) == 0;
}

static bool keep(const ucontext_t *c)
{
    const uint8_t *stack = NULL;
    rounds.stack_size = stack_of(c, &stack);
    if (rounds.stack_size > STACK_MOST)
        return false;
    memcpy(rounds.registers, c->uc_mcontext.gregs, sizeof rounds.registers);
    memcpy(rounds.stack, stack, rounds.stack_size);
    rounds.vectors = *c->uc_mcontext.fpregs;
    rounds.next = 2 * rounds.traps + 1;
    rounds.first = rounds.traps;
    rounds.length = rounds.same = 0;
    return true;
}

void prove_rounds_begin(ucontext_t *c)
{
    if (rounds.is_on)
        return;
    rounds.traps = rounds.next = 0;
    rounds.is_on = true;
    c->uc_mcontext.gregs[REG_EFL] |= TRAP_FLAG;
}

void prove_rounds_end(ucontext_t *c)
{
    rounds.is_on = false;
    c->uc_mcontext.gregs[REG_EFL] &= ~TRAP_FLAG;
}

enum prove_rounds prove_rounds_trap(const ucontext_t *c)
{
    if (!rounds.is_on)
        return PROVE_ROUNDS_NONE;
    if (rounds.traps == TRAPS_MOST)
        return PROVE_ROUNDS_UNKNOWN;
    if (rounds.traps && is_same(c)) {
        uint32_t length = rounds.traps - rounds.first;
        rounds.same = length == rounds.length ? rounds.same + 1 : 1;
        rounds.length = length;
        rounds.first = rounds.traps;
        if (rounds.same == SAME_ROUNDS)
            return PROVE_ROUNDS_ENDLESS;
    } else if (rounds.traps == rounds.next && !keep(c)) {
        return PROVE_ROUNDS_UNKNOWN;
    }
    rounds.traps++;
    return PROVE_ROUNDS_GO_ON;
}

enum prove_outcome prove_rounds_fault(void)
{
    return prove_never_waits()
               ? prove_note(PROVE_FAULT,
                            "it never returns: it goes round without touching what threads share")
               : prove_note(PROVE_UNSURE, "a step that goes round without touching what threads share");
}

/* False: it gets out, or that is not known. */
static bool comes_again(bool (*go_on)(void *), void *context)
{
    enum { ACCESSES_MOST = 2000 };
    static struct prove_form seen, now;
    static struct prove_names names;
    if (prove_form_make(&seen, &names) != PROVE_FINE)
        return false;
    for (unsigned i = 0; i < ACCESSES_MOST; i++)
        if (!go_on(context) || prove_form_make(&now, &names) != PROVE_FINE)
            return false;
        else if (prove_form_equals(&seen, &now))
            return true;
    return false;
}

bool prove_rounds_by_forms(bool (*go_on)(void *), void *context)
{
    struct prove_program *p = &prove.program;
    bool had_written = p->has_new_uses;
    p->has_new_uses = false;
    p->doubts_constants = true;
    bool again = comes_again(go_on, context) && !p->has_new_uses;
    p->doubts_constants = false;
    p->has_new_uses |= had_written;
    return again;
}
