/* SPDX-License-Identifier: Apache-2.0 */
/* What the tool plans, in the form in which threads use it. */
#include "native/native.h"

#include <string.h>

/* Numbers are drawn up to here; beyond it they begin with 1 again. */
static int64_t most_of(char type)
{
    switch (type) {
    case 'b': return 1;
    case 'c': return INT8_MAX;
    case 'C': return UINT8_MAX;
    case 'h': return INT16_MAX;
    case 'H': return UINT16_MAX;
    case 'i': return INT32_MAX;
    case 'I': return UINT32_MAX;
    default: return PLUMB_SMALL_MAX;
    }
}

static int64_t least_of(char type)
{
    return strchr("bCHIL", type) ? 0 : -most_of(type) - 1;
}

static void read_operation(struct native_operation *o, const struct stress_operation_plan *p,
                           const struct stress_plan *plan)
{
    bool has_choices = p->choice_count && p->choices < STRESS_CHOICES_MAX &&
                       p->choice_count <= (STRESS_CHOICES_MAX - p->choices) / (o->count ? o->count : 1);
    memcpy(o->sources, p->arguments, sizeof o->sources);
    for (uint32_t i = 0; i < o->count; i++) {
        o->least[i] = least_of(o->types[i]);
        o->most[i] = most_of(o->types[i]);
        if (o->sources[i] == STRESS_CHOICE && !has_choices)
            o->sources[i] = STRESS_KEY;
        native.has_texts |= o->types[i] == 's';
    }
    o->choices = has_choices ? &plan->choices[p->choices] : NULL;
    o->choice_count = has_choices ? p->choice_count : 0;
    o->followed_by = p->followed_by < native.operation_count ? p->followed_by : STRESS_NOTHING;
}

/* Of one argument, as a string of the area. */
static size_t longest_text(const struct stress_plan *plan)
{
    size_t longest = NATIVE_TEXT;
    for (size_t i = 0; i < STRESS_TEXT_BYTES;) {
        size_t length = strnlen(&plan->texts[i], STRESS_TEXT_BYTES - i);
        longest = length > longest ? length : longest;
        i += length + 1;
    }
    return sizeof(uint64_t) + longest + sizeof(uint64_t) - 1;
}

void native_read_plan(void)
{
    const struct stress_plan *plan = &native.shared->plan;
    native.has_texts = false;
    bool is_wide = false; /* do arguments need the area, as wide integers or arrays? */
    for (uint32_t i = 0; i < native.operation_count; i++) {
        read_operation(&native.operations[i], &plan->operations[i], plan);
        is_wide |= native.operations[i].count > 1 || native.operations[i].choices;
    }
    size_t argument = native.has_texts ? longest_text(plan) : sizeof(uint64_t);
    size_t call = STRESS_ARGUMENTS * argument + (1 + STRESS_ARGUMENTS) * sizeof(uint64_t);
    native.reserve = native.has_texts || is_wide ? (uint32_t)((1 + NATIVE_FOLLOWERS) * call) : 0;
}

void native_begin_thread(struct native_thread *t)
{
    const struct stress_round *r = &native.round;
    native_seed(&t->calls, r->seed, r->number, t->number);
    native_seed(&t->others, ~r->seed, r->number, t->number);
    native_make_alias(&t->alias, native.shared->plan.weights[t->number], native.operation_count);
    t->fresh = 0;
    t->seen_count = 0;
    memset(t->seen, 0, sizeof t->seen);
    t->texts_used = 0;
    t->returned = 0;
    atomic_store_explicit(&t->slot->returned, 0, memory_order_relaxed);
    atomic_store_explicit(&t->slot->is_full, 0, memory_order_relaxed);
}
