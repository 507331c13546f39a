/* SPDX-License-Identifier: Apache-2.0 */
/* From a sequence of a relaxed specification back to the sequence of the base specification that is near it: all states,
 * step by step, with the way each was reached. */
#include "spec/quasi/quasi_state.h"
#include "spec/registry.h"
#include "spec/quasi/spec_quasi.h"

struct story_step {
    struct plumb_call p, q;
    uint32_t before;
};

struct walk {
    const struct plumb_spec *spec;
    struct budget *budget;
    size_t charged;
    VEC(struct story_step) steps; /* one per state that was ever reached */
    VEC(struct quasi_state *) states, next;
    uint32_t first;        /* step of states.data[0] */
    struct hash_map index; /* of the next states, by hash */
};

static void add_state(struct walk *w, struct quasi_state *s, const struct plumb_call *p, uint32_t before)
{
    uint64_t key = quasi_hash(s);
    uint32_t *number = hash_map_at(&w->index, key);
    while (*number != HASH_NO_NUMBER && !quasi_equal(w->next.data[*number], s))
        number = hash_map_at(&w->index, ++key);
    if (*number != HASH_NO_NUMBER) {
        quasi_destroy(s);
        return;
    }
    *number = (uint32_t)w->next.len;
    struct story_step step = {*p, s->latest, before};
    vec_push(&w->steps, step);
    vec_push(&w->next, s);
    w->charged += sizeof step;
    budget_charge(w->budget, sizeof step);
}

/* Everything that `call` leads to from state k. */
static void follow(struct walk *w, size_t k, const struct plumb_call *call)
{
    for (unsigned choice = 0; !budget_exhausted(w->budget); choice++) {
        struct quasi_state *s = quasi_clone(w->states.data[k]);
        if (!w->spec->step(s, call, choice, NULL)) {
            quasi_destroy(s);
            return;
        }
        add_state(w, s, call, w->first + (uint32_t)k);
    }
}

static void forget_states(struct walk *w)
{
    for (size_t k = 0; k < w->states.len; k++)
        quasi_destroy(w->states.data[k]);
    vec_clear(&w->states);
}

static void advance(struct walk *w)
{
    forget_states(w);
    w->first = (uint32_t)(w->steps.len - w->next.len);
    for (size_t k = 0; k < w->next.len; k++)
        vec_push(&w->states, w->next.data[k]);
    vec_clear(&w->next);
    hash_map_clear(&w->index);
}

static size_t find_final(const struct walk *w)
{
    size_t k = 0;
    for (; k < w->states.len; k++) {
        const struct quasi_state *s = w->states.data[k];
        if (!s->debts.len && spec_accepts(s->q->base, s->base))
            break;
    }
    return k;
}

/* Appends, for each class, what q did first and p never. */
static void append(struct walk *w, size_t k)
{
    const struct quasi_state *s = w->states.data[k];
    for (size_t i = 0; i < s->debts.len; i++) {
        const struct debt *d = &s->debts.data[i];
        bool is_first = i == 0 || s->debts.data[i - 1].side_of_class != d->side_of_class;
        if (!is_first || !(d->side_of_class & 1) || !quasi_takes_away(s->q, d))
            continue;
        struct plumb_call call = {.op = d->op, .thread = d->thread, .arg = d->arg, .result = d->result};
        follow(w, k, &call);
    }
}

static void write_story(const struct walk *w, uint32_t last, struct spec_quasi_story *story)
{
    size_t count = 0;
    for (uint32_t s = last; s != UINT32_MAX && w->steps.data[s].before != UINT32_MAX;
         s = w->steps.data[s].before)
        count++;
    vec_reserve(&story->p, count);
    vec_reserve(&story->q, count);
    story->p.len = story->q.len = count;
    for (uint32_t s = last; count > 0; s = w->steps.data[s].before) {
        story->p.data[--count] = w->steps.data[s].p;
        story->q.data[count] = w->steps.data[s].q;
    }
}

static bool walk(struct walk *w, const struct plumb_call *calls, size_t count, struct spec_quasi_story *story)
{
    for (size_t i = 0; i < count && !w->budget->spent; i++) {
        for (size_t k = 0; k < w->states.len; k++)
            follow(w, k, &calls[i]);
        advance(w);
    }
    bool whole = spec_quasi_factor(w->spec)->whole;
    while (w->states.len && !w->budget->spent) {
        size_t final = find_final(w);
        if (final < w->states.len) {
            write_story(w, w->first + (uint32_t) final, story);
            return true;
        }
        for (size_t k = 0; !whole && k < w->states.len; k++)
            append(w, k);
        advance(w);
    }
    return false;
}

bool spec_quasi_explain(const struct plumb_spec *spec, const struct plumb_spec_options *options,
                        const struct plumb_call *calls, size_t count, struct budget *budget,
                        struct spec_quasi_story *story)
{
    struct walk w = {.spec = spec, .budget = budget};
    struct plumb_call none = {0};
    add_state(&w, spec_init(spec, options), &none, UINT32_MAX);
    advance(&w);
    bool fine = walk(&w, calls, count, story);
    forget_states(&w);
    for (size_t k = 0; k < w.next.len; k++)
        quasi_destroy(w.next.data[k]);
    vec_free(&w.states);
    vec_free(&w.next);
    vec_free(&w.steps);
    hash_map_free(&w.index);
    budget_refund(budget, w.charged);
    return fine;
}

void spec_quasi_story_free(struct spec_quasi_story *story)
{
    vec_free(&story->p);
    vec_free(&story->q);
}
