/* SPDX-License-Identifier: Apache-2.0 */
#include "oracle/quasi_oracle.h"

#include <string.h>

/* --- permutations of one word -------------------------------------------------------------------------------- */

struct permuting {
    const struct quasi_question *q;
    const struct oracle_call *word;
    uint32_t count;
    int class[QUASI_WORD];
    uint32_t place[QUASI_WORD]; /* among those of its class; of exact ones: in the word */
};

static uint32_t distance(uint32_t a, uint32_t b)
{
    return a > b ? a - b : b - a;
}

/* May the operation number i of the word be at position `at` of the legal sequence? */
static bool may_be_at(const struct permuting *p, uint32_t i, uint32_t at)
{
    if (p->class[i] != p->class[at])
        return false;
    uint32_t moved = distance(p->place[i], p->place[at]);
    return p->class[i] == QUASI_EXACT ? moved == 0 : moved <= p->q->distance[p->class[i]];
}

static bool performs(const struct permuting *p, struct oracle_state *s, const struct oracle_call *call,
                     unsigned choice, bool *more)
{
    plumb_value answer;
    *more = oracle_perform(p->q->spec, s, call, choice, &answer);
    return *more && answer == call->result;
}

static bool permute(const struct permuting *p, uint32_t at, uint32_t used, const struct oracle_state *s)
{
    if (at == p->count)
        return true;
    for (uint32_t i = 0; i < p->count; i++) {
        bool more = !(used >> i & 1) && may_be_at(p, i, at);
        for (unsigned choice = 0; more; choice++) {
            struct oracle_state next = *s;
            if (performs(p, &next, &p->word[i], choice, &more) && permute(p, at + 1, used | 1u << i, &next))
                return true;
        }
    }
    return false;
}

static bool has_legal_permutation(const struct quasi_question *q, const struct oracle_call *word,
                                  uint32_t count)
{
    struct permuting p = {.q = q, .word = word, .count = count};
    uint32_t places[QUASI_ORACLE_CLASSES] = {0};
    for (uint32_t i = 0; i < count; i++) {
        p.class[i] = q->class_of[word[i].name][word[i].result == PLUMB_NONE];
        p.place[i] = p.class[i] == QUASI_EXACT ? i : places[p.class[i]]++;
    }
    struct oracle_state start = oracle_start(q->spec, q->values, PLUMB_OK);
    return permute(&p, 0, 0, &start);
}

/* --- what is appended ------------------------------------------------------------------------------------------- */

static bool append(const struct quasi_question *q, struct oracle_call *word, uint32_t count, uint32_t left)
{
    if (has_legal_permutation(q, word, count))
        return true;
    for (uint32_t k = 0; left && k < q->appendable_count; k++) {
        word[count] = q->appendable[k];
        if (append(q, word, count + 1, left - 1))
            return true;
    }
    return false;
}

bool quasi_oracle_word(const struct quasi_question *q, const struct oracle_call *word, uint32_t count)
{
    struct oracle_call longer[QUASI_WORD];
    memcpy(longer, word, count * sizeof *word);
    return append(q, longer, count, q->append_most);
}

/* --- histories ---------------------------------------------------------------------------------------------------- */

struct ordering {
    const struct quasi_question *q;
    const struct oracle_call *ops;
    uint32_t count, completed;
    const uint32_t *before;
    struct oracle_call word[QUASI_WORD];
};

static bool order(struct ordering *o, uint32_t length, uint32_t done);

static bool order_next(struct ordering *o, uint32_t length, uint32_t done, uint32_t i)
{
    o->word[length] = o->ops[i];
    if (o->completed >> i & 1)
        return order(o, length + 1, done | 1u << i);
    for (uint32_t k = 0; k < o->q->result_count; k++) {
        o->word[length] = o->ops[i];
        o->word[length].result = o->q->results[k];
        if (order(o, length + 1, done | 1u << i))
            return true;
    }
    return false;
}

static bool order(struct ordering *o, uint32_t length, uint32_t done)
{
    if (!(o->completed & ~done) && quasi_oracle_word(o->q, o->word, length))
        return true;
    for (uint32_t i = 0; i < o->count; i++)
        if (!(done >> i & 1) && !(o->before[i] & o->completed & ~done) && order_next(o, length, done, i))
            return true;
    return false;
}

bool quasi_oracle_history(const struct quasi_question *q, const struct oracle_call *ops, uint32_t count,
                          uint32_t completed, const uint32_t *before)
{
    struct ordering o = {.q = q, .ops = ops, .count = count, .completed = completed, .before = before};
    return order(&o, 0, 0);
}
