/* SPDX-License-Identifier: Apache-2.0 */
/* What `plumb stress` prints. */
#include "base/terminal.h"
#include "cli/common/output.h"
#include "cli/stress/stress_command.h"
#include "report/prose.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

static void add_count(struct text *out, uint64_t count, const char *what)
{
    prose_number(out, count);
    text_printf(out, " %s%s", what, count == 1 ? "" : "s");
}

/* "4.1 M/s" */
static void add_rate(struct text *out, double count, double seconds)
{
    double rate = seconds > 0 ? count / seconds : 0;
    if (rate >= 1e6)
        text_printf(out, "%.1f M/s", rate / 1e6);
    else if (rate >= 1e3)
        text_printf(out, "%.0f k/s", rate / 1e3);
    else
        text_printf(out, "%.0f/s", rate);
}

static void add_shares(struct text *out, const struct stress_result *r)
{
    if (r->seconds <= 0)
        return;
    text_puts(out, "; ");
    if (r->recording > 0)
        text_printf(out, "%.0f %% of the time recording, ", 100 * r->recording / r->seconds);
    text_printf(out, "%.0f %% %sjudging", 100 * r->judging / r->seconds,
                r->recording > 0 ? "" : "of the time ");
}

void stress_add_summary(struct text *out, const struct stress_result *r)
{
    add_count(out, r->rounds, "round");
    text_puts(out, ", ");
    add_count(out, r->recorded, "operation");
    text_puts(out, ", ");
    add_rate(out, (double)r->recorded, r->seconds);
    add_shares(out, r);
    text_printf(out, "; stamps: %s", r->stamps);
}

/* What the verdict is not about. */
static void add_restrictions(struct text *out, const struct stress_command *c)
{
    const struct stress_result *r = &c->run.result;
    if (!stress_harness_is_judged(&c->run.harness))
        text_puts(out, "; no specification: only crashes and the invariant are judged");
    else if (!stress_harness_is_judged_wholly(&c->run.harness))
        text_puts(out, "; objects without specification are judged for crashes and hangs only");
    if (r->by_clock_only)
        text_puts(out, "; by the clock only");
    if (r->unknown) {
        text_puts(out, "; ");
        add_count(out, r->unknown, "answer");
        text_printf(out, " %s not known (too long, or PLUMB_ANY) and would fit anything",
                    r->unknown == 1 ? "is" : "are");
    }
    if (r->given_up) {
        text_puts(out, "; ");
        add_count(out, r->given_up, "round");
        text_puts(out, " given up, in which every call waited and may");
    }
    if (r->abandoned) {
        text_puts(out, "; ");
        add_count(out, r->abandoned, "round");
        text_puts(out, " failed an assumption");
    }
    if (r->interrupted)
        text_puts(out, "; interrupted");
}

static void print_verdict(const struct stress_command *c)
{
    const struct stress_result *r = &c->run.result;
    struct text line = {0};
    terminal_add_safe(&line, c->files.data[0]);
    text_printf(&line, ": %s", verdict_name(r->verdict));
    if (r->verdict == VERDICT_VIOLATED)
        text_puts(&line, r->by_clock_only ? " (by the clock only)" : "");
    else {
        text_puts(&line, " (");
        if (*r->limit)
            text_printf(&line, "%s; ", r->limit);
        stress_add_summary(&line, r);
        add_restrictions(&line, c);
        text_puts(&line, ")");
    }
    text_puts(&line, "\n");
    output_text(stdout, &line);
    text_free(&line);
}

/* ------------------------------------------------------------------ what was found */

enum { OUTPUT_LINES = 12 };

/* Where the last lines begin; or what a sanitizer says, which has the beginning that matters. */
static size_t find_output(const struct text *printed)
{
    const char *error = memmem(printed->data, printed->len, "ERROR: ", strlen("ERROR: "));
    size_t from = error ? (size_t)(error - printed->data) : printed->len, lines = 0,
           most = error ? 1 : OUTPUT_LINES;
    while (from > 0 && (printed->data[from - 1] != '\n' || from == printed->len || ++lines < most))
        from--;
    return from;
}

static void add_output(struct text *out, const struct text *printed)
{
    if (!printed->len)
        return;
    const char *at = printed->data + find_output(printed);
    text_puts(out, "\n  it printed:\n");
    for (int lines = 0; *at && lines < OUTPUT_LINES; lines++) {
        size_t length = strcspn(at, "\n");
        OWNED char *line = base_strndup(at, length);
        text_puts(out, "    ");
        terminal_add_safe(out, line);
        text_puts(out, "\n");
        at += length + (at[length] != 0);
    }
}

static void add_origin(struct text *out, const struct stress_command *c)
{
    const struct stress_finding *f = c->run.result.finding;
    if (f->error != STRESS_NOT_LINEARIZABLE)
        return;
    text_printf(out, "  round %" PRIu64 " with seed %" PRIu64 ", %u threads; stamps: %s\n",
                f->scene.round.number, f->scene.round.seed, f->scene.round.threads, c->run.result.stamps);
    if (f->missing) {
        text_puts(out, "  the history was not kept as a whole: ");
        add_count(out, f->missing, "operation");
        text_puts(out, " before these are missing\n");
    } else if (!f->saved)
        text_puts(out, "  the history could not be written to this folder\n");
}

static void print_finding(const struct stress_command *c)
{
    const struct stress_finding *f = c->run.result.finding;
    struct report_style style = output_style(c->settings.color);
    struct text report = {0};
    report_terminal(&report, &f->counterexample, &style);
    add_origin(&report, c);
    add_output(&report, &f->output);
    output_text(stdout, &report);
    text_free(&report);
}

static void print_details(const struct stress_command *c)
{
    const struct stress_result *r = &c->run.result;
    struct text t = {0};
    text_printf(&t, "  %u threads%s; ", r->threads, r->threads_most > r->threads ? " (or more)" : "");
    add_count(&t, r->long_rounds, "long round");
    text_puts(&t, "; ");
    add_count(&t, r->judged, "operation");
    text_puts(&t, " judged, ");
    add_rate(&t, (double)r->judged, r->judging);
    text_puts(&t, " while judging\n");
    fputs(t.data, stderr);
    text_free(&t);
    if (!scope_belongs(r->verdict))
        return;
    struct verdict_scope scope = {0};
    stress_fill_scope(&scope, c);
    output_scope(&scope);
    scope_free(&scope);
}

void stress_print(const struct stress_command *c)
{
    if (c->prints) {
        print_verdict(c);
        if (c->run.result.finding && !c->settings.quiet)
            print_finding(c);
        output_flush();
    }
    for (size_t i = 0; i < c->run.notes.list.len && !c->settings.quiet; i++)
        fprintf(stderr, "%s: note: %s\n", c->files.data[0], c->run.notes.list.data[i]);
    if (c->settings.verbose)
        print_details(c);
}

/* ------------------------------------------------------------------ while it runs */

void stress_show_progress(void *command, const struct stress_result *r)
{
    (void)command;
    struct text t = {0};
    text_puts(&t, "\r\033[K");
    add_count(&t, r->rounds, "round");
    text_puts(&t, ", ");
    add_count(&t, r->recorded, "operation");
    text_puts(&t, ", ");
    add_rate(&t, (double)r->recorded, r->seconds);
    text_puts(&t, " recorded, ");
    add_rate(&t, (double)r->judged, r->seconds);
    text_puts(&t, " judged");
    fputs(t.data, stderr);
    text_free(&t);
}

void stress_hide_progress(void)
{
    if (terminal_obeys(STDERR_FILENO))
        fputs("\r\033[K", stderr);
}
