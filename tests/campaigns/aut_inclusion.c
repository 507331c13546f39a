/* SPDX-License-Identifier: Apache-2.0 */
/* aut_inclusion IMPL.aut SPEC.aut: is every trace of the first also one of the second? Prints "holds" or "violated". Shares no
 * code with the tool: labels are strings, sets of
 * states are bit vectors, every pair of state and set is visited. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct edge {
    int from, to;
    char *label; /* null: internal */
};

struct lts {
    int start, states, count;
    struct edge *edges;
};

static struct lts read_lts(const char *path)
{
    struct lts l = {0};
    char *line = NULL, label[256];
    size_t size = 0;
    FILE *f = fopen(path, "r");
    if (!f || getline(&line, &size, f) < 0 ||
        sscanf(line, "des (%d, %d, %d)", &l.start, &l.count, &l.states) != 3) {
        fprintf(stderr, "%s cannot be read\n", path);
        exit(2);
    }
    l.edges = calloc((size_t)l.count + 1, sizeof *l.edges);
    for (int i = 0; i < l.count; i++) {
        struct edge *e = &l.edges[i];
        if (getline(&line, &size, f) < 0 ||
            sscanf(line, "(%d, \"%255[^\"]\", %d)", &e->from, label, &e->to) != 3) {
            fprintf(stderr, "%s:%d cannot be read\n", path, i + 2);
            exit(2);
        }
        e->label = strcmp(label, "tau") ? strdup(label) : NULL;
    }
    fclose(f);
    free(line);
    return l;
}

typedef uint64_t word;
static struct lts impl, spec;
static size_t words; /* of a set */

static bool has(const word *set, int state)
{
    return set[state / 64] >> state % 64 & 1;
}

static void close_set(word *set)
{
    for (bool grew = true; grew;) {
        grew = false;
        for (int i = 0; i < spec.count; i++) {
            const struct edge *e = &spec.edges[i];
            if (!e->label && has(set, e->from) && !has(set, e->to)) {
                set[e->to / 64] |= (word)1 << e->to % 64;
                grew = true;
            }
        }
    }
}

/* False: nobody follows. */
static bool follow(const word *set, const char *label, word *next)
{
    bool any = false;
    memset(next, 0, words * sizeof *next);
    for (int i = 0; i < spec.count; i++) {
        const struct edge *e = &spec.edges[i];
        if (e->label && has(set, e->from) && !strcmp(e->label, label)) {
            next[e->to / 64] |= (word)1 << e->to % 64;
            any = true;
        }
    }
    close_set(next);
    return any;
}

struct pair {
    int state;
    word *set;
};

static struct pair *pairs;
static size_t pair_count;

static void add_pair(int state, const word *set)
{
    for (size_t i = 0; i < pair_count; i++)
        if (pairs[i].state == state && !memcmp(pairs[i].set, set, words * sizeof *set))
            return;
    pairs = realloc(pairs, (pair_count + 1) * sizeof *pairs);
    pairs[pair_count] = (struct pair){state, malloc(words * sizeof *set)};
    memcpy(pairs[pair_count++].set, set, words * sizeof *set);
}

static bool is_included(void)
{
    word *next = calloc(words, sizeof *next);
    bool included = true;
    for (size_t p = 0; p < pair_count && included; p++) {
        for (int i = 0; i < impl.count && included; i++) {
            const struct edge *e = &impl.edges[i];
            if (e->from != pairs[p].state)
                continue;
            if (!e->label)
                add_pair(e->to, pairs[p].set);
            else if (follow(pairs[p].set, e->label, next))
                add_pair(e->to, next);
            else
                included = false;
        }
    }
    free(next);
    return included;
}

int main(int count, char **arguments)
{
    if (count != 3)
        return 2;
    impl = read_lts(arguments[1]);
    spec = read_lts(arguments[2]);
    words = (size_t)spec.states / 64 + 1;
    word *first = calloc(words, sizeof *first);
    first[spec.start / 64] |= (word)1 << spec.start % 64;
    close_set(first);
    add_pair(impl.start, first);
    puts(is_included() ? "holds" : "violated");
    free(first);
    return 0;
}
