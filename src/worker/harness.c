/* SPDX-License-Identifier: Apache-2.0 */
#include "worker/harness.h"

#include "base/hash.h"
#include "base/options.h"
#include "engine/by_graph.h"
#include "engine/debugger.h"
#include "engine/engine.h"
#include "engine/findings.h"
#include "explore/graphs.h"
#include "rt/hook.h"
#include "rt/start.h"
#include "rt/threads.h"
#include "spec/registry.h"
#include "spec/spec_derived.h"
#include "worker/compare.h"
#include "worker/derive.h"
#include "worker/invocations.h"
#include "spec/spec_quasi.h"
#include "worker/judge_history.h"
#include "worker/matrix.h"

#include <plumb.h>

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static VEC(const struct plumb_part *) parts;
static VEC(const struct plumb_part *) operations;

static struct {
    struct worker_shared *shared;
    struct history *history; /* its values are those of arguments and results */
    struct matrix matrix;
    VEC(const struct plumb_spec *) specs; /* one per object of the history; null: derived */
    struct derivation derivation;
    bool serial;   /* operations run one after the other */
    uint32_t turn; /* serial: the column that may call an operation */
    uint64_t left; /* serial: bits of columns that have operations left */
} harness;

static struct plumb_values *values(void)
{
    if (!harness.history)
        harness.history = history_create();
    return harness.history->values;
}

/* ------------------------------------------------------------------ what plumb.h calls */

EXPORT void plumb_register(const struct plumb_part *part)
{
    vec_push(&parts, part);
    if (part->kind == PLUMB_PART_OP)
        vec_push(&operations, part);
}

EXPORT plumb_value plumb_result_wide(int64_t i)
{
    bool active = engine_active;
    engine_active = false; /* what is allocated here outlives the execution */
    plumb_value v = plumb_int(values(), i);
    engine_active = active;
    return v;
}

EXPORT plumb_value plumb_result_string(const char *s)
{
    if (!s)
        return PLUMB_NONE;
    bool active = engine_active;
    size_t length = strlen(s);
    if (active)
        hook_read_string(s, length + 1, CALLER);
    engine_active = false;
    plumb_value v = plumb_string(values(), s, length);
    engine_active = active;
    return v;
}

EXPORT plumb_value plumb_result_array(const plumb_value *items, size_t count)
{
    bool active = engine_active;
    if (active && count)
        engine_plain((uint64_t)items, count * sizeof *items, false, CALLER);
    engine_active = false;
    plumb_value v = plumb_array(values(), items, count);
    engine_active = active;
    return v;
}

/* ------------------------------------------------------------------ mistakes */

_Noreturn void harness_unfit(const char *format, ...)
{
    struct worker_shared *s = harness.shared;
    va_list args;
    engine_active = false;
    va_start(args, format);
    vsnprintf(s->error.message, sizeof s->error.message, format, args);
    va_end(args);
    s->state = WORKER_UNFIT;
    _exit(0);
}

static char *list_operations(void)
{
    struct text list = {0};
    text_puts(&list, "");
    for (size_t i = 0; i < operations.len; i++) {
        text_puts(&list, i ? ", " : "");
        matrix_print_operation(&list, operations.data[i]);
    }
    return text_take(&list);
}

int main(void);

/* A harness needs no main function; this one stands in. */
EXPORT __attribute__((weak)) int main(void)
{
    if (start_is_worker && operations.len) {
        engine_active = false;
        harness_unfit("the program has no main function: name a test of its operations (%s) with --test",
                      list_operations());
    }
    if (start_is_worker)
        harness_unfit("the program has neither a main function nor operations (PLUMB_OP)");
    fputs("This is a harness without a main function: run it with 'plumb check'.\n", stderr);
    return 2;
}

/* ------------------------------------------------------------------ reading the test */

static const struct plumb_part *find_part(enum plumb_part_kind kind, const char *object, const char *name)
{
    for (size_t i = 0; i < parts.len; i++) {
        const struct plumb_part *p = parts.data[i];
        if (p->kind == kind && strcmp(p->object, object) == 0 && strcmp(p->name, name) == 0)
            return p;
    }
    return NULL;
}

static void check_tries(const struct plumb_part *part)
{
    matrix_calls calls = {0};
    struct diagnostic d = {0};
    const struct plumb_part *operation = find_part(PLUMB_PART_OP, part->object, part->name);
    if (!operation)
        harness_unfit("PLUMB_TRY names an operation '%s' that the harness does not have", part->name);
    if (!matrix_parse_calls(&calls, part->text, operation, values(), &d))
        harness_unfit("PLUMB_TRY of '%s': %s", part->name, d.message);
    vec_free(&calls);
}

static void check_parts(void)
{
    for (size_t i = 0; i < parts.len; i++) {
        const struct plumb_part *p = parts.data[i];
        bool named = p->kind == PLUMB_PART_OP || p->kind == PLUMB_PART_OBJECT;
        if (named && find_part(p->kind, p->object, p->name) != p)
            harness_unfit("%s '%s%s%s' is defined twice", p->kind == PLUMB_PART_OP ? "operation" : "object",
                          p->object, *p->object && *p->name ? "." : "", p->name);
        if (p->kind == PLUMB_PART_TRY)
            check_tries(p);
    }
}

static const char *nearest_spec(const char *name)
{
    const char **names = NEW_ARRAY(const char *, spec_count);
    for (unsigned i = 0; i < spec_count; i++)
        names[i] = spec_all[i]->name;
    const char *nearest = options_nearest(name, names, spec_count);
    free(names);
    return nearest;
}

static const struct plumb_spec *choose_spec(const struct plumb_part *operation)
{
    const struct plumb_part *object = find_part(PLUMB_PART_OBJECT, operation->object, "");
    const char *wanted = harness.shared->config.spec;
    const char *name = *wanted ? wanted : object ? object->text : "";
    if (*harness.shared->config.serials_in || harness.shared->config.serial == SERIAL_ALL)
        name = "";
    if (!*name && !object && *operation->object)
        harness_unfit("the object '%s' of operation '%s' is not declared: "
                      "add PLUMB_OBJECT_NAMED(%s, queue) or the like",
                      operation->object, operation->name, operation->object);
    if (!*name)
        return NULL;
    const struct plumb_spec *spec = spec_find(name);
    const char *nearest = spec ? NULL : nearest_spec(name);
    if (!spec)
        harness_unfit("there is no specification '%s'%s%s%s", name,
                      nearest ? "; is '" : " ('plumb specs' lists all", nearest ? nearest : "",
                      nearest ? "' meant?" : ")");
    return spec;
}

/* All that is derived is one object, without a name. */
static uint32_t add_object(const struct plumb_part *operation, const struct plumb_spec *spec)
{
    const char *name = spec ? operation->object : "";
    uint32_t object =
        history_object(harness.history, *name ? plumb_string(values(), name, strlen(name)) : PLUMB_NONE);
    if (object == harness.specs.len)
        vec_push(&harness.specs, spec);
    return object;
}

/* Operations of several objects that are one need names that differ. */
static const char *name_of(const struct plumb_part *operation, bool derived)
{
    struct text name = {0};
    if (!derived || !*operation->object)
        return operation->name;
    text_printf(&name, "%s.%s", operation->object, operation->name);
    return text_take(&name);
}

static void add_operations(struct matrix_range range, uint32_t thread)
{
    struct history *h = harness.history;
    for (uint32_t i = range.from; i < range.to; i++) {
        const struct matrix_op *op = &harness.matrix.ops.data[i];
        const struct plumb_spec *spec = choose_spec(op->operation);
        const char *name = name_of(op->operation, !spec);
        uint32_t object = add_object(op->operation, spec);
        derive_add_op(&harness.derivation, thread, name, op->value, !spec);
        struct history_op entry = {.call = i,
                                   .arg = op->value,
                                   .result = PLUMB_ANY,
                                   .thread = history_thread(h, plumb_int(values(), thread)),
                                   .op = history_op_name(h, name, strlen(name)),
                                   .pending = 1};
        history_add(h, entry, object);
    }
}

/* For reports: the events of an operation have only its number. */
static void list_test(void)
{
    char *out = harness.shared->operations, *end = out + sizeof harness.shared->operations - 1;
    for (size_t i = 0; i < harness.matrix.ops.len; i++) {
        const struct matrix_op *op = &harness.matrix.ops.data[i];
        for (size_t k = 0; k < op->length && out < end; k++)
            *out++ = (unsigned char)op->text[k] < ' ' ? ' ' : op->text[k];
        if (out < end)
            *out++ = '\n';
    }
    *out = 0;
}

static void read_test(const char *test)
{
    struct diagnostic d = {0};
    struct matrix *m = &harness.matrix;
    struct matrix_vocabulary vocabulary = {operations.data, operations.len};
    if (!matrix_parse(m, test, &vocabulary, values(), &d))
        harness_unfit("the test '%.60s%s', column %u: %s", test, strlen(test) > 60 ? "..." : "",
                      (unsigned)d.column, d.message);
    if (m->columns.len >= CLOCKS_THREADS_MAX)
        harness_unfit("the test has %zu threads; at most %d are possible", m->columns.len,
                      CLOCKS_THREADS_MAX - 1);
    derive_begin(&harness.derivation, values());
    add_operations(m->init, 0);
    for (uint32_t k = 0; k < m->columns.len; k++)
        add_operations(m->columns.data[k], k + 1);
    add_operations(m->final, 0);
    list_test();
}

static void read_serials(void)
{
    struct diagnostic d = {0};
    const char *path = harness.shared->config.serials_in;
    if (!*path || !derive_is_needed(&harness.derivation))
        return;
    if (!derive_read(&harness.derivation, path, &d))
        harness_unfit("%s:%u:%u: %s", path, (unsigned)d.line, (unsigned)d.column, d.message);
    derive_end(&harness.derivation, harness.shared, &d);
    serials_fold(&harness.derivation.serials);
}

static _Noreturn void list_calls(void)
{
    struct worker_shared *s = harness.shared;
    struct text list = {0};
    VEC(const struct plumb_part *) tries = {0};
    if (!operations.len)
        harness_unfit("the program has no operations: write them with PLUMB_OP of plumb.h");
    check_parts();
    for (size_t i = 0; i < parts.len; i++)
        if (parts.data[i]->kind == PLUMB_PART_TRY)
            vec_push(&tries, parts.data[i]);
    struct matrix_vocabulary vocabulary = {operations.data, operations.len};
    invocations_list(&list, &vocabulary, tries.data, tries.len, values());
    if (list.len >= sizeof s->operations)
        harness_unfit("the harness names more calls (PLUMB_TRY) than can be listed");
    memcpy(s->operations, list.data, list.len + 1);
    s->state = WORKER_DONE;
    _exit(0);
}

/* The test that was named, or else the harness' own. */
static const char *find_test(void)
{
    struct worker_shared *s = harness.shared;
    const struct plumb_part *own = find_part(PLUMB_PART_TEST, "", "");
    const char *test = *s->config.test || !own ? s->config.test : own->text;
    if (strlen(test) >= sizeof s->config.test)
        harness_unfit("the harness' test is too long");
    if (test != s->config.test)
        memcpy(s->config.test, test, strlen(test) + 1);
    return s->config.test;
}

/* An item that nobody asks for could be late, or lost: only tests that take away as much as they add tell. */
static void check_well_formed(uint32_t object)
{
    const struct history *h = harness.history;
    const struct plumb_spec *spec = harness.specs.data[object];
    unsigned counts[3] = {0};
    for (size_t i = 0; i < h->ops.len; i++)
        if (history_object_of(h, i) == object)
            counts[spec_quasi_role(spec, h->ops.data[i].op)]++;
    harness.shared->ill_formed = counts[QUASI_ADDS] != counts[QUASI_REMOVES];
    if (harness.shared->ill_formed)
        harness_unfit(
            "--quasi: the test adds %u item%s to the %s and takes away %u: it needs as many removals "
            "as additions, for instance behind the last =>",
            counts[QUASI_ADDS], counts[QUASI_ADDS] == 1 ? "" : "s", spec->name, counts[QUASI_REMOVES]);
}

static void relax_specs(const char *factor)
{
    struct diagnostic d = {0};
    uint32_t objects = (uint32_t)harness.specs.len;
    if (!spec_quasi_check(factor, harness.specs.data, objects, &d))
        harness_unfit("%s", d.message);
    for (uint32_t i = 0; i < objects; i++)
        check_well_formed(i);
    spec_quasi_relax(harness.history, harness.specs.data, factor, &d);
}

bool harness_prepare(struct worker_shared *shared)
{
    struct diagnostic d = {0};
    harness.shared = shared;
    if (shared->config.list)
        list_calls();
    const char *test = find_test();
    if (!*test && *shared->config.quasi)
        harness_unfit("--quasi judges the operations of a test: name one with --test");
    if (!*test)
        return false;
    if (!operations.len)
        harness_unfit(
            "a test was named, but the program has no operations: write them with PLUMB_OP of plumb.h");
    check_parts();
    read_test(test);
    for (size_t i = 0; i < harness.specs.len; i++)
        if (!harness.specs.data[i])
            harness.specs.data[i] = spec_derived(&harness.derivation.serials, harness.history);
    read_serials();
    if (!judge_prepare(harness.history, harness.specs.data, &d))
        harness_unfit("%s", d.message);
    if (*shared->config.quasi)
        relax_specs(shared->config.quasi);
    return true;
}

/* ------------------------------------------------------------------ one execution */

/* A place in the part's code: lines are looked up one byte before it. */
static const void *place_of(const struct plumb_part *part)
{
    return (const void *)((uintptr_t)part->run + 1);
}

/* In a graph both ends of an operation are events of their own. */
static void mark(enum event_kind kind, uint32_t number, const void *place)
{
    if (engine_by_graph)
        engine_describe_memory(OPERATION_NONE, ORDER_RELAXED, ORDER_RELAXED, number, 0);
    engine_step(kind, 0, 0, place);
}

/* ---- serial executions: nobody calls an operation before the one who has the turn has returned from his ---- */

static uint64_t column_bit(uint32_t column)
{
    return UINT64_C(1) << column;
}

static bool has_turn(void *column)
{
    return harness.turn == (uint32_t)(uintptr_t)column;
}

static void pass_turn(void)
{
    uint32_t ways = (uint32_t)__builtin_popcountll(harness.left);
    if (!ways)
        return;
    uint64_t left = harness.left;
    for (uint32_t way = ways > 1 ? engine_branch(ways) : 0; way > 0; way--)
        left &= left - 1;
    harness.turn = (uint32_t)__builtin_ctzll(left);
    engine_release((uint64_t)&harness.turn);
}

/* The call is a step that others may go before; the return belongs to the operation's last step, because an
 * earlier return allows fewer explanations of the history. Where histories are counted, later ones are different. */
static void run_operation(uint32_t number)
{
    const struct matrix_op *op = &harness.matrix.ops.data[number];
    const void *place = place_of(op->operation);
    mark(EVENT_OP_CALL, number, place);
    engine_note(EVENT_OP_CALL, 0, 0, ORDER_PLAIN, 0, number, place);
    judge_call(number);
    plumb_value result = op->operation->run(op->arguments);
    if (harness.shared->config.count && !engine_by_graph && !harness.serial)
        mark(EVENT_OP_RETURN, number, place);
    judge_return(number, result);
    if (engine_by_graph)
        mark(EVENT_OP_RETURN, number, place);
    engine_note(EVENT_OP_RETURN, 0, 0, ORDER_PLAIN, 0, number, place);
}

static void run_operations(struct matrix_range range)
{
    for (uint32_t i = range.from; i < range.to; i++)
        run_operation(i);
}

static void run_in_turn(struct matrix_range range, uint32_t column)
{
    for (uint32_t i = range.from; i < range.to; i++) {
        engine_wait(EVENT_OP_CALL, 0, has_turn, (void *)(uintptr_t)column,
                    place_of(harness.matrix.ops.data[i].operation));
        engine_acquire((uint64_t)&harness.turn); /* one after the other: these are no races */
        run_operation(i);
        if (i + 1 == range.to)
            harness.left &= ~column_bit(column);
        pass_turn();
    }
}

static void *run_column(void *argument)
{
    const struct matrix_range *range = argument;
    if (harness.serial)
        run_in_turn(*range, (uint32_t)(range - harness.matrix.columns.data));
    else
        run_operations(*range);
    return NULL;
}

static void start_turns(void)
{
    harness.left = 0;
    for (uint32_t k = 0; k < harness.matrix.columns.len; k++)
        if (harness.matrix.columns.data[k].from < harness.matrix.columns.data[k].to)
            harness.left |= column_bit(k);
    pass_turn();
}

/* Columns with the same text do the same, but not those that take turns. */
static uint64_t hash_column(struct matrix_range range)
{
    uint64_t hash = 1;
    for (uint32_t i = range.from; i < range.to; i++) {
        const struct matrix_op *op = &harness.matrix.ops.data[i];
        hash = hash_combine(
            hash, hash_combine((uint64_t)(uintptr_t)op->operation, hash_bytes(op->text, op->length)));
    }
    return hash | 1;
}

static void run_columns(void)
{
    uint32_t threads[CLOCKS_THREADS_MAX];
    if (harness.serial)
        start_turns();
    for (size_t k = 0; k < harness.matrix.columns.len; k++)
        threads[k] = threads_create(run_column, &harness.matrix.columns.data[k],
                                    harness.serial ? 0 : hash_column(harness.matrix.columns.data[k]));
    for (size_t k = 0; k < harness.matrix.columns.len; k++)
        threads_join(threads[k]);
}

static void run_setups(void)
{
    harness.shared->state = WORKER_SETUP;
    for (size_t i = 0; i < parts.len; i++)
        if (parts.data[i]->kind == PLUMB_PART_SETUP)
            parts.data[i]->run(NULL);
    harness.shared->state = WORKER_RUNNING;
}

static void check_invariants(void)
{
    for (size_t i = 0; i < parts.len; i++) {
        const struct plumb_part *p = parts.data[i];
        if (p->kind == PLUMB_PART_INVARIANT && p->run(NULL) != PLUMB_TRUE)
            engine_fail(WORKER_ERROR_INVARIANT, 0, place_of(p),
                        "the invariant does not hold after all operations");
    }
}

static void run_teardowns(void)
{
    for (size_t i = parts.len; i-- > 0;)
        if (parts.data[i]->kind == PLUMB_PART_TEARDOWN)
            parts.data[i]->run(NULL);
}

void harness_run(void *unused)
{
    (void)unused;
    threads_begin();
    judge_begin();
    run_setups();
    run_operations(harness.matrix.init);
    run_columns();
    run_operations(harness.matrix.final);
    check_invariants();
    run_teardowns();
    ending_exit(0, NULL);
}

/* ------------------------------------------------------------------ after an execution */

bool harness_derives(void)
{
    return derive_is_needed(&harness.derivation) && !*harness.shared->config.serials_in;
}

void harness_set_serial(bool serial)
{
    harness.serial = serial;
    harness.shared->config.serial = serial ? SERIAL_EXECUTION : SERIAL_NOT;
}

void harness_note_serial(void)
{
    struct derived_execution x;
    x.count = judge_returned(&x.returned, &x.results, &x.called);
    derive_execution(&harness.derivation, &x);
}

static _Noreturn void end_found(void)
{
    by_graph_record();
    harness.shared->state = WORKER_FOUND;
    plumb_debug_error();
    _exit(0);
}

void harness_end_serials(void)
{
    struct diagnostic d = {0};
    if (!derive_end(&harness.derivation, harness.shared, &d))
        harness_unfit("%s", d.message);
    serials_fold(&harness.derivation.serials);
    if (!derive_is_nondeterministic(&harness.derivation, harness.shared))
        return;
    if (!derive_stands_alone(&harness.derivation))
        harness_unfit("%s, which depends on operations of an object with a specification: "
                      "what shares anything is one object",
                      strdup(harness.shared->error.message)); /* where this is written to */
    harness.shared->config.serial = SERIAL_ALL;
    harness.shared->choice_count = 0;
    harness.shared->event_count = harness.shared->events_lost = 0;
    harness.shared->event_hash = 0;
    end_found();
}

/* Other checkers are asked about what has been judged. */
static void compare(const struct graph *g, enum judge_answer answer, uint64_t undecided_before)
{
    if (g && answer != JUDGE_UNFIT && !findings_ignored)
        compare_execution(harness.shared, g,
                          answer == JUDGE_FINE && harness.shared->undecided == undecided_before);
}

/* The first execution comes twice, and must not be counted twice. */
static void count(const struct graph *g, bool stuck)
{
    struct diagnostic d = {0};
    if (!findings_ignored && judge_count(harness.shared, g, stuck, &d) == JUDGE_UNFIT)
        harness_unfit("%s", d.message);
}

const char *harness_judge_stuck(const struct graph *g)
{
    static char text[160];
    struct diagnostic d = {0};
    uint32_t waits = UINT32_MAX;
    if (!judge_is_within()) /* set-up, invariant and teardown never may */
        return "";
    if (harness.serial) {
        harness_note_serial();
        return NULL;
    }
    if (harness.shared->config.count) {
        count(g, true);
        return NULL;
    }
    uint64_t undecided = harness.shared->undecided;
    enum judge_answer answer = judge_stuck(harness.shared, g, &waits, &d);
    compare(g, answer, undecided);
    switch (answer) {
    case JUDGE_FINE: return NULL;
    case JUDGE_UNFIT: harness_unfit("%s", d.message);
    case JUDGE_WRONG: break;
    }
    if (waits == UINT32_MAX)
        return "";
    const struct matrix_op *op = &harness.matrix.ops.data[waits];
    snprintf(text, sizeof text, "and by the specification %.*s need not wait",
             (int)(op->length < 80 ? op->length : 80), op->text);
    return text;
}

void harness_judge(const struct graph *g)
{
    struct diagnostic d = {0};
    if (harness.shared->config.count) {
        count(g, false);
        return;
    }
    uint64_t undecided = harness.shared->undecided;
    enum judge_answer answer = g ? judge_end_graph(harness.shared, g, &d) : judge_end(harness.shared, &d);
    compare(g, answer, undecided);
    switch (answer) {
    case JUDGE_FINE: return;
    case JUDGE_UNFIT: harness_unfit("%s", d.message);
    case JUDGE_WRONG:
        if (g)
            explore_graphs_set_client(engine_explorer(), judge_client());
        if (!engine_keep_error())
            end_found();
    }
}
