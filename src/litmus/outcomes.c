/* SPDX-License-Identifier: Apache-2.0 */
#include "explore/graphs.h"
#include "litmus/outcomes.h"

#include "base/check.h"

#include <inttypes.h>
#include <string.h>

/* ------------------------------------------------------------------ states */

struct collector {
    struct outcomes *outcomes;
    const struct litmus_test *test;
    struct explorer *explorer;
    struct budget *budget;
    int64_t *values; /* of the observed places */
    int64_t *row;    /* of the printed ones */
    bool may_race;
};

/* The last value in modification order. */
static int64_t last_value(const struct collector *c, uint32_t number)
{
    const struct graph *g = explore_graphs_current(c->explorer);
    for (uint32_t k = 0; k < g->location_count; k++)
        if (g->locations[k].address == program_address(number) && g->locations[k].init != GRAPH_NONE)
            return (int64_t)(uint64_t)g->events[g->locations[k].mo_last].value;
    return c->test->program.initial[number];
}

static void take_values(struct collector *c, const struct program_state *s)
{
    size_t printed = 0;
    for (size_t k = 0; k < c->test->observed.len; k++) {
        struct litmus_place place = c->test->observed.data[k];
        c->values[k] =
            place.thread < 0 ? last_value(c, place.number) : s->registers[place.thread][place.number];
        if (place.printed)
            c->row[printed++] = c->values[k];
    }
}

static int compare_rows(const int64_t *a, const int64_t *b, size_t width)
{
    for (size_t k = 0; k < width; k++)
        if (a[k] != b[k])
            return a[k] < b[k] ? -1 : 1;
    return 0;
}

/* States are few: they stay sorted. */
static void add_state(struct outcomes *o, const int64_t *row)
{
    size_t low = 0, high = outcomes_count(o), width = o->width;
    while (low < high) {
        size_t middle = (low + high) / 2;
        int order = compare_rows(row, o->states.data + middle * width, width);
        if (order == 0)
            return;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    vec_reserve(&o->states, o->states.len + width);
    int64_t *at = o->states.data + low * width;
    memmove(at + width, at, (o->states.len - low * width) * sizeof *at);
    memcpy(at, row, width * sizeof *at);
    o->states.len += width;
}

static void count_state(struct collector *c, const struct program_state *s)
{
    struct outcomes *o = c->outcomes;
    take_values(c, s);
    if (c->test->filter != LITMUS_NO_FORMULA && !litmus_holds(c->test, c->test->filter, c->values)) {
        o->filtered++;
        return;
    }
    if (litmus_holds(c->test, c->test->condition, c->values))
        o->positive++;
    else
        o->negative++;
    if (o->width)
        add_state(o, c->row);
}

/* ------------------------------------------------------------------ data races */

static bool is_access(const struct graph_event *e)
{
    return e->type == GRAPH_READ || e->type == GRAPH_WRITE;
}

static bool is_race(const struct graph *g, uint32_t a, uint32_t b)
{
    const struct graph_event *one = &g->events[a], *other = &g->events[b];
    if (!is_access(other) || one->location != other->location || one->thread == other->thread ||
        (one->type == GRAPH_READ && other->type == GRAPH_READ))
        return false;
    return !graph_includes(graph_clock(g, a, CLOCK_HB), other) &&
           !graph_includes(graph_clock(g, b, CLOCK_HB), one);
}

/* A plain access that another one of its location is not ordered with; GRAPH_NONE: there is none. */
static uint32_t find_race(const struct graph *g)
{
    for (uint32_t a = 0; a < g->count; a++) {
        if (!is_access(&g->events[a]) || g->events[a].label.order != ORDER_PLAIN)
            continue;
        for (uint32_t b = 0; b < g->count; b++)
            if (is_race(g, a, b))
                return a;
    }
    return GRAPH_NONE;
}

static void count_race(struct collector *c)
{
    const struct graph *g = explore_graphs_current(c->explorer);
    uint32_t e = find_race(g), number = 0;
    if (e == GRAPH_NONE || c->outcomes->races++)
        return;
    while (program_address(number) != g->events[e].address)
        number++;
    c->outcomes->race = (struct litmus_place){.thread = -1, .number = number};
}

/* ------------------------------------------------------------------ exploration */

static bool each_execution(void *context, const struct program_state *s)
{
    struct collector *c = context;
    struct outcomes *o = c->outcomes;
    if (s->repeats)
        return true;
    if (c->may_race)
        count_race(c);
    if (s->outcome == PORT_COMPLETE)
        count_state(c, s);
    else if (s->outcome == PORT_BLOCKED && s->why == PORT_STOP_STUCK)
        o->stuck++;
    else if (s->outcome == PORT_BLOCKED)
        o->blocked++;
    else if (!o->limit)
        o->limit = explore_graphs_limit(c->explorer);
    if (!o->limit && s->outcome != PORT_COMPLETE && s->outcome != PORT_BLOCKED)
        o->limit = "an execution was cut";
    if (budget_exhausted(c->budget))
        o->limit = c->budget->spent == BUDGET_INTERRUPTED ? "interrupted" : "time limit met";
    return !c->budget->spent;
}

static bool has_weak_cas(const struct program *p)
{
    for (uint32_t t = 0; t < p->thread_count; t++)
        for (size_t k = 0; k < p->threads[t].code.len; k++)
            if (p->threads[t].code.data[k].weak)
                return true;
    return false;
}

/* A weak CAS in a loop might fail forever. */
static bool has_loop(const struct program *p)
{
    for (uint32_t t = 0; t < p->thread_count; t++)
        for (size_t k = 0; k < p->threads[t].code.len; k++) {
            const struct instruction *i = &p->threads[t].code.data[k];
            if ((i->kind == INSTRUCTION_JUMP || i->kind == INSTRUCTION_JUMP_IF_ZERO) && i->destination <= k)
                return true;
        }
    return false;
}

void outcomes_explore(struct outcomes *o, const struct litmus_test *t, const struct memory_model *model,
                      struct budget *budget)
{
    *o = (struct outcomes){.test = t};
    for (size_t k = 0; k < t->observed.len; k++)
        o->width += t->observed.data[k].printed;
    bool weak =
        has_weak_cas(&t->program) && model->kind != MODEL_BUFFERED; /* machines have only the strong one */
    struct graphs_settings settings = {.model = model, .weak_cas = weak && !has_loop(&t->program)};
    if (weak && !settings.weak_cas)
        o->limit = "weak CAS failures not tried";
    struct collector c = {.outcomes = o,
                          .test = t,
                          .explorer = explore_graphs(&settings),
                          .budget = budget,
                          .may_race = t->has_plain_accesses && model->kind != MODEL_BUFFERED,
                          .values = NEW_ARRAY(int64_t, t->observed.len + 1),
                          .row = NEW_ARRAY(int64_t, t->observed.len + 1)};
    program_explore(&t->program, c.explorer, each_execution, &c);
    c.explorer->class->destroy(c.explorer);
    free(c.values);
    free(c.row);
}

void outcomes_free(struct outcomes *o)
{
    vec_free(&o->states);
}

/* ------------------------------------------------------------------ the answer */

size_t outcomes_count(const struct outcomes *o)
{
    if (o->width)
        return o->states.len / o->width;
    return o->positive + o->negative > 0; /* one state without values */
}

bool outcomes_ok(const struct outcomes *o)
{
    switch (o->test->quantifier) {
    case LITMUS_EXISTS: return o->positive > 0;
    case LITMUS_NOT_EXISTS: return o->positive == 0;
    case LITMUS_FORALL: return o->negative == 0;
    }
    return false;
}

/* A data race, a witness for `exists` or one against the others stays one whatever else there is. */
bool outcomes_are_open(const struct outcomes *o)
{
    bool may_race = o->test->has_plain_accesses && o->test->quantifier == LITMUS_EXISTS;
    if (!o->limit || o->races)
        return false;
    return may_race || outcomes_ok(o) != (o->test->quantifier == LITMUS_EXISTS);
}

bool outcomes_are_undefined(const struct outcomes *o)
{
    return o->races > 0;
}

const char *outcomes_observation(const struct outcomes *o)
{
    return o->positive == 0 ? "Never" : o->negative == 0 ? "Always" : "Sometimes";
}

/* The values of a state: "0:r0=0; 1:r0=1;" */
static void print_state(struct text *out, const struct outcomes *o, size_t number)
{
    size_t place = number * o->width;
    const char *space = "";
    for (size_t k = 0; k < o->test->observed.len; k++) {
        if (!o->test->observed.data[k].printed)
            continue;
        text_puts(out, space);
        litmus_print_value(out, o->test, o->test->observed.data[k], o->states.data[place++]);
        text_puts(out, ";");
        space = " ";
    }
}

void outcomes_print(struct text *out, const struct outcomes *o)
{
    static const char *const kinds[] = {"Allowed", "Forbidden", "Required"};
    bool negated = o->test->quantifier == LITMUS_NOT_EXISTS;
    text_printf(out, "Test %s %s\n", o->test->name, kinds[o->test->quantifier]);
    text_printf(out, "States %zu\n", outcomes_count(o));
    for (size_t k = 0; k < outcomes_count(o); k++) {
        print_state(out, o, k);
        text_puts(out, "\n");
    }
    text_puts(out, outcomes_are_undefined(o) ? "Undef\n" : outcomes_ok(o) ? "Ok\n" : "No\n");
    text_printf(out, "Witnesses\nPositive: %" PRIu64 " Negative: %" PRIu64 "\n",
                negated ? o->negative : o->positive, negated ? o->positive : o->negative);
    text_puts(out, outcomes_are_undefined(o) ? "Flag data-race\n" : "");
    text_puts(out, "Condition ");
    litmus_print_condition(out, o->test);
    text_printf(out, "\nObservation %s %s %" PRIu64 " %" PRIu64 "\n", o->test->name, outcomes_observation(o),
                o->positive, o->negative);
}
