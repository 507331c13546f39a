/* SPDX-License-Identifier: Apache-2.0 */
/* Relaxed specifications that were derived from serial runs, against the definition of quasi linearizability: some serial
 * run of the same test is near enough.
 * quasi_derived [--count N] [--seed S] */
#include "explore/schedules/prng.h"
#include "oracle/oracle.h"
#include "spec/registry.h"
#include "spec/serial/serial.h"
#include "spec/quasi/spec_quasi.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 3, OPS = 6, EXACT = -1 };

struct step {
    uint32_t thread;
    int op; /* number in the test */
    plumb_value result;
};

struct bench {
    const struct oracle_spec *spec;
    const char *adds, *takes;
    struct prng random;
    struct history *history;
    uint32_t threads, count;
    int ops[THREADS][OPS];
    uint32_t lengths[THREADS];
    plumb_value args[OPS]; /* PLUMB_OK: takes away */
    uint32_t factor;
    bool adds_move;
    struct serials serials;
};

/* --- random tests ------------------------------------------------------------------------------------------------- */

static const char *name_of(const struct bench *b, int op)
{
    return b->args[op] == PLUMB_OK ? b->takes : b->adds;
}

static void make_test(struct bench *b)
{
    b->threads = 1 + prng_below(&b->random, THREADS);
    b->count = 1 + prng_below(&b->random, OPS);
    for (uint32_t i = 0; i < b->count; i++) {
        uint32_t t = prng_below(&b->random, b->threads);
        b->args[i] = prng_below(&b->random, 2) ? plumb_int(NULL, 1 + i % 4) : PLUMB_OK;
        b->ops[t][b->lengths[t]++] = (int)i;
    }
}

static void list_test(struct bench *b)
{
    b->history = history_create();
    history_object(b->history, PLUMB_NONE);
    serials_init(&b->serials, b->history->values);
    for (uint32_t t = 0; t < b->threads; t++) {
        serials_add_thread(&b->serials, t);
        for (uint32_t i = 0; i < b->lengths[t]; i++) {
            const char *name = name_of(b, b->ops[t][i]);
            plumb_value arg = b->args[b->ops[t][i]];
            serials_add_op(&b->serials, t, name, arg);
            struct history_op op = {.arg = arg,
                                    .result = PLUMB_ANY,
                                    .pending = 1,
                                    .thread = history_thread(b->history, plumb_int(NULL, t)),
                                    .op = history_op_name(b->history, name, strlen(name))};
            history_add(b->history, op, 0);
        }
    }
}

/* --- serial runs, all of them ---------------------------------------------------------------------------------------- */

struct run {
    struct bench *b;
    uint32_t count, done[THREADS];
    struct step steps[OPS];
    struct oracle_state state;
};

typedef bool visitor(struct run *r, const struct step *p);

static bool run_serially(struct run *r, visitor *visit, const struct step *p)
{
    struct bench *b = r->b;
    if (r->count == b->count)
        return visit(r, p);
    for (uint32_t t = 0; t < b->threads; t++) {
        struct run next = *r;
        if (r->done[t] == b->lengths[t])
            continue;
        struct step *s = &next.steps[next.count++];
        *s = (struct step){.thread = t, .op = b->ops[t][next.done[t]++]};
        struct oracle_call call = {.values = b->history->values,
                                   .arg = b->args[s->op],
                                   .result = PLUMB_ANY,
                                   .name = oracle_name(name_of(b, s->op))};
        oracle_perform(b->spec, &next.state, &call, 0, &s->result);
        if (run_serially(&next, visit, p))
            return true;
    }
    return false;
}

static struct run start_of(struct bench *b)
{
    return (struct run){.b = b, .state = oracle_start(b->spec, b->history->values, PLUMB_OK)};
}

static bool note(struct run *r, const struct step *p)
{
    struct serial_step steps[OPS];
    (void)p;
    for (uint32_t i = 0; i < r->count; i++)
        steps[i] = (struct serial_step){r->steps[i].thread, r->steps[i].result};
    serials_add(&r->b->serials, steps, r->count, SERIAL_NO_THREAD);
    return false;
}

/* --- the definition ------------------------------------------------------------------------------------------------------ */

static int class_of(const struct bench *b, const struct step *s)
{
    if (b->args[s->op] != PLUMB_OK)
        return b->adds_move ? 1 : EXACT;
    return s->result == PLUMB_NONE ? EXACT : 0;
}

static bool is_same(const struct bench *b, const struct step *x, const struct step *y)
{
    return b->args[x->op] == b->args[y->op] && x->result == y->result;
}

/* The k-th one of equal operations belongs to the k-th: no other way is nearer. */
static bool is_near(const struct bench *b, const struct step *p, const struct step *q, int class)
{
    bool used[OPS] = {false};
    for (uint32_t i = 0, place = 0; i < b->count; i++) {
        if (class_of(b, &p[i]) != class)
            continue;
        uint32_t k = 0, other = 0;
        while (k < b->count && (class_of(b, &q[k]) != class || used[k] || !is_same(b, &p[i], &q[k])))
            other += class_of(b, &q[k++]) == class;
        if (k == b->count || (other > place ? other - place : place - other) > b->factor)
            return false;
        used[k] = true;
        place++;
    }
    return true;
}

static bool explains(struct run *r, const struct step *p)
{
    const struct bench *b = r->b;
    for (uint32_t i = 0; i < b->count; i++) {
        const struct step *q = &r->steps[i];
        int class = class_of(b, &p[i]);
        if (class_of(b, q) != class)
            return false;
        if (class == EXACT && (q->thread != p[i].thread || !is_same(b, q, &p[i])))
            return false;
    }
    return is_near(b, p, r->steps, 0) && is_near(b, p, r->steps, 1);
}

/* --- one case ---------------------------------------------------------------------------------------------------------------- */

/* A serial run whose answers have changed places, or are others. */
static void make_word(struct bench *b, struct step *p)
{
    struct run r = start_of(b);
    uint32_t done[THREADS] = {0};
    for (uint32_t i = 0; i < b->count;) {
        uint32_t t = prng_below(&b->random, b->threads);
        if (done[t] == b->lengths[t])
            continue;
        p[i] = (struct step){.thread = t, .op = b->ops[t][done[t]++]};
        struct oracle_call call = {
            .arg = b->args[p[i].op], .result = PLUMB_ANY, .name = oracle_name(name_of(b, p[i].op))};
        oracle_perform(b->spec, &r.state, &call, 0, &p[i].result);
        i++;
    }
    for (uint32_t k = prng_below(&b->random, 4); k > 0; k--) {
        struct step *x = &p[prng_below(&b->random, b->count)], *y = &p[prng_below(&b->random, b->count)];
        if (b->args[x->op] != PLUMB_OK || b->args[y->op] != PLUMB_OK)
            continue;
        plumb_value t = x->result;
        x->result = y->result;
        y->result = prng_below(&b->random, 8) ? t : plumb_int(NULL, 1 + prng_below(&b->random, 4));
    }
}

static bool runs(const struct bench *b, const struct plumb_spec *spec, const void *state,
                 const struct step *p, uint32_t left)
{
    if (!left)
        return spec_accepts(spec, state);
    struct plumb_call call = {.op = spec_operation(spec, name_of(b, p->op)),
                              .thread = history_thread(b->history, plumb_int(NULL, p->thread)),
                              .arg = b->args[p->op],
                              .result = p->result};
    bool found = false, possible = true;
    for (unsigned choice = 0; possible && !found; choice++) {
        void *next = spec->clone(state);
        possible = spec->step(next, &call, choice, NULL);
        found = possible && runs(b, spec, next, p + 1, left - 1);
        spec->destroy(next);
    }
    return found;
}

static bool is_accepted(struct bench *b, const struct step *p)
{
    struct diagnostic d = {0};
    char factor[32];
    const struct plumb_spec *specs[] = {spec_derived(&b->serials, b->history)};
    struct plumb_spec_options options = {.values = b->history->values, .initial = PLUMB_OK};
    snprintf(factor, sizeof factor, b->adds_move ? "%s=%u,%s=%u" : "%s=%u", b->takes, b->factor, b->adds,
             b->factor);
    if (!spec_bind(b->history, specs, &d) || !spec_quasi_relax(b->history, specs, factor, &d))
        return false;
    void *start = spec_init(specs[0], &options);
    bool fine = runs(b, specs[0], start, p, b->count);
    specs[0]->destroy(start);
    spec_quasi_free(specs[0]);
    return fine;
}

static bool check(struct bench *b)
{
    struct step p[OPS];
    make_test(b);
    list_test(b);
    struct run r = start_of(b);
    run_serially(&r, note, NULL);
    serials_fold(&b->serials);
    make_word(b, p);
    bool expected = run_serially(&r, explains, p);
    if (is_accepted(b, p) != expected) {
        fprintf(stderr, "%s, factor %u%s: by definition it is%s quasi linearizable:", b->spec->name,
                b->factor, b->adds_move ? " for all" : "", expected ? "" : " not");
        for (uint32_t i = 0; i < b->count; i++)
            fprintf(stderr, " T%u.%s(%ld)=%ld", p[i].thread, name_of(b, p[i].op), (long)b->args[p[i].op] >> 3,
                    (long)p[i].result >> 3);
        fprintf(stderr, "\n");
        exit(1);
    }
    serials_free(&b->serials);
    history_destroy(b->history);
    return expected;
}

int main(int argc, char **argv)
{
    static const char *const specs[][3] = {
        {"queue", "enq", "deq"}, {"stack", "push", "pop"}, {"pqueue", "insert", "delete_min"}};
    uint64_t count = 20000, seed = 1, fine = 0;
    for (int i = 1; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--count") == 0)
            count = strtoull(argv[i + 1], NULL, 10);
        else if (strcmp(argv[i], "--seed") == 0)
            seed = strtoull(argv[i + 1], NULL, 10);
    }
    for (uint64_t i = 0; i < count; i++) {
        const char *const *spec = specs[i % 3];
        struct bench b = {.spec = oracle_find_spec(spec[0]),
                          .adds = spec[1],
                          .takes = spec[2],
                          .random = prng_start(seed, i),
                          .factor = (uint32_t)(i / 3 % 4),
                          .adds_move = i / 12 % 3 == 2};
        fine += check(&b);
    }
    printf("%lu sequences, %lu quasi linearizable\n", count, fine);
    return 0;
}
