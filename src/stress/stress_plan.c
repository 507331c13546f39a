/* SPDX-License-Identifier: Apache-2.0 */
#include "stress/stress_plan.h"

#include "base/text.h"
#include "harness/matrix.h"
#include "harness/role_words.h"
#include "harness/sample_kinds.h"
#include "spec/roles.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void stress_note(struct stress_notes *n, const char *format, ...)
{
    struct text t = {0};
    va_list args;
    va_start(args, format);
    text_vprintf(&t, format, args);
    va_end(args);
    vec_push(&n->list, text_take(&t));
}

void stress_notes_free(struct stress_notes *n)
{
    for (size_t i = 0; i < n->list.len; i++)
        free(n->list.data[i]);
    vec_free(&n->list);
}

/* ------------------------------------------------------------------ arguments */

/* Values written to a register are all different, so that a read says whose it is; numbers that are added up stay small. */
static enum stress_argument source_of(const struct plumb_spec *spec, const struct plumb_operation *specified,
                                      char kind)
{
    if (spec && spec->kind == PLUMB_KIND_COUNTER)
        return STRESS_KEY;
    if (spec && spec->kind == PLUMB_KIND_REGISTER && specified->role == PLUMB_WRITES)
        return STRESS_FRESH;
    switch ((enum sample_kind)kind) {
    case SAMPLE_KEY:
    case SAMPLE_SOME_KEY: return STRESS_KEY;
    case SAMPLE_INDEX: return STRESS_INDEX;
    case SAMPLE_PRIORITY: return STRESS_PRIORITY;
    case SAMPLE_VALUE: return STRESS_MIXED;
    case SAMPLE_OLD: return STRESS_SEEN;
    case SAMPLE_NEW:
    case SAMPLE_FRESH: return STRESS_FRESH;
    }
    return STRESS_MIXED;
}

static void choose_arguments(struct stress_operation_plan *plan, const struct stress_harness *h,
                             const struct stress_operation *o)
{
    const struct plumb_spec *spec = h->objects.data[o->object].spec;
    char kinds[PLUMB_ARGUMENTS_MAX + 1];
    sample_kinds_find(kinds, o->part, spec ? spec->name : "");
    for (size_t i = 0; o->part->types[i]; i++)
        plan->arguments[i] =
            (char)(o->part->types[i] == 'b' ? STRESS_BOOL : source_of(spec, o->specified, kinds[i]));
}

/* ------------------------------------------------------------------ PLUMB_TRY */

struct choices {
    struct stress_plan *plan;
    const struct stress_harness *h;
    uint32_t count, text_used;
    struct plumb_values *values;
};

static bool add_choice(struct choices *c, const struct plumb_argument *a)
{
    struct stress_choice choice = {.number = a->number, .text = UINT32_MAX};
    size_t length = a->text ? strlen(a->text) + 1 : 0;
    if (c->count == STRESS_CHOICES_MAX || length > STRESS_TEXT_BYTES - c->text_used)
        return false;
    if (a->text) {
        choice.text = c->text_used;
        memcpy(c->plan->texts + c->text_used, a->text, length);
        c->text_used += (uint32_t)length;
    }
    c->plan->choices[c->count++] = choice;
    return true;
}

static bool fail_try(const struct plumb_part *part, struct diagnostic *d, const char *message)
{
    snprintf(d->file, sizeof d->file, "%s", part->file);
    return diagnostic_set(d, PL_HARNESS, part->line, 0, "PLUMB_TRY of '%s': %s", part->name, message);
}

/* The elements of containers have to be different, or histories cannot be decided; and they do not decide what happens. */
static bool needs_different(const struct stress_operation *o, const struct plumb_spec *spec)
{
    return spec && o->specified->role == PLUMB_ADDS && spec->kind >= PLUMB_KIND_QUEUE &&
           spec->kind <= PLUMB_KIND_BAG;
}

static bool add_tries(struct choices *c, struct stress_operation_plan *plan, const struct plumb_part *part,
                      const struct stress_operation *o, struct diagnostic *d)
{
    const struct plumb_part *operation = o->part;
    OWNED matrix_calls calls = {0};
    struct diagnostic wrong = {0};
    if (!matrix_parse_calls(&calls, part->text, operation, c->values, &wrong))
        return fail_try(part, d, wrong.message);
    if (needs_different(o, c->h->objects.data[o->object].spec))
        return true;
    size_t arguments = strlen(operation->types);
    plan->choices = c->count;
    plan->choice_count = (uint32_t)calls.len;
    for (size_t i = 0; i < calls.len; i++)
        for (size_t k = 0; k < arguments; k++)
            if (!add_choice(c, &calls.data[i].arguments[k]))
                return fail_try(part, d, "that is more than can be tried");
    memset(plan->arguments, STRESS_CHOICE, arguments);
    return true;
}

/* Keys that one operation tries are those of the others, or they would never meet. */
static bool takes_keys_of_others(const struct choices *c, const struct stress_operation *o,
                                 const struct stress_operation *other)
{
    const struct stress_operation_plan *plans = c->plan->operations;
    const struct stress_operation_plan *plan = &plans[o - c->h->operations.data],
                                       *tried = &plans[other - c->h->operations.data];
    const struct plumb_spec *spec = c->h->objects.data[o->object].spec;
    if (spec && spec->kind == PLUMB_KIND_COUNTER) /* these are no keys */
        return false;
    return o->object == other->object && o->part->types[0] == other->part->types[0] &&
           plan->arguments[0] == STRESS_KEY && !plan->choice_count && tried->arguments[0] == STRESS_CHOICE;
}

static bool has_choice(const struct choices *c, uint32_t first, uint32_t step, const struct stress_choice *x)
{
    const struct stress_plan *p = c->plan;
    for (uint32_t i = first; i < c->count; i += step) {
        const struct stress_choice *y = &p->choices[i];
        bool both = x->text != UINT32_MAX && y->text != UINT32_MAX;
        if (x->number == y->number &&
            (both ? !strcmp(p->texts + x->text, p->texts + y->text) : x->text == y->text))
            return true;
    }
    return false;
}

static void take_keys(struct choices *c, const struct stress_operation *o,
                      const struct stress_operation *other)
{
    struct stress_operation_plan *plan = &c->plan->operations[o - c->h->operations.data];
    const struct stress_operation_plan *tried = &c->plan->operations[other - c->h->operations.data];
    uint32_t each = (uint32_t)strlen(o->part->types), first = c->count,
             step = (uint32_t)strlen(other->part->types);
    for (uint32_t i = 0; i < tried->choice_count && c->count + each <= STRESS_CHOICES_MAX; i++) {
        struct stress_choice key = c->plan->choices[tried->choices + i * step];
        if (has_choice(c, first, each, &key))
            continue;
        for (uint32_t k = 0; k < each; k++)
            c->plan->choices[c->count++] = key;
    }
    if (c->count == first)
        return;
    plan->choices = first;
    plan->choice_count = (c->count - first) / each;
    plan->arguments[0] = STRESS_CHOICE;
}

static void share_keys(struct choices *c)
{
    size_t count = c->h->operations.len;
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < count; k++)
            if (i != k && takes_keys_of_others(c, &c->h->operations.data[i], &c->h->operations.data[k]))
                take_keys(c, &c->h->operations.data[i], &c->h->operations.data[k]);
}

static bool choose_tries(struct stress_plan *plan, const struct stress_harness *h, struct diagnostic *d)
{
    struct choices c = {.plan = plan, .h = h, .values = plumb_values_create()};
    bool fine = true;
    for (size_t i = 0; fine && i < h->parts.len; i++) {
        const struct plumb_part *p = h->parts.data[i];
        for (size_t k = 0; p->kind == PLUMB_PART_TRY && fine && k < h->operations.len; k++) {
            const struct plumb_part *o = h->operations.data[k].part;
            if (!strcmp(p->object, o->object) && !strcmp(p->name, o->name))
                fine = add_tries(&c, &plan->operations[k], p, &h->operations.data[k], d);
        }
    }
    if (fine)
        share_keys(&c);
    plumb_values_destroy(c.values);
    return fine;
}

/* ------------------------------------------------------------------ roles */

uint32_t stress_count_roles(const struct stress_harness *h)
{
    uint32_t count = 0;
    for (size_t i = 0; i < h->parts.len; i++)
        count += role_is(h->parts.data[i]);
    return count;
}

static uint32_t roles_of(const struct stress_harness *h, uint32_t operation)
{
    return roles_of_operation(h->parts.data, h->parts.len, h->operations.data[operation].part);
}

/* A role for each thread, as a bit: those for one thread first, then the others in turn. 0: none is left for it. */
static uint32_t role_of(uint32_t thread, uint32_t roles, uint32_t single)
{
    uint32_t ones = (uint32_t)__builtin_popcount(single), many = roles & ~single;
    uint32_t left = thread <= ones ? single : many, place = thread <= ones ? thread - 1 : thread - 1 - ones;
    if (!left)
        return 0;
    for (place %= (uint32_t)__builtin_popcount(left); place; place--)
        left &= left - 1;
    return left & -left;
}

/* May a thread without role call anything? */
static bool is_any_free(const struct stress_harness *h, const uint32_t *weights)
{
    for (uint32_t k = 0; k < h->operations.len; k++)
        if (weights[k] && roles_of(h, k) == ROLES_ANY)
            return true;
    return false;
}

static bool count_threads(const struct stress_harness *h, const uint32_t *weights, uint32_t *threads,
                          struct stress_notes *notes, struct diagnostic *d)
{
    uint32_t roles = stress_count_roles(h), single = roles_for_one(h->parts.data, h->parts.len);
    if (*threads < roles)
        return diagnostic_set(d, PL_HARNESS, 0, 0,
                              "the harness has %u roles, and each needs a thread: --threads %u or more",
                              roles, roles);
    if (!roles || (uint32_t)__builtin_popcount(single) < roles || is_any_free(h, weights) ||
        *threads == roles)
        return true;
    stress_note(notes, "%u threads run, one for each role", roles);
    *threads = roles;
    return true;
}

static void share_weights(struct stress_plan *plan, const struct stress_harness *h, const uint32_t *weights,
                          uint32_t threads)
{
    uint32_t count = stress_count_roles(h), all = (uint32_t)((UINT64_C(1) << count) - 1),
             single = roles_for_one(h->parts.data, h->parts.len);
    for (uint32_t thread = 1; thread <= threads && thread < STRESS_SLOTS; thread++) {
        uint32_t role = count ? role_of(thread, all, single) : 0;
        for (uint32_t k = 0; k < h->operations.len; k++) {
            uint32_t roles = roles_of(h, k);
            plan->weights[thread][k] = (uint16_t)(roles == ROLES_ANY || roles & role ? weights[k] : 0);
        }
    }
}

/* ------------------------------------------------------------------ what is left in the end */

/* One of few arguments. */
static bool takes_key(const struct stress_operation_plan *plan)
{
    return plan->arguments[0] &&
           strchr((const char[]){STRESS_KEY, STRESS_INDEX, STRESS_CHOICE, 0}, plan->arguments[0]) &&
           !plan->arguments[1];
}

static void add_final(struct stress_plan *plan, uint32_t operation, bool per_key, uint32_t until_null)
{
    if (plan->final_count < STRESS_FINALS_MAX)
        plan->finals[plan->final_count++] = (struct stress_final){
            .operation = (uint16_t)operation, .per_key = per_key, .until_null = until_null};
}

/* First what changes nothing, of everything or of each key; then everything is taken out. What may wait is not called. */
static void choose_finals(struct stress_plan *plan, const struct stress_harness *h, const uint32_t *weights,
                          uint32_t most)
{
    for (uint32_t k = 0; k < h->operations.len; k++) {
        const struct plumb_operation *o = h->operations.data[k].specified;
        bool plain = !plan->operations[k].arguments[0];
        if (o && o->reads && weights[k] && (plain || takes_key(&plan->operations[k])))
            add_final(plan, k, !plain, 0);
    }
    for (uint32_t k = 0; k < h->operations.len; k++) {
        const struct stress_operation *o = &h->operations.data[k];
        bool takes = o->specified && o->specified->role == PLUMB_REMOVES;
        if (takes && !o->part->types[0] && h->objects.data[o->object].spec->kind != PLUMB_KIND_OTHER)
            add_final(plan, k, false, most);
    }
}

/* From 1 on, as they are drawn. */
static uint32_t count_values(char type)
{
    switch (type) {
    case 'b': return 2;
    case 'c': return INT8_MAX;
    case 'C': return UINT8_MAX;
    case 'h': return INT16_MAX;
    case 'H': return UINT16_MAX;
    default: return 0;
    }
}

uint32_t stress_plan_values(const struct stress_harness *h)
{
    uint32_t least = 0;
    for (size_t k = 0; k < h->operations.len; k++) {
        const struct stress_operation *o = &h->operations.data[k];
        bool counts = needs_different(o, h->objects.data[o->object].spec);
        for (const char *type = o->part->types; counts && *type; type++) {
            uint32_t count = count_values(*type);
            least = count && (!least || count < least) ? count : least;
        }
    }
    return least;
}

/* ------------------------------------------------------------------ all of it */

bool stress_plan_make(struct stress_plan *plan, struct stress_harness *h, const struct stress_wishes *wishes,
                      uint32_t *threads, struct stress_notes *notes, struct diagnostic *d)
{
    uint32_t weights[STRESS_OPERATIONS_MAX] = {0}, roles = stress_count_roles(h);
    *plan = (struct stress_plan){.stamps = wishes->stamps, .keys = wishes->keys, .noise = wishes->noise};
    if (!wishes->threads && *threads < roles)
        *threads = roles;
    for (uint32_t k = 0; k < h->operations.len; k++)
        choose_arguments(&plan->operations[k], h, &h->operations.data[k]);
    if (!stress_mix_find(weights, plan, h, wishes, notes, d) || !choose_tries(plan, h, d) ||
        !count_threads(h, weights, threads, notes, d))
        return false;
    share_weights(plan, h, weights, *threads);
    choose_finals(plan, h, weights, wishes->final_most);
    return true;
}
