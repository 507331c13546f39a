/* SPDX-License-Identifier: Apache-2.0 */
#include "oracle/appends_oracle.h"

#include <stdlib.h>
#include <string.h>

/* ---- meaning ---- */

/* False: it is a get that returned something else. */
static bool perform(const struct appends_op *op, char *state)
{
    if (op->kind == 'p')
        strcpy(state, op->text);
    else if (op->kind == 'a')
        strcat(state, op->text);
    else
        return op->pending || op->unknown || !strcmp(state, op->text);
    return true;
}

static bool precedes(const struct appends_op *a, const struct appends_op *b)
{
    return !a->pending && a->ret < b->call;
}

static bool may_come_next(const struct appends_case *c, uint32_t left, uint32_t i)
{
    for (uint32_t j = 0; j < c->count; j++)
        if ((left >> j & 1) && j != i && precedes(&c->ops[j], &c->ops[i]))
            return false;
    return true;
}

static bool all_pending(const struct appends_case *c, uint32_t left)
{
    for (uint32_t i = 0; i < c->count; i++)
        if ((left >> i & 1) && !c->ops[i].pending)
            return false;
    return true;
}

/* ---- every order ---- */

/* Situations that were tried: what is left, and the string. */
struct tried {
    uint32_t left;
    char state[APPENDS_TEXT * 2];
};

struct search {
    const struct appends_case *c;
    struct tried *list;
    uint32_t count, room;
    uint32_t *table, mask; /* numbers from 1 on */
};

static uint64_t mix(uint64_t x)
{
    x ^= x >> 33;
    x *= 0xff51afd7ed558ccdu;
    return x ^ x >> 29;
}

static uint64_t hash_of(uint32_t left, const char *state)
{
    uint64_t h = mix(left + 1);
    for (; *state; state++)
        h = mix(h + (unsigned char)*state);
    return h;
}

static void put_number(struct search *s, uint32_t number)
{
    const struct tried *t = &s->list[number];
    uint32_t at = (uint32_t)hash_of(t->left, t->state) & s->mask;
    while (s->table[at])
        at = (at + 1) & s->mask;
    s->table[at] = number + 1;
}

static void grow(struct search *s)
{
    s->room = s->room ? 2 * s->room : 256;
    s->list = realloc(s->list, s->room * sizeof *s->list);
    free(s->table);
    s->mask = 4 * s->room - 1;
    s->table = calloc(s->mask + 1u, sizeof *s->table);
    if (!s->list || !s->table)
        abort();
    for (uint32_t k = 0; k < s->count; k++)
        put_number(s, k);
}

static bool is_new(struct search *s, uint32_t left, const char *state)
{
    if (s->count == s->room)
        grow(s);
    for (uint32_t at = (uint32_t)hash_of(left, state) & s->mask; s->table[at]; at = (at + 1) & s->mask) {
        const struct tried *t = &s->list[s->table[at] - 1];
        if (t->left == left && !strcmp(t->state, state))
            return false;
    }
    s->list[s->count].left = left;
    strcpy(s->list[s->count].state, state);
    put_number(s, s->count++);
    return true;
}

static bool can_finish(struct search *s, uint32_t left, const char *state)
{
    if (all_pending(s->c, left))
        return true;
    if (!is_new(s, left, state))
        return false;
    for (uint32_t i = 0; i < s->c->count; i++) {
        char next[APPENDS_TEXT * 2];
        strcpy(next, state);
        if ((left >> i & 1) && may_come_next(s->c, left, i) && perform(&s->c->ops[i], next) &&
            can_finish(s, left & ~(1u << i), next))
            return true;
    }
    return false;
}

bool appends_has_order(const struct appends_case *c, uint32_t members)
{
    struct search s = {.c = c};
    bool found = can_finish(&s, members & ((1u << c->count) - 1), "");
    free(s.list);
    free(s.table);
    return found;
}

bool appends_is_order(const struct appends_case *c, const uint32_t *order, uint32_t count)
{
    char state[APPENDS_TEXT * 2] = "";
    uint32_t left = (1u << c->count) - 1;
    for (uint32_t k = 0; k < count; k++) {
        uint32_t i = order[k];
        if (i >= c->count || !(left >> i & 1) || !may_come_next(c, left, i) || !perform(&c->ops[i], state))
            return false;
        left &= ~(1u << i);
    }
    return all_pending(c, left);
}

/* ---- random histories ---- */

static uint32_t below(uint64_t *random, uint32_t limit)
{
    *random = mix(*random + 0x9e3779b97f4a7c15u);
    return (uint32_t)((*random >> 32) * limit >> 32);
}

static void choose_text(char *text, enum appends_tokens tokens, uint64_t *random, uint32_t number)
{
    static const char *const nested[] = {"a",  "ab",  "b",   "ba",  "abb", "aa",
                                         "bb", "aba", "bab", "bba", "aab", "c"};
    static const char *const mixed[] = {"", "a", "b", "ab", "c", "a", "cd", "d"};
    switch (tokens) {
    case TOKENS_DISTINCT: text[0] = (char)('a' + number); break;
    case TOKENS_NESTED: strcpy(text, nested[(number * 5 + below(random, 2)) % 12]); break;
    case TOKENS_TINY: strcpy(text, below(random, 2) ? "a" : below(random, 3) ? "b" : "aa"); break;
    default: strcpy(text, mixed[below(random, 8)]);
    }
}

/* In the order of their effects. */
static void make_legal(struct appends_case *c, enum appends_tokens tokens, uint64_t *random)
{
    char state[APPENDS_TEXT * 2] = "";
    uint32_t puts = below(random, 4);
    for (uint32_t i = 0; i < c->count; i++) {
        struct appends_op *op = &c->ops[i];
        op->kind = below(random, 5) < 2 ? 'g' : below(random, 6) < puts ? 'p' : 'a';
        if (op->kind == 'g')
            strcpy(op->text, state);
        else
            choose_text(op->text, tokens, random, i);
        perform(op, state);
    }
}

static void lay_out(struct appends_case *c, uint64_t *random)
{
    uint32_t reach = 1 + below(random, 9), spacing = below(random, 4), pending = below(random, 3) ? 12 : 4;
    for (uint32_t i = 0; i < c->count; i++) {
        struct appends_op *op = &c->ops[i];
        op->call = (int)(i * spacing) - (int)below(random, reach);
        op->ret = (int)(i * spacing) + (int)below(random, reach);
        op->pending = !below(random, pending);
        op->unknown = op->kind == 'g' && !below(random, 40);
    }
}

static uint32_t find_get(const struct appends_case *c, uint32_t from)
{
    for (uint32_t k = 0; k < c->count; k++)
        if (c->ops[(from + k) % c->count].kind == 'g')
            return (from + k) % c->count;
    return from;
}

static void swap_texts(struct appends_op *a, struct appends_op *b)
{
    char text[APPENDS_TEXT];
    if (a == b)
        return;
    strcpy(text, a->text);
    strcpy(a->text, b->text);
    strcpy(b->text, text);
}

static void damage(struct appends_case *c, enum appends_tokens tokens, uint64_t *random)
{
    uint32_t a = below(random, c->count), b = below(random, c->count), g = find_get(c, a);
    size_t length = strlen(c->ops[g].text);
    switch (below(random, 7)) {
    case 0: swap_texts(&c->ops[g], &c->ops[find_get(c, b)]); break;
    case 1: c->ops[g].text[length / 2] = 0; break;
    case 2: choose_text(c->ops[g].text, tokens, random, b); break;
    case 3: c->ops[a].call = c->ops[a].ret - (int)below(random, 3); break;
    case 4:
        c->ops[a].call += 3;
        c->ops[a].ret += 4;
        break;
    case 5:
        if (length > 1)
            memmove(c->ops[g].text, c->ops[g].text + 1, length);
        break;
    default: c->ops[b].ret = c->ops[b].call + (int)below(random, 2);
    }
}

void appends_random(struct appends_case *c, enum appends_tokens tokens, uint32_t most, uint64_t seed)
{
    uint64_t random = mix(seed * TOKENS_KINDS + tokens + 1);
    memset(c, 0, sizeof *c);
    c->count = most > 4 && below(&random, 8) ? most - below(&random, most / 2) : 1 + below(&random, most);
    make_legal(c, tokens, &random);
    lay_out(c, &random);
    for (uint32_t k = below(&random, 4); k > 0; k--)
        damage(c, tokens, &random);
}
