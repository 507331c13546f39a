/* SPDX-License-Identifier: Apache-2.0 */
/* The relaxed specification, the judge and the monitor with it, against the definition of quasi linearizability taken
 * word for word, on random sequences and histories.
 * quasi_words [--count N] [--histories N] [--seed S] [--spec NAME] */
#include "explore/schedules/prng.h"
#include "judge/judge.h"
#include "monitor/monitor.h"
#include "oracle/quasi_oracle.h"
#include "spec/registry.h"
#include "spec/quasi/spec_quasi.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- what is relaxed ------------------------------------------------------------------------------------------ */

/* Classes as the option has them, "%u" is the factor; `plain` is what a mere number means. */
struct shape_of_factor {
    const char *spec, *text, *plain;
    uint32_t most; /* factor that brute force can bear */
};

static const struct shape_of_factor shapes[] = {
    {"queue", "%u", "deq=%u", 4},
    {"queue", "deq=%u", NULL, 4},
    {"queue", "enq=%u", NULL, 4},
    {"queue", "deq=%u,enq=1", NULL, 3},
    {"queue", "deq+deq/empty=%u", NULL, 3},
    {"queue", "deq=%u,deq/empty=2", NULL, 3},
    {"queue", "deq=%u,peek=1", NULL, 3},
    {"queue", "enq+deq=%u", NULL, 3},
    {"queue", "all=%u", NULL, 4},
    {"stack", "%u", "pop=%u", 4},
    {"stack", "push=%u,pop=1", NULL, 3},
    {"stack", "all=%u", NULL, 4},
    {"pqueue", "%u", "delete_min=%u", 4},
    {"pqueue", "insert=%u", NULL, 4},
    {"pqueue", "all=%u", NULL, 4},
    {"set", "%u", "remove=%u", 4},
    {"set", "add+remove=%u", NULL, 3},
    {"set", "contains=%u", NULL, 4},
    {"set", "all=%u", NULL, 4},
    {"deque", "%u", "pop_front=%u,pop_back=%u", 1},
    {"deque", "pop_front+pop_back=%u", NULL, 2},
};
enum { SHAPES = sizeof shapes / sizeof *shapes, VALUES = 3, OPS = 8 };

struct bench {
    const struct shape_of_factor *shape;
    const struct plumb_spec *base;
    struct plumb_values *values;
    struct plumb_spec_options options;
    struct quasi_question question;
    char factor[64];
    uint32_t owed; /* at most so many have to be appended */
    struct prng random;
};

static plumb_value number(uint32_t i)
{
    return plumb_int(NULL, i);
}

static bool is_name(const char *name, const char *list)
{
    char words[96];
    snprintf(words, sizeof words, " %s ", list);
    char word[32];
    snprintf(word, sizeof word, " %s ", name);
    return strstr(words, word);
}

static bool takes_away(const char *name)
{
    return is_name(name, "deq pop pop_front pop_back delete_min remove");
}

/* Reads the shape's text a second time, in a simpler way than the product. */
static void read_classes(struct bench *b, const char *text)
{
    struct quasi_question *q = &b->question;
    char copy[96], *class_rest, *member_rest;
    int class = 0;
    snprintf(copy, sizeof copy, "%s", text);
    for (char *c = strtok_r(copy, ",", &class_rest); c; c = strtok_r(NULL, ",", &class_rest), class ++) {
        char *equals = strchr(c, '=');
        *equals = 0;
        q->distance[class] = (uint32_t)atoi(equals + 1);
        for (char *m = strtok_r(c, "+", &member_rest); m; m = strtok_r(NULL, "+", &member_rest)) {
            char *slash = strchr(m, '/');
            if (slash)
                *slash = 0;
            for (int n = 0; strcmp(m, "all") == 0 && n < QUASI_NAMES; n++)
                q->class_of[n][0] = q->class_of[n][1] = class;
            if (strcmp(m, "all") != 0)
                q->class_of[oracle_name(m)][slash != NULL] = class;
        }
    }
}

static struct oracle_call call_named(const struct bench *b, const char *name, plumb_value arg,
                                     plumb_value result)
{
    return (struct oracle_call){
        .values = b->values, .arg = arg, .result = result, .name = oracle_name(name), .thread = 0};
}

static void list_appendable(struct bench *b)
{
    struct quasi_question *q = &b->question;
    bool counted[QUASI_ORACLE_CLASSES] = {false};
    if (strstr(b->shape->text, "all"))
        return;
    for (uint32_t op = 0; op < b->base->operation_count; op++) {
        const struct plumb_operation *o = &b->base->operations[op];
        int class = q->class_of[oracle_name(o->name)][0];
        if (!takes_away(o->name) || class == QUASI_EXACT)
            continue;
        for (uint32_t v = 1; v <= VALUES; v++)
            q->appendable[q->appendable_count++] = o->args[0] ? call_named(b, o->name, number(v), PLUMB_TRUE)
                                                              : call_named(b, o->name, PLUMB_OK, number(v));
        b->owed += counted[class] ? 0 : q->distance[class];
        counted[class] = true;
    }
}

static void open_bench(struct bench *b, uint32_t shape, uint32_t factor)
{
    char text[96];
    memset(b, 0, sizeof *b);
    b->shape = &shapes[shape];
    b->base = spec_find(b->shape->spec);
    b->values = plumb_values_create();
    b->options = (struct plumb_spec_options){.values = b->values, .initial = PLUMB_OK};
    b->question = (struct quasi_question){.spec = oracle_find_spec(b->shape->spec), .values = b->values};
    memset(b->question.class_of, 0xff, sizeof b->question.class_of);
    snprintf(b->factor, sizeof b->factor, b->shape->text, factor, factor);
    snprintf(text, sizeof text, b->shape->plain ? b->shape->plain : b->shape->text, factor, factor);
    read_classes(b, text);
    list_appendable(b);
    struct diagnostic d = {0};
    if (!spec_quasi_check(b->factor, &b->base, 1, &d)) {
        fprintf(stderr, "%s\n", d.message);
        exit(1);
    }
}

static void close_bench(struct bench *b)
{
    plumb_values_destroy(b->values);
}

/* --- random words --------------------------------------------------------------------------------------------- */

static plumb_value random_value(struct bench *b)
{
    return number(1 + prng_below(&b->random, VALUES));
}

static const char *random_name(struct bench *b)
{
    const struct plumb_operation *o = &b->base->operations[prng_below(&b->random, b->base->operation_count)];
    return o->reads && prng_below(&b->random, 3) ? random_name(b) : o->name;
}

static plumb_value random_result(struct bench *b, const struct plumb_operation *o)
{
    if (strchr(o->results, 'k'))
        return PLUMB_OK;
    if (strchr(o->results, 'b'))
        return plumb_bool(prng_below(&b->random, 2));
    return prng_below(&b->random, 5) ? random_value(b) : PLUMB_NONE;
}

static const struct plumb_operation *operation_of(const struct bench *b, const char *name)
{
    return &b->base->operations[spec_operation(b->base, name)];
}

/* A legal sequence, or (not `legal`) one with any answers. */
static void random_word(struct bench *b, struct oracle_call *word, const char **names, uint32_t count,
                        bool legal)
{
    struct oracle_state s = oracle_start(b->question.spec, b->values, PLUMB_OK);
    for (uint32_t i = 0; i < count; i++) {
        names[i] = random_name(b);
        const struct plumb_operation *o = operation_of(b, names[i]);
        word[i] = call_named(b, names[i], o->args[0] ? random_value(b) : PLUMB_OK, random_result(b, o));
        if (legal)
            oracle_perform(b->question.spec, &s, &word[i], 0, &word[i].result);
    }
}

/* Changes places of operations that are near each other, mostly of one class. */
static void disturb(struct bench *b, struct oracle_call *word, const char **names, uint32_t count)
{
    for (uint32_t k = prng_below(&b->random, 4); count > 1 && k > 0; k--) {
        uint32_t i = prng_below(&b->random, count), j = prng_below(&b->random, count);
        if (word[i].name != word[j].name && prng_below(&b->random, 6))
            continue;
        struct oracle_call t = word[i];
        const char *n = names[i];
        word[i] = word[j], names[i] = names[j];
        word[j] = t, names[j] = n;
    }
}

static uint32_t make_word(struct bench *b, struct oracle_call *word, const char **names, uint32_t most)
{
    uint32_t count = 1 + prng_below(&b->random, most), way = prng_below(&b->random, 4);
    random_word(b, word, names, count, way > 0);
    if (way > 0)
        disturb(b, word, names, count);
    return count;
}

/* --- words ------------------------------------------------------------------------------------------------------ */

static struct plumb_call product_call(const struct bench *b, const struct oracle_call *c, const char *name)
{
    return (struct plumb_call){
        .op = spec_operation(b->base, name), .thread = c->thread, .arg = c->arg, .result = c->result};
}

static struct plumb_spec *relax(const struct bench *b, const struct oracle_call *word,
                                const char *const *names, uint32_t count)
{
    struct plumb_call calls[QUASI_WORD];
    for (uint32_t i = 0; i < count; i++)
        calls[i] = product_call(b, &word[i], names[i]);
    return spec_quasi_new(b->base, b->factor, b->values, calls, count);
}

static bool runs(const struct bench *b, const struct plumb_spec *spec, const void *state,
                 const struct oracle_call *word, const char *const *names, uint32_t count)
{
    if (!count)
        return spec_accepts(spec, state);
    struct plumb_call call = product_call(b, word, *names);
    for (unsigned choice = 0;; choice++) {
        void *next = spec->clone(state);
        bool possible = spec->step(next, &call, choice, NULL);
        bool found = possible && runs(b, spec, next, word + 1, names + 1, count - 1);
        spec->destroy(next);
        if (found || !possible)
            return found;
    }
}

static void print_word(const struct bench *b, const struct oracle_call *word, const char *const *names,
                       uint32_t count)
{
    fprintf(stderr, "%s --quasi %s:", b->shape->spec, b->factor);
    for (uint32_t i = 0; i < count; i++) {
        fprintf(stderr, " %s", names[i]);
        if (word[i].arg != PLUMB_OK)
            fprintf(stderr, "(%d)", (int)plumb_int_of(b->values, word[i].arg));
        if (plumb_is_int(word[i].result))
            fprintf(stderr, "=%d", (int)plumb_int_of(b->values, word[i].result));
        else if (word[i].result != PLUMB_OK)
            fprintf(stderr, "=%s",
                    word[i].result == PLUMB_NONE   ? "empty"
                    : word[i].result == PLUMB_TRUE ? "true"
                    : word[i].result == PLUMB_ANY  ? "?"
                                                   : "false");
    }
    fprintf(stderr, "\n");
}

static void fail(const struct bench *b, const struct oracle_call *word, const char *const *names,
                 uint32_t count, const char *what)
{
    print_word(b, word, names, count);
    fprintf(stderr, "%s\n", what);
    exit(1);
}

static bool check_word(struct bench *b)
{
    struct oracle_call word[QUASI_WORD];
    const char *names[QUASI_WORD];
    uint32_t count = make_word(b, word, names, OPS);
    b->question.append_most = b->owed + (b->owed < 3); /* one more is of no use */
    bool expected = quasi_oracle_word(&b->question, word, count);
    struct plumb_spec *spec = relax(b, word, names, count);
    void *start = spec_init(spec, &b->options);
    bool found = runs(b, spec, start, word, names, count);
    spec->destroy(start);
    spec_quasi_free(spec);
    if (found != expected)
        fail(b, word, names, count,
             expected ? "by definition it is quasi linearizable" : "by definition it is not");
    return expected;
}

/* --- histories -------------------------------------------------------------------------------------------------- */

struct timeline {
    uint32_t count, completed;
    struct oracle_call ops[QUASI_WORD];
    const char *names[QUASI_WORD];
    uint32_t thread[QUASI_WORD];
    uint32_t call[QUASI_WORD], ret[QUASI_WORD]; /* pending: never */
};

enum { THREADS = 3, NEVER = 1000 };

/* The word's operations take effect one after the other, inside of intervals that may overlap. */
static void make_timeline(struct bench *b, struct timeline *t, uint32_t most, bool pending)
{
    uint32_t last[THREADS] = {0};
    memset(t, 0, sizeof *t);
    t->count = make_word(b, t->ops, t->names, most);
    for (uint32_t i = 0; i < t->count; i++) {
        uint32_t at = 40 * (i + 1), thread = prng_below(&b->random, THREADS);
        uint32_t from = last[thread] + 1, reach = 1 + prng_below(&b->random, 120);
        t->thread[i] = thread;
        t->call[i] = (at > from + reach ? at - reach : from) * 16 + i;
        t->ret[i] = (at + 1 + prng_below(&b->random, 30)) * 16 + i;
        last[thread] = at + 31;
        t->completed |= 1u << i;
    }
    for (uint32_t thread = 0; pending && thread < THREADS; thread++)
        for (uint32_t i = t->count; i-- > 0;)
            if (t->thread[i] == thread) {
                if (!prng_below(&b->random, 3)) {
                    t->completed &= ~(1u << i);
                    t->ret[i] = NEVER * 16;
                    t->ops[i].result = PLUMB_ANY;
                }
                break;
            }
}

static void find_before(const struct timeline *t, uint32_t *before)
{
    for (uint32_t b = 0; b < t->count; b++) {
        before[b] = 0;
        for (uint32_t a = 0; a < t->count; a++)
            if (t->completed >> a & 1 && t->ret[a] < t->call[b])
                before[b] |= 1u << a;
    }
}

static void execution_of(const struct bench *b, const struct timeline *t, struct judge_execution *x)
{
    *x = (struct judge_execution){.count = t->count, .completed = t->completed, .timed = true};
    x->ending = t->completed == (1u << t->count) - 1 ? JUDGE_ENDED : JUDGE_CUT;
    for (uint32_t i = 0; i < t->count; i++) {
        struct plumb_call c = product_call(b, &t->ops[i], t->names[i]);
        x->ops[i] = (struct judge_op){c.arg, c.result, c.op, t->thread[i], 0};
        x->hint[i] = (uint8_t)i;
    }
}

/* The history as it is: everything about the order of calls and returns is known. */
static enum verdict judge_history_of(const struct bench *b, const struct timeline *t,
                                     const struct plumb_spec *spec, const uint32_t *before)
{
    static struct judge_execution x;
    struct judge_settings settings = {.specs = &spec, .objects = 1, .options = &b->options};
    struct judge *judge = judge_new(&settings);
    execution_of(b, t, &x);
    for (uint32_t c = 0; c < t->count; c++)
        for (uint32_t a = 0; a < t->count; a++) {
            if (a == c || !(t->completed >> a & 1))
                continue;
            if (before[c] >> a & 1)
                x.after[a] |= UINT64_C(1) << c;
            else
                x.knows[c] |= UINT64_C(1) << a;
        }
    enum verdict verdict = judge_decide(judge, &x, NULL);
    judge_free(judge);
    return verdict;
}

static enum verdict monitor_history_of(struct bench *b, const struct timeline *t,
                                       const struct plumb_spec *spec)
{
    struct history *h = history_create();
    struct plumb_values *own = h->values;
    struct budget budget = budget_start(10, 0);
    struct diagnostic d = {0};
    h->values = b->values;
    history_object(h, PLUMB_NONE);
    for (uint32_t i = 0; i < t->count; i++)
        history_add(h,
                    (struct history_op){.call = t->call[i],
                                        .ret = t->ret[i],
                                        .arg = t->ops[i].arg,
                                        .result = t->ops[i].result,
                                        .pending = !(t->completed >> i & 1),
                                        .thread = history_thread(h, number(t->thread[i])),
                                        .op = history_op_name(h, t->names[i], strlen(t->names[i]))},
                    0);
    struct monitor_settings settings = {.options = &b->options, .specs = &spec, .budget = &budget};
    struct monitor_result result = {.verdict = VERDICT_INCONCLUSIVE};
    if (!spec_bind(h, &spec, &d) || !monitor_history(h, &settings, &result, &d))
        fail(b, t->ops, t->names, t->count, d.message);
    enum verdict verdict = result.verdict;
    monitor_result_free(&result);
    h->values = own;
    history_destroy(h);
    return verdict;
}

static void list_results(struct bench *b)
{
    struct quasi_question *q = &b->question;
    static const plumb_value others[] = {PLUMB_OK, PLUMB_NONE, PLUMB_TRUE, PLUMB_FALSE};
    q->result_count = 0;
    for (uint32_t v = 1; v <= VALUES; v++)
        q->results[q->result_count++] = number(v);
    for (uint32_t k = 0; k < 4; k++)
        q->results[q->result_count++] = others[k];
}

static bool check_timeline(struct bench *b, bool pending)
{
    struct timeline t;
    uint32_t before[QUASI_WORD];
    make_timeline(b, &t, pending ? 4 : 5, pending);
    find_before(&t, before);
    bool expected = quasi_oracle_history(&b->question, t.ops, t.count, t.completed, before);
    struct plumb_spec *spec = relax(b, t.ops, t.names, t.count);
    if (judge_history_of(b, &t, spec, before) != (expected ? VERDICT_HOLDS : VERDICT_VIOLATED))
        fail(b, t.ops, t.names, t.count, "judged, the history gets another verdict than by definition");
    if (monitor_history_of(b, &t, spec) != (expected ? VERDICT_HOLDS : VERDICT_VIOLATED))
        fail(b, t.ops, t.names, t.count, "monitored, the history gets another verdict than by definition");
    spec_quasi_free(spec);
    return expected;
}

/* --- every client ------------------------------------------------------------------------------------------------ */

/* Calls and returns in every order that agrees with program order and with what is known. */
struct clients {
    struct bench *b;
    struct timeline t;
    uint64_t knows[QUASI_WORD];
    uint32_t called, returned;
    uint32_t before[QUASI_WORD];
};

static bool all_clients_fine(struct clients *c)
{
    const struct timeline *t = &c->t;
    uint32_t all = (1u << t->count) - 1;
    if (c->returned == all)
        return quasi_oracle_history(&c->b->question, t->ops, t->count, all, c->before);
    for (uint32_t i = 0; i < t->count; i++) {
        bool ready = true, calls = !(c->called >> i & 1);
        if (c->returned >> i & 1)
            continue;
        for (uint32_t k = 0; k < t->count && ready; k++)
            if (calls) /* not before its thread is done with what comes first */
                ready = k >= i || t->thread[k] != t->thread[i] || c->returned >> k & 1;
            else /* not before the calls that are known to come first */
                ready = !(c->knows[k] >> i & 1) || c->called >> k & 1;
        if (!ready)
            continue;
        struct clients next = *c;
        if (calls)
            next.before[i] = c->returned;
        *(calls ? &next.called : &next.returned) |= 1u << i;
        if (!all_clients_fine(&next))
            return false;
    }
    return true;
}

static bool check_clients(struct bench *b)
{
    static struct judge_execution x;
    struct clients c = {.b = b};
    make_timeline(b, &c.t, 4, false);
    struct plumb_spec *spec = relax(b, c.t.ops, c.t.names, c.t.count);
    execution_of(b, &c.t, &x);
    for (uint32_t i = 0; i < c.t.count; i++)
        for (uint32_t a = 0; a < c.t.count; a++) {
            bool same = c.t.thread[a] == c.t.thread[i];
            if (a < i && same)
                x.after[a] |= UINT64_C(1) << i;
            else if (a != i && !same && c.t.call[i] < c.t.ret[a] && prng_below(&b->random, 4))
                c.knows[i] |= UINT64_C(1) << a;
        }
    memcpy(x.knows, c.knows, sizeof c.knows);
    const struct plumb_spec *specs[] = {spec};
    struct judge_settings settings = {.specs = specs, .objects = 1, .options = &b->options};
    struct judge *judge = judge_new(&settings);
    static struct judge_violation v;
    bool expected = all_clients_fine(&c);
    if (judge_decide(judge, &x, &v) != (expected ? VERDICT_HOLDS : VERDICT_VIOLATED))
        fail(b, c.t.ops, c.t.names, c.t.count, "judged for every client, it gets another verdict");
    if (!expected && judge_confirm(&settings, &x, &v) != VERDICT_VIOLATED)
        fail(b, c.t.ops, c.t.names, c.t.count, "a violation is not confirmed");
    judge_free(judge);
    spec_quasi_free(spec);
    return expected;
}

/* --- all together -------------------------------------------------------------------------------------------------- */

struct tally {
    uint64_t words, fine_words, histories, fine_histories, clients, fine_clients;
};

static void check_one(uint32_t shape, uint64_t i, uint64_t seed, uint64_t histories, struct tally *seen)
{
    struct bench b;
    open_bench(&b, shape, (uint32_t)(i % (shapes[shape].most + 1)));
    b.random = prng_start(seed, i * SHAPES + shape);
    seen->words++;
    seen->fine_words += check_word(&b);
    if (i < histories) {
        list_results(&b);
        b.question.append_most = b.owed;
        seen->histories++;
        seen->fine_histories += check_timeline(&b, i / 8 % 3 == 2);
        seen->clients++;
        seen->fine_clients += check_clients(&b);
    }
    close_bench(&b);
}

int main(int argc, char **argv)
{
    uint64_t count = 6000, histories = 600, seed = 1;
    const char *only = NULL;
    for (int i = 1; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--count") == 0)
            count = strtoull(argv[i + 1], NULL, 10);
        else if (strcmp(argv[i], "--histories") == 0)
            histories = strtoull(argv[i + 1], NULL, 10);
        else if (strcmp(argv[i], "--seed") == 0)
            seed = strtoull(argv[i + 1], NULL, 10);
        else if (strcmp(argv[i], "--spec") == 0)
            only = argv[i + 1];
    }
    for (uint32_t shape = 0; shape < SHAPES; shape++) {
        struct tally seen = {0};
        if (only && strcmp(only, shapes[shape].spec) != 0)
            continue;
        for (uint64_t i = 0; i < count; i++)
            check_one(shape, i, seed, histories, &seen);
        printf("%-7s %-20s %lu words, %lu fine; %lu histories, %lu fine; %lu with clients, %lu fine\n",
               shapes[shape].spec, shapes[shape].text, seen.words, seen.fine_words, seen.histories,
               seen.fine_histories, seen.clients, seen.fine_clients);
    }
    return 0;
}
