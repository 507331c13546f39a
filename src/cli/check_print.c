/* SPDX-License-Identifier: Apache-2.0 */
/* The result of `plumb check` as text. */
#include "base/terminal.h"
#include "cli/check.h"
#include "cli/check_progress.h"
#include "cli/check_report.h"
#include "cli/output.h"
#include "cli/shell_word.h"

#include <inttypes.h>
#include <string.h>

static void print_error(struct check *c)
{
    struct text t = {0};
    check_report_error(&t, c->files.data[0], target_shared(c->confirmation.again), &c->style);
    text_puts(&t, "\n");
    if (c->sc.answer) {
        text_puts(&t, "  ");
        check_sc_add_text(&c->sc, &t);
        text_puts(&t, "\n");
    }
    text_printf(&t, "  found in execution %" PRIu64 " of %s\n", check_guilty_execution(c),
                c->options.mode == WORKER_GRAPH ? "the exploration"
                : c->options.mode == WORKER_DFS ? "the depth-first search"
                                                : "the sample");
    if (c->trace) {
        text_puts(&t, "  replay: plumb replay");
        shell_add_file(&t, c->trace);
        text_puts(&t, "\n");
    }
    output_text(stdout, &t);
    text_free(&t);
}

static void print_counts(const struct check *c)
{
    const struct check_result *r = &c->result;
    output_flush();
    fprintf(stderr,
            "  %" PRIu64 " executions: %" PRIu64 " complete, %" PRIu64 " blocked, %" PRIu64 " cut; %" PRIu64
            " steps",
            r->executions, r->complete, r->blocked, r->cut, r->steps);
    if (c->options.mode == WORKER_GRAPH)
        fprintf(stderr, ", %" PRIu64 " revisits", r->revisits);
    fputs("\n", stderr);
    check_progress_print_estimate(r);
}

/* " (all 8 executions; ...)" */
static void add_reasons(struct text *line, const struct check *c)
{
    struct text t = {0};
    const char *plural = c->result.executions == 1 ? "" : "s";
    if (c->failure.len)
        text_puts(&t, c->failure.data);
    else if (strcmp(c->verdict, "survived") == 0)
        text_printf(&t, "%" PRIu64 " sampled execution%s found nothing", c->result.executions, plural);
    else if (strcmp(c->verdict, "holds") == 0)
        text_printf(&t, "all %" PRIu64 " execution%s", c->result.executions, plural);
    for (size_t k = 0; k < c->limits.len; k++)
        text_printf(&t, "%s%s", t.len ? "; " : "", c->limits.data[k]);
    if (t.len)
        text_printf(line, " (%s)", t.data);
    text_free(&t);
}

void check_print(struct check *c)
{
    struct text line = {0};
    terminal_add_safe(&line, c->files.data[0]);
    text_printf(&line, ": %s", c->verdict);
    if (!check_is_violated(c))
        add_reasons(&line, c);
    text_puts(&line, "\n");
    output_text(c->failure.len ? stderr : stdout, &line);
    text_free(&line);
    if (check_is_violated(c) && !c->options.quiet)
        print_error(c);
    if (c->options.verbose)
        print_counts(c);
}
