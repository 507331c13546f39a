/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/common/report_files.h"

#include "base/budget.h"
#include "cli/common/output.h"
#include "report/prose.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *report_tool_name(void)
{
    static char name[32];
    const char *minor = strchr(PLUMB_VERSION, '.') + 1;
    snprintf(name, sizeof name, "plumb %.*s", (int)(minor - PLUMB_VERSION + (ptrdiff_t)strcspn(minor, ".")),
             PLUMB_VERSION);
    return name;
}

static bool check_path(const char *option, const char *path)
{
    if (path && strcmp(path, "-") == 0) {
        output_error(PL_USAGE, "--%s needs the name of a file", option);
        return false;
    }
    return !path || output_check(path);
}

bool report_files_can_write(const struct report_paths *paths)
{
    for (size_t k = 0; k < REPORT_DOCUMENTS; k++)
        if (!check_path(report_document_kinds[k].option, paths->of[k]))
            return false;
    return true;
}

bool report_files_begin(struct report_files *f, const struct report_paths *paths)
{
    *f = (struct report_files){.paths = *paths};
    for (size_t k = 0; k < REPORT_DOCUMENTS; k++)
        f->documents.wanted[k] = paths->of[k];
    return report_files_can_write(paths);
}

/* ------------------------------------------------------------------ when there is nothing to write */

static struct {
    const char *command;
    struct text names[REPORT_DOCUMENTS]; /* absolute: the command may enter another folder */
    struct report_paths paths;
    double started;
} expected;

static const char *make_absolute(struct text *out, const char *path)
{
    char *folder = path && *path != '/' ? get_current_dir_name() : NULL;
    if (!path)
        return NULL;
    text_printf(out, "%s%s%s", folder ? folder : "", folder ? "/" : "", path);
    free(folder);
    return out->data;
}

bool report_files_write_proof(const struct report_paths *paths, const char *command,
                              const struct report_case *one, uint64_t states)
{
    struct report_files files;
    struct text size = {0};
    if (!report_files_begin(&files, paths))
        return false;
    prose_number(&size, states);
    text_puts(&size, " states");
    const char *facts[] = {size.data};
    struct report_case with_size = *one;
    with_size.facts = facts;
    with_size.fact_count = 1;
    report_documents_add(&files.documents, &with_size);
    text_free(&size);
    return report_files_finish(&files, command, one->verdict);
}

void report_files_expect(const char *command, const struct report_paths *paths)
{
    report_files_forget();
    expected.command = command;
    for (size_t k = 0; k < REPORT_DOCUMENTS; k++)
        expected.paths.of[k] = make_absolute(&expected.names[k], paths->of[k]);
    expected.started = base_now();
}

void report_files_forget(void)
{
    expected.paths = (struct report_paths){0};
    for (size_t k = 0; k < REPORT_DOCUMENTS; k++)
        text_free(&expected.names[k]);
}

const char *report_files_message(struct text *out, const struct diagnostic *d)
{
    if (d->line)
        text_printf(out, "line %" PRIu64, d->line);
    if (d->line && d->column)
        text_printf(out, ", column %" PRIu64, d->column);
    text_printf(out, "%s%s", d->line ? ": " : "", d->message);
    return out->data;
}

void report_files_end(enum cli_exit exit)
{
    const struct diagnostic *why = output_gave_up(exit);
    struct report_paths paths = expected.paths;
    struct report_files files;
    struct text message = {0};
    if (!why || !report_paths_wanted(&paths))
        return;
    for (size_t k = 0; k < REPORT_DOCUMENTS; k++)
        if (paths.of[k] && !output_is_writable(paths.of[k])) /* which the command has already reported */
            paths.of[k] = NULL;
    const struct report_case one = {.name = *why->file ? why->file : "plumb",
                                    .verdict = cli_verdict_of(exit),
                                    .message = report_files_message(&message, why),
                                    .seconds = base_now() - expected.started};
    report_files_begin(&files, &paths);
    report_documents_add(&files.documents, &one);
    report_files_finish(&files, expected.command, one.verdict);
    text_free(&message);
}

/* ------------------------------------------------------------------ writing */

static bool write_file(const char *path, struct text *document)
{
    FILE *file = output_open(path);
    if (file)
        output_text(file, document);
    bool fine = file && output_close(file, path);
    text_free(document);
    return fine;
}

bool report_files_finish(struct report_files *f, const char *command, enum verdict verdict)
{
    const struct report_run run = {report_tool_name(), command, verdict};
    struct text t = {0};
    bool fine = true;
    for (size_t k = 0; k < REPORT_DOCUMENTS; k++)
        if (f->paths.of[k]) {
            report_document_kinds[k].render(&t, &f->documents, &run);
            fine &= write_file(f->paths.of[k], &t);
        }
    report_documents_free(&f->documents);
    report_files_forget();
    return fine;
}
