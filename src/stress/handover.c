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

static void add_call(struct text *out, const struct report_counterexample *c, const struct report_op *op,
                     const struct renaming *r)
{
    if (out->len && !strchr("|> ", out->data[out->len - 1]))
        text_puts(out, " ");
    if (c->object)
        text_printf(out, "%s.", c->object);
    text_puts(out, op->name);
    if (op->arg == PLUMB_OK)
        return;
    text_puts(out, "(");
    add_value(out, r, c->values, op->arg);
    text_puts(out, ")");
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

static bool is_same_thread(const struct report_op *a, const struct report_op *b)
{
    return a->thread_name == b->thread_name;
}

static bool is_first_of_thread(const struct report_counterexample *c, size_t first, size_t i)
{
    for (size_t k = first; k < i; k++)
        if (is_same_thread(&c->ops[k], &c->ops[i]))
            return false;
    return true;
}

static void add_columns(struct text *out, const struct report_counterexample *c, size_t first, size_t last,
                        const struct renaming *r)
{
    bool begun = false;
    for (size_t i = first; i < last; i++) {
        if (!is_first_of_thread(c, first, i))
            continue;
        text_puts(out, begun ? " | " : "");
        begun = true;
        for (size_t k = i; k < last; k++)
            if (is_same_thread(&c->ops[i], &c->ops[k]))
                add_call(out, c, &c->ops[k], r);
    }
}

void handover_add_test(struct text *out, const struct report_counterexample *c, uint64_t keys)
{
    struct renaming r = {.keys = (int64_t)keys};
    size_t first, last;
    for (size_t i = 0; i < c->op_count; i++)
        note_value(&r, c->values, c->ops[i].arg);
    find_middle(c, &first, &last);
    for (size_t i = 0; i < first; i++)
        add_call(out, c, &c->ops[i], &r);
    text_puts(out, first ? " => " : "");
    add_columns(out, c, first, last, &r);
    text_puts(out, last < c->op_count ? " => " : "");
    for (size_t i = last; i < c->op_count; i++)
        add_call(out, c, &c->ops[i], &r);
    vec_free(&r.large);
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
    o.seed = 1;
    o.reuse = true; /* as malloc does */
    o.quiet = true;
    o.no_repair = true;
    return o;
}

static bool explore_made(struct handover *h, const char *model, double seconds)
{
    struct campaign c = {.options = options_of(h, model, seconds), .source = h->source};
    c.options.test = h->made;
    for (size_t i = 0; i < h->files.len; i++)
        vec_push(&c.files, h->files.data[i]);
    bool decided = campaign_decide(&c), violated = decided && campaign_is_violated(&c);
    if (!decided && !h->not_run)
        h->not_run = strdup(c.why.message);
    h->tests++;
    if (violated) {
        h->failing = strdup(h->made);
        h->is_made = true;
        h->memory = model_position(model_find(model));
    }
    campaign_free(&c);
    return violated;
}

static bool explore_others(struct handover *h, const char *model, double seconds)
{
    struct diagnostic why = {0};
    struct autotest a = {.options = {.campaign = options_of(h, model, seconds),
                                     .samples = AUTO_NO_SAMPLES,
                                     .seed = h->seed ? h->seed : 1},
                         .source = h->source,
                         .size = {2, 2},
                         .shards = 1};
    for (size_t i = 0; i < h->files.len; i++)
        vec_push(&a.files, h->files.data[i]);
    bool violated = autotest_decide(&a, &why) && a.verdict == VERDICT_VIOLATED;
    h->tests += a.passed + a.failed + a.unknown + a.larger.tests;
    if (violated) {
        h->failing = strdup(a.smallest ? a.smallest : a.failing);
        h->memory = model_position(model_find(model));
    }
    autotest_free(&a);
    return violated;
}

void handover_explore(struct handover *h, const struct report_counterexample *c)
{
    double end = base_now() + h->seconds;
    struct text test = {0};
    if (c && c->op_count) {
        handover_add_test(&test, c, h->keys);
        h->made = text_take(&test);
    }
    for (size_t i = 0; h->made && !h->failing && !h->not_run && i < MODELS; i++)
        explore_made(h, models[i], h->seconds / 4);
    for (size_t i = 0; !h->failing && !h->not_run && i < MODELS && base_now() < end; i++)
        explore_others(h, models[i], (end - base_now()) / (double)(MODELS - i));
}

void handover_free(struct handover *h)
{
    free(h->made);
    free(h->failing);
    free(h->not_run);
    vec_free(&h->files);
}
