/* SPDX-License-Identifier: Apache-2.0 */
/* usage: search_nodes SPEC HISTORY [MEBIBYTES]
 * The general search and a plain search after Wing, Gong and Lowe (depth first, sets of placed operations as bits, a table of failed
 * configurations) on the same history as a whole: steps that each tried, seconds of processor time, and what it found out. */
#include "history/jsonl.h"
#include "monitor/search/search.h"
#include "spec/registry.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { SECONDS = 10 };

static struct part read_part(const char *name, const char *path, struct plumb_spec_options *options)
{
    struct history *h = history_create();
    struct part p = {.spec = spec_find(name), .options = options, .history = h};
    struct diagnostic d = {.code = 0};
    if (!p.spec || !jsonl_read(h, open(path, O_RDONLY), &d) || !spec_bind(h, &p.spec, &d) ||
        !order_rank(h, &p.order, &d)) {
        fprintf(stderr, "search_nodes: %s\n", p.spec ? d.message : "no such specification");
        exit(2);
    }
    options->values = h->values;
    return p;
}

static enum verdict search_levels(const struct part *p, struct budget *budget)
{
    struct decision d = {0};
    enum verdict verdict = search_decide(p, NULL, budget, &d);
    decision_free(&d);
    return verdict;
}

static enum verdict search_depth(const struct part *p, struct budget *budget)
{
    return confirm_decide(p, NULL, budget);
}

static void measure(const char *name, enum verdict (*search)(const struct part *, struct budget *),
                    const struct part *p, size_t bytes)
{
    struct budget budget = budget_start(SECONDS, bytes);
    clock_t start = clock();
    enum verdict verdict = search(p, &budget);
    printf(" %s %" PRIu64 " steps %.3f s %s;", name, budget.ticks, (double)(clock() - start) / CLOCKS_PER_SEC,
           budget.spent ? "gave up" : verdict_name(verdict));
}

int main(int argc, char **argv)
{
    struct plumb_spec_options options = {.initial = PLUMB_OK};
    if (argc < 3)
        return 2;
    struct part p = read_part(argv[1], argv[2], &options);
    size_t bytes = (argc > 3 ? strtoull(argv[3], NULL, 10) : 512) << 20;
    measure("levels", search_levels, &p, bytes);
    measure("depth", search_depth, &p, bytes);
    putchar('\n');
    return 0;
}
