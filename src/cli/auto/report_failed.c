/* SPDX-License-Identifier: Apache-2.0 */
/* A test that failed: the smallest one, its counterexample, and a file that fails by itself. */
#include "base/deadline.h"
#include "base/interruption.h"
#include "base/terminal.h"
#include "cli/auto/auto.h"
#include "cli/check/check_program.h"
#include "cli/common/output.h"
#include "cli/common/time_limit.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void add_json(struct json_writer *w, const void *context)
{
    const struct autotest *a = context;
    auto_add_json_counts(w, a);
    json_member(w, "failing_test", a->smallest);
    json_key(w, "found_as"), json_open_object(w);
    json_key(w, "number"), json_uint(w, a->failing_number + 1);
    json_member(w, "test", a->failing);
    json_key(w, "smaller_tried"), json_uint(w, a->shrinking.tried);
    json_key(w, "shrunk"), json_bool(w, !a->shrinking.cut);
    json_close_object(w);
}

/* For the report of a test that fails, however late it is. */
static const double LEAST_SECONDS = 0.3;

static enum cli_exit check_failing(const struct autotest *a)
{
    struct text limits = {0};
    auto_add_reasons(&limits, a);
    struct campaign_tests tests = {.limits = limits.len ? limits.data + 2 : NULL,
                                   .add_json = add_json,
                                   .context = a,
                                   .is_recorded = a->options.shard.result};
    struct campaign c = {.options = a->options.campaign,
                         .source = a->source,
                         .tests = &tests,
                         .program = a->program,
                         .borrows_program = true};
    c.options.test = a->smallest;
    c.options.init = c.options.final = NULL;
    c.options.compare = c.options.report_weak = false; /* which are about all tests together */
    c.options.jobs = 1;
    if (c.options.time > 0)
        c.options.time = fmax(deadline_left(), LEAST_SECONDS);
    c.options.observations = a->options.observations;
    for (size_t i = 0; i < a->files.len; i++)
        vec_push(&c.files, a->files.data[i]);
    enum cli_exit exit = check_program(&c);
    if (a->options.shard.result && !auto_write_shard(a, &c))
        exit = cli_worse_exit(exit, EXIT_USAGE);
    campaign_free(&c);
    text_free(&limits);
    return exit;
}

/* Which of the tests it was, or what is left of, and whether it could be smaller. */
static void add_origin(struct text *t, const struct autotest *a)
{
    unsigned tried = a->shrinking.tried;
    bool whole = strcmp(a->smallest, a->failing) == 0;
    text_printf(t, "\n  %s number %" PRIu64, whole ? "test" : "made smaller from test",
                a->failing_number + 1);
    if (!whole)
        text_puts(t, ": "), terminal_add_safe(t, a->failing);
    if (a->shrinking.cut)
        text_puts(t, "\n  there was no time to try all smaller tests, one of which may fail");
    else if (tried)
        text_printf(t, "\n  with fewer calls it does not fail (%u smaller test%s tried)", tried,
                    tried == 1 ? "" : "s");
    text_puts(t, "\n");
}

static void add_test(struct text *t, const struct autotest *a)
{
    text_puts(t, "  failing test: ");
    terminal_add_safe(t, a->smallest);
    add_origin(t, a);
    if (a->needs_unusual)
        text_puts(
            t,
            "  with distinct values from 1 on it does not fail; if the container is for these only, say so: "
            "PLUMB_VALUES(1..) or PLUMB_VALUES(distinct)\n");
    if (a->is_unspecified)
        text_puts(t, "  (the harness has no PLUMB_OBJECT: judged by what its operations answer one after the "
                     "other)\n");
}

/* Writes the file; nothing is printed of it but that it could not be. */
static void add_reproduction(struct text *t, const struct autotest *a, bool printed)
{
    static const double SECONDS_MOST = 60;
    struct diagnostic why = {0};
    deadline_tighten(SECONDS_MOST);
    OWNED char *command = auto_write_reproduction(a, &why);
    if (command)
        text_printf(t, "  reproduce: %s\n", command);
    else if (printed)
        text_puts(t, "  no file that fails by itself: "), terminal_add_safe(t, why.message),
            text_puts(t, "\n");
    else
        output_diagnostic(NULL, &why);
}

static void print_counts(const struct autotest *a)
{
    struct text t = {0};
    text_puts(&t, "  ");
    auto_add_counts(&t, a);
    auto_add_reasons(&t, a);
    fprintf(stderr, "%s\n", t.data);
    text_free(&t);
}

enum cli_exit auto_report_failed(const struct autotest *a)
{
    const struct auto_options *o = &a->options;
    if (o->all && !o->campaign.quiet)
        print_counts(a);
    interruption_end(); /* what was found is reported, whatever came */
    time_limit_note(EXIT_HOLDS, "a failing test was found, and there was no time to report it: %s",
                    a->smallest);
    enum cli_exit exit = check_failing(a);
    bool printed = !o->campaign.quiet && !(o->campaign.json && !strcmp(o->campaign.json, "-"));
    struct text t = {0}, file = {0};
    if (exit == EXIT_VIOLATED && printed)
        add_test(&t, a);
    output_text(stdout, &t);
    auto_print_compared(a);
    time_limit_answer(exit);
    if (exit == EXIT_VIOLATED && (printed || o->reproduce))
        add_reproduction(&file, a, printed);
    if (printed)
        output_text(stdout, &file);
    text_free(&t), text_free(&file);
    return exit;
}
