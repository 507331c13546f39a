/* SPDX-License-Identifier: Apache-2.0 */
#include "refine/specification/machine.h"

#include "spec/quasi/spec_quasi.h"
#include "spec/registry.h"
#include "spec/states.h"

#include <string.h>

struct general {
    struct machine machine; /* first */
    const struct plumb_spec *spec;
    struct plumb_spec *quasi; /* own; null: none */
    struct plumb_values *values;
    uint32_t free_values;
    enum refine_full full;
    struct spec_states states; /* a state of R is four bytes: its number */
    VEC(int8_t) is_accepted;   /* of each state; -1: not asked yet */
    size_t bytes;
};

enum { LARGEST_NUMBER = 255 };

/* --- states --------------------------------------------------------------------------------------------------- */

/* Takes the state over. */
static uint32_t number_state(struct general *g, void *state)
{
    size_t footprint = g->spec->footprint ? g->spec->footprint(state) : 256;
    uint32_t number = spec_states_add(&g->states, g->spec, state);
    if (number == g->is_accepted.len) {
        vec_push(&g->is_accepted, -1);
        g->bytes += footprint;
    }
    return number;
}

static uint32_t number_of(const uint8_t *r)
{
    uint32_t number;
    memcpy(&number, r, sizeof number);
    return number;
}

static size_t general_initial(struct machine *m, uint8_t *r)
{
    struct general *g = (struct general *)m;
    struct plumb_spec_options options = {.values = g->values, .initial = PLUMB_OK};
    uint32_t number = number_state(g, spec_init(g->spec, &options));
    memcpy(r, &number, sizeof number);
    return sizeof number;
}

/* --- steps ---------------------------------------------------------------------------------------------------- */

/* An addition to what has a capacity says whether there was room, or, which is the same, ok or full: an operation that has not answered yet
 * may do either. */
static int32_t other_answer(const struct plumb_operation *op, int32_t number)
{
    bool has_both = strchr(op->results, 'b') && strchr(op->results, 'k');
    return !has_both || number > 1 ? -1 : number == 1 ? REFINE_OK : REFINE_FULL;
}

/* All outcomes of a call; `answer` is what to return, negative: what the specification says. */
static void step_all(struct general *g, uint32_t from, const struct plumb_call *call, int32_t answer,
                     struct machine_outcomes *out)
{
    for (unsigned choice = 0;; choice++) {
        plumb_value result = PLUMB_ANY;
        void *next = g->spec->clone(g->states.list.data[from]);
        if (!g->spec->step(next, call, choice, &result)) {
            g->spec->destroy(next);
            return;
        }
        const struct plumb_operation *op = &g->spec->operations[call->op];
        int32_t number = answer >= 0 ? answer : bounded_number(g->values, result);
        if (answer < 0 && result == PLUMB_FALSE && !strchr(op->results, 'b'))
            number = REFINE_FULL;
        int32_t other = answer < 0 && number >= 0 ? other_answer(op, number) : -1;
        uint32_t to = number_state(g, next);
        if (number < 0)
            out->too_large = true;
        else
            machine_emit(out, (uint16_t)number, false, (const uint8_t *)&to, sizeof to);
        if (other >= 0)
            machine_emit(out, (uint16_t)other, false, (const uint8_t *)&to, sizeof to);
    }
}

static void try_answers(struct general *g, uint32_t from, struct plumb_call *call, int32_t low, int32_t high,
                        struct machine_outcomes *out)
{
    for (int32_t answer = low; answer <= high; answer++) {
        call->result = bounded_answer(g->values, &g->spec->operations[call->op], answer);
        step_all(g, from, call, answer, out);
    }
}

/* Relaxed specifications check answers but do not give them. */
static void guess_answers(struct general *g, uint32_t from, struct plumb_call *call,
                          struct machine_outcomes *out)
{
    const char *results = g->spec->operations[call->op].results;
    if (strchr(results, 'k'))
        try_answers(g, from, call, REFINE_OK,
                    g->full == REFINE_FULL_CAPACITY && !strchr(results, 'b') ? REFINE_FULL : REFINE_OK, out);
    if (strchr(results, 'i'))
        try_answers(g, from, call, 0, LARGEST_NUMBER, out);
    else if (strchr(results, 'b'))
        try_answers(g, from, call, 0, 1, out);
    else if (strpbrk(results, "vN"))
        try_answers(g, from, call, 0, (int32_t)g->free_values, out);
}

static void general_act(struct machine *m, const uint8_t *r, size_t length, const struct machine_call *call,
                        struct machine_outcomes *out)
{
    struct general *g = (struct general *)m;
    int32_t args[REFINE_ARGS_MAX];
    for (unsigned i = 0; i < REFINE_ARGS_MAX; i++)
        args[i] = call->args[i];
    struct plumb_call asked = {
        .op = call->op,
        .thread = m->thread_matters ? call->thread : 0,
        .arg = refine_argument(g->values, args, (unsigned)strlen(g->spec->operations[call->op].args)),
        .result = PLUMB_ANY,
    };
    if (call->wanted == REFINE_FULL && g->full == REFINE_FULL_ANY && m->can_be_full[call->op])
        machine_emit(out, REFINE_FULL, false, r, length);
    else if (call->wanted >= 0)
        try_answers(g, number_of(r), &asked, call->wanted, call->wanted, out);
    else if (g->quasi)
        guess_answers(g, number_of(r), &asked, out);
    else
        step_all(g, number_of(r), &asked, -1, out);
}

static bool general_accepts(struct machine *m, const uint8_t *r, size_t length)
{
    (void)length;
    struct general *g = (struct general *)m;
    uint32_t number = number_of(r);
    int8_t *is_accepted = &g->is_accepted.data[number];
    if (*is_accepted < 0)
        *is_accepted = spec_accepts(g->spec, g->states.list.data[number]);
    return *is_accepted;
}

static bool general_can_answer(struct machine *m, uint8_t op, int32_t answer)
{
    const struct general *g = (const struct general *)m;
    const char *results = g->spec->operations[op].results;
    if (strpbrk(results, "iv"))
        return true;
    if (answer == REFINE_OK || answer == REFINE_FULL)
        return strchr(results, 'k') && (answer == REFINE_OK || g->full != REFINE_FULL_BLOCK);
    return answer == 0 ? strpbrk(results, "Nb") != NULL : answer == 1 && strchr(results, 'b');
}

/* --- making one ------------------------------------------------------------------------------------------------- */

static size_t general_footprint(const struct machine *m)
{
    const struct general *g = (const struct general *)m;
    return g->bytes + g->states.list.cap * (sizeof(void *) + sizeof(uint32_t) + sizeof(int8_t));
}

static void general_destroy(struct machine *m)
{
    struct general *g = (struct general *)m;
    spec_states_free(&g->states, g->spec);
    vec_free(&g->is_accepted);
    if (g->quasi)
        spec_quasi_free(g->quasi);
    plumb_values_destroy(g->values);
    free(g);
}

/* All calls there can be. */
static struct plumb_spec *relax(struct general *g, const char *factor)
{
    OWNED VEC(struct plumb_call) calls = {0};
    for (uint32_t op = 0; op < g->spec->operation_count; op++) {
        unsigned args = (unsigned)strlen(g->spec->operations[op].args), count = 1;
        for (unsigned i = 0; i < args; i++)
            count *= g->free_values;
        for (unsigned k = 0; k < count && args <= REFINE_ARGS_MAX; k++) {
            int32_t values[REFINE_ARGS_MAX] = {
                (int32_t)(k % (g->free_values ? g->free_values : 1)) + 1,
                (int32_t)(k / (g->free_values ? g->free_values : 1)) + 1,
            };
            struct plumb_call call = {.op = op, .arg = refine_argument(g->values, values, args)};
            vec_push(&calls, call);
        }
    }
    return spec_quasi_new(g->spec, factor, g->values, calls.data, calls.len);
}

static void find_roles(struct general *g)
{
    for (uint32_t op = 0; op < g->spec->operation_count; op++) {
        g->machine.roles[op] = spec_quasi_role(g->spec, op);
        g->machine.can_be_full[op] = bounded_can_be_full(&g->spec->operations[op]);
    }
}

struct machine *general_new(const struct plumb_spec *spec, const struct refine_settings *settings)
{
    struct general *g = NEW(struct general);
    g->machine = (struct machine){
        .names = MACHINE_FIXED,
        .thread_matters = spec->thread_matters,
        .initial = general_initial,
        .act = general_act,
        .accepts = general_accepts,
        .can_answer = general_can_answer,
        .footprint = general_footprint,
        .destroy = general_destroy,
    };
    g->spec = spec;
    g->values = plumb_values_create();
    g->free_values = settings->free_values;
    g->full = settings->full;
    find_roles(g);
    if (settings->quasi)
        g->spec = g->quasi = relax(g, settings->quasi);
    if (g->quasi && settings->reading == REFINE_READING_C)
        spec_quasi_append_nothing(g->quasi);
    return &g->machine;
}
