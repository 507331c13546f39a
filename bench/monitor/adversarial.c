/* SPDX-License-Identifier: Apache-2.0 */
/* Writes histories that are hard on purpose, as JSON lines:
 *   open     one operation stays open from the first stamp to the last
 *   deep     everything is added before anything is taken
 *   overlap  every operation overlaps every other
 *   late     legal up to the last four operations, which are not
 * Outside `overlap`, each operation overlaps its two neighbours. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 4, OPEN_THREAD = THREADS };

struct kind {
    const char *name, *add, *take;
    const char *answer;                      /* of a successful add and take, when it is not the value */
    const char *late;                        /* values of two adds and two takes that no order explains */
    enum { OLDEST, NEWEST, LAST_ONLY } next; /* what a take answers after all the adds */
    bool takes_argument;                     /* take(v) instead of take() = v */
};

static const struct kind kinds[] = {
    {.name = "queue", .add = "enq", .take = "deq", .late = "abba", .next = OLDEST},
    {.name = "stack", .add = "push", .take = "pop", .late = "abab", .next = NEWEST},
    {.name = "pqueue", .add = "insert", .take = "delete_min", .late = "abba", .next = OLDEST},
    {.name = "set", .add = "add", .take = "remove", .late = "aabb", .answer = "true", .takes_argument = true},
    {.name = "register", .add = "write", .take = "read", .late = "abab", .next = LAST_ONLY},
};

static const struct kind *kind;
static uint64_t clock_now;

static void write_op(uint64_t thread, bool is_add, uint64_t value, uint64_t call, uint64_t ret)
{
    printf("{\"thread\":%" PRIu64 ",\"op\":\"%s\"", thread, is_add ? kind->add : kind->take);
    if (is_add || kind->takes_argument)
        printf(",\"arg\":%" PRIu64, value);
    if (kind->answer)
        printf(",\"result\":%s", kind->answer);
    else if (!is_add)
        printf(",\"result\":%" PRIu64, value);
    printf(",\"call\":%" PRIu64 ",\"return\":%" PRIu64 "}\n", call, ret);
}

/* The next operation of a history that is legal in the order of these calls. */
static void write_next(bool is_add, uint64_t value)
{
    write_op(clock_now / 2 % THREADS, is_add, value, clock_now, clock_now + 3);
    clock_now += 2;
}

static void write_alone(bool is_add, uint64_t value)
{
    clock_now += 8;
    write_op(0, is_add, value, clock_now, clock_now + 1);
}

static void write_pairs(uint64_t first, uint64_t last)
{
    for (uint64_t v = first; v <= last; v++) {
        write_next(true, v);
        write_next(false, v);
    }
}

static void write_open(uint64_t ops)
{
    uint64_t pairs = ops / 2, half = pairs / 2;
    clock_now = 2;
    write_pairs(2, half);
    write_next(false, 1);
    write_pairs(half + 1, pairs);
    write_op(OPEN_THREAD, true, 1, 0, clock_now + 2);
}

static void write_deep(uint64_t ops)
{
    uint64_t depth = ops / 2;
    for (uint64_t v = 1; v <= depth; v++)
        write_next(true, v);
    for (uint64_t v = 1; v <= depth; v++)
        write_next(false, kind->next == OLDEST ? v : kind->next == NEWEST ? depth + 1 - v : depth);
}

static void write_overlap(uint64_t ops)
{
    for (uint64_t i = 0; i < ops; i++)
        write_op(i, i % 2 == 0, i / 2 + 1, i, ops + (i * 7919) % ops);
}

static void write_late(uint64_t ops)
{
    uint64_t pairs = ops / 2;
    write_pairs(1, pairs - 2);
    for (unsigned i = 0; i < 4; i++)
        write_alone(i < 2, pairs - 1 + (uint64_t)(kind->late[i] - 'a'));
}

static const struct {
    const char *name;
    void (*write)(uint64_t ops);
} families[] = {{"open", write_open}, {"deep", write_deep}, {"overlap", write_overlap}, {"late", write_late}};

int main(int argc, char **argv)
{
    uint64_t ops = argc == 4 ? strtoull(argv[3], NULL, 10) / 2 * 2 : 0;
    for (size_t i = 0; ops >= 8 && i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(argv[2], kinds[i].name) == 0)
            kind = &kinds[i];
    for (size_t i = 0; kind && i < sizeof families / sizeof *families; i++) {
        if (strcmp(argv[1], families[i].name) == 0) {
            families[i].write(ops);
            return fflush(stdout) == 0 ? 0 : 1;
        }
    }
    fprintf(stderr,
            "usage: adversarial open|deep|overlap|late queue|stack|pqueue|set|register OPERATIONS (>= 8)\n");
    return 2;
}
