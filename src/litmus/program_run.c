/* SPDX-License-Identifier: Apache-2.0 */
/* The interpreter behind the port. Every thread has one next action; local instructions run at once after the
 * action before them, so what is left between two questions to the explorer are actions only. */
#include "litmus/program.h"

#include "base/check.h"
#include "explore/graphs.h"

#include <string.h>

enum {
    MAIN = 0, /* the thread that creates the others */
    THREADS_MAX = PROGRAM_THREADS_MAX + 1,
    LOCATIONS_BASE = 0x1000,
    LOCAL_STEPS_MAX = 1 << 16, /* instructions between two actions: more is a loop without an end */
    ACTIONS_MAX = 1 << 20,     /* of one execution */
};

enum phase { PHASE_ABSENT, PHASE_BEGINS, PHASE_RUNS, PHASE_ENDS, PHASE_GONE };

struct runner_thread {
    enum phase phase;
    uint32_t code; /* thread of the program */
    uint32_t at;   /* instruction; main: number of creations and joins done */
    bool spins;    /* at an await that found nothing good */
};

struct runner {
    const struct program *program;
    struct explorer *explorer;
    struct runner_thread threads[THREADS_MAX]; /* by the port's number */
    struct port_action next[THREADS_MAX];      /* the same */
    uint32_t number[PROGRAM_THREADS_MAX]; /* that the port gave to a thread of the program; 0: none yet */
    uint32_t number_count;                /* explorers of schedules: numbers given */
    const uint32_t *like;                 /* see program_find_alike */
    bool cut;
    struct program_state state;
};

uint64_t program_address(uint32_t location)
{
    return LOCATIONS_BASE + UINT64_C(8) * location;
}

static event_word peek(void *context, const struct port_action *step)
{
    const struct program *p = context;
    event_word value = 0;
    memcpy(&value, (const char *)p->initial + (step->address - LOCATIONS_BASE), step->size);
    return value;
}

static const struct instruction *current(const struct runner *r, uint32_t thread)
{
    return &r->program->threads[r->threads[thread].code].code.data[r->threads[thread].at];
}

static int64_t *registers_of(struct runner *r, uint32_t thread)
{
    return r->state.registers[r->threads[thread].code];
}

static int64_t evaluate(const struct runner *r, uint32_t thread, uint32_t expression)
{
    return program_evaluate(r->program, expression, r->state.registers[r->threads[thread].code]);
}

static bool satisfies(const struct runner *r, uint32_t thread, const struct instruction *i, int64_t found)
{
    int64_t registers[PROGRAM_REGISTERS_MAX];
    memcpy(registers, r->state.registers[r->threads[thread].code], sizeof registers);
    registers[i->target] = found;
    return program_evaluate(r->program, i->expression, registers) != 0;
}

/* ---- local instructions ---- */

static bool is_local(enum instruction_kind kind)
{
    return kind == INSTRUCTION_SET || kind == INSTRUCTION_JUMP || kind == INSTRUCTION_JUMP_IF_ZERO ||
           kind == INSTRUCTION_ASSERT;
}

static uint32_t do_local(struct runner *r, uint32_t thread, const struct instruction *i, uint32_t next)
{
    switch (i->kind) {
    case INSTRUCTION_JUMP: return i->destination;
    case INSTRUCTION_SET: registers_of(r, thread)[i->target] = evaluate(r, thread, i->expression); break;
    case INSTRUCTION_JUMP_IF_ZERO: return evaluate(r, thread, i->expression) ? next : i->destination;
    case INSTRUCTION_ASSERT: r->state.failed |= !evaluate(r, thread, i->expression); break;
    default: break;
    }
    return next;
}

/* Brings the thread to its next action. */
static void settle(struct runner *r, uint32_t thread)
{
    struct runner_thread *t = &r->threads[thread];
    const struct program_thread *code = &r->program->threads[t->code];
    for (uint32_t steps = 0; t->at < code->code.len && is_local(current(r, thread)->kind); steps++) {
        if (steps == LOCAL_STEPS_MAX) {
            r->cut = true;
            return;
        }
        t->at = do_local(r, thread, current(r, thread), t->at + 1);
    }
    if (t->at >= code->code.len)
        t->phase = PHASE_ENDS;
}

/* ---- the main thread ---- */

/* The program thread that main's step number `at` is about; PROGRAM_THREADS_MAX: none is left. */
static uint32_t main_subject(const struct program *p, uint32_t at)
{
    for (uint32_t t = 0; t < p->thread_count; t++)
        if (!p->threads[t].on_demand && at-- == 0)
            return t;
    return PROGRAM_THREADS_MAX;
}

static uint32_t prompt_threads(const struct program *p)
{
    uint32_t count = 0;
    for (uint32_t t = 0; t < p->thread_count; t++)
        count += !p->threads[t].on_demand;
    return count;
}

static struct port_action main_action(const struct runner *r)
{
    uint32_t count = prompt_threads(r->program), at = r->threads[MAIN].at;
    bool creates = at < count;
    return (struct port_action){
        .kind = creates ? EVENT_CREATE : EVENT_JOIN,
        .address = creates ? 0 : r->number[main_subject(r->program, at - count)],
        .operand = creates ? r->like[main_subject(r->program, at)] : 0,
        .expected = 1,
    };
}

static void main_goes_on(struct runner *r)
{
    if (r->threads[MAIN].at == 2 * prompt_threads(r->program))
        r->threads[MAIN].phase = PHASE_ENDS;
}

/* ---- actions ---- */

static enum event_kind kind_of_access(enum operation o)
{
    switch (o) {
    case OPERATION_LOAD: return EVENT_READ;
    case OPERATION_STORE: return EVENT_WRITE;
    case OPERATION_LOCK: return EVENT_LOCK;
    case OPERATION_TRYLOCK: return EVENT_TRYLOCK;
    case OPERATION_UNLOCK: return EVENT_UNLOCK;
    case OPERATION_TAKE: return EVENT_SEM_WAIT;
    default: return EVENT_UPDATE;
    }
}

static struct port_action access_action(const struct runner *r, uint32_t thread, const struct instruction *i)
{
    struct port_action a = {
        .address = program_address(i->location) + i->offset,
        .kind = (uint8_t)kind_of_access(i->operation),
        .size = (uint8_t)program_size_of(i),
        .order = i->order,
        .failure_order = i->failure_order,
        .operation = (uint8_t)i->operation,
    };
    if (operation_may_write(i->operation))
        a.operand = (uint64_t)evaluate(r, thread, i->expression);
    return a;
}

static struct port_action cas_action(const struct runner *r, uint32_t thread, const struct instruction *i)
{
    struct port_action a = access_action(r, thread, i);
    bool in_register = i->expected_register >= 0;
    a.expected = (uint64_t)(in_register ? r->state.registers[r->threads[thread].code][i->expected_register]
                                        : evaluate(r, thread, i->expected));
    a.flags = i->weak ? PORT_WEAK : 0;
    return a;
}

static struct port_action await_action(const struct runner *r, uint32_t thread, const struct instruction *i)
{
    bool spins = r->threads[thread].spins;
    return (struct port_action){
        .address = program_address(i->location) + i->offset,
        .kind = EVENT_READ,
        .size = (uint8_t)program_size_of(i),
        .order = i->order,
        .failure_order = i->order,
        .operation = OPERATION_LOAD,
        .flags = spins ? PORT_SPINS : 0,
        .round = spins,
    };
}

static struct port_action join_action(const struct runner *r, uint32_t code)
{
    CHECK(r->number[code] != 0); /* created before */
    return (struct port_action){.kind = EVENT_JOIN, .address = r->number[code]};
}

static struct port_action running_action(const struct runner *r, uint32_t thread)
{
    if (thread == MAIN)
        return main_action(r);
    const struct instruction *i = current(r, thread);
    switch (i->kind) {
    case INSTRUCTION_ACCESS: return access_action(r, thread, i);
    case INSTRUCTION_CAS: return cas_action(r, thread, i);
    case INSTRUCTION_AWAIT: return await_action(r, thread, i);
    case INSTRUCTION_FENCE: return (struct port_action){.kind = EVENT_FENCE, .order = i->order};
    case INSTRUCTION_CREATE: return (struct port_action){.kind = EVENT_CREATE};
    default: return join_action(r, i->destination);
    }
}

static struct port_action next_action(const struct runner *r, uint32_t thread)
{
    struct port_action a;
    switch (r->threads[thread].phase) {
    case PHASE_BEGINS: a = (struct port_action){.kind = EVENT_BEGIN}; break;
    case PHASE_ENDS: a = (struct port_action){.kind = EVENT_END, .operand = thread == MAIN}; break;
    default: a = running_action(r, thread); break;
    }
    a.thread = (uint16_t)thread;
    return a;
}

static int64_t load(const struct runner *r, const struct port_action *a)
{
    int64_t value = 0;
    memcpy(&value, (const char *)r->state.memory + (a->address - LOCATIONS_BASE), a->size);
    return value;
}

static void store(struct runner *r, const struct port_action *a, event_word value)
{
    memcpy((char *)r->state.memory + (a->address - LOCATIONS_BASE), &value, a->size);
}

/* Registers and position after an access that found `found`. */
static void finish_access(struct runner *r, uint32_t thread, int64_t found, bool wrote)
{
    const struct instruction *i = current(r, thread);
    struct runner_thread *t = &r->threads[thread];
    int64_t *registers = registers_of(r, thread);
    t->spins = i->kind == INSTRUCTION_AWAIT && !satisfies(r, thread, i, found);
    if (t->spins)
        return;
    bool is_cas = i->kind == INSTRUCTION_CAS;
    if (is_cas && !wrote && i->expected_register >= 0)
        registers[i->expected_register] = found;
    if (i->target >= 0)
        registers[i->target] = is_cas ? wrote : found;
    t->at++;
    settle(r, thread);
}

/* `fails`: although it finds what it expects. */
static void do_access(struct runner *r, const struct port_action *a, bool fails)
{
    int64_t found = load(r, a);
    struct operation_effect effect =
        operation_apply(a->operation, a->size, a->operand, a->expected, (uint64_t)found);
    if (!effect.possible) /* stays where it is */
        return;
    if (a->flags & PORT_WEAK && effect.writes && !r->explorer->class->advance)
        fails = r->explorer->class->branch(r->explorer, 2);
    effect.writes &= !fails;
    if (effect.writes)
        store(r, a, effect.value);
    finish_access(r, a->thread, found, effect.writes);
}

static void create(struct runner *r, uint32_t creator, uint32_t number)
{
    uint32_t code =
        creator == MAIN ? main_subject(r->program, r->threads[MAIN].at) : current(r, creator)->destination;
    CHECK(number < THREADS_MAX && r->threads[number].phase == PHASE_ABSENT && r->number[code] == 0);
    r->threads[number] = (struct runner_thread){.phase = PHASE_BEGINS, .code = code};
    r->number[code] = number;
    r->state.program_thread[number] = (uint16_t)code;
}

/* The end of the main thread is the end of the process. */
static void do_end(struct runner *r, uint32_t thread)
{
    for (uint32_t t = 0; t < THREADS_MAX; t++)
        if (t == thread || thread == MAIN)
            r->threads[t].phase = PHASE_GONE;
}

static void go_on(struct runner *r, uint32_t thread)
{
    if (thread == MAIN)
        main_goes_on(r);
    else
        settle(r, thread);
}

static void do_action(struct runner *r, const struct port_action *a, const struct port_answer *answer)
{
    struct runner_thread *t = &r->threads[a->thread];
    switch (a->kind) {
    case EVENT_BEGIN: t->phase = PHASE_RUNS; break;
    case EVENT_END: do_end(r, a->thread); return;
    case EVENT_CREATE:
        create(r, a->thread, answer->thread);
        t->at++;
        break;
    case EVENT_FENCE:
    case EVENT_JOIN: t->at++; break;
    default: do_access(r, a, answer->fails); return;
    }
    go_on(r, a->thread);
}

/* ---- asking the explorer ---- */

struct question {
    struct port_action actions[THREADS_MAX];
    uint32_t count, running;
};

/* Whether the step can be taken on memory as it is: for explorers of schedules. Main ends last. */
static bool is_enabled(struct runner *r, const struct port_action *a)
{
    if (a->kind == EVENT_END && a->thread == MAIN)
        return false;
    if (a->kind == EVENT_JOIN)
        return r->threads[a->address].phase == PHASE_GONE;
    if (a->operation == OPERATION_NONE)
        return true;
    int64_t found = load(r, a);
    if (current(r, a->thread)->kind == INSTRUCTION_AWAIT)
        return satisfies(r, a->thread, current(r, a->thread), found);
    return operation_apply(a->operation, a->size, a->operand, a->expected, (uint64_t)found).possible;
}

static void gather(struct runner *r, bool only_enabled, uint32_t last, struct question *q)
{
    q->count = 0;
    q->running = UINT32_MAX;
    for (uint32_t t = 0; t < THREADS_MAX; t++) {
        if (r->threads[t].phase == PHASE_ABSENT || r->threads[t].phase == PHASE_GONE)
            continue;
        struct port_action a = next_action(r, t);
        if (only_enabled && !is_enabled(r, &a))
            continue;
        if (t == last)
            q->running = q->count;
        q->actions[q->count++] = a;
    }
    if (q->count == 0 && r->threads[MAIN].phase == PHASE_ENDS)
        q->actions[q->count++] = next_action(r, MAIN);
}

static bool all_are_gone(const struct runner *r)
{
    for (uint32_t t = 0; t < THREADS_MAX; t++)
        if (r->threads[t].phase != PHASE_ABSENT && r->threads[t].phase != PHASE_GONE)
            return false;
    return true;
}

/* The index of the step to take, or PORT_STOP; and in the answer the number of the thread that it creates, if it
 * does. */
static uint32_t ask_schedule(struct runner *r, const struct question *q, struct port_answer *answer)
{
    if (q->count == 0) {
        r->state.why = PORT_STOP_STUCK;
        return PORT_STOP;
    }
    uint32_t chosen =
        q->count == 1 ? 0 : r->explorer->class->choose(r->explorer, q->actions, q->count, q->running);
    if (q->actions[chosen].kind == EVENT_CREATE)
        answer->thread = ++r->number_count;
    return chosen;
}

static uint32_t ask_graph(struct runner *r, const struct question *q, struct port_answer *answer)
{
    uint64_t waiting = 0;
    uint32_t index[THREADS_MAX] = {0};
    for (uint32_t i = 0; i < q->count; i++) {
        uint32_t t = q->actions[i].thread;
        r->next[t] = q->actions[i];
        waiting |= UINT64_C(1) << t;
        index[t] = i;
    }
    uint32_t running = q->running < q->count ? q->actions[q->running].thread : 0;
    uint32_t chosen = r->explorer->class->advance(r->explorer, r->next, waiting, running, answer);
    if (chosen == PORT_STOP) {
        r->state.why = answer->why;
        return PORT_STOP;
    }
    if (answer->reads)
        store(r, &r->next[chosen], answer->found);
    return index[chosen];
}

static enum port_outcome stopped(const struct runner *r)
{
    return r->state.why == PORT_STOP_BLOCKED || r->state.why == PORT_STOP_STUCK ? PORT_BLOCKED : PORT_CUT;
}

static enum port_outcome run(struct runner *r)
{
    bool graphs = r->explorer->class->advance != NULL;
    uint32_t last = UINT32_MAX;
    struct port_answer answer = {0};
    struct question q;
    bool stale = true; /* the question is not about the same threads as before */
    for (uint32_t steps = 0; !stale || !all_are_gone(r); steps++) {
        if (r->state.failed)
            return PORT_ERROR;
        if (r->cut || steps == ACTIONS_MAX) {
            r->state.why = PORT_STOP_LIMIT;
            return PORT_CUT;
        }
        if (stale)
            gather(r, !graphs, last, &q);
        uint32_t chosen = graphs ? ask_graph(r, &q, &answer) : ask_schedule(r, &q, &answer);
        if (chosen == PORT_STOP)
            return stopped(r);
        CHECK(chosen < q.count);
        last = q.actions[chosen].thread;
        do_action(r, &q.actions[chosen], &answer);
        stale = !graphs || q.actions[chosen].kind == EVENT_CREATE || q.actions[chosen].kind == EVENT_END;
        if (!stale) { /* only its own steps change what a thread does next */
            q.actions[chosen] = next_action(r, last);
            q.running = chosen;
        }
    }
    return r->state.failed ? PORT_ERROR : PORT_COMPLETE;
}

static void note_spinning(struct runner *r)
{
    for (uint32_t t = 1; t < THREADS_MAX; t++)
        r->state.spins[t] = r->threads[t].phase == PHASE_RUNS && r->threads[t].spins;
}

static void start(struct runner *r)
{
    *r = (struct runner){.program = r->program, .explorer = r->explorer, .like = r->like};
    memcpy(r->state.memory, r->program->initial, sizeof r->state.memory);
    r->threads[MAIN].phase = PHASE_RUNS;
    main_goes_on(r);
}

bool program_explore(const struct program *p, struct explorer *e,
                     bool (*each)(void *context, const struct program_state *s), void *context)
{
    OWNED struct runner *r = NEW(struct runner);
    bool wanted = true;
    uint32_t like[PROGRAM_THREADS_MAX];
    program_find_alike(p, like);
    r->like = like;
    r->program = p;
    r->explorer = e;
    e->peek = peek;
    e->peek_context = (void *)p;
    while (wanted && e->class->begin(e)) {
        start(r);
        r->state.outcome = run(r);
        note_spinning(r);
        e->class->end(e, r->state.outcome);
        r->state.repeats = e->class->advance && explore_graphs_repeats(e);
        wanted = each(context, &r->state);
    }
    return wanted;
}
