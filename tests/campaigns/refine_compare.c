/* SPDX-License-Identifier: Apache-2.0 */
/* The refinement checker against itself without reductions, against free values, and against brute force, on random
 * containers (refine_doubles.h).
 * refine_compare [--count N] [--seed S] [-v] */
#include "explore/schedules/prng.h"
#include "oracle/refine_oracle.h"
#include "refine/refine.h"
#include "support/refine/refine_doubles.h"
#include "spec/registry.h"

#include <stdio.h>
#include <stdlib.h>

struct question {
    struct double_system d;
    struct refine_settings settings;
    char quasi[32];
    const char *spec;
    uint64_t seed, number;
    bool brute;
};

struct tally {
    uint64_t violated, holds, inconclusive, by_brute_force, by_free_values;
};

static bool verbose;

static _Noreturn void die(const struct question *q, const char *what)
{
    fprintf(stderr, "refine_compare: --seed %llu, number %llu (%s %s, %u threads): %s\n",
            (unsigned long long)q->seed, (unsigned long long)q->number, q->spec, q->quasi,
            q->d.system.threads, what);
    exit(1);
}

/* --- questions --------------------------------------------------------------------------------------------------- */

/* A right one, or one that takes any of the next few items. */
static struct double_table draw_list(struct prng *random, const char *spec, unsigned capacity)
{
    bool is_stack = strcmp(spec, "stack") == 0;
    struct double_table t = double_right(capacity, is_stack);
    unsigned reach = 1 + prng_below(random, 3);
    t.sorted = strcmp(spec, "pqueue") == 0;
    for (unsigned count = 1; count < DOUBLE_CELLS; count++)
        for (unsigned i = 0; i < reach && i < count; i++)
            t.takes[count] |= 1u << (is_stack ? count - 1 - i : i);
    return t;
}

static void disturb(struct prng *random, struct double_table *t)
{
    unsigned count = prng_below(random, t->capacity + 1);
    switch (prng_below(random, 7)) {
    case 0: t->splits = true; break;
    case 1: t->says_empty[count] = true; break;
    case 2: t->loses[count] = true; break;
    case 3:
        t->put_at[count] = (uint8_t)prng_below(random, count + 1);
        t->sorted &= prng_below(random, 2);
        break;
    case 4: t->takes[count] |= 1u << prng_below(random, count + 1); break;
    case 5: t->takes[count] = 1u << prng_below(random, count + 1); break;
    default: t->says_full[count] = true;
    }
}

static void draw(struct question *q, uint64_t seed, uint64_t number)
{
    static const char *const specs[] = {"queue", "queue", "stack", "pqueue"};
    struct prng random = prng_start(seed, number);
    struct double_table t = {0};
    *q = (struct question){.seed = seed, .number = number, .spec = specs[prng_below(&random, 4)]};
    unsigned kind = !strcmp(q->spec, "stack") ? 1 : !strcmp(q->spec, "pqueue") ? 2 : 0;
    static const char *const adds[] = {"enq", "push", "insert"}, *const removes[] = {"deq", "pop",
                                                                                     "delete_min"};
    unsigned capacity = 1 + prng_below(&random, 3), factor = prng_below(&random, 3);
    unsigned threads = 1 + (prng_below(&random, 4) != 0) + (prng_below(&random, 8) == 0);
    if (kind == 0 && prng_below(&random, 4) == 0)
        t = (struct double_table){.factor = 1, .segments = 1 + prng_below(&random, 2)};
    else
        t = draw_list(&random, q->spec, capacity);
    for (unsigned i = prng_below(&random, 3); i > 0 && !t.segments; i--)
        disturb(&random, &t);
    double_init(&q->d, &t, threads, adds[kind], removes[kind]);
    snprintf(q->quasi, sizeof q->quasi, "%s=%u", removes[kind], factor);
    q->settings = (struct refine_settings){
        .spec = spec_find(q->spec),
        .quasi = q->quasi,
        .capacity = prng_below(&random, 3) ? 0 : capacity,
        .full = prng_below(&random, 3) ? REFINE_FULL_ANY : prng_below(&random, 3),
    };
    q->brute = prng_below(&random, 4) == 0;
}

/* --- answers ------------------------------------------------------------------------------------------------------ */

static struct refine_result ask(const struct question *q, struct refine_settings settings)
{
    struct refine_result r;
    struct diagnostic d = {0};
    settings.seconds = 20;
    settings.quasi = q->quasi; /* the copy that is here */
    if (!refine_check(&q->d.system, &settings, &r, &d))
        die(q, d.message);
    return r;
}

static void expect_same(const struct question *q, const struct refine_result *a,
                        const struct refine_result *b, const char *what)
{
    if (a->verdict == VERDICT_INCONCLUSIVE || b->verdict == VERDICT_INCONCLUSIVE)
        return;
    if (a->verdict != b->verdict || a->reason != b->reason || a->run.len != b->run.len)
        die(q, what);
}

static void compare_plain(const struct question *q, const struct refine_result *fast)
{
    struct refine_settings settings = q->settings;
    settings.plain = true;
    struct refine_result plain = ask(q, settings);
    expect_same(q, fast, &plain, "without reductions the answer is another one");
    refine_result_free(&plain);
}

static void compare_jobs(const struct question *q, const struct refine_result *fast)
{
    struct refine_settings settings = q->settings;
    settings.jobs = 2;
    struct refine_result other = ask(q, settings);
    expect_same(q, fast, &other, "two threads give another answer than one");
    if (fast->pairs != other.pairs || fast->transitions != other.transitions)
        die(q, "two threads count other pairs than one");
    refine_result_free(&other);
}

static void compare_points(const struct question *q, const struct refine_result *fast)
{
    struct refine_settings settings = q->settings;
    settings.use_points = true;
    struct refine_result other = ask(q, settings);
    expect_same(q, fast, &other, "with linearization points the answer is another one");
    refine_result_free(&other);
}

static unsigned count_additions(const struct refine_result *r)
{
    unsigned count = 0;
    for (size_t i = 0; i < r->run.len; i++)
        count += r->run.data[i].step.kind == REFINE_CALL && r->run.data[i].step.arg_count;
    return count;
}

/* A run with items that are all different is one with free values, if there are enough of them; and a right object stays right when
 * items become equal, unless it looks at them. */
static void compare_free(const struct question *q, const struct refine_result *fast, struct tally *tally)
{
    struct refine_settings settings = q->settings;
    unsigned additions = fast->verdict == VERDICT_VIOLATED ? count_additions(fast) : 2;
    bool is_pqueue = strcmp(q->spec, "pqueue") == 0;
    if (additions > 3 || (is_pqueue && fast->verdict != VERDICT_VIOLATED))
        return;
    settings.free_values = additions ? additions : 1;
    struct refine_result other = ask(q, settings);
    if (!is_pqueue)
        expect_same(q, fast, &other, "with free values the answer is another one");
    else if (other.verdict != VERDICT_VIOLATED || other.run.len > fast->run.len)
        die(q, "with free values the answer is another one");
    tally->by_free_values++;
    refine_result_free(&other);
}

static void compare_brute(const struct question *q, const struct refine_result *fast, struct tally *tally)
{
    unsigned events = 0;
    struct refine_oracle_question o = {
        .system = &q->d.system,
        .spec = q->spec,
        .quasi = q->quasi,
        .capacity = q->settings.capacity,
        .full = (enum refine_oracle_full)q->settings.full,
        .events = q->d.system.threads == 1 ? 10 : 8,
        .most = 30000,
    };
    struct refine_oracle_answer brute = refine_oracle(&o);
    for (size_t i = 0; i < fast->run.len; i++)
        events += fast->run.data[i].step.kind == REFINE_CALL || fast->run.data[i].step.kind == REFINE_RETURN;
    if (fast->verdict == VERDICT_INCONCLUSIVE)
        return;
    if (brute.violated && fast->verdict == VERDICT_HOLDS)
        die(q, "brute force finds what the checker does not");
    if (brute.violated && brute.steps < fast->run.len)
        die(q, "brute force finds something shorter");
    if (fast->verdict == VERDICT_VIOLATED && events <= o.events && !brute.violated && !brute.gave_up)
        die(q, "the checker finds what brute force does not");
    tally->by_brute_force++;
}

static void check(uint64_t seed, uint64_t number, struct tally *tally)
{
    struct question q;
    draw(&q, seed, number);
    q.d.system.ops = q.d.ops;
    q.d.system.locations = q.d.locations;
    q.d.system.thread_offsets = q.d.offsets;
    struct refine_result fast = ask(&q, q.settings);
    if (verbose)
        printf("%llu %s %s threads %u: %d, %llu pairs, %zu steps %s\n", (unsigned long long)number, q.spec,
               q.quasi, q.d.system.threads, fast.verdict, (unsigned long long)fast.pairs, fast.run.len,
               fast.limit);
    compare_plain(&q, &fast);
    compare_jobs(&q, &fast);
    compare_points(&q, &fast);
    compare_free(&q, &fast, tally);
    if (q.brute)
        compare_brute(&q, &fast, tally);
    tally->holds += fast.verdict == VERDICT_HOLDS;
    tally->violated += fast.verdict == VERDICT_VIOLATED;
    tally->inconclusive += fast.verdict == VERDICT_INCONCLUSIVE;
    refine_result_free(&fast);
}

int main(int argc, char **argv)
{
    uint64_t count = 300, seed = 1, first = 0;
    struct tally tally = {0};
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "-v") == 0)
            verbose = true;
        else if (i + 1 < argc && strcmp(argv[i], "--count") == 0)
            count = strtoull(argv[++i], NULL, 10);
        else if (i + 1 < argc && strcmp(argv[i], "--seed") == 0)
            seed = strtoull(argv[++i], NULL, 10);
        else if (i + 1 < argc && strcmp(argv[i], "--from") == 0)
            first = strtoull(argv[++i], NULL, 10);
        else
            return fprintf(stderr, "usage: refine_compare [--count N] [--from N] [--seed S] [-v]\n"), 2;
    }
    for (uint64_t i = first; i < first + count; i++)
        check(seed, i, &tally);
    printf("%llu hold, %llu violated, %llu inconclusive; %llu also with free values, %llu by brute force\n",
           (unsigned long long)tally.holds, (unsigned long long)tally.violated,
           (unsigned long long)tally.inconclusive, (unsigned long long)tally.by_free_values,
           (unsigned long long)tally.by_brute_force);
    return 0;
}
