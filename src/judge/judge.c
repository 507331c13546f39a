/* SPDX-License-Identifier: Apache-2.0 */
/* Judging: recognise an execution by what made one with the same outcome hold, or search and remember why. */
#include "judge/judge_state.h"

#include "base/check.h"
#include "base/memory.h"

#include <string.h>

enum { CERTIFICATES_MOST = 256, EFFORT_USUAL = 4000000, ENTRIES_USUAL = 2000000 };

/* --- memory ------------------------------------------------------------------------------------------------- */

static void outcome_free(struct judge_outcome *o)
{
    for (size_t i = 0; i < o->certificates.len; i++)
        free(o->certificates.data[i].knows);
    for (size_t i = 0; i < o->bad.len; i++)
        free(o->bad.data[i]);
    vec_free(&o->certificates);
    vec_free(&o->bad);
    free(o->ops);
    free(o->after);
    free(o);
}

static void forget_outcomes(struct judge *j)
{
    for (size_t i = 0; i < j->outcomes.len; i++)
        outcome_free(j->outcomes.data[i]);
    vec_clear(&j->outcomes);
    hash_map_clear(&j->outcome_numbers);
    j->certificate_rows = 0;
}

static void open_spaces(struct judge *j)
{
    for (uint32_t i = 0; i < j->settings.objects; i++)
        judge_space_init(&j->spaces[i], j->settings.specs[i], j->settings.options);
}

static void close_spaces(struct judge *j)
{
    for (uint32_t i = 0; i < j->settings.objects; i++)
        judge_space_free(&j->spaces[i]);
}

struct judge *judge_new(const struct judge_settings *settings)
{
    struct judge *j = NEW(struct judge);
    j->settings = *settings;
    if (!j->settings.effort)
        j->settings.effort = EFFORT_USUAL;
    if (!j->settings.entries_most)
        j->settings.entries_most = ENTRIES_USUAL;
    j->spaces = NEW_ZEROED(struct judge_space, settings->objects);
    j->needed.knows = NEW_ZEROED(uint64_t, 3 * JUDGE_OPS_MAX);
    j->needed.hinder = j->needed.knows + JUDGE_OPS_MAX;
    j->needed.causes = j->needed.hinder + JUDGE_OPS_MAX;
    open_spaces(j);
    return j;
}

void judge_free(struct judge *j)
{
    forget_outcomes(j);
    close_spaces(j);
    for (size_t i = 0; i < j->levels.len; i++)
        free(j->levels.data[i]);
    vec_free(&j->outcomes);
    vec_free(&j->levels);
    vec_free(&j->nodes);
    vec_free(&j->edges);
    vec_free(&j->classes);
    hash_map_free(&j->outcome_numbers);
    hash_map_free(&j->node_numbers);
    hash_map_free(&j->class_numbers);
    free(j->failed);
    free(j->needed.knows);
    free(j->spaces);
    free(j);
}

/* A long exploration may meet more states and outcomes than there is memory for. */
static void forget_if_full(struct judge *j)
{
    size_t entries = j->certificate_rows;
    for (uint32_t i = 0; i < j->settings.objects; i++)
        entries += judge_space_entries(&j->spaces[i]);
    if (entries <= j->settings.entries_most)
        return;
    forget_outcomes(j);
    close_spaces(j);
    open_spaces(j);
}

struct judge_level *judge_level_at(struct judge *j, uint32_t depth)
{
    while (j->levels.len <= depth)
        vec_push(&j->levels, NEW(struct judge_level));
    return j->levels.data[depth];
}

const char *judge_limit(const struct judge *j)
{
    return j->limit;
}

const struct judge_counts *judge_counts(const struct judge *j)
{
    return &j->counts;
}

/* --- outcomes ----------------------------------------------------------------------------------------------- */

/* Everything about an execution but what the memory model says. */
static uint64_t hash_outcome(const struct judge_part *p)
{
    uint64_t h = hash_combine(p->completed, (uint64_t)p->object << 8 | (uint64_t)p->ending << 1 | p->timed);
    for (uint32_t i = 0; i < p->count; i++) {
        const struct judge_op *op = &p->ops[i];
        uint64_t who = (uint64_t)op->op << 32 | op->thread;
        h = hash_word(h ^ op->arg * 0x9e3779b97f4a7c15u ^ op->result * 0xd6e8feb86659fd93u ^ (who << 7));
    }
    return h;
}

static bool is_outcome(const struct judge_outcome *o, const struct judge_part *p)
{
    if (o->count != p->count || o->object != p->object || o->completed != p->completed ||
        o->ending != p->ending || o->timed != p->timed)
        return false;
    for (uint32_t i = 0; i < p->count; i++) {
        const struct judge_op *a = &o->ops[i], *b = &p->ops[i];
        if (a->arg != b->arg || a->result != b->result || a->op != b->op || a->thread != b->thread ||
            o->after[i] != p->after[i])
            return false;
    }
    return true;
}

static struct judge_outcome *outcome_new(const struct judge_part *p)
{
    struct judge_outcome *o = NEW(struct judge_outcome);
    o->count = p->count;
    o->object = p->object;
    o->completed = p->completed;
    o->ending = p->ending;
    o->timed = p->timed;
    o->ops = NEW_ARRAY(struct judge_op, p->count);
    o->after = NEW_ARRAY(uint64_t, p->count);
    memcpy(o->ops, p->ops, p->count * sizeof *o->ops);
    memcpy(o->after, p->after, p->count * sizeof *o->after);
    return o;
}

static struct judge_outcome *outcome_of(struct judge *j, const struct judge_part *p)
{
    uint32_t *first = hash_map_at(&j->outcome_numbers, hash_outcome(p));
    for (uint32_t i = *first; i != HASH_NO_NUMBER; i = j->outcomes.data[i]->next)
        if (is_outcome(j->outcomes.data[i], p))
            return j->outcomes.data[i];
    struct judge_outcome *o = outcome_new(p);
    o->next = *first;
    vec_push(&j->outcomes, o);
    *first = (uint32_t)j->outcomes.len - 1;
    j->certificate_rows += 64; /* about the size of the outcome itself */
    return o;
}

/* --- certificates --------------------------------------------------------------------------------------------- */

static bool has_rows(const uint64_t *have, const uint64_t *wanted, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (wanted[i] & ~have[i])
            return false;
    return true;
}

static bool fits(const struct judge_certificate *c, const struct judge_part *p)
{
    if (!has_rows(p->knows, c->knows, p->count))
        return false;
    return p->timed || (has_rows(p->hinder, c->hinder, p->count) && has_rows(p->causes, c->causes, p->count));
}

/* The one that fits comes first next time. */
static bool is_recognised(const struct judge *j, struct judge_outcome *o, const struct judge_part *p)
{
    if (j->settings.forgetful)
        return false;
    for (size_t i = 0; i < o->certificates.len; i++) {
        struct judge_certificate c = o->certificates.data[i];
        if (!fits(&c, p))
            continue;
        memmove(o->certificates.data + 1, o->certificates.data, i * sizeof c);
        o->certificates.data[0] = c;
        return true;
    }
    return false;
}

static void remember(struct judge *j, struct judge_outcome *o)
{
    uint32_t n = o->count;
    if (o->certificates.len == CERTIFICATES_MOST)
        free(vec_pop(&o->certificates).knows);
    else
        j->certificate_rows += (o->timed ? 1 : 3) * (size_t)n;
    uint64_t *rows = NEW_ARRAY(uint64_t, (o->timed ? 1 : 3) * (size_t)n + 1);
    struct judge_certificate c = {rows, rows + n, rows + 2 * (size_t)n};
    memcpy(c.knows, j->needed.knows, n * sizeof *rows);
    if (!o->timed) {
        memcpy(c.hinder, j->needed.hinder, n * sizeof *rows);
        memcpy(c.causes, j->needed.causes, n * sizeof *rows);
    }
    vec_push(&o->certificates, c);
}

/* --- deciding --------------------------------------------------------------------------------------------------- */

static enum judge_step search_for(struct judge *j, struct judge_outcome *o, uint32_t waits,
                                  struct judge_violation *v)
{
    uint32_t depth = 0;
    enum judge_step step =
        o->timed ? judge_search_timed(j, o, waits, &depth) : judge_search_weak(j, o, waits, &depth);
    if (step == JUDGE_NO && v)
        judge_report_violation(j, waits, judge_level_at(j, depth), v);
    return step;
}

/* One goal for each operation that waits forever: what waits must be what has to. */
static enum judge_step search_goals(struct judge *j, struct judge_outcome *o, struct judge_violation *v)
{
    uint64_t waiting = j->part.ending == JUDGE_STUCK ? j->part.all & ~j->part.completed : 0;
    if (!waiting)
        return search_for(j, o, JUDGE_NO_OP, v);
    JUDGE_EACH(e, waiting) {
        enum judge_step step = search_for(j, o, (uint32_t)e, v);
        if (step != JUDGE_YES)
            return step;
    }
    return JUDGE_YES;
}

static enum verdict decide_part(struct judge *j, struct judge_violation *v)
{
    struct judge_outcome *o = outcome_of(j, &j->part);
    if (is_recognised(j, o, &j->part)) {
        j->counts.recognised++;
        return VERDICT_HOLDS;
    }
    if (!v && o->timed && !j->settings.forgetful)
        for (size_t i = 0; i < o->bad.len; i++)
            if (has_rows(o->bad.data[i], j->part.knows, o->count))
                return VERDICT_VIOLATED;
    if (!o->studied)
        judge_study_outcome(j, o);
    memset(j->needed.knows, 0, 3 * JUDGE_OPS_MAX * sizeof *j->needed.knows);
    j->asked_model = false;
    switch (search_goals(j, o, v)) {
    case JUDGE_GAVE_UP: return VERDICT_INCONCLUSIVE;
    case JUDGE_YES:
        if (!j->asked_model)
            remember(j, o);
        return VERDICT_HOLDS;
    case JUDGE_NO: break;
    }
    if (o->timed && o->bad.len < CERTIFICATES_MOST) {
        uint64_t *rows = NEW_ARRAY(uint64_t, o->count + 1);
        memcpy(rows, j->part.knows, o->count * sizeof *rows);
        vec_push(&o->bad, rows);
        j->certificate_rows += o->count;
    }
    return VERDICT_VIOLATED;
}

static uint64_t first_ones(uint32_t count)
{
    return count == 64 ? UINT64_MAX : judge_bit(count) - 1;
}

static enum verdict decide_whole(struct judge *j, const struct judge_execution *x, struct judge_violation *v)
{
    j->part = (struct judge_part){.count = x->count,
                                  .object = x->ops[0].object,
                                  .all = first_ones(x->count),
                                  .completed = x->completed,
                                  .ending = x->ending,
                                  .timed = x->timed,
                                  .ops = x->ops,
                                  .hint = x->hint,
                                  .after = x->after,
                                  .knows = x->knows,
                                  .hinder = x->hinder,
                                  .causes = x->causes,
                                  .execution = x};
    return decide_part(j, v);
}

/* --- several objects -------------------------------------------------------------------------------------------- */

/* The operations of one object, numbered anew, with what is known about them by way of others. */
struct judge_shrunk {
    struct judge_op ops[JUDGE_OPS_MAX];
    uint8_t hint[JUDGE_OPS_MAX], number[JUDGE_OPS_MAX], image[JUDGE_OPS_MAX];
    uint64_t after[JUDGE_OPS_MAX], knows[JUDGE_OPS_MAX], hinder[JUDGE_OPS_MAX], causes[JUDGE_OPS_MAX];
    struct judge_relation relation;
};

static uint64_t shrink_set(const struct judge_shrunk *s, uint64_t set, uint64_t members)
{
    uint64_t shrunk = 0;
    JUDGE_EACH(i, set & members)
        shrunk |= judge_bit(s->image[i]);
    return shrunk;
}

static void shrink_relation(struct judge_shrunk *s, const struct judge_execution *x)
{
    for (uint32_t i = 0; i < x->count; i++) {
        s->relation.to_return[i] = x->knows[i] | (judge_bit(i) & x->completed);
        s->relation.to_call[i] = x->after[i];
    }
    judge_relation_close(&s->relation, x->count);
}

static void shrink_rows(struct judge_shrunk *s, const struct judge_execution *x, uint64_t members)
{
    uint32_t count = 0, hints = 0;
    JUDGE_EACH(i, members) {
        s->image[i] = (uint8_t)count;
        s->number[count++] = (uint8_t)i;
    }
    for (uint32_t k = 0; k < count; k++) {
        uint32_t i = s->number[k];
        s->ops[k] = x->ops[i];
        s->after[k] = shrink_set(s, s->relation.to_call[i], members);
        s->knows[k] = shrink_set(s, s->relation.to_return[i], members);
        s->hinder[k] = shrink_set(s, x->timed ? 0 : x->hinder[i], members);
        s->causes[k] = shrink_set(s, x->timed ? 0 : x->causes[i], members);
    }
    for (uint32_t k = 0; k < x->count; k++)
        if (members >> x->hint[k] & 1)
            s->hint[hints++] = s->image[x->hint[k]];
}

static enum verdict decide_object(struct judge *j, struct judge_shrunk *s, const struct judge_execution *x,
                                  uint64_t members, struct judge_violation *v)
{
    uint32_t count = (uint32_t)__builtin_popcountll(members);
    shrink_rows(s, x, members);
    j->part = (struct judge_part){.count = count,
                                  .object = s->ops[0].object,
                                  .all = first_ones(count),
                                  .completed = shrink_set(s, x->completed, members),
                                  .ending = x->ending,
                                  .timed = x->timed,
                                  .ops = s->ops,
                                  .hint = s->hint,
                                  .after = s->after,
                                  .knows = s->knows,
                                  .hinder = s->hinder,
                                  .causes = s->causes,
                                  .number = s->number,
                                  .execution = x};
    return decide_part(j, v);
}

static uint64_t members_of(const struct judge_execution *x, uint32_t object)
{
    uint64_t members = 0;
    for (uint32_t i = 0; i < x->count; i++)
        if (x->ops[i].object == object)
            members |= judge_bit(i);
    return members;
}

/* One by one; a violation of any of them counts more than one that is not decided. */
static enum verdict decide_objects(struct judge *j, const struct judge_execution *x,
                                   struct judge_violation *v)
{
    struct judge_shrunk s;
    enum verdict all = VERDICT_HOLDS;
    shrink_relation(&s, x);
    for (uint64_t left = first_ones(x->count); left;) {
        uint64_t members = members_of(x, x->ops[__builtin_ctzll(left)].object);
        enum verdict one = decide_object(j, &s, x, members, v);
        if (one == VERDICT_VIOLATED)
            return one;
        if (one == VERDICT_INCONCLUSIVE)
            all = one;
        left &= ~members;
    }
    return all;
}

enum verdict judge_decide(struct judge *j, const struct judge_execution *x, struct judge_violation *v)
{
    j->counts.executions++;
    j->limit = NULL;
    if (x->count > JUDGE_OPS_MAX) {
        j->limit = "more than 64 operations in one execution";
        return VERDICT_INCONCLUSIVE;
    }
    if (x->count == 0)
        return VERDICT_HOLDS;
    j->effort = j->settings.effort;
    forget_if_full(j);
    for (uint32_t i = 1; i < x->count; i++)
        if (x->ops[i].object != x->ops[0].object)
            return decide_objects(j, x, v);
    return decide_whole(j, x, v);
}
