/* SPDX-License-Identifier: Apache-2.0 */
/* Programs of which the number of execution graphs is known. That the graphs are the right ones is checked against
 * brute force elsewhere (random_programs.c). */
#include "explore/explore.h"
#include "explore/graphs.h"
#include "explore/graphs_memory.h"
#include "explore/graphs_sharing.h"
#include "litmus/program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { RLX = ORDER_RELAXED, ACQ = ORDER_ACQUIRE, REL = ORDER_RELEASE, SC = ORDER_SEQ_CST };

/* --- programs as data ------------------------------------------------------------------------------- */

static struct program program;
static struct graphs_counts counts;
static bool symmetry; /* explore with it */

static void add(uint32_t thread, struct instruction i)
{
    if (program.thread_count <= thread)
        program.thread_count = thread + 1;
    vec_push(&program.threads[thread].code, i);
}

static void access_with(uint32_t thread, enum operation o, uint32_t location, uint8_t order,
                        uint32_t expression, int32_t target)
{
    if (program.location_count <= location)
        program.location_count = location + 1;
    add(thread, (struct instruction){.kind = INSTRUCTION_ACCESS,
                                     .operation = o,
                                     .order = order,
                                     .failure_order = order,
                                     .target = target,
                                     .expected_register = -1,
                                     .location = location,
                                     .expression = expression});
}

static void access_(uint32_t thread, enum operation o, uint32_t location, uint8_t order, int64_t operand)
{
    access_with(thread, o, location, order, program_constant(&program, operand), -1);
}

static void store(uint32_t thread, uint32_t location, uint8_t order, int64_t value)
{
    access_(thread, OPERATION_STORE, location, order, value);
}

static void load(uint32_t thread, uint32_t location, uint8_t order, int32_t target)
{
    access_with(thread, OPERATION_LOAD, location, order, program_constant(&program, 0), target);
}

static void fence(uint32_t thread, uint8_t order)
{
    add(thread, (struct instruction){.kind = INSTRUCTION_FENCE, .order = order});
}

static void cas(uint32_t thread, uint32_t location, int64_t expected, int64_t desired)
{
    if (program.location_count <= location)
        program.location_count = location + 1;
    add(thread, (struct instruction){.kind = INSTRUCTION_CAS,
                                     .operation = OPERATION_CAS,
                                     .target = 0,
                                     .expected_register = -1,
                                     .location = location,
                                     .expected = program_constant(&program, expected),
                                     .expression = program_constant(&program, desired)});
}

static void await(uint32_t thread, uint32_t location, uint8_t order, int64_t value)
{
    uint32_t equal = program_expression(&program, EXPRESSION_EQUAL, program_register(&program, 0),
                                        program_constant(&program, value));
    if (program.location_count <= location)
        program.location_count = location + 1;
    add(thread, (struct instruction){.kind = INSTRUCTION_AWAIT,
                                     .operation = OPERATION_LOAD,
                                     .order = order,
                                     .target = 0,
                                     .location = location,
                                     .expression = equal});
}

static bool count_only(void *context, const struct program_state *s)
{
    (void)context;
    (void)s;
    return true;
}

struct judged {
    const struct memory_model *model;
    const struct explorer *explorer;
    uint32_t left;
};

/* Some of the graphs, by the axioms themselves. */
static bool judge(void *context, const struct program_state *s)
{
    struct judged *j = context;
    (void)s;
    if (j->left > 0) {
        j->left--;
        assert_true(model_is_consistent_full(j->model, explore_graphs_current(j->explorer)));
    }
    return true;
}

/* Explores the program with every order of insertion tried a few times, and forgets it. */
static void explore(const struct memory_model *m, bool base_rule)
{
    for (uint64_t seed = 0; seed < 4; seed++) {
        struct graphs_settings settings = {.model = m,
                                           .base_rule_only = base_rule,
                                           .symmetry = symmetry,
                                           .plain_reads_noted = seed % 4 != 3,
                                           .scheduler_seed = seed};
        struct explorer *e = explore_graphs(&settings);
        struct judged judged = {m, e, seed < 2 ? 50 : 0};
        program_explore(&program, e, judge, &judged);
        const struct graphs_counts *c = explore_graphs_counts(e);
        assert_null(explore_graphs_limit(e));
        if (seed > 0) {
            assert_int_equal(c->complete, counts.complete);
            assert_int_equal(c->stuck, counts.stuck);
        }
        counts = *c;
        explore_destroy(e);
    }
}

static void forget(void)
{
    program_free(&program);
    memset(&program, 0, sizeof program);
}

static void expect(const struct memory_model *m, uint64_t complete)
{
    explore(m, false);
    assert_int_equal(counts.complete, complete);
    assert_int_equal(counts.blocked, 0);
    assert_int_equal(counts.stuck, 0);
}

static void expect_all(uint64_t sc, uint64_t tso, uint64_t rc11)
{
    expect(&model_sc, sc);
    expect(&model_tso, tso);
    expect(&model_rc11, rc11);
    forget();
}

/* --- litmus tests ----------------------------------------------------------------------------------- */

static void store_buffering(uint8_t order, uint32_t fences, uint64_t sc, uint64_t tso, uint64_t rc11)
{
    for (uint32_t t = 0; t < 2; t++) {
        store(t, t, order, 1);
        for (uint32_t i = 0; i < fences; i++)
            fence(t, SC);
        load(t, 1 - t, order, 0);
    }
    expect_all(sc, tso, rc11);
}

/* The names for options are those of the table, in its order. */
static void test_names(void **state)
{
    (void)state;
    char names[] = MODEL_NAMES;
    int position = 0;
    for (char *rest = names, *name; (name = strsep(&rest, "|")); position++) {
        assert_string_equal(model_at(position)->name, name);
        assert_int_equal(model_position(model_find(name)), position);
    }
    assert_ptr_equal(model_at(-1), model_at(0));
    assert_ptr_equal(model_at(position), model_at(0)); /* there are no more */
}

static void test_store_buffering(void **state)
{
    (void)state;
    store_buffering(RLX, 0, 3, 4, 4);
    store_buffering(SC, 0, 3, 3, 3);
    store_buffering(RLX, 1, 3, 3, 3);
    store_buffering(RLX, 32, 3, 3, 3); /* as many fences as a word has bits, and more */
    store_buffering(RLX, 40, 3, 3, 3);
}

static void message_passing(uint8_t write, uint8_t read, uint64_t sc, uint64_t tso, uint64_t rc11)
{
    store(0, 0, RLX, 1);
    store(0, 1, write, 1);
    load(1, 1, read, 0);
    load(1, 0, RLX, 1);
    expect_all(sc, tso, rc11);
}

static void test_message_passing(void **state)
{
    (void)state;
    message_passing(RLX, RLX, 3, 3, 4);
    message_passing(REL, ACQ, 3, 3, 3);
    message_passing(REL, RLX, 3, 3, 4);
}

/* No model here lets a value come out of thin air, or a load be overtaken by a store. */
static void test_load_buffering(void **state)
{
    (void)state;
    for (uint32_t t = 0; t < 2; t++) {
        load(t, t, RLX, 0);
        store(t, 1 - t, RLX, 1);
    }
    expect_all(3, 3, 3);
}

static void independent_reads(uint8_t order, uint64_t sc, uint64_t tso, uint64_t rc11)
{
    store(0, 0, order, 1);
    store(1, 1, order, 1);
    for (uint32_t t = 0; t < 2; t++) {
        load(2 + t, t, order, 0);
        load(2 + t, 1 - t, order, 1);
    }
    expect_all(sc, tso, rc11);
}

static void test_independent_reads(void **state)
{
    (void)state;
    independent_reads(RLX, 15, 15, 16);
    independent_reads(ACQ, 15, 15, 16);
    independent_reads(SC, 15, 15, 15);
}

static void test_coherence(void **state)
{
    (void)state;
    store(0, 0, RLX, 1);
    store(0, 0, RLX, 2);
    load(1, 0, RLX, 0);
    load(1, 0, RLX, 1);
    expect_all(6, 6, 6);
}

static void test_two_plus_two_writes(void **state)
{
    (void)state;
    for (uint32_t t = 0; t < 2; t++) {
        store(t, t, RLX, 1);
        store(t, 1 - t, RLX, 2);
    }
    expect_all(3, 3, 4);
}

/* --- counts that are known -------------------------------------------------------------------------- */

static void test_readers(void **state)
{
    (void)state;
    store(0, 0, RLX, 1);
    for (uint32_t t = 1; t <= 10; t++)
        load(t, 0, RLX, 0);
    expect_all(1024, 1024, 1024);
}

static void test_fetch_adds(void **state)
{
    (void)state;
    for (uint32_t t = 0; t < 5; t++)
        access_(t, OPERATION_ADD, 0, t % 2 ? RLX : SC, 1);
    expect_all(120, 120, 120);
}

static void copy_thread(uint32_t from, uint32_t to)
{
    for (size_t k = 0; k < program.threads[from].code.len; k++)
        add(to, program.threads[from].code.data[k]);
}

static void test_symmetry(void **state)
{
    (void)state;
    symmetry = true;
    access_(0, OPERATION_ADD, 0, RLX, 1);
    for (uint32_t t = 1; t < 7; t++)
        copy_thread(0, t);
    expect_all(1, 1, 1);

    store(0, 0, RLX, 1);
    load(1, 0, RLX, 0);
    for (uint32_t t = 2; t <= 10; t++)
        copy_thread(1, t);
    expect_all(11, 11, 11);
    symmetry = false;
}

/* The last thread's write is caused by a twin that has read 1, and may yet come before 1: the order of writes is no order
 * for twins. Each graph has another one with their names exchanged, because both write. */
static void test_symmetry_against_mo(void **state)
{
    static const struct memory_model *const models[] = {&model_sc, &model_tso, &model_rc11};
    (void)state;
    store(0, 0, RLX, 1);
    load(1, 0, RLX, 0);
    store(1, 1, RLX, 2);
    copy_thread(1, 2);
    load(3, 1, RLX, 0);
    store(3, 0, RLX, 2);
    for (size_t m = 0; m < 3; m++) {
        explore(models[m], false);
        uint64_t all = counts.complete;
        symmetry = true;
        explore(models[m], false);
        symmetry = false;
        assert_int_equal(2 * counts.complete, all);
    }
    forget();
}

/* Who waits for one of several threads that do the same makes it another one. */
static void test_distinguished(void **state)
{
    (void)state;
    symmetry = true;
    access_(0, OPERATION_ADD, 0, RLX, 1);
    copy_thread(0, 1);
    add(2, (struct instruction){.kind = INSTRUCTION_JOIN, .destination = 0});
    load(2, 0, RLX, 0);
    explore(&model_rc11, false);
    assert_int_equal(counts.restarts, 1);
    assert_int_equal(counts.complete, 3); /* the other one is first, or second and seen or not */
    forget();
    symmetry = false;
}

/* Each thread exchanges the value its neighbour leaves, so a success needs all those before it. */
static void test_cas_rotation(void **state)
{
    (void)state;
    for (uint32_t t = 0; t < 4; t++)
        cas(t, 0, t, t + 1);
    explore(&model_sc, false);
    uint64_t sc = counts.complete;
    explore(&model_rc11, false);
    assert_int_equal(counts.complete, sc);
    assert_int_equal(sc, 14);
    forget();
}

static void test_lastzero(void **state)
{
    (void)state;
    enum { N = 5 };
    for (uint32_t i = N + 1; i-- > 0;) {
        load(0, i, RLX, 0);
        add(0, (struct instruction){.kind = INSTRUCTION_JUMP_IF_ZERO,
                                    .expression = program_register(&program, 0),
                                    .destination = 2 * (N + 1)});
    }
    for (uint32_t t = 1; t <= N; t++) {
        load(t, t - 1, RLX, 0);
        access_with(t, OPERATION_STORE, t, RLX,
                    program_expression(&program, EXPRESSION_ADD, program_register(&program, 0),
                                       program_constant(&program, 1)),
                    -1);
    }
    explore(&model_sc, false);
    assert_int_equal(counts.complete, (N + 3) << (N - 2)); /* 64 */
    forget();
}

/* --- waiting ---------------------------------------------------------------------------------------- */

static void lock(uint32_t thread, uint32_t location)
{
    access_(thread, OPERATION_LOCK, location, ACQ, thread + 1);
}

static void unlock(uint32_t thread, uint32_t location)
{
    access_(thread, OPERATION_UNLOCK, location, REL, 0);
}

static void test_locks(void **state)
{
    (void)state;
    for (uint32_t t = 0; t < 5; t++) {
        lock(t, 0);
        unlock(t, 0);
    }
    expect_all(120, 120, 120);
}

static void test_deadlock(void **state)
{
    (void)state;
    for (uint32_t t = 0; t < 2; t++) {
        lock(t, t);
        lock(t, 1 - t);
        unlock(t, 1 - t);
        unlock(t, t);
    }
    explore(&model_rc11, false);
    assert_int_equal(counts.complete, 2);
    assert_int_equal(counts.stuck, 1);
    assert_int_equal(counts.blocked, 0);
    forget();
}

static void test_missing_unlock(void **state)
{
    (void)state;
    lock(0, 0);
    lock(1, 0);
    explore(&model_sc, false);
    assert_int_equal(counts.complete, 0);
    assert_int_equal(counts.stuck, 2);
    forget();
}

/* A lock that is also tried is no mutex: what the rule for mutexes found is forgotten. */
static void test_restart(void **state)
{
    (void)state;
    lock(0, 0);
    unlock(0, 0);
    access_(1, OPERATION_TRYLOCK, 0, ACQ, 2);
    explore(&model_rc11, false);
    uint64_t complete = counts.complete, stuck = counts.stuck;
    explore(&model_rc11, true);
    assert_int_equal(counts.restarts, 0);
    assert_int_equal(complete, counts.complete);
    assert_int_equal(stuck, counts.stuck);
    assert_int_equal(complete, 2);
    assert_int_equal(stuck, 1); /* tried first, never unlocked */
    forget();
}

static void test_awaits(void **state)
{
    (void)state;
    store(0, 0, RLX, 1);
    store(0, 1, REL, 1);
    await(1, 1, ACQ, 1);
    load(1, 0, RLX, 1);
    explore(&model_rc11, false);
    assert_int_equal(counts.complete, 1);
    assert_int_equal(counts.stuck, 0);
    forget();

    store(0, 0, RLX, 1);
    await(1, 0, RLX, 2);
    explore(&model_rc11, false);
    assert_int_equal(counts.complete, 0);
    assert_int_equal(counts.stuck, 1);
    forget();
}

/* What is known about a thread that waits is not believed of another thread that has its number in another
 * execution. */
static void test_numbers_of_threads(void **state)
{
    (void)state;
    for (uint32_t t = 0; t < 2; t++) {
        add(t, (struct instruction){.kind = INSTRUCTION_CREATE, .destination = 3 + t});
        add(t, (struct instruction){.kind = INSTRUCTION_JOIN, .destination = 3 + t});
    }
    store(2, 0, RLX, 1);
    await(3, 0, RLX, 1);
    load(4, 0, RLX, 0);
    program.threads[3].on_demand = program.threads[4].on_demand = true;
    explore(&model_rc11, false);
    assert_int_equal(counts.complete, 2);
    assert_int_equal(counts.stuck, 0);
    forget();
}

static void test_semaphore(void **state)
{
    (void)state;
    access_(0, OPERATION_ADD, 0, REL, 1);
    access_(1, OPERATION_TAKE, 0, ACQ, 0);
    access_(2, OPERATION_TAKE, 0, ACQ, 0);
    explore(&model_rc11, false);
    assert_int_equal(counts.complete, 0);
    assert_int_equal(counts.stuck, 2);
    forget();
}

/* --- scripts: what programs as data do not have ----------------------------------------------------- */

enum script_kind { SCRIPT_END, SCRIPT_STEP, SCRIPT_BRANCH, SCRIPT_PLAIN, SCRIPT_UNTIL_ZERO };

struct script_step {
    enum script_kind kind;
    enum operation operation;
    uint64_t address;
    uint64_t operand;
    uint8_t size, flags;
};

#define STEP(o, address, operand)                          \
    {                                                      \
        SCRIPT_STEP, OPERATION_##o, address, operand, 8, 0 \
    }
#define OBJECT(o, address, operand)                                  \
    {                                                                \
        SCRIPT_STEP, OPERATION_##o, address, operand, 8, PORT_OBJECT \
    }

struct script_thread {
    const struct script_step *at;
    bool spins;
};

static uint32_t woken[8]; /* how often each thread was */
static uint64_t memory_at_plain_read;

static event_word peek_zero(void *context, const struct port_action *step)
{
    (void)context;
    (void)step;
    return 0;
}

/* Steps that are no actions, until the next action. */
static void script_settle(struct explorer *e, struct script_thread *t, uint32_t thread)
{
    for (;; t->at++) {
        event_word value;
        if (t->at->kind == SCRIPT_BRANCH)
            e->class->branch(e, (uint32_t)t->at->operand);
        else if (t->at->kind == SCRIPT_PLAIN)
            explore_graphs_plain_write(e, thread, t->at->address, 8, t->at->operand);
        else
            return;
        if (t->at->kind == SCRIPT_PLAIN && explore_graphs_plain_read(e, thread, t->at->address, 8, &value))
            memory_at_plain_read = (uint64_t)value;
    }
}

static struct port_action script_action(const struct script_thread *t, uint32_t thread)
{
    return (struct port_action){
        .thread = (uint16_t)thread,
        .address = t->at->address,
        .kind = operation_reads(t->at->operation) ? EVENT_UPDATE : EVENT_WRITE,
        .size = t->at->size ? t->at->size : 8,
        .order = ORDER_ACQ_REL,
        .operation = (uint8_t)t->at->operation,
        .operand = t->at->operand,
        .flags = t->at->flags | (t->spins ? PORT_SPINS : 0),
        .round = t->spins,
    };
}

static void script_step(struct explorer *e, struct script_thread *t, uint32_t thread,
                        const struct port_answer *a)
{
    if (t->at->operation == OPERATION_WAKE_ONE && a->thread < 8)
        woken[a->thread]++;
    t->spins = t->at->kind == SCRIPT_UNTIL_ZERO && a->found != 0;
    if (t->spins)
        return;
    t->at++;
    script_settle(e, t, thread);
}

static enum port_outcome script_run(struct explorer *e, struct script_thread *threads, uint32_t count)
{
    uint32_t last = 0;
    for (;;) {
        struct port_action next[8];
        struct port_answer answer = {0};
        uint64_t waiting = 0;
        for (uint32_t t = 0; t < count; t++)
            if (threads[t].at->kind != SCRIPT_END) {
                next[t] = script_action(&threads[t], t);
                waiting |= UINT64_C(1) << t;
            }
        if (!waiting)
            return PORT_COMPLETE;
        last = e->class->advance(e, next, waiting, last, &answer);
        if (last == PORT_STOP)
            return PORT_BLOCKED;
        script_step(e, &threads[last], last, &answer);
    }
}

/* False: there are no more executions. */
static bool script_explore_once(struct explorer *e, const struct script_step *const *scripts, uint32_t count)
{
    e->peek = peek_zero;
    if (!e->class->begin(e))
        return false;
    struct script_thread threads[8] = {0};
    for (uint32_t t = 0; t < count; t++)
        threads[t].at = scripts[t];
    e->class->end(e, script_run(e, threads, count));
    return true;
}

static void script_explore(struct explorer *e, const struct script_step *const *scripts, uint32_t count)
{
    while (script_explore_once(e, scripts, count))
        ;
    counts = *explore_graphs_counts(e);
}

static void script_count(const struct script_step *const *scripts, uint32_t count, const char *limit)
{
    uint64_t complete = 0, stuck = 0;
    for (uint64_t seed = 0; seed < 6; seed++) {
        struct graphs_settings settings = {.model = &model_rc11, .scheduler_seed = seed};
        struct explorer *e = explore_graphs(&settings);
        script_explore(e, scripts, count);
        if (limit)
            assert_string_equal(explore_graphs_limit(e), limit);
        else
            assert_null(explore_graphs_limit(e));
        if (seed > 0) {
            assert_int_equal(counts.complete, complete);
            assert_int_equal(counts.stuck, stuck);
        }
        complete = counts.complete;
        stuck = counts.stuck;
        explore_destroy(e);
    }
}

/* A branch that is deleted by a revisit and taken again must not multiply executions. */
static void test_branches(void **state)
{
    (void)state;
    static const struct script_step reader[] = {STEP(LOAD, 8, 0), {0}};
    static const struct script_step chooser[] = {
        STEP(STORE, 16, 1), {.kind = SCRIPT_BRANCH, .operand = 3}, {0}};
    static const struct script_step writer[] = {STEP(STORE, 8, 1), {0}};
    const struct script_step *const scripts[] = {reader, chooser, writer};
    script_count(scripts, 3, NULL);
    assert_int_equal(counts.complete, 6);
}

static void test_wake_one(void **state)
{
    (void)state;
    static const struct script_step sleeper0[] = {OBJECT(SLEEP, 8, 0), OBJECT(WOKEN, 8, 0), {0}};
    static const struct script_step sleeper1[] = {OBJECT(SLEEP, 8, 1), OBJECT(WOKEN, 8, 1), {0}};
    static const struct script_step waker[] = {OBJECT(WAKE_ONE, 8, 0), OBJECT(WAKE_ONE, 8, 0), {0}};
    const struct script_step *const scripts[] = {sleeper0, sleeper1, waker};
    memset(woken, 0, sizeof woken);
    script_count(scripts, 3, NULL);
    assert_true(woken[0] > 0 && woken[1] > 0);
    assert_true(counts.complete > 0 && counts.stuck > 0);
}

/* Whatever is in the set when it is looked at: nothing else is in an order. */
static void test_pick(void **state)
{
    (void)state;
    static const struct script_step first[] = {OBJECT(OFFER, 8, 0), {0}};
    static const struct script_step second[] = {OBJECT(OFFER, 8, 40), {0}};
    static const struct script_step picker[] = {OBJECT(PICK, 8, 0), {0}};
    const struct script_step *const scripts[] = {first, second, picker};
    script_count(scripts, 3, NULL);
    assert_int_equal(counts.complete, 6);
    assert_int_equal(counts.stuck, 0);
    const struct script_step *const twice[] = {first, second, picker, picker};
    script_count(twice, 4, NULL);
    assert_int_equal(counts.complete, 12);
}

/* exchange(1) until 0 is found: rounds in vain leave no write behind. */
static void test_spin_lock(void **state)
{
    (void)state;
    static const struct script_step user[] = {
        {SCRIPT_UNTIL_ZERO, OPERATION_EXCHANGE, 8, 1, 8, 0}, STEP(STORE, 8, 0), {0}};
    const struct script_step *const scripts[] = {user, user, user};
    script_count(scripts, 3, NULL);
    assert_int_equal(counts.complete, 6);
    assert_int_equal(counts.stuck, 0);
}

static void test_plain_writes(void **state)
{
    (void)state;
    static const struct script_step one[] = {STEP(STORE, 8, 1),
                                             {.kind = SCRIPT_PLAIN, .address = 8, .operand = 7},
                                             STEP(STORE, 16, 1),
                                             STEP(LOAD, 8, 0),
                                             {0}};
    static const struct script_step two[] = {STEP(LOAD, 16, 0), {0}};
    const struct script_step *const scripts[] = {one, two};
    script_count(scripts, 2, NULL);
    assert_int_equal(counts.complete, 2);
    assert_int_equal(memory_at_plain_read, 7);
}

static void test_mixed_sizes(void **state)
{
    (void)state;
    static const struct script_step whole[] = {STEP(STORE, 8, 1), {0}};
    static const struct script_step half[] = {{SCRIPT_STEP, OPERATION_LOAD, 12, 0, 4, 0}, {0}};
    const struct script_step *const scripts[] = {whole, half};
    script_count(scripts, 2, NULL);
    assert_int_equal(counts.complete, 2);

    /* Two halves are written: the whole is four values, and orders of its two writes are no matter of a read. */
    static const struct script_step low[] = {{SCRIPT_STEP, OPERATION_STORE, 8, 1, 4, 0}, {0}};
    static const struct script_step high[] = {{SCRIPT_STEP, OPERATION_STORE, 12, 1, 4, 0}, {0}};
    static const struct script_step reads[] = {STEP(LOAD, 8, 0), {0}};
    const struct script_step *const halves[] = {reads, low, high};
    script_count(halves, 3, NULL);
    assert_int_equal(counts.complete, 4);

    /* Two words that are not halves of one: no access of eight bytes there is atomic. */
    static const struct script_step unaligned[] = {STEP(STORE, 12, 1), {0}};
    const struct script_step *const refused[] = {whole, unaligned};
    script_count(refused, 2, "unaligned mixed-size atomics");

    static const struct script_step next[] = {{SCRIPT_STEP, OPERATION_LOAD, 4, 0, 4, 0}, {0}};
    static const struct script_step object[] = {OBJECT(LOAD, 12, 0), {0}};
    const struct script_step *const apart[] = {whole, next, object};
    script_count(apart, 3, NULL);
    assert_int_equal(counts.complete, 1);
}

/* --- sharing ---------------------------------------------------------------------------------------- */

static void inc_and_read(void)
{
    for (uint32_t t = 0; t < 4; t++) {
        access_(t, OPERATION_ADD, 0, RLX, 1);
        load(t, 1, RLX, 0);
        store(t, 1, RLX, t);
    }
}

struct sharing {
    struct explorer *from, *to;
    uint64_t executions, given;
};

static bool give_sometimes(void *context, const struct program_state *s)
{
    struct sharing *h = context;
    const void *bytes;
    (void)s;
    if (++h->executions % 3 != 0)
        return true;
    size_t size = explore_graphs_give(h->from, &bytes);
    if (size > 0) {
        assert_true(explore_graphs_take(h->to, bytes, size));
        h->given++;
    }
    return true;
}

static void test_give_and_take(void **state)
{
    (void)state;
    inc_and_read();
    struct graphs_settings settings = {.model = &model_rc11};
    struct explorer *whole = explore_graphs(&settings), *a = explore_graphs(&settings),
                    *b = explore_graphs(&settings);
    program_explore(&program, whole, count_only, NULL);
    struct sharing h = {.from = a, .to = b};
    program_explore(&program, a, give_sometimes, &h);
    program_explore(&program, b, count_only, NULL);
    assert_true(h.given > 10);
    assert_int_equal(explore_graphs_counts(whole)->complete,
                     explore_graphs_counts(a)->complete + explore_graphs_counts(b)->complete);
    explore_destroy(whole);
    explore_destroy(a);
    explore_destroy(b);
    forget();
}

static bool stop_after_100(void *context, const struct program_state *s)
{
    (void)s;
    return ++*(uint64_t *)context < 100;
}

static void test_save(void **state)
{
    (void)state;
    inc_and_read();
    struct graphs_settings settings = {.model = &model_sc};
    struct explorer *whole = explore_graphs(&settings), *a = explore_graphs(&settings),
                    *b = explore_graphs(&settings);
    program_explore(&program, whole, count_only, NULL);
    uint64_t executions = 0;
    const void *bytes;
    program_explore(&program, a, stop_after_100, &executions);
    size_t size = explore_graphs_save(a, &bytes);
    assert_true(explore_graphs_take(b, bytes, size));
    assert_false(explore_graphs_take(b, bytes, size - 1));
    explore_destroy(b);
    b = explore_graphs(&settings);
    assert_true(explore_graphs_take(b, bytes, size));
    program_explore(&program, b, count_only, NULL);
    assert_int_equal(explore_graphs_counts(whole)->complete, 100 + explore_graphs_counts(b)->complete);
    explore_destroy(whole);
    explore_destroy(a);
    explore_destroy(b);
    forget();
}

/* Saved work comes from files: whatever its bytes are, it is refused, or explored without leaving the explorer's memory. */
static void test_damaged_work(void **state)
{
    (void)state;
    inc_and_read();
    struct graphs_settings settings = {.model = &model_rc11};
    struct explorer *a = explore_graphs(&settings);
    uint64_t executions = 80, random = 3, refused = 0;
    const void *bytes;
    program_explore(&program, a, stop_after_100, &executions);
    size_t size = explore_graphs_save(a, &bytes);
    uint8_t *changed = malloc(size);
    for (uint32_t k = 0; k < 4000; k++) {
        struct explorer *b = explore_graphs(&settings);
        memcpy(changed, bytes, size);
        for (uint32_t n = 0; n <= k % 3; n++) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            changed[(random >> 33) % size] ^=
                (uint8_t)(k % 2 ? UINT64_C(1) << (random >> 20 & 7) : random >> 24);
        }
        executions = 70;
        if (explore_graphs_take(b, changed, size))
            program_explore(&program, b, stop_after_100, &executions);
        else
            refused++;
        explore_destroy(b);
    }
    assert_in_range(refused, 500, 3900);
    free(changed);
    explore_destroy(a);
    forget();
}

static const struct script_step waiting_user[] = {
    {SCRIPT_UNTIL_ZERO, OPERATION_EXCHANGE, 8, 1, 8, 0}, STEP(STORE, 8, 0), {0}};
static const struct script_step *const waiting_users[] = {waiting_user, waiting_user, waiting_user};

static void teach(const struct explorer *from, struct explorer *to)
{
    const uint64_t *histories;
    size_t count = explore_graphs_learnt(from, &histories);
    assert_true(count > 0);
    for (size_t i = 0; i < count; i++)
        explore_graphs_learn(to, histories[i]);
}

/* What one has found out about loops that wait spares another one executions begun in vain, and is kept in a file. What
 * counts is the same. It is found out again when everything begins again. */
static void test_learning(void **state)
{
    (void)state;
    struct graphs_settings settings = {.model = &model_rc11, .plain_reads_noted = true};
    struct explorer *first = explore_graphs(&settings), *taught = explore_graphs(&settings),
                    *resumed = explore_graphs(&settings);
    script_explore(first, waiting_users, 3);
    struct graphs_counts alone = counts;
    assert_true(alone.replays > alone.complete + alone.blocked);
    teach(first, taught);
    script_explore(taught, waiting_users, 3);
    assert_true(counts.replays < alone.replays);
    assert_int_equal(counts.replays, alone.complete + alone.blocked);
    assert_int_equal(counts.blocked, alone.blocked);
    assert_int_equal(counts.complete, alone.complete);
    const void *bytes;
    size_t size = explore_graphs_save(first, &bytes);
    assert_true(explore_graphs_take(resumed, bytes, size));
    assert_false(explore_graphs_take(resumed, bytes, size - 1));
    assert_int_equal(explore_graphs_left(resumed), 0);
    assert_true(size > 0);
    assert_int_equal(explore_graphs_save(resumed, &bytes), size);
    explore_graphs_begin_again(resumed);
    assert_true(explore_graphs_begins_again(resumed));
    script_explore(resumed, waiting_users, 3);
    assert_int_equal(counts.replays, alone.replays);
    assert_int_equal(counts.blocked, alone.blocked);
    assert_int_equal(counts.complete, alone.complete);
    explore_destroy(first);
    explore_destroy(taught);
    explore_destroy(resumed);
}

static bool knows_object(const struct explorer *e, bool locked, bool no_mutex)
{
    struct graphs_object o;
    for (size_t next = 0; explore_graphs_next_object(e, &next, &o);)
        if ((o.address & UINT32_MAX) == 8 && o.locked == locked && o.no_mutex == no_mutex)
            return true;
    return false;
}

/* One explorer takes an object for a mutex; it learns that it is not one and explores without the rule. */
static void test_objects_announced(void **state)
{
    (void)state;
    static const struct script_step user[] = {OBJECT(LOCK, 8, 1), OBJECT(UNLOCK, 8, 0), {0}};
    const struct script_step *const scripts[] = {user, user, user};
    struct graphs_settings settings = {.model = &model_rc11};
    struct explorer *e = explore_graphs(&settings);
    script_explore(e, scripts, 3);
    assert_int_equal(counts.complete, 6);
    assert_true(knows_object(e, true, false));
    assert_true(explore_graphs_object_changes(e) > 0);
    explore_graphs_drop(e);
    assert_int_equal(explore_graphs_counts(e)->complete, 0);
    script_explore(e, scripts, 3); /* nothing is left to do */
    assert_int_equal(counts.complete, 0);
    explore_graphs_no_mutex(e, UINT64_C(1) << 63 | 8);
    assert_true(knows_object(e, true, true));
    explore_graphs_begin_again(e);
    script_explore(e, scripts, 3);
    assert_int_equal(counts.complete, 6);
    assert_int_equal(counts.restarts, 2); /* what was dropped counts */
    explore_destroy(e);
}

/* An object that is no mutex in the graph of a gift is none for the explorer that takes it: repeated steps do not show it. */
static void test_objects_taken(void **state)
{
    (void)state;
    static const struct script_step trier[] = {OBJECT(TRYLOCK, 8, 1), {0}};
    static const struct script_step user[] = {OBJECT(LOCK, 8, 1), OBJECT(UNLOCK, 8, 0), {0}};
    const struct script_step *const scripts[] = {trier, user, user};
    struct graphs_settings settings = {.model = &model_rc11};
    struct explorer *from = explore_graphs(&settings), *to = explore_graphs(&settings);
    const void *bytes;
    script_explore_once(from, scripts, 3);
    size_t size = explore_graphs_give(from, &bytes);
    assert_true(size > 0);
    assert_true(explore_graphs_take(to, bytes, size));
    assert_true(knows_object(to, false, true));
    assert_true(explore_graphs_object_changes(to) > 0);
    explore_destroy(from);
    explore_destroy(to);
}

static void estimate(uint64_t exactly)
{
    struct graphs_settings settings = {.model = &model_rc11, .plain_reads_noted = true};
    struct explorer *e = explore_graphs_estimate(&settings, 1, 3000);
    double mean, error;
    program_explore(&program, e, count_only, NULL);
    explore_graphs_estimated(e, &mean, &error);
    double off = mean > (double)exactly ? mean - (double)exactly : (double)exactly - mean;
    assert_true(off <= 4 * error + 1e-9);
    assert_true(error < (double)exactly);
    explore_destroy(e);
}

static void test_estimates(void **state)
{
    (void)state;
    store(0, 0, RLX, 1);
    for (uint32_t t = 1; t <= 10; t++)
        load(t, 0, RLX, 0);
    estimate(1024);
    forget();

    inc_and_read();
    explore(&model_rc11, false);
    estimate(counts.complete);
    forget();

    for (uint32_t t = 0; t < 3; t++) {
        lock(t, t % 2);
        lock(t, 1 - t % 2);
        unlock(t, 1 - t % 2);
        unlock(t, t % 2);
    }
    explore(&model_rc11, false);
    assert_true(counts.stuck > 0);
    estimate(counts.complete + counts.stuck + counts.blocked);
    forget();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_store_buffering),
        cmocka_unit_test(test_message_passing),
        cmocka_unit_test(test_load_buffering),
        cmocka_unit_test(test_independent_reads),
        cmocka_unit_test(test_coherence),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_two_plus_two_writes),
        cmocka_unit_test(test_readers),
        cmocka_unit_test(test_fetch_adds),
        cmocka_unit_test(test_cas_rotation),
        cmocka_unit_test(test_lastzero),
        cmocka_unit_test(test_locks),
        cmocka_unit_test(test_deadlock),
        cmocka_unit_test(test_missing_unlock),
        cmocka_unit_test(test_restart),
        cmocka_unit_test(test_awaits),
        cmocka_unit_test(test_numbers_of_threads),
        cmocka_unit_test(test_semaphore),
        cmocka_unit_test(test_branches),
        cmocka_unit_test(test_wake_one),
        cmocka_unit_test(test_pick),
        cmocka_unit_test(test_spin_lock),
        cmocka_unit_test(test_plain_writes),
        cmocka_unit_test(test_mixed_sizes),
        cmocka_unit_test(test_give_and_take),
        cmocka_unit_test(test_damaged_work),
        cmocka_unit_test(test_save),
        cmocka_unit_test(test_learning),
        cmocka_unit_test(test_objects_announced),
        cmocka_unit_test(test_objects_taken),
        cmocka_unit_test(test_estimates),
        cmocka_unit_test(test_symmetry),
        cmocka_unit_test(test_symmetry_against_mo),
        cmocka_unit_test(test_distinguished),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
