/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/report_files.h"

#include "cli/output.h"

#include <stdio.h>
#include <string.h>

const char *report_tool_name(void)
{
    static char name[32];
    const char *minor = strchr(PLUMB_VERSION, '.') + 1;
    snprintf(name, sizeof name, "plumb %.*s", (int)(minor - PLUMB_VERSION + (ptrdiff_t)strcspn(minor, ".")),
             PLUMB_VERSION);
    return name;
}

bool report_files_wanted(const struct report_paths *paths)
{
    return paths->html || paths->junit || paths->sarif;
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
    return check_path("html", paths->html) && check_path("junit", paths->junit) &&
           check_path("sarif", paths->sarif);
}

bool report_files_begin(struct report_files *f, const struct report_paths *paths)
{
    *f = (struct report_files){
        .paths = *paths, .documents = {.html = paths->html, .junit = paths->junit, .sarif = paths->sarif}};
    return report_files_can_write(paths);
}

static bool write_file(const char *path, struct text *document)
{
    FILE *file = output_open(path);
    if (file)
        output_text(file, document);
    bool fine = file && output_close(file, path);
    text_free(document);
    return fine;
}

bool report_files_finish(struct report_files *f, const char *command, const char *verdict)
{
    struct text t = {0};
    bool fine = true;
    if (f->paths.html) {
        report_html(&t, &f->documents, report_tool_name(), command, verdict);
        fine &= write_file(f->paths.html, &t);
    }
    if (f->paths.junit) {
        report_junit(&t, &f->documents, command);
        fine &= write_file(f->paths.junit, &t);
    }
    if (f->paths.sarif) {
        report_sarif(&t, &f->documents, report_tool_name());
        fine &= write_file(f->paths.sarif, &t);
    }
    report_documents_free(&f->documents);
    return fine;
}
