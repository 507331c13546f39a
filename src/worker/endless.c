/* SPDX-License-Identifier: Apache-2.0 */
#include "worker/signals.h"

#if defined(__x86_64__)

#include "engine/engine.h"
#include "engine/code/imports.h"
#include "engine/memory/snapshot.h"
#include "machine/instruction.h"
#include "rt/hook.h"

#include <signal.h>
#include <stddef.h>
#include <string.h>

enum {
    STACK_MOST = 16 << 10,
    /* Below the stack pointer, where functions that call none may keep things */
    RED_ZONE = 128,
    VECTORS_MOST = 4096,
    COMPARED_REGISTERS = REG_RIP + 1, /* the general ones, the stack pointer, the instruction's address */
    /* Instructions of the program before a round begins elsewhere than behind a hook */
    HOOK_PATIENCE = 2000,
};

static const greg_t TRAP_FLAG = 0x100, RESUME_FLAG = 0x10000;

struct machine_state {
    bool behind_hook; /* only what a call preserves belongs to it */
    greg_t registers[COMPARED_REGISTERS], flags;
    size_t vectors_size, stack_size;
    char vectors[VECTORS_MOST]; /* floating point and vector registers, as the system saves them */
    char stack[STACK_MOST];     /* from the red zone to the base */
    uint64_t memory;            /* digest of all other memory */
};

static struct {
    bool searches, has_kept;
    /* Where the last instruction was; in_hook: the runtime was entered by one */
    bool in_program, in_hook;
    bool reads;      /* it was in a hook, since the kept state */
    uint32_t waited; /* for a hook, instructions */
    /* The last instruction was an IMPORT: the runtime's hooks return, others may do anything */
    bool imports;
    uint32_t left;                       /* instructions */
    uint32_t instructions, forks, jumps; /* since the kept state; the last two of the program only */
    struct machine_state kept;
    greg_t outermost; /* stack pointer of `place` */
    const void *place;
} search;

/* ------------------------------------------------------------------ instructions */

enum step {
    STRAIGHT, /* the next one follows */
    JUMP,     /* always to the same place */
    IMPORT,   /* to a place that is written in the program's data */
    FORK,     /* where it leads depends on the state */
    /* What it does depends on more than the state: clocks, random numbers, the system */
    FOREIGN,
};

static enum step classify(const void *code)
{
    struct machine_instruction i;
    if (!machine_decode((uint64_t)code, MACHINE_LONGEST, &i) || i.kind == KIND_QUERY || i.kind == KIND_SYSTEM)
        return FOREIGN;
    switch (i.flow) {
    case FLOW_JUMP:
    case FLOW_CALL: return i.target ? JUMP : i.memory.relative ? IMPORT : FORK;
    case FLOW_BRANCH:
    case FLOW_RETURN: return FORK;
    default: return STRAIGHT;
    }
}

/* ------------------------------------------------------------------ states */

/* How many bytes of floating point and vector registers there are; 0: unknown. */
static size_t vectors_size(const ucontext_t *context)
{
    enum { OLD_FORMAT = 512, SIZES_AT = 464, MAGIC = 0x46505853 };
    struct {
        uint32_t magic, extended_size;
        uint64_t features;
        uint32_t size;
    } sizes;
    const char *area = (const char *)context->uc_mcontext.fpregs;
    if (!area)
        return 0;
    memcpy(&sizes, area + SIZES_AT, sizeof sizes);
    return sizes.magic == MAGIC ? sizes.size : OLD_FORMAT;
}

/* The part of the stack that belongs to the state. */
static bool find_stack(const ucontext_t *context, const char **from, size_t *size)
{
    void *stack;
    size_t room;
    uint64_t low = (uint64_t)context->uc_mcontext.gregs[REG_RSP] - RED_ZONE;
    if (!engine_is_own_stack(low) || !engine_find_stack(engine_current(), &stack, &room))
        return false;
    *from = (const char *)low;
    *size = (size_t)((uint64_t)stack + room - low);
    return *size <= STACK_MOST;
}

static greg_t flags_of(const ucontext_t *context)
{
    return context->uc_mcontext.gregs[REG_EFL] & ~(TRAP_FLAG | RESUME_FLAG);
}

static bool keep_state(struct machine_state *s, const ucontext_t *context, bool behind_hook)
{
    const char *stack;
    s->behind_hook = behind_hook;
    s->vectors_size = vectors_size(context);
    if (!s->vectors_size || s->vectors_size > VECTORS_MOST || !find_stack(context, &stack, &s->stack_size) ||
        !snapshot_digest(&s->memory))
        return false;
    memcpy(s->registers, context->uc_mcontext.gregs, sizeof s->registers);
    s->flags = flags_of(context);
    memcpy(s->vectors, context->uc_mcontext.fpregs, s->vectors_size);
    memcpy(s->stack, stack, s->stack_size);
    return true;
}

static bool are_registers(const struct machine_state *s, const ucontext_t *context)
{
    return memcmp(s->registers, context->uc_mcontext.gregs, sizeof s->registers) == 0 &&
           s->flags == flags_of(context) && s->vectors_size == vectors_size(context) &&
           memcmp(s->vectors, context->uc_mcontext.fpregs, s->vectors_size) == 0;
}

/* Behind a call no other register means anything to the code, from wherever it got there; the hook has left there what it
 * likes. */
static bool are_preserved(const struct machine_state *s, const ucontext_t *context)
{
    static const int preserved[] = {REG_RBX, REG_RBP, REG_R12, REG_R13, REG_R14, REG_R15, REG_RSP, REG_RIP};
    const char *now = (const char *)context->uc_mcontext.fpregs;
    for (size_t k = 0; k < sizeof preserved / sizeof *preserved; k++)
        if (s->registers[preserved[k]] != context->uc_mcontext.gregs[preserved[k]])
            return false;
    const size_t word = offsetof(struct _libc_fpstate, cwd), mxcsr = offsetof(struct _libc_fpstate, mxcsr);
    return memcmp(s->vectors + word, now + word, sizeof(uint16_t)) == 0 &&
           memcmp(s->vectors + mxcsr, now + mxcsr, sizeof(uint32_t)) == 0;
}

/* Memory last: it takes the longest. Nothing announced a change of it, so it is for code without hooks. */
static bool is_state(const struct machine_state *s, const ucontext_t *context)
{
    const char *stack;
    size_t size, from = s->behind_hook ? RED_ZONE : 0;
    uint64_t memory;
    return (s->behind_hook ? are_preserved(s, context) : are_registers(s, context)) &&
           find_stack(context, &stack, &size) && size == s->stack_size &&
           memcmp(s->stack + from, stack + from, size - from) == 0 && snapshot_digest(&memory) &&
           memory == s->memory;
}

/* ------------------------------------------------------------------ the search */

void endless_begin(ucontext_t *context, uint32_t instructions)
{
    search.left = instructions;
    search.searches = true;
    search.has_kept = search.in_program = search.in_hook = false;
    search.waited = 0;
    context->uc_mcontext.gregs[REG_EFL] |= TRAP_FLAG;
    sigdelset(&context->uc_sigmask, SIGTRAP); /* the program may block it; then it would be killed */
}

bool endless_is_searching(void)
{
    return search.searches;
}

void endless_stop(ucontext_t *context)
{
    search.searches = false;
    context->uc_mcontext.gregs[REG_EFL] &= ~TRAP_FLAG;
}

uint32_t endless_period(void)
{
    return search.instructions;
}

bool endless_reads(void)
{
    return search.reads;
}

const void *endless_place(void)
{
    return (const char *)search.place + 1; /* lines are looked up at pc - 1 */
}

/* Where the search began depends on a clock; the first instruction of the outermost function that the loop is in does not. */
static void note_outermost(const ucontext_t *context, const void *pc)
{
    greg_t stack = context->uc_mcontext.gregs[REG_RSP];
    if (stack < search.outermost || (stack == search.outermost && pc >= search.place && search.place))
        return;
    search.outermost = stack;
    search.place = pc;
}

/* Only between two of its instructions the program's state is one that it can come back to; best right behind a hook. */
static enum endless_answer start_round(const ucontext_t *context, bool is_program, bool behind_hook)
{
    if (!is_program && !search.waited)
        return ENDLESS_SEARCHING;
    if (search.waited && engine_had_effect()) /* most computations have one soon */
        return ENDLESS_UNKNOWN;
    if (!search.waited)
        engine_watch_effects();
    search.waited += is_program;
    if (!is_program || (!behind_hook && search.waited < HOOK_PATIENCE))
        return ENDLESS_SEARCHING;
    engine_watch_effects();
    search.has_kept = keep_state(&search.kept, context, behind_hook);
    search.instructions = search.forks = search.jumps = 0;
    search.imports = search.reads = false;
    search.outermost = 0;
    search.place = NULL;
    return search.has_kept ? ENDLESS_SEARCHING : ENDLESS_UNKNOWN;
}

static bool is_at_start(const ucontext_t *context)
{
    const greg_t *now = context->uc_mcontext.gregs, *then = search.kept.registers;
    return now[REG_RIP] == then[REG_RIP] && now[REG_RSP] == then[REG_RSP];
}

/* Has the program just come back from a hook? */
static bool note_place(const void *pc, bool is_program)
{
    bool behind_hook = is_program && !search.in_program && search.in_hook;
    if (search.in_program && !is_program)
        search.in_hook = hook_is_plain(pc);
    search.reads |= search.in_hook;
    search.in_program = is_program;
    return behind_hook;
}

static bool is_way_into_runtime(const void *pc)
{
    return snapshot_is_runtime_code(pc) || imports_is_watching(pc);
}

static enum endless_answer look(const ucontext_t *context)
{
    const unsigned char *pc = (const unsigned char *)context->uc_mcontext.gregs[REG_RIP];
    bool is_program = !snapshot_is_system_code(pc) && !imports_is_watching(pc);
    enum step next = is_program ? classify(pc) : STRAIGHT;
    if (search.left-- == 0 || next == FOREIGN)
        return ENDLESS_UNKNOWN;
    search.instructions++;
    bool behind_hook = note_place(pc, is_program);
    enum endless_answer answer = ENDLESS_SEARCHING;
    if (!search.has_kept)
        answer = start_round(context, is_program, behind_hook);
    else if (engine_had_effect())
        return ENDLESS_UNKNOWN;
    else if (is_at_start(context) && search.jumps && !search.forks)
        return ENDLESS_NO_EXIT;
    else if (is_at_start(context) && is_state(&search.kept, context))
        return ENDLESS_AGAIN;
    if (is_program && search.has_kept)
        note_outermost(context, pc);
    search.forks += next == FORK || (search.imports && !is_way_into_runtime(pc));
    search.jumps += next == JUMP;
    search.imports = next == IMPORT;
    return answer;
}

bool endless_skip(void)
{
    return !search.in_program && search.left && search.left--;
}

enum endless_answer endless_step(ucontext_t *context)
{
    enum endless_answer answer = look(context);
    if (answer != ENDLESS_SEARCHING)
        endless_stop(context);
    return answer;
}

#else

void endless_begin(ucontext_t *context, uint32_t instructions)
{
    (void)context;
    (void)instructions;
}

bool endless_is_searching(void)
{
    return false;
}

bool endless_skip(void)
{
    return false;
}

enum endless_answer endless_step(ucontext_t *context)
{
    (void)context;
    return ENDLESS_UNKNOWN;
}

void endless_stop(ucontext_t *context)
{
    (void)context;
}

uint32_t endless_period(void)
{
    return 0;
}

const void *endless_place(void)
{
    return NULL;
}

bool endless_reads(void)
{
    return false;
}

#endif
