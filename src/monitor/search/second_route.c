/* SPDX-License-Identifier: Apache-2.0 */
/* The second decision procedure: depth first over operations after Wing and Gong, on a
 * linked list of events from which placed operations are lifted, with Lowe's memo of
 * failed configurations (set of placed operations, state). It uses none of the shortcuts of
 * the general search: no symmetry, no effect-free operations, no hints of the specification.
 * Only when it hunts for an order, which is certified like any other, it has two. */
#include "base/check.h"
#include "base/hash.h"
#include "monitor/search/placement.h"
#include "monitor/search/search.h"
#include "spec/registry.h"

#include <string.h>

enum {
    FRAMES_BETWEEN_KEPT = 64, /* deep in the stack only every 64th state is kept, others are replayed */
    UNKNOWN_FOOTPRINT = 256,
    STATE_OVERHEAD = 16,
    UNLIMITED_BYTES = 64 << 20,
    BYTES_PER_STEP = 1 << 16,
};

/* One placed operation of the current order. */
struct frame {
    void *before; /* state it was placed in; null: to be replayed */
    uint32_t op;
    unsigned choice;
    bool absorbed; /* without effect, in a hunt: nothing else need be tried instead */
};

/* A configuration from which no order exists. */
struct failed {
    void *state;
    size_t key, key_words; /* placed operations, in memo_words */
    uint32_t next;         /* with the same hash, or HASH_NO_NUMBER */
};

struct confirm {
    const struct part *part;
    const struct plumb_spec *spec;
    struct budget *budget;
    size_t bytes;

    struct placement placement;

    VEC(struct frame) frames;
    void *state; /* after the last frame */
    void *spare; /* a copy of it, or null */
    uint32_t cursor;
    unsigned choice; /* what to try next: this outcome of the call at the cursor */

    VEC(struct failed) memo;
    VEC(uint64_t) memo_words;
    struct hash_map by_hash;

    struct state_list *finals; /* not null: list every state a complete order ends in, and go on */

    bool hunts;          /* only an order counts */
    bool absorbs;        /* operations without effect come first, after each that is placed */
    uint8_t *effects;    /* of each operation, in a hunt: whether it may have one */
    uint32_t furthest;   /* in a hunt: the greatest first_open there was */
    uint64_t patience;   /* in a hunt: steps without getting further after which it stops */
    uint64_t ticks_most; /* of its budget, whether or not it gets further; 0: no limit */
};

static void confirm_charge(struct confirm *c, size_t bytes)
{
    c->bytes += bytes;
    budget_charge(c->budget, bytes);
}

static void confirm_refund(struct confirm *c, size_t bytes)
{
    c->bytes -= bytes;
    budget_refund(c->budget, bytes);
}

static size_t bytes_of(const struct confirm *c, const void *state)
{
    return STATE_OVERHEAD + (c->spec->footprint ? c->spec->footprint(state) : UNKNOWN_FOOTPRINT);
}

static bool is_pending(const struct confirm *c, uint32_t op)
{
    return c->part->order.ret[op] == ORDER_NEVER;
}

/* Returns the hash of the whole configuration. */
static uint64_t make_key(struct confirm *c, const void *state)
{
    return hash_combine(placement_make_key(&c->placement), c->spec->hash(state));
}

static bool has_failed(struct confirm *c, const void *state)
{
    if (!c->memo.len)
        return false;
    uint32_t i = hash_map_get(&c->by_hash, make_key(c, state));
    for (; i != HASH_NO_NUMBER; i = c->memo.data[i].next) {
        const struct failed *f = &c->memo.data[i];
        if (f->key_words == c->placement.key.len &&
            !memcmp(&c->memo_words.data[f->key], c->placement.key.data,
                    c->placement.key.len * sizeof *c->placement.key.data) &&
            c->spec->equal(f->state, state))
            return true;
    }
    return false;
}

/* The current placement and `state`, which goes to the memo, lead nowhere. */
static void remember(struct confirm *c, void *state)
{
    uint32_t *first = hash_map_at(&c->by_hash, make_key(c, state));
    struct failed f = {state, c->memo_words.len, c->placement.key.len, *first};
    CHECK(c->memo.len < HASH_NO_NUMBER - 1);
    *first = (uint32_t)c->memo.len;
    vec_push(&c->memo, f);
    for (size_t i = 0; i < c->placement.key.len; i++)
        vec_push(&c->memo_words, c->placement.key.data[i]);
    /* Arrays and table have room to spare, up to half of what they hold and more while they grow. */
    size_t key_bytes = c->placement.key.len * sizeof *c->placement.key.data, table_share = 40;
    confirm_charge(c, bytes_of(c, state) + (sizeof f + key_bytes) * 3 / 2 + table_share);
}

/* The current configuration leads nowhere. Those that may be met again on the way there are in the memo already. */
static void remember_failure(struct confirm *c)
{
    if (c->placement.unlimited)
        c->spec->destroy(c->state);
    else
        remember(c, c->state);
    c->state = NULL;
}

static void drop_spare(struct confirm *c)
{
    if (c->spare)
        c->spec->destroy(c->spare);
    c->spare = NULL;
}

static void keep_before(struct confirm *c, struct frame *f, void *state)
{
    f->before = state;
    confirm_charge(c, bytes_of(c, state));
}

static void *take_before(struct confirm *c, struct frame *f)
{
    void *state = f->before;
    confirm_refund(c, bytes_of(c, state));
    f->before = NULL;
    return state;
}

/* A long order must not keep a state per operation. */
static void thin_frames(struct confirm *c)
{
    if (c->frames.len <= FRAMES_BETWEEN_KEPT)
        return;
    size_t old = c->frames.len - 1 - FRAMES_BETWEEN_KEPT;
    if (old % FRAMES_BETWEEN_KEPT != 0 && c->frames.data[old].before)
        c->spec->destroy(take_before(c, &c->frames.data[old]));
}

static void replay_frames(struct confirm *c, size_t target)
{
    size_t from = target;
    while (!c->frames.data[from].before)
        from--;
    for (; from < target; from++) {
        struct frame *f = &c->frames.data[from];
        struct plumb_call call = part_call(c->part, f->op);
        void *state = c->spec->clone(f->before);
        bool replayed = c->spec->step(state, &call, f->choice, NULL);
        CHECK(replayed);
        keep_before(c, f + 1, state);
    }
}

/* A hunt that gets further may go on. */
static void note_progress(struct confirm *c)
{
    if (!c->patience || c->placement.first_open <= c->furthest)
        return;
    c->furthest = c->placement.first_open;
    uint64_t until = c->budget->ticks + c->patience;
    c->budget->ticks_max = c->ticks_most && c->ticks_most < until ? c->ticks_most : until;
}

/* The first call in the list is what is tried next. */
static void start_over(struct confirm *c)
{
    c->cursor = c->placement.next[c->placement.end];
    c->choice = 0;
    c->absorbs = c->hunts;
}

static void push_frame(struct confirm *c, uint32_t op, void *after)
{
    struct frame f = {.op = op, .choice = c->choice, .absorbed = c->absorbs};
    keep_before(c, &f, c->state);
    vec_push(&c->frames, f);
    confirm_charge(c, sizeof f);
    thin_frames(c);
    c->state = after;
    note_progress(c);
    start_over(c);
}

/* Undoes the last operation, whose state is gone already. */
static struct frame pop_frame(struct confirm *c)
{
    replay_frames(c, c->frames.len - 1);
    struct frame f = vec_pop(&c->frames);
    confirm_refund(c, sizeof f);
    c->state = take_before(c, &f);
    placement_remove(&c->placement, f.op);
    return f;
}

/* Undoes the last operation, and those that were absorbed after it; its next outcome comes next. False: there is none to undo. */
static bool backtrack(struct confirm *c)
{
    drop_spare(c);
    if (!c->frames.len)
        return false;
    remember_failure(c);
    struct frame f = pop_frame(c);
    while (f.absorbed && c->frames.len) {
        c->spec->destroy(c->state);
        f = pop_frame(c);
    }
    c->cursor = c->part->order.call[f.op];
    c->choice = f.choice + 1;
    c->absorbs = false;
    return !f.absorbed;
}

static bool may_act(const struct confirm *c, uint32_t op)
{
    const uint32_t *after = c->part->order.after;
    return !after || after[op] == ORDER_NO_OP || placement_has(&c->placement, after[op]);
}

/* Large states take long to copy: in a hunt, which is not for such, that counts as steps. */
static void make_spare(struct confirm *c)
{
    c->spare = c->spec->clone(c->state);
    for (size_t k = c->hunts ? bytes_of(c, c->state) / BYTES_PER_STEP : 0; k > 0; k--)
        budget_exhausted(c->budget);
}

/* Tries outcomes of `op` from c->choice on; true when one leads to a configuration not known to fail. */
static bool try_outcomes(struct confirm *c, uint32_t op)
{
    struct plumb_call call = part_call(c->part, op);
    for (; !budget_exhausted(c->budget); c->choice++) {
        if (!c->spare)
            make_spare(c);
        if (!c->spec->step(c->spare, &call, c->choice, NULL))
            return false;
        if (is_pending(c, op) && !c->part->order.after && c->spec->equal(c->spare, c->state))
            continue; /* need not have happened, as none has to follow it */
        void *after = c->spare;
        c->spare = NULL;
        placement_add(&c->placement, op);
        if (!has_failed(c, after)) {
            if (c->placement.unlimited) /* coming back here, around in a circle, leads nowhere new */
                remember(c, c->spec->clone(after));
            push_frame(c, op, after);
            return true;
        }
        placement_remove(&c->placement, op);
        c->spec->destroy(after);
    }
    return false;
}

/* In a hunt first those without effect are tried, then the others. */
static bool is_turn_of(const struct confirm *c, uint32_t op)
{
    return may_act(c, op) && (!c->hunts || c->effects[op] != c->absorbs);
}

/* Places the next operation: any that is called before the first return in the list. */
static bool try_calls(struct confirm *c)
{
    const uint32_t *event = c->part->order.event;
    while (c->cursor != c->placement.end && !order_event_returns(event[c->cursor])) {
        uint32_t op = order_event_op(event[c->cursor]);
        if (is_turn_of(c, op) && try_outcomes(c, op))
            return true;
        if (c->budget->spent)
            return false;
        c->cursor = c->placement.next[c->cursor];
        c->choice = 0;
    }
    return false;
}

static bool advance(struct confirm *c)
{
    if (try_calls(c))
        return true;
    if (c->budget->spent || !c->absorbs)
        return false;
    start_over(c);
    c->absorbs = false;
    return try_calls(c);
}

static void list_final_state(struct confirm *c)
{
    for (size_t k = 0; k < c->finals->len; k++)
        if (c->spec->equal(c->finals->data[k], c->state))
            return;
    confirm_charge(c, bytes_of(c, c->state));
    vec_push(c->finals, c->spec->clone(c->state));
}

static enum verdict confirm_run(struct confirm *c)
{
    while (!budget_exhausted(c->budget)) {
        if (!c->placement.left && c->finals)
            list_final_state(c);
        else if (!c->placement.left && (!c->spec->accept || c->spec->accept(c->state)))
            return VERDICT_HOLDS;
        if (advance(c))
            continue;
        if (c->budget->spent)
            break;
        if (!backtrack(c))
            return VERDICT_VIOLATED;
    }
    return VERDICT_INCONCLUSIVE;
}

static void find_effects(struct confirm *c)
{
    c->effects = NEW_ARRAY(uint8_t, c->part->order.count);
    for (uint32_t i = 0; i < c->part->order.count; i++) {
        struct plumb_call call = part_call(c->part, i);
        c->effects[i] = !spec_effect_free(c->spec, &call);
    }
    confirm_charge(c, c->part->order.count);
    c->hunts = true;
}

static void confirm_free(struct confirm *c)
{
    drop_spare(c);
    if (c->state)
        c->spec->destroy(c->state);
    for (size_t i = 0; i < c->frames.len; i++)
        if (c->frames.data[i].before)
            c->spec->destroy(c->frames.data[i].before);
    for (size_t i = 0; i < c->memo.len; i++)
        c->spec->destroy(c->memo.data[i].state);
    vec_free(&c->frames);
    vec_free(&c->memo);
    vec_free(&c->memo_words);
    hash_map_free(&c->by_hash);
    placement_free(&c->placement);
    free(c->effects);
    confirm_refund(c, c->bytes);
}

static void take_order(const struct confirm *c, struct decision *d)
{
    vec_clear(&d->witness);
    for (size_t k = 0; k < c->frames.len; k++)
        vec_push(&d->witness, c->frames.data[k].op);
}

static void confirm_start(struct confirm *c, const struct part *p, const void *initial, struct budget *budget)
{
    c->part = p;
    c->spec = p->spec;
    c->budget = budget;
    confirm_charge(c, placement_start(&c->placement, &p->order));
    if (c->hunts)
        find_effects(c);
    c->state = initial ? c->spec->clone(initial) : spec_init(c->spec, p->options);
    start_over(c);
}

static enum verdict confirm_search(const struct part *p, const void *initial, struct budget *budget,
                                   struct state_list *finals, bool unlimited)
{
    struct confirm c = {.finals = finals, .placement.unlimited = unlimited};
    confirm_start(&c, p, initial, budget);
    enum verdict verdict = confirm_run(&c);
    confirm_free(&c);
    return verdict;
}

/* With many pending operations, first whether it is violated even if each may act again and again: that is more than
 * is asked, but what has acted need not be remembered. */
enum verdict confirm_decide(const struct part *p, const void *initial, struct budget *budget)
{
    struct budget own = budget_within(budget, UNLIMITED_BYTES);
    if (search_has_many_pending(p) && !p->order.after &&
        confirm_search(p, initial, &own, NULL, true) == VERDICT_VIOLATED)
        return VERDICT_VIOLATED;
    return confirm_search(p, initial, budget, NULL, false);
}

bool confirm_final_states(const struct part *p, const void *initial, struct budget *budget,
                          struct state_list *finals)
{
    return confirm_search(p, initial, budget, finals, false) != VERDICT_INCONCLUSIVE;
}

struct confirm *hunt_start(const struct part *p, const void *initial, struct budget *budget)
{
    struct confirm *c = NEW(struct confirm);
    c->hunts = true;
    confirm_start(c, p, initial, budget);
    return c;
}

enum verdict hunt_go_on(struct confirm *c, struct budget *budget, uint64_t patience, struct decision *d)
{
    c->budget = budget;
    c->patience = patience;
    c->ticks_most = budget->ticks_max;
    if (patience && (!c->ticks_most || patience < c->ticks_most))
        budget->ticks_max = patience;
    enum verdict verdict = confirm_run(c);
    if (verdict == VERDICT_HOLDS)
        take_order(c, d);
    return verdict == VERDICT_VIOLATED ? VERDICT_NONE : verdict;
}

size_t hunt_bytes(const struct confirm *c)
{
    return c->bytes;
}

void hunt_end(struct confirm *c, struct budget *budget)
{
    c->budget = budget;
    confirm_free(c);
    free(c);
}
