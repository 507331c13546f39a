/* SPDX-License-Identifier: Apache-2.0 */
/* Every file of tests/litmus in every model: the final states and the number of executions are those of brute
 * force, and where a file names a verdict (from the literature, not from this tool) it is that one. */
#include "litmus/outcomes.h"
#include "oracle/graph_oracle.h"

#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define FILES "tests/litmus/*/*.litmus"

enum { FILES_LEAST = 150, VERDICTS_LEAST = 300, BUDGET = 20000000 };

static const char *const model_names[ORACLE_MODELS] = {"sc", "tso", "rc11", "rc11-c11"};

/* ------------------------------------------------------------------ brute force */

struct truth {
    const struct litmus_test *test;
    struct oracle_graphs *graphs;
    VEC(int64_t) states[ORACLE_MODELS]; /* rows, all different */
    uint64_t positive[ORACLE_MODELS], negative[ORACLE_MODELS], stuck[ORACLE_MODELS];
};

static int64_t value_written(const struct view *v, struct view_write w)
{
    uint32_t number = 0;
    for (size_t k = 0; k < v->threads[w.thread].len; k++) {
        const struct view_step *s = &v->threads[w.thread].data[k];
        if (s->kind == 'W' && number++ == w.number)
            return s->value;
    }
    fail_msg("no such write");
    return 0;
}

static int64_t value_of(const struct truth *t, const struct view *v, struct litmus_place place)
{
    if (place.thread >= 0)
        return t->graphs->registers[place.thread][place.number];
    if (v->order[place.number][0].len == 0)
        return t->test->program.initial[place.number];
    return value_written(v, vec_last(&v->order[place.number][0]));
}

static void add_row(struct truth *t, unsigned model, const int64_t *row, size_t width)
{
    for (size_t k = 0; k + width <= t->states[model].len; k += width)
        if (memcmp(t->states[model].data + k, row, width * sizeof *row) == 0)
            return;
    for (size_t k = 0; k < width; k++)
        vec_push(&t->states[model], row[k]);
}

static void each_graph(void *context, const struct view *v, const struct oracle_graph *g)
{
    struct truth *t = context;
    int64_t values[64], row[64];
    size_t width = 0;
    for (size_t k = 0; g->complete && k < t->test->observed.len; k++) {
        values[k] = value_of(t, v, t->test->observed.data[k]);
        if (t->test->observed.data[k].printed)
            row[width++] = values[k];
    }
    bool holds = g->complete && litmus_holds(t->test, t->test->condition, values);
    for (unsigned m = 0; m < ORACLE_MODELS; m++) {
        if (!(g->models >> m & 1))
            continue;
        t->stuck[m] += g->stuck;
        t->positive[m] += g->complete && holds;
        t->negative[m] += g->complete && !holds;
        if (g->complete)
            add_row(t, m, row, width);
    }
}

static void find_truth(struct truth *t, const struct litmus_test *test, const char *file)
{
    struct oracle_graphs graphs = {.each = each_graph, .context = t};
    *t = (struct truth){.test = test, .graphs = &graphs};
    oracle_enumerate(&test->program, NULL, BUDGET, &graphs);
    if (graphs.too_many)
        fail_msg("%s: too large for brute force", file);
    vec_free(&graphs.graphs);
    t->graphs = NULL;
}

static void free_truth(struct truth *t)
{
    for (unsigned m = 0; m < ORACLE_MODELS; m++)
        vec_free(&t->states[m]);
}

/* ------------------------------------------------------------------ comparison */

static void check_states(const struct truth *t, unsigned model, const struct outcomes *o, const char *file)
{
    if (o->states.len != t->states[model].len)
        fail_msg("%s %s: %zu values of states instead of %zu", file, model_names[model], o->states.len,
                 t->states[model].len);
    for (size_t k = 0; k < o->states.len; k += o->width) {
        size_t j = 0;
        while (j < o->states.len &&
               memcmp(o->states.data + k, t->states[model].data + j, o->width * sizeof *o->states.data) != 0)
            j += o->width;
        if (j >= o->states.len)
            fail_msg("%s %s: a state that brute force does not have", file, model_names[model]);
    }
}

static void check_model(const struct truth *t, unsigned model, const char *file, bool races)
{
    struct budget budget = budget_start(0, 0);
    struct outcomes o;
    outcomes_explore(&o, t->test, model_find(model_names[model]), &budget);
    check_states(t, model, &o, file);
    if (o.positive != t->positive[model] || o.negative != t->negative[model])
        fail_msg("%s %s: %d+%d executions instead of %d+%d", file, model_names[model], (int)o.positive,
                 (int)o.negative, (int)t->positive[model], (int)t->negative[model]);
    if ((o.stuck > 0) != (t->stuck[model] > 0))
        fail_msg("%s %s: %d stuck executions, brute force has %d", file, model_names[model], (int)o.stuck,
                 (int)t->stuck[model]);
    if (outcomes_are_undefined(&o) != races)
        fail_msg("%s %s: %s data race", file, model_names[model], races ? "no" : "a");
    assert_null(o.limit);
    outcomes_free(&o);
}

/* `// verdict MODEL WORD` */
static unsigned check_verdicts(const struct truth *t, const char *path)
{
    FILE *file = fopen(path, "r");
    char line[512], model[16], word[16];
    unsigned count = 0;
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        if (sscanf(line, "// verdict %15s %15s", model, word) != 2)
            continue;
        unsigned m = 0;
        while (m < ORACLE_MODELS && strcmp(model_names[m], model) != 0)
            m++;
        assert_true(m < ORACLE_MODELS);
        const char *is = t->positive[m] == 0 ? "Never" : t->negative[m] == 0 ? "Always" : "Sometimes";
        if (strcmp(is, word) != 0)
            fail_msg("%s %s: %s, but known to be %s", path, model, is, word);
        count++;
    }
    fclose(file);
    return count;
}

/* `// race MODEL` for every model in which there is one. */
static bool expects_race(const char *path, const char *model)
{
    FILE *file = fopen(path, "r");
    char line[512], name[16];
    bool found = false;
    assert_non_null(file);
    while (fgets(line, sizeof line, file))
        found |= sscanf(line, "// race %15s", name) == 1 && strcmp(name, model) == 0;
    fclose(file);
    return found;
}

static unsigned check_file(const char *path)
{
    struct litmus_test test;
    struct diagnostic d = {0};
    struct truth truth;
    if (!litmus_read(&test, path, &d))
        fail_msg("%s:%d:%d: %s", path, (int)d.line, (int)d.column, d.message);
    find_truth(&truth, &test, path);
    unsigned verdicts = check_verdicts(&truth, path);
    for (unsigned m = 0; m < ORACLE_MODELS; m++)
        check_model(&truth, m, path, expects_race(path, model_names[m]));
    free_truth(&truth);
    litmus_free(&test);
    return verdicts;
}

static void test_files(void **state)
{
    unsigned files = 0, verdicts = 0;
    glob_t found;
    (void)state;
    assert_int_equal(glob(FILES, 0, NULL, &found), 0);
    for (; files < found.gl_pathc; files++)
        verdicts += check_file(found.gl_pathv[files]);
    globfree(&found);
    print_message("%u files, %u known verdicts\n", files, verdicts);
    assert_true(files >= FILES_LEAST && verdicts >= VERDICTS_LEAST);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
