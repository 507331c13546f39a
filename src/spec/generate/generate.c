/* SPDX-License-Identifier: Apache-2.0 */
/* A simulation: every thread is idle, has called, or has taken effect, and at
 * each step a random one moves on. Time is a counter of calls and returns.
 * An operation that would wait stays called until the others let it go on or,
 * having waited for long, turns into one that does not wait: as it had no
 * effect yet, that makes no difference. So nothing that has a plan ever
 * deadlocks; without one, calls are made from the letters of the operations. */
#include "spec/generate/generate.h"

#include "base/budget.h"
#include "base/check.h"
#include "base/memory.h"
#include "spec/generate/generate_plan.h"
#include "spec/generate/generate_write.h"
#include "spec/registry.h"

#include <inttypes.h>
#include <string.h>

enum { SIM_PATIENCE = 64, SIM_PATIENCE_OF_ALL = 100000, SIM_CHOICES = 8, SIM_CELLS = 1024 };

enum sim_phase { SIM_IDLE, SIM_CALLED, SIM_EFFECTIVE };

struct sim_thread {
    enum sim_phase phase;
    unsigned waited;            /* attempts in vain */
    const struct plan_op *plan; /* of the current operation; null: none */
    const char *then;           /* what has to come next, or null */
    uint64_t called;
    struct plumb_call call;
    plumb_value result;
};

struct sim {
    const struct plumb_spec *spec;
    const struct plan *plan; /* null: none, `sampler` makes the calls */
    struct spec_sampler sampler;
    struct plumb_values *values;
    void *state;
    uint64_t random, fresh;
    uint64_t vain; /* attempts since the last operation that took effect */
    uint32_t keys, thread_count;
    uint32_t inside;
    /* Items inside, less the removals that have been called: never fewer are inside */
    int64_t level;
    unsigned weight; /* of all operations */
    uint32_t *busy;  /* threads that have not finished; busy_count of them */
    uint32_t busy_count;
    struct sim_thread *threads;
    struct writer out;
    bool stream;
};

static uint64_t sim_random(struct sim *s)
{
    uint64_t x = s->random += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

static uint32_t sim_below(struct sim *s, uint32_t bound)
{
    return (uint32_t)((sim_random(s) >> 32) * bound >> 32);
}

/* Arguments. */

static plumb_value sim_fresh(struct sim *s)
{
    return plumb_int(s->values, (int64_t)++s->fresh);
}

/* An odd factor permutes the 32-bit numbers. */
static plumb_value sim_priority(struct sim *s)
{
    uint64_t n = ++s->fresh;
    return plumb_int(s->values, (int64_t)((n & ~UINT64_C(0xffffffff)) | (uint32_t)(n * 2654435761u)));
}

static plumb_value sim_key(struct sim *s)
{
    if (s->keys)
        return plumb_int(s->values, 1 + (int64_t)sim_below(s, s->keys));
    uint64_t recent = 2 * (uint64_t)s->thread_count + 8;
    uint64_t among = s->fresh < recent ? s->fresh + 1 : recent;
    return plumb_int(s->values, (int64_t)(s->fresh + 1 - sim_random(s) % among));
}

static plumb_value sim_pair(struct sim *s, plumb_value a, plumb_value b)
{
    return plumb_array(s->values, (plumb_value[]){a, b}, 2);
}

static plumb_value sim_text(struct sim *s)
{
    char text[24];
    int length = snprintf(text, sizeof text, "%" PRIu64 ",", ++s->fresh);
    return plumb_string(s->values, text, (size_t)length);
}

/* What `name` would answer now; it must be an operation without effect. */
static plumb_value sim_ask(struct sim *s, const char *name, plumb_value arg)
{
    struct plumb_call call = {spec_operation(s->spec, name), 0, arg, PLUMB_ANY};
    plumb_value answer = PLUMB_OK;
    CHECK(s->spec->step(s->state, &call, 0, &answer));
    return answer;
}

static plumb_value sim_cas(struct sim *s)
{
    plumb_value old = sim_below(s, 2) ? sim_ask(s, "read", PLUMB_OK) : sim_fresh(s);
    return sim_pair(s, old, sim_fresh(s));
}

static plumb_value sim_transaction(struct sim *s)
{
    plumb_value key = sim_key(s), other = sim_key(s);
    plumb_value write[] = {plumb_string(s->values, "w", 1), key, sim_fresh(s)},
                read[] = {plumb_string(s->values, "r", 1), other, PLUMB_NONE};
    plumb_value parts[] = {plumb_array(s->values, write, 3), plumb_array(s->values, read, 3)};
    return plumb_array(s->values, parts, 2);
}

static plumb_value sim_arg(struct sim *s, uint32_t thread, enum plan_arg arg)
{
    switch (arg) {
    case PLAN_FRESH: return sim_fresh(s);
    case PLAN_PRIORITY: return sim_priority(s);
    case PLAN_NEW_KEY: return s->keys ? sim_key(s) : sim_fresh(s);
    case PLAN_KEY: return sim_key(s);
    case PLAN_KEY_FRESH: {
        plumb_value key = sim_key(s);
        return sim_pair(s, key, sim_fresh(s));
    }
    case PLAN_KEY_TEXT: {
        plumb_value key = sim_key(s);
        return sim_pair(s, key, sim_text(s));
    }
    case PLAN_CELL: return sim_pair(s, plumb_int(s->values, thread % SIM_CELLS), sim_fresh(s));
    case PLAN_ONE: return plumb_int(s->values, 1);
    case PLAN_CAS: return sim_cas(s);
    case PLAN_PHASE: return s->threads[thread].result;
    case PLAN_TRANSACTION: return sim_transaction(s);
    default: return PLUMB_OK;
    }
}

/* The life of an operation. */

static const struct plan_op *sim_plan_named(const struct sim *s, const char *name)
{
    for (unsigned i = 0; i < PLAN_OPS_MAX && s->plan->ops[i].name; i++)
        if (!strcmp(s->plan->ops[i].name, name))
            return &s->plan->ops[i];
    return NULL;
}

static const struct plan_op *sim_plan_random(struct sim *s)
{
    const struct plan_op *o = s->plan->ops;
    for (uint32_t left = sim_below(s, s->weight); left >= o->weight; o++)
        left -= o->weight;
    return o;
}

/* What the operation does to the number of items inside, unless it finds none. */
static int plan_growth(const struct plumb_spec *spec, const struct plan_op *o)
{
    const struct plumb_operation *operation = &spec->operations[spec_operation(spec, o->name)];
    if (o->arg == PLAN_FRESH || o->arg == PLAN_PRIORITY)
        return 1;
    return !operation->reads && operation->results && strchr(operation->results, 'N') ? -1 : 0;
}

/* Keeps between `inside` and twice as many items inside. */
static const struct plan_op *sim_plan_next(struct sim *s)
{
    const struct plan_op *o = sim_plan_random(s);
    bool few = s->level <= s->inside, many = s->level > 2 * (int64_t)s->inside;
    while (s->inside && ((few && plan_growth(s->spec, o) < 0) || (many && plan_growth(s->spec, o) > 0)))
        o = sim_plan_random(s);
    s->level -= plan_growth(s->spec, o) < 0;
    return o;
}

static bool plan_has_inside(const struct plumb_spec *spec, const struct plan *plan)
{
    bool grows = false, shrinks = false;
    for (unsigned i = 0; i < PLAN_OPS_MAX && plan->ops[i].name; i++) {
        grows |= plan_growth(spec, &plan->ops[i]) > 0;
        shrinks |= plan_growth(spec, &plan->ops[i]) < 0;
    }
    return grows && shrinks;
}

static void sim_set_call(struct sim *s, struct sim_thread *t, const struct plan_op *plan)
{
    uint32_t thread = (uint32_t)(t - s->threads);
    t->plan = plan;
    if (!plan) {
        t->call = spec_sample_call(&s->sampler, 1);
        t->call.thread = thread;
        return;
    }
    uint32_t op = spec_operation(s->spec, plan->name);
    t->call = (struct plumb_call){op, thread, sim_arg(s, thread, plan->arg), PLUMB_ANY};
}

static void sim_call(struct sim *s, struct sim_thread *t)
{
    const struct plan_op *plan = !s->plan ? NULL : t->then ? sim_plan_named(s, t->then) : sim_plan_next(s);
    if (s->stream && plan && plan->instead) /* what was written as called cannot turn into something else */
        plan = sim_plan_named(s, plan->instead);
    sim_set_call(s, t, plan);
    t->then = NULL;
    t->waited = 0;
    t->phase = SIM_CALLED;
    if (s->stream)
        writer_call(&s->out, t->call.thread, s->spec->operations[t->call.op].name, t->call.arg);
    else
        t->called = ++s->out.clock;
}

/* Without a plan: how many outcomes the call has, or SIM_CHOICES if there are more. */
static uint32_t sim_count_outcomes(const struct sim *s, const struct plumb_call *call)
{
    uint32_t count = 0;
    for (bool more = true; more && count < SIM_CHOICES; count += more) {
        void *trial = s->spec->clone(s->state);
        more = s->spec->step(trial, call, count, NULL);
        s->spec->destroy(trial);
    }
    return count;
}

static bool sim_step(struct sim *s, struct sim_thread *t)
{
    if (s->plan) {
        unsigned choice = sim_below(s, SIM_CHOICES);
        return s->spec->step(s->state, &t->call, choice, &t->result) ||
               (choice && s->spec->step(s->state, &t->call, 0, &t->result));
    }
    uint32_t outcomes = sim_count_outcomes(s, &t->call);
    t->result = PLUMB_OK;
    return outcomes &&
           s->spec->step(s->state, &t->call, (unsigned)spec_sample_number(&s->sampler, outcomes), &t->result);
}

static void sim_take_effect(struct sim *s, struct sim_thread *t)
{
    if (sim_step(s, t)) {
        t->phase = SIM_EFFECTIVE;
        s->vain = 0;
        s->level += t->plan && plan_growth(s->spec, t->plan) > 0;
        return;
    }
    s->vain++;
    if (++t->waited <= SIM_PATIENCE)
        return;
    if (!t->plan)
        t->waited = 0;
    if (!t->plan || t->plan->instead)
        sim_set_call(s, t, t->plan ? sim_plan_named(s, t->plan->instead) : NULL);
}

static void sim_return(struct sim *s, struct sim_thread *t)
{
    if (s->stream)
        writer_return(&s->out, t->call.thread, t->result);
    else
        writer_op(&s->out, t->call.thread, s->spec->operations[t->call.op].name, t->call.arg, t->result,
                  t->called);
    if (t->plan && t->result != PLUMB_FALSE)
        t->then = t->plan->then;
    t->phase = SIM_IDLE;
}

static void sim_run(struct sim *s, uint64_t ops, bool endless)
{
    while (s->busy_count && !ferror(s->out.file) && s->vain < SIM_PATIENCE_OF_ALL) {
        uint32_t i =
            s->plan ? sim_below(s, s->busy_count) : (uint32_t)spec_sample_number(&s->sampler, s->busy_count);
        struct sim_thread *t = &s->threads[s->busy[i]];
        if (t->phase == SIM_CALLED) {
            sim_take_effect(s, t);
        } else if (t->phase == SIM_EFFECTIVE) {
            sim_return(s, t);
        } else if (ops || endless) {
            ops -= !endless;
            sim_call(s, t);
        } else {
            s->busy[i] = s->busy[--s->busy_count];
        }
    }
}

/* The lie at the end. */

static unsigned sim_lie_length(const struct plan *plan)
{
    unsigned n = 0;
    while (n < PLAN_LIE_MAX && plan->lie[n].name)
        n++;
    return n;
}

static plumb_value sim_lie_answer(struct sim *s, enum plan_answer answer, const struct plumb_call *call,
                                  const plumb_value *args, plumb_value before)
{
    plumb_value honest = PLUMB_OK;
    switch (answer) {
    case PLAN_HONEST: CHECK(s->spec->step(s->state, call, 0, &honest)); return honest;
    case PLAN_ONE_MORE:
        CHECK(s->spec->step(s->state, call, 0, &honest));
        return plumb_int(s->values, plumb_int_of(s->values, honest) + 1);
    case PLAN_FIRST_ARG: return args[0];
    case PLAN_SECOND_ARG: return args[1];
    case PLAN_GREATER_ARG: return args[plumb_compare(s->values, args[0], args[1]) < 0];
    case PLAN_NULL: return PLUMB_NONE;
    case PLAN_FALSE: return PLUMB_FALSE;
    case PLAN_EMPTY_TEXT: return plumb_string(s->values, "", 0);
    case PLAN_ANSWER_ONE: return plumb_int(s->values, 1);
    case PLAN_BEFORE: return before;
    default: return PLUMB_OK;
    }
}

/* All operations of the lie are about the same key. */
static plumb_value sim_lie_arg(struct sim *s, enum plan_arg arg, uint32_t thread, plumb_value key)
{
    if (arg == PLAN_KEY)
        return key;
    if (arg == PLAN_KEY_FRESH)
        return sim_pair(s, key, sim_fresh(s));
    if (arg == PLAN_KEY_TEXT)
        return sim_pair(s, key, sim_text(s));
    return sim_arg(s, thread, arg);
}

static void sim_lie(struct sim *s)
{
    unsigned length = sim_lie_length(s->plan);
    const struct plan_lie *last = &s->plan->lie[length - 1];
    plumb_value key = sim_arg(s, 0, PLAN_NEW_KEY), before = PLUMB_OK, args[PLAN_LIE_MAX];
    if (last->answer == PLAN_BEFORE)
        before = sim_ask(s, last->name, last->arg == PLAN_KEY ? key : PLUMB_OK);
    for (unsigned i = 0; i < length; i++) {
        const struct plan_lie *lie = &s->plan->lie[i];
        uint32_t thread = s->thread_count > 1 ? i % 2 : 0;
        args[i] = sim_lie_arg(s, lie->arg, thread, key);
        struct plumb_call call = {spec_operation(s->spec, lie->name), thread, args[i], PLUMB_ANY};
        plumb_value answer = sim_lie_answer(s, lie->answer, &call, args, before);
        if (s->stream) {
            writer_call(&s->out, thread, lie->name, args[i]);
            writer_return(&s->out, thread, answer);
            continue;
        }
        uint64_t called = ++s->out.clock;
        writer_op(&s->out, thread, lie->name, args[i], answer, called);
    }
}

static bool generate(const struct plumb_spec *spec, const struct plan *plan,
                     const struct generate_settings *settings, FILE *out)
{
    struct plumb_values *values = plumb_values_create();
    struct sim s = {.spec = spec, .plan = plan, .values = values, .out = {.values = values, .file = out}};
    s.sampler = (struct spec_sampler){spec, values, settings->seed};
    s.inside = settings->inside;
    s.stream = settings->stream;
    s.out.rate = settings->rate;
    s.out.start = base_now();
    s.state = spec_init(spec, &(struct plumb_spec_options){values, PLUMB_OK});
    s.random = settings->seed;
    s.keys = settings->keys || !plan ? settings->keys : plan->keys;
    s.thread_count = s.busy_count = settings->threads ? settings->threads : 1;
    s.threads = NEW_ZEROED(struct sim_thread, s.thread_count);
    s.busy = NEW_ARRAY(uint32_t, s.thread_count);
    for (uint32_t i = 0; i < s.thread_count; i++)
        s.busy[i] = i;
    for (unsigned i = 0; plan && i < PLAN_OPS_MAX; i++)
        s.weight += plan->ops[i].weight;

    bool broken = plan && settings->broken;
    uint64_t lies = broken ? sim_lie_length(plan) : 0;
    sim_run(&s, settings->ops > lies ? settings->ops - lies : 0, settings->stream && !settings->ops);
    if (broken)
        sim_lie(&s);
    writer_flush(&s.out);

    text_free(&s.out.text);
    free(s.busy);
    free(s.threads);
    spec->destroy(s.state);
    plumb_values_destroy(values);
    return s.vain < SIM_PATIENCE_OF_ALL;
}

bool generate_history(const struct plumb_spec *spec, const struct generate_settings *settings, FILE *out)
{
    const struct plan *plan = plan_find(spec_root(spec)->name);
    bool makes_sense =
        plan && spec_find(spec->name) == spec && !(settings->inside && !plan_has_inside(spec, plan)) &&
        !(settings->broken && spec_base_of_weak(spec)); /* the lie may be a failure without a reason */
    return makes_sense && generate(spec, plan, settings, out);
}

bool generate_own_history(const struct plumb_spec *spec, const struct generate_settings *settings, FILE *out)
{
    return generate(spec, NULL, settings, out);
}
