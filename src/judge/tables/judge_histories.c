/* SPDX-License-Identifier: Apache-2.0 */
#include "judge/tables/judge_histories.h"

#include "base/check.h"
#include "base/hash.h"
#include "base/vec.h"
#include "judge/judge_state.h"

/* ------------------------------------------------------------------ histories */

struct walk {
    const struct judge_execution *x;
    uint64_t everyone;
    uint64_t before_call[JUDGE_OPS_MAX];   /* who has to return first */
    uint64_t before_return[JUDGE_OPS_MAX]; /* who has to be called first */
    struct judge_rounds rounds;
    bool (*visit)(void *context, const struct judge_rounds *rounds);
    void *context;
    bool stopped;
};

/* Those of `candidates` whose conditions are met. */
static uint64_t find_ready(uint64_t candidates, const uint64_t *conditions, uint64_t done)
{
    uint64_t ready = 0;
    JUDGE_EACH(i, candidates)
        ready |= conditions[i] & ~done ? 0 : judge_bit((uint32_t)i);
    return ready;
}

static void stamp(uint8_t *rounds, uint64_t ops, uint8_t round)
{
    JUDGE_EACH(i, ops)
        rounds[i] = round;
}

static void walk_from(struct walk *w, uint64_t called, uint64_t returned, uint8_t round);

/* Some of those who can return now do. When none is left to be called, the round is the last. */
static void walk_returns(struct walk *w, uint64_t called, uint64_t returned, uint8_t round)
{
    uint64_t open = called & w->x->completed & ~returned;
    uint64_t ready = find_ready(open, w->before_return, called);
    if (called == w->everyone) {
        stamp(w->rounds.returned, open, round);
        w->stopped |= !w->visit(w->context, &w->rounds);
        stamp(w->rounds.returned, open, 0);
        return;
    }
    for (uint64_t some = ready; some && !w->stopped; some = (some - 1) & ready) {
        stamp(w->rounds.returned, some, round);
        walk_from(w, called, returned | some, (uint8_t)(round + 1));
        stamp(w->rounds.returned, some, 0);
    }
}

/* A round: some are called, at least one, because otherwise the round before would not have ended. */
static void walk_from(struct walk *w, uint64_t called, uint64_t returned, uint8_t round)
{
    uint64_t ready = find_ready(w->everyone & ~called, w->before_call, returned);
    for (uint64_t some = ready; some && !w->stopped; some = (some - 1) & ready) {
        stamp(w->rounds.called, some, round);
        walk_returns(w, called | some, returned, round);
        stamp(w->rounds.called, some, 0);
    }
}

void judge_each_history(const struct judge_execution *x,
                        bool (*visit)(void *context, const struct judge_rounds *rounds), void *context)
{
    struct walk w = {.x = x, .visit = visit, .context = context};
    CHECK(x->timed);
    for (uint32_t i = 0; i < x->count; i++) {
        w.everyone |= judge_bit(i);
        JUDGE_EACH(b, x->after[i])
            w.before_call[b] |= judge_bit(i);
        JUDGE_EACH(a, x->knows[i])
            w.before_return[a] |= judge_bit(i);
    }
    if (x->count)
        walk_from(&w, 0, 0, 1);
    else
        visit(context, &w.rounds);
}

void judge_as_history(const struct judge_execution *x, const struct judge_rounds *rounds,
                      struct judge_execution *history)
{
    *history = *x;
    for (uint32_t i = 0; i < x->count; i++) {
        history->after[i] = history->knows[i] = 0;
        for (uint32_t k = 0; k < x->count; k++) {
            if (rounds->returned[i] && rounds->returned[i] < rounds->called[k])
                history->after[i] |= judge_bit(k);
            if (rounds->returned[k] >= rounds->called[i])
                history->knows[i] |= judge_bit(k);
        }
    }
}

/* ------------------------------------------------------------------ orders */

struct counting {
    const struct judge_execution *history;
    uint64_t before[JUDGE_OPS_MAX];
    struct hash_map places; /* of sets that are the beginning of an order */
    VEC(uint64_t) orders;   /* of the rest */
};

static uint64_t add_most(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

static uint64_t count_from(struct counting *c, uint64_t done)
{
    uint64_t left = c->history->completed & ~done, orders = left == 0;
    uint32_t place = hash_map_get(&c->places, done);
    if (place != HASH_NO_NUMBER) {
        CHECK(place < c->orders.len);
        return c->orders.data[place];
    }
    JUDGE_EACH(i, find_ready(left, c->before, done))
        orders = add_most(orders, count_from(c, done | judge_bit((uint32_t)i)));
    *hash_map_at(&c->places, done) = (uint32_t)c->orders.len;
    vec_push(&c->orders, orders);
    return orders;
}

uint64_t judge_count_orders(const struct judge_execution *history)
{
    struct counting c = {.history = history};
    JUDGE_EACH(a, history->completed)
        JUDGE_EACH(b, history->after[a] & history->completed)
            c.before[b] |= judge_bit((uint32_t)a);
    uint64_t orders = count_from(&c, 0);
    hash_map_free(&c.places);
    vec_free(&c.orders);
    return orders;
}
