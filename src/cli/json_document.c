/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/json_document.h"

#include "cli/output.h"
#include "cli/report_files.h"

void json_document_open(struct json_writer *w, const char *command, const char *verdict)
{
    json_open_object(w);
    json_key(w, "schema"), json_uint(w, 1);
    json_member(w, "tool", report_tool_name());
    json_member(w, "command", command);
    json_member(w, "verdict", verdict);
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

bool json_document_save(struct text *document, const char *path)
{
    FILE *file = output_open(path);
    if (file)
        output_text(file, document);
    text_free(document);
    return file && output_close(file, path);
}
