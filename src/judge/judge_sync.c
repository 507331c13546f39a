/* SPDX-License-Identifier: Apache-2.0 */
#include "judge/judge_sync.h"

#include "judge/judge_state.h"
#include "spec/sync_rules.h"

#include "base/memory.h"

#include <string.h>

enum { EFFORT_USUAL = 1000000, REMEMBERED_MOST = 1 << 20, SPACE_ENTRIES_MOST = 1000000 };

struct object {
    const struct sync_rules *rules; /* null: none */
    struct judge_space space;
    struct sync_store start;
};

struct judge_sync {
    struct judge_sync_settings settings;
    bool has_rules;
    struct object *objects;
    struct hash_map kept;   /* hashes of executions that keep all rules */
    struct hash_map failed; /* places of one search from which no order goes on */
    uint64_t effort;        /* left for this search */
};

/* One search: a legal order is built from its beginning. */
struct search {
    struct judge_sync *j;
    struct object *object;
    const struct judge_execution *x;
    const uint64_t *before;
    bool lawless; /* rules do not count: is there a legal order at all? */
    uint64_t members;
    uint64_t precedes[JUDGE_OPS_MAX]; /* row a: operations that are before it in every order */
    uint32_t labels[JUDGE_OPS_MAX];
    const struct sync_row *rows[JUDGE_OPS_MAX];
    uint8_t tried[JUDGE_OPS_MAX]; /* in which order operations are tried */
    uint8_t order[JUDGE_OPS_MAX];
    uint32_t length;
    struct judge_sync_violation *v;
};

/* --- rules --------------------------------------------------------------------------------------------- */

static void open_object(struct judge_sync *j, uint32_t i)
{
    struct object *o = &j->objects[i];
    const struct plumb_spec *spec = j->settings.specs[i];
    o->rules = j->settings.no_own ? NULL : sync_rules_of(spec, j->settings.all);
    if (!o->rules)
        return;
    j->has_rules = true;
    judge_space_init(&o->space, spec, j->settings.options);
    sync_start(o->rules, spec, j->settings.options, &o->start);
}

struct judge_sync *judge_sync_new(const struct judge_sync_settings *settings)
{
    struct judge_sync *j = NEW(struct judge_sync);
    j->settings = *settings;
    if (!j->settings.effort)
        j->settings.effort = EFFORT_USUAL;
    j->has_rules = settings->named_count > 0;
    j->objects = NEW_ZEROED(struct object, settings->objects + 1);
    for (uint32_t i = 0; i < settings->objects; i++)
        open_object(j, i);
    return j;
}

void judge_sync_free(struct judge_sync *j)
{
    for (uint32_t i = 0; i < j->settings.objects; i++)
        if (j->objects[i].rules)
            judge_space_free(&j->objects[i].space);
    hash_map_free(&j->kept);
    hash_map_free(&j->failed);
    free(j->objects);
    free(j);
}

bool judge_sync_has_rules(const struct judge_sync *j)
{
    return j->has_rules;
}

/* --- one order ------------------------------------------------------------------------------------------- */

static struct plumb_call call_of(const struct search *s, uint32_t i)
{
    const struct judge_op *op = &s->x->ops[i];
    return (struct plumb_call){op->op, op->thread, op->arg, op->result};
}

static bool happens_before(const struct search *s, uint8_t source, uint32_t i)
{
    return source == SYNC_NO_SOURCE || s->before[source] >> i & 1;
}

/* Items whose operations happen before the return of operation i. */
static uint64_t items_before(const struct search *s, const struct sync_store *store, uint64_t items,
                             uint32_t i)
{
    uint64_t fine = 0;
    JUDGE_EACH(k, items)
        if (s->lawless || happens_before(s, store->items[k].source, i))
            fine |= judge_bit(k);
    return fine;
}

/* The longest order counts, and of several the first one. */
static void note_violation(struct search *s, uint32_t i, const struct sync_demanded *d,
                           const struct sync_store *store, uint64_t missing)
{
    if (!s->v || (s->v->relation && s->length <= s->v->order_count))
        return;
    uint32_t item = (uint32_t)__builtin_ctzll(missing);
    *s->v = (struct judge_sync_violation){
        .earlier = store->items[item].source, .later = i, .relation = d->relation, .order_count = s->length};
    memcpy(s->v->order, s->order, s->length);
}

static uint64_t hash_place(uint64_t done, uint32_t set, const struct sync_store *store)
{
    uint64_t h = hash_combine(done, set);
    for (uint32_t i = 0; i < store->count; i++)
        h = hash_combine(h, store->items[i].source);
    return h;
}

static enum judge_step extend(struct search *s, uint64_t done, uint32_t set, const struct sync_store *store);

static enum judge_step go_on(struct search *s, uint64_t done, uint32_t i, uint32_t sets[2], uint32_t taken,
                             const struct sync_store *store)
{
    struct sync_store next;
    next.count = store->count;
    memcpy(next.items, store->items, store->count * sizeof *store->items);
    struct plumb_call call = call_of(s, i);
    sync_apply(s->rows[i], s->j->settings.options->values, &call, (uint8_t)i, taken, sets[0] != sets[1],
               &next);
    s->order[s->length++] = (uint8_t)i;
    enum judge_step step = extend(s, done | judge_bit(i), sets[1], &next);
    s->length--;
    return step;
}

/* The operation comes next, if that is legal and what it demands happens before it. */
static enum judge_step append(struct search *s, uint64_t done, uint32_t set, uint32_t i,
                              const struct sync_store *store)
{
    struct plumb_call call = call_of(s, i);
    uint32_t sets[2] = {set, judge_space_move(&s->object->space, set, s->labels[i])};
    if (sets[1] == SPACE_DEAD)
        return JUDGE_NO;
    struct sync_demanded d =
        sync_demands(s->rows[i], s->j->settings.all, s->j->settings.options->values, &call, store);
    uint64_t fine = items_before(s, store, d.candidates, i);
    if (d.candidates && (d.every ? fine != d.candidates : !fine)) {
        note_violation(s, i, &d, store, d.candidates & ~fine);
        return JUDGE_NO;
    }
    if (!d.takes || !d.candidates)
        return go_on(s, done, i, sets, SYNC_ITEMS_MAX, store);
    enum judge_step step = JUDGE_NO;
    for (uint64_t left = fine; left && step == JUDGE_NO; left &= left - 1)
        step = go_on(s, done, i, sets, (uint32_t)__builtin_ctzll(left), store);
    return step;
}

static enum judge_step extend(struct search *s, uint64_t done, uint32_t set, const struct sync_store *store)
{
    if (done == s->members)
        return judge_space_may_end(&s->object->space, set, SPACE_NONE) ? JUDGE_YES : JUDGE_NO;
    if (s->j->effort == 0)
        return JUDGE_GAVE_UP;
    s->j->effort--;
    uint64_t place = hash_place(done, set, store);
    if (s->j->failed.count && hash_map_get(&s->j->failed, place) != HASH_NO_NUMBER)
        return JUDGE_NO;
    for (uint32_t k = 0; k < s->x->count; k++) {
        uint32_t i = s->tried[k];
        if (!((s->members & ~done) >> i & 1) || s->precedes[i] & ~done)
            continue;
        enum judge_step step = append(s, done, set, i, store);
        if (step != JUDGE_NO)
            return step;
    }
    *hash_map_at(&s->j->failed, place) = 1;
    return JUDGE_NO;
}

/* --- one object -------------------------------------------------------------------------------------------- */

static uint64_t members_of(const struct judge_execution *x, uint32_t object)
{
    uint64_t members = 0;
    for (uint32_t i = 0; i < x->count; i++)
        if (x->ops[i].object == object)
            members |= judge_bit(i);
    return members & x->completed;
}

/* Calls after returns, by what happens before what: any legal order has to agree with it. */
static void find_precedence(const struct judge_execution *x, const uint64_t *before, uint64_t *precedes)
{
    struct judge_relation r;
    for (uint32_t i = 0; i < x->count; i++) {
        r.to_return[i] = before[i] | (judge_bit(i) & x->completed);
        r.to_call[i] = x->after[i];
        precedes[i] = 0;
    }
    judge_relation_close(&r, x->count);
    for (uint32_t a = 0; a < x->count; a++)
        JUDGE_EACH(b, r.to_call[a])
            precedes[b] |= judge_bit(a);
}

static enum judge_step run(struct search *s)
{
    s->length = 0;
    s->j->effort = s->j->settings.effort;
    if (s->j->failed.count)
        hash_map_clear(&s->j->failed);
    struct sync_store start = s->object->start;
    return extend(s, 0, s->object->space.start, &start);
}

static void try_in_order(struct search *s, const uint8_t *hint)
{
    for (uint32_t i = 0; i < s->x->count; i++)
        s->tried[i] = hint ? hint[i] : (uint8_t)i;
}

static void prepare(struct search *s, uint32_t object)
{
    s->object = &s->j->objects[object];
    s->members = members_of(s->x, object);
    if (judge_space_entries(&s->object->space) > SPACE_ENTRIES_MOST) {
        judge_space_free(&s->object->space);
        judge_space_init(&s->object->space, s->j->settings.specs[object], s->j->settings.options);
    }
    JUDGE_EACH(i, s->members) {
        struct plumb_call call = call_of(s, (uint32_t)i);
        s->labels[i] = judge_space_label(&s->object->space, &call);
        s->rows[i] = sync_row_of(s->object->rules, &call);
        s->precedes[i] &= s->members;
    }
    try_in_order(s, s->x->hint);
}

/* Without a legal order nothing is wrong with the synchronization: then the search and the judge disagree, and nothing is said. */
static enum verdict describe(struct search *s, struct judge_sync_violation *v)
{
    s->lawless = true;
    if (run(s) != JUDGE_YES)
        return VERDICT_INCONCLUSIVE;
    s->lawless = false;
    if (!v)
        return VERDICT_VIOLATED;
    *v = (struct judge_sync_violation){0};
    s->v = v;
    try_in_order(s, NULL);
    enum judge_step step = run(s);
    s->v = NULL;
    return step == JUDGE_NO && v->relation ? VERDICT_VIOLATED : VERDICT_INCONCLUSIVE;
}

static enum verdict decide_object(struct judge_sync *j, const struct judge_execution *x,
                                  const uint64_t *before, const uint64_t *precedes, uint32_t object,
                                  struct judge_sync_violation *v)
{
    struct search s = {.j = j, .x = x, .before = before};
    memcpy(s.precedes, precedes, sizeof s.precedes);
    prepare(&s, object);
    switch (run(&s)) {
    case JUDGE_YES: return VERDICT_HOLDS;
    case JUDGE_GAVE_UP: return VERDICT_INCONCLUSIVE;
    default: return describe(&s, v);
    }
}

/* --- rules that the user names --------------------------------------------------------------------------------- */

static bool is_value(plumb_value v)
{
    return v != PLUMB_OK && v != PLUMB_NONE && v != PLUMB_ANY;
}

/* Operations that may have put in what operation b answers: those that b is before cannot. */
static uint64_t sources_of(const struct judge_sync *j, const struct judge_execution *x,
                           const uint64_t *precedes, const uint32_t *numbers,
                           const struct judge_sync_named *rule, uint32_t b)
{
    uint64_t sources = 0;
    for (uint32_t a = 0; a < x->count; a++)
        if (a != b && rule->earlier >> numbers[a] & 1 && !(precedes[a] >> b & 1) &&
            sync_last_argument(j->settings.options->values, x->ops[a].arg) == x->ops[b].result)
            sources |= judge_bit(a);
    return sources;
}

static bool keeps_rule(const struct judge_sync *j, const struct judge_execution *x, const uint64_t *before,
                       const uint64_t *precedes, const uint32_t *numbers, uint32_t rule,
                       struct judge_sync_violation *v)
{
    const struct judge_sync_named *r = &j->settings.named[rule];
    JUDGE_EACH(b, x->completed) {
        if (!(r->later >> numbers[b] & 1) || !is_value(x->ops[b].result))
            continue;
        uint64_t sources = sources_of(j, x, precedes, numbers, r, (uint32_t)b), fine = 0;
        JUDGE_EACH(a, sources)
            fine |= before[a] & judge_bit(b);
        if (!sources || fine)
            continue;
        if (v)
            *v = (struct judge_sync_violation){.earlier = (uint32_t)__builtin_ctzll(sources),
                                               .later = (uint32_t)b,
                                               .relation = "%s returns what %s put in",
                                               .is_named = true,
                                               .rule = rule};
        return false;
    }
    return true;
}

/* --- all together ------------------------------------------------------------------------------------------------ */

static enum verdict search_all(struct judge_sync *j, const struct judge_execution *x, const uint64_t *before,
                               const uint32_t *numbers, struct judge_sync_violation *v)
{
    uint64_t precedes[JUDGE_OPS_MAX] = {0};
    enum verdict all = VERDICT_HOLDS;
    find_precedence(x, before, precedes);
    for (uint32_t i = 0; i < j->settings.objects; i++) {
        if (!j->objects[i].rules)
            continue;
        enum verdict one = decide_object(j, x, before, precedes, i, v);
        if (one == VERDICT_VIOLATED)
            return one;
        if (one == VERDICT_INCONCLUSIVE)
            all = one;
    }
    for (uint32_t k = 0; k < j->settings.named_count; k++)
        if (!keeps_rule(j, x, before, precedes, numbers, k, v))
            return VERDICT_VIOLATED;
    return all;
}

/* All that the answer depends on. */
static uint64_t hash_execution(const struct judge_execution *x, const uint64_t *before)
{
    uint64_t h = hash_combine(x->completed, x->count);
    for (uint32_t i = 0; i < x->count; i++) {
        const struct judge_op *op = &x->ops[i];
        uint64_t who = (uint64_t)op->op << 40 | (uint64_t)op->object << 20 | op->thread;
        h = hash_word(h ^ op->arg * 0x9e3779b97f4a7c15u ^ op->result * 0xd6e8feb86659fd93u ^ who << 7);
        h = hash_combine(hash_combine(h, before[i]), x->after[i]);
    }
    return h;
}

enum verdict judge_sync_decide(struct judge_sync *j, const struct judge_execution *x, const uint64_t *before,
                               const uint32_t *numbers, struct judge_sync_violation *v)
{
    if (!j->has_rules || x->count == 0)
        return VERDICT_HOLDS;
    if (x->count > JUDGE_OPS_MAX)
        return VERDICT_INCONCLUSIVE;
    uint64_t hash = hash_execution(x, before);
    if (hash_map_get(&j->kept, hash) != HASH_NO_NUMBER)
        return VERDICT_HOLDS;
    enum verdict verdict = search_all(j, x, before, numbers, v);
    if (j->kept.count >= REMEMBERED_MOST)
        hash_map_clear(&j->kept);
    if (verdict == VERDICT_HOLDS)
        *hash_map_at(&j->kept, hash) = 1;
    return verdict;
}
