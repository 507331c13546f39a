/* SPDX-License-Identifier: Apache-2.0 */
/* Random tests of the objects in tests/support/exactness_objects.c, twice each: every execution once, judged for every client; and every
 * interleaving, its history decided by the monitor. Both have to come to the same verdict.
 * usage: exactness [--count N] [--seed S] [--interleavings M] [--fold 1]
 * N tests of each object; those that have more than M interleavings are left out. */
#include "autotest/auto_run.h"
#include "autotest/auto_tests.h"
#include "campaign/campaign_run.h"
#include "graph/model.h"
#include "target/target.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OBJECTS = 20, CALLS_MOST = 8 };

static struct {
    uint64_t count, seed;
    bool fold;
    uint64_t most; /* interleavings of one test */
    uint64_t tests, violated, stuck, skipped, different, interleavings;
} all = {.count = 150, .seed = 1, .most = 100000};

static const struct auto_size sizes[] = {{1, 2}, {2, 2}, {1, 3}, {3, 2}};
enum { SIZES = sizeof sizes / sizeof *sizes };

/* Which sizes tests have, one after the other. */
static const uint8_t turns[] = {0, 1, 2, 0, 1, 2, 3, 0};
enum { TURNS = sizeof turns / sizeof *turns };

struct object {
    int number;
    struct target_program *program;
    auto_calls calls;
    char *text;
    unsigned skipped[SIZES];
};

static bool build(struct object *o)
{
    char flag[32];
    const char *file = "tests/support/exactness_objects.c", *flags = flag;
    struct diagnostic why = {0};
    snprintf(flag, sizeof flag, "-DOBJECT=%d", o->number);
    struct target_source source = {.files = &file, .file_count = 1, .flags = &flags, .flag_count = 1};
    o->program = target_build(&source, &why);
    if (!o->program)
        fprintf(stderr, "%s\n", why.message);
    return o->program;
}

static bool find_calls(struct object *o)
{
    struct diagnostic why = {0};
    struct target_run run = {.config = {.list = 1}};
    struct target_watch watch = {.stall_seconds = 30};
    struct target_worker *w = target_start(o->program, &run, &why);
    if (!w)
        return false;
    target_wait(&w, 1, &watch);
    o->text = strdup(target_shared(w)->operations);
    bool fine = target_end_of(w)->outcome == TARGET_FINISHED;
    target_free(w);
    for (char *rest = o->text, *word; (word = strsep(&rest, "\n"));)
        if (*word)
            auto_add_calls(&o->calls, word);
    auto_add_second_keys(&o->calls);
    return fine && o->calls.len > 0;
}

static struct campaign_options options_for(bool graphs)
{
    struct campaign_options o = campaign_options_default;
    o.jobs = 1;
    o.mode = graphs ? WORKER_GRAPH : WORKER_DFS;
    o.memory = model_position(&model_sc);
    o.fold = graphs && all.fold;
    if (!graphs)
        o.executions = all.most;
    return o;
}

/* "init => columns => final"; open arguments are numbered through. Every third test has no ends. */
static void make_test(struct object *o, uint64_t number, uint64_t *size, struct text *out)
{
    struct auto_test t, ends;
    uint32_t calls = (uint32_t)o->calls.len;
    uint64_t seed = all.seed + (uint64_t)o->number;
    *size = turns[number % TURNS];
    if (o->skipped[*size] >= 2) /* such tests take too long */
        *size = 0;
    auto_sample(sizes[*size], calls, seed, number, &t);
    auto_sample((struct auto_size){2, 2}, calls, seed + 1000, number, &ends);
    struct auto_test whole = {.columns = t.columns + 2};
    whole.rows[0] = number % 3;
    whole.rows[whole.columns - 1] = number / 3 % 3;
    for (uint32_t r = 0; r < 2; r++) {
        whole.calls[0][r] = ends.calls[0][r];
        whole.calls[whole.columns - 1][r] = ends.calls[1][r];
    }
    for (uint32_t c = 0; c < t.columns; c++) {
        whole.rows[c + 1] = t.rows[c];
        for (uint32_t r = 0; r < t.rows[c]; r++)
            whole.calls[c + 1][r] = t.calls[c][r];
    }
    auto_print_test(out, &whole, &o->calls);
}

/* The first and the last bar divide the ends. */
static char *with_arrows(const char *bars)
{
    struct text t = {0};
    const char *first = strstr(bars, "| "), *last = strrchr(bars, '|');
    text_add(&t, bars, (size_t)(first - bars));
    text_puts(&t, "=>");
    text_add(&t, first + 1, (size_t)(last - first - 1));
    text_printf(&t, "=>%s", last + 1);
    return text_take(&t);
}

static void compare(struct object *o, uint64_t number)
{
    struct text bars = {0};
    uint64_t size;
    make_test(o, number, &size, &bars);
    char *text = with_arrows(bars.data);
    text_free(&bars);
    struct campaign_options graphs = options_for(true), schedules = options_for(false);
    struct auto_runner runner = {
        .name = "exactness", .program = o->program, .options = &graphs, .test_time = 60};
    struct auto_result a = auto_run_one(&runner, text);
    runner.options = &schedules;
    struct auto_result b = auto_run_one(&runner, text);
    all.tests++;
    if (b.verdict == VERDICT_INCONCLUSIVE && a.verdict != VERDICT_INCONCLUSIVE)
        all.skipped++, o->skipped[size]++;
    else if (a.verdict != b.verdict || a.verdict > VERDICT_VIOLATED) {
        all.different++;
        printf("object %d, test '%s': %d by graphs (%s), %d by interleavings (%s)\n", o->number, text,
               a.verdict, a.why, b.verdict, b.why);
    }
    all.interleavings += b.executions;
    all.violated += a.verdict == VERDICT_VIOLATED;
    all.stuck += a.executions > a.complete + a.blocked;
    free(text);
}

static uint64_t number_after(int argc, char **argv, const char *name, uint64_t otherwise)
{
    for (int i = 1; i + 1 < argc; i++)
        if (strcmp(argv[i], name) == 0)
            return strtoull(argv[i + 1], NULL, 10);
    return otherwise;
}

int main(int argc, char **argv)
{
    all.count = number_after(argc, argv, "--count", all.count);
    all.fold = number_after(argc, argv, "--fold", 0);
    all.seed = number_after(argc, argv, "--seed", all.seed);
    all.most = number_after(argc, argv, "--interleavings", all.most);
    for (int number = 1; number <= OBJECTS; number++) {
        struct object o = {.number = number};
        if (!build(&o) || !find_calls(&o)) {
            printf("object %d cannot be tested\n", number);
            return 1;
        }
        for (uint64_t i = 0; i < all.count; i++)
            compare(&o, i);
        target_program_free(o.program);
        vec_free(&o.calls);
        free(o.text);
    }
    printf("%" PRIu64 " tests, %" PRIu64 " violated, %" PRIu64 " with stuck executions, %" PRIu64
           " with too many interleavings (of %" PRIu64 " run), %" PRIu64 " different\n",
           all.tests, all.violated, all.stuck, all.skipped, all.interleavings, all.different);
    return all.different > 0 || all.violated * 20 < all.tests;
}
