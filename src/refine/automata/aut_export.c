/* SPDX-License-Identifier: Apache-2.0 */
#include "refine/automata/aut.h"

#include "base/text.h"
#include "refine/intern.h"

#include <inttypes.h>

struct export
{
    const struct refine_system *system;
    uint32_t values;
    struct intern states;
    struct refine_steps steps;
    struct text lines;
    uint64_t transitions;
};

static void add_value(struct text *out, int32_t value)
{
    if (value == REFINE_OK)
        text_puts(out, "ok");
    else if (value == REFINE_FULL)
        text_puts(out, "full");
    else if (value == REFINE_NONE)
        text_puts(out, "none");
    else
        text_printf(out, "%" PRId32, value);
}

static void add_call(struct text *out, const struct refine_step *step, const int32_t *args, const char *op)
{
    text_printf(out, "T%u call %s(", step->thread, op);
    for (unsigned i = 0; i < step->arg_count; i++) {
        text_puts(out, i ? "," : "");
        add_value(out, args[i]);
    }
    text_puts(out, ")");
}

static void add_edge(struct export *x, uint32_t from, const struct refine_step *step, const int32_t *args,
                     uint32_t to)
{
    text_printf(&x->lines, "(%" PRIu32 ", \"", from);
    switch (step->kind) {
    case REFINE_CALL: add_call(&x->lines, step, args, x->system->ops[step->op]); break;
    case REFINE_RETURN:
        text_printf(&x->lines, "T%u return %s = ", step->thread, x->system->ops[step->op]);
        add_value(&x->lines, step->value);
        break;
    case REFINE_FAULT: text_puts(&x->lines, "fault"); break;
    default: text_puts(&x->lines, "tau"); break;
    }
    text_printf(&x->lines, "\", %" PRIu32 ")\n", to);
    x->transitions++;
}

/* The arguments of a call in every combination, argument `i` and later ones. */
static void add_calls(struct export *x, uint32_t from, const struct refine_step *step, uint8_t *state,
                      int32_t *args, unsigned i)
{
    if (i == step->arg_count) {
        add_edge(x, from, step, args, intern_add(&x->states, state, x->system->state_size, NULL));
    } else if (step->args[i] == REFINE_NOWHERE) {
        args[i] = step->constants[i];
        add_calls(x, from, step, state, args, i + 1);
    } else {
        for (args[i] = 1; args[i] <= (int32_t)x->values; args[i]++) {
            refine_store(&x->system->locations[step->args[i]], state, args[i]);
            add_calls(x, from, step, state, args, i + 1);
        }
    }
}

static void add_state(struct export *x, uint32_t from)
{
    refine_steps_clear(&x->steps);
    x->system->steps(x->system, intern_get(&x->states, from, NULL), &x->steps);
    for (size_t i = 0; i < x->steps.steps.len; i++) {
        const struct refine_step *step = &x->steps.steps.data[i];
        uint8_t *next = x->steps.states.data + i * x->system->state_size;
        int32_t args[REFINE_ARGS_MAX] = {0};
        if (step->kind == REFINE_FAULT)
            add_edge(x, from, step, args, from);
        else if (step->kind == REFINE_CALL)
            add_calls(x, from, step, next, args, 0);
        else
            add_edge(x, from, step, args, intern_add(&x->states, next, x->system->state_size, NULL));
    }
}

static bool explore(struct export *x, uint64_t most, struct diagnostic *d)
{
    uint8_t *state = NEW_ZEROED(uint8_t, x->system->state_size);
    x->system->initial(x->system, state);
    intern_add(&x->states, state, x->system->state_size, NULL);
    free(state);
    for (uint32_t i = 0; i < intern_count(&x->states); i++) {
        if (intern_count(&x->states) > most)
            return diagnostic_set(d, PL_TOO_LARGE, 0, 0, "there are more than %" PRIu64 " states", most);
        add_state(x, i);
    }
    return true;
}

bool aut_export(const struct refine_system *s, uint32_t free_values, uint64_t most, FILE *out,
                struct diagnostic *d)
{
    struct export x = {.system = s, .values = free_values};
    bool fine = explore(&x, most, d);
    if (fine) {
        fprintf(out, "des (0, %" PRIu64 ", %zu)\n", x.transitions, intern_count(&x.states));
        fwrite(x.lines.data, 1, x.lines.len, out);
        fine = !ferror(out) || diagnostic_set(d, PL_CANNOT_OPEN, 0, 0, "cannot write the states");
    }
    intern_free(&x.states);
    refine_steps_free(&x.steps);
    text_free(&x.lines);
    return fine;
}
