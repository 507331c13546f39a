/* SPDX-License-Identifier: Apache-2.0 */
/* Counts the states of a model: promela_states [--reduce] [--sequential] [--values N] [--most STATES] [-D NAME=VALUE] FILE prints
 * `STATES states, STEPS steps, ENDS deadlocks, FAULTS faults`, or the error in the model and exit code 2. Without --reduce
 * dead variables keep their values, as in SPIN. */
#include "base/hash.h"
#include "base/memory.h"
#include "base/vec.h"
#include "promela/promela.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

struct count {
    const struct refine_system *s;
    VEC(uint8_t) states;
    struct hash_map seen;
    uint32_t values;
    uint64_t most;
    uint64_t found, steps, deadlocks, faults;
};

static void visit(struct count *c, const uint8_t *state)
{
    uint32_t *number = hash_map_at(&c->seen, hash_bytes(state, c->s->state_size));
    if (*number != HASH_NO_NUMBER)
        return;
    *number = (uint32_t)c->found++;
    size_t at = c->states.len;
    vec_reserve(&c->states, at + c->s->state_size);
    memcpy(c->states.data + at, state, c->s->state_size);
    c->states.len += c->s->state_size;
}

/* A call is one step for every choice of its arguments. */
static void take(struct count *c, const struct refine_step *step, uint8_t *next)
{
    uint32_t arguments = step->kind == REFINE_CALL ? step->arg_count : 0, choices = 1;
    for (uint32_t i = 0; i < arguments; i++)
        choices *= c->values;
    for (uint32_t k = 0; k < choices; k++) {
        uint32_t rest = k;
        for (uint32_t i = 0; i < arguments; i++, rest /= c->values)
            refine_store(&c->s->locations[step->args[i]], next, (int32_t)(rest % c->values) + 1);
        visit(c, next);
        c->steps++;
    }
}

static void expand(struct count *c, const uint8_t *state, struct refine_steps *out)
{
    refine_steps_clear(out);
    c->s->steps(c->s, state, out);
    if (out->steps.len == 0)
        c->deadlocks += !c->s->is_final(c->s, state);
    for (size_t i = 0; i < out->steps.len; i++) {
        if (out->steps.data[i].kind == REFINE_FAULT) {
            struct refine_place at = c->s->describe(c->s, out->steps.data[i].place);
            if (c->faults++ == 0)
                fprintf(stderr, "%s:%u:%u: %s\n", at.file, at.line, at.column, at.text);
            continue;
        }
        take(c, &out->steps.data[i], out->states.data + i * c->s->state_size);
    }
}

static void explore(struct count *c)
{
    uint8_t *state = NEW_ZEROED(uint8_t, c->s->state_size + 1);
    struct refine_steps out = {0};
    c->s->initial(c->s, state);
    visit(c, state);
    for (uint64_t i = 0; i < c->found && c->found < c->most; i++) {
        memcpy(state, c->states.data + i * c->s->state_size, c->s->state_size);
        expand(c, state, &out);
    }
    refine_steps_free(&out);
    free(state);
}

int main(int argc, char **argv)
{
    const char *path = NULL, *defines[64];
    struct promela_settings settings = {.defines = defines, .keep_dead = true};
    struct count c = {.values = 1, .most = 50000000};
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--reduce") == 0)
            settings.keep_dead = false;
        else if (strcmp(argv[i], "--sequential") == 0)
            settings.sequential = true;
        else if (strcmp(argv[i], "--values") == 0 && i + 1 < argc)
            c.values = (uint32_t)atoi(argv[++i]);
        else if (strcmp(argv[i], "--most") == 0 && i + 1 < argc)
            c.most = (uint64_t)atoll(argv[++i]);
        else if (strcmp(argv[i], "-D") == 0 && i + 1 < argc && settings.define_count < 64)
            defines[settings.define_count++] = argv[++i];
        else
            path = argv[i];
    }
    struct diagnostic d = {0};
    struct refine_system *s = path ? promela_load(path, &settings, &d) : NULL;
    if (!s) {
        fprintf(stderr, "%s:%lu:%lu: error: %s [PL%04d]\n", d.file, (unsigned long)d.line,
                (unsigned long)d.column, d.message, d.code);
        return 2;
    }
    c.s = s;
    clock_t start = clock();
    explore(&c);
    printf("%lu states, %lu steps, %lu deadlocks, %lu faults\n", (unsigned long)c.found,
           (unsigned long)c.steps, (unsigned long)c.deadlocks, (unsigned long)c.faults);
    fprintf(stderr, "%.3f s, %u bytes a state\n", (double)(clock() - start) / CLOCKS_PER_SEC, s->state_size);
    hash_map_free(&c.seen);
    vec_free(&c.states);
    s->destroy(s);
    return 0;
}
