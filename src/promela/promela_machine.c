/* SPDX-License-Identifier: Apache-2.0 */
/* All steps from a state. Inside atomic a step goes on until control is given away: the states in between are kept in a
 * queue, and every end is a step of its own. */
#include "promela/promela_code.h"

#include <string.h>

#include "base/check.h"
#include "base/hash.h"

enum { ATOMIC_MAX = 20000, D_STEP_MAX = 100000 };

/* A state inside an atomic step. */
struct pending {
    uint64_t hash;
    uint32_t stand;
    bool is_local;
    const struct promela_step *first;
    struct promela_result result;
    uint8_t state[];
};

struct queue {
    size_t capacity; /* in bytes */
    size_t count, item;
    char items[];
};

/* One call of promela_steps. */
struct search {
    const struct promela_system *s;
    const struct promela_process *p;
    struct refine_steps *out;
    const struct promela_step *first; /* what the step is called, however far it goes */
    uint32_t ends;                    /* steps of this process so far */
    bool all_local;
};

static const struct promela_result no_result = {.args = {REFINE_NOWHERE, REFINE_NOWHERE}};

static bool is_possible(const struct promela_system *s, const struct promela_step *step, const uint8_t *state,
                        enum promela_fault *fault, struct promela_result *r)
{
    if (step->condition == NO_CODE)
        return true;
    *fault = promela_execute(s, step->condition, (uint8_t *)state, r);
    return *fault || r->value;
}

static uint8_t *push_state(struct search *q, const uint8_t *state)
{
    uint32_t size = q->s->system.state_size;
    size_t at = q->out->states.len;
    vec_reserve(&q->out->states, at + size);
    memcpy(q->out->states.data + at, state, size);
    q->out->states.len += size;
    return q->out->states.data + at;
}

static void push_step(struct search *q, const struct promela_result *r, bool is_local)
{
    struct refine_step step = {.kind = q->first->kind,
                               .thread = q->p->thread,
                               .op = r->has_point ? r->point_op : q->first->operation,
                               .has_point = r->has_point,
                               .arg_count = q->first->argument_count,
                               .args = {r->args[0], r->args[1]},
                               .point = r->point,
                               .place = q->first->place};
    if (q->first->kind == REFINE_RETURN) {
        step.value = r->value;
        step.answers_number = !q->s->answers.data[step.op].items;
    }
    q->all_local &= is_local && !r->has_point;
    q->ends++;
    vec_push(&q->out->steps, step);
}

/* The state as it was when something went wrong. */
static void push_fault(struct search *q, enum promela_fault fault, uint32_t place, const uint8_t *state)
{
    struct refine_step step = {.kind = REFINE_FAULT,
                               .thread = q->p->thread,
                               .is_limit = fault == FAULT_LONG,
                               .args = {REFINE_NOWHERE, REFINE_NOWHERE},
                               .place = place + (uint32_t)(q->s->model.places.len * fault)};
    if (state)
        push_state(q, state);
    q->all_local = false;
    q->ends++;
    vec_push(&q->out->steps, step);
}

/* The first step that is possible; NULL: none. */
static const struct promela_step *first_possible(const struct promela_system *s,
                                                 const struct promela_stand *stand, uint8_t *state,
                                                 enum promela_fault *fault, struct promela_result *r)
{
    for (uint32_t i = 0; i < stand->count; i++) {
        const struct promela_step *step = &s->steps.data[stand->first + i];
        if (is_possible(s, step, state, fault, r))
            return step;
    }
    return NULL;
}

/* Runs a d_step from its first place; the state is changed. False: it cannot begin. */
static bool run_d_step(struct search *q, const struct promela_step *step, uint8_t *state,
                       struct promela_result *r, enum promela_fault *fault, uint32_t *place)
{
    uint32_t at = step->entry;
    for (uint32_t steps = 0; at != step->to; steps++) {
        const struct promela_step *next = first_possible(q->s, &q->p->stands[at], state, fault, r);
        if (!next && steps == 0)
            return false;
        *place = next ? next->place : step->place;
        if (!next || steps == D_STEP_MAX)
            *fault = next ? FAULT_LONG : FAULT_BLOCKED;
        if (!*fault && next->effect != NO_CODE)
            *fault = promela_execute(q->s, next->effect, state, r);
        if (*fault) {
            if (*fault != FAULT_LONG && *fault != FAULT_BLOCKED)
                *place = q->s->code_places.data[r->fault_at];
            return true;
        }
        at = next->to;
    }
    return true;
}

/* Does a step: changes the state. False: it is not possible after all. */
static bool do_step(struct search *q, const struct promela_step *step, uint8_t *state,
                    struct promela_result *r, enum promela_fault *fault, uint32_t *place)
{
    *place = step->place;
    if (step->entry != NO_NODE && !run_d_step(q, step, state, r, fault, place))
        return false;
    if (*fault)
        return true;
    int32_t value = r->value;
    if (step->effect != NO_CODE) {
        *fault = promela_execute(q->s, step->effect, state, r);
        if (*fault)
            *place = q->s->code_places.data[r->fault_at];
    }
    r->value = value;
    return true;
}

/* --- inside atomic -------------------------------------------------------------------------------- */

static struct pending *pending_at(struct queue *queue, size_t i)
{
    return (struct pending *)(queue->items + i * queue->item);
}

static struct queue *queue_of(struct search *q)
{
    size_t item = (sizeof(struct pending) + q->s->system.state_size + 15) / 16 * 16;
    struct queue *queue = q->out->scratch;
    if (!queue) {
        queue = base_alloc(sizeof *queue + 8 * item);
        *queue = (struct queue){.capacity = 8 * item};
        q->out->scratch = queue;
    }
    queue->item = item;
    return queue;
}

/* Adds a state unless it is there: then the atomic goes in a circle. */
static void add_pending(struct search *q, const uint8_t *state, uint32_t stand,
                        const struct promela_result *r, bool is_local)
{
    struct queue *queue = queue_of(q);
    uint32_t size = q->s->system.state_size;
    uint64_t hash = hash_combine(hash_bytes(state, size), stand);
    for (size_t i = 0; i < queue->count; i++)
        if (pending_at(queue, i)->hash == hash && memcmp(pending_at(queue, i)->state, state, size) == 0)
            return;
    if ((queue->count + 1) * queue->item > queue->capacity) {
        queue->capacity = 2 * (queue->count + 1) * queue->item;
        queue = q->out->scratch = base_realloc(queue, sizeof *queue + queue->capacity);
    }
    struct pending *next = pending_at(queue, queue->count++);
    *next =
        (struct pending){.hash = hash, .stand = stand, .is_local = is_local, .first = q->first, .result = *r};
    memcpy(next->state, state, size);
}

/* One step, to a new state at the end of `out`. False: not possible. */
static bool take_step(struct search *q, const struct promela_step *step, const uint8_t *state,
                      const struct promela_result *before, bool is_local)
{
    struct promela_result r = *before;
    enum promela_fault fault = FAULT_NONE;
    uint32_t place = step->place;
    if (!is_possible(q->s, step, state, &fault, &r))
        return false;
    if (fault) {
        push_fault(q, fault, q->s->code_places.data[r.fault_at], state);
        return true;
    }
    size_t length = q->out->states.len;
    uint8_t *next = push_state(q, state);
    if (step->answer != NO_CODE)
        fault = promela_execute(q->s, step->answer, next, &r);
    if (fault)
        place = q->s->code_places.data[r.fault_at];
    else if (!do_step(q, step, next, &r, &fault, &place)) {
        q->out->states.len = length;
        return false;
    }
    if (fault) {
        push_fault(q, fault, place, NULL);
    } else if (step->holds) {
        q->out->states.len = length; /* the bytes are still there */
        add_pending(q, next, step->to, &r, is_local && step->is_local);
    } else {
        promela_set_stand(q->s, q->p, next, step->to);
        push_step(q, &r, is_local && step->is_local);
    }
    return true;
}

static bool take_all(struct search *q, const struct promela_stand *stand, const uint8_t *state,
                     const struct promela_result *before, bool is_local)
{
    bool any = false, top = before == &no_result;
    is_local &= !stand->has_shared_condition;
    for (uint32_t i = 0; i < stand->count; i++) {
        const struct promela_step *step = &q->s->steps.data[stand->first + i];
        if (step->is_else && any)
            continue;
        if (top)
            q->first = step;
        any |= take_step(q, step, state, before, is_local);
    }
    return any;
}

/* Goes on inside atomic until all ways have ended. A state that can do nothing gives control away. */
static void finish_atomic(struct search *q, uint32_t ends_before)
{
    struct queue *queue = q->out->scratch;
    size_t item = queue->item;
    OWNED uint8_t *copy = base_alloc(item);
    for (size_t i = 0; i < ((struct queue *)q->out->scratch)->count; i++) {
        memcpy(copy, pending_at(q->out->scratch, i), item);
        const struct pending *now = (const struct pending *)copy;
        q->first = now->first;
        if (i == ATOMIC_MAX) {
            push_fault(q, FAULT_LONG, q->first->place, now->state);
            break;
        }
        if (take_all(q, &q->p->stands[now->stand], now->state, &now->result, now->is_local))
            continue;
        promela_set_stand(q->s, q->p, push_state(q, now->state), now->stand);
        push_step(q, &now->result, false);
    }
    if (q->ends == ends_before)
        push_fault(q, FAULT_ENDLESS, q->first->place, ((const struct pending *)copy)->state);
    ((struct queue *)q->out->scratch)->count = 0;
}

/* --- processes ------------------------------------------------------------------------------------ */

/* SPIN removes a process that has ended once all younger ones are gone, as a step. */
static void remove_process(struct search *q, const uint8_t *state)
{
    static const struct promela_step ending = {.kind = REFINE_INTERNAL};
    for (const struct promela_process *p = q->p + 1; p < q->s->processes.data + q->s->processes.len; p++)
        if (promela_stand(q->s, p, state))
            return;
    uint8_t *next = push_state(q, state);
    memset(next + q->p->offset, 0, q->s->place_width + q->p->type->frame);
    q->first = &ending;
    push_step(q, &no_result, false);
}

static void process_steps(struct search *q, const uint8_t *state)
{
    uint32_t at = promela_stand(q->s, q->p, state);
    const struct promela_stand *stand = &q->p->stands[at];
    if (q->s->like_spin && at == q->p->end) {
        remove_process(q, state);
        return;
    }
    q->ends = 0;
    q->all_local = true;
    size_t first = q->out->steps.len;
    bool any = take_all(q, stand, state, &no_result, true);
    struct queue *queue = q->out->scratch;
    if (any && queue && queue->count > 0)
        finish_atomic(q, 0);
    if (q->ends == 1 && q->all_local)
        q->out->steps.data[first].is_local = true;
}

void promela_steps(const struct refine_system *system, const uint8_t *state, struct refine_steps *out)
{
    const struct promela_system *s = promela_of(system);
    for (size_t i = 0; i < s->processes.len; i++) {
        struct search q = {.s = s, .p = &s->processes.data[i], .out = out};
        process_steps(&q, state);
    }
}

enum promela_fault promela_start(const struct promela_system *s, uint8_t *state)
{
    struct promela_result r = no_result;
    memset(state, 0, s->system.state_size);
    return promela_execute(s, s->global_prologue, state, &r);
}

void promela_initial(const struct refine_system *system, uint8_t *state)
{
    CHECK(promela_start(promela_of(system), state) == FAULT_NONE); /* promela_load has tried it */
}

bool promela_is_final(const struct refine_system *system, const uint8_t *state)
{
    const struct promela_system *s = promela_of(system);
    for (size_t i = 0; i < s->processes.len; i++) {
        uint32_t at = promela_stand(s, &s->processes.data[i], state);
        if (at && !s->processes.data[i].stands[at].is_end)
            return false;
    }
    return true;
}
