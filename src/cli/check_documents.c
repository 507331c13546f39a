/* SPDX-License-Identifier: Apache-2.0 */
/* --html, --junit and --sarif of programs under test. */
#include "cli/check_documents.h"

#include "cli/check_report.h"
#include "cli/check_picture.h"
#include "report/prose.h"

#include <string.h>

/* "queue.c: enq(1) | deq" */
static void add_name(struct text *out, const struct check *c)
{
    text_puts(out, c->files.data[0]);
    if (c->options.test && *c->options.test)
        text_printf(out, ": %s", c->options.test);
}

static void add_limits(struct text *out, const struct check *c)
{
    text_puts(out, c->failure.len ? c->failure.data : "");
    for (size_t k = 0; k < c->limits.len; k++)
        text_printf(out, "%s%s", out->len ? "; " : "", c->limits.data[k]);
}

static void add_executions(struct text *out, const struct check *c)
{
    prose_number(out, c->result.executions);
    text_printf(out, " execution%s", c->result.executions == 1 ? "" : "s");
}

static void add_pictures(struct report_files *f, const struct check *c, struct report_case *one)
{
    size_t count = check_is_violated(c) ? check_count_confirmed(c) : 0;
    struct check_picture *pictures = NEW_ZEROED(struct check_picture, count + 1);
    const struct report_counterexample **found = NEW_ZEROED(const struct report_counterexample *, count + 1);
    for (size_t k = 0; k < count; k++) {
        check_picture_tell_error(&pictures[k], c, &c->errors.data[k], c->options.files.html);
        found[k] = &pictures[k].counterexample;
    }
    one->found = found;
    one->found_count = count;
    report_documents_add(&f->documents, one);
    for (size_t k = 0; k < count; k++)
        check_picture_free(&pictures[k]);
    free(pictures);
    free(found);
}

static void add_case(struct report_files *f, const struct check *c, double seconds)
{
    struct text name = {0}, limits = {0}, executions = {0}, text = {0};
    add_name(&name, c);
    add_limits(&limits, c);
    add_executions(&executions, c);
    const char *facts[] = {executions.data};
    struct report_style style = {.columns = 100, .unicode = true};
    for (size_t k = 0; check_is_violated(c) && k < check_count_confirmed(c); k++)
        check_add_error(&text, c, &c->errors.data[k], &style);
    struct report_case one = {.name = name.data,
                              .verdict = c->verdict,
                              .message = limits.len ? limits.data : NULL,
                              .text = text.data,
                              .seconds = seconds,
                              .facts = facts,
                              .fact_count = !check_is_violated(c) || check_lists_errors(&c->options)};
    add_pictures(f, c, &one);
    text_free(&name);
    text_free(&limits);
    text_free(&executions);
    text_free(&text);
}

bool check_write_documents(const struct check *c, double seconds)
{
    struct report_files files;
    if (!report_files_wanted(&c->options.files))
        return true;
    if (!report_files_begin(&files, &c->options.files))
        return false;
    add_case(&files, c, seconds);
    return report_files_finish(&files, c->command ? c->command : "check", c->verdict);
}

bool check_document_replay(const struct report_paths *paths, const char *name,
                           const struct worker_shared *shown, bool same)
{
    struct report_files files;
    struct check_picture picture;
    struct text text = {0};
    struct report_style style = {.columns = 100, .unicode = true};
    if (!report_files_wanted(paths))
        return true;
    if (!report_files_begin(&files, paths))
        return false;
    check_picture_tell(&picture, name, shown, paths->html);
    check_report_error(&text, name, shown, &style);
    const struct report_counterexample *found = &picture.counterexample;
    struct report_case one = {.name = name,
                              .verdict = same ? "violated" : "inconclusive",
                              .message = same ? NULL : "the execution differs from the recorded one",
                              .text = text.data,
                              .found = &found,
                              .found_count = shown->error.kind != WORKER_ERROR_NONE};
    report_documents_add(&files.documents, &one);
    check_picture_free(&picture);
    text_free(&text);
    return report_files_finish(&files, "replay", one.verdict);
}
