/* SPDX-License-Identifier: Apache-2.0 */
/* The specification as a deterministic automaton: its states are sets of states of the specification, found once and
 * known by number from then on. Executions of one test share nearly all of it. */
#include "judge/judge_state.h"

#include "base/check.h"
#include "spec/registry.h"

#include <string.h>

static void sort_gathered(struct judge_space *s)
{
    uint32_t *d = s->gathered.data;
    size_t kept = 0;
    for (size_t i = 1; i < s->gathered.len; i++)
        for (size_t k = i; k > 0 && d[k - 1] > d[k]; k--) {
            uint32_t t = d[k];
            d[k] = d[k - 1];
            d[k - 1] = t;
        }
    for (size_t i = 0; i < s->gathered.len; i++)
        if (i == 0 || d[i] != d[i - 1])
            d[kept++] = d[i];
    s->gathered.len = kept;
}

static bool is_gathered(const struct judge_space *s, const struct judge_space_set *set)
{
    return set->count == s->gathered.len &&
           memcmp(s->members.data + set->first, s->gathered.data, set->count * sizeof(uint32_t)) == 0;
}

static uint32_t intern_gathered(struct judge_space *s)
{
    if (s->gathered.len == 0)
        return SPACE_DEAD;
    sort_gathered(s);
    uint32_t *first = hash_map_at(&s->set_numbers,
                                  hash_bytes(s->gathered.data, s->gathered.len * sizeof *s->gathered.data));
    for (uint32_t i = *first; i != HASH_NO_NUMBER; i = s->sets.data[i].next)
        if (is_gathered(s, &s->sets.data[i]))
            return i;
    struct judge_space_set set = {(uint32_t)s->members.len, (uint32_t)s->gathered.len, *first};
    for (size_t i = 0; i < s->gathered.len; i++)
        vec_push(&s->members, s->gathered.data[i]);
    vec_push(&s->sets, set);
    *first = (uint32_t)s->sets.len - 1;
    return *first;
}

void judge_space_init(struct judge_space *s, const struct plumb_spec *spec,
                      const struct plumb_spec_options *options)
{
    *s = (struct judge_space){.spec = spec, .options = options};
    vec_push(&s->sets, ((struct judge_space_set){0, 0, HASH_NO_NUMBER}));
    vec_push(&s->gathered, spec_states_add(&s->states, s->spec, spec_init(spec, options)));
    s->start = intern_gathered(s);
}

void judge_space_free(struct judge_space *s)
{
    spec_states_free(&s->states, s->spec);
    vec_free(&s->members);
    vec_free(&s->sets);
    vec_free(&s->labels);
    vec_free(&s->next_label);
    vec_free(&s->gathered);
    hash_map_free(&s->set_numbers);
    hash_map_free(&s->label_numbers);
    hash_map_free(&s->moves);
    hash_map_free(&s->ends);
}

size_t judge_space_entries(const struct judge_space *s)
{
    return s->states.list.len + s->members.len + s->moves.count + s->ends.count;
}

uint32_t judge_space_label(struct judge_space *s, const struct plumb_call *call)
{
    uint64_t h = hash_combine(hash_combine(call->arg, call->result), (uint64_t)call->op << 32 | call->thread);
    uint32_t *first = hash_map_at(&s->label_numbers, h);
    for (uint32_t i = *first; i != HASH_NO_NUMBER; i = s->next_label.data[i]) {
        const struct plumb_call *l = &s->labels.data[i];
        if (l->op == call->op && l->thread == call->thread && l->arg == call->arg &&
            l->result == call->result)
            return i;
    }
    vec_push(&s->labels, *call);
    vec_push(&s->next_label, *first);
    *first = (uint32_t)s->labels.len - 1;
    return *first;
}

static void gather_outcomes(struct judge_space *s, uint32_t state, const struct plumb_call *call)
{
    for (unsigned choice = 0;; choice++) {
        plumb_value result;
        void *next = s->spec->clone(s->states.list.data[state]);
        if (!s->spec->step(next, call, choice, &result)) {
            s->spec->destroy(next);
            return;
        }
        vec_push(&s->gathered, spec_states_add(&s->states, s->spec, next));
    }
}

uint32_t judge_space_move(struct judge_space *s, uint32_t set, uint32_t label)
{
    uint64_t key = (uint64_t)set << 32 | label;
    uint32_t known = hash_map_get(&s->moves, key);
    if (known != HASH_NO_NUMBER)
        return known;
    const struct plumb_call call = s->labels.data[label];
    const struct judge_space_set from = s->sets.data[set];
    vec_clear(&s->gathered);
    for (uint32_t i = 0; i < from.count; i++)
        gather_outcomes(s, s->members.data[from.first + i], &call);
    uint32_t to = intern_gathered(s);
    *hash_map_at(&s->moves, key) = to;
    return to;
}

static bool find_end(const struct judge_space *s, uint32_t set, uint32_t waiting)
{
    const struct judge_space_set *from = &s->sets.data[set];
    for (uint32_t i = 0; i < from->count; i++) {
        const void *state = s->states.list.data[s->members.data[from->first + i]];
        if (spec_accepts(s->spec, state) &&
            (waiting == SPACE_NONE || spec_blocks(s->spec, state, &s->labels.data[waiting])))
            return true;
    }
    return false;
}

bool judge_space_may_end(struct judge_space *s, uint32_t set, uint32_t waiting)
{
    if (waiting == SPACE_NONE && !s->spec->accept)
        return set != SPACE_DEAD;
    uint32_t *known = hash_map_at(&s->ends, (uint64_t)set << 32 | waiting);
    if (*known == HASH_NO_NUMBER)
        *known = find_end(s, set, waiting);
    return *known;
}
