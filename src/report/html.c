/* SPDX-License-Identifier: Apache-2.0 */
/* One file that shows counterexamples in a browser: the page of src/report/page, which page.S brings into the
 * program, with the counterexamples inside as JSON. */
#include "base/json_writer.h"
#include "report/documents.h"

#include <string.h>

extern const char page_head[], page_head_end[], page_style[], page_style_end[];
extern const char page_body[], page_body_end[], page_script[], page_script_end[];

/* JSON has these signs inside of strings only, where they may be escaped: then nothing in it ends the element
 * that it stands in, whatever names and values say. */
static void add_escaped(struct text *out, const char *json, size_t length)
{
    static const char line_separator[] = "\xe2\x80\xa8", paragraph_separator[] = "\xe2\x80\xa9";
    size_t done = 0;
    for (size_t i = 0; i < length; i++) {
        const char *escape = json[i] == '<'   ? "\\u003c"
                             : json[i] == '>' ? "\\u003e"
                             : json[i] == '&' ? "\\u0026"
                                              : NULL;
        size_t bytes = 1;
        if (json[i] == '\xe2' && length - i >= 3 && memcmp(json + i, line_separator, 3) == 0)
            escape = "\\u2028", bytes = 3;
        else if (json[i] == '\xe2' && length - i >= 3 && memcmp(json + i, paragraph_separator, 3) == 0)
            escape = "\\u2029", bytes = 3;
        if (!escape)
            continue;
        text_add(out, json + done, i - done);
        text_puts(out, escape);
        done = i + bytes;
        i += bytes - 1;
    }
    text_add(out, json + done, length - done);
}

static void add_samples(struct json_writer *w, const struct report_case *c)
{
    json_key(w, "rates"), json_open_object(w);
    JSON_ARRAY(w, "seconds", i, c->sample_count)
        json_seconds(w, c->samples[i].seconds);
    JSON_ARRAY(w, "recorded", i, c->sample_count)
        json_uint(w, c->samples[i].recorded);
    JSON_ARRAY(w, "judged", i, c->sample_count)
        json_uint(w, c->samples[i].judged);
    if (c->found_at > 0)
        json_key(w, "found_at"), json_seconds(w, c->found_at);
    json_close_object(w);
}

void html_add_case(struct report_documents *d, const struct report_case *c)
{
    struct text *out = &d->parts[REPORT_HTML];
    struct json_writer writer = {.out = out, .comma = out->len > 0}, *w = &writer;
    json_open_object(w);
    json_member(w, "name", c->name);
    json_member(w, "verdict", verdict_name(c->verdict));
    if (c->message)
        json_member(w, "message", c->message);
    if (c->output)
        json_member(w, "output", c->output);
    JSON_ARRAY(w, "facts", i, c->fact_count)
        json_string(w, c->facts[i]);
    JSON_ARRAY(w, "counterexamples", i, c->found_count) {
        struct text json = {0};
        report_json_full(&json, c->found[i]);
        json_raw(w, json.data);
        text_free(&json);
    }
    if (c->picture) {
        struct text json = {0};
        report_json_full(&json, c->picture);
        json_key(w, "picture"), json_raw(w, json.data);
        text_free(&json);
    }
    if (c->sample_count)
        add_samples(w, c);
    json_close_object(w);
}

static void add_data(struct text *out, const struct report_documents *d, const struct report_run *run)
{
    struct text json = {0};
    struct json_writer writer = {.out = &json}, *w = &writer;
    json_open_object(w);
    json_key(w, "schema"), json_uint(w, 1);
    json_member(w, "tool", run->tool);
    json_member(w, "command", run->command);
    json_member(w, "verdict", verdict_name(run->verdict));
    json_key(w, "cases"), json_open_array(w);
    if (d->parts[REPORT_HTML].len)
        json_raw(w, d->parts[REPORT_HTML].data);
    json_close_array(w);
    json_close_object(w);
    add_escaped(out, json.data, json.len);
    text_free(&json);
}

static void add_part(struct text *out, const char *begin, const char *end)
{
    text_add(out, begin, (size_t)(end - begin));
}

void html_render(struct text *out, const struct report_documents *d, const struct report_run *run)
{
    add_part(out, page_head, page_head_end);
    text_puts(out, "<style>\n");
    add_part(out, page_style, page_style_end);
    text_puts(out, "</style>\n");
    add_part(out, page_body, page_body_end);
    text_puts(out, "<script type=\"application/json\" id=\"data\">");
    add_data(out, d, run);
    text_puts(out, "</script>\n<script>\n");
    add_part(out, page_script, page_script_end);
    text_puts(out, "</script>\n</body>\n</html>\n");
}
