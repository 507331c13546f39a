/* SPDX-License-Identifier: Apache-2.0 */
#include "monitor/search/search.h"

#include "base/sort.h"
#include "spec/registry.h"

#include <string.h>

/* Stretches are not shorter than that, except near the end, where a short story needs a late start; a story has
 * a few operations. */
enum { STRETCH = 32, NEAR_END = 64, STORY = 4 };

struct passage {
    const struct part *p;
    final_states *cross;
    struct budget *budget;
    uint32_t *by_call;        /* operations in the order of their calls: stretches are contiguous */
    VEC(uint32_t) cuts;       /* how many operations lie before each quiet moment */
    struct state_list states; /* possible now */
    uint32_t story_cut;       /* where the story starts, and the state there */
    void *story_state;
};

void state_list_free(const struct plumb_spec *spec, struct state_list *list)
{
    for (size_t k = 0; k < list->len; k++)
        spec->destroy(list->data[k]);
    vec_free(list);
}

static void find_cuts(struct passage *s)
{
    const struct order *o = &s->p->order;
    uint32_t called = 0, returned = 0, last = 0;
    for (uint32_t e = 0; e < o->event_count; e++) {
        uint32_t op = order_event_op(o->event[e]);
        if (order_event_returns(o->event[e]))
            returned++;
        else
            s->by_call[called++] = op;
        bool worth_it = called - last >= STRETCH || o->count - called <= NEAR_END;
        if (called == returned && called < o->count && worth_it) {
            vec_push(&s->cuts, called);
            last = called;
        }
    }
    vec_push(&s->cuts, o->count);
}

/* The operations number from..to in the order of calls, as a part. */
static struct part take_stretch(const struct passage *s, uint32_t from, uint32_t to)
{
    OWNED uint32_t *chosen = NEW_ARRAY(uint32_t, to - from);
    memcpy(chosen, s->by_call + from, sizeof(uint32_t) * (to - from));
    sort_ascending(chosen, to - from);
    return part_restrict(s->p, chosen, to - from);
}

/* The possible states behind a stretch. */
static bool cross_stretch(struct passage *s, uint32_t from, uint32_t to)
{
    struct part stretch = take_stretch(s, from, to);
    struct state_list behind = {0};
    bool complete = true;
    for (size_t k = 0; k < s->states.len && complete; k++)
        complete = s->cross(&stretch, s->states.data[k], s->budget, &behind);
    part_free(&stretch);
    state_list_free(s->p->spec, &s->states);
    s->states = behind;
    return complete;
}

static void note_certain_state(struct passage *s, uint32_t cut)
{
    if (s->states.len != 1 || s->p->order.count - cut < STORY)
        return;
    if (s->story_state)
        s->p->spec->destroy(s->story_state);
    s->story_state = s->p->spec->clone(s->states.data[0]);
    s->story_cut = cut;
}

static bool can_end(const struct passage *s)
{
    for (size_t k = 0; k < s->states.len; k++)
        if (spec_accepts(s->p->spec, s->states.data[k]))
            return true;
    return false;
}

static enum verdict cross_all(struct passage *s)
{
    uint32_t from = 0;
    for (size_t k = 0; k < s->cuts.len && s->states.len; k++) {
        if (!cross_stretch(s, from, s->cuts.data[k]))
            return VERDICT_INCONCLUSIVE;
        from = s->cuts.data[k];
        note_certain_state(s, from);
    }
    return can_end(s) ? VERDICT_HOLDS : VERDICT_VIOLATED;
}

enum verdict window_find(const struct part *p, final_states *cross, struct budget *budget, struct window *w)
{
    struct passage s = {
        .p = p, .cross = cross, .budget = budget, .by_call = NEW_ARRAY(uint32_t, p->order.count)};
    find_cuts(&s);
    vec_push(&s.states, spec_init(p->spec, p->options));
    enum verdict verdict = cross_all(&s);
    if (verdict == VERDICT_VIOLATED) {
        w->part = take_stretch(&s, s.story_cut, p->order.count);
        w->state = s.story_state;
        w->earlier = s.story_cut;
    } else if (s.story_state) {
        p->spec->destroy(s.story_state);
    }
    state_list_free(p->spec, &s.states);
    vec_free(&s.cuts);
    free(s.by_call);
    return verdict;
}

void window_free(struct window *w)
{
    if (w->state)
        w->part.spec->destroy(w->state);
    part_free(&w->part);
}
