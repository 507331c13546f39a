/* SPDX-License-Identifier: Apache-2.0 */
/* relaxed queue|stack|pqueue OPS THREADS FACTOR [SEED [BUSY [OP]]]: writes a history of a relaxed container. A legal
 * sequence is made first; then neighbouring removals exchange their answers as long as none is more than FACTOR places
 * away. Threads are inside of an operation BUSY percent of the time (60). With OP, one removal that late (in
 * operations) answers what is FACTOR + 40 places away. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct op {
    bool adds;
    uint32_t value; /* 0: empty */
    uint32_t thread;
    uint64_t at, call, ret;
};

static uint64_t state;

static uint32_t below(uint32_t bound)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)((state >> 16) % bound);
}

enum { INSIDE = 24 }; /* about so many items */

static uint32_t take(const char *spec, uint32_t *items, uint32_t *count)
{
    uint32_t k = 0;
    if (!*count)
        return 0;
    if (*spec == 's')
        k = *count - 1;
    for (uint32_t i = 0; *spec == 'p' && i < *count; i++)
        k = items[i] < items[k] ? i : k;
    uint32_t value = items[k];
    memmove(items + k, items + k + 1, (--*count - k) * sizeof *items);
    return value;
}

/* Values are different numbers; those of a priority queue come in no order. */
static void make_legal(const char *spec, struct op *ops, uint32_t n)
{
    uint32_t *items = malloc((n + 1) * sizeof *items), *values = malloc((n + 1) * sizeof *values), count = 0,
             added = 0;
    for (uint32_t i = 0; i < n; i++)
        values[i] = i + 1;
    for (uint32_t i = n; *spec == 'p' && i-- > 1;) {
        uint32_t j = below(i + 1), x = values[i];
        values[i] = values[j], values[j] = x;
    }
    for (uint32_t i = 0; i < n; i++) {
        ops[i].adds = below(2 * INSIDE) >= count;
        if (ops[i].adds)
            items[count++] = ops[i].value = values[added++];
        else
            ops[i].value = take(spec, items, &count);
    }
    free(items);
    free(values);
}

/* Exchanges answers of removals; nothing is answered before it is added. */
static void relax(struct op *ops, uint32_t n, uint32_t factor)
{
    uint32_t *removals = malloc((n + 1) * sizeof *removals), *place = malloc((n + 1) * sizeof *place);
    uint32_t *added = calloc(n + 2, sizeof *added), count = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (ops[i].adds)
            added[ops[i].value] = i;
        else if (ops[i].value) {
            place[count] = count;
            removals[count++] = i;
        }
    }
    for (uint32_t round = 0; factor && round < 8 * count; round++) {
        uint32_t k = count > 1 ? below(count - 1) : 0;
        if (count < 2)
            break;
        struct op *x = &ops[removals[k]], *y = &ops[removals[k + 1]];
        bool near = place[k] + factor >= k + 1 && k + factor >= place[k + 1];
        if (!near || added[y->value] > removals[k])
            continue;
        uint32_t v = x->value, p = place[k];
        x->value = y->value, y->value = v;
        place[k] = place[k + 1], place[k + 1] = p;
    }
    free(removals);
    free(place);
    free(added);
}

static void spoil(struct op *ops, uint32_t n, uint32_t late, uint32_t distance)
{
    uint32_t first = n, other = n;
    for (uint32_t i = late, seen = 0; i < n && seen <= distance; i++)
        if (!ops[i].adds && ops[i].value) {
            if (first == n)
                first = i;
            other = i;
            seen++;
        }
    if (first < n && other != first) {
        uint32_t v = ops[first].value;
        ops[first].value = ops[other].value, ops[other].value = v;
    }
}

static void make_times(struct op *ops, uint32_t n, uint32_t threads, uint32_t busy)
{
    struct op **last = calloc(threads, sizeof *last);
    for (uint32_t i = 0; i < n; i++) {
        struct op *x = &ops[i];
        x->thread = below(threads);
        x->at = (uint64_t)(i + 1) * 1000;
        struct op *before = last[x->thread];
        uint64_t from = before ? before->at : 0, room = x->at - from, used = room * busy / 100;
        uint64_t cut =
            1 + (uint64_t)below((uint32_t)(used > 2 ? used - 2 : 1)); /* how much the earlier one gets */
        if (before)
            before->ret = from + cut;
        x->call = x->at - (used - cut < room ? used - cut : room - 1);
        if (before && x->call <= before->ret)
            x->call = before->ret + 1;
        x->ret = x->at + 1 + below(500);
        last[x->thread] = x;
    }
    free(last);
}

static void write(const char *spec, const struct op *ops, uint32_t n)
{
    const char *add = *spec == 'q' ? "enq" : *spec == 's' ? "push" : "insert";
    const char *remove = *spec == 'q' ? "deq" : *spec == 's' ? "pop" : "delete_min";
    for (uint32_t i = 0; i < n; i++) {
        const struct op *x = &ops[i];
        printf("{\"thread\":%u,\"op\":\"%s\",", x->thread, x->adds ? add : remove);
        if (x->value)
            printf("\"%s\":%u,", x->adds ? "arg" : "result", x->value);
        else
            printf("\"result\":null,");
        printf("\"call\":%lu,\"return\":%lu}\n", x->call, x->ret);
    }
}

int main(int argc, char **argv)
{
    if (argc < 5 || !strchr("qsp", *argv[1])) {
        fprintf(stderr, "usage: relaxed queue|stack|pqueue OPS THREADS FACTOR [SEED [BUSY [OP]]]\n");
        return 2;
    }
    uint32_t n = (uint32_t)atoi(argv[2]), threads = (uint32_t)atoi(argv[3]), factor = (uint32_t)atoi(argv[4]);
    state = 0x9e3779b97f4a7c15u * (argc > 5 ? strtoull(argv[5], NULL, 10) + 1 : 2);
    struct op *ops = calloc(n + 1, sizeof *ops);
    make_legal(argv[1], ops, n);
    relax(ops, n, factor);
    if (argc > 7)
        spoil(ops, n, (uint32_t)atoi(argv[7]), factor + 40);
    make_times(ops, n, threads, argc > 6 ? (uint32_t)atoi(argv[6]) : 60);
    write(argv[1], ops, n);
    free(ops);
    return 0;
}
