/* SPDX-License-Identifier: Apache-2.0 */
#include "stress/handover.h"

#include "base/budget.h"
#include "campaign/campaign.h"
#include "graph/model.h"
#include "history/value_text.h"

#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------ values */

/* Elements of long runs are large numbers. In a test they are 1, 2, 3, ..., in the same order: that of priorities matters. */
struct renaming {
    VEC(int64_t) large; /* ascending */
    int64_t keys;
};

static void note_number(struct renaming *r, int64_t number)
{
    size_t at = 0;
    while (at < r->large.len && r->large.data[at] < number)
        at++;
    if ((number >= 0 && number <= r->keys) || (at < r->large.len && r->large.data[at] == number))
        return;
    vec_push(&r->large, number);
    memmove(&r->large.data[at + 1], &r->large.data[at], (r->large.len - 1 - at) * sizeof *r->large.data);
    r->large.data[at] = number;
}

static int64_t rename_number(const struct renaming *r, int64_t number, int64_t first)
{
    for (size_t i = 0; i < r->large.len; i++)
        if (r->large.data[i] == number)
            return first + (int64_t)i;
    return number;
}

static void note_value(struct renaming *r, const struct plumb_values *values, plumb_value v)
{
    if (plumb_is_int(v))
        note_number(r, plumb_int_of(values, v));
    for (size_t i = 0; plumb_is_array(v) && i < plumb_array_count(values, v); i++)
        note_value(r, values, plumb_array_item(values, v, i));
}

/* An array is several arguments. */
static void add_value(struct text *out, const struct renaming *r, const struct plumb_values *values,
                      plumb_value v)
{
    if (plumb_is_int(v))
        value_print_int(out, rename_number(r, plumb_int_of(values, v), r->keys + 1));
    else if (!plumb_is_array(v))
        value_print(out, values, v);
    for (size_t i = 0; plumb_is_array(v) && i < plumb_array_count(values, v); i++) {
        text_puts(out, i ? ", " : "");
        add_value(out, r, values, plumb_array_item(values, v, i));
    }
}

/* ------------------------------------------------------------------ a test */

static void add_call(auto_list *list, const struct report_counterexample *c, const struct report_op *op,
                     const struct renaming *r)
{
    struct text call = {0};
    text_printf(&call, "%s%s%s", c->object ? c->object : "", c->object ? "." : "", op->name);
    if (op->arg != PLUMB_OK) {
        text_puts(&call, "(");
        add_value(&call, r, c->values, op->arg);
        text_puts(&call, ")");
    }
    vec_push(list, text_take(&call));
}

/* Has each of the first `count` operations, which are ascending by call, returned before all others are called? */
static bool is_apart(const struct report_counterexample *c, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (size_t k = count; k < c->op_count; k++)
            if (c->ops[i].pending || c->ops[i].ret >= c->ops[k].call)
                return false;
    return true;
}

static bool overlaps(const struct report_op *a, const struct report_op *b)
{
    return (a->pending || a->ret >= b->call) && (b->pending || b->ret >= a->call);
}

/* Operations from `*first` to `*last` - 1 are those of threads: the fewest that have all overlaps in them. */
static void find_middle(const struct report_counterexample *c, size_t *first, size_t *last)
{
    *first = c->op_count, *last = 0;
    for (size_t i = 0; i < c->op_count; i++)
        for (size_t k = i + 1; k < c->op_count; k++)
            if (overlaps(&c->ops[i], &c->ops[k])) {
                *first = i < *first ? i : *first;
                *last = k + 1 > *last ? k + 1 : *last;
            }
    while (*first < c->op_count && !is_apart(c, *first))
        --*first;
    while (*last && *last < c->op_count && !is_apart(c, *last))
        ++*last;
    if (*first >= *last)
        *first = 0, *last = c->op_count;
}

/* The number of the operation's thread among those of operations first, first + 1, ...: in the order of their first calls. */
static uint32_t column_of(const struct report_counterexample *c, size_t first, size_t i)
{
    uint32_t count = 0;
    for (size_t k = first; k <= i; k++) {
        bool seen = false;
        for (size_t j = first; j < k; j++)
            seen |= c->ops[j].thread_name == c->ops[k].thread_name;
        if (c->ops[k].thread_name == c->ops[i].thread_name)
            return count;
        count += !seen;
    }
    return count;
}

bool handover_make_test(struct auto_words *w, const struct report_counterexample *c, uint64_t keys)
{
    struct renaming r = {.keys = (int64_t)keys};
    size_t first, last;
    *w = (struct auto_words){0};
    for (size_t i = 0; i < c->op_count; i++)
        note_value(&r, c->values, c->ops[i].arg);
    find_middle(c, &first, &last);
    bool fits = c->op_count > 0;
    for (size_t i = 0; i < c->op_count && fits; i++) {
        uint32_t column = i >= first && i < last ? column_of(c, first, i) : 0;
        fits = column < AUTO_COLUMNS_MAX;
        if (i < first || i >= last)
            add_call(i < first ? &w->init : &w->final, c, &c->ops[i], &r);
        else if (fits)
            add_call(&w->columns[column], c, &c->ops[i], &r);
        if (i >= first && i < last && fits && column >= w->column_count)
            w->column_count = column + 1;
    }
    vec_free(&r.large);
    return fits;
}

/* ------------------------------------------------------------------ exploring */

/* What this machine does comes first, then what others may do. */
static const char *const models[] = {"tso", "rc11"};
enum { MODELS = sizeof models / sizeof *models };

static struct campaign_options options_of(const struct handover *h, const char *model, double seconds)
{
    struct campaign_options o = campaign_options_default;
    o.mode = WORKER_GRAPH;
    o.memory = model_position(model_find(model));
    o.time = seconds;
    o.spec = h->spec;
    o.quasi = h->quasi;
    o.out = h->out;
    o.seed = 1;
    o.reuse = true; /* as malloc does */
    o.no_repair = true;
    return o;
}

static void free_failed(struct handover *h)
{
    if (h->failed) {
        free((char *)h->failed->options.test);
        campaign_free(h->failed);
    }
    free(h->failed);
    h->failed = NULL;
}

/* Every execution of the test. True: it is violated, and kept. */
static bool explore_test(struct handover *h, const char *test, const char *model, double seconds)
{
    struct campaign *c = NEW(struct campaign);
    c->options = options_of(h, model, seconds);
    c->source = h->source;
    c->options.test = strdup(test);
    for (size_t i = 0; i < h->files.len; i++)
        vec_push(&c->files, h->files.data[i]);
    bool decided = campaign_decide(c);
    if (!decided && !h->not_run)
        h->not_run = strdup(c->why.message);
    h->tests++;
    h->failed = c;
    if (!decided || !campaign_is_violated(c))
        free_failed(h);
    return h->failed;
}

static void note_undecided(struct handover *h, uint64_t tests, const char *why)
{
    h->undecided += tests;
    if (tests && !h->undecided_why && why)
        h->undecided_why = strdup(why);
}

static struct autotest begin_tests(const struct handover *h, const char *model, double seconds)
{
    struct autotest a = {.options = {.campaign = options_of(h, model, seconds),
                                     .samples = AUTO_NO_SAMPLES,
                                     .seed = h->seed ? h->seed : 1},
                         .source = h->source,
                         .size = {2, 2},
                         .shards = 1,
                         .started = base_now()};
    for (size_t i = 0; i < h->files.len; i++)
        vec_push(&a.files, h->files.data[i]);
    return a;
}

/* The test that was made. One that fails is made smaller, as long as it does and until `end`. */
static void explore_made(struct handover *h, struct auto_words *words, const char *model, double end)
{
    struct diagnostic why = {0};
    struct autotest a = begin_tests(h, model, h->seconds / 4);
    a.program = target_build(&a.source, &why);
    if (a.program && auto_find_calls(&a, &why)) {
        struct auto_runner runner = auto_make_runner(&a);
        struct auto_result r = auto_run_one(&runner, h->made);
        why = r.mistake;
        h->tests++;
        note_undecided(h, r.verdict == VERDICT_INCONCLUSIVE, r.why);
        if (r.verdict == VERDICT_VIOLATED) {
            runner.deadline = end;
            h->was_cut = auto_shrink(words, &a.holdings, &runner).cut;
            OWNED char *smallest = auto_words_text(words);
            h->is_made = explore_test(h, smallest, model, h->seconds);
        }
    }
    if (why.code && !h->not_run)
        h->not_run = strdup(why.message);
    autotest_free(&a);
}

static void explore_others(struct handover *h, const char *model, double seconds)
{
    struct diagnostic why = {0};
    struct autotest a = begin_tests(h, model, seconds);
    bool violated = autotest_decide(&a, &why) && a.verdict == VERDICT_VIOLATED;
    h->tests += a.passed + a.failed + a.unknown + a.larger.tests;
    note_undecided(h, a.unknown, a.unknown_why);
    note_undecided(h, a.larger.partly, a.larger.why);
    if (violated)
        explore_test(h, a.smallest ? a.smallest : a.failing, model, h->seconds);
    else if (why.code && !h->not_run)
        h->not_run = strdup(why.message);
    autotest_free(&a);
}

static bool is_over(const struct handover *h)
{
    return h->failed || h->not_run;
}

void handover_explore(struct handover *h, const struct report_counterexample *c)
{
    double end = base_now() + h->seconds;
    struct auto_words words = {0};
    h->source.silent = true; /* the compiler has said what it has to say */
    if (c && handover_make_test(&words, c, h->keys))
        h->made = auto_words_text(&words);
    for (size_t i = 0; h->made && !is_over(h) && i < MODELS; i++)
        explore_made(h, &words, models[i], end);
    for (size_t i = 0; !is_over(h) && i < MODELS && base_now() < end; i++)
        explore_others(h, models[i], (end - base_now()) / (double)(MODELS - i));
    auto_words_free(&words);
}

void handover_free(struct handover *h)
{
    free_failed(h);
    free(h->made);
    free(h->not_run);
    free(h->undecided_why);
    vec_free(&h->files);
}
