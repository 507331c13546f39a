/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/common/json_document.h"

#include "base/budget.h"
#include "cli/common/output.h"
#include "cli/common/report_files.h"

#include <string.h>

void json_document_open(struct json_writer *w, const char *command, enum verdict verdict)
{
    json_open_object(w);
    json_key(w, "schema"), json_uint(w, 1);
    json_member(w, "tool", report_tool_name());
    json_member(w, "command", command);
    json_member(w, "verdict", verdict_name(verdict));
}

void json_document_open_proof(struct json_writer *w, const struct json_proof *p, struct verdict_scope *scope)
{
    bool has_limit = p->verdict == VERDICT_INCONCLUSIVE;
    json_document_open(w, p->command, p->verdict);
    json_key(w, "limits"), json_open_array(w);
    if (has_limit)
        json_string(w, p->limit);
    json_close_array(w);
    if (scope_belongs(p->verdict))
        scope_json(w, scope);
    scope_free(scope);
    json_key(w, "inputs"), json_open_array(w), json_open_object(w);
    json_member(w, "name", p->input);
    json_member(w, "verdict", verdict_name(p->verdict));
    if (has_limit)
        json_member(w, "limit", p->limit);
    json_close_object(w), json_close_array(w);
    json_key(w, "pairs"), json_uint(w, p->pairs);
    json_key(w, "states"), json_uint(w, p->states);
    json_key(w, "transitions"), json_uint(w, p->transitions);
}

void json_document_add_list(struct json_writer *w, const char *name, const struct text *items)
{
    json_key(w, name), json_open_array(w);
    if (items->len)
        json_raw(w, items->data);
    json_close_array(w);
}

void json_document_add_error(struct json_writer *w, const struct diagnostic *d)
{
    char code[16];
    snprintf(code, sizeof code, "PL%04d", d->code);
    json_key(w, "error"), json_open_object(w);
    json_key(w, "line"), json_uint(w, d->line);
    json_key(w, "column"), json_uint(w, d->column);
    json_member(w, "code", code);
    json_member(w, "message", d->message);
    json_close_object(w);
}

void json_document_open_stats(struct json_writer *w, double seconds, int who)
{
    struct rusage usage;
    getrusage(who, &usage);
    json_key(w, "stats"), json_open_object(w);
    json_key(w, "seconds"), json_seconds(w, seconds);
    json_key(w, "peak_kib"), json_int(w, usage.ru_maxrss);
}

void json_document_close(struct json_writer *w)
{
    json_close_object(w);
    json_close_object(w);
    text_puts(w->out, "\n");
}

static struct {
    const char *command, *path; /* path null: none is expected */
    double started;
} expected;

void json_document_expect(const char *command, const char *path)
{
    expected.command = command;
    expected.path = path;
    expected.started = base_now();
}

void json_document_forget(void)
{
    expected.path = NULL;
    report_files_forget();
}

static void add_failure(struct json_writer *w, const struct diagnostic *d, enum verdict verdict)
{
    bool is_limit = verdict == VERDICT_INCONCLUSIVE;
    json_key(w, "limits"), json_open_array(w);
    if (is_limit)
        json_string(w, d->message);
    json_close_array(w);
    json_key(w, "inputs"), json_open_array(w), json_open_object(w);
    json_member(w, "name", *d->file ? d->file : "plumb");
    json_member(w, "verdict", verdict_name(verdict));
    if (is_limit)
        json_member(w, "limit", d->message);
    else
        json_document_add_error(w, d);
    json_close_object(w), json_close_array(w);
}

void json_document_end(enum cli_exit exit)
{
    const struct diagnostic *d = output_gave_up(exit);
    struct text t = {0};
    struct json_writer w = {.out = &t};
    report_files_end(exit);
    if (!expected.path || !d)
        return;
    enum verdict verdict = exit == EXIT_INCONCLUSIVE ? VERDICT_INCONCLUSIVE : VERDICT_NONE;
    json_document_open(&w, expected.command, verdict);
    add_failure(&w, d, verdict);
    json_document_open_stats(&w, base_now() - expected.started, RUSAGE_SELF);
    json_document_close(&w);
    if (output_is_writable(expected.path))
        json_document_save(&t, expected.path);
    text_free(&t);
}

bool json_document_is_stdout(void)
{
    return expected.path && strcmp(expected.path, "-") == 0;
}

const char *json_document_of_limit(struct text *out, const char *name, const char *limit, double seconds)
{
    struct json_writer w = {.out = out};
    struct diagnostic d = {.code = PL_TIME};
    snprintf(d.file, sizeof d.file, "%s", name);
    snprintf(d.message, sizeof d.message, "%s", limit);
    if (!expected.path)
        return NULL;
    json_document_open(&w, expected.command, VERDICT_INCONCLUSIVE);
    add_failure(&w, &d, VERDICT_INCONCLUSIVE);
    json_document_open_stats(&w, seconds, RUSAGE_SELF);
    json_document_close(&w);
    return expected.path;
}

bool json_document_save(struct text *document, const char *path)
{
    expected.path = NULL;
    FILE *file = output_open(path);
    if (file)
        output_text(file, document);
    text_free(document);
    return file && output_close(file, path);
}
