/* SPDX-License-Identifier: Apache-2.0 */
/* `plumb auto`: generates tests of a harness, runs them all, and shrinks one that fails. */
#include "base/budget.h"
#include "base/interruption.h"
#include "base/terminal.h"
#include "campaign/cluster/cluster_frames.h"
#include "cli/auto/auto.h"
#include "cli/check/check_options.h"
#include "cli/common/output.h"
#include "cli/common/time_limit.h"
#include "ownspec/guard.h"
#include "target/leftovers.h"

#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

/* ------------------------------------------------------------------ while tests run */

static FILE *table; /* of --table, or null */

static const char *word_of(const struct auto_result *r)
{
    static const char *const words[] = {
        [VERDICT_HOLDS] = "pass", [VERDICT_VIOLATED] = "fail", [VERDICT_INCONCLUSIVE] = "unknown"};
    return r->verdict != VERDICT_NONE       ? words[r->verdict]
           : r->mistake.code == PL_INTERNAL ? "broken"
                                            : "unfit";
}

static void write_row(const struct autotest *a, uint64_t number, const char *test,
                      const struct auto_result *r)
{
    if (table)
        fprintf(table, "%" PRIu64 "\t%s\t%" PRIu64 "\t%" PRIu64 "\t%.6f\t%" PRIu64 "\t%.6f\t%s\n", number + 1,
                word_of(r), r->serial_complete, r->serial_stuck, r->serial_seconds, r->executions, r->seconds,
                test);
    if (a->options.campaign.verbose)
        fprintf(stderr, "  %s: %s (%" PRIu64 " execution%s)%s%s\n", test, word_of(r), r->executions,
                r->executions == 1 ? "" : "s", *r->why ? ": " : "", r->why);
}

static double shown; /* base_now() when progress was printed last; 0: never */

static void show_progress(void *context)
{
    struct autotest *a = context;
    double now = base_now(), seconds = now - a->started;
    if (!terminal_obeys(STDERR_FILENO) || a->options.campaign.quiet || seconds < 1 || now - shown < 0.5)
        return;
    shown = now;
    if (a->is_larger) {
        fprintf(stderr, "\r\033[K%" PRIu64 " tests up to %s, %" PRIu64 " larger ones", a->passed + a->unknown,
                a->options.size ? a->options.size : "2x2", a->larger.tests);
        return;
    }
    double done = (double)(a->passed + a->failed + a->unknown), all = a->total / (double)a->shards;
    fprintf(stderr, "\r\033[K%.0f of %.0f tests, %" PRIu64 " failed, about %.0f s left", done, all, a->failed,
            done > 0 ? seconds / done * (all - done) : 0);
}

static bool open_table(const char *path)
{
    if (path && !(table = output_open(path)))
        return false;
    if (table)
        setvbuf(table, NULL, _IOLBF, 0); /* what is done is kept when somebody stops us */
    return true;
}

/* ------------------------------------------------------------------ from options to the end */

static enum cli_exit run_auto(void *context)
{
    struct autotest *a = context;
    struct diagnostic why = {0};
    guard_begin(a->files.data[0], a->options.campaign.time, 0, EXIT_HOLDS);
    leftovers_begin();
    interruption_begin();
    time_limit_begin(a->options.campaign.time, a->files.data[0]);
    enum cli_exit exit = auto_options_fit(a);
    if (exit != EXIT_HOLDS || !open_table(a->options.table))
        return EXIT_USAGE;
    if (frames_descriptor() >= 0)
        return auto_serve(a, frames_descriptor());
    bool decided = autotest_decide(a, &why);
    if (shown > 0)
        fputs("\r\033[K", stderr);
    if (decided)
        return a->failing ? auto_report_failed(a) : auto_report_passed(a);
    output_diagnostic(NULL, &why);
    return cli_exit_of_error(&why);
}

enum cli_exit cli_auto(int count, char *const *words)
{
    struct autotest a = {.options = {.campaign = campaign_options_default,
                                     .seed = CAMPAIGN_NO_SEED,
                                     .samples = AUTO_NO_SAMPLES},
                         .test_done = write_row,
                         .tick = show_progress,
                         .started = base_now()};
    enum cli_exit exit;
    a.options.campaign.jobs = 0;
    if (!cli_parse(&cli_auto_text, check_own_words(count, words), words, &a.options, &a.files, &exit))
        return exit;
    a.source = check_source(&a.files, count, words);
    exit = check_run_guarded(&a.options.campaign, &a.source, run_auto, &a);
    autotest_free(&a);
    if (table)
        fclose(table);
    return exit;
}
