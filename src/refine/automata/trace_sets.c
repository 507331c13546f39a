/* SPDX-License-Identifier: Apache-2.0 */
#include "refine/automata/trace_sets.h"

#include "base/sort.h"
#include "refine/specification/machine.h"

#include <string.h>

void trace_sets_init(struct trace_sets *s, const struct refine_system *spec)
{
    *s = (struct trace_sets){.spec = spec};
    s->scratch = NEW_ZEROED(uint8_t, spec->state_size + 1);
}

void trace_sets_free(struct trace_sets *s)
{
    intern_free(&s->states);
    intern_free(&s->sets);
    vec_free(&s->members);
    vec_free(&s->marks);
    refine_steps_free(&s->steps);
    free(s->scratch);
}

size_t trace_sets_footprint(const struct trace_sets *s)
{
    return intern_footprint(&s->states) + intern_footprint(&s->sets);
}

static void clear_members(struct trace_sets *s)
{
    vec_clear(&s->members);
    s->round++;
}

static void add_member(struct trace_sets *s, const uint8_t *state)
{
    uint32_t number = intern_add(&s->states, state, s->spec->state_size, NULL);
    if (number == s->marks.len)
        vec_push(&s->marks, 0);
    if (s->marks.data[number] == s->round)
        return;
    s->marks.data[number] = s->round;
    vec_push(&s->members, number);
}

static void steps_of(struct trace_sets *s, uint32_t member)
{
    refine_steps_clear(&s->steps);
    s->spec->steps(s->spec, intern_get(&s->states, member, NULL), &s->steps);
}

static uint8_t *next_state(struct trace_sets *s, size_t i)
{
    return s->steps.states.data + i * s->spec->state_size;
}

/* What can be reached by internal steps; members grow while they are walked through. */
static void close_members(struct trace_sets *s)
{
    for (size_t m = 0; m < s->members.len; m++) {
        steps_of(s, s->members.data[m]);
        for (size_t i = 0; i < s->steps.steps.len; i++) {
            if (s->steps.steps.data[i].kind == REFINE_INTERNAL)
                add_member(s, next_state(s, i));
            else if (s->steps.steps.data[i].kind == REFINE_FAULT)
                s->fails = true;
        }
    }
}

static bool takes_arguments(const struct trace_sets *s, const struct refine_step *step,
                            const struct trace_label *l, uint8_t *next)
{
    if (step->arg_count != l->arg_count)
        return false;
    for (unsigned i = 0; i < l->arg_count; i++) {
        if (step->args[i] != REFINE_NOWHERE)
            refine_store(&s->spec->locations[step->args[i]], next, l->args[i]);
        else if (step->constants[i] != l->args[i])
            return false;
    }
    return true;
}

static bool follows(const struct trace_sets *s, const struct refine_step *step, const struct trace_label *l,
                    uint8_t *next)
{
    if (step->kind != l->kind || step->thread != l->thread || step->op != l->op)
        return false;
    return l->kind == REFINE_CALL ? takes_arguments(s, step, l, next) : step->value == l->value;
}

void trace_sets_start(struct trace_sets *s)
{
    clear_members(s);
    s->spec->initial(s->spec, s->scratch);
    add_member(s, s->scratch);
    close_members(s);
}

void trace_sets_follow(struct trace_sets *s, uint32_t set, const struct trace_label *l)
{
    size_t length;
    clear_members(s);
    intern_get(&s->sets, set, &length);
    for (size_t m = 0; m < length / sizeof(uint32_t); m++) {
        uint32_t member;
        memcpy(&member, intern_get(&s->sets, set, NULL) + m * sizeof member, sizeof member);
        steps_of(s, member);
        for (size_t i = 0; i < s->steps.steps.len; i++)
            if (follows(s, &s->steps.steps.data[i], l, next_state(s, i)))
                add_member(s, next_state(s, i));
    }
    close_members(s);
}

void trace_sets_load(struct trace_sets *s, uint32_t set)
{
    size_t length;
    const uint8_t *bytes = intern_get(&s->sets, set, &length);
    vec_reserve(&s->members, length / sizeof(uint32_t));
    memcpy(s->members.data, bytes, length);
    s->members.len = length / sizeof(uint32_t);
}

uint32_t trace_sets_store(struct trace_sets *s)
{
    sort_ascending(s->members.data, s->members.len);
    return intern_add(&s->sets, s->members.data, s->members.len * sizeof *s->members.data, NULL);
}

void trace_sets_rename(struct trace_sets *s, const uint8_t *to)
{
    size_t count = s->members.len;
    OWNED uint32_t *old = NEW_ARRAY(uint32_t, count ? count : 1);
    memcpy(old, s->members.data, count * sizeof *old);
    clear_members(s);
    for (size_t i = 0; i < count; i++) {
        memcpy(s->scratch, intern_get(&s->states, old[i], NULL), s->spec->state_size);
        struct renaming names = {0};
        memcpy(names.to, to, sizeof names.to);
        renaming_apply(s->spec, s->scratch, &names);
        add_member(s, s->scratch);
    }
}

bool trace_sets_is_subset(const struct trace_sets *s, uint32_t small, uint32_t large)
{
    size_t a, b;
    const uint32_t *few = (const uint32_t *)(const void *)intern_get(&s->sets, small, &a);
    const uint32_t *many = (const uint32_t *)(const void *)intern_get(&s->sets, large, &b);
    return sort_includes(many, b / sizeof *many, few, a / sizeof *few);
}
