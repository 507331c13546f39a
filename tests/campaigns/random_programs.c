/* SPDX-License-Identifier: Apache-2.0 */
/* The explorer of graphs against brute force, on random programs: the same graphs, each once, in every model, in
 * whatever order events are inserted and threads are named. */
#include "support/graph_runs.h"
#include "oracle/random_program.h"

#include "base/check.h"
#include "explore/schedules/prng.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const char *const model_names[] = {"sc", "tso", "rc11", "rc11-c11"};

/* --sequences: the models that differ in release sequences */
enum { MODELS_USUAL = 7, MODELS_SEQUENCES = 1 << ORACLE_RC11 | 1 << ORACLE_C11 };

static struct {
    uint64_t seed, first, count, budget;
    double seconds;
    unsigned models;
    bool explain, quick, symmetry, sharing, mixed, sequences, alike;
} options = {.seed = 1, .count = 2000, .budget = 30000, .models = MODELS_USUAL};

/* ---- sets ---- */

struct keys {
    uint64_t *data;
    size_t len, cap;
};

static void keys_add(struct keys *k, uint64_t key)
{
    vec_push(k, key);
}

static int compare_keys(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static void keys_sort(struct keys *k)
{
    if (k->len > 1)
        qsort(k->data, k->len, sizeof k->data[0], compare_keys);
}

static void keys_unique(struct keys *k)
{
    size_t kept = 0;
    keys_sort(k);
    for (size_t i = 0; i < k->len; i++)
        if (i == 0 || k->data[i] != k->data[kept - 1])
            k->data[kept++] = k->data[i];
    k->len = kept;
}

/* ---- threads that do the same ---- */

enum { ORDERS_MOST = 120 };

/* All ways to exchange neighbouring threads with the same code. */
struct twins {
    uint32_t count;
    uint16_t names[ORDERS_MOST][VIEW_THREADS];
};

static void swap_names(uint16_t *names, uint32_t a, uint32_t b)
{
    uint16_t name = names[a];
    names[a] = names[b];
    names[b] = name;
}

/* Threads [from, end) with `names` so far; `group` ends where the threads that may take the name of `from` do. */
static void add_orders(struct twins *t, const struct program *p, const uint32_t *alike, uint32_t from,
                       uint16_t *names)
{
    if (from >= p->thread_count) {
        if (t->count < ORDERS_MOST)
            memcpy(t->names[t->count], names, sizeof t->names[0]);
        t->count++;
        return;
    }
    for (uint32_t other = from; other < p->thread_count; other++) {
        if (other != from && p->threads[other].on_demand)
            continue;
        if (alike[other] != alike[from] || (other != from && p->threads[from].on_demand))
            break;
        swap_names(names, from + 1, other + 1);
        add_orders(t, p, alike, from + 1, names);
        swap_names(names, from + 1, other + 1);
    }
}

static void find_twins(struct twins *t, const struct program *p)
{
    uint32_t alike[PROGRAM_THREADS_MAX];
    uint16_t names[VIEW_THREADS];
    for (uint32_t k = 0; k < VIEW_THREADS; k++)
        names[k] = (uint16_t)k;
    program_find_alike(p, alike);
    t->count = 0;
    add_orders(t, p, alike, 0, names);
}

/* The same for all graphs that differ only in the names of twins. */
static uint64_t hash_orbit(const struct view *v, bool strip, const void *context)
{
    const struct twins *t = context;
    uint64_t least = UINT64_MAX;
    for (uint32_t k = 0; k < t->count; k++) {
        uint64_t h = view_hash(v, strip, t->names[k]);
        least = h < least ? h : least;
    }
    return least;
}

static bool is_own(const struct program *p, uint32_t thread)
{
    for (uint32_t t = 0; t < p->thread_count; t++)
        for (size_t k = 0; k < p->threads[t].code.len; k++) {
            const struct instruction *i = &p->threads[t].code.data[k];
            bool names = i->kind == INSTRUCTION_CREATE || i->kind == INSTRUCTION_JOIN;
            if (names && (t == thread || i->destination == thread))
                return false;
        }
    return !p->threads[thread].on_demand;
}

/* Makes some neighbours the same. False: there are none. */
static bool make_twins(struct program *p, uint64_t number)
{
    bool made = false;
    for (uint32_t t = 0; t + 1 < p->thread_count; t++) {
        if (!is_own(p, t) || !is_own(p, t + 1) || (number >> t & 1 && made))
            continue;
        vec_clear(&p->threads[t + 1].code);
        for (size_t k = 0; k < p->threads[t].code.len; k++)
            vec_push(&p->threads[t + 1].code, p->threads[t].code.data[k]);
        made = true;
    }
    return made;
}

/* ---- one comparison ---- */

/* How a program is explored, and what was wrong. */
struct way {
    const char *name;
    enum oracle_model model;
    bool base_rule, permuted, schedules, shared, follow, symmetry, oldest;
    uint64_t scheduler_seed, share_seed;
};

/* Shared with the process that does the work, which may crash. */
static struct shared {
    uint64_t programs, skipped, complete[ORACLE_MODELS], waiting[ORACLE_MODELS], blocked_base, blocked_rules,
        schedules, twins, orbits, oldest;
    uint64_t slowest; /* candidates */
    uint64_t number;  /* program */
    struct way way;
} * shared;

struct difference {
    const char *what; /* null: none */
    uint64_t key;
    bool is_missing;
};

/* Without `what_missing`, some may be. */
static struct difference compare_sets(struct keys *expected, struct keys *got, const char *what_missing,
                                      const char *what_extra, const char *what_twice)
{
    keys_unique(expected); /* with symmetry, several graphs have the same key */
    keys_sort(got);
    for (size_t k = 1; k < got->len; k++)
        if (got->data[k] == got->data[k - 1])
            return (struct difference){what_twice, got->data[k], false};
    for (size_t i = 0, j = 0; i < expected->len || j < got->len;) {
        bool missing = j == got->len || (i < expected->len && expected->data[i] < got->data[j]);
        if (missing && what_missing)
            return (struct difference){what_missing, expected->data[i], true};
        i += missing;
        if (missing)
            continue;
        if (i == expected->len || got->data[j] < expected->data[i])
            return (struct difference){what_extra, got->data[j], false};
        i++;
        j++;
    }
    return (struct difference){0};
}

struct case_data {
    const struct program *p;
    const struct twins *twins; /* null: threads are different */
    struct oracle_graphs oracle;
    struct runs runs;
    struct keys expected, got;
    VEC(struct run_graph) orbits; /* as in `oracle` */
    uint64_t wanted;              /* prints graphs with this hash; 0: none */
};

static void case_free(struct case_data *c)
{
    vec_free(&c->oracle.graphs);
    runs_free(&c->runs);
    vec_free(&c->expected);
    vec_free(&c->orbits);
    vec_free(&c->got);
}

static void clear_keys(struct case_data *c)
{
    c->expected.len = c->got.len = 0;
}

static struct difference compare_complete(struct case_data *c, enum oracle_model model, bool all)
{
    clear_keys(c);
    for (size_t k = 0; k < c->oracle.graphs.len; k++) {
        const struct oracle_graph *g = &c->oracle.graphs.data[k];
        if (g->complete && g->models >> model & 1)
            keys_add(&c->expected, g->hash);
    }
    for (size_t k = 0; k < c->runs.complete.len; k++)
        keys_add(&c->got, c->runs.complete.data[k].hash);
    return compare_sets(&c->expected, &c->got, all ? "a complete graph is missing" : NULL,
                        "a complete graph is inconsistent", "a complete graph came twice");
}

/* The base rule shows every graph in which something waits. */
static struct difference compare_waiting(struct case_data *c, enum oracle_model model)
{
    clear_keys(c);
    for (size_t k = 0; k < c->oracle.graphs.len; k++) {
        const struct oracle_graph *g = &c->oracle.graphs.data[k];
        if (!g->complete && g->models >> model & 1)
            keys_add(&c->expected, g->hash);
    }
    for (size_t k = 0; k < c->runs.stuck.len; k++)
        keys_add(&c->got, c->runs.stuck.data[k].hash);
    for (size_t k = 0; k < c->runs.blocked.len; k++)
        keys_add(&c->got, c->runs.blocked.data[k].hash);
    return compare_sets(&c->expected, &c->got, "a waiting graph is missing",
                        "a waiting graph is inconsistent", "a waiting graph came twice");
}

static struct difference compare_stuck(struct case_data *c, enum oracle_model model)
{
    clear_keys(c);
    for (size_t k = 0; k < c->oracle.graphs.len; k++) {
        const struct oracle_graph *g = &c->oracle.graphs.data[k];
        if (g->stuck && g->models >> model & 1)
            keys_add(&c->expected, g->stripped);
    }
    for (size_t k = 0; k < c->runs.stuck.len; k++)
        keys_add(&c->got, c->runs.stuck.data[k].stripped);
    return compare_sets(&c->expected, &c->got, "a stuck graph is missing",
                        "a graph is not stuck or inconsistent", "a stuck graph came twice");
}

/* Registers and last values as the interpreter left them. */
static struct difference compare_states(struct case_data *c, enum oracle_model model)
{
    clear_keys(c);
    for (size_t k = 0; k < c->oracle.graphs.len; k++) {
        const struct oracle_graph *g = &c->oracle.graphs.data[k];
        if ((g->complete || g->stuck) && g->models >> model & 1)
            keys_add(&c->expected, g->state);
    }
    for (size_t k = 0; k < c->runs.complete.len; k++)
        keys_add(&c->got, c->runs.complete.data[k].state);
    for (size_t k = 0; k < c->runs.stuck.len; k++)
        keys_add(&c->got, c->runs.stuck.data[k].state);
    keys_unique(&c->expected);
    keys_unique(&c->got);
    return compare_sets(&c->expected, &c->got, "a final state is missing", "a final state is impossible", "");
}

static size_t count_waiting(const struct case_data *c, enum oracle_model model)
{
    size_t count = 0;
    for (size_t k = 0; k < c->oracle.graphs.len; k++)
        count += !c->oracle.graphs.data[k].complete && c->oracle.graphs.data[k].models >> model & 1;
    return count;
}

static struct difference judge_runs(struct case_data *c, const struct way *w)
{
    struct difference d = {0};
    if (c->runs.trouble)
        return (struct difference){c->runs.trouble, 0, false};
    if (!w->schedules)
        d = compare_complete(c, w->model, !w->oldest);
    if (!d.what && !w->schedules && !w->oldest)
        d = compare_stuck(c, w->model);
    if (!d.what && w->base_rule)
        d = compare_waiting(c, w->model);
    if (!d.what && !w->symmetry)
        d = compare_states(c, w->model);
    if (!d.what && !w->schedules && c->runs.blocked.len + c->runs.stuck.len > count_waiting(c, w->model))
        d.what = "more blocked graphs than without rules";
    return d;
}

static void add_all(struct keys *k, const struct runs *r, bool blocked)
{
    for (size_t i = 0; i < r->complete.len; i++)
        keys_add(k, r->complete.data[i].hash);
    for (size_t i = 0; i < r->stuck.len; i++)
        keys_add(k, r->stuck.data[i].stripped);
    for (size_t i = 0; blocked && i < r->blocked.len; i++)
        keys_add(k, r->blocked.data[i].hash);
    keys_sort(k);
}

/* Without a random order, whichever worker does the work, the executions are the same: blocked ones, too, unless it was found
 * out on the way what is a mutex and what is none. */
static struct difference compare_with_alone(struct case_data *c, struct run_settings s)
{
    struct runs alone = {0};
    clear_keys(c);
    s.share_seed = 0;
    runs_of_graphs(c->p, &s, &alone);
    bool agreed = !alone.restarted && !c->runs.restarted;
    add_all(&c->expected, &alone, agreed);
    add_all(&c->got, &c->runs, agreed);
    bool cut = alone.bounded || c->runs.bounded, same = cut || c->expected.len == c->got.len;
    if (cut)
        c->got.len = 0;
    for (size_t k = 0; same && k < c->got.len; k++)
        same = c->expected.data[k] == c->got.data[k];
    runs_free(&alone);
    return (struct difference){.what = same ? NULL : "other executions than those of one explorer"};
}

/* A rotation: never the identity. */
static void permutation_of(const struct program *p, uint64_t seed, uint32_t *places, uint16_t *names)
{
    uint32_t shift = 1 + (uint32_t)(seed % (p->thread_count - 1));
    names[0] = 0;
    for (uint32_t t = 0; t < p->thread_count; t++) {
        places[t] = (t + shift) % p->thread_count;
        names[places[t] + 1] = (uint16_t)(t + 1);
    }
}

enum { SHARED_MOST = 5000 }; /* executions, where there is no oracle */

static struct difference explore_way(struct case_data *c, const struct way *w, uint64_t print)
{
    struct run_settings s = {
        .model = w->model, .base_rule = w->base_rule, .scheduler_seed = w->scheduler_seed};
    s.print = print;
    s.follow = w->follow;
    s.symmetry = w->symmetry;
    s.oldest_sources = w->oldest;
    s.hash = c->twins ? hash_orbit : NULL;
    s.hash_context = c->twins;
    s.share_seed = w->shared ? w->share_seed : 0;
    s.executions_max = 4 * c->oracle.graphs.len + (options.sharing ? SHARED_MOST : 1000);
    if (!w->permuted) {
        runs_of_graphs(c->p, &s, &c->runs);
        struct difference d =
            options.sharing ? (struct difference){c->runs.trouble, 0, false} : judge_runs(c, w);
        return d.what || !w->shared || w->scheduler_seed ? d : compare_with_alone(c, s);
    }
    struct program permuted = {0};
    uint32_t places[PROGRAM_THREADS_MAX];
    uint16_t names[VIEW_THREADS];
    permutation_of(c->p, w->scheduler_seed, places, names);
    program_permute(&permuted, c->p, places);
    s.names = names;
    runs_of_graphs(&permuted, &s, &c->runs);
    program_free(&permuted);
    return judge_runs(c, w);
}

/* Every schedule ends in a state that the oracle knows, and the other way round: for the oracle's sake. */
static struct difference explore_schedules(struct case_data *c, const struct way *w)
{
    enum { SCHEDULES = 3000 };
    runs_of_schedules(c->p, SCHEDULES, &c->runs);
    if (c->runs.bounded)
        return (struct difference){0};
    shared->schedules++;
    return judge_runs(c, w);
}

static void keep_orbit(void *context, const struct view *v, const struct oracle_graph *g)
{
    struct case_data *c = context;
    vec_push(&c->orbits, ((struct run_graph){.hash = hash_orbit(v, false, c->twins),
                                             .stripped = hash_orbit(v, true, c->twins)}));
    bool wanted =
        c->wanted && (vec_last(&c->orbits).hash == c->wanted || vec_last(&c->orbits).stripped == c->wanted);
    if (wanted && g->models)
        view_print(v);
}

/* False: too many candidates. */
static bool ask_oracle(struct case_data *c)
{
    if (options.sharing)
        return true;
    if (c->twins) {
        c->oracle.each = keep_orbit;
        c->oracle.context = c;
        vec_clear(&c->orbits);
    }
    oracle_enumerate(c->p, NULL, options.budget, &c->oracle);
    for (size_t k = 0; k < c->orbits.len && !c->oracle.too_many; k++) {
        CHECK(c->orbits.len == c->oracle.graphs.len);
        c->oracle.graphs.data[k].hash = c->orbits.data[k].hash;
        c->oracle.graphs.data[k].stripped = c->orbits.data[k].stripped;
    }
    return !c->oracle.too_many;
}

static struct difference try_way(struct case_data *c, const struct way *w, uint64_t print)
{
    return w->schedules ? explore_schedules(c, w) : explore_way(c, w, print);
}

/* ---- failures ---- */

enum { SECONDS_MOST = 20 }; /* for one program */

/* Runs in a process of its own, since crashes and endless loops are failures, too. */
static bool fails(const struct program *p, const struct way *w)
{
    pid_t child = fork();
    if (child == 0) {
        struct twins twins;
        struct case_data c = {.p = p, .twins = w->symmetry ? &twins : NULL};
        find_twins(&twins, p);
        alarm(SECONDS_MOST);
        _exit(ask_oracle(&c) && try_way(&c, w, 0).what != NULL);
    }
    int status;
    CHECK(child > 0 && waitpid(child, &status, 0) == child);
    return !WIFEXITED(status) || WEXITSTATUS(status) != 0;
}

/* Replaces the program by a smaller one that fails as well. */
static bool shrink_once(struct program *p, const struct way *w)
{
    struct program tried = {0};
    for (uint32_t k = 0; program_copy(&tried, p), program_make_smaller(&tried, k); k++)
        if (fails(&tried, w)) {
            program_copy(p, &tried);
            program_free(&tried);
            return true;
        }
    program_free(&tried);
    return false;
}

struct wanted {
    uint64_t key;
};

static void print_wanted(void *context, const struct view *v, const struct oracle_graph *g)
{
    const struct wanted *w = context;
    if (g->hash == w->key || g->stripped == w->key)
        view_print(v);
}

static void print_difference(struct case_data *c, const struct way *w, const struct difference *d)
{
    struct wanted wanted = {d->key};
    printf("%s (model %s, %s, scheduler seed %llu)\n", d->what, model_names[w->model], w->name,
           (unsigned long long)w->scheduler_seed);
    program_print(c->p);
    if (!d->key)
        return;
    printf("  the graph:\n");
    if (d->is_missing && c->twins) {
        c->wanted = d->key;
        ask_oracle(c);
    } else if (d->is_missing) {
        c->oracle.each = print_wanted;
        c->oracle.context = &wanted;
        ask_oracle(c);
        c->oracle.each = NULL;
    } else if (!w->schedules) {
        try_way(c, w, d->key);
    }
}

static void explain(const struct program *p, const struct way *w)
{
    struct twins twins;
    struct case_data c = {.p = p, .twins = w->symmetry ? &twins : NULL};
    find_twins(&twins, p);
    ask_oracle(&c);
    struct difference crash = {.what = "a crash or an endless loop"}, d;
    fflush(stdout);
    if (fork() == 0) {
        d = try_way(&c, w, 0);
        if (d.what)
            print_difference(&c, w, &d);
        fflush(stdout);
        _exit(0);
    }
    int status;
    wait(&status);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        print_difference(&c, w, &crash);
    case_free(&c);
}

static void make_smaller_constant(struct program *p, uint32_t *expression)
{
    if (p->expressions.data[*expression].kind == EXPRESSION_CONSTANT)
        *expression = program_constant(p, p->expressions.data[*expression].value & 1);
}

/* Many writes of the same value, and few loads that are seq_cst. */
static void make_alike(struct program *p, struct instruction *i, uint64_t number)
{
    static const uint8_t orders[] = {ORDER_SEQ_CST, ORDER_RELAXED, ORDER_ACQUIRE, ORDER_ACQUIRE};
    if (i->kind == INSTRUCTION_ACCESS && i->operation == OPERATION_LOAD && i->order == ORDER_SEQ_CST)
        i->order = orders[number % 4];
    if ((i->kind == INSTRUCTION_ACCESS &&
         (i->operation == OPERATION_STORE || i->operation == OPERATION_EXCHANGE)) ||
        i->kind == INSTRUCTION_CAS)
        make_smaller_constant(p, &i->expression);
    if (i->kind == INSTRUCTION_CAS)
        make_smaller_constant(p, &i->expected);
}

/* What others learn from the second one is less. */
static void store_again(struct program_thread *t)
{
    for (size_t k = t->code.len; k-- > 0;) {
        struct instruction i = t->code.data[k];
        if (i.kind != INSTRUCTION_ACCESS || i.operation != OPERATION_STORE)
            continue;
        i.order = ORDER_RELAXED;
        vec_push(&t->code, i);
        return;
    }
}

static void make_values_alike(struct program *p, uint64_t number)
{
    for (uint32_t t = 0; t < p->thread_count; t++)
        for (size_t k = 0; k < p->threads[t].code.len; k++)
            make_alike(p, &p->threads[t].code.data[k], number + t + k);
    if (number % 2)
        store_again(&p->threads[number / 2 % p->thread_count]);
}

static void make_program(struct program *p, uint64_t number)
{
    if (options.sequences)
        random_sequence_program(p, options.seed, number, options.mixed);
    else
        (options.mixed ? random_mixed_program : random_program)(p, options.seed, number);
    if (options.alike)
        make_values_alike(p, number);
}

static void report(uint64_t number, const struct way *w)
{
    struct program p = {0};
    printf("program --seed %llu --first %llu: ", (unsigned long long)options.seed,
           (unsigned long long)number);
    fflush(stdout); /* or children print it again */
    make_program(&p, number);
    if (w->symmetry)
        make_twins(&p, number);
    while (shrink_once(&p, w))
        ;
    explain(&p, w);
    program_free(&p);
}

/* ---- all of them ---- */

static void count_oracle(const struct case_data *c, enum oracle_model m)
{
    size_t waiting = count_waiting(c, m);
    shared->waiting[m] += waiting;
    for (size_t k = 0; k < c->oracle.graphs.len; k++)
        shared->complete[m] += c->oracle.graphs.data[k].models >> m & 1;
    shared->complete[m] -= waiting;
}

static bool check_way(struct case_data *c, const struct way *w)
{
    shared->way = *w;
    return !try_way(c, w, 0).what;
}

static bool check_model(struct case_data *c, enum oracle_model m, uint64_t number)
{
    uint64_t seed = number + 1;
    struct way ways[] = {
        {.name = "base rule", .model = m, .base_rule = true},
        {.name = "base rule, any order", .model = m, .base_rule = true, .scheduler_seed = seed},
        {.name = "rules", .model = m},
        {.name = "rules, any order, followed", .model = m, .follow = true, .scheduler_seed = seed},
        {.name = "rules, work shared", .model = m, .shared = true, .share_seed = seed},
        {.name = "rules, any order, work shared",
         .model = m,
         .shared = true,
         .share_seed = seed,
         .scheduler_seed = seed},
        {.name = "rules, threads permuted", .model = m, .permuted = true, .scheduler_seed = seed},
        {.name = "oldest sources", .model = m, .oldest = true},
        {.name = "oldest sources, any order, work shared",
         .model = m,
         .oldest = true,
         .shared = true,
         .share_seed = seed,
         .scheduler_seed = seed},
    };
    count_oracle(c, m);
    for (size_t k = 0; k < sizeof ways / sizeof ways[0]; k++) {
        if (!check_way(c, &ways[k]))
            return false;
        if (k == 0)
            shared->blocked_base += c->runs.stuck.len + c->runs.blocked.len;
        if (k == 2)
            shared->blocked_rules += c->runs.stuck.len + c->runs.blocked.len;
        if (k == 7 && m == ORACLE_RC11)
            shared->oldest += c->runs.complete.len;
    }
    return true;
}

static bool check_symmetry(struct case_data *c, enum oracle_model m, uint64_t number)
{
    uint64_t seed = number + 1;
    struct way ways[] = {
        {.name = "symmetry, base rule", .model = m, .symmetry = true, .base_rule = true},
        {.name = "symmetry", .model = m, .symmetry = true},
        {.name = "symmetry, any order", .model = m, .symmetry = true, .scheduler_seed = seed},
        {.name = "symmetry, work shared",
         .model = m,
         .symmetry = true,
         .shared = true,
         .share_seed = seed,
         .scheduler_seed = seed},
    };
    for (size_t k = 0; k < sizeof ways / sizeof ways[0]; k++)
        if (!check_way(c, &ways[k]))
            return false;
    shared->orbits += c->runs.complete.len;
    return true;
}

/* The same program with some threads that do the same: as many graphs as there are up to their names. */
static bool check_twins(const struct program *p, uint64_t number)
{
    struct program twin = {0};
    struct twins twins;
    struct case_data c = {.p = &twin, .twins = &twins};
    bool good = true;
    program_copy(&twin, p);
    bool made = make_twins(&twin, number);
    find_twins(&twins, &twin);
    if (made && twins.count <= ORDERS_MOST && ask_oracle(&c)) {
        shared->twins++;
        for (enum oracle_model m = 0; good && m < ORACLE_MODELS; m++)
            if (options.models >> m & 1)
                good = check_symmetry(&c, m, number);
    }
    case_free(&c);
    program_free(&twin);
    return good;
}

/* One explorer against several that share its work, without an oracle: larger programs, too. */
static bool check_sharing(const struct program *p, uint64_t number)
{
    struct case_data c = {.p = p};
    bool good = true;
    shared->programs++;
    for (enum oracle_model m = 0; good && m < ORACLE_MODELS; m++) {
        struct way w = {.name = "work shared", .model = m, .shared = true, .share_seed = number + 1};
        if (options.models >> m & 1)
            good = check_way(&c, &w);
        shared->complete[m] += c.runs.complete.len;
        shared->waiting[m] += c.runs.stuck.len + c.runs.blocked.len;
    }
    case_free(&c);
    return good;
}

static bool check_program(const struct program *p, uint64_t number)
{
    if (options.sharing)
        return check_sharing(p, number);
    struct case_data c = {.p = p};
    bool good = true;
    if (options.symmetry)
        return check_twins(p, number);
    if (!ask_oracle(&c)) {
        shared->skipped++;
        case_free(&c);
        return true;
    }
    shared->programs++;
    if (c.oracle.candidates > shared->slowest)
        shared->slowest = c.oracle.candidates;
    struct way schedules = {.name = "all schedules", .model = ORACLE_SC, .schedules = true};
    if (number % 8 == 0) /* there are many */
        good = check_way(&c, &schedules);
    for (enum oracle_model m = 0; good && m < ORACLE_MODELS; m++)
        if (options.models >> m & 1)
            good = check_model(&c, m, number);
    case_free(&c);
    return good && (options.mixed || options.alike ||
                    check_twins(p, number)); /* with mixed sizes symmetry is given up */
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static bool check_all(void)
{
    double start = now();
    for (uint64_t n = options.first; (options.symmetry ? shared->twins : shared->programs) < options.count;
         n++) {
        struct program p = {0};
        shared->number = n;
        alarm(SECONDS_MOST);
        make_program(&p, n);
        if (options.explain)
            program_print(&p);
        bool good = check_program(&p, n);
        program_free(&p);
        if (!good)
            return false;
        if (options.seconds > 0 && now() - start > options.seconds)
            break;
    }
    return true;
}

/* In a child, so that a crash is a finding like others. */
static bool check_all_safely(void)
{
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    CHECK(shared != MAP_FAILED);
    pid_t child = fork();
    if (child == 0) {
        bool good = check_all();
        fflush(stdout);
        _exit(good ? 0 : 1);
    }
    int status;
    CHECK(child > 0 && waitpid(child, &status, 0) == child);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return true;
    struct way way = shared->way;
    if (!options.quick)
        report(shared->number, &way);
    else
        printf("program --seed %llu --first %llu: model %s, %s\n", (unsigned long long)options.seed,
               (unsigned long long)shared->number, model_names[way.model], way.name);
    return false;
}

static int usage(void)
{
    printf("usage: random_programs [--seed S] [--first N] [--count N] [--seconds S] [--model "
           "sc|tso|rc11|rc11-c11|none] "
           "[--budget CANDIDATES] [--explain] [--quick] [--symmetry] [--sharing] [--mixed] "
           "[--sequences] [--alike]\n");
    return 2;
}

static bool set_model(const char *name)
{
    options.models = 0;
    for (unsigned m = 0; m < ORACLE_MODELS; m++)
        if (strcmp(name, model_names[m]) == 0)
            options.models = 1u << m;
    return options.models || strcmp(name, "none") == 0; /* none: the oracle and schedules */
}

/* An option without a value? */
static bool set_flag(const char *word)
{
    static const struct {
        const char *name;
        bool *flag;
    } flags[] = {{"--explain", &options.explain},   {"--quick", &options.quick},
                 {"--symmetry", &options.symmetry}, {"--sharing", &options.sharing},
                 {"--mixed", &options.mixed},       {"--sequences", &options.sequences},
                 {"--alike", &options.alike}};
    for (size_t k = 0; k < sizeof flags / sizeof *flags; k++)
        if (strcmp(word, flags[k].name) == 0)
            return *flags[k].flag = true;
    return false;
}

static bool parse(int count, char **words)
{
    for (int k = 1; k < count; k++) {
        const char *word = words[k], *value = k + 1 < count ? words[k + 1] : NULL;
        if (set_flag(word))
            continue;
        if (!value)
            return false;
        k++;
        if (strcmp(word, "--seed") == 0)
            options.seed = strtoull(value, NULL, 10);
        else if (strcmp(word, "--first") == 0)
            options.first = strtoull(value, NULL, 10);
        else if (strcmp(word, "--count") == 0)
            options.count = strtoull(value, NULL, 10);
        else if (strcmp(word, "--budget") == 0)
            options.budget = strtoull(value, NULL, 10);
        else if (strcmp(word, "--seconds") == 0)
            options.seconds = strtod(value, NULL);
        else if (strcmp(word, "--model") != 0 || !set_model(value))
            return false;
    }
    if (options.sequences && options.models == MODELS_USUAL)
        options.models = MODELS_SEQUENCES;
    return true;
}

int main(int count, char **words)
{
    if (!parse(count, words))
        return usage();
    bool good = check_all_safely();
    printf("%llu programs (%llu too large, largest with %llu candidates, %llu with every schedule)\n",
           (unsigned long long)shared->programs, (unsigned long long)shared->skipped,
           (unsigned long long)shared->slowest, (unsigned long long)shared->schedules);
    for (unsigned m = 0; m < ORACLE_MODELS; m++)
        printf("%s: %llu complete graphs, %llu waiting\n", model_names[m],
               (unsigned long long)shared->complete[m], (unsigned long long)shared->waiting[m]);
    printf("%llu programs with threads that do the same: %llu complete graphs up to their names\n",
           (unsigned long long)shared->twins, (unsigned long long)shared->orbits);
    printf("rc11, oldest sources: %llu complete graphs\n", (unsigned long long)shared->oldest);
    printf("waiting graphs explored: %llu by the base rule, %llu with rules\n",
           (unsigned long long)shared->blocked_base, (unsigned long long)shared->blocked_rules);
    return good ? 0 : 1;
}
