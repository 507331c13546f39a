/* SPDX-License-Identifier: Apache-2.0 */
#include "worker/harness/harness.h"

#include "base/hash.h"
#include "engine/graph_mode/graph_mode.h"
#include "engine/engine.h"
#include "engine/error/findings.h"
#include "engine/shared/worker_result.h"
#include "explore/graphs_display.h"
#include "rt/system/system_parts.h"
#include "rt/hook.h"
#include "rt/start.h"
#include "worker/tables/tables.h"
#include "worker/harness/harness_state.h"
#include "worker/verdict/verdict_history.h"

#include <stdio.h>
#include <string.h>

/* ------------------------------------------------------------------ one execution */

const void *harness_place_of(const struct plumb_part *part)
{
    return (const void *)((uintptr_t)part->run + 1);
}

/* In a graph both ends of an operation are events of their own. */
static void mark(enum event_kind kind, uint32_t number, const void *place)
{
    if (engine_graph_mode)
        engine_describe_memory(OPERATION_NONE, ORDER_RELAXED, ORDER_RELAXED, number, 0);
    engine_step(kind, 0, 0, place);
}

/* ---- serial executions: no thread calls an operation before the one at work has returned ---- */

static uint64_t column_bit(uint32_t column)
{
    return UINT64_C(1) << column;
}

static bool has_turn(void *column)
{
    return harness.turn == (uint32_t)(uintptr_t)column;
}

static void await_turn(uint32_t column, const void *place)
{
    if (engine_graph_mode) {
        uint64_t semaphore = (uint64_t)&harness.turns[column];
        engine_describe(OPERATION_TAKE, 0, 0, ORDER_ACQUIRE);
        engine_wait(EVENT_SEM_WAIT, semaphore, has_turn, (void *)(uintptr_t)column, place);
        engine_note(EVENT_SEM_WAIT, semaphore, 0, ORDER_ACQUIRE, 1, 0, place);
        return;
    }
    engine_wait(EVENT_OP_CALL, 0, has_turn, (void *)(uintptr_t)column, place);
    engine_acquire((uint64_t)&harness.turn); /* one after the other: these are no races */
}

static void give_turn(uint32_t column)
{
    harness.turn = column;
    if (engine_graph_mode) {
        uint64_t semaphore = (uint64_t)&harness.turns[column];
        engine_describe(OPERATION_ADD, 1, 0, ORDER_RELEASE);
        engine_step(EVENT_SEM_POST, semaphore, 0, NULL);
        engine_note(EVENT_SEM_POST, semaphore, 0, ORDER_RELEASE, 0, 1, NULL);
        return;
    }
    engine_release((uint64_t)&harness.turn);
}

static void pass_turn(void)
{
    uint32_t ways = (uint32_t)__builtin_popcountll(harness.left);
    if (!ways)
        return;
    uint64_t left = harness.left;
    for (uint32_t way = ways > 1 ? engine_branch(ways) : 0; way > 0; way--)
        left &= left - 1;
    give_turn((uint32_t)__builtin_ctzll(left));
}

static void show_answer(uint32_t number)
{
    engine_active = false;
    judge_show_answer(harness.shared, number);
    engine_active = true;
}

/* The call is a step that others may go before; the return belongs to the operation's last step, because an
 * earlier return allows fewer explanations of the history. Where histories are counted, later ones are different. */
static void run_operation(uint32_t number)
{
    const struct matrix_op *op = &harness.matrix.ops.data[number];
    const void *place = harness_place_of(op->operation);
    mark(EVENT_OP_CALL, number, place);
    engine_note(EVENT_OP_CALL, 0, 0, ORDER_PLAIN, 0, number, place);
    judge_call(number);
    harness.within[engine_current()] = number + 1;
    plumb_value result = op->operation->run(op->arguments);
    harness.within[engine_current()] = 0;
    if (tables.count && !engine_graph_mode && !harness.serial)
        mark(EVENT_OP_RETURN, number, place);
    judge_return(number, result);
    if (harness.shared->config.mode == WORKER_REPLAY)
        show_answer(number);
    if (engine_graph_mode)
        mark(EVENT_OP_RETURN, number, place);
    engine_note(EVENT_OP_RETURN, 0, 0, ORDER_PLAIN, 0, number, place);
}

/* Of thread 0, when no other thread runs. */
static void run_operations(struct matrix_range range)
{
    for (uint32_t i = range.from; i < range.to; i++) {
        run_operation(i);
        if (range.from == harness.matrix.final.from)
            harness_check_between(harness.matrix.init.to, i + 1);
        else
            harness_check_between(i + 1, 0);
    }
}

/* False: it stops before the last of them. */
static bool run_column_operations(uint32_t column, struct matrix_range range)
{
    for (uint32_t i = range.from; i < range.to; i++) {
        if (harness_stops_here(column, i))
            return false;
        run_operation(i);
    }
    harness.reached[column] = range.to;
    return true;
}

/* All parts of that kind: those that begin something in order, those that end it in reverse. */
static void run_parts(enum plumb_part_kind kind)
{
    size_t count = harness.parts.len;
    bool ends = kind == PLUMB_PART_TEARDOWN || kind == PLUMB_PART_THREAD_TEARDOWN;
    for (size_t i = 0; i < count; i++) {
        const struct plumb_part *p = harness.parts.data[ends ? count - 1 - i : i];
        if (p->kind == kind)
            p->run(NULL);
    }
}

/* What a thread does before and after its operations belongs to its first and last turn. */
static void run_in_turn(struct matrix_range range, uint32_t column)
{
    for (uint32_t i = range.from; i < range.to; i++) {
        await_turn(column, harness_place_of(harness.matrix.ops.data[i].operation));
        if (i == range.from)
            run_parts(PLUMB_PART_THREAD_SETUP);
        run_operation(i);
        if (i + 1 == range.to) {
            run_parts(PLUMB_PART_THREAD_TEARDOWN);
            harness.left &= ~column_bit(column);
        }
        pass_turn();
    }
}

void harness_check_thread_end(uint32_t thread)
{
    uint32_t number = harness.within[thread];
    if (number)
        engine_fail(WORKER_ERROR_EXIT, 0, harness_place_of(harness.matrix.ops.data[number - 1].operation),
                    "an operation ends its thread instead of returning");
}

const char *harness_name_operation(uint32_t thread)
{
    static char name[48];
    uint32_t number = harness.within[thread];
    if (!number)
        return "";
    const struct matrix_op *op = &harness.matrix.ops.data[number - 1];
    size_t length = 0;
    while (length < op->length && length + 1 < sizeof name && op->text[length] != '(')
        length++;
    snprintf(name, sizeof name, "%.*s", (int)length, op->text);
    return name;
}

/* Memory of each thread begins a little later, on the heap and on its stack. */
static size_t shift_memory(void)
{
    enum { BYTES = 176 };
    if (harness.perturbation != PERTURB_ADDRESSES)
        return 1;
    engine_active = false;
    heap_allocate(BYTES, HEAP_GRAIN, NULL);
    engine_active = true;
    return BYTES;
}

static void *run_column(void *argument)
{
    const struct matrix_range *range = argument;
    uint32_t column = (uint32_t)(range - harness.matrix.columns.data);
    harness.column_of[engine_current()] = column + 1;
    if (harness.serial) {
        volatile char *room = __builtin_alloca(shift_memory());
        *room = 0;
        run_in_turn(*range, column);
        return NULL;
    }
    run_parts(PLUMB_PART_THREAD_SETUP);
    if (run_column_operations(column, *range))
        run_parts(PLUMB_PART_THREAD_TEARDOWN);
    return NULL;
}

EXPORT unsigned plumb_thread(void)
{
    if (!engine_active)
        return 0;
    engine_distinguish_threads();
    return ending_in_test ? harness.column_of[engine_current()] : engine_current();
}

static void start_turns(void)
{
    harness.left = 0;
    for (uint32_t k = 0; k < harness.matrix.columns.len; k++)
        if (harness.matrix.columns.data[k].from < harness.matrix.columns.data[k].to)
            harness.left |= column_bit(k);
    pass_turn();
}

static void run_columns(void)
{
    uint32_t threads[CLOCKS_THREADS_MAX];
    if (harness.serial)
        start_turns();
    for (size_t k = 0; k < harness.matrix.columns.len; k++)
        threads[k] = threads_create(run_column, &harness.matrix.columns.data[k],
                                    harness.serial || harness_looks_between() ? 0 : harness.alike[k]);
    for (size_t k = 0; k < harness.matrix.columns.len; k++)
        threads_join(threads[k]);
}

/* Does it call operations? */
static bool is_thread_0_busy(void)
{
    const struct matrix *m = &harness.matrix;
    return m->init.from < m->init.to || m->final.from < m->final.to;
}

static void run_setups(void)
{
    harness.shared->state = WORKER_SETUP;
    run_parts(PLUMB_PART_SETUP);
    if (is_thread_0_busy())
        run_parts(PLUMB_PART_THREAD_SETUP);
    harness.shared->state = WORKER_RUNNING;
}

static void run_teardowns(void)
{
    if (is_thread_0_busy())
        run_parts(PLUMB_PART_THREAD_TEARDOWN);
    run_parts(PLUMB_PART_TEARDOWN);
}

void harness_run(void *unused)
{
    (void)unused;
    threads_begin();
    graph_mode_choose_stop(true);
    judge_begin();
    *harness.shared->answered = 0;
    memset(harness.within, 0, sizeof harness.within);
    harness.stuck_legally = false;
    memset(harness.column_of, 0, sizeof harness.column_of);
    harness.is_cut = false;
    memset(harness.reached, 0, sizeof harness.reached);
    if (harness.serial)
        shift_memory();
    run_setups();
    harness_watch_steps(true);
    harness_check_between(0, 0);
    run_operations(harness.matrix.init);
    run_columns();
    harness_check_between(harness.matrix.init.to, 0);
    if (harness.is_cut)
        engine_refute_assumption(); /* the state between calls was all */
    run_operations(harness.matrix.final);
    harness_watch_steps(false);
    harness_check_end();
    run_teardowns();
    ending_exit(0, NULL);
}

/* ------------------------------------------------------------------ after an execution */

bool harness_derives(void)
{
    return derive_is_needed(&harness.derivation) && !*harness.shared->config.serials_in;
}

void harness_set_serial(enum worker_serial serial)
{
    harness.serial = serial != SERIAL_NOT;
    harness.shared->config.serial = serial;
}

bool harness_had_helpers(void)
{
    return harness.shared->thread_count > 1 + harness.matrix.columns.len;
}

void harness_note_serial(void)
{
    struct derived_execution x;
    x.count = judge_returned(&x.returned, &x.results, &x.called);
    derive_execution(&harness.derivation, &x);
}

static _Noreturn void end_found(void)
{
    harness.shared->state = WORKER_FOUND;
    plumb_debug_error();
    worker_result_end(harness.shared, WORKER_FOUND);
}

void harness_end_serials(void)
{
    struct diagnostic d = {0};
    if (!derive_end(&harness.derivation, harness.shared, &d))
        harness_refuse("%s", d.message);
    serials_fold(&harness.derivation.serials);
    if (!derive_is_nondeterministic(&harness.derivation, harness.shared))
        return;
    if (!derive_stands_alone(&harness.derivation))
        harness_refuse("%s, which depends on operations of an object with a specification: "
                       "what shares anything is one object",
                       strdup(harness.shared->error.message)); /* where this is written to */
    harness.shared->config.serial = SERIAL_ALL;
    harness.shared->choice_count = 0;
    harness.shared->event_count = harness.shared->events_lost = 0;
    harness.shared->event_hash = 0;
    end_found(); /* no execution is to blame: none is recorded */
}

void harness_perturb(enum harness_perturbation what)
{
    harness.perturbation = what;
    clock_shift(what == PERTURB_CLOCK);
}

/* What answers the same follows ways that are there; anything else is a way that makes a difference. */
bool harness_is_disturbed(void)
{
    struct worker_shared *s = harness.shared;
    OWNED struct text t = {0};
    if (!derive_find_difference(&harness.derivation, &t))
        return false;
    struct clock_look look = clock_first_look();
    bool clock = harness.perturbation == PERTURB_CLOCK;
    snprintf(s->unpredictable, sizeof s->unpredictable, "%s, at %s", t.data,
             clock ? "another time of day" : "other addresses");
    if (clock)
        snprintf(s->unpredictable_by, sizeof s->unpredictable_by, "%s", look.function);
    s->unpredictable_pc = clock ? (uint64_t)look.pc : 0;
    s->limits |= LIMIT_DISTURBED;
    return true;
}

/* Other checkers are asked about what has been judged. */
static void compare(const struct graph *g, enum judge_answer answer, uint64_t undecided_before)
{
    if (tables.compare && g && answer != JUDGE_MISMATCH && !findings_ignored)
        tables.compare(harness.shared, g,
                       answer == JUDGE_FINE && harness.shared->undecided == undecided_before);
}

/* The first execution comes twice, and must not be counted twice. */
static void count(const struct graph *g, bool stuck)
{
    struct diagnostic d = {0};
    if (!findings_ignored && !tables.count(harness.shared, g, stuck, &d))
        harness_refuse_operation(&d);
}

/* Where nothing is known about accesses, it is supposed that they meet. */
static void look_for_meetings(const struct graph *g)
{
    harness.shared->could_meet = harness.matrix.columns.len > 1;
    if (g && harness.shared->could_meet)
        meetings_look(harness.shared, g);
    else
        harness.shared->met = harness.shared->could_meet;
}

const char *harness_judge_stuck(const struct graph *g)
{
    static char text[160];
    struct diagnostic d = {0};
    uint32_t waits = UINT32_MAX;
    if (harness.is_cut) /* for a call that is not made */
        return NULL;
    if (!judge_is_within()) /* set-up, invariant and teardown never may */
        return "";
    if (harness.serial) {
        harness_note_serial();
        return NULL;
    }
    look_for_meetings(g);
    if (tables.count) {
        count(g, true);
        return NULL;
    }
    uint64_t undecided = harness.shared->undecided;
    enum judge_answer answer = judge_stuck(harness.shared, g, &waits, &d);
    compare(g, answer, undecided);
    switch (answer) {
    case JUDGE_FINE: harness.stuck_legally = true; return NULL;
    case JUDGE_MISMATCH: harness_refuse_operation(&d);
    case JUDGE_WRONG: break;
    }
    if (waits == UINT32_MAX)
        return "";
    const struct matrix_op *op = &harness.matrix.ops.data[waits];
    bool derived = derive_is_needed(&harness.derivation);
    snprintf(text, sizeof text,
             derived ? "and no serial run with the same answers ends with %.*s waiting"
                     : "and by the specification %.*s need not wait",
             (int)(op->length < 80 ? op->length : 80), op->text);
    return text;
}

/* The error is in the shared memory. Returns if it is one of several. */
static void report_wrong(const struct graph *g)
{
    if (g)
        explore_graphs_set_client(engine_explorer(), judge_client());
    if (engine_keep_error())
        return;
    graph_mode_record();
    end_found();
}

static void check_synchronization(const struct graph *g)
{
    if (g && judge_synchronization(harness.shared, g) == JUDGE_WRONG)
        report_wrong(g);
}

void harness_judge(const struct graph *g)
{
    struct diagnostic d = {0};
    look_for_meetings(g);
    if (tables.count) {
        count(g, false);
        return;
    }
    uint64_t undecided = harness.shared->undecided;
    enum judge_answer answer = g ? judge_end_graph(harness.shared, g, &d) : judge_end(harness.shared, &d);
    compare(g, answer, undecided);
    switch (answer) {
    case JUDGE_FINE: check_synchronization(g); return;
    case JUDGE_MISMATCH: harness_refuse_operation(&d);
    case JUDGE_WRONG: report_wrong(g);
    }
}

void harness_judge_rest(const struct graph *g)
{
    if (harness.stuck_legally)
        check_synchronization(g);
    harness.stuck_legally = false;
}
