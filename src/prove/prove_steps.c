/* SPDX-License-Identifier: Apache-2.0 */
#include "prove/prove_steps.h"

#include "prove/prove_buffers.h"
#include "prove/prove_harness.h"
#include "prove/prove_unseen.h"

#include <stdio.h>
#include <string.h>

struct prove_from prove_from;
void prove_be_unsure(const char *why)
{
    struct prove_search *s = &prove_search;
    if (!s->is_unsure)
        snprintf(s->why, sizeof s->why, "%s", why);
    s->is_unsure = true;
}

/* --- a native step ------------------------------------------------------------------------------------------------------ */

static void load(bool is_twin)
{
    prove_form_read(is_twin ? &prove_from.twin : &prove_from.form,
                    is_twin ? prove_from.dialect : prove_dialects);
}

void prove_load(void)
{
    load(false);
}

static int64_t new_item(void)
{
    uint32_t word = prove_item_word(prove.state.dialect, prove_from.items + 1);
    return prove_harness.is_wide ? (int64_t)prove_item_twice(word) : word;
}

struct prove_result prove_begin_call(unsigned thread, unsigned op, const uint8_t *args)
{
    int64_t numbers[REFINE_ARGS_MAX] = {args[0], args[1]};
    if (!prove_harness.free_values)
        numbers[0] = new_item();
    return prove_begin(thread, op, numbers);
}

/* In the twin blocks have other numbers, but for those that came in this very step. */
static uint32_t twin_block(uint32_t block)
{
    return block < prove_from.blocks ? prove_from.twin_names.numbers[block] - 1 : block;
}

static void choose(struct way *w)
{
    uint32_t list[PROVE_BLOCKS_MAX];
    unsigned waiters = prove_waiters(w->thread, list);
    w->choices = waiters ? waiters : 1;
    w->woken = waiters ? list[w->choice] : UINT32_MAX;
    if (waiters)
        return;
    w->choices = 1 + prove_choices(w->thread, list);
    w->reused = w->choice ? list[w->choice - 1] : 0;
}

static struct prove_result run(struct way *w, bool is_twin)
{
    const struct vector *v = &prove_from.vector;
    unsigned thread = is_twin ? prove_from.twin_names.place[w->thread] : w->thread;
    struct prove_result r = {0};
    load(is_twin);
    prove.has_doubt = false;
    prove_merge_forget();
    if (!is_twin)
        prove_unseen_begin();
    prove_search.steps++;
    if (v->phase == CALLED)
        r = prove_begin_call(thread, v->op, v->args);
    if (r.outcome != PROVE_FINE || r.has_returned)
        return r;
    if (!is_twin)
        w->stores = prove_buffer_of(thread)->count;
    if (w->drains)
        return prove_buffer_step(thread);
    if (v->phase == CALLED && !prove_buffer_of(thread)->count && prove_is_blocked(thread))
        return r;
    if (!is_twin)
        choose(w);
    uint32_t block = is_twin ? twin_block(w->reused) : w->reused;
    prove.wakes = is_twin && w->woken < prove.threads ? prove_from.twin_names.place[w->woken] : w->woken;
    return prove_step(thread, w->choice && w->woken >= prove.threads ? &prove.state.blocks[block] : NULL);
}

void prove_arrive(struct arrival *a, struct prove_result r, unsigned op)
{
    a->names.is_all_known = true;
    a->outcome = r.outcome;
    a->has_returned = r.has_returned;
    a->item = 0;
    if (r.outcome == PROVE_FINE)
        a->outcome = prove_form_make(&a->form, &a->names);
    if (a->outcome == PROVE_FINE && r.has_returned)
        a->reply = prove_reply_of(op, r.value, &a->item);
}

struct prove_result prove_run_way(struct way *w)
{
    return run(w, false);
}

/* --- the same step again, with other names -------------------------------------------------------------------------------- */

static void make_twin(void)
{
    bool swaps = !prove.shared->question.no_symmetry && !prove.program.knows_threads;
    for (uint8_t t = 0; t < prove.threads; t++) {
        uint8_t other = (uint8_t)(prove.threads - 1 - t);
        prove_from.twin_names.place[t] = swaps && prove_role_of[t] == prove_role_of[other] ? other : t;
    }
    load(false);
    prove_from.blocks = prove.state.block_count;
    prove_from.dialect = &prove_dialects[1 + prove_search.twins % 2];
    prove_from.has_twin =
        prove_form_write(&prove_from.twin, &prove_from.twin_names, prove_from.dialect) == PROVE_FINE;
}

static unsigned item_of_twin(unsigned item)
{
    return item && item <= prove_from.items ? prove_from.twin_names.old[item] : item;
}

/* `context` is the arrival of the step itself. */
static bool has_same_items(const struct prove_names *of_twin, const void *context)
{
    const struct arrival *a = context;
    for (unsigned i = 1; i <= a->names.item_count; i++)
        if (a->names.old[i] != item_of_twin(of_twin->old[i]))
            return false;
    return true;
}

/* `b`, the twin's, is the present state. */
static bool is_same(const struct arrival *a, struct arrival *b)
{
    if (a->outcome != b->outcome || a->has_returned != b->has_returned)
        return false;
    if (a->outcome != PROVE_FINE)
        return true;
    bool same = prove_form_is_same(&a->form, &b->form, prove_from.dialect) && has_same_items(&b->names, a);
    if (!same && !prove_form_find(&a->form, &b->form, &b->names, has_same_items, a))
        return false;
    return !a->has_returned || (a->item == item_of_twin(b->item) && a->reply.number == b->reply.number &&
                                a->reply.is_bad == b->reply.is_bad);
}

void prove_compare_twin(const struct arrival *a, struct way *w, unsigned op)
{
    static struct arrival b;
    char problem[PROVE_MESSAGE];
    if (!prove_from.has_twin)
        make_twin();
    memcpy(problem, prove.problem, sizeof problem);
    prove_arrive(&b, run(w, true), op);
    prove_search.twins++;
    bool same = is_same(a, &b);
    if (!same && !(a->names.is_all_known && b.names.is_all_known)) {
        /* What was dead before may count now, only because that is not known */
        prove_dead_is_zero = true;
        make_twin();
        prove_arrive(&b, run(w, true), op);
        same = is_same(a, &b);
        prove_dead_is_zero = prove_from.has_twin = false;
    }
    if (!same) {
        snprintf(prove.problem, sizeof prove.problem,
                 "%s distinguishes items, addresses or threads: one of its steps, with other ones, leads "
                 "elsewhere",
                 prove_operations[op].part->name);
        prove_be_unsure(prove.problem);
        prove_search.has_unlike_twin = true;
    }
    memcpy(prove.problem, problem, sizeof problem);
}
