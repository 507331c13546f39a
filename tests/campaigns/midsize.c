/* SPDX-License-Identifier: Apache-2.0 */
/* Fast algorithms against the general search on histories too long for brute force: generated ones of 40 to
 * 400 operations, damaged in random ways. Histories that the search cannot decide within its budget are counted and
 * left out. usage: midsize [--count N] [--seed S] [SPEC...] */
#include "base/hash.h"
#include "history/jsonl.h"
#include "monitor/monitor.h"
#include "spec/generate/generate.h"
#include "spec/registry.h"

#include <stdio.h>
#include <string.h>

static uint64_t random_state;

static uint64_t next_random(void)
{
    return hash_word(random_state += 0x9e3779b97f4a7c15u);
}

static uint32_t below(uint32_t bound)
{
    return (uint32_t)(next_random() % bound);
}

static struct history *generate(const struct plumb_spec *spec)
{
    struct generate_settings settings = {
        .ops = 40 + below(360),
        .threads = 2 + below(4),
        .seed = next_random(),
        .keys = below(2) ? 1 + below(4) : 0,
        .broken = below(8) == 0,
    };
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    if (!generate_history(spec, &settings, out)) { /* it knows no broken ones of weak specifications */
        settings.broken = false;
        generate_history(spec, &settings, out);
    }
    fclose(out);
    struct history *h = history_create();
    struct diagnostic d = {.code = 0};
    if (!jsonl_read_memory(h, text, length, &d)) {
        fprintf(stderr, "generated history is refused: %s\n", d.message);
        exit(1);
    }
    free(text);
    return h;
}

/* ------------------------------------------------------------------ damage */

static void swap_results(struct history *h)
{
    struct history_op *a = history_change(h, below((uint32_t)h->ops.len));
    struct history_op *b = history_change(h, below((uint32_t)h->ops.len));
    if (a->op != b->op || a->pending || b->pending)
        return;
    plumb_value result = a->result;
    a->result = b->result;
    b->result = result;
}

/* Makes an operation longer or shorter, without touching its neighbours in the thread. */
static void move_events(struct history *h)
{
    struct history_op *op = history_change(h, below((uint32_t)h->ops.len));
    int64_t earliest = INT64_MIN, latest = INT64_MAX;
    for (size_t k = 0; k < h->ops.len; k++) {
        const struct history_op *other = history_change(h, k);
        if (other == op || other->thread != op->thread)
            continue;
        if (other->call < op->call && other->ret > earliest)
            earliest = other->ret;
        if (other->call > op->call && other->call < latest)
            latest = other->call;
    }
    int64_t call = op->call + (int64_t)below(41) - 20, ret = op->ret + (int64_t)below(41) - 20;
    if (call > earliest && ret < latest && call < ret && !op->pending) {
        op->call = call;
        op->ret = ret;
    }
}

/* The last operation of a thread never returns. */
static void leave_pending(struct history *h)
{
    uint32_t thread = below((uint32_t)h->thread_names.len);
    struct history_op *last = NULL;
    for (size_t k = 0; k < h->ops.len; k++)
        if (history_get(h, k).thread == thread && (!last || history_get(h, k).call > last->call))
            last = history_change(h, k);
    if (last) {
        last->pending = 1;
        last->result = PLUMB_ANY;
    }
}

static void drop_operation(struct history *h)
{
    uint32_t dropped = below((uint32_t)h->ops.len);
    if (h->ops.len > 10)
        *history_change(h, dropped) = history_get(h, --h->ops.len);
}

/* Coarser stamps make ties. */
static void round_stamps(struct history *h)
{
    int64_t grain = 2 + below(4);
    for (size_t k = 0; k < h->ops.len; k++) {
        history_change(h, k)->call = history_get(h, k).call / grain;
        history_change(h, k)->ret = history_get(h, k).ret / grain;
    }
}

static void damage(struct history *h)
{
    static void (*const kinds[])(struct history *) = {swap_results, move_events, move_events, leave_pending,
                                                      drop_operation};
    for (uint32_t times = below(6); times > 0; times--)
        kinds[below(sizeof kinds / sizeof *kinds)](h);
    if (below(10) == 0)
        round_stamps(h);
}

/* ------------------------------------------------------------------ comparing */

static enum verdict judge(struct history *h, const struct plumb_spec *spec, bool only_general,
                          struct monitor_result *result)
{
    struct plumb_spec_options options = {.values = h->values, .initial = PLUMB_OK};
    struct budget budget = budget_start(0, 8 << 20);
    struct monitor_settings settings = {
        .options = &options, .specs = &spec, .budget = &budget, .only_general = only_general};
    struct diagnostic d = {.code = 0};
    if (!monitor_history(h, &settings, result, &d)) {
        fprintf(stderr, "damaged history is refused: %s\n", d.message);
        exit(1);
    }
    return result->verdict;
}

struct totals {
    unsigned holds, violated, undecided, fast;
};

static bool compare_one(const struct plumb_spec *spec, uint64_t seed, struct totals *t)
{
    random_state = seed;
    struct history *h = generate(spec);
    damage(h);
    struct diagnostic d = {.code = 0};
    if (!spec_bind(h, &spec, &d)) { /* a swapped result of the wrong kind */
        history_destroy(h);
        return true;
    }
    struct monitor_result fast, general;
    enum verdict a = judge(h, spec, false, &fast), b = judge(h, spec, true, &general);
    bool agree = a == b || a == VERDICT_INCONCLUSIVE || b == VERDICT_INCONCLUSIVE;
    t->holds += b == VERDICT_HOLDS;
    t->violated += b == VERDICT_VIOLATED;
    t->undecided += b == VERDICT_INCONCLUSIVE;
    t->fast += !strstr(fast.log.data, "general search");
    if (!agree)
        fprintf(stderr, "%s, seed %llu: %s by %s  but %s by the general search\n", spec->name,
                (unsigned long long)seed, verdict_name(a), fast.log.data, verdict_name(b));
    monitor_result_free(&fast);
    monitor_result_free(&general);
    history_destroy(h);
    return agree;
}

static bool compare_spec(const char *name, unsigned count, uint64_t seed)
{
    const struct plumb_spec *spec = spec_find(name);
    struct totals t = {0};
    bool agree = spec != NULL;
    for (unsigned k = 0; agree && k < count; k++)
        agree = compare_one(spec, seed + k, &t);
    printf("%-10s %u holds, %u violated, %u not decided by the search, %u by the fast algorithm alone\n",
           name, t.holds, t.violated, t.undecided, t.fast);
    bool meaningful = t.holds * 10 > count && t.violated * 20 > count && t.fast * 3 > count;
    if (agree && count >= 100 && !meaningful)
        fprintf(stderr, "%s: too few histories of one kind for the comparison to mean anything\n", name);
    return agree && (count < 100 || meaningful);
}

int main(int argc, char **argv)
{
    static const char *const all[] = {
        "queue", "stack",    "pqueue",  "bag",          "deque",        "set",         "multiset",
        "map",   "register", "counter", "queue(cap=6)", "stack(cap=6)", "queue(weak)", "register(weak)"};
    unsigned count = 400;
    uint64_t seed = 1;
    bool agree = true, named = false;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--count") == 0 && i + 1 < argc)
            count = (unsigned)strtoul(argv[++i], NULL, 10);
        else if (strcmp(argv[i], "--seed") == 0 && i + 1 < argc)
            seed = strtoull(argv[++i], NULL, 10);
        else
            agree &= compare_spec(argv[i], count, seed), named = true;
    }
    for (size_t k = 0; !named && k < sizeof all / sizeof *all; k++)
        agree &= compare_spec(all[k], count, seed);
    return agree ? 0 : 1;
}
