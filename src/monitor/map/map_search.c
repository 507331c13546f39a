/* SPDX-License-Identifier: Apache-2.0 */
/* Looks for an order of the blocks and removals of one key. Outside the zones only
 * the presence of the key matters, so of several open operations that change
 * it in the same way the one that returns first is used, and few
 * possibilities have to be kept at a time. docs/internals/monitor/map.md. */
#include "monitor/map/map_run.h"

enum {
    SLOTS = 64,
    BEAM = 16,  /* nodes kept */
    STEPS = 64, /* of one node at one event */
    FREE_STEPS = 2,
    EFFORT = 128, /* nodes made at one event */
    LOG_RATIO = 16,
};

/* A way to have come to the present event. */
struct node {
    uint64_t used;    /* slots whose operation is in the order */
    uint32_t left[2]; /* the event at which each state was last left; 0: never */
    uint32_t log;     /* last step */
    /* Block that was begun before it had to be and owns the key here, or NONE */
    uint32_t begun;
    uint32_t begun_at;
    enum map_state state;
};

/* What has to be so after the present event. */
struct need {
    uint32_t op;    /* returns now; or NONE: */
    uint32_t block; /* begins now, and all that returns before its last call must be placed */
    uint32_t limit; /* this call */
    bool absent;    /* the key, before the block begins */
    bool used;      /* `op` has to be a step of its own */
    unsigned steps_max;
};

struct search {
    struct map_run *m;
    const struct order *o;
    uint32_t now;  /* event */
    uint32_t zone; /* block that owns the key, or NONE */
    VEC(struct node) level, next, todo, seen;
    VEC(struct map_step) log;
    uint32_t op_in[SLOTS];                 /* which operation each slot has, as in struct map_step */
    uint32_t open_since[SLOTS];            /* its call; for blocks the last call */
    uint64_t puts, conditionals, removals; /* slots */
    uint8_t *slot_of;                      /* by operation */
    VEC(uint32_t) asking;                  /* open questions that need the key absent */
    const char *why;
};

/* ---- slots ---- */

static void open_slot(struct search *s, uint64_t *kind, uint32_t op, uint32_t since)
{
    uint64_t taken = s->puts | s->conditionals | s->removals;
    if (taken == UINT64_MAX) {
        s->why = "too many operations are open at once";
        return;
    }
    uint32_t slot = (uint32_t)__builtin_ctzll(~taken);
    s->op_in[slot] = op;
    s->open_since[slot] = since;
    s->slot_of[op] = (uint8_t)slot;
    *kind |= (uint64_t)1 << slot;
}

static void open_block(struct search *s, uint32_t block, uint32_t first_return)
{
    uint32_t since = s->o->call[map_last_call(s->m, block)];
    open_slot(s, map_is_conditional(s->m, block) ? &s->conditionals : &s->puts, first_return, since);
}

/* Among `slots` the one that returns first; SLOTS: there is none. */
static uint32_t earliest(const struct search *s, uint64_t slots)
{
    uint32_t best = SLOTS;
    for (; slots; slots &= slots - 1) {
        uint32_t slot = (uint32_t)__builtin_ctzll(slots);
        if (best == SLOTS || s->o->ret[s->op_in[slot]] < s->o->ret[s->op_in[best]])
            best = slot;
    }
    return best;
}

/* ---- nodes ---- */

static bool same(const struct node *a, const struct node *b)
{
    return a->used == b->used && a->state == b->state && a->begun == b->begun;
}

/* Can `a` do all that `b` can? A put that was used in b has met the present key, so it is done in a too. */
static bool is_better(const struct search *s, const struct node *a, const struct node *b)
{
    return a->state == b->state && a->begun == b->begun && a->left[0] >= b->left[0] &&
           a->left[1] >= b->left[1] && ((a->used ^ b->used) & ~s->puts) == 0 && (a->used & ~b->used) == 0;
}

static void keep(struct search *s, const struct node *n)
{
    for (size_t k = 0; k < s->next.len; k++) {
        if (is_better(s, &s->next.data[k], n))
            return;
        if (is_better(s, n, &s->next.data[k])) {
            s->next.data[k] = *n;
            return;
        }
    }
    if (s->next.len < BEAM)
        vec_push(&s->next, *n);
}

/* Was the key in this state at some moment since event `since`? */
static bool has_been(const struct node *n, enum map_state state, uint32_t since)
{
    return n->state == state || n->left[state] > since;
}

/* A put changes nothing where the key is present: it is overwritten or removed at once. */
static bool slot_is_done(const struct search *s, const struct node *n, uint32_t slot)
{
    if (n->used >> slot & 1)
        return true;
    if (!(s->puts >> slot & 1))
        return false;
    if (n->begun != NONE)
        return s->open_since[slot] < n->begun_at; /* otherwise the block could not have begun */
    return has_been(n, MAP_PRESENT, s->open_since[slot]);
}

static bool return_is_possible(const struct search *s, const struct node *n, uint32_t i)
{
    switch (s->m->kind[i]) {
    case MAP_NEEDS_ABSENT: return has_been(n, MAP_ABSENT, s->o->call[i]);
    case MAP_NEEDS_PRESENT: return has_been(n, MAP_PRESENT, s->o->call[i]);
    default: return slot_is_done(s, n, s->slot_of[i]);
    }
}

static bool zone_is_possible(const struct search *s, const struct node *n, const struct need *need)
{
    if (n->begun != NONE)
        return n->begun == need->block;
    if (need->absent && n->state != MAP_ABSENT)
        return false;
    /* puts may come right before a block that begins with a put */
    uint64_t forced = s->conditionals | s->removals | (need->absent ? s->puts : 0);
    for (uint64_t left = forced & ~n->used; left; left &= left - 1) {
        uint32_t slot = (uint32_t)__builtin_ctzll(left);
        if (s->o->ret[s->op_in[slot]] < need->limit && !slot_is_done(s, n, slot))
            return false;
    }
    for (size_t k = 0; k < s->asking.len; k++)
        if (s->o->ret[s->asking.data[k]] < need->limit &&
            !has_been(n, MAP_ABSENT, s->o->call[s->asking.data[k]]))
            return false;
    return true;
}

static bool is_met(const struct search *s, const struct node *n, const struct need *need)
{
    if (need->used)
        return n->used >> s->slot_of[need->op] & 1;
    return need->op != NONE ? return_is_possible(s, n, need->op) : zone_is_possible(s, n, need);
}

/* ---- steps ---- */

static void make_step(struct search *s, struct node *n, uint32_t op, enum map_state state)
{
    vec_push(&s->log, ((struct map_step){op, s->now, n->log}));
    n->log = (uint32_t)s->log.len - 1;
    if (n->state != state)
        n->left[n->state] = s->now;
    n->state = state;
}

static void try_step(struct search *s, const struct node *n, uint64_t slots, enum map_state state)
{
    uint32_t slot = earliest(s, slots & ~n->used);
    if (slot == SLOTS || s->seen.len >= EFFORT)
        return;
    struct node after = *n;
    after.used |= (uint64_t)1 << slot;
    after.state = state;
    for (size_t k = 0; k < s->seen.len; k++)
        if (same(&s->seen.data[k], &after))
            return;
    after.state = n->state;
    make_step(s, &after, s->op_in[slot], state);
    vec_push(&s->todo, after);
    vec_push(&s->seen, after);
}

static void try_steps(struct search *s, const struct node *n)
{
    if (n->begun != NONE || s->zone != NONE)
        return;
    if (n->state == MAP_PRESENT) {
        try_step(s, n, s->removals, MAP_ABSENT);
    } else {
        try_step(s, n, s->conditionals, MAP_PRESENT);
        try_step(s, n, s->puts, MAP_PRESENT);
    }
}

/* Takes every node as few steps further as the need asks for, and adds what comes of it to the next level. */
static void satisfy(struct search *s, const struct need *need)
{
    vec_clear(&s->seen);
    for (size_t k = 0; k < s->level.len; k++) {
        size_t end = 1; /* of those with the present number of steps */
        unsigned steps = 0;
        vec_clear(&s->todo);
        vec_push(&s->todo, s->level.data[k]);
        for (size_t t = 0; t < s->todo.len; t++) {
            struct node n = s->todo.data[t];
            if (t == end) {
                end = s->todo.len;
                steps++;
            }
            if (is_met(s, &n, need))
                keep(s, &n);
            else if (steps < need->steps_max)
                try_steps(s, &n);
        }
    }
}

static void advance(struct search *s)
{
    void *swap = s->level.data;
    size_t cap = s->level.cap;
    s->level.data = s->next.data;
    s->level.len = s->next.len;
    s->level.cap = s->next.cap;
    s->next.data = swap;
    s->next.cap = cap;
    s->next.len = 0;
}

/* Gives back the slot of an operation that returned. Nodes that differed in it only may be the same now. */
static void close_slot(struct search *s, uint32_t i)
{
    uint64_t bit = (uint64_t)1 << s->slot_of[i];
    s->puts &= ~bit;
    s->conditionals &= ~bit;
    s->removals &= ~bit;
    for (size_t k = 0; k < s->level.len; k++) {
        s->level.data[k].used &= ~bit;
        keep(s, &s->level.data[k]);
    }
    advance(s);
}

static struct need need_of_block(const struct search *s, uint32_t block)
{
    return (struct need){
        .op = NONE,
        .block = block,
        .limit = s->o->call[map_last_call(s->m, block)],
        .absent = map_is_conditional(s->m, block),
        .steps_max = STEPS,
    };
}

static bool ends_with_put(const struct search *s, const struct node *n)
{
    uint32_t op = s->log.data[n->log].op;
    return s->m->kind[op] != MAP_REMOVES && !map_is_conditional(s->m, map_block_of(s->m, op));
}

/* Before a put an open removal or put_if_absent costs nothing. */
static void add_free_steps(struct search *s, const struct need *need)
{
    if (need->absent)
        return;
    vec_clear(&s->todo);
    vec_clear(&s->seen);
    for (size_t k = 0; k < s->next.len; k++)
        vec_push(&s->todo, s->next.data[k]);
    size_t first = s->todo.len, end = first;
    for (size_t t = 0, steps = 0; t < s->todo.len; t++) {
        const struct node n = s->todo.data[t];
        if (t == end) {
            end = s->todo.len;
            steps++;
        }
        if (t >= first && !ends_with_put(s, &n)) /* one put before another is wasted */
            keep(s, &n);
        if (steps < FREE_STEPS)
            try_steps(s, &n);
    }
}

/* The block begins and owns the key until its last call. False: it cannot. */
static bool open_zone(struct search *s, uint32_t block)
{
    struct need need = need_of_block(s, block);
    satisfy(s, &need);
    if (!s->next.len)
        return false;
    add_free_steps(s, &need);
    advance(s);
    for (size_t k = 0; k < s->level.len; k++)
        if (s->level.data[k].begun == NONE)
            make_step(s, &s->level.data[k], s->m->blocks.values.data[block].first_return, MAP_PRESENT);
    s->zone = block;
    return true;
}

/* ---- events ---- */

/* Begins the block in every node where that makes the key present. */
static void begin_block(struct search *s, uint32_t block)
{
    struct need need = need_of_block(s, block);
    for (size_t k = 0; k < s->level.len; k++) {
        struct node n = s->level.data[k];
        if (n.begun != NONE || n.state == MAP_PRESENT || !is_met(s, &n, &need))
            continue;
        make_step(s, &n, s->m->blocks.values.data[block].first_return, MAP_PRESENT);
        n.begun = block;
        n.begun_at = s->now;
        keep(s, &n);
    }
}

/* Begins blocks that have later calls. The next one with a zone is the last that can come now. */
static void begin_early(struct search *s)
{
    enum { FAR = 256 }; /* events to look at */
    const struct register_run *run = &s->m->blocks;
    uint32_t end = s->o->event_count - s->now < FAR ? s->o->event_count : s->now + FAR;
    for (uint32_t e = s->now + 1; e < end; e++) {
        uint32_t block = register_block_at(run, e);
        if (block == NONE)
            continue;
        const struct register_value *b = &run->values.data[block];
        bool loose = register_block_is_loose(run, block);
        bool opens_zone = !loose && s->o->event[e] == (b->first_return << 1 | 1);
        bool last_call = loose && s->o->event[e] == b->last_call << 1;
        if ((opens_zone || last_call) && s->o->call[b->writer] < s->now)
            begin_block(s, block);
        if (opens_zone)
            return;
    }
}

static bool meet_return(struct search *s, uint32_t i)
{
    struct need need = {.op = i, .steps_max = STEPS};
    bool put = s->m->kind[i] == MAP_OTHER && (s->puts >> s->slot_of[i] & 1), all = !put;
    for (size_t k = 0; k < s->level.len && all; k++)
        all = is_met(s, &s->level.data[k], &need);
    if (all)
        return true;
    satisfy(s, &need);
    if (put) { /* last chance to make the key present with it, or to hide a removal before it */
        need.used = true;
        need.steps_max = 2;
        satisfy(s, &need);
    }
    if (s->zone == NONE && s->m->kind[i] == MAP_NEEDS_PRESENT)
        begin_early(s);
    advance(s);
    return s->level.len;
}

static bool pass_return(struct search *s, uint32_t i, uint32_t block)
{
    const struct register_value *b = &s->m->blocks.values.data[block == NONE ? 0 : block];
    enum map_kind kind = block == NONE ? s->m->kind[i] : MAP_OTHER;
    if (block != NONE) {
        if (b->first_return != i)
            return true;
        if (!register_block_is_loose(&s->m->blocks, block))
            return s->zone == NONE && open_zone(s, block);
    } else if (kind == MAP_OTHER) {
        return true;
    }
    if (!meet_return(s, i))
        return false;
    if (kind == MAP_OTHER || kind == MAP_REMOVES) {
        close_slot(s, i);
    } else if (kind == MAP_NEEDS_ABSENT) {
        size_t k = 0;
        while (s->asking.data[k] != i)
            k++;
        s->asking.data[k] = vec_pop(&s->asking);
    }
    return true;
}

/* The last call of a block. */
static void pass_last_call(struct search *s, uint32_t block)
{
    bool loose = register_block_is_loose(&s->m->blocks, block);
    uint32_t first = s->m->blocks.values.data[block].first_return;
    if (s->zone == block)
        s->zone = NONE;
    if (loose)
        open_block(s, block, first);
    for (size_t k = 0; k < s->level.len; k++) {
        struct node *n = &s->level.data[k];
        if (n->begun == block && loose)
            n->used |= (uint64_t)1 << s->slot_of[first];
        if (n->begun == block)
            n->begun = NONE;
    }
}

static void pass_call(struct search *s, uint32_t i, uint32_t block)
{
    struct register_run *run = &s->m->blocks;
    if (block == NONE) {
        enum map_kind kind = s->m->kind[i];
        if (kind == MAP_REMOVES)
            open_slot(s, &s->removals, i, s->now);
        else if (kind == MAP_NEEDS_ABSENT)
            vec_push(&s->asking, i);
        else if (run->value_of[i] != NONE)
            open_block(s, run->value_of[i], i); /* pending and never seen: happens only if that helps */
    } else if (run->values.data[block].last_call == i) {
        pass_last_call(s, block);
    }
}

/* Blocks that never return but were seen. */
static bool pass_end(struct search *s)
{
    for (uint64_t left = s->conditionals; left; left &= left - 1) {
        uint32_t slot = (uint32_t)__builtin_ctzll(left);
        if (s->m->blocks.values.data[s->m->blocks.value_of[s->op_in[slot]]].root == NONE)
            s->conditionals &= ~((uint64_t)1 << slot);
    }
    for (uint64_t left = s->conditionals; left; left &= left - 1)
        if (!meet_return(s, s->op_in[__builtin_ctzll(left)]))
            return false;
    return true;
}

static bool pass_events(struct search *s, struct budget *budget)
{
    for (s->now = 0; s->now < s->o->event_count; s->now++) {
        uint32_t i = order_event_op(s->o->event[s->now]), block = register_block_at(&s->m->blocks, s->now);
        if (!order_event_returns(s->o->event[s->now]))
            pass_call(s, i, block);
        else if (budget_exhausted(budget) || !pass_return(s, i, block))
            return false;
        if (s->log.len / LOG_RATIO > s->o->event_count)
            s->why = "too many orders have to be kept";
        if (s->why)
            return false;
    }
    return pass_end(s);
}

const char *map_search(struct map_run *m, struct budget *budget)
{
    struct search s = {.m = m, .o = &m->blocks.p->order, .zone = NONE};
    s.slot_of = NEW_ARRAY(uint8_t, s.o->count);
    vec_push(&s.level, ((struct node){.log = NONE, .begun = NONE, .state = MAP_ABSENT}));
    if (pass_events(&s, budget))
        map_build_order(m, s.log.data, s.level.data[0].log);
    else if (!s.why)
        s.why = "no order was found at once";
    vec_free(&s.level);
    vec_free(&s.next);
    vec_free(&s.todo);
    vec_free(&s.seen);
    vec_free(&s.log);
    vec_free(&s.asking);
    free(s.slot_of);
    return s.why;
}
