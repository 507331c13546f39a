/* SPDX-License-Identifier: Apache-2.0 */
#include "base/json_writer.h"

#include "base/utf8.h"

#include <inttypes.h>
#include <string.h>

static void begin_value(struct json_writer *w)
{
    if (w->comma)
        text_puts(w->out, ",");
    w->comma = true;
}

static void open_level(struct json_writer *w, const char *bracket)
{
    begin_value(w);
    text_puts(w->out, bracket);
    w->comma = false;
}

static void close_level(struct json_writer *w, const char *bracket)
{
    text_puts(w->out, bracket);
    w->comma = true;
}

void json_open_object(struct json_writer *w)
{
    open_level(w, "{");
}
void json_close_object(struct json_writer *w)
{
    close_level(w, "}");
}
void json_open_array(struct json_writer *w)
{
    open_level(w, "[");
}
void json_close_array(struct json_writer *w)
{
    close_level(w, "]");
}

static void add_character(struct text *out, const char *s, size_t length, uint32_t code)
{
    if (code == '"' || code == '\\')
        text_printf(out, "\\%c", (char)code);
    else if (code == '\n')
        text_puts(out, "\\n");
    else if (code == '\t')
        text_puts(out, "\\t");
    else if (code < 0x20 || (code >= 0x7f && code < 0xa0))
        text_printf(out, "\\u%04x", code);
    else
        text_add(out, s, length);
}

static void add_quoted(struct text *out, const char *s)
{
    text_puts(out, "\"");
    size_t left = strlen(s);
    while (left) {
        uint32_t code;
        size_t length = utf8_read(s, left, &code);
        if (length) {
            add_character(out, s, length, code);
        } else {
            text_puts(out, "\\ufffd");
            length = 1;
        }
        s += length;
        left -= length;
    }
    text_puts(out, "\"");
}

void json_key(struct json_writer *w, const char *name)
{
    begin_value(w);
    add_quoted(w->out, name);
    text_puts(w->out, ":");
    w->comma = false;
}

void json_string(struct json_writer *w, const char *s)
{
    if (!s) {
        json_null(w);
        return;
    }
    begin_value(w);
    add_quoted(w->out, s);
}

void json_int(struct json_writer *w, int64_t i)
{
    begin_value(w);
    text_printf(w->out, "%" PRId64, i);
}

void json_uint(struct json_writer *w, uint64_t i)
{
    begin_value(w);
    text_printf(w->out, "%" PRIu64, i);
}

void json_bool(struct json_writer *w, bool b)
{
    json_raw(w, b ? "true" : "false");
}

void json_null(struct json_writer *w)
{
    json_raw(w, "null");
}

void json_seconds(struct json_writer *w, double seconds)
{
    begin_value(w);
    text_printf(w->out, "%.6f", seconds);
}

void json_raw(struct json_writer *w, const char *json)
{
    begin_value(w);
    text_puts(w->out, json);
}

void json_member(struct json_writer *w, const char *name, const char *s)
{
    json_key(w, name);
    json_string(w, s);
}
