/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/check_progress.h"

#include "base/budget.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

static bool is_shown(const struct check_options *o)
{
    return isatty(STDERR_FILENO) && !o->quiet;
}

struct check_progress check_progress_start(const struct check_options *options,
                                           struct target_worker *const *workers)
{
    return (struct check_progress){options, workers, base_now(), is_shown(options)};
}

static uint64_t whole_number(double number)
{
    return number >= 1e18 ? UINT64_C(1000000000000000000) : number > 0 ? (uint64_t)(number + 0.5) : 0;
}

/* With two digits that mean something: an estimate is not better than that. */
static uint64_t rounded(double number)
{
    uint64_t whole = whole_number(number), unit = 1;
    while (whole / unit >= 100)
        unit *= 10;
    return (whole + unit / 2) / unit * unit;
}

/* "roughly 420000 executions in all (310000 to 530000)"; two standard errors, never below what was done. */
static void add_estimate(struct text *t, uint64_t done, double estimate, double error)
{
    double low = estimate - 2 * error, high = estimate + 2 * error;
    if ((double)done >= high) {
        text_printf(t, "more than %" PRIu64 " executions in all", done);
        return;
    }
    if (low < (double)done)
        low = (double)done;
    if (estimate < low)
        estimate = low;
    text_printf(t, "roughly %" PRIu64 " executions in all (%" PRIu64 " to %" PRIu64 ")", rounded(estimate),
                rounded(low), rounded(high));
}

/* --- before the run --------------------------------------------------------------------------------- */

static const double FIRST_SECONDS = 1; /* for all of it; the worker itself takes less */
enum { FEW_EXECUTIONS = 1000 };        /* are run before anybody has read how many there are */

static bool is_wanted(const struct check_options *o)
{
    bool seen = o->verbose || is_shown(o), short_run = o->time > 0 && o->time < 2 * FIRST_SECONDS;
    return o->mode == WORKER_GRAPH && seen && !short_run;
}

/* An error in a sample is not told: the exploration will find it, where it finds it without estimates. */
void check_progress_estimate(const struct target_program *program, struct check_options *options)
{
    struct diagnostic why = {0};
    if (!is_wanted(options))
        return;
    struct target_run run = check_plan(options, 0);
    run.config.estimates = ESTIMATES_ONLY;
    run.config.serials_out[0] = 0;
    struct target_worker *worker = target_start(program, &run, &why);
    if (!worker)
        return;
    struct target_watch watch = {.deadline = base_now() + FIRST_SECONDS};
    target_wait(&worker, 1, &watch);
    const struct worker_shared *s = target_shared(worker);
    if (target_end_of(worker)->outcome == TARGET_FINISHED && s->estimate >= FEW_EXECUTIONS) {
        options->estimate = s->estimate;
        options->estimate_error = s->estimate_error;
    }
    target_free(worker);
    if (options->verbose && options->estimate > 0) {
        struct text t = {0};
        add_estimate(&t, 0, options->estimate, options->estimate_error);
        fprintf(stderr, "  before the run: %s\n", t.data);
        text_free(&t);
    }
}

/* ---------------------------------------------------------------------------------------------------- */

void check_progress_print_estimate(const struct check_result *r)
{
    struct text t = {0};
    if (r->estimate <= 0 || (!r->timed_out && !(r->limits & LIMIT_EXECUTIONS)))
        return;
    add_estimate(&t, r->executions, r->estimate, r->estimate_error);
    fprintf(stderr, "  there are %s\n", t.data);
    text_free(&t);
}

void check_progress_add_json(struct json_writer *w, const struct check_result *r)
{
    json_key(w, "estimate"), json_open_object(w);
    json_key(w, "executions"), json_uint(w, whole_number(r->estimate));
    json_key(w, "standard_error"), json_uint(w, whole_number(r->estimate_error));
    json_close_object(w);
}

static void add_share(struct text *t, uint64_t done, const struct check_progress *p)
{
    const struct worker_shared *s = target_shared(p->workers[0]);
    double estimate = s->estimate, error = s->estimate_error;
    if (estimate <= 0) {
        estimate = p->options->estimate;
        error = p->options->estimate_error;
    }
    if (estimate <= 0)
        return;
    text_puts(t, ", ");
    add_estimate(t, done, estimate, error);
    if ((double)done < estimate)
        text_printf(t, ", %.0f %% done", 100 * (double)done / estimate);
}

void check_progress_show(const struct check_progress *p, const struct check_saving *saving)
{
    double seconds = base_now() - p->started;
    if (!p->shown || seconds <= 1)
        return;
    uint64_t run = 0;
    for (uint64_t k = 0; k < p->options->jobs; k++)
        run += target_shared(p->workers[k])->executions;
    uint64_t done = saving->path ? check_saving_counts(saving).executions : run;
    struct text t = {0};
    text_printf(&t, "\r\033[K%" PRIu64 " executions, %.0f/s", done, (double)run / seconds);
    if (p->options->mode == WORKER_GRAPH)
        add_share(&t, done, p);
    fputs(t.data, stderr);
    text_free(&t);
}

void check_progress_end(const struct check_progress *p)
{
    if (p->shown)
        fprintf(stderr, "\r\033[K");
}
