/* SPDX-License-Identifier: Apache-2.0 */
#include "oracle/refine_oracle.h"

#include "oracle/quasi_oracle.h"

#include <stdlib.h>
#include <string.h>

/* --- specifications with a capacity ---------------------------------------------------------------------------- */

#define ANSWER_FULL plumb_int(NULL, REFINE_FULL)

static bool is_one_of(const char *name, const char *const *list)
{
    while (*list && strcmp(*list, name) != 0)
        list++;
    return *list;
}

/* Operations that may be refused: those that have an argument and answer nothing in particular. */
static bool may_be_refused(const char *spec, const char *name)
{
    bool answers = strcmp(spec, "set") == 0;
    return !answers && is_one_of(name, (const char *const[]){"enq", "push", "insert", "add", "write", NULL});
}

static bool removes(const char *name)
{
    return is_one_of(name, (const char *const[]){"deq", "pop", "delete_min", NULL});
}

/* The state's number is the capacity (oracle_start copies it from the specification): containers do not use it. */
static bool step_bounded(const char *base, struct oracle_state *s, const struct oracle_call *c,
                         unsigned choice, plumb_value *answer)
{
    bool is_addition =
        c->name == oracle_name("enq") || c->name == oracle_name("push") || c->name == oracle_name("insert");
    if (is_addition && s->number > 0 && s->count == s->number) {
        *answer = ANSWER_FULL;
        return choice == 0;
    }
    return oracle_perform(oracle_find_spec(base), s, c, choice, answer);
}

static bool step_queue(struct oracle_state *s, const struct oracle_call *c, unsigned choice,
                       plumb_value *answer)
{
    return step_bounded("queue", s, c, choice, answer);
}

static bool step_stack(struct oracle_state *s, const struct oracle_call *c, unsigned choice,
                       plumb_value *answer)
{
    return step_bounded("stack", s, c, choice, answer);
}

static bool step_pqueue(struct oracle_state *s, const struct oracle_call *c, unsigned choice,
                        plumb_value *answer)
{
    return step_bounded("pqueue", s, c, choice, answer);
}

static struct oracle_spec specification(const struct refine_oracle_question *q)
{
    struct oracle_spec spec = {.name = q->spec, .number = q->capacity};
    if (strcmp(q->spec, "queue") == 0)
        spec.any = step_queue;
    else if (strcmp(q->spec, "stack") == 0)
        spec.any = step_stack;
    else if (strcmp(q->spec, "pqueue") == 0)
        spec.any = step_pqueue;
    else
        spec = *oracle_find_spec(q->spec);
    return spec;
}

/* --- one history ------------------------------------------------------------------------------------------------- */

/* Operations of a history, in the order of their calls. */
struct operations {
    struct oracle_call calls[QUASI_WORD];
    uint32_t before[QUASI_WORD]; /* operations that had answered when this one was called, as bits */
    uint32_t completed, count;
    int32_t largest; /* value that occurs */
};

static plumb_value number(int32_t i)
{
    return plumb_int(NULL, i);
}

static plumb_value answer_of(const char *op, int32_t value)
{
    if (value == REFINE_OK)
        return PLUMB_OK;
    if (removes(op) && value == REFINE_NONE)
        return PLUMB_NONE;
    return number(value);
}

static bool is_truth(const char *spec)
{
    return strcmp(spec, "set") == 0;
}

static uint32_t open_operation(const struct operations *o, uint32_t thread)
{
    uint32_t i = o->count;
    while (i > 0 && (o->calls[i - 1].thread != thread || o->completed >> (i - 1) & 1))
        i--;
    if (i == 0)
        abort();
    return i - 1;
}

static void add_call(const struct refine_oracle_question *q, struct operations *o,
                     const struct refine_oracle_event *e)
{
    if (o->count == QUASI_WORD)
        abort();
    o->before[o->count] = o->completed;
    o->calls[o->count++] = (struct oracle_call){.arg = e->step.arg_count ? number(e->args[0]) : PLUMB_OK,
                                                .result = PLUMB_ANY,
                                                .name = oracle_name(q->system->ops[e->step.op]),
                                                .thread = e->step.thread};
    if (e->step.arg_count && e->args[0] > o->largest)
        o->largest = e->args[0];
}

/* An operation that was refused and may be refused at any time: as if it had not been called. */
static void forget(struct operations *o, uint32_t i)
{
    uint32_t below = (1u << i) - 1;
    for (uint32_t k = i; k + 1 < o->count; k++) {
        o->calls[k] = o->calls[k + 1];
        o->before[k] = o->before[k + 1];
    }
    o->count--;
    o->completed = (o->completed & below) | (o->completed >> 1 & ~below);
    for (uint32_t k = 0; k < o->count; k++)
        o->before[k] = (o->before[k] & below) | (o->before[k] >> 1 & ~below);
}

static void add_return(const struct refine_oracle_question *q, struct operations *o,
                       const struct refine_oracle_event *e)
{
    uint32_t i = open_operation(o, e->step.thread);
    const char *op = q->system->ops[e->step.op];
    if (e->step.value == REFINE_FULL && q->full == ORACLE_FULL_ANY && may_be_refused(q->spec, op)) {
        forget(o, i);
        return;
    }
    o->completed |= 1u << i;
    o->calls[i].result = is_truth(q->spec) ? plumb_bool(e->step.value) : answer_of(op, e->step.value);
}

/* deq=2,enq=1 */
static void read_factor(const struct refine_oracle_question *q, struct quasi_question *asked)
{
    char text[64], *rest;
    int class = 0;
    memset(asked->class_of, 0xff, sizeof asked->class_of);
    if (!q->quasi)
        return;
    if (strlen(q->quasi) >= sizeof text)
        abort();
    strcpy(text, q->quasi);
    for (char *word = strtok_r(text, ",", &rest); word; word = strtok_r(NULL, ",", &rest), class ++) {
        char *equals = strchr(word, '=');
        *equals = 0;
        asked->distance[class] = (uint32_t)atoi(equals + 1);
        asked->class_of[oracle_name(word)][0] = class;
        if (removes(word) && !q->complete)
            asked->append_most += asked->distance[class];
    }
}

static void list_appendable(const struct refine_oracle_question *q, struct quasi_question *asked,
                            int32_t largest)
{
    for (uint32_t op = 0; op < q->system->op_count; op++) {
        int name = oracle_name(q->system->ops[op]);
        if (!removes(q->system->ops[op]) || asked->class_of[name][0] == QUASI_EXACT)
            continue;
        for (int32_t v = 1; v <= largest; v++)
            asked->appendable[asked->appendable_count++] =
                (struct oracle_call){.arg = PLUMB_OK, .result = number(v), .name = name};
    }
}

/* What an operation that has not answered may have answered: everything that can change a state. */
static void list_results(struct quasi_question *asked, int32_t largest)
{
    asked->results[asked->result_count++] = PLUMB_OK;
    asked->results[asked->result_count++] = PLUMB_TRUE;
    for (int32_t v = 1; v <= largest; v++)
        asked->results[asked->result_count++] = number(v);
}

static bool is_wrong_answer(const struct refine_oracle_question *q, const struct operations *o)
{
    for (uint32_t i = 0; i < o->count; i++)
        if (q->full == ORACLE_FULL_BLOCK && o->calls[i].result == ANSWER_FULL)
            return true;
    return false;
}

bool refine_oracle_explains(const struct refine_oracle_question *q, const struct refine_oracle_event *events,
                            uint32_t count)
{
    struct operations o = {0};
    struct oracle_spec spec = specification(q);
    struct quasi_question asked = {.spec = &spec};
    for (uint32_t i = 0; i < count; i++) {
        if (events[i].step.kind == REFINE_CALL)
            add_call(q, &o, &events[i]);
        else
            add_return(q, &o, &events[i]);
    }
    read_factor(q, &asked);
    list_appendable(q, &asked, o.largest);
    list_results(&asked, o.largest);
    return !is_wrong_answer(q, &o) && quasi_oracle_history(&asked, o.calls, o.count, o.completed, o.before);
}

/* --- all histories ---------------------------------------------------------------------------------------------- */

/* States of the system that a history leads to, and the fewest steps to each. */
struct set {
    VEC(uint8_t) states;
    VEC(uint32_t) steps;
};

struct search {
    const struct refine_oracle_question *q;
    struct refine_oracle_answer answer;
    struct refine_oracle_event history[REFINE_ORACLE_EVENTS];
    uint32_t length;
};

static void free_set(struct set *s)
{
    vec_free(&s->states);
    vec_free(&s->steps);
}

/* Puts a state into the set; true: it is new, or nearer than before. */
static bool put(const struct refine_system *sys, struct set *s, const uint8_t *state, uint32_t steps)
{
    size_t size = sys->state_size;
    for (size_t i = 0; i < s->steps.len; i++) {
        if (memcmp(s->states.data + i * size, state, size) != 0)
            continue;
        bool nearer = steps < s->steps.data[i];
        s->steps.data[i] = nearer ? steps : s->steps.data[i];
        return nearer;
    }
    vec_push(&s->steps, steps);
    vec_reserve(&s->states, s->states.len + size);
    memcpy(s->states.data + s->states.len, state, size);
    s->states.len += size;
    return true;
}

static uint32_t fewest(const struct set *s)
{
    uint32_t least = UINT32_MAX;
    for (size_t i = 0; i < s->steps.len; i++)
        least = s->steps.data[i] < least ? s->steps.data[i] : least;
    return least;
}

static void found(struct search *s, uint32_t events, uint32_t steps)
{
    struct refine_oracle_answer *a = &s->answer;
    if (!a->violated || events < a->events)
        a->events = events;
    if (!a->violated || steps < a->steps)
        a->steps = steps;
    a->violated = true;
}

/* Adds what internal steps lead to; faults of the model are reported. */
static void close_set(struct search *s, struct set *set)
{
    const struct refine_system *sys = s->q->system;
    bool changed = true;
    while (changed) {
        changed = false;
        for (size_t i = 0; i < set->steps.len; i++) {
            struct refine_steps out = {0};
            sys->steps(sys, set->states.data + i * sys->state_size, &out);
            for (size_t k = 0; k < out.steps.len; k++) {
                uint32_t steps = set->steps.data[i] + 1;
                if (out.steps.data[k].kind == REFINE_FAULT)
                    found(s, s->length, steps);
                if (out.steps.data[k].kind == REFINE_INTERNAL)
                    changed |= put(sys, set, out.states.data + k * sys->state_size, steps);
            }
            refine_steps_free(&out);
        }
    }
}

struct child {
    struct refine_oracle_event event;
    struct set set;
};
typedef VEC(struct child) child_list;

static bool is_same_event(const struct refine_oracle_event *a, const struct refine_oracle_event *b)
{
    if (a->step.kind != b->step.kind || a->step.thread != b->step.thread || a->step.op != b->step.op)
        return false;
    if (a->step.kind == REFINE_RETURN)
        return a->step.value == b->step.value;
    return memcmp(a->args, b->args, sizeof a->args) == 0;
}

static void put_child(const struct refine_system *sys, child_list *children,
                      const struct refine_oracle_event *e, const uint8_t *state, uint32_t steps)
{
    size_t i = 0;
    while (i < children->len && !is_same_event(&children->data[i].event, e))
        i++;
    if (i == children->len)
        vec_push(children, ((struct child){.event = *e}));
    put(sys, &children->data[i].set, state, steps);
}

/* Was the number an argument before, or is it one of the first `arg` of this event? */
static bool is_used(const struct search *s, const struct refine_oracle_event *e, uint32_t arg, int32_t value)
{
    for (uint32_t k = 0; k < arg; k++)
        if (e->args[k] == value)
            return true;
    for (uint32_t i = 0; i < s->length; i++)
        for (uint32_t k = 0; s->history[i].step.kind == REFINE_CALL && k < s->history[i].step.arg_count; k++)
            if (s->history[i].args[k] == value)
                return true;
    return false;
}

/* May the value be given to a call? Of numbers that are all different, the next one; or any, if their order matters. */
static bool may_be_argument(const struct search *s, const struct refine_oracle_event *e, uint32_t arg,
                            int32_t value)
{
    if (e->step.args[arg] == REFINE_NOWHERE)
        return value == e->step.constants[arg];
    if (s->q->free_values)
        return value <= (int32_t)s->q->free_values;
    bool is_next = strcmp(s->q->spec, "pqueue") == 0 || value == 1 || is_used(s, e, arg, value - 1);
    return is_next && !is_used(s, e, arg, value);
}

/* Every choice of the arguments from number `arg` on. */
static void call_with(struct search *s, child_list *children, struct refine_oracle_event *e, uint8_t *state,
                      uint32_t arg, uint32_t steps)
{
    const struct refine_system *sys = s->q->system;
    if (arg == e->step.arg_count || arg == REFINE_ARGS_MAX) {
        put_child(sys, children, e, state, steps);
        return;
    }
    int32_t most = (int32_t)(s->q->events * REFINE_ARGS_MAX);
    if (strcmp(s->q->spec, "pqueue") == 0) /* so many calls at most */
        most = (int32_t)(s->q->events + sys->threads) / 2;
    if (e->step.args[arg] == REFINE_NOWHERE)
        most = e->step.constants[arg];
    for (int32_t v = 1; v <= most; v++) {
        if (!may_be_argument(s, e, arg, v))
            continue;
        e->args[arg] = v;
        if (e->step.args[arg] != REFINE_NOWHERE)
            refine_store(&sys->locations[e->step.args[arg]], state, v);
        call_with(s, children, e, state, arg + 1, steps);
    }
}

static void list_children(struct search *s, const struct set *set, child_list *children)
{
    const struct refine_system *sys = s->q->system;
    for (size_t i = 0; i < set->steps.len; i++) {
        struct refine_steps out = {0};
        sys->steps(sys, set->states.data + i * sys->state_size, &out);
        for (size_t k = 0; k < out.steps.len; k++) {
            struct refine_oracle_event e = {.step = out.steps.data[k]};
            uint8_t *state = out.states.data + k * sys->state_size;
            if (e.step.kind == REFINE_CALL)
                call_with(s, children, &e, state, 0, set->steps.data[i] + 1);
            else if (e.step.kind == REFINE_RETURN)
                put_child(sys, children, &e, state, set->steps.data[i] + 1);
        }
        refine_steps_free(&out);
    }
}

/* Nothing beyond can be shorter than what is known. */
static bool is_too_late(const struct search *s, const struct set *set)
{
    const struct refine_oracle_answer *a = &s->answer;
    return a->violated && s->length >= a->events && fewest(set) >= a->steps;
}

static void search_from(struct search *s, struct set *set)
{
    child_list children = {0};
    close_set(s, set);
    if (s->length < s->q->events)
        list_children(s, set, &children);
    for (size_t i = 0; i < children.len; i++) {
        struct child *c = &children.data[i];
        s->answer.gave_up |= s->q->most && s->answer.histories >= s->q->most;
        s->history[s->length++] = c->event;
        if (!s->answer.gave_up && !is_too_late(s, &c->set)) {
            s->answer.histories++;
            /* An operation that was called and did not answer may be left out: calls make nothing wrong. */
            if (c->event.step.kind == REFINE_RETURN && !refine_oracle_explains(s->q, s->history, s->length))
                found(s, s->length, fewest(&c->set));
            else
                search_from(s, &c->set);
        }
        s->length--;
        free_set(&c->set);
    }
    vec_free(&children);
}

struct refine_oracle_answer refine_oracle(const struct refine_oracle_question *q)
{
    struct search s = {.q = q};
    struct set start = {0};
    uint8_t *state = calloc(1, q->system->state_size + 1);
    if (!state || q->events > REFINE_ORACLE_EVENTS)
        abort();
    q->system->initial(q->system, state);
    put(q->system, &start, state, 0);
    search_from(&s, &start);
    free_set(&start);
    free(state);
    return s.answer;
}
