/* SPDX-License-Identifier: Apache-2.0 */
/* Inside of random_history.c: the history while it is made, chance, and values. */
#ifndef TESTS_RANDOM_MAKER_H
#define TESTS_RANDOM_MAKER_H

#include "random_history.h"

#define STEPS_MAX ORACLE_MAX
#define THREADS_MAX 4

/* Letters of arguments: - none, v value, p priority queue item, k key, V [key, value], S [key, string],
 * C [old, new], T transaction, n amount, U [cell, value], f phase.
 * Letters of results: o plain ok, or a bool with a capacity, k plain ok, e value or null, r value of a register, b bool, i integer, s string,
 * a array, t what a transaction answers, l list of what is inside.
 * Specifications: with a '+' only where operations on everything inside count; "+" those of all such specifications. */
struct shape {
    const char *spec, *name;
    char arg, result;
    unsigned weight;
};

struct step {
    const struct shape *shape;
    uint32_t thread, object;
    plumb_value arg, result;
    bool pending;
    int64_t call, ret;
};

enum value_kind { PLAIN, STRINGS, WIDE };
enum fraction { SELDOM = 16, SOMETIMES = 4, OFTEN = 2 };

struct maker {
    struct history *h;
    const struct oracle_spec *spec;
    uint64_t random;
    const struct shape *shapes[16]; /* of the specification */
    unsigned shape_count, weight;
    unsigned threads, objects, keys, values;
    bool unique; /* every added value is new */
    bool pairs;  /* priority queue items are [priority, value] */
    bool unlike; /* counter: amounts differ */
    bool cells;  /* null is a value like any other */
    bool grows;  /* a set that is added to and read as a whole, and nothing else */
    enum value_kind kind;
    uint8_t fresh[16]; /* the numbers 1..16 in random order */
    unsigned used;     /* how many of them were used */
    plumb_value initial;
    struct oracle_state states[2]; /* of the objects, while the legal execution is made */
    struct step steps[STEPS_MAX];
    unsigned count;
};

static inline uint64_t next_random(struct maker *m)
{
    uint64_t x = m->random += 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

static inline unsigned below(struct maker *m, unsigned limit)
{
    return (unsigned)((next_random(m) >> 32) * limit >> 32);
}

static inline bool chance(struct maker *m, unsigned one_in)
{
    return below(m, one_in) == 0;
}

static inline int64_t between(struct maker *m, int64_t low, int64_t high)
{
    return low + below(m, (unsigned)(high - low) + 1);
}

/* random_values.c: what values are like in this history, an argument or answer of the letter of its shape. */
void choose_values(struct maker *m);
plumb_value choose_initial(struct maker *m);
plumb_value make_argument(struct maker *m, char letter);
plumb_value guess_result(struct maker *m, const struct step *s);
/* Two items change places: often the same set. */
plumb_value shuffle_list(struct maker *m, plumb_value list);

#endif
