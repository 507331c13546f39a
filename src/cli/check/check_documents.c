/* SPDX-License-Identifier: Apache-2.0 */
/* --html, --junit and --sarif of programs under test. */
#include "cli/check/check_program.h"
#include "report/prose.h"

#include <stdlib.h>
#include <string.h>

/* "queue.c: enq(1) | deq" */
static void add_name(struct text *out, const struct campaign *c)
{
    text_puts(out, c->files.data[0]);
    if (c->options.test && *c->options.test)
        text_printf(out, ": %s", c->options.test);
}

static void add_limits(struct text *out, const struct campaign *c)
{
    text_puts(out, c->failure.len ? c->failure.data : "");
    for (size_t k = 0; k < c->limits.len; k++)
        text_printf(out, "%s%s", out->len ? "; " : "", c->limits.data[k]);
    if (c->verdict == VERDICT_HOLDS || c->verdict == VERDICT_SURVIVED) {
        struct text unseen = {0};
        unseen_add_text(&c->scope.unseen, &unseen);
        text_puts(out, unseen.len ? unseen.data + (out->len ? 0 : strlen("; ")) : "");
        text_free(&unseen);
    }
}

static void add_executions(struct text *out, const struct campaign *c)
{
    prose_number(out, c->result.executions);
    text_printf(out, " execution%s", c->result.executions == 1 ? "" : "s");
}

static void add_repair(struct text *out, const struct campaign *c)
{
    for (size_t k = 0; k < c->repair.len; k++)
        text_printf(out, "%s%s %s -> %s", k ? " and " : "repair: ", c->repair.data[k].site,
                    c->repair.data[k].from, c->repair.data[k].to);
}

void check_add_case(struct report_documents *d, const struct campaign *c, double seconds)
{
    struct text name = {0}, limits = {0}, executions = {0}, repair = {0}, text = {0};
    struct report_style style = {.columns = 100, .unicode = true};
    size_t count = campaign_count_confirmed(c);
    const struct report_counterexample **found = NEW_ZEROED(const struct report_counterexample *, count + 1);
    for (size_t k = 0; k < count; k++) {
        found[k] = &c->errors.data[k].explained->counterexample;
        check_add_error(&text, c, &c->errors.data[k], &style);
    }
    add_name(&name, c);
    add_limits(&limits, c);
    add_executions(&executions, c);
    add_repair(&repair, c);
    const char *facts[2];
    size_t fact_count = 0;
    if (!count || campaign_lists_errors(&c->options))
        facts[fact_count++] = executions.data;
    if (repair.len)
        facts[fact_count++] = repair.data;
    struct report_case one = {.name = name.data,
                              .verdict = c->verdict,
                              .message = limits.len ? limits.data : NULL,
                              .text = text.data,
                              .seconds = seconds,
                              .facts = facts,
                              .fact_count = fact_count,
                              .found = found,
                              .found_count = count};
    report_documents_add(d, &one);
    text_free(&name);
    text_free(&limits);
    text_free(&executions);
    text_free(&repair);
    text_free(&text);
    free(found);
}

bool check_write_documents(const struct campaign *c, double seconds)
{
    struct report_files files;
    if (!report_paths_wanted(&c->options.files))
        return true;
    if (!report_files_begin(&files, &c->options.files))
        return false;
    check_add_case(&files.documents, c, seconds);
    return report_files_finish(&files, c->tests ? "auto" : "check", c->verdict);
}
