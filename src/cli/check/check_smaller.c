/* SPDX-License-Identifier: Apache-2.0 */
/* Of a test that was sampled: the operations that contradict each other become a test of their own, from which one after the other is
 * left out as long as a sample of it fails. The smallest is the one that is shown. */
#include "base/deadline.h"
#include "base/interruption.h"
#include "campaign/campaign_errors.h"
#include "cli/check/check_program.h"
#include "stress/handover.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Executions of a smaller test, and how many of these are tried. Arguments up to KEYS keep their value. */
enum { RUNS_MOST = 1000, TRIES_MOST = 40 };
static const uint64_t KEYS = UINT64_C(1) << 40;

static bool is_sampled_history(const struct campaign *c)
{
    const struct campaign_options *o = &c->options;
    bool sampled = o->mode == WORKER_RANDOM || o->mode == WORKER_PCT;
    return sampled && campaign_is_violated(c) && !campaign_lists_errors(o) && !o->quasi && !o->golden &&
           !o->golden_define && !o->observations && c->errors.data[0].explained &&
           c->errors.data[0].error->kind == WORKER_ERROR_NOT_LINEARIZABLE;
}

static size_t count_called(const struct campaign_error *e)
{
    const struct worker_shared *s = target_shared(e->confirmed.run.again);
    size_t count = 0;
    for (uint32_t k = 0; k < s->event_count; k++)
        count += s->events[k].kind == EVENT_OP_CALL;
    return count;
}

static size_t count_words(const struct auto_words *w)
{
    size_t count = w->init.len + w->final.len;
    for (uint32_t k = 0; k < w->column_count; k++)
        count += w->columns[k].len;
    return count;
}

static void free_smaller(struct campaign *s)
{
    free((char *)s->options.test);
    campaign_free(s);
    free(s);
}

/* Null: it does not fail, or otherwise. */
static struct campaign *decide_smaller(const struct campaign *c, char *test)
{
    struct campaign *s = NEW(struct campaign);
    s->options = c->options;
    s->options.test = test;
    s->options.init = s->options.final = NULL;
    s->options.listener = NULL;
    s->options.jobs = 1;
    if (s->options.time > 0)
        s->options.time = fmax(deadline_left(), 0.001);
    s->options.runs = s->options.runs && s->options.runs < RUNS_MOST ? s->options.runs : RUNS_MOST;
    s->source = c->source;
    for (size_t k = 0; k < c->files.len; k++)
        vec_push(&s->files, c->files.data[k]);
    bool fails = campaign_decide_again(s, c->program) && campaign_is_violated(s) &&
                 s->errors.data[0].error->kind == WORKER_ERROR_NOT_LINEARIZABLE;
    if (!fails) {
        free_smaller(s);
        return NULL;
    }
    campaign_errors_explain(s);
    return s;
}

/* ------------------------------------------------------------------ fewer operations */

struct shrinking {
    const struct campaign *whole;
    struct auto_words words;
    struct campaign *smallest; /* null: the whole one */
    unsigned tries;
};

/* Do the words, as they are, fail? Then they are the smallest test. */
static bool still_fails(struct shrinking *s)
{
    if (s->tries++ >= TRIES_MOST || interruption_came() || deadline_passed())
        return false;
    struct campaign *c = decide_smaller(s->whole, auto_words_text(&s->words));
    if (c && s->smallest)
        free_smaller(s->smallest);
    s->smallest = c ? c : s->smallest;
    return c;
}

static void shrink_list(struct shrinking *s, auto_list *list)
{
    for (size_t k = list->len; k-- > 0 && count_words(&s->words) > 1;) {
        char *left_out = list->data[k];
        memmove(&list->data[k], &list->data[k + 1], (list->len - k - 1) * sizeof(char *));
        list->len--;
        if (still_fails(s)) {
            free(left_out);
            continue;
        }
        memmove(&list->data[k + 1], &list->data[k], (list->len - k) * sizeof(char *));
        list->data[k] = left_out;
        list->len++;
    }
}

static void shrink(struct shrinking *s)
{
    const struct campaign_error *e = &s->whole->errors.data[0];
    const struct report_counterexample *core = e->explained->counterexample.explained;
    if (!core || !handover_make_test(&s->words, core, KEYS))
        return;
    if (count_words(&s->words) < count_called(e) && !still_fails(s))
        return;
    shrink_list(s, &s->words.final);
    for (uint32_t k = s->words.column_count; k-- > 0;)
        shrink_list(s, &s->words.columns[k]);
    shrink_list(s, &s->words.init);
}

void check_shrink_test(struct campaign *c)
{
    struct shrinking s = {.whole = c};
    if (!is_sampled_history(c))
        return;
    size_t from = count_called(&c->errors.data[0]);
    shrink(&s);
    auto_words_free(&s.words);
    if (!s.smallest)
        return;
    campaign_errors_save(s.smallest);
    struct campaign_error whole = c->errors.data[0];
    c->errors.data[0] = s.smallest->errors.data[0];
    s.smallest->errors.data[0] = whole;
    c->smaller = (struct campaign_smaller){s.smallest, s.smallest->options.test, from,
                                           count_called(&c->errors.data[0])};
}

void check_free_smaller(struct campaign *c)
{
    if (c->smaller.campaign)
        free_smaller(c->smaller.campaign);
}
