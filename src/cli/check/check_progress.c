/* SPDX-License-Identifier: Apache-2.0 */
/* How far a check is, and how far it has to go. */
#include "base/budget.h"
#include "base/terminal.h"
#include "campaign/bounding.h"
#include "cli/check/check_program.h"
#include "cli/common/output.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

static uint64_t whole_number(double number)
{
    return number >= 1e18 ? UINT64_C(1000000000000000000) : number > 0 ? (uint64_t)(number + 0.5) : 0;
}

enum rounding { ROUND_DOWN, ROUND_NEAREST, ROUND_UP };

/* With two digits that mean something: an estimate is not better than that. */
static uint64_t rounded(double number, enum rounding rounding)
{
    uint64_t whole = whole_number(number), unit = 1;
    while (whole / unit >= 100)
        unit *= 10;
    uint64_t more = rounding == ROUND_UP ? unit - 1 : rounding == ROUND_NEAREST ? unit / 2 : 0;
    return (whole + more) / unit * unit;
}

/* "roughly 420000 (310000 to 2700000)": two standard errors, no number below what was done. What random descents
 * rarely meet makes most estimates too low, which no standard error says: bench/estimates.sh. */
static void add_estimate(struct text *t, uint64_t done, double estimate, double error)
{
    enum { TOO_LOW = 5 };
    double low = estimate - 2 * error, high = TOO_LOW * (estimate + 2 * error);
    if ((double)done >= high) {
        text_printf(t, "more than %" PRIu64, done);
        return;
    }
    uint64_t least = rounded(low, ROUND_DOWN), about = rounded(estimate, ROUND_NEAREST);
    if (about < done)
        about = rounded((double)done, ROUND_UP);
    text_printf(t, "roughly %" PRIu64 " (%" PRIu64 " to %" PRIu64 ")", about, least < done ? done : least,
                rounded(high, ROUND_UP));
}

static bool is_sample(const struct campaign_options *o)
{
    return o->mode == WORKER_RANDOM || o->mode == WORKER_PCT;
}

void check_progress_add_done(struct text *t, const struct campaign_options *o,
                             const struct campaign_result *r)
{
    text_printf(t, "%" PRIu64 " execution%s", r->executions, r->executions == 1 ? "" : "s");
    if (is_sample(o))
        text_printf(t, " of %" PRIu64, o->runs);
    else if (r->estimate > 0) {
        text_puts(t, " of ");
        add_estimate(t, r->executions, r->estimate, r->estimate_error);
    }
}

void check_progress_add_json(struct json_writer *w, const struct campaign_result *r)
{
    json_key(w, "estimate"), json_open_object(w);
    uint64_t estimate = whole_number(r->estimate);
    json_key(w, "executions"), json_uint(w, estimate < r->executions ? r->executions : estimate);
    json_key(w, "standard_error"), json_uint(w, whole_number(r->estimate_error));
    json_close_object(w);
}

static void add_share(struct text *t, uint64_t done, const struct campaign_progress *p)
{
    const struct worker_shared *s = target_shared(p->workers[0]);
    double estimate = s->estimate, error = s->estimate_error;
    if (estimate <= 0) {
        estimate = p->options->estimate;
        error = p->options->estimate_error;
    }
    if (estimate <= 0)
        return;
    text_puts(t, " of ");
    add_estimate(t, done, estimate, error);
    if ((double)done < estimate)
        text_printf(t, ", %.0f %% done", 100 * (double)done / estimate);
}

/* ------------------------------------------------------------------ while it runs */

static void print_estimate(double estimate, double error)
{
    struct text t = {0};
    add_estimate(&t, 0, estimate, error);
    fprintf(stderr, "  before the run: %s executions\n", t.data);
    text_free(&t);
}

static void show(const struct campaign_progress *p)
{
    double seconds = base_now() - p->started;
    if (seconds <= 1)
        return;
    uint64_t run = 0;
    for (uint64_t k = 0; k < p->options->jobs; k++)
        run += target_shared(p->workers[k])->executions;
    uint64_t done = p->saving->path ? saving_counts(p->saving).executions : run;
    struct text t = {0};
    text_printf(&t, "\r\033[K%.0f executions/s, %" PRIu64, (double)run / seconds, done);
    if (p->options->mode == WORKER_GRAPH)
        add_share(&t, done, p);
    if (p->options->bounding)
        text_printf(&t, ", with %" PRIu32 " more round%s of %s", p->options->bounding->loops,
                    p->options->bounding->loops == 1 ? "" : "s",
                    p->options->loop_place ? p->options->loop_place : "a loop");
    fputs(t.data, stderr);
    text_free(&t);
}

static void hide(void)
{
    fputs("\r\033[K", stderr);
}

static void print_note(const char *line)
{
    fprintf(stderr, "plumb: %s\n", line);
}

static void print_problem(const struct diagnostic *d)
{
    output_diagnostic(NULL, d);
}

void check_progress_listen(struct campaign_options *o)
{
    enum { LONG_SECONDS = 10 };
    static struct campaign_listener listener;
    bool shown = terminal_obeys(STDERR_FILENO) && !o->quiet;
    listener = (struct campaign_listener){.problem = print_problem};
    if (!o->quiet)
        listener.note = print_note;
    if (o->verbose)
        listener.estimate = print_estimate;
    if (shown) {
        listener.progress = show;
        listener.progress_end = hide;
    }
    o->wants_estimate = o->verbose || shown || o->time >= LONG_SECONDS; /* of which it takes one at most */
    o->listener = &listener;
}
