/* SPDX-License-Identifier: Apache-2.0 */
#include "refine/refine.h"

#include "base/check.h"
#include "refine/specification/machine.h"
#include "refine/specification/model_run.h"
#include "refine/product/product.h"
#include "refine/run.h"
#include "spec/registry.h"
#include "spec/quasi/spec_quasi.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* --- operations ------------------------------------------------------------------------------------------------ */

static bool find_operations(const struct refine_system *s, const struct plumb_spec *spec, uint8_t *op_of,
                            struct diagnostic *d)
{
    if (spec->operation_count > MACHINE_OPS_MAX)
        return diagnostic_set(d, PL_USAGE, 0, 0, "the specification has more than %d operations",
                              MACHINE_OPS_MAX);
    for (uint32_t i = 0; i < s->op_count; i++) {
        uint32_t op = spec_operation(spec, s->ops[i]);
        if (op == UINT32_MAX)
            return diagnostic_set(d, PL_UNKNOWN_OPERATION, 0, 0,
                                  "the specification '%s' has no operation '%s'", spec->name, s->ops[i]);
        op_of[i] = (uint8_t)op;
    }
    return true;
}

static bool uses(const struct refine_system *s, const uint8_t *op_of, uint32_t op)
{
    for (uint32_t i = 0; i < s->op_count; i++)
        if (op_of[i] == op)
            return true;
    return false;
}

/* --- the relaxed specification ----------------------------------------------------------------------------------- */

/* A compare and swap asks for what is inside by name. */
static bool compares_items(const struct refine_system *s, const struct plumb_spec *spec, const uint8_t *op_of)
{
    for (uint32_t op = 0; op < spec->operation_count; op++)
        if (strlen(spec->operations[op].args) > 1 && uses(s, op_of, op))
            return true;
    return false;
}

static bool find_order(const struct refine_system *s, const struct plumb_spec *spec, const uint8_t *op_of,
                       enum relaxed_order *order)
{
    switch (spec->kind) {
    case PLUMB_KIND_QUEUE: *order = RELAXED_QUEUE; break;
    case PLUMB_KIND_STACK: *order = RELAXED_STACK; break;
    case PLUMB_KIND_PQUEUE: *order = RELAXED_PQUEUE; break;
    case PLUMB_KIND_REGISTER: *order = RELAXED_REGISTER; break;
    default: return false;
    }
    return !compares_items(s, spec, op_of);
}

static enum plumb_role relaxed_role(const struct plumb_spec *spec, uint32_t op)
{
    switch (spec->operations[op].role) {
    case PLUMB_ADDS:
    case PLUMB_WRITES:
    case PLUMB_EXCHANGES: return PLUMB_ADDS;
    case PLUMB_REMOVES: return PLUMB_REMOVES;
    default: return PLUMB_LOOKS;
    }
}

/* The factor of removals; false: something else may move, too. */
static bool read_factor(const struct plumb_spec *spec, const char *text, uint32_t *most)
{
    struct quasi_factor f;
    bool only_removals = true;
    *most = 0;
    if (!text)
        return true;
    quasi_factor_read(&f, text, spec);
    for (uint32_t op = 0; op < spec->operation_count; op++) {
        uint8_t class = f.class_of[op][0];
        if (class != QUASI_NO_CLASS && f.most[class] && relaxed_role(spec, op) != PLUMB_REMOVES)
            only_removals = false;
        if (f.class_of[op][1] != QUASI_NO_CLASS && f.most[f.class_of[op][1]])
            only_removals = false;
        if (class != QUASI_NO_CLASS && relaxed_role(spec, op) == PLUMB_REMOVES)
            *most = f.most[class];
    }
    free(f.class_of);
    return only_removals;
}

static struct machine *new_relaxed(const struct refine_settings *settings, enum relaxed_order order,
                                   struct diagnostic *d)
{
    const struct plumb_spec *spec = settings->spec;
    struct relaxed_settings x = {
        .order = order,
        .capacity = settings->capacity,
        .full = settings->full,
        .is_complete = settings->reading == REFINE_READING_C,
    };
    if (!read_factor(spec, settings->quasi, &x.factor) || x.factor > RELAXED_FACTOR_MOST) {
        diagnostic_set(d, PL_USAGE, 0, 0,
                       "with the quasi factor '%.60s' values have to be given: use --values free:N",
                       settings->quasi);
        return NULL;
    }
    for (uint32_t op = 0; op < spec->operation_count; op++)
        x.roles[op] = relaxed_role(spec, op);
    return relaxed_new(&x);
}

static struct machine *new_machine(const struct refine_system *s, const struct refine_settings *settings,
                                   const struct plumb_spec *spec, const uint8_t *op_of, struct diagnostic *d)
{
    enum relaxed_order order;
    if (!settings->spec_system && !settings->free_values && find_order(s, spec, op_of, &order))
        return new_relaxed(settings, order, d);
    if (settings->spec_system && !settings->free_values && !settings->quasi && !settings->capacity)
        return model_machine_new(settings->spec_system, settings->full, d);
    return general_new(spec, settings);
}

/* --- a run ------------------------------------------------------------------------------------------------------- */

/* A question with everything that does not depend on how it is answered. */
struct question {
    const struct refine_system *system;
    const struct refine_settings *settings;
    const struct plumb_spec *spec;
    struct refine_result *result;
    struct diagnostic *d;
    uint8_t op_of[UINT8_MAX + 1];
    uint8_t arg_counts[MACHINE_OPS_MAX]; /* of the specification's operations */
    double started;
};

/* One way to answer it. */
struct attempt {
    bool use_points, reduces;
    uint64_t most_pairs; /* 0: no limit */
    bool has_reduced;    /* found out: steps were left out */
};

static void set_limits(struct product *p, const struct question *q, const struct attempt *attempt)
{
    const struct refine_settings *settings = q->settings;
    p->keeps_all = settings->plain;
    p->jobs = settings->jobs ? settings->jobs : 1;
    p->budget = budget_start(0, settings->memory_limit);
    p->budget.deadline = settings->seconds > 0 ? q->started + settings->seconds : 0;
    p->stop = settings->stop;
    p->progress = settings->progress;
    p->progress_context = settings->progress_context;
    p->started = q->started;
    p->most_pairs = attempt->most_pairs;
}

static enum refine_reason reason_of(const struct successor *n)
{
    switch (n->outcome) {
    case SUCCESSOR_FAULT:
    case SUCCESSOR_STUCK: return REFINE_MODEL_FAULT;
    case SUCCESSOR_DEADLOCK: return REFINE_DEADLOCK;
    case SUCCESSOR_BAD_ANSWER: return REFINE_BAD_ANSWER;
    case SUCCESSOR_BAD_ORDER: return REFINE_BAD_ORDER;
    default: return REFINE_NO_EXPLANATION;
    }
}

/* Errors that wrong linearization points can cause. */
static bool is_about_answers(const struct successor *n)
{
    return reason_of(n) == REFINE_NO_EXPLANATION || reason_of(n) == REFINE_BAD_ANSWER;
}

static void set_inconclusive(struct refine_result *r, const char *limit)
{
    r->verdict = VERDICT_INCONCLUSIVE;
    snprintf(r->limit, sizeof r->limit, "%s", limit);
}

static void take_numbers(struct refine_result *r, const struct product *p)
{
    r->pairs = p->nodes.len;
    r->states = intern_count(&p->store.states);
    r->transitions = p->transitions;
    if (p->peak_bytes > r->peak_bytes)
        r->peak_bytes = p->peak_bytes;
}

static void report_error(struct question *q, struct product *p)
{
    struct refine_result *r = q->result;
    r->verdict = VERDICT_VIOLATED;
    r->reason = reason_of(&p->error);
    if (!run_build(p, r))
        set_inconclusive(r, "an error was found, but the way to it has more items than there are names for");
    else if (r->reason == REFINE_NO_EXPLANATION && !confirming_agrees(q->system, q->settings, q->spec, r))
        set_inconclusive(r, "an error was found, but to confirm it took too long");
}

static void report_answer(struct question *q, struct product *p)
{
    struct refine_result *r = q->result;
    r->verdict = VERDICT_HOLDS;
    r->by_points = p->expand.use_points;
    r->full_was_free |= p->met_full;
    if (p->limit)
        set_inconclusive(r, p->limit);
    else if (p->found && p->expand.use_points && is_about_answers(&p->error))
        r->verdict = VERDICT_VIOLATED;
    else if (p->found)
        report_error(q, p);
}

/* A call whose arguments are not those of the specification's operation. */
static void refuse_call(struct question *q, struct product *p)
{
    run_build(p, q->result);
    const struct refine_step last = vec_last(&q->result->run).step, *call = &last;
    refine_result_free(q->result);
    struct refine_place at = {0};
    if (q->system->describe)
        at = q->system->describe(q->system, call->place);
    uint8_t op = q->op_of[call->op];
    const char *name = q->spec->operations[op].name;
    if (call->arg_count != q->arg_counts[op])
        diagnostic_set(q->d, PL_BAD_ARGUMENT, at.line, at.column,
                       "arguments of %s here: %u, but %u in the specification", name, call->arg_count,
                       q->arg_counts[op]);
    else
        diagnostic_set(q->d, PL_USAGE, at.line, at.column,
                       "the arguments of '%s' are not new items: use --values free:N to say which there are",
                       name);
    if (at.file)
        snprintf(q->d->file, sizeof q->d->file, "%s", at.file);
}

/* Explores the product; false: the question makes no sense. */
static bool explore(struct question *q, struct machine *machine, struct attempt *attempt)
{
    const struct refine_settings *settings = q->settings;
    struct canon canon;
    struct explanations e;
    struct product p;
    canon_init(&canon, q->system, machine->names, !settings->plain && !machine->thread_matters);
    explanations_init(&e, machine, q->system->threads);
    struct expand_settings expand = {
        .system = q->system,
        .canon = &canon,
        .machine = machine,
        .op_of = q->op_of,
        .arg_counts = q->arg_counts,
        .free_values = settings->free_values,
        .use_points = attempt->use_points,
        .reduces = attempt->reduces,
        .deadlock = settings->deadlock,
        .full_is_free = settings->full == REFINE_FULL_ANY,
    };
    product_init(&p, &expand, &e);
    set_limits(&p, q, attempt);
    product_run(&p);
    take_numbers(q->result, &p);
    attempt->has_reduced = p.has_reduced;
    bool makes_sense = !p.wrong_arguments;
    if (makes_sense)
        report_answer(q, &p);
    else
        refuse_call(q, &p);
    product_free(&p);
    explanations_free(&e);
    canon_free(&canon);
    return makes_sense;
}

/* False: the question makes no sense. */
static bool make_attempt(struct question *q, struct attempt *attempt)
{
    struct machine *machine = new_machine(q->system, q->settings, q->spec, q->op_of, q->d);
    if (!machine)
        return false;
    bool makes_sense = explore(q, machine, attempt);
    machine->destroy(machine);
    return makes_sense;
}

static bool is_decided(const struct refine_result *r)
{
    return r->verdict != VERDICT_VIOLATED || r->run.len || r->reason == REFINE_DEADLOCK;
}

/* Steps that went first may have made the way to the error longer: looks for a shorter one among all steps, if that is not
 * much more work. */
static void shorten(struct question *q)
{
    struct refine_result *r = q->result, other = {0};
    struct attempt attempt = {.most_pairs = 8 * r->pairs + 100000};
    q->result = &other;
    bool is_answered = make_attempt(q, &attempt) && other.verdict == VERDICT_VIOLATED;
    r->is_longer = !is_answered;
    if (is_answered && other.run.len < r->run.len) {
        struct refine_result longer = *r;
        r->run.data = other.run.data;
        r->run.len = other.run.len;
        r->reason = other.reason;
        other.run.data = longer.run.data;
        other.run.len = longer.run.len;
    }
    refine_result_free(&other);
    q->result = r;
}

/* The model's linearization points are tried first; if they are wrong nothing is known. */
static bool answer(struct question *q)
{
    const struct refine_settings *settings = q->settings;
    struct attempt attempt = {.use_points = settings->use_points, .reduces = !settings->plain};
    bool makes_sense = make_attempt(q, &attempt);
    if (makes_sense && attempt.use_points && !is_decided(q->result)) {
        attempt.use_points = false;
        makes_sense = make_attempt(q, &attempt);
    }
    if (makes_sense && q->result->verdict == VERDICT_VIOLATED && attempt.has_reduced)
        shorten(q);
    return makes_sense;
}

bool refine_check(const struct refine_system *s, const struct refine_settings *settings,
                  struct refine_result *r, struct diagnostic *d)
{
    struct question q = {.system = s, .settings = settings, .result = r, .d = d, .started = base_now()};
    struct plumb_spec *model = settings->spec_system ? model_spec_new(settings->spec_system) : NULL;
    const struct plumb_spec *base = model ? model : settings->spec;
    struct plumb_spec *bounded =
        settings->capacity ? bounded_new(base, settings->capacity, settings->full) : NULL;
    *r = (struct refine_result){0};
    q.spec = bounded ? bounded : base;
    for (uint32_t i = 0; i < q.spec->operation_count && i < MACHINE_OPS_MAX; i++)
        q.arg_counts[i] = (uint8_t)strlen(q.spec->operations[i].args);
    bool makes_sense = find_operations(s, q.spec, q.op_of, d) &&
                       (!settings->quasi || spec_quasi_check(settings->quasi, &q.spec, 1, d)) && answer(&q);
    if (bounded)
        bounded_free(bounded);
    if (makes_sense && model && model_spec_problem(model))
        set_inconclusive(r, model_spec_problem(model));
    if (model)
        model_spec_free(model);
    r->seconds = base_now() - q.started;
    return makes_sense;
}

void refine_result_free(struct refine_result *r)
{
    for (size_t i = 0; i < r->run.len; i++)
        free(r->run.data[i].state);
    vec_free(&r->run);
}
