/* SPDX-License-Identifier: Apache-2.0 */
/* Nodes of the product have states whose items and threads were renamed again and again. The way to an error is walked
 * once more; `names` says which item of the run each item of the present node is, and `who` the same for threads.
 *
 * Items that are ordered get tokens first: where a new one belongs among the others is known when it is added, its number
 * at the end. `order` lists the tokens so far. */
#include "monitor/monitor.h"
#include "refine/run.h"

#include "base/check.h"
#include "spec/quasi/spec_quasi.h"
#include "spec/registry.h"

#include <string.h>

struct walk {
    struct product *p;
    struct refine_result *r;
    struct expander expander;
    uint8_t *state, *raw;
    unsigned names[RENAMING_SIZE];     /* of the state's items: tokens */
    unsigned set_names[RENAMING_SIZE]; /* BY_RANK: of the set's items */
    uint8_t who[REFINE_THREADS_MAX];
    VEC(unsigned) order;
    unsigned tokens;
};

static unsigned new_token(struct walk *w, unsigned behind)
{
    size_t at = w->order.len;
    if (w->p->expand.machine->names == MACHINE_BY_RANK) {
        for (at = 0; behind && at < w->order.len && w->order.data[at] != behind; at++)
            continue;
        at += behind != 0;
    }
    vec_push(&w->order, 0);
    memmove(w->order.data + at + 1, w->order.data + at, (w->order.len - 1 - at) * sizeof *w->order.data);
    return w->order.data[at] = ++w->tokens;
}

/* --- names after a step ------------------------------------------------------------------------------------- */

/* Names of items in the state that the step led to, before it was renamed. */
static void name_raw(struct walk *w, const struct successor *n, const int32_t *args, unsigned *raw_names)
{
    enum machine_names names = w->p->expand.machine->names;
    memcpy(raw_names, w->names, sizeof w->names);
    if (n->action.kind != ACTION_CALL || !n->action.arg_count || names == MACHINE_FIXED)
        return;
    unsigned item = (unsigned)args[0];
    unsigned token = new_token(w, names == MACHINE_BY_RANK ? w->set_names[n->action.args[0]] : 0);
    if (names == MACHINE_BY_RANK) {
        memmove(raw_names + item + 1, raw_names + item, (RENAMING_GHOST - item - 1) * sizeof *raw_names);
        unsigned below = n->action.args[0];
        memmove(w->set_names + below + 2, w->set_names + below + 1,
                (RENAMING_GHOST - below - 2) * sizeof *raw_names);
        w->set_names[below + 1] = token;
    }
    raw_names[item] = token;
}

static void follow_names(struct walk *w, const struct canon_names *names, const unsigned *raw_names)
{
    uint8_t who[REFINE_THREADS_MAX];
    memcpy(who, w->who, sizeof who);
    for (unsigned t = 0; t < w->p->expand.system->threads; t++)
        w->who[names->threads[t]] = who[t];
    memset(w->names, 0, sizeof w->names);
    for (unsigned i = 1; i < RENAMING_SIZE; i++)
        if (names->items[i])
            w->names[names->items[i]] = raw_names[i];
}

static void follow_set_names(struct walk *w, uint32_t set, const struct action *a)
{
    uint8_t to[RENAMING_GHOST];
    unsigned old[RENAMING_SIZE];
    explanations_trace(w->p->explanations, set, a, to);
    memcpy(old, w->set_names, sizeof old);
    memset(w->set_names, 0, sizeof w->set_names);
    for (unsigned i = 1; i < RENAMING_GHOST; i++)
        if (to[i])
            w->set_names[to[i]] = old[i];
}

/* --- events ------------------------------------------------------------------------------------------------- */

static uint8_t byte_of(unsigned token)
{
    return token < REFINE_OK ? (uint8_t)token : REFINE_NONE;
}

static int32_t value_of(const struct walk *w, const unsigned *raw_names, int32_t value)
{
    bool is_item = w->p->expand.machine->names != MACHINE_FIXED && value > 0 && value < REFINE_OK;
    return is_item ? byte_of(raw_names[value]) : value;
}

/* The state with the threads where they were at first and items as tokens. */
static uint8_t *run_state(const struct walk *w, const uint8_t *state, const unsigned *raw_names)
{
    const struct refine_system *s = w->p->expand.system;
    uint8_t to[RENAMING_SIZE];
    uint8_t *copy = NEW_ARRAY(uint8_t, s->state_size + 1);
    memcpy(copy, state, s->state_size);
    for (unsigned t = 0; t < s->threads && w->p->expand.canon->swaps_threads; t++)
        memcpy(copy + s->thread_offsets[w->who[t]], state + s->thread_offsets[t], s->thread_size);
    for (unsigned i = 0; i < RENAMING_SIZE; i++)
        to[i] = byte_of(raw_names[i]);
    canon_rename(w->p->expand.canon, copy, to);
    return copy;
}

static void add_event(struct walk *w, const struct successor *n, const int32_t *args,
                      const unsigned *raw_names)
{
    struct refine_event e = {.step = w->expander.steps.steps.data[n->step]};
    bool is_fault =
        n->outcome == SUCCESSOR_FAULT || n->outcome == SUCCESSOR_STUCK || n->outcome == SUCCESSOR_ARGUMENT;
    for (unsigned i = 0; i < e.step.arg_count; i++)
        e.args[i] = value_of(w, raw_names, args[i]);
    if (!e.step.answers_number)
        e.step.value = value_of(w, raw_names, e.step.value);
    e.step.point = value_of(w, raw_names, e.step.point);
    if (e.step.thread < w->p->expand.system->threads)
        e.step.thread = w->who[e.step.thread];
    if (e.step.other < w->p->expand.system->threads)
        e.step.other = w->who[e.step.other];
    e.state = run_state(w, is_fault ? w->state : w->raw, raw_names);
    vec_push(&w->r->run, e);
}

/* From the node in w->state by one step. */
static void take_step(struct walk *w, uint32_t node, uint16_t step, uint16_t choice)
{
    struct expand_gaps gaps;
    struct canon_names names;
    unsigned raw_names[RENAMING_SIZE];
    int32_t args[REFINE_ARGS_MAX] = {0};
    uint32_t set = w->p->nodes.data[node].set;
    expander_clear(&w->expander);
    expand_one(&w->expander, w->state, product_gaps(w->p, set, &gaps), step, choice, &names, w->raw, args);
    const struct successor *n = &w->expander.successors.data[0];
    name_raw(w, n, args, raw_names);
    add_event(w, n, args, raw_names);
    if (n->outcome != SUCCESSOR_STATE)
        return;
    follow_names(w, &names, raw_names);
    if (w->p->expand.machine->names == MACHINE_BY_RANK)
        follow_set_names(w, set, &n->action);
    memcpy(w->state, w->expander.states.data, w->p->expand.system->state_size);
}

/* --- numbers for tokens --------------------------------------------------------------------------------------- */

static void number_tokens(struct walk *w)
{
    uint8_t to[RENAMING_SIZE] = {0};
    for (size_t i = 0; i < w->order.len; i++)
        to[w->order.data[i]] = (uint8_t)(i + 1);
    for (unsigned i = REFINE_OK; i < RENAMING_SIZE; i++)
        to[i] = (uint8_t)i;
    for (size_t i = 0; i < w->r->run.len; i++) {
        struct refine_event *e = &w->r->run.data[i];
        for (unsigned k = 0; k < e->step.arg_count; k++)
            e->args[k] = to[e->args[k] & 0xff];
        if (!e->step.answers_number)
            e->step.value = to[e->step.value & 0xff];
        e->step.point = to[e->step.point & 0xff];
        canon_rename(w->p->expand.canon, e->state, to);
    }
}

/* --- the walk --------------------------------------------------------------------------------------------------- */

static void start(struct walk *w)
{
    const struct refine_system *s = w->p->expand.system;
    struct canon_names names;
    s->initial(s, w->state);
    canon_apply(w->p->expand.canon, w->state, w->raw, &names);
    for (uint8_t t = 0; t < s->threads; t++)
        w->who[names.threads[t]] = t;
    for (unsigned i = 1; i < RENAMING_SIZE; i++)
        if (names.items[i])
            w->names[names.items[i]] = new_token(w, w->tokens);
}

static void walk_nodes(struct walk *w, uint32_t last)
{
    OWNED VEC(uint32_t) path = {0};
    for (uint32_t i = last; i != PRODUCT_NO_NODE; i = w->p->nodes.data[i].parent)
        vec_push(&path, i);
    for (size_t i = path.len; i > 1; i--) {
        const struct product_node *next = &w->p->nodes.data[path.data[i - 2]];
        take_step(w, path.data[i - 1], next->step, next->choice);
    }
}

bool run_build(struct product *p, struct refine_result *r)
{
    size_t size = p->expand.system->state_size;
    struct walk w = {.p = p, .r = r};
    w.state = NEW_ARRAY(uint8_t, size + 1);
    w.raw = NEW_ARRAY(uint8_t, 2 * size + 1);
    expander_init(&w.expander, &p->expand);
    start(&w);
    walk_nodes(&w, p->error.node);
    if (p->error.outcome != SUCCESSOR_DEADLOCK)
        take_step(&w, p->error.node, p->error.step, p->error.choice);
    if (p->expand.machine->names == MACHINE_BY_RANK && w.tokens < REFINE_OK)
        number_tokens(&w);
    bool fits = w.tokens < REFINE_OK;
    expander_free(&w.expander);
    vec_free(&w.order);
    free(w.state);
    free(w.raw);
    return fits;
}

/* Without the checks of spec_bind: a bounded specification has an answer that histories in files cannot have. */
static void bind(struct history *h, const struct plumb_spec *spec)
{
    for (size_t i = 0; i < h->ops.len; i++)
        history_change(h, i)->op = (uint16_t)spec_operation(spec, h->op_names.data[history_get(h, i).op]);
}

bool confirming_agrees(const struct refine_system *s, const struct refine_settings *settings,
                       const struct plumb_spec *spec, const struct refine_result *r)
{
    enum { SECONDS = 60 };
    struct history *h = refine_history(s, r, spec, settings->full == REFINE_FULL_ANY);
    bind(h, spec);
    struct plumb_spec_options options = {.values = h->values, .initial = PLUMB_OK};
    struct budget budget = budget_start(SECONDS, (size_t)1 << 30);
    const struct plumb_spec *judge = spec;
    struct diagnostic d = {0};
    history_object(h, PLUMB_NONE);
    if (settings->quasi)
        CHECK(spec_quasi_relax(h, &judge, settings->quasi, &d));
    if (settings->quasi && settings->reading == REFINE_READING_C)
        spec_quasi_append_nothing(judge);
    struct monitor_settings monitor = {.options = &options, .specs = &judge, .budget = &budget};
    monitor.only_general = true;
    struct monitor_result result;
    CHECK(monitor_history(h, &monitor, &result, &d));
    CHECK(result.verdict != VERDICT_HOLDS);
    bool agrees = result.verdict == VERDICT_VIOLATED;
    monitor_result_free(&result);
    if (judge != spec)
        spec_quasi_free(judge);
    history_destroy(h);
    return agrees;
}
