/* SPDX-License-Identifier: Apache-2.0 */
/* The different histories of a test, over all its executions, and how many of them are wrong (config.count). */
#include "worker/tables/tables.h"

#include "judge/tables/judge_histories.h"
#include "worker/verdict/verdict_state.h"

/* Executions with the same answers and the same bits have the same histories: most repeat earlier ones. */
static struct hash_map executions, histories;

struct count {
    struct worker_shared *shared;
    const struct judge_execution *x;
    const uint32_t *numbers;
};

/* Sums are over operations, whose numbers depend on the execution: those in the test do not. */
static uint64_t hash_bits(const struct count *c, const uint64_t *rows, uint32_t i)
{
    uint64_t sum = 0;
    for (uint64_t left = rows[i]; left; left &= left - 1)
        sum += hash_word(c->numbers[__builtin_ctzll(left)] + 1);
    return sum;
}

static uint64_t hash_op(const struct count *c, uint32_t i)
{
    uint64_t hash = hash_combine(c->numbers[i], c->x->completed >> i & 1);
    return hash_combine(hash, c->x->ops[i].result);
}

static uint64_t hash_execution(const struct count *c)
{
    uint64_t sum = c->x->ending;
    for (uint32_t i = 0; i < c->x->count; i++) {
        uint64_t hash = hash_combine(hash_op(c, i), hash_bits(c, c->x->after, i));
        sum += hash_combine(hash, hash_bits(c, c->x->knows, i));
    }
    return sum;
}

static uint64_t hash_history(const struct count *c, const struct judge_rounds *rounds)
{
    uint64_t sum = c->x->ending;
    for (uint32_t i = 0; i < c->x->count; i++) {
        uint64_t hash = hash_combine(hash_op(c, i), rounds->called[i]);
        sum += hash_combine(hash, rounds->returned[i]);
    }
    return sum;
}

/* True: not seen before. */
static bool is_new(struct hash_map *map, uint64_t hash)
{
    uint32_t *seen = hash_map_at(map, hash);
    bool first = *seen == HASH_NO_NUMBER;
    *seen = 1;
    return first;
}

static void judge_history(const struct count *c, const struct judge_rounds *rounds, bool first)
{
    static struct judge_execution history; /* stacks are small */
    struct worker_counted *to = &c->shared->counted;
    judge_as_history(c->x, rounds, &history);
    uint64_t orders = judge_count_orders(&history);
    enum verdict verdict = judge_decide(judge.clients, &history, NULL);
    if (c->shared->config.count == COUNT_REPEATED) {
        to->met++;
        to->orders_met += orders;
    }
    if (!first)
        return;
    to->histories++;
    to->orders += orders;
    to->wrong += verdict == VERDICT_VIOLATED;
    if (verdict == VERDICT_INCONCLUSIVE) {
        c->shared->undecided++;
        c->shared->limits |= LIMIT_UNDECIDED;
    }
}

static bool visit(void *context, const struct judge_rounds *rounds)
{
    const struct count *c = context;
    bool first = is_new(&histories, hash_history(c, rounds));
    if (first || c->shared->config.count == COUNT_REPEATED)
        judge_history(c, rounds, first);
    c->shared->beats++;
    return true;
}

bool count_histories(struct worker_shared *s, const struct graph *g, bool stuck, struct diagnostic *d)
{
    const uint32_t *numbers = NULL;
    enum judge_answer answer = judge_read(s, g, &numbers, d);
    if (!numbers)
        return answer != JUDGE_MISMATCH;
    judge.execution.ending = stuck ? JUDGE_STUCK : JUDGE_ENDED;
    struct count c = {s, &judge.execution, numbers};
    bool first = is_new(&executions, hash_execution(&c));
    if (first || s->config.count == COUNT_REPEATED)
        judge_each_history(c.x, visit, &c);
    return true;
}
