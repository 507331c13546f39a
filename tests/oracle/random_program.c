/* SPDX-License-Identifier: Apache-2.0 */
#include "oracle/random_program.h"

#include "explore/schedules/prng.h"

#include <string.h>

enum { DATA = 2, LOCKS = 2, MOST = PROGRAM_THREADS_MAX };

struct generator {
    struct prng random;
    struct program *p;
    uint32_t thread, registers;
    uint32_t size;     /* accesses left for the thread */
    uint32_t strength; /* how often orders are strong: 0 .. 4 */
    bool has_locks, has_awaits, has_fences;
    uint8_t finest; /* bytes of the smallest accesses; 0: all have the same size */
};

static uint32_t below(struct generator *g, uint32_t limit)
{
    return prng_below(&g->random, limit);
}

static bool one_in(struct generator *g, uint32_t n)
{
    return below(g, n) == 0;
}

/* Values whose halves differ, or are the same as those of narrower accesses. */
static uint32_t wide_constant(struct generator *g)
{
    static const int64_t ones = 0x0001000100010001, halves = 0x0000000100000001;
    static const int64_t values[] = {1, 2, ones, halves, 2 * halves, INT64_C(1) << 32, (INT64_C(2) << 32) + 1,
                                     0};
    return program_constant(g->p, values[below(g, sizeof values / sizeof *values)]);
}

static bool is_constant(const struct generator *g, uint32_t expression)
{
    return g->p->expressions.data[expression].kind == EXPRESSION_CONSTANT;
}

/* The access gets a part of its location, and a wide one other constants. */
static void mix(struct generator *g, struct instruction *i)
{
    bool accesses =
        i->kind == INSTRUCTION_ACCESS || i->kind == INSTRUCTION_CAS || i->kind == INSTRUCTION_AWAIT;
    if (!g->finest || !accesses || i->location >= DATA)
        return;
    i->size = one_in(g, 2) ? 8 : g->finest == 2 && one_in(g, 2) ? 2 : 4;
    i->offset = (uint8_t)(i->size * below(g, 8u / i->size));
    if (i->size < 8 || i->kind == INSTRUCTION_AWAIT)
        return;
    if (operation_may_write(i->operation) && is_constant(g, i->expression))
        i->expression = wide_constant(g);
    if (i->kind == INSTRUCTION_CAS && is_constant(g, i->expected) && one_in(g, 2))
        i->expected = wide_constant(g);
}

static struct instruction *emit(struct generator *g, struct instruction i)
{
    mix(g, &i);
    vec_push(&g->p->threads[g->thread].code, i);
    return &vec_last(&g->p->threads[g->thread].code);
}

static int32_t new_register(struct generator *g)
{
    return g->registers < PROGRAM_REGISTERS_MAX ? (int32_t)g->registers++ : -1;
}

/* ---- orders ---- */

static uint8_t read_order(struct generator *g)
{
    static const uint8_t orders[] = {ORDER_RELAXED, ORDER_ACQUIRE, ORDER_SEQ_CST};
    return below(g, 4) < g->strength ? ORDER_SEQ_CST : orders[below(g, 3)];
}

static uint8_t write_order(struct generator *g)
{
    static const uint8_t orders[] = {ORDER_RELAXED, ORDER_RELEASE, ORDER_SEQ_CST};
    return below(g, 4) < g->strength ? ORDER_SEQ_CST : orders[below(g, 3)];
}

static uint8_t update_order(struct generator *g)
{
    static const uint8_t orders[] = {ORDER_RELAXED, ORDER_ACQUIRE, ORDER_RELEASE, ORDER_ACQ_REL,
                                     ORDER_SEQ_CST};
    return below(g, 4) < g->strength ? ORDER_SEQ_CST : orders[below(g, 5)];
}

static uint8_t fence_order(struct generator *g)
{
    static const uint8_t orders[] = {ORDER_ACQUIRE, ORDER_RELEASE, ORDER_ACQ_REL, ORDER_SEQ_CST};
    return one_in(g, 2) ? ORDER_SEQ_CST : orders[below(g, 4)];
}

/* ---- accesses ---- */

static uint32_t data_location(struct generator *g)
{
    return below(g, DATA);
}

/* 1, 2, or something that depends on what was read */
static uint32_t operand(struct generator *g)
{
    if (g->registers == 0 || !one_in(g, 4))
        return program_constant(g->p, 1 + below(g, 2));
    uint32_t r = program_register(g->p, below(g, g->registers));
    return one_in(g, 2) ? r : program_expression(g->p, EXPRESSION_ADD, r, program_constant(g->p, 1));
}

static void emit_load(struct generator *g)
{
    emit(g, (struct instruction){.kind = INSTRUCTION_ACCESS,
                                 .operation = OPERATION_LOAD,
                                 .order = read_order(g),
                                 .location = data_location(g),
                                 .target = new_register(g)});
}

static void emit_store(struct generator *g)
{
    emit(g, (struct instruction){.kind = INSTRUCTION_ACCESS,
                                 .operation = OPERATION_STORE,
                                 .order = write_order(g),
                                 .location = data_location(g),
                                 .expression = operand(g),
                                 .target = -1});
}

static void emit_update(struct generator *g)
{
    static const enum operation operations[] = {OPERATION_EXCHANGE, OPERATION_ADD, OPERATION_ADD,
                                                OPERATION_XOR,      OPERATION_SUB, OPERATION_OR};
    emit(g, (struct instruction){.kind = INSTRUCTION_ACCESS,
                                 .operation = operations[below(g, 6)],
                                 .order = update_order(g),
                                 .location = data_location(g),
                                 .expression = operand(g),
                                 .target = new_register(g)});
}

static void emit_cas(struct generator *g)
{
    struct instruction i = {.kind = INSTRUCTION_CAS,
                            .operation = OPERATION_CAS,
                            .order = update_order(g),
                            .failure_order = read_order(g),
                            .location = data_location(g),
                            .expression = operand(g),
                            .expected_register = -1};
    i.expected = program_constant(g->p, below(g, 3));
    if (g->registers > 0 && one_in(g, 2))
        i.expected_register = (int32_t)below(g, g->registers);
    i.target = new_register(g);
    i.weak = one_in(g, 2);
    emit(g, i);
}

static void emit_await(struct generator *g)
{
    struct instruction i = {.kind = INSTRUCTION_AWAIT,
                            .operation = OPERATION_LOAD,
                            .order = read_order(g),
                            .location = data_location(g),
                            .target = new_register(g)};
    uint32_t found = program_register(g->p, (uint32_t)i.target);
    i.expression = one_in(g, 3) ? program_expression(g->p, EXPRESSION_EQUAL, found,
                                                     program_constant(g->p, 1 + below(g, 2)))
                                : found;
    emit(g, i);
}

static void emit_fence(struct generator *g)
{
    emit(g, (struct instruction){.kind = INSTRUCTION_FENCE, .order = fence_order(g), .target = -1});
}

/* ---- blocks ---- */

static void emit_access(struct generator *g)
{
    static void (*const kinds[])(struct generator * g) = {emit_load,  emit_load,  emit_load,   emit_store,
                                                          emit_store, emit_store, emit_update, emit_cas};
    if (g->size > 0)
        g->size--;
    kinds[below(g, 8)](g);
}

/* The condition is on a register; `inside` is skipped when it is 0. */
static void emit_conditional(struct generator *g, uint32_t condition, void (*inside)(struct generator *g))
{
    emit(g, (struct instruction){.kind = INSTRUCTION_JUMP_IF_ZERO, .expression = condition, .target = -1});
    size_t jump = g->p->threads[g->thread].code.len - 1;
    inside(g);
    g->p->threads[g->thread].code.data[jump].destination = (uint32_t)g->p->threads[g->thread].code.len;
}

static void emit_if(struct generator *g)
{
    if (g->registers == 0)
        return;
    uint32_t r = program_register(g->p, below(g, g->registers));
    uint32_t value = program_constant(g->p, below(g, 3));
    emit_conditional(g, program_expression(g->p, EXPRESSION_EQUAL, r, value), emit_access);
}

static uint32_t lock_location(struct generator *g)
{
    return DATA + below(g, LOCKS);
}

static void emit_lock(struct generator *g, enum operation operation, uint32_t location, int32_t target)
{
    bool unlocks = operation == OPERATION_UNLOCK;
    emit(g, (struct instruction){.kind = INSTRUCTION_ACCESS,
                                 .operation = operation,
                                 .order = unlocks ? ORDER_RELEASE : ORDER_ACQUIRE,
                                 .failure_order = ORDER_RELAXED,
                                 .location = location,
                                 .expression = program_constant(g->p, g->thread + 1),
                                 .target = target});
}

static void emit_critical_section(struct generator *g)
{
    uint32_t first = lock_location(g), second = lock_location(g);
    bool nested = second != first && one_in(g, 2), forgets = one_in(g, 12);
    emit_lock(g, OPERATION_LOCK, first, -1);
    if (nested)
        emit_lock(g, OPERATION_LOCK, second, -1);
    if (!one_in(g, 4))
        emit_access(g);
    if (nested)
        emit_lock(g, OPERATION_UNLOCK, second, -1);
    if (!forgets)
        emit_lock(g, OPERATION_UNLOCK, first, -1);
    g->size = g->size > 1 ? g->size - 1 : 0;
}

static void emit_attempt(struct generator *g)
{
    uint32_t location = lock_location(g);
    int32_t target = new_register(g);
    emit_lock(g, OPERATION_TRYLOCK, location, target);
    uint32_t got = program_expression(g->p, EXPRESSION_NOT, program_register(g->p, (uint32_t)target), 0);
    emit_conditional(g, got, emit_access);
    struct program_thread *t = &g->p->threads[g->thread];
    for (size_t k = 0; k < t->code.len; k++) /* the unlock belongs to the block */
        if (t->code.data[k].kind == INSTRUCTION_JUMP_IF_ZERO && t->code.data[k].destination == t->code.len)
            t->code.data[k].destination++;
    emit_lock(g, OPERATION_UNLOCK, location, -1);
}

/* Memory that is a lock as well: the rule for mutexes does not hold there. */
static void emit_odd_access(struct generator *g)
{
    size_t before = g->p->threads[g->thread].code.len;
    emit_access(g);
    struct program_thread *t = &g->p->threads[g->thread];
    for (size_t k = before; k < t->code.len; k++) {
        t->code.data[k].location = lock_location(g);
        t->code.data[k].offset = t->code.data[k].size = 0;
    }
}

static void emit_block(struct generator *g)
{
    uint32_t dice = below(g, 24);
    if (g->has_locks && dice < 7)
        emit_critical_section(g);
    else if (g->has_locks && dice < 8)
        emit_attempt(g);
    else if (g->has_locks && one_in(g, 24))
        emit_odd_access(g);
    else if (g->has_awaits && dice < 12)
        emit_await(g);
    else if (g->has_fences && dice < 15)
        emit_fence(g);
    else if (dice < 18)
        emit_if(g);
    else
        emit_access(g);
}

static void fill_thread(struct generator *g, uint32_t thread, uint32_t size)
{
    g->thread = thread;
    g->registers = 0;
    g->size = size;
    for (uint32_t guard = 0; g->size > 0 && guard < 2 * size; guard++)
        emit_block(g);
    if (g->p->threads[thread].code.len == 0)
        emit_access(g);
}

/* One access, or two of different locations with a fence between them: what litmus tests are made of. Few events for
 * many threads, so that orders that need all of them occur. */
static void fill_litmus_thread(struct generator *g, uint32_t thread)
{
    g->thread = thread;
    g->registers = 0;
    uint32_t accesses = thread < 2 && one_in(g, 2) ? 1 : 2, location = data_location(g);
    for (uint32_t k = 0; k < accesses; k++) {
        if (k > 0 && !one_in(g, 4))
            emit_fence(g);
        if (one_in(g, 2))
            emit_load(g);
        else
            emit_store(g);
        vec_last(&g->p->threads[thread].code).location = (location + k) % DATA;
    }
}

/* The last thread is created and joined by thread 0 of the program. */
static void add_creation(struct generator *g)
{
    uint32_t child = g->p->thread_count - 1;
    struct program_thread *parent = &g->p->threads[0];
    g->p->threads[child].on_demand = true;
    VEC(struct instruction) code = {0};
    uint32_t at = below(g, 2);
    for (uint32_t k = 0; k < parent->code.len; k++) {
        if (k == at)
            vec_push(&code, ((struct instruction){.kind = INSTRUCTION_CREATE, .destination = child}));
        vec_push(&code, parent->code.data[k]);
    }
    if (at >= parent->code.len)
        vec_push(&code, ((struct instruction){.kind = INSTRUCTION_CREATE, .destination = child}));
    vec_push(&code, ((struct instruction){.kind = INSTRUCTION_JOIN, .destination = child}));
    for (uint32_t k = 0; k < code.len; k++)
        if (code.data[k].kind == INSTRUCTION_JUMP_IF_ZERO && code.data[k].destination > at)
            code.data[k].destination++;
    vec_free(&parent->code);
    memcpy(&parent->code, &code, sizeof code);
    if (one_in(g, 2)) { /* something after the join */
        g->thread = 0;
        emit_load(g);
    }
}

static void emit_await_of(struct generator *g, uint32_t thread, uint32_t location, int64_t wanted)
{
    g->thread = thread;
    uint32_t target = (uint32_t)new_register(g);
    uint32_t equal = program_expression(g->p, EXPRESSION_EQUAL, program_register(g->p, target),
                                        program_constant(g->p, wanted));
    emit(g, (struct instruction){.kind = INSTRUCTION_AWAIT,
                                 .operation = OPERATION_LOAD,
                                 .location = location,
                                 .target = (int32_t)target,
                                 .expression = equal});
}

/* A program that once failed in some orders of insertion: which thread gets which number depends on the order, and an
 * await and a load of the same location begin their threads. */
static void known_program(struct generator *g)
{
    struct program *p = g->p;
    p->thread_count = 4;
    p->location_count = DATA;
    emit_load(g);
    emit(g, (struct instruction){.kind = INSTRUCTION_CREATE, .destination = 3});
    emit_await_of(g, 0, 1, 2);
    emit(g, (struct instruction){.kind = INSTRUCTION_JOIN, .destination = 3});
    g->thread = 1;
    emit_load(g);
    emit_store(g);
    p->threads[1].code.data[1].location = 1;
    p->threads[1].code.data[1].expression = program_constant(p, 2);
    emit_await_of(g, 2, 1, 1);
    g->thread = 3;
    emit_load(g);
    p->threads[0].code.data[0].location = p->threads[3].code.data[0].location = 1;
    p->threads[3].on_demand = true;
}

enum { KNOWN = 24 }; /* numbers, hence orders of insertion */

void random_program(struct program *p, uint64_t seed, uint64_t number)
{
    static const uint32_t most_size[] = {0, 0, 5, 3, 2};
    struct generator g = {.random = prng_start(seed, number), .p = p};
    g.strength = below(&g, 5);
    if (number < KNOWN) {
        known_program(&g);
        return;
    }
    g.has_locks = one_in(&g, 3);
    g.has_awaits = one_in(&g, 3);
    g.has_fences = !one_in(&g, 3);
    bool is_litmus = one_in(&g, 4), creates = one_in(&g, 4);
    g.has_locks &= !is_litmus;
    g.has_awaits |= creates && one_in(&g, 2);
    p->thread_count = is_litmus ? 3 + below(&g, 2) : 2 + below(&g, 3);
    p->location_count = DATA + (g.has_locks ? LOCKS : 0);
    for (uint32_t t = 0; t < p->thread_count && is_litmus; t++)
        fill_litmus_thread(&g, t);
    for (uint32_t t = 0; t < p->thread_count && !is_litmus; t++)
        fill_thread(&g, t, 2 + below(&g, most_size[p->thread_count]));
    if (p->thread_count > 2 && creates)
        add_creation(&g);
}

/* ---- accesses of different sizes ---- */

/* Bytes of x: 8 from 0 on, or one half. */
enum { WHOLE = 0, LOWER = 4 << 4, UPPER = 4 << 4 | 4 };

static void known_access(struct generator *g, uint32_t thread, enum operation o, unsigned bytes,
                         uint8_t order, int64_t value, int64_t expected)
{
    g->thread = thread;
    if (thread >= g->p->thread_count) {
        g->p->thread_count = thread + 1;
        g->registers = 0;
    }
    emit(g, (struct instruction){.kind = o == OPERATION_CAS ? INSTRUCTION_CAS : INSTRUCTION_ACCESS,
                                 .operation = o,
                                 .order = order,
                                 .failure_order = o == OPERATION_CAS && order ? ORDER_ACQUIRE : ORDER_RELAXED,
                                 .offset = bytes & 15,
                                 .size = (uint8_t)(bytes >> 4),
                                 .expression = program_constant(g->p, value),
                                 .expected = program_constant(g->p, expected),
                                 .expected_register = -1,
                                 .target = o == OPERATION_STORE ? -1 : new_register(g)});
}

/* Programs on which rules that are nearly right lose executions, see docs/internals/explore/mixed.md. */
static void known_mixed_program(struct generator *g, uint64_t number)
{
    const int64_t both = 0x0000000300000003;
    g->p->location_count = 1;
    switch (number) {
    case 0:
        known_access(g, 0, OPERATION_EXCHANGE, LOWER, ORDER_SEQ_CST, 1, 0);
        known_access(g, 1, OPERATION_CAS, WHOLE, ORDER_SEQ_CST, both, 0);
        known_access(g, 2, OPERATION_STORE, UPPER, ORDER_SEQ_CST, 1, 0);
        break;
    case 1:
        known_access(g, 0, OPERATION_LOAD, UPPER, ORDER_RELAXED, 0, 0);
        known_access(g, 0, OPERATION_LOAD, WHOLE, ORDER_ACQUIRE, 0, 0);
        known_access(g, 1, OPERATION_STORE, LOWER, ORDER_RELAXED, 1, 0);
        known_access(g, 2, OPERATION_STORE, LOWER, ORDER_RELAXED, 2, 0);
        known_access(g, 2, OPERATION_STORE, UPPER, ORDER_RELEASE, 1, 0);
        known_access(g, 3, OPERATION_STORE, UPPER, ORDER_RELAXED, 2, 0);
        break;
    case 2:
        known_access(g, 0, OPERATION_CAS, WHOLE, ORDER_RELAXED, both, 0);
        known_access(g, 1, OPERATION_ADD, LOWER, ORDER_RELAXED, 1, 0);
        known_access(g, 1, OPERATION_STORE, UPPER, ORDER_RELAXED, 1, 0);
        known_access(g, 2, OPERATION_CAS, UPPER, ORDER_RELAXED, 1, 3);
        vec_last(&g->p->threads[2].code).failure_order = ORDER_ACQUIRE;
        known_access(g, 2, OPERATION_LOAD, LOWER, ORDER_ACQUIRE, 0, 0);
        break;
    case 3: /* halves read apart: only weakly ordered loads may see an old one after a new one */
        known_access(g, 0, OPERATION_STORE, WHOLE, ORDER_RELAXED, both, 0);
        known_access(g, 1, OPERATION_LOAD, LOWER, ORDER_RELAXED, 0, 0);
        known_access(g, 1, OPERATION_LOAD, UPPER, ORDER_RELAXED, 0, 0);
        break;
    case 4: /* each sees its own store first */
        known_access(g, 0, OPERATION_STORE, LOWER, ORDER_RELAXED, 1, 0);
        known_access(g, 0, OPERATION_LOAD, WHOLE, ORDER_RELAXED, 0, 0);
        known_access(g, 1, OPERATION_STORE, UPPER, ORDER_RELAXED, 1, 0);
        known_access(g, 1, OPERATION_LOAD, WHOLE, ORDER_RELAXED, 0, 0);
        break;
    default: /* two that see two stores in different orders */
        known_access(g, 0, OPERATION_STORE, LOWER, ORDER_RELAXED, 1, 0);
        known_access(g, 1, OPERATION_STORE, UPPER, ORDER_RELAXED, 1, 0);
        known_access(g, 2, OPERATION_LOAD, WHOLE, ORDER_RELAXED, 0, 0);
        known_access(g, 3, OPERATION_LOAD, WHOLE, ORDER_RELAXED, 0, 0);
        break;
    }
}

enum { KNOWN_MIXED = 6 };

void random_mixed_program(struct program *p, uint64_t seed, uint64_t number)
{
    static const uint32_t least_size[] = {0, 0, 3, 2, 1}, most_size[] = {0, 0, 5, 4, 3};
    struct generator g = {.random = prng_start(seed, number), .p = p};
    if (number < KNOWN_MIXED) {
        known_mixed_program(&g, number);
        return;
    }
    g.strength = below(&g, 5);
    g.finest = one_in(&g, 6) ? 2 : 4;
    g.has_locks = one_in(&g, 6);
    g.has_awaits = one_in(&g, 6);
    g.has_fences = one_in(&g, 2);
    p->thread_count = 2 + below(&g, 3);
    p->location_count = DATA + (g.has_locks ? LOCKS : 0);
    for (uint32_t t = 0; t < p->thread_count; t++)
        fill_thread(&g, t,
                    least_size[p->thread_count] +
                        below(&g, most_size[p->thread_count] - least_size[p->thread_count] + 1));
    bool one = !one_in(&g, 3); /* location */
    for (uint32_t t = 0; t < p->thread_count && one; t++)
        for (size_t k = 0; k < p->threads[t].code.len; k++)
            if (p->threads[t].code.data[k].location == 1)
                p->threads[t].code.data[k].location = 0;
    if (p->thread_count > 2 && one_in(&g, 8))
        add_creation(&g);
}

/* ---- release sequences ---- */

enum { FLAG = 0, MESSAGE = 1 }; /* locations */

/* The last access of the thread is at that location; `relaxed`: and orders nothing, mostly. */
static void change_last(struct generator *g, uint32_t location, bool relaxed)
{
    struct instruction *i = &vec_last(&g->p->threads[g->thread].code);
    i->location = location;
    if (relaxed && !one_in(g, 4))
        i->order = i->failure_order = ORDER_RELAXED;
}

static void emit_at_flag(struct generator *g, bool relaxed)
{
    if (one_in(g, 4))
        emit_update(g);
    else
        emit_store(g);
    change_last(g, FLAG, relaxed);
}

static void emit_message(struct generator *g)
{
    emit_store(g);
    change_last(g, MESSAGE, true);
}

/* A message, a release, and stores that continue the release sequence, or do not. */
static void fill_sender(struct generator *g)
{
    bool late = one_in(g, 3); /* another one, which the release knows nothing of */
    if (!late || one_in(g, 2))
        emit_message(g);
    emit_at_flag(g, false);
    vec_last(&g->p->threads[g->thread].code).order = one_in(g, 4) ? ORDER_SEQ_CST : ORDER_RELEASE;
    if (late)
        emit_message(g);
    for (uint32_t more = 1 + one_in(g, 4); more > 0; more--)
        emit_at_flag(g, true);
}

static void fill_receiver(struct generator *g)
{
    emit_load(g);
    change_last(g, FLAG, false);
    struct instruction *look = &vec_last(&g->p->threads[g->thread].code);
    look->order = one_in(g, 4) ? ORDER_RELAXED : ORDER_ACQUIRE;
    if (look->order == ORDER_RELAXED || one_in(g, 6))
        emit_fence(g);
    if (one_in(g, 4))
        emit_store(g);
    else
        emit_load(g);
    change_last(g, MESSAGE, true);
}

void random_sequence_program(struct program *p, uint64_t seed, uint64_t number, bool mixed)
{
    struct generator g = {.random = prng_start(seed, number), .p = p};
    g.strength = below(&g, 2);
    g.finest = mixed ? 4 : 0;
    p->thread_count = 2 + !one_in(&g, 3) + one_in(&g, 6);
    p->location_count = DATA;
    for (g.thread = 0; g.thread < p->thread_count; g.thread++) {
        g.registers = 0;
        if (g.thread == 0 || one_in(&g, 8))
            fill_sender(&g);
        else if (g.thread == 1 || one_in(&g, 2))
            fill_receiver(&g);
        else
            emit_at_flag(&g, true);
    }
    if (p->thread_count > 2 && one_in(&g, 8))
        add_creation(&g);
}

/* ---- copies ---- */

void program_copy(struct program *to, const struct program *from)
{
    uint32_t places[MOST];
    for (uint32_t t = 0; t < MOST; t++)
        places[t] = t;
    program_permute(to, from, places);
}

void program_permute(struct program *to, const struct program *from, const uint32_t *places)
{
    program_free(to);
    for (size_t k = 0; k < from->expressions.len; k++)
        vec_push(&to->expressions, from->expressions.data[k]);
    for (uint32_t t = 0; t < from->thread_count; t++) {
        struct program_thread *thread = &to->threads[places[t]];
        thread->on_demand = from->threads[t].on_demand;
        for (size_t k = 0; k < from->threads[t].code.len; k++) {
            struct instruction i = from->threads[t].code.data[k];
            if (i.kind == INSTRUCTION_CREATE || i.kind == INSTRUCTION_JOIN)
                i.destination = places[i.destination];
            vec_push(&thread->code, i);
        }
    }
    to->thread_count = from->thread_count;
    to->location_count = from->location_count;
    memcpy(to->initial, from->initial, sizeof to->initial);
}

/* ---- smaller programs ---- */

static void remove_instruction(struct program *p, uint32_t thread, uint32_t at)
{
    struct program_thread *t = &p->threads[thread];
    memmove(&t->code.data[at], &t->code.data[at + 1], (t->code.len - at - 1) * sizeof t->code.data[0]);
    t->code.len--;
    for (size_t k = 0; k < t->code.len; k++) {
        struct instruction *i = &t->code.data[k];
        if ((i->kind == INSTRUCTION_JUMP || i->kind == INSTRUCTION_JUMP_IF_ZERO) && i->destination > at)
            i->destination--;
    }
}

static void remove_creation(struct program *p, uint32_t child)
{
    for (uint32_t t = 0; t < p->thread_count; t++)
        for (uint32_t k = 0; k < p->threads[t].code.len;) {
            const struct instruction *i = &p->threads[t].code.data[k];
            bool about_it = i->kind == INSTRUCTION_CREATE || i->kind == INSTRUCTION_JOIN;
            if (about_it && i->destination == child)
                remove_instruction(p, t, k);
            else
                k++;
        }
    p->threads[child].on_demand = false;
}

static bool weaken(struct instruction *i)
{
    bool is_lock = i->operation == OPERATION_LOCK || i->operation == OPERATION_UNLOCK ||
                   i->operation == OPERATION_TRYLOCK || i->kind == INSTRUCTION_FENCE;
    if (is_lock || (i->order == ORDER_RELAXED && i->failure_order == ORDER_RELAXED))
        return false;
    i->order = i->failure_order = ORDER_RELAXED;
    return true;
}

/* Ways are numbered: empty a thread, remove an instruction, weaken an instruction. */
bool program_make_smaller(struct program *p, uint32_t k)
{
    for (uint32_t t = 0; t < p->thread_count; t++)
        if (p->threads[t].code.len > 0 && k-- == 0) {
            while (p->threads[t].code.len > 0) {
                struct instruction i = p->threads[t].code.data[0];
                if (i.kind == INSTRUCTION_CREATE || i.kind == INSTRUCTION_JOIN)
                    remove_creation(p, i.destination);
                else
                    remove_instruction(p, t, 0);
            }
            return true;
        }
    for (uint32_t t = 0; t < p->thread_count; t++)
        for (uint32_t at = 0; at < p->threads[t].code.len; at++)
            if (k-- == 0) {
                struct instruction i = p->threads[t].code.data[at];
                if (i.kind == INSTRUCTION_CREATE || i.kind == INSTRUCTION_JOIN)
                    remove_creation(p, i.destination);
                else
                    remove_instruction(p, t, at);
                return true;
            }
    for (uint32_t t = 0; t < p->thread_count; t++)
        for (uint32_t at = 0; at < p->threads[t].code.len; at++) {
            struct instruction tried = p->threads[t].code.data[at];
            if (weaken(&tried) && k-- == 0)
                return weaken(&p->threads[t].code.data[at]);
        }
    return false;
}
