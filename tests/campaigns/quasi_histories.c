/* SPDX-License-Identifier: Apache-2.0 */
/* Quasi linearizability of recorded histories: the algorithms for relaxed containers, and the monitor with them, against
 * the definition taken word for word (small histories), and against the general search (longer ones).
 * quasi_histories [--count N] [--middle N] [--seed S] [--spec NAME] [--verbose] */
#include "explore/schedules/prng.h"
#include "monitor/monitor.h"
#include "monitor/quasi/quasi.h"
#include "monitor/quasi/quasi_items.h"
#include "oracle/quasi_oracle.h"
#include "spec/registry.h"
#include "spec/quasi/spec_quasi.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- factors -------------------------------------------------------------------------------------------------- */

/* One class, "add", "remove" or "all", with or without empty answers. */
struct factor_case {
    const char
        *members; /* a for the addition, r for the removal, e for removals that answer empty, * for all */
    uint32_t distance;
    bool complete;
};

static const struct factor_case cases[] = {
    {"r", 1, false}, {"r", 2, false}, {"r", 1, true},   {"r", 2, true},  {"a", 1, false}, {"a", 2, true},
    {"*", 1, false}, {"*", 2, false}, {"re", 1, false}, {"e", 1, false}, {"r", 3, false}, {"r", 0, false},
};

struct kind {
    const char *spec, *add, *remove;
};

static const struct kind kinds[] = {
    {"queue", "enq", "deq"},
    {"stack", "push", "pop"},
    {"pqueue", "insert", "delete_min"},
};
enum { CASES = sizeof cases / sizeof *cases, KINDS = sizeof kinds / sizeof *kinds, MOST = 16, THREADS = 4 };

struct operation {
    bool adds;
    uint32_t thread, call, ret;
    plumb_value arg, result;
    bool pending;
};

struct trial {
    const struct kind *kind;
    const struct factor_case *factor;
    struct prng random;
    uint32_t count;
    struct operation ops[MOST];
    char text[64]; /* the factor */
};

static plumb_value number(uint32_t i)
{
    return plumb_int(NULL, i);
}

static void write_factor(struct trial *t)
{
    const char *m = t->factor->members, *r = t->kind->remove;
    uint32_t d = t->factor->distance;
    if (strcmp(m, "*") == 0)
        snprintf(t->text, sizeof t->text, "all=%u", d);
    else if (strcmp(m, "re") == 0)
        snprintf(t->text, sizeof t->text, "%s+%s/empty=%u", r, r, d);
    else if (strcmp(m, "e") == 0)
        snprintf(t->text, sizeof t->text, "%s/empty=%u", r, d);
    else
        snprintf(t->text, sizeof t->text, "%s=%u", *m == 'a' ? t->kind->add : r, d);
}

/* --- random histories ------------------------------------------------------------------------------------------- */

/* Takes a value out that is near the right one; 0: empty. */
static uint32_t take_near(struct trial *t, uint32_t *inside, uint32_t *count)
{
    if (!*count || !prng_below(&t->random, 12))
        return 0;
    uint32_t best = 0, far = prng_below(&t->random, 4);
    if (strcmp(t->kind->spec, "stack") == 0)
        best = *count - 1;
    for (uint32_t k = 0; strcmp(t->kind->spec, "pqueue") == 0 && k < *count; k++)
        best = inside[k] < inside[best] ? k : best;
    if (prng_below(&t->random, 3))
        best = (best + far) % *count;
    uint32_t value = inside[best];
    memmove(inside + best, inside + best + 1, (--*count - best) * sizeof *inside);
    return value;
}

static void make_operations(struct trial *t)
{
    uint32_t inside[MOST], count = 0, added = 0, order[MOST];
    for (uint32_t k = 0; k < MOST; k++)
        order[k] = k + 1;
    for (uint32_t k = MOST; k-- > 1;) {
        uint32_t j = prng_below(&t->random, k + 1), x = order[k];
        order[k] = order[j], order[j] = x;
    }
    bool repeats = !prng_below(&t->random, 6);
    for (uint32_t i = 0; i < t->count; i++) {
        struct operation *o = &t->ops[i];
        *o = (struct operation){.adds = prng_below(&t->random, 20) < 11, .arg = PLUMB_OK, .result = PLUMB_OK};
        if (o->adds) {
            uint32_t value = repeats ? 1 + prng_below(&t->random, 2) : order[added++];
            o->arg = number(value);
            inside[count++] = value;
        } else {
            uint32_t value = take_near(t, inside, &count);
            if (!value && count && !prng_below(&t->random, 2)) /* mostly a lie */
                value = inside[0];
            o->result = value ? number(value) : PLUMB_NONE;
        }
    }
    for (uint32_t k = prng_below(&t->random, 3); t->count > 1 && k > 0; k--) { /* values from the future */
        uint32_t i = prng_below(&t->random, t->count - 1);
        struct operation x = t->ops[i];
        t->ops[i] = t->ops[i + 1], t->ops[i + 1] = x;
    }
}

/* They take effect one after the other, inside of intervals that may overlap. */
static void make_times(struct trial *t)
{
    uint32_t last[THREADS] = {0}, threads = 1 + prng_below(&t->random, THREADS);
    bool pending = !prng_below(&t->random, 4);
    for (uint32_t i = 0; i < t->count; i++) {
        struct operation *o = &t->ops[i];
        uint32_t at = 40 * (i + 1), reach = 1 + prng_below(&t->random, 120);
        o->thread = prng_below(&t->random, threads);
        uint32_t from = last[o->thread] + 1;
        o->call = (at > from + reach ? at - reach : from) * 32 + i;
        o->ret = (at + 1 + prng_below(&t->random, 30)) * 32 + i;
        last[o->thread] = at + 31;
    }
    for (uint32_t thread = 0; pending && thread < threads; thread++)
        for (uint32_t i = t->count; i-- > 0;)
            if (t->ops[i].thread == thread) {
                t->ops[i].pending = !prng_below(&t->random, 3);
                break;
            }
}

/* --- the definition ----------------------------------------------------------------------------------------------- */

static void make_classes(const struct trial *t, struct quasi_question *q)
{
    int add = oracle_name(t->kind->add), remove = oracle_name(t->kind->remove);
    memset(q->class_of, 0xff, sizeof q->class_of);
    for (const char *m = t->factor->members; *m; m++) {
        if (*m == '*' || *m == 'a')
            q->class_of[add][0] = 0;
        if (*m == '*' || *m == 'r')
            q->class_of[remove][0] = 0;
        if (*m == '*' || *m == 'e')
            q->class_of[remove][1] = 0;
    }
    q->distance[0] = t->factor->distance;
}

static void list_values(const struct trial *t, struct plumb_values *values, struct quasi_question *q)
{
    bool moves = strchr(t->factor->members, 'r') && !t->factor->complete;
    for (uint32_t i = 0; i < t->count; i++) {
        bool known = !t->ops[i].adds;
        for (uint32_t k = 0; k < q->result_count && !known; k++)
            known = q->results[k] == t->ops[i].arg;
        if (known)
            continue;
        q->results[q->result_count++] = t->ops[i].arg;
        if (moves)
            q->appendable[q->appendable_count++] = (struct oracle_call){.values = values,
                                                                        .arg = PLUMB_OK,
                                                                        .result = t->ops[i].arg,
                                                                        .name = oracle_name(t->kind->remove)};
    }
    q->append_most = moves ? t->factor->distance : 0;
    q->results[q->result_count++] = PLUMB_OK;
    q->results[q->result_count++] = PLUMB_NONE;
}

static bool is_quasi(const struct trial *t, struct plumb_values *values)
{
    struct quasi_question q = {.spec = oracle_find_spec(t->kind->spec), .values = values};
    struct oracle_call ops[MOST];
    uint32_t before[MOST], completed = 0;
    make_classes(t, &q);
    list_values(t, values, &q);
    for (uint32_t i = 0; i < t->count; i++) {
        const struct operation *o = &t->ops[i];
        ops[i] = (struct oracle_call){.values = values,
                                      .arg = o->arg,
                                      .result = o->pending ? PLUMB_ANY : o->result,
                                      .name = oracle_name(o->adds ? t->kind->add : t->kind->remove)};
        completed |= o->pending ? 0 : 1u << i;
        before[i] = 0;
        for (uint32_t a = 0; a < t->count; a++)
            if (!t->ops[a].pending && t->ops[a].ret < o->call)
                before[i] |= 1u << a;
    }
    return quasi_oracle_history(&q, ops, t->count, completed, before);
}

/* --- the product -------------------------------------------------------------------------------------------------------- */

static struct history *history_of(const struct trial *t)
{
    struct history *h = history_create();
    history_object(h, PLUMB_NONE);
    for (uint32_t i = 0; i < t->count; i++) {
        const struct operation *o = &t->ops[i];
        const char *name = o->adds ? t->kind->add : t->kind->remove;
        history_add(h,
                    (struct history_op){.call = o->call,
                                        .ret = o->ret,
                                        .arg = o->arg,
                                        .result = o->pending ? PLUMB_ANY : o->result,
                                        .pending = o->pending,
                                        .thread = history_thread(h, number(o->thread)),
                                        .op = history_op_name(h, name, strlen(name))},
                    0);
    }
    return h;
}

static void print_trial(const struct trial *t, const char *what)
{
    printf("%s: %s --quasi %s%s\n", what, t->kind->spec, t->text, t->factor->complete ? " --reading c" : "");
    for (uint32_t i = 0; i < t->count; i++) {
        const struct operation *o = &t->ops[i];
        printf("{\"thread\":%u,\"op\":\"%s\",", o->thread, o->adds ? t->kind->add : t->kind->remove);
        if (o->adds)
            printf("\"arg\":%d,", (int)plumb_int_of(NULL, o->arg));
        else if (!o->pending && o->result == PLUMB_NONE)
            printf("\"result\":null,");
        else if (!o->pending)
            printf("\"result\":%d,", (int)plumb_int_of(NULL, o->result));
        printf("\"call\":%u", o->call);
        if (!o->pending)
            printf(",\"return\":%u", o->ret);
        printf("}\n");
    }
}

static void fail(const struct trial *t, const char *what)
{
    print_trial(t, what);
    exit(1);
}

struct subject {
    struct history *history;
    const struct plumb_spec *spec;
    struct plumb_spec_options options;
    struct part part;
};

static void open_subject(const struct trial *t, struct subject *s)
{
    struct diagnostic d = {0};
    s->history = history_of(t);
    s->spec = spec_find(t->kind->spec);
    s->options = (struct plumb_spec_options){.values = s->history->values, .initial = PLUMB_OK};
    if (!spec_bind(s->history, &s->spec, &d) || !spec_quasi_relax(s->history, &s->spec, t->text, &d))
        fail(t, d.message);
    if (t->factor->complete)
        spec_quasi_append_nothing(s->spec);
    s->part = (struct part){.spec = s->spec, .options = &s->options, .history = s->history};
    if (!order_rank(s->history, &s->part.order, &d))
        fail(t, d.message);
}

static void close_subject(struct subject *s)
{
    order_free(&s->part.order);
    spec_quasi_free(s->spec);
    history_destroy(s->history);
}

static enum verdict monitor(const struct trial *t, struct subject *s, bool only_general)
{
    struct budget budget = budget_start(60, 0);
    struct diagnostic d = {0};
    struct monitor_result result;
    struct monitor_settings settings = {
        .options = &s->options, .specs = &s->spec, .budget = &budget, .only_general = only_general};
    if (!monitor_history(s->history, &settings, &result, &d))
        fail(t, d.message);
    enum verdict verdict = result.verdict;
    monitor_result_free(&result);
    return verdict;
}

/* --- comparing ------------------------------------------------------------------------------------------------------------ */

struct tally {
    uint64_t histories, fine, fast;
};

/* What an algorithm says about the history: -1 nothing, 0 violated, 1 holds. */
static int ask(struct subject *s, unsigned shortcuts)
{
    struct budget budget = budget_start(60, 0);
    struct decision d = {0};
    enum verdict verdict = shortcuts == QUASI_ALL_SHORTCUTS
                               ? quasi_decide(&s->part, &budget, &d)
                               : quasi_decide_again(&s->part, shortcuts, &budget);
    decision_free(&d);
    return verdict == VERDICT_HOLDS ? 1 : verdict == VERDICT_VIOLATED ? 0 : -1;
}

static void compare(struct trial *t, struct subject *s, bool expected, struct tally *seen)
{
    bool has_pending = false;
    for (uint32_t i = 0; i < t->count; i++)
        has_pending |= t->ops[i].pending;
    int answer = ask(s, QUASI_ALL_SHORTCUTS);
    int second = has_pending || answer < 0 ? -1 : ask(s, prng_below(&t->random, QUASI_ALL_SHORTCUTS));
    if (answer >= 0 && answer != expected)
        fail(t, expected ? "holds, but not for the algorithm" : "violated, but not for the algorithm");
    if (second >= 0 && second != expected)
        fail(t, expected ? "holds, but not with fewer shortcuts" : "violated, but not with fewer shortcuts");
    if (monitor(t, s, false) != (expected ? VERDICT_HOLDS : VERDICT_VIOLATED))
        fail(t, expected ? "holds, but not for the monitor" : "violated, but not for the monitor");
    if (prng_below(&t->random, 8) == 0 &&
        monitor(t, s, true) != (expected ? VERDICT_HOLDS : VERDICT_VIOLATED))
        fail(t, "the general search disagrees");
    seen->histories++;
    seen->fine += expected;
    seen->fast += answer >= 0;
}

static void make_trial(struct trial *t, uint32_t kind, uint32_t factor, uint64_t seed, uint64_t i,
                       uint32_t most)
{
    *t = (struct trial){.kind = &kinds[kind], .factor = &cases[factor]};
    t->random = prng_start(seed, (i * CASES + factor) * KINDS + kind);
    t->count = most / 3 + prng_below(&t->random, most - most / 3 + 1);
    write_factor(t);
    make_operations(t);
    make_times(t);
}

static void check_small(struct trial *t, struct tally *seen)
{
    struct subject s;
    open_subject(t, &s);
    compare(t, &s, is_quasi(t, s.history->values), seen);
    close_subject(&s);
}

/* Too long for the definition: the general search says what is right. */
static void check_middle(struct trial *t, struct tally *seen)
{
    struct subject s;
    open_subject(t, &s);
    if (ask(&s, QUASI_ALL_SHORTCUTS) >= 0) {
        enum verdict verdict = monitor(t, &s, true);
        if (verdict != VERDICT_INCONCLUSIVE)
            compare(t, &s, verdict == VERDICT_HOLDS, seen);
    }
    close_subject(&s);
}

int main(int argc, char **argv)
{
    uint64_t count = 300, middle = 60, seed = 1;
    const char *only = NULL;
    bool verbose = false;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--verbose") == 0)
            verbose = true;
        else if (i + 1 == argc)
            return 2;
        else if (strcmp(argv[i], "--count") == 0)
            count = strtoull(argv[++i], NULL, 10);
        else if (strcmp(argv[i], "--middle") == 0)
            middle = strtoull(argv[++i], NULL, 10);
        else if (strcmp(argv[i], "--seed") == 0)
            seed = strtoull(argv[++i], NULL, 10);
        else if (strcmp(argv[i], "--spec") == 0)
            only = argv[++i];
    }
    for (uint32_t k = 0; k < KINDS; k++)
        for (uint32_t f = 0; f < CASES; f++) {
            struct tally small = {0}, longer = {0};
            struct trial t;
            if (only && strcmp(only, kinds[k].spec) != 0)
                continue;
            for (uint64_t i = 0; i < count; i++) {
                make_trial(&t, k, f, seed, i, 7);
                if (verbose)
                    print_trial(&t, "trial"), fflush(stdout);
                check_small(&t, &small);
            }
            for (uint64_t i = 0; i < middle && strcmp(cases[f].members, "r") == 0; i++) {
                make_trial(&t, k, f, seed + 1, i, 14);
                if (verbose)
                    print_trial(&t, "longer trial"), fflush(stdout);
                check_middle(&t, &longer);
            }
            printf("%-7s %-24s %lu histories, %lu fine, %lu by the algorithm; %lu longer, %lu fine\n",
                   kinds[k].spec, t.text, small.histories, small.fine, small.fast, longer.histories,
                   longer.fine);
        }
    return 0;
}
